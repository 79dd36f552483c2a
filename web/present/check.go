package present

import (
	"encoding/json"
	"slices"
	"strings"

	"norn/dice"
	"norn/page"
	"norn/table/request"
	"norn/table/view"
	"norn/web/html"
)

// Seal is what the dice are promised by.
func Seal(l *Look) html.Seal {
	s := html.Seal{
		Now: Session(l.View.Session), MaxShare: request.MaxShare,
		Shared: slices.ContainsFunc(l.View.Session.Shares, func(s view.Share) bool { return s.Seat == l.View.Seat }),
	}
	for _, past := range slices.Backward(l.View.Sessions) {
		s.Ended = append(s.Ended, Session(past))
	}
	return s
}

func Session(s view.Session) html.Session {
	d := html.Session{N: s.N, Commitment: s.Commitment, Secret: s.Secret}
	for _, share := range s.Shares {
		d.Shares = append(d.Shares, html.Share{Seat: share.Seat, Name: share.Name, Share: share.Share})
	}
	return d
}

// proof is what it takes to derive a move's dice again, as the page's script
// reads it.
type proof struct {
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

// proof is what the script checks; "" while the session's secret isn't known.
func (c Card) proof() string {
	if c.Check == nil || c.Check.Secret == "" {
		return ""
	}
	p := proof{c.Check.Table, c.Check.Session, c.Check.Commitment, c.Check.Shares, c.Check.Move, c.Check.Nonce, c.Check.Secret, nil}
	for _, t := range c.sealed() {
		p.Throws = append(p.Throws, proofThrow{t.Place, t.Sides, t.Faces})
	}
	data, _ := json.Marshal(p) // texts and numbers
	return string(data)
}

// Check is what it takes to derive a card's dice again.
func Check(l *Look, c Card) html.Check {
	k := c.Check
	d := html.Check{
		Who: c.Who, Name: c.Name, Luck: luckOf(l, c), Dice: c.Dice(), Lasts: k.Session == l.View.Session.N, Session: k.Session, Promise: k.Commitment,
		Secret: k.Secret, Shares: k.Shares, Table: k.Table, Move: k.Move, Nonce: k.Nonce, Proof: c.proof(),
	}
	if c.Outcome != nil {
		d.Outcome = outcome(c.Outcome)
	}
	for _, t := range c.sealed() {
		d.Throws = append(d.Throws, html.CheckedThrow{Place: t.Place, Dice: diceText(l, t), Whose: t.Whose, Faces: facesText(t)})
	}
	return d
}

// Thrown is a card's dice in one line.
func Thrown(l *Look, c Card) html.ThrownMove {
	m := html.ThrownMove{Move: c.Move, Who: c.Who, Name: c.Name, When: c.When, Checks: c.Check != nil, Luck: luckOf(l, c), Proof: c.proof()}
	if c.Outcome != nil {
		m.Outcome = c.Outcome.Text
	}
	if c.Undone != nil {
		m.Undone = undoneBy(l, c.Undone)
	}
	for _, t := range c.Throws {
		m.Throws = append(m.Throws, html.CheckedThrow{Place: t.Place, Faces: facesText(t)})
	}
	return m
}

// facesText are a throw's faces in a row.
func facesText(t view.Throw) string {
	faces := make([]string, len(t.Faces))
	for i, face := range t.Faces {
		faces[i] = page.Die{Sides: t.Sides, Face: face}.Shown()
	}
	return strings.Join(faces, " ")
}

// diceText names a throw's dice, "7d10".
func diceText(l *Look, t view.Throw) string {
	if len(t.Faces) == 1 {
		return l.Speaker.Die(t.Sides)
	}
	return diceName(l, dice.Pool{N: len(t.Faces), Sides: t.Sides})
}
