package act

import (
	"encoding/json"
	"slices"

	"norn/game"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
)

// What a sheet may be, whoever changes it.

// large is how many bytes a sheet may have whatever the others have.
const large = 8 << 10

// checkForm holds a stored sheet to what its form allows, so that no number in it
// is larger than a page can draw.
func checkForm(e visibility.Eye, kind game.Kind, sheet json.RawMessage) error {
	_, err := kind.Patch(kind.Blank, sheet)
	return refusal.Within("sheet", err)
}

// checkLocked refuses a change of members that must stay.
func checkLocked(e visibility.Eye, before, after any, locked []string) error {
	if len(locked) == 0 {
		return nil
	}
	for _, name := range state.Differing(before, after) {
		if slices.Contains(locked, name) {
			return refusal.Within("sheet", withLabel(e, &game.Refusal{Word: "table.refusal.locked", Data: map[string]any{"Field": name}}))
		}
	}
	return nil
}

// fits refuses a character's sheet that is too large, by itself or with all others at the table; id is "" for a new one's, n its
// bytes as it's stored.
func (p *Proposal) fits(id string, sheet any, n int) error {
	if p.old() {
		return nil
	}
	all := n
	if id != "" {
		all = weightOf(p.Eye, id, sheet)
	}
	if all > request.MaxSheet {
		return &refusal.TooManyError{What: "bytes", Max: request.MaxSheet}
	}
	if all <= large {
		return nil
	}
	for _, c := range p.Table.Characters.Here() {
		if c.ID != id && p.SeesCharacter(c) {
			all += weightOf(p.Eye, c.ID, c.Sheet)
		}
	}
	if all > request.MaxSheets {
		return &refusal.TooManyError{What: "sheet-bytes", Max: request.MaxSheets}
	}
	return nil
}

// weightOf is how many bytes of a sheet the seat sees, as it's stored. What is hidden weighs nothing for who mustn't see it,
// and so can't be measured by what else there is room for; a GM, who sees all, is held to all.
func weightOf(e visibility.Eye, id string, sheet any) int {
	if e.Viewer.IsGM() {
		return len(state.JSON(sheet))
	}
	n := len("{}")
	shown := state.Members(e.Shown(id, sheet))
	for name := range state.Members(sheet) {
		if value, there := shown[name]; there {
			n += len(`"":,`) + len(name) + len(state.JSON(value))
		}
	}
	return n
}

// people are how many characters at the table the seat sees: who else is there takes nobody's room.
func people(e visibility.Eye) (n int) {
	for _, c := range e.Table.Characters.Here() {
		if e.SeesCharacter(c) {
			n++
		}
	}
	return n
}

// withLabel words the field in a refusal of a locked one.
func withLabel(e visibility.Eye, err error) error {
	r, ok := game.AsRefusal(err)
	if !ok {
		return err
	}
	if name, ok := r.Data["Field"].(string); ok && r.Word == "table.refusal.locked" {
		return &game.Refusal{Word: r.Word, Data: map[string]any{"Field": game.Word(e.Table.Game.Word("field", name))}}
	}
	return err
}
