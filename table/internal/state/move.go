package state

import (
	"strconv"
	"strings"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// Move is a move made at this table, as it was opened: nothing of it changes.
type Move struct {
	ID      string
	Seq     uint64 // of the entry that opened it
	Def     *game.Move
	Seat    string // who made it
	Actor   string
	Cast    []string // with the actor
	Args    any
	Nonce   string
	ByHand  bool
	Secret  bool   // when it was made
	Offer   string // id of the offer that it took
	View    *game.View
	Session *Session // of dice, as it stood then: with the shares that count
}

// Dice is where the move's dice come from when nobody types them in.
func (m *Move) Dice(table string, trail rule.Trail) rule.Source {
	return rule.PartSource(trail, func(part string, throw int) dice.Roller {
		return dice.NewStream(m.DiceKey(table, Place(part, throw)))
	})
}

// DiceKey returns the key of a throw at a place of the move.
func (m *Move) DiceKey(table, place string) [32]byte {
	return dice.Key(m.Session.Seal, m.Session.Shares, table, m.ID, m.Nonce, place)
}

// QuestionID names a question for people: its move and its place in it.
func QuestionID(m *Move, place string) string { return m.ID + ":" + place }

// MoveSeq is the seq of the entry that opened a move, which it's named by; 0 for what is no move's id.
func MoveSeq(move string) uint64 {
	seq, err := strconv.ParseUint(strings.TrimPrefix(move, "m"), 10, 64)
	if err != nil || MoveID(seq) != move {
		return 0
	}
	return seq
}

// MoveID is the id of the move that an entry opens.
func MoveID(seq uint64) string { return "m" + strconv.FormatUint(seq, 10) }

// Place names a throw of a move in the key of its dice.
func Place(part string, throw int) string { return part + "#" + strconv.Itoa(throw) }
