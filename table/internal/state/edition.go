package state

import (
	"errors"
	"slices"

	"norn/game"
	"norn/lang"
)

// A table with an own game plays by one of the game's texts, which is stored at the table. Before a
// new text is taken, it's checked that it can read everything. So the current text reads the folded
// state, while each move is read by the text that made it.

// gameOf returns the game of an edition, nil if its text isn't available.
func (st *State) gameOf(edition string) *game.Game {
	if g := gameOfEdition(st.Older, edition); g != nil {
		return g
	}
	return st.Game.ForEdition(edition, st.Brought)
}

// gameOfEdition returns the game with an edition, or nil.
func gameOfEdition(games []*game.Game, edition string) *game.Game {
	return first(games, func(g *game.Game) bool { return g.EditionID() == edition })
}

// PlayedBy returns the game of an edition that the table has played by, or the current one if that
// isn't available.
func (st *State) PlayedBy(edition string) *game.Game {
	if g := gameOfEdition(st.Older, edition); g != nil && edition != st.Edition {
		return g
	}
	return st.Game
}

// BringText stores a text at the table. It's the one that the table plays by, or the one that may
// be taken next.
func (st *State) BringText(source []byte) {
	st.Brought = source
	st.playEdition()
	if game.TextOf(source) == st.Game.EditionID() {
		st.Brought = nil // a table's state must not depend on whether this norn knew the text already
	}
}

// CheckEdition returns why the table can't play by an edition of its text.
func (st *State) CheckEdition(edition string) error {
	g := st.gameOf(edition)
	if g == nil {
		return errors.New("its text doesn't stand at the table")
	}
	trial := *st
	return trial.rereadBy(g)
}

// SetEdition switches the table to another edition.
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

// playEdition makes the table play by the text of its edition if that is available. Otherwise
// another text of the game replaces it.
func (st *State) playEdition() {
	if st.Game.Texts == nil || !st.IsOutdated() {
		return
	}
	if g := st.gameOf(st.Edition); g != nil && st.rereadBy(g) == nil {
		st.Brought = nil
	}
}

// rereadBy decodes the whole state by another text of the game.
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

// Speak returns a speaker with the terms of the table's game, including those of its older texts.
func (st *State) Speak(s lang.Speaker) lang.Speaker {
	for _, g := range st.Older {
		s = g.Speak(s)
	}
	return st.Game.Speak(s)
}
