package html

import (
	"encoding/json"
	"slices"
	"strings"

	"norn/game"
	"norn/table/request"
	"norn/table/view"
	"norn/widget"
)

// Seal is what the dice are promised by.
func (l *Look) Seal() Seal {
	return Seal{
		Now: l.View.Session, Ended: l.View.Sessions, MaxShare: request.MaxShare,
		Shared: slices.ContainsFunc(l.View.Session.Shares, func(s view.Share) bool { return s.Seat == l.View.Seat }),
	}
}

// proof is what it takes to derive a move's dice again, as the page's script
// reads it.
type proofData struct {
	Table      string       `json:"table"`
	Session    int          `json:"session"`
	Commitment string       `json:"commitment"`
	Shares     []string     `json:"shares"`
	Move       string       `json:"move"`
	Nonce      string       `json:"nonce"`
	Secret     string       `json:"secret"`
	Throws     []proofThrow `json:"throws"`
}

type proofThrow struct {
	Place string `json:"place"`
	Sides int    `json:"sides"`
	Faces []int  `json:"faces"`
}

// proofOf is what the script checks; "" while the session's secret isn't known.
func proofOf(e view.Entry) string {
	if e.Check == nil || e.Check.Secret == "" {
		return ""
	}
	throws := game.Each(sealedThrows(e.Throws), func(t view.Throw) proofThrow {
		return proofThrow{t.Place, t.Sides, t.Faces}
	})
	// texts and numbers
	data, _ := json.Marshal(proofData{
		e.Check.Table, e.Check.Session, e.Check.Commitment, e.Check.Shares, e.Check.Move,
		e.Check.Nonce, e.Check.Secret, throws,
	})
	return string(data)
}

// Check is what it takes to derive a move's dice again.
func (l *Look) Check(e view.Entry) Check {
	who, _ := l.actor(e)
	return Check{
		Who: who, Name: l.Voice.Word("move", e.Name), Luck: e.Luck, Dice: DiceOf(e),
		Lasts: e.Check.Session == l.View.Session.N, Check: *e.Check,
		Proof: proofOf(e), Outcome: e.Outcome,
		Throws: game.Each(sealedThrows(e.Throws), func(t view.Throw) CheckedThrow {
			return CheckedThrow{Place: t.Place, Dice: l.diceText(t), Whose: t.Whose, Faces: facesText(t)}
		}),
	}
}

// ThrownDice is a move's dice in one line.
func (l *Look) ThrownDice(e view.Entry) ThrownMove {
	who, _ := l.actor(e)
	m := ThrownMove{
		Move: e.Move, Who: who, Name: l.Voice.Word("move", e.Name), When: e.Time, Checks: e.Check != nil, Luck: e.Luck,
		Proof:  proofOf(e),
		Undone: l.undoneBy(e.Undone),
		Throws: game.Each(e.Throws, func(t view.Throw) CheckedThrow {
			return CheckedThrow{Place: t.Place, Faces: facesText(t)}
		}),
	}
	if e.Outcome != nil {
		m.Outcome = e.Outcome.Text
	}
	return m
}

// facesText are a throw's faces in a row.
func facesText(t view.Throw) string {
	return strings.Join(game.EachAt(t.Faces, func(i, face int) string {
		die := widget.Die{Sides: t.Sides, Face: face}
		if i < len(t.Shown) {
			die.Text = t.Shown[i]
		}
		return die.FaceText()
	}), " ")
}

// diceText names a throw's dice, "7d10".
func (l *Look) diceText(t view.Throw) string {
	if len(t.Faces) == 1 {
		return l.Speaker.Die(t.Sides)
	}
	return l.Number(len(t.Faces)) + l.Speaker.Die(t.Sides)
}
