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
		def, err := e.mayMake(move, character)
		if err != nil {
			return draft{}, err
		}
		if character == "" {
			return draft{}, noChoice("character", character, e.actors(def))
		}
		return own(KindStar, moveStarred{Character: character, Move: def.ID, On: on})
	})
}

func (st *state) star(e moveStarred) {
	c := st.character(e.Character)
	if c == nil {
		return
	}
	c.starred = slices.DeleteFunc(slices.Clone(c.starred), func(id string) bool { return id == e.Move })
	if e.On {
		c.starred = append(c.starred, e.Move)
	}
}

// starLines tell of a favourite to those who see it.
func (e eye) starLines(ev moveStarred) []Line {
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
