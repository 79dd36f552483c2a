package state

import (
	"strconv"
	"strings"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// Move is a move as it was opened. It doesn't change.
type Move struct {
	ID      string     `json:"id"`
	Seq     uint64     `json:"-"` // of the entry that opened it
	Def     *game.Move `json:"move"`
	Seat    string     `json:"seat"` // that made it
	Actor   string     `json:"actor,omitempty"`
	Cast    []string   `json:"cast,omitempty"` // includes the actor
	Args    any        `json:"-"`
	Nonce   string     `json:"nonce,omitempty"`
	ByHand  bool       `json:"byHand,omitempty"`
	Secret  bool       `json:"secret,omitempty"` // when it was made; see ShownMoves
	Offer   string     `json:"offer,omitempty"`  // id of the offer that it took
	View    *game.View `json:"-"`
	Session *Session   `json:"-"` // session of dice at that time, with the shares that count
}

// Dice returns the source of the move's dice that nobody types in.
func (m *Move) Dice(table string, trail rule.Trail) rule.Source {
	return rule.PartSource(trail, func(part string, throw int) dice.Roller {
		return dice.NewStream(m.DiceKey(table, Place(part, throw)))
	})
}

// DiceKey returns the key of a throw at a place of the move.
func (m *Move) DiceKey(table, place string) [32]byte {
	return dice.Key(m.Session.Seal, m.Session.Shares, table, m.ID, m.Nonce, place)
}

// QuestionID returns the id of a question: its move and its place in it.
func QuestionID(m *Move, place string) string { return m.ID + ":" + place }

// MoveSeq returns the seq of the entry that opened a move, from the move's id; 0 if it isn't one.
func MoveSeq(move string) uint64 {
	seq, err := strconv.ParseUint(strings.TrimPrefix(move, "m"), 10, 64)
	if err != nil || MoveID(seq) != move {
		return 0
	}
	return seq
}

// MoveID returns the id of the move that an entry opens.
func MoveID(seq uint64) string { return "m" + strconv.FormatUint(seq, 10) }

// Place returns the name of a throw in the key of its dice.
func Place(part string, throw int) string { return part + "#" + strconv.Itoa(throw) }
