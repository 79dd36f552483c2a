package act

import (
	"slices"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// moveStarred makes a move one of a character's favourites, or no more.
type moveStarred struct {
	Character string `json:"character"`
	Move      string `json:"move"`
	On        bool   `json:"on"`
}

func (moveStarred) Type() string { return "table.move-starred" }

// SetFavourite builds a favourite, or the end of one.
func SetFavourite(e visibility.Eye, character, move string, on bool) (ledger.Draft, error) {
	return draft(e, view.KindStar, moveStarred{Character: character, Move: move, On: on})
}

func (ev moveStarred) judge(p *Proposal) error {
	if err := p.Rules(func() error { return p.mayStar(ev) }); err != nil {
		return err
	}
	_, err := ownCharacter(p.Eye, "character", ev.Character)
	return err
}

func (p *Proposal) mayStar(ev moveStarred) error {
	def, err := MayMake(p.Eye, ev.Move, ev.Character)
	if err == nil && ev.Character == "" {
		err = refusal.NoChoice("character", ev.Character, ActorsOf(p.Eye, def))
	}
	return err
}

func (ev moveStarred) Fold(st *state.State, _ *state.Record) {
	c := st.Alter(ev.Character)
	if c == nil {
		return
	}
	c.Starred = slices.DeleteFunc(slices.Clone(c.Starred), func(id string) bool { return id == ev.Move })
	if ev.On {
		c.Starred = append(c.Starred, ev.Move)
	}
}

// Lines tell of a favourite to those who see it.
func (ev moveStarred) Lines(e visibility.Eye) []view.Line {
	if !e.Sees(ev.Character) || !e.Plays(ev.Character) {
		return nil
	}
	word := "move-unstarred"
	if ev.On {
		word = "move-starred"
	}
	return e.Line(ev, word, view.Data{"Name": e.Name(ev.Character), "Move": e.Word("move", ev.Move)},
		view.Data{"character": ev.Character, "move": ev.Move, "on": ev.On})
}
