package act

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

type characterAdded struct {
	byPlayers
	ID     string          `json:"id"`
	Kind   string          `json:"kind"`
	Name   string          `json:"name"`
	Owner  string          `json:"owner,omitempty"`
	Sheet  json.RawMessage `json:"sheet"`
	Hidden bool            `json:"hidden,omitempty"`
	sheet  any
}

func (characterAdded) Type() string { return "table.character-added" }

func (ev characterAdded) Restore(st *state.State) (rule.Event, error) {
	var err error
	ev.sheet, err = state.RestoreSheet(st.Game, ev.Kind, ev.Sheet)
	return ev, err
}

// Subject makes the entry of a hidden character secret. It stays secret after the character is
// shown.
func (ev characterAdded) Subject(ledger.Ledger) (move string, secret bool) { return "", ev.Hidden }

// characterCopied adds a copy of a character, with its portrait.
type characterCopied struct {
	byMasters
	characterAdded
	Portrait string `json:"portrait"`
}

func (characterCopied) Type() string { return "table.character-copied" }

func (ev characterCopied) Restore(st *state.State) (rule.Event, error) {
	added, err := ev.characterAdded.Restore(st)
	ev.characterAdded = added.(characterAdded)
	return ev, err
}

func (ev characterCopied) judge(p *Proposal) error {
	return cmp.Or(ev.characterAdded.judge(p), seesPicture(p.Eye, ev.Portrait))
}

func (ev characterCopied) Fold(st *state.State, r *state.Record) {
	ev.characterAdded.Fold(st, r)
	st.Alter(ev.ID).Portrait = ev.Portrait
}

// CharacterRequest asks to add a character.
type CharacterRequest struct {
	Name   string          `json:"name" form:"text"`
	Kind   string          `json:"kind" form:"text" doc:"of character, by its id"`
	Owner  string          `json:"owner" form:"text" doc:"id of a seat; a player owns what they add"`
	Stock  string          `json:"stock" form:"text" doc:"a game master's: id of one in the game's stock, whose kind and sheet it has"`
	Hero   string          `json:"hero" form:"text" doc:"id of a ready hero, whose kind and sheet it has"`
	Like   string          `json:"like" form:"text" doc:"a game master's: id of a character that it's a copy of"`
	Hidden bool            `json:"hidden" doc:"a game master's: nobody else knows of it until it's shown"`
	Sheet  json.RawMessage `json:"-" part:"sheet"` // missing members get the values of a blank sheet
	Values url.Values      `json:"-"`              // a plain form instead of Sheet
}

// AddCharacter adds a character. A game master may add any kind for any seat; players may add the
// kinds of players, for themselves.
var AddCharacter = Define(Spec[CharacterRequest, view.Character]{
	Name: "add-character", Op: "character",
	Route: Route{
		Method: "POST", Path: "/characters", Tag: "characters", Tool: "make_hero", Body: "NewCharacter",
		Status: http.StatusCreated, PerGame: "sheet",
		Parts: map[string]Part{"sheet": {Schema: map[string]any{
			"type":        "object",
			"description": "as its kind’s schema says; what is left out is as on a blank one",
		}}},
		Summary: "Add a character",
		Text: "By a name and a kind, where what the sheet leaves out has its default; or by a ready hero; a game master may name one of the " +
			"game's stock instead, or a character that it's like. A player adds characters of their own, of a kind that players may own.",
		Example: map[string]any{"name": "Vex", "sheet": map[string]any{}, "key": "0a91"},
	},
	Key: func(r CharacterRequest) any {
		return struct {
			Name, Kind string
			Sheet      json.RawMessage
			Values     url.Values
			Owner      string
			Stock      string
			Hero       string `json:",omitempty"`
			Like       string
			Hidden     bool `json:",omitempty"`
			Key        string
		}{r.Name, r.Kind, r.Sheet, r.Values, r.Owner, r.Stock, r.Hero, r.Like, r.Hidden, ""}
	},
	Build: func(c Call, r CharacterRequest) (ledger.Draft, error) { return addCharacter(c.Eye, r, c.Entropy) },
	Respond: func(_ string, made *Written) view.Character {
		return view.Character{ID: made.Record.Decoded[0].(interface{ added() string }).added(), Entry: *made.Shown}
	},
})

// added returns the id of the new character.
func (ev characterAdded) added() string { return ev.ID }

// addCharacter builds the entry of a new character.
func addCharacter(e *visibility.Eye, n CharacterRequest, entropy io.Reader) (ledger.Draft, error) {
	if err := checkOwnName(e, n.Name, ""); err != nil && n.Name != "" {
		return ledger.Draft{}, err
	}
	n, err := readyCharacter(e, n)
	if err != nil {
		return ledger.Draft{}, err
	}
	if n.Kind == "" {
		return ledger.Draft{}, refusal.Invalid("kind", form.Missing)
	}
	kind, err := kindToAdd(e, n.Kind)
	if err != nil {
		return ledger.Draft{}, err
	}
	added := characterAdded{
		ID: e.Table.Characters.Next(), Kind: kind.ID, Name: checkName.keep(n.Name), Owner: n.Owner,
		Hidden: n.Hidden,
	}
	if n.Hidden {
		if added.ID, err = state.DrawID(entropy); err != nil {
			return ledger.Draft{}, err
		}
	}
	if !e.Viewer.IsGM() && n.Owner == "" {
		added.Owner = e.Seat.ID
	}
	reserved := reservedFrom(e, kind)
	switch {
	case n.Values != nil:
		added.sheet, err = kind.Values(kind.Blank, kind.Form.Without(fieldsOf(kind.Form, reserved)...), n.Values)
	case n.Sheet != nil:
		added.sheet, err = patchSheet(e, kind, kind.Blank, n.Sheet, reserved)
	default:
		added.sheet, err = kind.Patch(kind.Blank, []byte("{}"))
	}
	if err != nil {
		return ledger.Draft{}, refusal.Within("sheet", withLabel(e, err))
	}
	if added.Sheet, err = json.Marshal(added.sheet); err != nil {
		return ledger.Draft{}, err
	}
	if like := e.Table.Characters.Of(n.Like); like != nil && like.Portrait != "" {
		return draft(e, view.KindCharacter, characterCopied{characterAdded: added, Portrait: like.Portrait})
	}
	return draft(e, view.KindCharacter, added)
}

func (ev characterAdded) judge(p *Proposal) error {
	if err := cmp.Or(ev.checkID(p), checkName.hold(ev.Name)); err != nil {
		return err
	}
	kind, err := kindToAdd(p.Eye, ev.Kind)
	if err != nil {
		return err
	}
	if err := cmp.Or(mayOwn(p.Eye, ev.Owner), checkForm(kind, ev.Sheet)); err != nil {
		return err
	}
	if err := p.Rules(func() error {
		return checkLocked(p.Eye, kind.Blank, ev.sheet, reservedFrom(p.Eye, kind))
	}); err != nil {
		return err
	}
	if len(p.Characters()) >= request.MaxCharacters { // hidden characters don't count for seats that can't see them
		return &refusal.TooManyError{What: "characters", Max: request.MaxCharacters}
	}
	return p.checkSize("", ev.sheet, len(ev.Sheet))
}

// checkID checks the id of the new character, and that a hidden one belongs to nobody or a game
// master.
func (ev characterAdded) checkID(p *Proposal) error {
	if !ev.Hidden {
		return refusal.Same(ev.ID, p.Table.Characters.Next())
	}
	if err := requireGM(p.Eye); err != nil {
		return err
	}
	if !state.DrawnID(ev.ID) || p.Table.Characters.Of(ev.ID) != nil {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "its id isn't one of norn's"})
	}
	if ev.Owner != "" {
		return refuseTelling(ev.Name)
	}
	return nil
}

func (ev characterAdded) Fold(st *state.State, _ *state.Record) {
	st.Characters = append(slices.Clip(st.Characters),
		&state.Character{ID: ev.ID, Kind: ev.Kind, Name: ev.Name, Owner: ev.Owner, Sheet: ev.sheet, Hidden: ev.Hidden})
}

func (ev characterAdded) Lines(e *visibility.Eye) []view.Line {
	if !e.Sees(ev.ID) {
		return nil
	}
	word := "character-added"
	if ev.Hidden {
		word = "character-prepared"
	}
	return e.Line(ev, word, view.Data{"Name": ev.Name, "Kind": e.Word("kind", ev.Kind)},
		view.Data{"id": ev.ID, "name": ev.Name, "kind": ev.Kind, "owner": ev.Owner})
}

// readyCharacter fills in the kind, sheet and name of a new character that is a ready hero, one of
// the game's stock, or a copy. Only a GM may use the latter two. A name that was not given gets a
// number where it's taken.
func readyCharacter(e *visibility.Eye, n CharacterRequest) (CharacterRequest, error) {
	if n.Stock == "" && n.Like == "" && n.Hero == "" {
		return n, nil
	}
	if n.Hero == "" && !e.Viewer.IsGM() {
		return n, &refusal.ForbiddenError{}
	}
	name, sheet := "", any(nil)
	switch {
	case n.Like != "":
		c, err := ownCharacter(e, "like", n.Like)
		if err != nil {
			return n, err
		}
		name, sheet, n.Kind = c.Name, c.Sheet, c.Kind
		n.Hidden = n.Hidden || c.Hidden // a copy would reveal the original
	default:
		field, id, all := "stock", n.Stock, e.Table.Game.InStock
		if n.Hero != "" {
			field, id, all = "hero", n.Hero, e.Table.Game.ReadyHeroes
		}
		one, err := sampleByID(field, id, all(e.Voice.Speaker))
		if err != nil {
			return n, err
		}
		name, sheet, n.Kind = one.Name, one.Sheet, one.Kind
	}
	if n.Name == "" {
		n.Name = numberedName(e, name, n.Hidden)
	}
	if n.Sheet == nil && n.Values == nil {
		var err error
		if n.Sheet, err = membersUnlikeBlank(e, n.Kind, sheet); err != nil {
			return n, err
		}
	}
	return n, nil
}

// membersUnlikeBlank returns the members of a sheet that differ from a blank one, without those
// that the seat can't set.
func membersUnlikeBlank(e *visibility.Eye, kind string, sheet any) (json.RawMessage, error) {
	k, _ := e.Table.Game.Kind(kind)
	unset := reservedFrom(e, k)
	has, err := jsonMembers(sheet)
	if err != nil {
		return nil, err
	}
	blank, err := jsonMembers(k.Blank)
	for name, value := range blank {
		if bytes.Equal(has[name], value) || slices.Contains(unset, name) {
			delete(has, name)
		}
	}
	return state.JSON(has), err
}

// sampleByID returns a ready character by its id.
func sampleByID(field, id string, all []game.Sample) (game.Sample, error) {
	i := slices.IndexFunc(all, func(s game.Sample) bool { return s.ID == id })
	if i < 0 {
		return game.Sample{}, refusal.NoChoice(field, id, game.Each(all, func(s game.Sample) string { return s.ID }))
	}
	return all[i], nil
}

// numberedName returns a free name: "Guard", "Guard 2", "Guard 3". Hidden characters leave no gap
// in the numbers of others.
func numberedName(e *visibility.Eye, name string, hidden bool) string {
	base := name
	if at := strings.LastIndexByte(name, ' '); at > 0 {
		if n, err := strconv.Atoi(name[at+1:]); err == nil && n > 1 {
			base = name[:at]
		}
	}
	here := e.Table.Characters.Here()
	taken := func(name string) bool {
		return slices.ContainsFunc(here, func(c *state.Character) bool {
			return c.Name == name && (hidden || !c.Hidden)
		})
	}
	if !taken(base) {
		return base
	}
	for n := 2; ; n++ {
		if next := base + " " + strconv.Itoa(n); !taken(next) {
			return next
		}
	}
}

// CastChange returns the ids of the characters that a record adds, removes, and edits by hand; ""
// for none.
func CastChange(r *state.Record) (came, went, edited string) {
	for _, event := range r.Decoded {
		switch ev := event.(type) {
		case characterAdded:
			came = ev.ID
		case characterCopied:
			came = ev.ID
		case characterImported:
			came = ev.ID
		case characterShown:
			came = ev.ID
		case characterRemoved:
			went = ev.ID
		case CharacterChanged:
			if len(ev.Changed) > 0 {
				edited = ev.ID
			}
		}
	}
	return came, went, edited
}

// characterRemoved removes a character. Frees lists the characters that get something back from it;
// older entries freed nothing.
type characterRemoved struct {
	byMasters
	ID    string   `json:"id"`
	Name  string   `json:"name"`
	Frees []string `json:"frees,omitempty"`
}

func (characterRemoved) Type() string { return "table.character-removed" }

// Subject makes the entry secret if the character is hidden.
func (ev characterRemoved) Subject(b ledger.Ledger) (move string, secret bool) {
	return "", isHidden(b.State, ev.ID)
}

// RemoveCharacter removes a character. Neither it nor a character that gets something back by that
// may be in an open move.
var RemoveCharacter = Define(Spec[CharacterNamed, view.Entry]{
	Name: "remove-character", Op: "remove",
	Route: Route{
		Method: "DELETE", Path: "/characters/{cid}", Missing: "id", Tag: "characters",
		Summary: "Take a character from the table", Text: "Only a game master may.",
	},
	Key: func(r CharacterNamed) any { return r.Character },
	Build: func(c Call, r CharacterNamed) (ledger.Draft, error) {
		if err := requireGM(c.Eye); err != nil {
			return ledger.Draft{}, err
		}
		who, err := ownCharacter(c.Eye, "id", r.Character)
		if err != nil {
			return ledger.Draft{}, err
		}
		return draft(c.Eye, view.KindCharacter,
			characterRemoved{ID: who.ID, Name: who.Name, Frees: freedIDs(c.Table.State, who)})
	},
})

func (ev characterRemoved) judge(p *Proposal) error {
	c, err := ownCharacter(p.Eye, "id", ev.ID)
	if err != nil {
		return err
	}
	err = cmp.Or(refusal.Same(ev.Name, c.Name), CheckFree(p.Eye, ev.ID))
	if len(ev.Frees) > 0 || !p.old() { // older entries freed nothing
		err = cmp.Or(err, refusal.SameNames(ev.Frees, freedIDs(p.Table.State, c)))
	}
	for _, id := range ev.Frees {
		err = cmp.Or(err, CheckFree(p.Eye, id))
	}
	return err
}

func (ev characterRemoved) Fold(st *state.State, r *state.Record) {
	c := st.Characters.Of(ev.ID)
	if c == nil {
		return
	}
	frees := freesOf(st, c)
	st.Touch(r, ev.ID, state.Whole).Removed = true
	for _, change := range frees {
		if id := change.Whose(); slices.Contains(ev.Frees, id) {
			held := st.Touch(r, id, state.OfSheet)
			held.Write(change.Apply(held.Sheet))
		}
	}
}

func (ev characterRemoved) Touches() ([]string, state.Facet) {
	return append([]string{ev.ID}, ev.Frees...), state.Whole
}

func (ev characterRemoved) Lines(e *visibility.Eye) []view.Line {
	if !e.Sees(ev.ID) {
		return nil
	}
	return append(e.Line(ev, "character-removed", view.Data{"Name": ev.Name}, view.Data{"id": ev.ID, "name": ev.Name}),
		freedLines(e, ev)...)
}

// freedLines names the characters that got something back from a removed one.
func freedLines(e *visibility.Eye, ev characterRemoved) []view.Line {
	var names []string
	for _, id := range ev.Frees {
		if e.Sees(id) {
			names = append(names, e.Table.Characters.Of(id).Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return e.Line(ev, "character-frees", view.Data{"Name": ev.Name, "Who": e.Voice.List(names)},
		view.Data{"id": ev.ID, "name": ev.Name})
}

// freesOf returns the changes of other characters' sheets when a character is removed.
func freesOf(st *state.State, c *state.Character) []game.Change {
	kind, _ := st.Game.Kind(c.Kind)
	if kind.Frees == nil {
		return nil
	}
	var frees []game.Change
	for _, event := range kind.Frees(c.Sheet) {
		change, ok := game.AsChange(event)
		if !ok {
			continue
		}
		if held := st.Characters.Of(change.Whose()); held != nil && !held.Removed {
			frees = append(frees, change)
		}
	}
	return frees
}

// freedIDs returns the characters that get something back when one is removed.
func freedIDs(st *state.State, c *state.Character) []string {
	return game.Each(freesOf(st, c), game.Change.Whose)
}
