package html

import (
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"norn/game"
	"norn/lang"
	"norn/table/view"
)

// RecapOf returns the recap of a session.
func RecapOf(p Page, v *view.View, r view.Recap, of view.Session, lucks []view.SeatLuck) Recap {
	shown := Recap{Story: p.To("/story#session-" + strconv.Itoa(of.N))}
	shown.Deeds = game.Each(r.Deeds, func(d view.Deed) Term { return Term{Name: d.Name, About: deedText(p.Speaker, d)} })
	for _, t := range []struct {
		head, chance string
		of           *view.RecapThrow
	}{{"web.recap.best", "web.recap.chance-best", r.Best}, {"web.recap.worst", "web.recap.chance-worst", r.Worst}} {
		if t.of != nil {
			shown.Throws = append(shown.Throws, RecapThrow{
				Head: p.Say(t.head), Link: "#" + t.of.Move,
				What:   strings.TrimSuffix(t.of.Said, "."),
				Chance: p.Say(t.chance, "P", percent(p.Speaker, t.of.P)),
			})
		}
	}
	for _, c := range r.Changes {
		what := strings.Join(c.Changes, "; ")
		if c.More > 0 {
			what += "; " + p.Say("web.recap.more", "N", c.More)
		}
		shown.Changes = append(shown.Changes, Term{Name: c.Name, About: what})
	}
	shown.Open = openThreads(p, v, of)
	shown.Text = plainRecap(p, v.Name, shown, of, lucks)
	return shown
}

// percent returns an exact chance as a percentage.
func percent(s lang.Speaker, exact string) string {
	p, ok := new(big.Rat).SetString(exact)
	if !ok {
		return exact
	}
	shown, _ := p.Float64()
	return s.Chance(shown, true, false)
}

// deedText says what a character did, and how that ended.
func deedText(s lang.Speaker, d view.Deed) string {
	var made []string
	for _, m := range d.Made {
		text := m.Name
		if m.N > 1 {
			text += " ×" + s.Number(m.N)
		}
		made = append(made, text)
	}
	said := strings.Join(made, ", ")
	var came []string
	for _, c := range d.Came {
		came = append(came, lowerFirst(c.Name)+" ×"+s.Number(c.N))
	}
	if len(came) > 0 {
		said += ": " + strings.Join(came, ", ")
	}
	return said
}

// lowerFirst returns a name for use inside a sentence: its first letter is lower case, except in
// abbreviations such as NPC.
func lowerFirst(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	if second, _ := utf8.DecodeRuneInString(name[size:]); unicode.IsUpper(second) {
		return name
	}
	return string(unicode.ToLower(first)) + name[size:]
}

// openThreads returns what a session has left open: its questions and, for the newest session with
// a recap, open calls and a game master's notes.
func openThreads(p Page, v *view.View, of view.Session) []Term {
	var all []Term
	asked := func(move string) bool {
		seq, err := strconv.ParseUint(strings.TrimPrefix(move, "m"), 10, 64)
		return err == nil && seq >= of.From && (of.To == 0 || seq <= of.To)
	}
	for _, q := range v.Questions {
		if asked(q.Move) {
			all = append(all, Term{Name: lang.Capital(p.Whom(q.To)), About: q.Text})
		}
	}
	for _, w := range v.Waiting {
		if asked(w.Move) {
			all = append(all, Term{Name: lang.Capital(p.Whom(w.To)), About: p.Say("web.recap.waits")})
		}
	}
	if of.N < v.Session.N-1 {
		return all
	}
	for _, c := range v.Calls {
		all = append(all, Term{Name: p.Voice.Name(c.Character), About: strings.TrimSpace(c.Name + " " + c.Text)})
	}
	for _, n := range v.Notes {
		all = append(all, Term{Name: p.Say("web.recap.note"), About: n.Text})
	}
	return all
}

// LuckText says how lucky a seat was in a session.
func LuckText(s lang.Speaker, of view.SeatLuck) string {
	return s.Say("web.luck.luckier", "P", s.Percent(of.Probability))
}

// plainRecap returns the recap of a table's session as a text for a messenger, without what only the
// game master may see.
func plainRecap(p Page, table string, r Recap, of view.Session, lucks []view.SeatLuck) string {
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	line(table, " · ", p.Say("web.seal.session", "N", of.N), ", ", p.DateOf(of.Began))
	part := func(head string, all []Term) {
		if len(all) > 0 {
			line("\n", head)
			for _, s := range all {
				line("• ", s.Name, ": ", s.About)
			}
		}
	}
	part(p.Say("web.recap.head"), r.Deeds)
	for i, t := range r.Throws {
		if i == 0 {
			line()
		}
		line(t.Head, ": ", t.What, " (", t.Chance, ")")
	}
	part(p.Say("web.luck.head"), game.Each(lucks, func(s view.SeatLuck) Term {
		return Term{Name: s.Name, About: LuckText(p.Speaker, s)}
	}))
	part(p.Say("web.recap.changes"), r.Changes)
	return b.String()
}
