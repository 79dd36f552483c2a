package act

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/internal/rows"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// listSet adds a list of the table's own, or changes one. Its rows are attachments.
type listSet struct {
	byMasters
	state.List
	Was  *state.List `json:"was,omitempty"`  // nil for a new one
	Left []string    `json:"left,omitempty"` // heads of columns that weren't taken
	// the text above the heads, which wasn't taken as a row
	Title string `json:"title,omitempty"`
}

// listRemoved removes a list.
type listRemoved struct {
	byMasters
	state.List
}

func (listSet) Type() string { return "table.list-set" }

func (listRemoved) Type() string { return "table.list-removed" }

func (ev listSet) before() audible {
	if ev.Was == nil {
		return nil
	}
	return ev.Was
}

func (ev listRemoved) checkRoom(p *Proposal) error {
	return roomFor("lists", len(p.Table.Lists), request.MaxLists)
}

// ListRequest asks for a list with these values. Without an id it's a new one. Without rows a list
// keeps those that it has, and what they are for. To lists the seats that see it in addition to game
// masters, none for all; with Hidden and no To only game masters see it.
type ListRequest struct {
	ID      string          `json:"id" form:"text"`
	Name    string          `json:"name" form:"text,required,max=80"`
	Kind    string          `json:"kind" form:"text" doc:"kind of character that takes rows, by its id; none: the list is only read"`
	Field   string          `json:"field" form:"text" doc:"list of a sheet that a row is added to; none: each row is a character"`
	Heads   string          `json:"heads" form:"choice=|yes|no" doc:"whether the first row names the columns; norn finds out unless it's given"`
	Sheet   string          `json:"sheet" form:"text" doc:"name of a sheet of a workbook, or of a list of a compendium; the first with rows unless given"`
	Fitting bool            `json:"fitting" doc:"take the rows that fit, and leave out the others"`
	Hidden  bool            `json:"hidden" doc:"without seats in to: only game masters see it"`
	To      []string        `json:"-" part:"to"`
	Columns []string        `json:"-" part:"columns"`
	Rows    json.RawMessage `json:"-" part:"rows"`
	File    []byte          `json:"-"` // instead of Rows, as a page sends it
	Guess   bool            `json:"-"` // Kind and Field are nobody's choice yet: a pack says what its rows are for

	kept *KeptRows // once they're read and attached
}

// WithRows returns the request with rows that were read.
func (r ListRequest) WithRows(kept KeptRows) ListRequest {
	r.kept = &kept
	return r
}

// Brings reports whether the request has rows.
func (r ListRequest) Brings() bool { return len(r.Rows) > 0 || len(r.File) > 0 }

// SetList adds a list to the table, or changes one.
var SetList = Define(Spec[ListRequest, view.Entry]{
	Name: "set-list", Op: "list",
	Route: Route{
		Method: "POST", Path: "/lists", Tag: "characters", Body: "ListRequest", File: true,
		Parts: map[string]Part{
			"to": toSeats["to"],
			"columns": {Schema: map[string]any{
				"type": "array", "items": map[string]any{"type": "string"}, "default": []any{},
				"description": "where each column goes, in their order: the path of a field of the list’s items, _name for the name of a " +
					"character, or none to leave it out; matched by their heads unless given",
			}},
			"rows": {Schema: map[string]any{
				"description": "a text in CSV, TSV, JSON or Markdown, rows in JSON themselves, an XLSX workbook as a data " +
					"URL (data:;base64,…), or a compendium of Foundry in JSON, one document a line, or as a data URL of a .zip: up to 5,000 rows and 4,194,304 characters",
			}},
		},
		Summary: "Add a list of the table's own, or change one",
		Text: "Only a game master may: a list of gear, gifts, spells, foes or what else. Characters of a kind take rows with pick-from-list; " +
			"what doesn't fit is listed in problems, by row and field, and nothing is taken, unless fitting says to take the rest. " +
			"Columns that weren't taken are in left, in the data of the answer's last line, a text above the heads is in title, in that of one before. " +
			"All see the list, some seats, or game masters alone. With the id of a list it becomes that one. It can be undone.",
		Example: map[string]any{"name": "Curios", "rows": "Name\nA bone key", "key": "1157"},
	},
	Key: func(r ListRequest) any {
		return []any{
			r.ID, r.Name, r.Kind, r.Field, r.Heads, r.Sheet, r.Fitting, r.Hidden, r.To, r.Columns,
			HashOf(slices.Concat(r.Rows, r.File)),
		}
	},
	Build: func(c Call, r ListRequest) (ledger.Draft, error) {
		ev, err := listOf(c.Eye, r)
		if err != nil {
			return ledger.Draft{}, err
		}
		return draft(c.Eye, view.KindList, ev)
	},
})

// listOf returns the event of a request.
func listOf(e *visibility.Eye, r ListRequest) (listSet, error) {
	if err := requireGM(e); err != nil {
		return listSet{}, err
	}
	ev := listSet{
		List: state.List{ID: r.ID, Name: checkThingName.keep(r.Name), Kind: r.Kind, Field: r.Field},
		Was:  e.Table.Lists.Find(r.ID),
	}
	var heard state.Audience
	if was := ev.Was; was != nil {
		heard = was.Audience
		if r.kept == nil {
			ev.Kind, ev.Field, ev.Hash, ev.More, ev.Rows, ev.Heads = was.Kind, was.Field, was.Hash, was.More, was.Rows, was.Heads
		}
	} else if r.ID == "" {
		ev.ID = nextList(e.Table.State)
		if r.kept == nil {
			return listSet{}, refusal.Invalid("rows", form.Missing)
		}
	}
	ev.Audience = audienceOf(e.Table.State, r.To, r.Hidden, heard)
	if r.kept != nil {
		hashes := game.Each(r.kept.Parts, func(p KeptPart) string { return p.Hash })
		ev.Hash, ev.More = hashes[0], slices.Clip(hashes[1:])
		ev.Rows, ev.Heads, ev.Left = r.kept.Rows, r.kept.Heads, r.kept.Left
		ev.Title = r.kept.Title
	}
	return ev, nil
}

// CheckList refuses a list whose rows aren't attached yet, so that nothing is attached in vain.
func CheckList(e *visibility.Eye, r ListRequest) error {
	ev, err := listOf(e, r)
	if err != nil {
		return err
	}
	p := &Proposal{Eye: e}
	if err := ev.check(p); err != nil || r.kept == nil {
		return err
	}
	return roomForParts(p, r.kept.Parts)
}

// ListNamed names a list by its id.
type ListNamed struct {
	List string `json:"-" address:"list"`
}

// RemoveList removes a list from the table.
var RemoveList = Define(Spec[ListNamed, view.Entry]{
	Name: "remove-list", Op: "unlist",
	Route: Route{
		Method: "POST", Path: "/lists/{list}/remove", Tag: "characters", Body: keyOnly, Missing: "list",
		Summary: "Remove a list of the table's own",
		Text:    "Only a game master may. What was taken from it stays on the sheets. It can be undone.",
		Example: map[string]any{"key": "1158"},
	},
	Key: func(r ListNamed) any { return r.List },
	Build: func(c Call, r ListNamed) (ledger.Draft, error) {
		if err := requireGM(c.Eye); err != nil {
			return ledger.Draft{}, err
		}
		ev := listRemoved{List: state.List{ID: r.List}}
		if was := c.Table.Lists.Find(r.List); was != nil {
			ev.List = *was
		}
		return draft(c.Eye, view.KindList, ev)
	},
})

// CheckRoomForList refuses a list if the table has no room for it: one with an id is there already.
func CheckRoomForList(e *visibility.Eye, id string) error {
	if err := requireGM(e); err != nil || id != "" {
		return err
	}
	return roomFor("lists", len(e.Table.Lists), request.MaxLists)
}

// nextList returns the id of a list that the next entry adds.
func nextList(st *state.State) string { return "l" + strconv.FormatUint(st.Seq+1, 10) }

func (ev listSet) judge(p *Proposal) error {
	if err := ev.check(p); err != nil {
		return err
	}
	if !ev.hasRows(p) || len(ev.Heads) > rows.MaxColumns || len(ev.Left) > rows.MaxColumns {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": ev.ID})
	}
	for _, head := range slices.Concat(slices.Collect(maps.Keys(ev.Heads)), slices.Collect(maps.Values(ev.Heads)), ev.Left,
		[]string{ev.Title}) {
		if err := checkHead.hold(head); err != nil {
			return err
		}
	}
	return nil
}

// hasRows reports whether the list's rows are attached, as many as it says.
func (ev listSet) hasRows(p *Proposal) bool {
	if len(ev.More) >= maxParts {
		return false
	}
	first, _ := p.Attachment(view.UseList, ev.Hash)
	count := 0
	for _, hash := range ev.Parts() {
		kept, ok := p.Attachment(view.UseList, hash)
		if !ok || kept.Width != first.Width {
			return false
		}
		count += kept.Height
	}
	return count == ev.Rows && count <= rows.MaxRows
}

// checkHead checks a head of a column, and the path of a field.
var checkHead = checking("head", func(sent struct {
	Head string `json:"head" form:"prose,max=200"`
},
) string {
	return sent.Head
})

// check refuses a list for all but its rows.
func (ev listSet) check(p *Proposal) error {
	now := p.Table.Lists.Find(ev.ID)
	full := roomFor("lists", len(p.Table.Lists), request.MaxLists)
	err := checkSet(ev.ID, nextList(p.Table.State), ev.Was, now, full)
	if err := cmp.Or(err, checkThingName.hold(ev.Name), checkAudience(p, ev.ID, ev.Audience)); err != nil {
		return err
	}
	if now != nil && now.Kind == ev.Kind && now.Field == ev.Field {
		return nil // a newer text of the game may not have it any more
	}
	return p.Rules(func() error {
		_, err := listColumns(p.Table.Game, ev.Kind, ev.Field)
		return err
	})
}

func (ev listRemoved) judge(p *Proposal) error {
	return checkNow("list", ev.ID, ev.List, p.Table.Lists.Find(ev.ID))
}

func (ev listSet) Fold(st *state.State, r *state.Record) { st.SetList(r, ev.ID, &ev.List) }

func (ev listRemoved) Fold(st *state.State, r *state.Record) { st.SetList(r, ev.ID, nil) }

func (ev listSet) Lines(e *visibility.Eye) []view.Line {
	lines := linesOfSet(e, ev, "list", func(word string) []view.Line { return listLine(e, ev, word, ev.List) })
	if ev.Title != "" && e.Viewer.IsGM() {
		lines = append(lines, e.Line(ev, "list-title", view.Data{"Text": ev.Title}, view.Data{"title": ev.Title})...)
	}
	if len(ev.Left) > 0 && e.Viewer.IsGM() {
		lines = append(lines, e.Line(ev, "list-left", view.Data{"Names": strings.Join(ev.Left, ", ")}, view.Data{"left": ev.Left})...)
	}
	return lines
}

func (ev listRemoved) Lines(e *visibility.Eye) []view.Line {
	return listLine(e, ev, "list-removed", ev.List)
}

// listLine shows an event of a list to a seat that sees it.
func listLine(e *visibility.Eye, ev audibleAct, word string, l state.List) []view.Line {
	return thingLine(e, ev, word, view.Data{"N": l.Rows}, view.Data{"rows": l.Rows})
}

// SeenList returns a list that the seat sees, or refuses it as one that there isn't.
func SeenList(e *visibility.Eye, id string) (state.List, error) {
	l := e.Table.Lists.Find(id)
	if l == nil || !e.Hears(l.Audience) {
		return state.List{}, refusal.NoChoice("list", id, nil)
	}
	return *l, nil
}
