package act

import (
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// Who is prepared by a game master may come hidden. What is done to them, and with them, is secret then, and stays so: the table
// hears of them by the entry that shows them, and of what they do from there on.

// characterShown has everybody know of who was hidden.
type characterShown struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Name string `json:"name"`
}

func (characterShown) Type() string { return "table.character-shown" }

// ShowCharacter builds the showing of who is hidden.
func ShowCharacter(e visibility.Eye, id string) (ledger.Draft, error) {
	if err := byGM(e); err != nil {
		return ledger.Draft{}, err
	}
	c, err := own(e, "id", id)
	if err != nil {
		return ledger.Draft{}, err
	}
	return draft(e, view.KindCharacter, characterShown{ID: id, Kind: c.Kind, Name: c.Name})
}

func (ev characterShown) judge(p *Proposal) error {
	if err := byGM(p.Eye); err != nil {
		return err
	}
	c, err := own(p.Eye, "id", ev.ID)
	if err != nil {
		return err
	}
	if !c.Hidden {
		return refusal.Refuse("seen-already", view.Data{"Name": c.Name})
	}
	if err := refusal.Same(ev.Kind, c.Kind); err != nil {
		return err
	}
	return refusal.Same(ev.Name, c.Name)
}

func (ev characterShown) Fold(st *state.State, _ *state.Record) {
	if c := st.Alter(ev.ID); c != nil {
		c.Hidden = false
	}
}

func (ev characterShown) Lines(e visibility.Eye) []view.Line {
	if !e.Sees(ev.ID) {
		return nil
	}
	return e.Line(ev, "character-added", view.Data{"Name": ev.Name, "Kind": e.Word("kind", ev.Kind)}, view.Data{"id": ev.ID, "name": ev.Name, "kind": ev.Kind})
}

// isHidden tells whether a character is.
func isHidden(st *state.State, id string) bool {
	c := st.Characters.Of(id)
	return c != nil && c.Hidden
}

// unseen refuses what would tell players of who is hidden.
func unseen(name string) error { return refusal.Refuse("unseen", view.Data{"Name": name}) }

// open refuses a character that is hidden.
func open(c *state.Character) error {
	if c.Hidden {
		return unseen(c.Name)
	}
	return nil
}
