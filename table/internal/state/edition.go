package state

import (
	"errors"
	"slices"

	"norn/game"
	"norn/lang"
)

// A table of a game that is a text is played by the text that stands at it. What the game's next
// text can't read was refused before it was taken, so what is folded is read by the one that is
// played, and moves by the one that made them.

// gameOf gives the game of an edition, nil where its text isn't to be had.
func (st *State) gameOf(edition string) *game.Game {
	if g := gameOfEdition(st.Older, edition); g != nil {
		return g
	}
	return st.Game.ForEdition(edition, st.Brought)
}

// gameOfEdition is a game among several by its edition, nil for none.
func gameOfEdition(games []*game.Game, edition string) *game.Game {
	return first(games, func(g *game.Game) bool { return g.EditionID() == edition })
}

// PlayedBy is the game of an edition that the table has been played by, and the present one where that isn't to be had.
func (st *State) PlayedBy(edition string) *game.Game {
	if g := gameOfEdition(st.Older, edition); g != nil && edition != st.Edition {
		return g
	}
	return st.Game
}

// BringText has a text stand at the table; it's the one that is played, or may be taken next.
func (st *State) BringText(source []byte) {
	st.Brought = source
	st.playEdition()
	if game.TextOf(source) == st.Game.EditionID() {
		st.Brought = nil // what a table is doesn't depend on who knew its text before
	}
}

// CheckEdition tells why the table can't be played by an edition of its text.
func (st *State) CheckEdition(edition string) error {
	g := st.gameOf(edition)
	if g == nil {
		return errors.New("its text doesn't stand at the table")
	}
	trial := *st
	return trial.rereadBy(g)
}

// SetEdition has the table played by another edition from now on.
func (st *State) SetEdition(edition string) {
	was, of := st.Game, st.Edition
	st.Edition = edition
	st.playEdition()
	if st.Game == was {
		return
	}
	st.Older = slices.DeleteFunc(slices.Clone(st.Older), func(o *game.Game) bool { return o == st.Game })
	if was.EditionID() == of {
		st.Older = append(st.Older, was)
	}
}

// playEdition has the table played by the text of its edition, if that is there; else the one that
// is there stands in for it.
func (st *State) playEdition() {
	if st.Game.Texts == nil || !st.IsOutdated() {
		return
	}
	if g := st.gameOf(st.Edition); g != nil && st.rereadBy(g) == nil {
		st.Brought = nil
	}
}

// rereadBy has another text of the game read all that there is: as it was written down.
func (st *State) rereadBy(g *game.Game) error {
	if len(st.OpenMoves) > 0 {
		return errors.New("a move is open")
	}
	data, err := st.Encode()
	if err != nil {
		return err
	}
	read, err := decode(st.Games, data, g)
	if err != nil {
		return err
	}
	st.Unread = nil
	st.Game, st.Settings, st.Configured, st.Characters, st.Calls, st.Offers = g, read.Settings, read.Configured,
		read.Characters, read.Calls, read.Offers
	return nil
}

// Speak is a speaker in the terms of the table's game, who knows too what its older texts said.
func (st *State) Speak(s lang.Speaker) lang.Speaker {
	for _, g := range st.Older {
		s = g.Speak(s)
	}
	return st.Game.Speak(s)
}
