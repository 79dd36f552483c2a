package html

import (
	"encoding/json"
	"slices"
	"strings"

	"norn/game"
	"norn/internal/widget"
	"norn/table/request"
	"norn/table/view"
)

// Seal returns the commitments of the sessions of dice.
func (l *Look) Seal() Seal {
	return Seal{
		Now: l.View.Session, Ended: l.View.Sessions, MaxShare: request.MaxShare,
		Shared: slices.ContainsFunc(l.View.Session.Shares, func(s view.Share) bool { return s.Seat == l.View.Seat }),
	}
}

// proofData is the data with which the page's script derives a move's dice again.
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

// proofOf returns what the script verifies; "" while the session's secret isn't known.
func proofOf(e view.Entry) string {
	if e.Check == nil || e.Check.Secret == "" {
		return ""
	}
	throws := game.Each(sealedThrows(e.Throws), func(t view.Throw) proofThrow {
		return proofThrow{t.Place, t.Sides, t.Faces}
	})
	// texts and numbers always encode
	data, _ := json.Marshal(proofData{
		e.Check.Table, e.Check.Session, e.Check.Commitment, e.Check.Shares, e.Check.Move,
		e.Check.Nonce, e.Check.Secret, throws,
	})
	return string(data)
}

// Check returns what is needed to derive a move's dice again.
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

// ThrownDice returns a move's dice for one line.
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

// facesText returns a throw's faces as a text.
func facesText(t view.Throw) string {
	return strings.Join(game.EachAt(t.Faces, func(i, face int) string {
		die := widget.Die{Sides: t.Sides, Face: face}
		if i < len(t.Shown) {
			die.Text = t.Shown[i]
		}
		return die.FaceText()
	}), " ")
}

// diceText returns the notation of a throw's dice, such as "7d10".
func (l *Look) diceText(t view.Throw) string {
	if len(t.Faces) == 1 {
		return l.Speaker.Die(t.Sides)
	}
	return l.Number(len(t.Faces)) + l.Speaker.Die(t.Sides)
}
