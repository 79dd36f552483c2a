package play

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"norn/dice"
	"norn/page"
	"norn/table/request"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
)

// sealOf is what the dice are promised by.
func sealOf(l *look) html.Seal {
	s := html.Seal{
		Now: sessionOf(l.view.Session), MaxShare: request.MaxShare,
		Shared: slices.ContainsFunc(l.view.Session.Shares, func(s view.Share) bool { return s.Seat == l.view.Seat }),
	}
	for _, past := range slices.Backward(l.view.Sessions) {
		s.Ended = append(s.Ended, sessionOf(past))
	}
	return s
}

func sessionOf(s view.Session) html.Session {
	d := html.Session{N: s.N, Commitment: s.Commitment, Secret: s.Secret}
	for _, share := range s.Shares {
		d.Shares = append(d.Shares, html.Share{Seat: share.Seat, Name: share.Name, Share: share.Share})
	}
	return d
}

// postShare adds the reader's share to the dice.
func postShare(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.AddShare(r.Context(), r.PostForm.Get(html.Own+"share"), r.PostForm.Get(html.Own+"key"))
	if err != nil {
		return err
	}
	done(w, r, v, entry.Seq, v.link(v.at))
	return nil
}

// endSession opens the secret of the dice and begins the next session.
func endSession(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.EndSession(r.Context(), r.PostForm.Get(html.Own+"key"))
	if err != nil {
		return err
	}
	done(w, r, v, entry.Seq, v.link(v.at), html.Toast(v.Say("web.seal.ended")))
	return nil
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

// sealed are the throws of a card that norn threw and the reader sees.
func (c card) sealed() []view.Throw {
	return slices.DeleteFunc(slices.Clone(c.Throws), func(t view.Throw) bool { return t.Hand })
}

// dice is how many dice these are.
func (c card) dice() int {
	n := 0
	for _, t := range c.sealed() {
		n += len(t.Faces)
	}
	return n
}

// proof is what the script checks; "" while the session's secret isn't known.
func (c card) proof() string {
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

// checkOf is what it takes to derive a card's dice again.
func checkOf(l *look, c card) html.Check {
	k := c.Check
	d := html.Check{
		Who: c.Who, Name: c.Name, Luck: luckOf(l, c), Dice: c.dice(), Lasts: k.Session == l.view.Session.N, Session: k.Session, Promise: k.Commitment,
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

// luckOf is how lucky a card's outcome was, nil where the reader may not know.
func luckOf(l *look, c card) *html.Luck {
	if c.Luck == nil {
		return nil
	}
	return &html.Luck{Chance: l.Percent(c.Luck.Probability), OrBetter: c.Luck.OrBetter}
}

// getCheck is the panel that explains a move's dice and checks them; without
// script it's a page.
func getCheck(w http.ResponseWriter, r *http.Request, v *visit) error {
	c, ok, err := v.card(r.Context(), r.PathValue("move"))
	if err != nil {
		return err
	}
	if !ok || c.Check == nil {
		v.s.NotFound(w, r)
		return nil
	}
	if door.HX(r) {
		v.s.Show(w, r, http.StatusOK, html.CheckPanel(v.Page, checkOf(&v.look, c), true))
		return nil
	}
	f := v.s.FrameOf(v.Reader, r, v.Say("web.check.head")+" · "+v.view.Name, v.view.Game)
	v.s.Show(w, r, http.StatusOK, html.CheckPage(f, v.Page, v.view.Name, checkOf(&v.look, c)))
	return nil
}

// getSession is the page of a session: its seal and all its throws, checked.
func getSession(w http.ResponseWriter, r *http.Request, v *visit) error {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 || n > v.view.Session.N {
		v.s.NotFound(w, r)
		return nil
	}
	here, err := v.report(r.Context(), v.sessions()[n-1])
	if err != nil {
		return err
	}
	f := v.s.FrameOf(v.Reader, r, v.Say("web.seal.session", "N", n)+" · "+v.view.Name, v.view.Game)
	v.s.Show(w, r, http.StatusOK, html.ReportPage(f, v.Page, here))
	return nil
}

// report is a session of dice with the moves that began in it.
func (v *visit) report(ctx context.Context, of view.Session) (html.Report, error) {
	here := html.Report{Session: sessionOf(of), Table: v.view.Name, Began: of.Began, Over: of.N < v.view.Session.N}
	var whole []view.Entry
	for after := of.From; of.To == 0 || after < of.To; {
		entries, err := v.now.Log(ctx, after, request.MostEntries)
		if err != nil {
			return here, err
		}
		for _, e := range entries {
			if e.Move != "" && (of.To == 0 || e.Seq < of.To) {
				whole = append(whole, e)
			}
		}
		if len(entries) < request.MostEntries {
			break
		}
		after = entries[len(entries)-1].Seq
	}
	lucks, err := v.now.Luck(ctx, of.N)
	if err != nil {
		return here, err
	}
	luck, bars := map[string]*view.Luck{}, []page.Bar{}
	for _, seat := range lucks {
		said := v.Say("web.luck.luckier", "P", v.Percent(seat.Probability))
		bars = append(bars, page.Bar{Label: v.Say("web.luck.of", "Name", seat.Name, "N", seat.Throws), Shown: said, P: seat.Probability})
		here.Lucks = append(here.Lucks, html.SeatLuck{Seat: seat.Seat, Name: seat.Name, Throws: seat.Throws, Said: said})
		for i := range seat.Moves {
			luck[seat.Moves[i].Move] = &seat.Moves[i].Luck
		}
	}
	here.Luck = page.Horizontal(v.Say("web.luck.head"), bars)
	for _, c := range cardsOf(&v.look, whole) {
		c.Luck = luck[c.Move]
		if len(c.Throws) > 0 {
			here.Moves = append(here.Moves, thrownOf(&v.look, c))
		}
		if c.Check != nil {
			here.Dice += c.dice()
		}
	}
	return here, nil
}

// thrownOf is a card's dice in one line.
func thrownOf(l *look, c card) html.ThrownMove {
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
func diceText(l *look, t view.Throw) string {
	if len(t.Faces) == 1 {
		return l.Speaker.Die(t.Sides)
	}
	return diceName(l, dice.Pool{N: len(t.Faces), Sides: t.Sides})
}
