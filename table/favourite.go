package table

import (
	"slices"
)

// moveStarred makes a move one of a character's favourites, or no more.
type moveStarred struct {
	Character string `json:"character"`
	Move      string `json:"move"`
	On        bool   `json:"on"`
}

func (moveStarred) Type() string { return "table.move-starred" }

func star(e eye, character, move string, on bool) (draft, error) {
	return draftActs(e, KindStar, moveStarred{Character: character, Move: move, On: on})
}

func (ev moveStarred) judge(p *proposal) error {
	if err := p.rules(func() error { return p.mayStar(ev) }); err != nil {
		return err
	}
	_, err := own(p.eye, "character", ev.Character)
	return err
}

func (p *proposal) mayStar(ev moveStarred) error {
	def, err := mayMake(p.eye, ev.Move, ev.Character)
	if err == nil && ev.Character == "" {
		err = noChoice("character", ev.Character, actorsOf(p.eye, def))
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
