package table

import (
	"cmp"
	"encoding/json"
	"slices"

	"norn/form"
	"norn/rule"
)

// characterChanged holds the new whole of what has changed and nothing of what
// hasn't.
type characterChanged struct {
	ID      string          `json:"id"`
	Kind    string          `json:"kind"`
	Was     string          `json:"was"` // its name before
	Name    *string         `json:"name,omitempty"`
	Owner   *string         `json:"owner,omitempty"`
	Sheet   json.RawMessage `json:"sheet,omitempty"`
	Changed []string        `json:"changed,omitempty"` // members of the sheet
	Edits   []edit          `json:"edits,omitempty"`   // its values one by one, unless they are many
	sheet   any
}

func (characterChanged) Type() string { return "table.character-changed" }

func (ev characterChanged) restore(st *state) (rule.Event, error) {
	if ev.Sheet == nil {
		return ev, nil
	}
	var err error
	ev.sheet, err = st.restoreSheet(ev.Kind, ev.Sheet)
	return ev, err
}

func changeCharacter(e eye, c Change) (draft, error) {
	old, err := own(e, "id", c.ID)
	if err != nil {
		return draft{}, err
	}
	event := characterChanged{ID: old.id, Kind: old.kind, Was: old.name, Owner: c.Owner}
	if c.Name != nil {
		name := checkName.kept(*c.Name)
		event.Name = &name
	}
	var yields []*move
	if c.Sheet != nil || c.Values != nil || c.Put != nil {
		if e, yields, err = freedFor(e, old.id); err != nil {
			return draft{}, err
		}
		if err := changeSheet(e, e.st.characters.of(old.id), c, &event); err != nil {
			return draft{}, err
		}
	}
	d, err := draftActs(e, KindCharacter, event)
	d.body.Yields = names(yields)
	return d, err
}

// changeSheet puts the new sheet into the event.
func changeSheet(e eye, old *character, c Change, event *characterChanged) error {
	kind, _ := e.st.game.Kind(old.kind)
	var (
		sheet  any
		err    error
		locked = e.locked(old)
	)
	switch {
	case c.Put != nil:
		if c.Sheet, err = patchOf(*c.Put, kind.Form, old.sheet); err == nil {
			sheet, err = kind.Patch(old.sheet, c.Sheet, locked...)
		}
	case c.Values != nil:
		sheet, err = kind.Values(old.sheet, kind.Form.Without(known(kind.Form, locked)...), c.Values)
	default:
		sheet, err = kind.Patch(old.sheet, c.Sheet, locked...)
	}
	if err != nil {
		return within("sheet", labelled(e, err))
	}
	if event.Sheet, err = json.Marshal(sheet); err != nil {
		return err
	}
	event.sheet, event.Changed, event.Edits = sheet, changed(old.sheet, sheet), edits(kind.Form, old.sheet, sheet)
	return nil
}

func (ev characterChanged) judge(p *proposal) error {
	old, err := own(p.eye, "id", ev.ID)
	if err != nil {
		return err
	}
	if ev.Name == nil && ev.Owner == nil && ev.Sheet == nil {
		return invalid("sheet", form.Missing)
	}
	if err := same(ev.Was, old.name); err != nil {
		return err
	}
	if ev.Name != nil {
		if err := checkName.hold(*ev.Name); err != nil {
			return err
		}
	}
	if ev.Owner != nil {
		if err := cmp.Or(byGM(p.eye), mayOwn(p.eye, *ev.Owner)); err != nil {
			return err
		}
	}
	if ev.Sheet == nil {
		return nil
	}
	return p.changesSheet(old, ev)
}

func (p *proposal) changesSheet(old *character, ev characterChanged) error {
	if err := same(ev.Kind, old.kind); err != nil {
		return err
	}
	if err := isFree(p.eye, old.id); err != nil {
		return err
	}
	kind, _ := p.st.game.Kind(old.kind)
	if err := drawable(p.eye, kind, ev.Sheet); err != nil {
		return err
	}
	err := p.rules(func() error {
		if err := untouched(p.eye, old.sheet, ev.sheet, p.locked(old)); err != nil {
			return err
		}
		if err := sameNames(ev.Changed, changed(old.sheet, ev.sheet)); err != nil || ev.Edits == nil { // older entries have none
			return err
		}
		return same(string(encoded(ev.Edits)), string(encoded(edits(kind.Form, old.sheet, ev.sheet))))
	})
	if err != nil {
		return err
	}
	return p.fits(old.id, ev.sheet, 0)
}

func (ev characterChanged) fold(st *state, r *record) {
	if st.characters.of(ev.ID) == nil {
		return
	}
	if ev.Name != nil {
		st.touch(r, ev.ID, ofName).name = *ev.Name
	}
	if ev.Owner != nil {
		st.touch(r, ev.ID, ofOwner).owner = *ev.Owner
	}
	if ev.Sheet != nil {
		st.touch(r, ev.ID, ofSheet).sheet = ev.sheet
	}
}

func (ev characterChanged) touches() ([]string, facet) {
	var by facet
	if ev.Sheet != nil {
		by |= ofSheet
	}
	if ev.Name != nil {
		by |= ofName
	}
	if ev.Owner != nil {
		by |= ofOwner
	}
	if by == 0 {
		return nil, 0
	}
	return []string{ev.ID}, by
}

// lines tell what was changed of a character, and of its sheet the
// values of those members that the seat sees whole.
func (ev characterChanged) lines(e eye) []Line {
	if !e.sees(ev.ID) {
		return nil
	}
	var lines []Line
	now := ev.Was
	if ev.Name != nil {
		now = *ev.Name
		lines = append(lines, e.line(ev, "renamed", data{"Was": ev.Was, "Name": now}, data{"id": ev.ID, "was": ev.Was, "name": now})...)
	}
	if ev.Owner != nil {
		id, words := "no-owner", data{"Name": now}
		if owner := e.st.seats.of(*ev.Owner); owner != nil {
			id, words["Seat"] = "owner", owner.name
		}
		lines = append(lines, e.line(ev, id, words, data{"id": ev.ID, "owner": *ev.Owner})...)
	}
	locked := e.locked(e.st.characters.of(ev.ID))
	if ev.sheet != nil && !e.viewer.IsGM() { // what is seen of the sheet may depend on what stood there then
		locked = e.unseen(locked, ev.sheet, e.st.game.View.ShowSheet(e.viewer, e.st.settings, ev.ID, ev.sheet))
	}
	var changed []string
	for _, name := range ev.Changed {
		if e.viewer.IsGM() || !slices.Contains(locked, name) {
			changed = append(changed, name)
		}
	}
	kind, _ := e.st.game.Kind(ev.Kind)
	seen := locked
	if e.viewer.IsGM() {
		seen = nil
	}
	edits := editsShown(e, kind.Form, ev.Edits, seen)
	switch {
	case len(edits) > 0:
		lines = append(lines, e.line(ev, "sheet-edited", data{"Name": now, "Edits": oneLine(edits)},
			data{"id": ev.ID, "changed": changed, "edits": edits})...)
	case len(changed) > 0:
		lines = append(lines, e.line(ev, "sheet-changed", data{"Name": now, "Fields": e.labels("field", changed)},
			data{"id": ev.ID, "changed": changed})...)
	case len(lines) == 0 && e.viewer.IsGM():
		lines = e.line(ev, "sheet-same", data{"Name": now}, data{"id": ev.ID, "changed": []string{}})
	}
	return lines
}
