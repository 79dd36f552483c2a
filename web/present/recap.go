package present

import (
	"math/big"
	"strconv"
	"strings"

	"norn/game"
	"norn/table/view"
	"norn/web/html"
)

// Recap is what a session came to. What is still open belongs to the newest one.
func Recap(l *Look, r view.Recap, of view.Session, lucks []html.SeatLuck) html.Recap {
	shown := html.Recap{Story: l.To("/story.md?session=" + strconv.Itoa(of.N))}
	shown.Deeds = game.Each(r.Deeds, func(d view.Deed) html.Said { return html.Said{Who: d.Name, What: deed(l, d)} })
	for _, t := range []struct {
		head, chance string
		of           *view.RecapThrow
	}{{"web.recap.best", "web.recap.chance-best", r.Best}, {"web.recap.worst", "web.recap.chance-worst", r.Worst}} {
		if t.of != nil {
			shown.Throws = append(shown.Throws, html.RecapThrow{
				Head: l.Say(t.head), Link: "#" + t.of.Move,
				What:   strings.TrimSuffix(t.of.Said, "."),
				Chance: l.Say(t.chance, "P", percent(l, t.of.P)),
			})
		}
	}
	for _, c := range r.Changes {
		what := strings.Join(c.Changes, "; ")
		if c.More > 0 {
			what += "; " + l.Say("web.recap.more", "N", c.More)
		}
		shown.Changes = append(shown.Changes, html.Said{Who: c.Name, What: what})
	}
	if of.N >= l.View.Session.N-1 {
		shown.Open = openThreads(l)
	}
	shown.Text = plainRecap(l, shown, of, lucks)
	return shown
}

// percent is an exact chance as people read it.
func percent(l *Look, exact string) string {
	p, ok := new(big.Rat).SetString(exact)
	if !ok {
		return exact
	}
	shown, _ := p.Float64()
	return l.Chance(shown, true, false)
}

// deed says what somebody did, and how that came out.
func deed(l *Look, d view.Deed) string {
	var made []string
	for _, m := range d.Made {
		text := m.Name
		if m.N > 1 {
			text += " ×" + l.Number(m.N)
		}
		made = append(made, text)
	}
	said := strings.Join(made, ", ")
	var came []string
	for _, c := range d.Came {
		came = append(came, strings.ToLower(c.Name)+" ×"+l.Number(c.N))
	}
	if len(came) > 0 {
		said += " – " + strings.Join(came, ", ")
	}
	return said
}

// openThreads are what waits: questions, moves that were asked for, and a game master's notes.
func openThreads(l *Look) []html.Said {
	var all []html.Said
	for _, q := range l.View.Questions {
		all = append(all, html.Said{Who: l.Whom(q.To), What: q.Text})
	}
	for _, w := range l.View.Waiting {
		all = append(all, html.Said{Who: l.Whom(w.To), What: l.Say("web.recap.waits")})
	}
	for _, c := range l.View.Calls {
		all = append(all, html.Said{Who: l.Voice.Name(c.Character), What: strings.TrimSpace(c.Name + " " + c.Text)})
	}
	for _, n := range l.View.Notes {
		all = append(all, html.Said{Who: l.Say("web.recap.note"), What: n.Text})
	}
	return all
}

// plainRecap is all of it as a text for a messenger; what is the game master's alone isn't in it.
func plainRecap(l *Look, r html.Recap, of view.Session, lucks []html.SeatLuck) string {
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	line(l.View.Name, " · ", l.Say("web.seal.session", "N", of.N), ", ", l.DateOf(of.Began))
	part := func(head string, all []html.Said) {
		if len(all) > 0 {
			line("\n", head)
			for _, s := range all {
				line("• ", s.Who, ": ", s.What)
			}
		}
	}
	part(l.Say("web.recap.head"), r.Deeds)
	for i, t := range r.Throws {
		if i == 0 {
			line()
		}
		line(t.Head, ": ", t.What, " (", t.Chance, ")")
	}
	part(l.Say("web.luck.head"), game.Each(lucks, func(s html.SeatLuck) html.Said { return html.Said{Who: s.Name, What: s.Said} }))
	part(l.Say("web.recap.changes"), r.Changes)
	return b.String()
}
