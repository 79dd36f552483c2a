package table

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"norn/form"
	"norn/game"
)

// AddCharacter adds a character. A GM may add any kind for any seat; a player a
// kind that players have, for themselves. Errors are *InvalidError, *RefusedError
// and *TooManyError.
func (s *Seat) AddCharacter(ctx context.Context, n NewCharacter) (Entry, error) {
	key := n.Key
	n.Key = ""
	return s.entry(ctx, key, "character", n, func(e eye) (draft, error) {
		if e.seat.role == game.Spectator {
			return draft{}, &ForbiddenError{}
		}
		n, err := e.ready(n)
		if err != nil {
			return draft{}, err
		}
		name, err := checkName(n.Name)
		if err != nil {
			return draft{}, err
		}
		if n.Kind == "" {
			return draft{}, invalid("kind", form.Missing)
		}
		kind, err := e.kind(n.Kind)
		if err != nil {
			return draft{}, err
		}
		owner := n.Owner
		if !e.viewer.IsGM() && owner == "" {
			owner = e.seat.id
		}
		if err := e.mayOwn(owner); err != nil {
			return draft{}, err
		}
		var sheet any
		reserved := e.reserved(kind)
		switch {
		case n.Values != nil:
			sheet, err = kind.Values(kind.Blank, kind.Form.Without(known(kind.Form, reserved)...), n.Values)
		case n.Sheet != nil:
			sheet, err = kind.Patch(kind.Blank, n.Sheet, reserved...)
		default:
			sheet, err = kind.Patch(kind.Blank, []byte("{}"))
		}
		if err != nil {
			return draft{}, within("sheet", e.labelled(err))
		}
		if e.people() >= MaxCharacters {
			return draft{}, &TooManyError{What: "characters", Max: MaxCharacters}
		}
		data, err := e.written("", sheet)
		if err != nil {
			return draft{}, err
		}
		return own(KindCharacter, characterAdded{ID: e.st.nextCharacter(), Kind: kind.ID, Name: name, Owner: owner, Sheet: data})
	})
}

// kind is a kind of sheet that the seat may add.
func (e eye) kind(id string) (game.Kind, error) {
	var allowed []string
	for _, k := range e.st.game.Kinds {
		if e.viewer.IsGM() || k.Player {
			allowed = append(allowed, k.ID)
		}
	}
	kind, ok := e.st.game.Kind(id)
	if ok && !slices.Contains(allowed, id) {
		return game.Kind{}, &ForbiddenError{}
	}
	if !ok {
		return game.Kind{}, noChoice("kind", id, allowed)
	}
	return kind, nil
}

// reserved are the members of a new sheet that the seat can't set.
func (e eye) reserved(kind game.Kind) []string {
	if e.viewer.IsGM() {
		return nil
	}
	return kind.Reserved
}

// mayOwn tells whether the seat may give a character to a seat; "" is nobody.
func (e eye) mayOwn(owner string) error {
	if !e.viewer.IsGM() {
		if owner != e.seat.id {
			return &ForbiddenError{}
		}
		return nil
	}
	allowed := []string{""}
	for _, seat := range e.st.seated() {
		if seat.role != game.Spectator {
			allowed = append(allowed, seat.id)
		}
	}
	if !slices.Contains(allowed, owner) {
		return noChoice("owner", owner, allowed)
	}
	return nil
}

// own finds a character that the seat plays.
func (e eye) own(path, id string) (*character, error) {
	c := e.st.character(id)
	if c == nil || c.removed || !e.sees(id) {
		var allowed []string
		for _, c := range e.seen() {
			if e.plays(c.id) {
				allowed = append(allowed, c.id)
			}
		}
		return nil, noChoice(path, id, allowed)
	}
	if !e.plays(id) {
		return nil, &ForbiddenError{}
	}
	return c, nil
}

// free tells whether a character is in no open move.
func (e eye) free(id string) error {
	m := e.st.busy(id)
	if m == nil {
		return nil
	}
	return e.busy(id, m)
}

// ChangeCharacter changes a character's name, its player or its sheet. A GM
// may for any; a player for their own, but not who plays it, and of the sheet
// only what they see whole. A sheet can't be changed while its character is in
// an open move. Errors are *InvalidError, *RefusedError, *TooManyError and *BusyError.
func (s *Seat) ChangeCharacter(ctx context.Context, c Change) (Entry, error) {
	key := c.Key
	c.Key = ""
	return s.entry(ctx, key, "change", c, func(e eye) (draft, error) {
		old, err := e.own("id", c.ID)
		if err != nil {
			return draft{}, err
		}
		if c.Name == nil && c.Owner == nil && c.Sheet == nil && c.Values == nil && c.Put == nil {
			return draft{}, invalid("sheet", form.Missing)
		}
		event := characterChanged{ID: old.id, Kind: old.kind, Was: old.name}
		if c.Name != nil {
			name, err := checkName(*c.Name)
			if err != nil {
				return draft{}, err
			}
			event.Name = &name
		}
		if c.Owner != nil {
			if !e.viewer.IsGM() {
				return draft{}, &ForbiddenError{}
			}
			if err := e.mayOwn(*c.Owner); err != nil {
				return draft{}, err
			}
			event.Owner = c.Owner
		}
		var yields []*move
		if c.Sheet != nil || c.Values != nil || c.Put != nil {
			if e, yields, err = e.freed(old.id); err != nil {
				return draft{}, err
			}
			if err := e.changeSheet(e.st.character(old.id), c, &event); err != nil {
				return draft{}, err
			}
		}
		d, err := own(KindCharacter, event)
		d.body.Yields = names(yields)
		return d, err
	})
}

// changeSheet puts the new sheet into the event.
func (e eye) changeSheet(old *character, c Change, event *characterChanged) error {
	kind, _ := e.st.game.Kind(old.kind)
	var (
		sheet  any
		err    error
		locked = e.locked(old)
	)
	switch {
	case c.Put != nil:
		if c.Sheet, err = c.Put.patch(kind.Form, old.sheet); err == nil {
			sheet, err = kind.Patch(old.sheet, c.Sheet, locked...)
		}
	case c.Values != nil:
		sheet, err = kind.Values(old.sheet, kind.Form.Without(known(kind.Form, locked)...), c.Values)
	default:
		sheet, err = kind.Patch(old.sheet, c.Sheet, locked...)
	}
	if err != nil {
		return within("sheet", e.labelled(err))
	}
	if event.Sheet, err = e.written(old.id, sheet); err != nil {
		return err
	}
	event.Changed, event.Edits = changed(old.sheet, sheet), edits(kind.Form, old.sheet, sheet)
	return nil
}

// written is a character's sheet as its entry keeps it, "" for a new one's. The error is a *TooManyError for one that is
// too large, by itself or with all others at the table.
func (e eye) written(id string, sheet any) (json.RawMessage, error) {
	data, err := json.Marshal(sheet)
	if err != nil {
		return nil, err
	}
	all := len(data)
	if id != "" {
		all = e.weight(id, sheet)
	}
	if all > MaxSheet {
		return nil, &TooManyError{What: "bytes", Max: MaxSheet}
	}
	if all <= large {
		return data, nil
	}
	for _, c := range e.st.here() {
		if c.id != id && e.seesCharacter(c) {
			all += e.weight(c.id, c.sheet)
		}
	}
	if all > MaxSheets {
		return nil, &TooManyError{What: "sheet-bytes", Max: MaxSheets}
	}
	return data, nil
}

// weight is how many bytes of a sheet the seat sees, as it's stored. What is hidden weighs nothing for who mustn't see it,
// and so can't be measured by what else there is room for; a GM, who sees all, is held to all.
func (e eye) weight(id string, sheet any) int {
	if e.viewer.IsGM() {
		return len(encoded(sheet))
	}
	n := len("{}")
	shown := members(e.st.game.View.ShowSheet(e.viewer, e.st.settings, id, sheet))
	for name := range members(sheet) {
		if value, there := shown[name]; there {
			n += len(`"":,`) + len(name) + len(encoded(value))
		}
	}
	return n
}

// people are how many characters at the table the seat sees: who else is there takes nobody's room.
func (e eye) people() (n int) {
	for _, c := range e.st.here() {
		if e.seesCharacter(c) {
			n++
		}
	}
	return n
}

// labelled words the field in a refusal of a locked one.
func (e eye) labelled(err error) error {
	r, ok := game.AsRefusal(err)
	if !ok {
		return err
	}
	if name, ok := r.Data["Field"].(string); ok && r.Word == "table.refusal.locked" {
		return &game.Refusal{Word: r.Word, Data: map[string]any{"Field": game.Word(e.st.game.Word("field", name))}}
	}
	return err
}

// known are the names that the form has a field for.
func known(f *form.Form, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, ok := f.Field(name)
		return !ok
	})
}

// changed names the members in which two values differ, in alphabetical order.
func changed(before, after any) []string {
	was, is := members(before), members(after)
	all := map[string]bool{}
	for name := range was {
		all[name] = true
	}
	for name := range is {
		all[name] = true
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(name string) bool {
		return reflect.DeepEqual(bare(was[name]), bare(is[name]))
	})
}

// RemoveCharacter takes a character away; only a GM may. It can't be in an
// open move, and neither can who gets something back by it. Errors are *InvalidError, *RefusedError
// and *BusyError.
func (s *Seat) RemoveCharacter(ctx context.Context, id, key string) (Entry, error) {
	return s.entry(ctx, key, "remove", id, func(e eye) (draft, error) {
		if !e.viewer.IsGM() {
			return draft{}, &ForbiddenError{}
		}
		c, err := e.own("id", id)
		if err != nil {
			return draft{}, err
		}
		if err := e.free(id); err != nil {
			return draft{}, err
		}
		event := characterRemoved{ID: id, Name: c.name}
		for _, change := range e.st.frees(c) {
			if err := e.free(change.Whose()); err != nil {
				return draft{}, err
			}
			event.Frees = append(event.Frees, change.Whose())
		}
		return own(KindCharacter, event)
	})
}

// frees is what a character lets go of as it's taken away, on the sheets of those
// who are here.
func (st *state) frees(c *character) []game.Change {
	kind, _ := st.game.Kind(c.kind)
	if kind.Frees == nil {
		return nil
	}
	return slices.DeleteFunc(kind.Frees(c.sheet), func(change game.Change) bool {
		held := st.character(change.Whose())
		return held == nil || held.removed
	})
}

// Configure changes house rules and settings by a JSON merge patch; only a GM
// may. Open moves go on with those they began with. The error is *InvalidError.
func (s *Seat) Configure(ctx context.Context, settings json.RawMessage, key string) (Entry, error) {
	return s.entry(ctx, key, "settings", settings, func(e eye) (draft, error) {
		if !e.viewer.IsGM() {
			return draft{}, &ForbiddenError{}
		}
		after, err := e.st.game.Settings.Patch(e.st.settings, settings)
		if err != nil {
			return draft{}, within("settings", err)
		}
		data, err := json.Marshal(after)
		if err != nil {
			return draft{}, err
		}
		return own(KindSettings, settingsChanged{Settings: data, Changed: changed(e.st.settings, after)})
	})
}

// naming offers characters wherever a sheet names one; those that were removed
// too, for it may hold them still.
func (e eye) naming(f *form.Form) *form.Form {
	choices := form.Choices{}
	for path, field := range f.All() {
		if field.Kind != form.KindRef || field.Options != nil {
			continue
		}
		for _, c := range e.st.characters {
			if e.seesCharacter(c) {
				choices[path] = append(choices[path], form.Option{Value: c.id, Text: c.name})
			}
		}
	}
	return f.Offering(choices)
}

// SheetForm is the part of a character's sheet that the seat may change, as a
// form. Errors are as for ChangeCharacter.
func (s *Seat) SheetForm(ctx context.Context, id string) (SheetForm, error) {
	var shown SheetForm
	err := s.look(ctx, func(e eye) error {
		c, err := e.own("character", id)
		if err != nil {
			return err
		}
		kind, _ := e.st.game.Kind(c.kind)
		f := e.naming(kind.Form.Without(known(kind.Form, e.locked(c))...)).From(c.sheet)
		shown = SheetForm{Kind: kind.ID, Form: f, Values: f.Inputs(c.sheet), sheet: f.Fill(c.sheet)}
		return nil
	})
	return shown, err
}
