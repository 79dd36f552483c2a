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

// Deeds says what each character did in a session, and how that ended.
func Deeds(s lang.Speaker, r view.Recap) []Term {
	return game.Each(r.Deeds, func(d view.Deed) Term { return Term{Name: d.Name, About: deedText(s, d)} })
}

// changes says what changed on each sheet in a session.
func changes(s lang.Speaker, r view.Recap) []Term {
	return game.Each(r.Changes, func(c view.RecapSheet) Term {
		what := strings.Join(c.Changes, "; ")
		if c.More > 0 {
			what += "; " + s.Say("web.recap.more", "N", c.More)
		}
		return Term{Name: c.Name, About: what}
	})
}

func throwSaid(t *view.RecapThrow) string { return strings.TrimSuffix(t.Said, ".") }

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
	var outcomes []string
	for _, c := range d.Came {
		outcomes = append(outcomes, lowerFirst(c.Name)+" ×"+s.Number(c.N))
	}
	if len(outcomes) > 0 {
		said += ": " + strings.Join(outcomes, ", ")
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

// OpenThreads returns what a session has left open: its questions and, for the newest session with
// a recap, open calls and a game master's notes.
func OpenThreads(p Page, v *view.View, of view.Session) []Term {
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
func plainRecap(p Page, table string, r Report) string {
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	line(table, " · ", p.Say("web.seal.session", "N", r.N), ", ", p.DateOf(r.Began))
	part := func(head string, all []Term) {
		if len(all) > 0 {
			line("\n", head)
			for _, s := range all {
				line("• ", s.Name, ": ", s.About)
			}
		}
	}
	part(p.Say("web.recap.head"), Deeds(p.Speaker, r.Recap))
	if r.Recap.Best != nil || r.Recap.Worst != nil {
		line()
	}
	throw := func(head, chance string, t *view.RecapThrow) {
		if t != nil {
			line(p.Say(head), ": ", throwSaid(t), " (", p.Say(chance, "P", percent(p.Speaker, t.P)), ")")
		}
	}
	throw("web.recap.best", "web.recap.chance-best", r.Recap.Best)
	throw("web.recap.worst", "web.recap.chance-worst", r.Recap.Worst)
	part(p.Say("web.luck.head"), game.Each(r.Lucks, func(s view.SeatLuck) Term {
		return Term{Name: s.Name, About: LuckText(p.Speaker, s)}
	}))
	part(p.Say("web.recap.changes"), changes(p.Speaker, r.Recap))
	return b.String()
}
