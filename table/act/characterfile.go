package act

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"norn/foreign"
	"norn/form"
	"norn/game"
	"norn/internal/nesting"
	"norn/internal/picture"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// characterImported adds a character from a file.
type characterImported struct {
	characterAdded
	Portrait string `json:"portrait,omitempty"`
	Partial  bool   `json:"partial,omitempty"` // without what didn't fit
}

func (characterImported) Type() string { return "table.character-imported" }

func (ev characterImported) Restore(st *state.State) (rule.Event, error) {
	added, err := ev.characterAdded.Restore(st)
	ev.characterAdded = added.(characterAdded)
	return ev, err
}

func (ev characterImported) judge(p *Proposal) error {
	err := ev.characterAdded.judge(p)
	if err == nil && ev.Portrait != "" {
		err = seesPicture(p.Eye, ev.Portrait)
	}
	return err
}

func (ev characterImported) Fold(st *state.State, r *state.Record) {
	ev.characterAdded.Fold(st, r)
	st.Alter(ev.ID).Portrait = ev.Portrait
	st.NoteArrival(r, ev.ID)
}

// isArrival reports whether a record imports a character, which leaves again if it's undone.
func isArrival(r *state.Record) bool {
	if len(r.Decoded) == 0 {
		return false
	}
	_, imported := r.Decoded[0].(characterImported)
	return imported
}

func (ev characterImported) Touches() ([]string, state.Facet) { return []string{ev.ID}, state.Whole }

func (ev characterImported) Lines(e *visibility.Eye) []view.Line {
	if !e.Sees(ev.ID) {
		return nil
	}
	word := "character-imported"
	if ev.Partial {
		word = "character-imported-partly"
	}
	return e.Line(ev, word, view.Data{"Name": ev.Name},
		view.Data{"id": ev.ID, "name": ev.Name, "kind": ev.Kind, "owner": ev.Owner, "incomplete": ev.Partial})
}

// ImportRequest adds a character from a file.
type ImportRequest struct {
	File    json.RawMessage `json:"-" part:"file"`
	Owner   string          `json:"owner" form:"text" doc:"id of a seat; a player owns what they bring"`
	Hidden  bool            `json:"hidden" doc:"a game master's: nobody else knows of it until it's shown"`
	Fitting bool            `json:"fitting" doc:"take what fits, and leave out the rest"`

	portrait string // hash of the picture, once it's attached
	bare     bool   // its portrait isn't taken
}

// ImportCharacter adds a character from a file that ExportCharacter made, at this table or another. A game master may
// add any kind for any seat; a player a kind that players have, for themselves. What doesn't fit is refused field by
// field, and nothing is taken, unless the request says to take what fits.
var ImportCharacter = Define(Spec[ImportRequest, view.Character]{
	Name: "import-character", Op: "import-character",
	Route: Route{
		Method: http.MethodPost, Path: "/import-character", Tag: "characters", Body: "CharacterImport", File: true,
		Status: http.StatusCreated,
		Parts: map[string]Part{"file": {Required: true, Schema: map[string]any{
			"$ref": "#/components/schemas/CharacterFile",
		}}},
		Summary: "Add a character from a file",
		Text: "The file is one of export-character, of the same game, or a hero as read-hero takes it, which shows first what that becomes. What doesn't fit is listed in problems, by its path below " +
			"file.sheet, and nothing is taken; with fitting the rest is taken without it. A player brings characters of their own, " +
			"of a kind that players may own, without what only game masters set. It can be undone.",
		Example: map[string]any{"file": map[string]any{
			"format": view.CharacterFormat, "version": view.CharacterVersion, "norn": "", "game": "undertow",
			"edition": "1",
			"kind":    "character", "name": "Vex", "seen": "player", "sheet": map[string]any{},
		}, "key": "0a92"},
	},
	Key: func(r ImportRequest) any {
		return []any{HashOf(r.File), r.Owner, r.Hidden, r.Fitting}
	},
	Build: importCharacter,
	Respond: func(_ string, made *Written) view.Character {
		return view.Character{ID: made.Record.Decoded[0].(characterImported).ID, Entry: *made.Shown}
	},
})

// WithPortrait returns the request with a picture that was attached, "" where the file's portrait isn't taken.
func (r ImportRequest) WithPortrait(hash string) ImportRequest {
	r.portrait, r.bare = hash, hash == ""
	return r
}

// PortraitOf returns the portrait of the file, nil for none. It's checked by its first bytes, before it's decoded.
func (r ImportRequest) PortraitOf() (*view.Portrait, error) {
	if !IsCharacterFile(r.File) {
		h, err := foreign.Read(plainFile(r.File))
		if err != nil || h.Picture == nil {
			return nil, nil // what is wrong with the file is said when its hero is read
		}
		if _, _, err := picture.Size(h.Picture.Media, h.Picture.Data); err != nil {
			return nil, nil // a picture in a foreign file is no reason to refuse its hero
		}
		return &view.Portrait{Media: h.Picture.Media, Data: h.Picture.Data}, nil
	}
	file, err := readCharacterFile(r.File)
	if err != nil || file.Portrait == nil {
		return nil, err
	}
	if len(file.Portrait.Data) > request.MaxAttachment {
		return nil, refusal.Refuse("picture-large", nil)
	}
	switch _, _, err := picture.Size(file.Portrait.Media, file.Portrait.Data); {
	case errors.Is(err, picture.ErrTooLarge):
		return nil, refusal.Refuse("picture-large", nil)
	case err != nil:
		return nil, refusal.Refuse("no-picture", nil)
	}
	return file.Portrait, nil
}

func importCharacter(c Call, r ImportRequest) (ledger.Draft, error) {
	data, incomplete, err := asCharacterFile(c.Eye, r)
	if err != nil {
		return ledger.Draft{}, err
	}
	file, err := readCharacterFile(data)
	if err != nil {
		return ledger.Draft{}, err
	}
	if g := c.Table.Game; file.Game != g.ID {
		return ledger.Draft{}, refusal.Refuse("file-game",
			view.Data{"Game": refusal.Brief(file.Game), "Here": game.Word(g.Word("game", "name"))})
	}
	kind, err := kindToAdd(c.Eye, file.Kind)
	if err != nil {
		return ledger.Draft{}, refusal.Within("file", err)
	}
	sheet, partial, err := fittingSheet(c.Eye, kind, file.Sheet, r.Fitting)
	if err != nil {
		return ledger.Draft{}, err
	}
	name, err := freeName(c.Eye, checkName.keep(file.Name), r.Hidden)
	if err != nil {
		return ledger.Draft{}, err
	}
	added, err := addCharacter(c.Eye, CharacterRequest{
		Name: name, Kind: kind.ID, Owner: r.Owner, Hidden: r.Hidden, Sheet: sheet,
	}, c.Entropy)
	if err != nil {
		return ledger.Draft{}, err
	}
	return draft(c.Eye, view.KindCharacter, characterImported{
		characterAdded: added.Events[0].(characterAdded), Portrait: r.portrait, Partial: partial || incomplete || r.bare,
	})
}

// CheckRoomForCharacter refuses a character if the table has no room for it, as far as the seat may
// know, or if the seat may have none.
func CheckRoomForCharacter(e *visibility.Eye) error {
	if e.Viewer.Role == game.Spectator {
		return &refusal.ForbiddenError{}
	}
	if len(e.Characters()) >= request.MaxCharacters {
		return &refusal.TooManyError{What: "characters", Max: request.MaxCharacters}
	}
	return nil
}

// freeName returns a name that the seat may give a character here, numbered where it's taken.
func freeName(e *visibility.Eye, name string, hidden bool) (string, error) {
	next := numberedName(e, name, hidden)
	err := checkOwnName(e, next, "")
	for n := 2; err != nil && n < 10; n++ {
		next = name + " " + strconv.Itoa(n)
		err = checkOwnName(e, next, "")
	}
	return next, err
}

// maxMembers bounds the members of a file and of its sheet.
const maxMembers = 200

// readCharacterFile reads a file as far as it's the same for all games.
func readCharacterFile(data []byte) (file view.CharacterFile, err error) {
	if len(data) > request.MaxCharacterFile {
		return file, &refusal.TooManyError{What: "bytes", Max: request.MaxCharacterFile}
	}
	if nesting.TooDeep(data) {
		return file, refusal.Refuse("file-foreign", nil)
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if json.Unmarshal(data, &head) != nil || head.Format != view.CharacterFormat || head.Version < 1 {
		return file, refusal.Refuse("file-foreign", nil)
	}
	if head.Version > view.CharacterVersion {
		return file, refusal.Refuse("file-newer", nil)
	}
	read := json.NewDecoder(bytes.NewReader(data))
	read.DisallowUnknownFields()
	if read.Decode(&file) != nil {
		return file, refusal.Refuse("file-foreign", nil)
	}
	if file.Sheet == nil {
		file.Sheet = json.RawMessage("{}")
	}
	if len(file.Sheet) > request.MaxSheet {
		return file, &refusal.TooManyError{What: "bytes", Max: request.MaxSheet}
	}
	return file, nil
}

// fittingSheet gives what of a file's sheet isn't as on a blank one. Each of its members is tried
// by itself, so that all that doesn't fit is listed; fitting leaves that out instead. partial says
// that something was left out.
func fittingSheet(e *visibility.Eye, kind game.Kind, file json.RawMessage, fitting bool) (
	sheet json.RawMessage, partial bool, err error,
) {
	var members map[string]json.RawMessage
	if json.Unmarshal(file, &members) != nil {
		return nil, false, refusal.Invalid("file.sheet", form.Type, func(p *form.Problem) {
			p.Given, p.Allowed = "…", []string{string(form.KindGroup)}
		})
	}
	if len(members) > maxMembers {
		return nil, false, refusal.Invalid("file.sheet", form.TooMany, func(p *form.Problem) {
			p.Given, p.Max = strconv.Itoa(len(members)), maxMembers
		})
	}
	blank, err := jsonMembers(kind.Blank)
	if err != nil {
		return nil, false, err
	}
	reserved := reservedFrom(e, kind)
	maps.DeleteFunc(members, func(name string, is json.RawMessage) bool { return sameJSON(is, blank[name]) })
	fits := func(members map[string]json.RawMessage) error {
		_, err := patchSheet(e, kind, kind.Blank, state.JSON(members), reserved)
		return err
	}
	if fits(members) == nil {
		return state.JSON(members), false, nil
	}
	var problems form.Problems
	var refused error
	good, waiting := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		err := fits(map[string]json.RawMessage{name: members[name]})
		found, some := errors.AsType[form.Problems](err)
		switch {
		case err == nil:
			good[name] = members[name]
		case some: // a secret member is one that there isn't
			problems = append(problems, found...)
		case slices.Contains(reserved, form.NameOf(kind.Form.Fields, name)):
			problems = append(problems, form.Problem{Path: name, Code: form.Reserved})
		default: // a rule may allow it together with another
			waiting[name], refused = members[name], err
		}
	}
	if addTogether(good, waiting, fits); len(waiting) == 0 {
		refused = nil
	}
	if !fitting && problems != nil {
		return nil, false, refusal.Within("file.sheet", problems)
	}
	if !fitting && refused != nil {
		return nil, false, refusal.Within("file.sheet", withLabel(e, refused))
	}
	return state.JSON(good), true, refusal.Within("file.sheet", withLabel(e, fits(good)))
}

// addTogether moves members from waiting to good that fit there, one by one or two at once, such as
// armour and the saves that it hampers.
func addTogether(good, waiting map[string]json.RawMessage, fits func(map[string]json.RawMessage) error) {
	for _, one := range slices.Sorted(maps.Keys(waiting)) {
		for _, other := range slices.Sorted(maps.Keys(waiting)) { // also one alone
			if waiting[one] == nil || waiting[other] == nil || other < one {
				continue
			}
			trial := maps.Clone(good)
			trial[one], trial[other] = waiting[one], waiting[other]
			if fits(trial) == nil {
				maps.Copy(good, trial)
				delete(waiting, one)
				delete(waiting, other)
			}
		}
	}
}

// sameJSON compares two values, however they are written.
func sameJSON(a, b json.RawMessage) bool {
	var one, other any
	return json.Unmarshal(a, &one) == nil && json.Unmarshal(b, &other) == nil && reflect.DeepEqual(one, other)
}

// ExportCharacter makes a file of a character that the seat plays, without its portrait's bytes: those have the
// hash. Of the sheet it holds what the seat sees.
func ExportCharacter(e *visibility.Eye, id string) (file view.CharacterFile, portrait string, err error) {
	c, err := ownCharacter(e, "character", id)
	if err != nil {
		return file, "", err
	}
	kind, _ := e.Table.Game.Kind(c.Kind)
	file = view.CharacterFile{
		Format: view.CharacterFormat, Version: view.CharacterVersion,
		Game: e.Table.Game.ID, Edition: e.Table.Edition, Kind: kind.ID, Name: c.Name, Seen: string(game.Master),
	}
	seen := state.Members(e.Sheet(c))
	if !e.Viewer.IsGM() {
		file.Seen = string(game.Player)
		for _, name := range kind.Secrets() {
			delete(seen, name)
		}
	}
	sheet := map[string]any{}
	for _, f := range kind.Form.Fields {
		if value, there := seen[f.Name]; there {
			sheet[f.Name] = value
		}
	}
	dropRefs(kind.Form.Fields, sheet)
	file.Sheet = state.JSON(sheet)
	return file, c.Portrait, nil
}

// dropRefs takes references to other characters out of a sheet: elsewhere the same id is somebody else's.
func dropRefs(fields []form.Field, sheet map[string]any) {
	for _, f := range fields {
		switch value := sheet[f.Name].(type) {
		case map[string]any:
			dropRefs(f.Fields, value)
		case []any:
			for _, item := range value {
				if item, ok := item.(map[string]any); ok && f.Kind == form.KindList {
					dropRefs(f.Fields, item)
				}
			}
		}
		if f.Kind.IsRef() {
			delete(sheet, f.Name)
		}
	}
}
