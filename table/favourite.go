package table

import (
	"context"
	"slices"
)

// moveStarred makes a move one of a character's favourites, or no more.
type moveStarred struct {
	Character string `json:"character"`
	Move      string `json:"move"`
	On        bool   `json:"on"`
}

func (moveStarred) Type() string { return "table.move-starred" }

// Star makes a move one of a character's favourites, or with on false no more.
// Who plays the character may; only they and GMs see it. The error is an
// *InvalidError.
func (s *Seat) Star(ctx context.Context, character, move string, on bool, key string) (Entry, error) {
	return s.entry(ctx, key, "star", []any{character, move, on}, func(e eye) (draft, error) {
		return e.acts(KindStar, moveStarred{Character: character, Move: move, On: on})
	})
}

func (ev moveStarred) judge(p *proposal) error {
	if err := p.rules(func() error { return p.mayStar(ev) }); err != nil {
		return err
	}
	_, err := p.own("character", ev.Character)
	return err
}

func (p *proposal) mayStar(ev moveStarred) error {
	def, err := p.mayMake(ev.Move, ev.Character)
	if err == nil && ev.Character == "" {
		err = noChoice("character", ev.Character, p.actors(def))
	}
	return err
}

func (ev moveStarred) fold(st *state, _ *record) {
	c := st.change(ev.Character)
	if c == nil {
		return
	}
	c.starred = slices.DeleteFunc(slices.Clone(c.starred), func(id string) bool { return id == ev.Move })
	if ev.On {
		c.starred = append(c.starred, ev.Move)
	}
}

// lines tell of a favourite to those who see it.
func (ev moveStarred) lines(e eye) []Line {
	if !e.sees(ev.Character) || !e.plays(ev.Character) {
		return nil
	}
	word := "move-unstarred"
	if ev.On {
		word = "move-starred"
	}
	return e.line(ev, word, data{"Name": e.name(ev.Character), "Move": e.word("move", ev.Move)},
		data{"character": ev.Character, "move": ev.Move, "on": ev.On})
}
