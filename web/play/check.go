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
	"norn/table"
	"norn/web/door"
)

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
func (c card) sealed() []table.Throw {
	return slices.DeleteFunc(slices.Clone(c.Throws), func(t table.Throw) bool { return t.Hand })
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

// lasts tells whether a session of dice isn't over yet.
func (v *visit) lasts(session int) bool { return session == v.view.Session.N }

// check is the panel that explains a move's dice and checks them; without
// script it's a page.
func (s *Server) check(w http.ResponseWriter, r *http.Request, v *visit) error {
	c, ok, err := v.card(r.Context(), r.PathValue("move"))
	if err != nil {
		return err
	}
	if !ok || c.Check == nil {
		s.NotFound(w, r)
		return nil
	}
	if door.HX(r) {
		s.Show(w, r, http.StatusOK, v.checkPanel(c, true))
		return nil
	}
	f := s.FrameOf(v.Reader, r, v.Say("web.check.head")+" · "+v.view.Name, v.view.Game)
	s.Show(w, r, http.StatusOK, v.checkPage(f, c))
	return nil
}

// sessionAt is the address of a session's page.
func (v *visit) sessionAt(n int) string { return v.to("/session/" + strconv.Itoa(n)) }

// report is a session of dice with all that was thrown in it.
type report struct {
	table.Session
	Cards []card // with dice, oldest first
	Dice  int    // that can be checked
	Over  bool
	Luck  []table.SeatLuck
}

// lucks are the seats' lucks as bars.
func (v *visit) lucks(here report) page.Plot {
	bars := make([]page.Bar, len(here.Luck))
	for i, l := range here.Luck {
		bars[i] = page.Bar{
			Label: v.Say("web.luck.of", "Name", l.Name, "N", l.Throws),
			Shown: v.Say("web.luck.luckier", "P", v.Percent(l.Probability)), P: l.Probability,
		}
	}
	return page.Horizontal(v.Say("web.luck.head"), bars)
}

// orBetter words the chance of what came out or better.
func (v *visit) orBetter(l table.Luck) string { return v.Percent(l.Probability) }

// session is the page of a session: its seal and all its throws, checked.
func (s *Server) session(w http.ResponseWriter, r *http.Request, v *visit) error {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 || n > v.view.Session.N {
		s.NotFound(w, r)
		return nil
	}
	here := report{Session: v.view.Session}
	if n <= len(v.view.Sessions) {
		here = report{Session: v.view.Sessions[n-1], Over: true}
	}
	if err := v.report(r.Context(), &here); err != nil {
		return err
	}
	f := s.FrameOf(v.Reader, r, v.Say("web.seal.session", "N", n)+" · "+v.view.Name, v.view.Game)
	s.Show(w, r, http.StatusOK, v.sessionPage(f, here))
	return nil
}

// report reads the moves that began in a session.
func (v *visit) report(ctx context.Context, here *report) error {
	var whole []table.Entry
	for after := here.From; here.To == 0 || after < here.To; {
		entries, err := v.seat.Log(ctx, after, table.MostEntries)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.Move != "" && (here.To == 0 || e.Seq < here.To) {
				whole = append(whole, e)
			}
		}
		if len(entries) < table.MostEntries {
			break
		}
		after = entries[len(entries)-1].Seq
	}
	lucks, err := v.seat.Luck(ctx, here.N)
	if err != nil {
		return err
	}
	here.Luck = lucks
	of := map[string]*table.Luck{}
	for _, seat := range lucks {
		for i := range seat.Moves {
			of[seat.Moves[i].Move] = &seat.Moves[i].Luck
		}
	}
	for _, c := range v.cards(whole) {
		c.Luck = of[c.Move]
		if len(c.Throws) > 0 {
			here.Cards = append(here.Cards, c)
		}
		if c.Check != nil {
			here.Dice += c.dice()
		}
	}
	return nil
}

// facesText are a throw's faces in a row.
func facesText(t table.Throw) string {
	faces := make([]string, len(t.Faces))
	for i, face := range t.Faces {
		faces[i] = page.Die{Sides: t.Sides, Face: face}.Shown()
	}
	return strings.Join(faces, " ")
}

// diceText names a throw's dice, "7d10".
func (v *visit) diceText(t table.Throw) string {
	if len(t.Faces) == 1 {
		return v.Speaker.Die(t.Sides)
	}
	return v.diceName(dice.Pool{N: len(t.Faces), Sides: t.Sides})
}
