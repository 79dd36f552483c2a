package act

import (
	"cmp"
	"slices"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// moveShown reveals a finished secret move to everybody.
type moveShown struct {
	byMasters
	Move string `json:"move"`
}

func (moveShown) Type() string { return "table.move-shown" }

func (ev moveShown) Subject(ledger.Ledger) (move string, secret bool) { return ev.Move, false }

// MoveNamed names a move in an operation's address.
type MoveNamed struct {
	Move string `json:"-" address:"mid"`
}

// ShowMove reveals a finished secret move to everybody at the table.
var ShowMove = Define(Spec[MoveNamed, view.Entry]{
	Name: "show-move", Op: "show",
	Route: Route{
		Method: "POST", Path: "/moves/{mid}/show", Missing: "move", Tag: "moves", Body: keyOnly,
		Summary: "Show a secret move to everybody",
		Text:    "A move that a game master made in secret, once it has ended. From then on everybody's log has all of it.",
		Example: map[string]any{"key": "51c9"},
	},
	Key: func(r MoveNamed) any { return r.Move },
	Build: func(c Call, r MoveNamed) (ledger.Draft, error) {
		return draft(c.Eye, view.KindShown, moveShown{Move: r.Move})
	},
})

func (ev moveShown) judge(p *Proposal) error {
	m := p.Table.Move(ev.Move)
	if m == nil || !p.Table.SecretMove(m) {
		return refusal.NoChoice("move", ev.Move, nil)
	}
	if p.Table.OpenMoves.Of(ev.Move) != nil {
		return refusal.Refuse("still-open", nil)
	}
	in := slices.Clone(m.Cast)
	for _, r := range p.Table.RecordsOf(m) {
		for _, step := range r.Steps {
			in = append(in, m.Def.Joining(step)...)
		}
	}
	for _, id := range in {
		if isHidden(p.Table.State, id) {
			return refuseTelling(p.Name(id))
		}
	}
	return nil
}

// Find lists the move's counted records, so that their counts can be corrected.
func (ev moveShown) Find(b ledger.Ledger, r *state.Record) error {
	if m := b.Move(ev.Move); m != nil {
		r.Uncounted = b.CountedRecords(m)
	}
	return nil
}

func (ev moveShown) Fold(st *state.State, r *state.Record) {
	if len(r.Uncounted) > 0 {
		st.Tally(r.Uncounted[0].Of, -1, r.Uncounted...)
	}
	st.ShownMoves, st.Openly = state.Mark(st.ShownMoves, ev.Move, true), true
	st.Secrets = slices.DeleteFunc(slices.Clone(st.Secrets), func(seq uint64) bool {
		return state.MoveID(seq) == ev.Move
	})
	if len(r.Uncounted) > 0 {
		st.Tally(r.Uncounted[0].Of, 1, r.Uncounted...)
	}
}

func (ev moveShown) Lines(e *visibility.Eye) []view.Line {
	m := e.Table.Move(ev.Move)
	if m == nil {
		return nil
	}
	return e.Line(ev, "move-shown", view.Data{"Move": e.MoveText(m)}, view.Data{"move": ev.Move})
}

// A game master can prepare a hidden character. Everything that is done to it and with it is
// secret, and stays so. The entry that shows the character is the first that the table sees of it.

// characterShown reveals a hidden character.
type characterShown struct {
	byMasters
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Name string `json:"name"`
}

func (characterShown) Type() string { return "table.character-shown" }

// CharacterNamed names a character in an operation's address.
type CharacterNamed struct {
	Character string `json:"-" address:"cid"`
}

// ShowCharacter reveals a hidden character to everybody, from now on.
var ShowCharacter = Define(Spec[CharacterNamed, view.Entry]{
	Name: "show-character", Op: "show-character",
	Route: Route{
		Method: "POST", Path: "/characters/{cid}/show", Missing: "id", Tag: "characters", Body: keyOnly,
		Summary: "Show a hidden character to everybody",
		Text:    "From then on it's there for all, and so is what it does. What was done before stays with the game masters. Only a game master may.",
		Example: map[string]any{"key": "77d0"},
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
		return draft(c.Eye, view.KindCharacter, characterShown{ID: who.ID, Kind: who.Kind, Name: who.Name})
	},
})

func (ev characterShown) judge(p *Proposal) error {
	c, err := ownCharacter(p.Eye, "id", ev.ID)
	if err != nil {
		return err
	}
	if !c.Hidden {
		return refusal.Refuse("seen-already", view.Data{"Name": c.Name})
	}
	return cmp.Or(refusal.Same(ev.Kind, c.Kind), refusal.Same(ev.Name, c.Name))
}

func (ev characterShown) Fold(st *state.State, _ *state.Record) {
	if c := st.Alter(ev.ID); c != nil {
		c.Hidden = false
	}
}

func (ev characterShown) Lines(e *visibility.Eye) []view.Line {
	if !e.Sees(ev.ID) {
		return nil
	}
	return e.Line(ev, "character-added", view.Data{"Name": ev.Name, "Kind": e.Word("kind", ev.Kind)},
		view.Data{"id": ev.ID, "name": ev.Name, "kind": ev.Kind})
}

// isHidden reports whether a character is hidden.
func isHidden(st *state.State, id string) bool {
	c := st.Characters.Of(id)
	return c != nil && c.Hidden
}

// refuseTelling refuses an act that would reveal a hidden character to players.
func refuseTelling(name string) error { return refusal.Refuse("unseen", view.Data{"Name": name}) }

// refuseHidden refuses a character that is hidden.
func refuseHidden(c *state.Character) error {
	if c.Hidden {
		return refuseTelling(c.Name)
	}
	return nil
}
