package html

import (
	"maps"
	"slices"
	"strings"

	"norn/game"
	"norn/lang"
	"norn/odds"
	"norn/table/act"
	"norn/table/view"
	"norn/web/fields"
)

// Questions returns the open questions of all seats.
func (l *Look) Questions() []Question {
	return game.Each(l.View.Questions, func(q view.Question) Question { return l.Question(q, nil) })
}

// Stock returns the game's stock, and the game master's own characters, separated from things.
func (l *Look) Stock() Stock {
	var s Stock
	for _, one := range l.Voice.Game.InStock(l.Speaker) {
		s.Ready = append(s.Ready, Option(one.ID, one.Name, false))
	}
	for i, c := range l.Cast() {
		shown := l.View.Characters[i]
		if l.View.SeatName(shown.Owner) != "" {
			continue
		}
		if kind, _ := l.Voice.Game.Kind(shown.Kind); kind.Thing {
			s.Things = append(s.Things, c)
		} else {
			s.People = append(s.People, c)
		}
	}
	return s
}

// SecretMoves returns the newest secret moves.
func (l *Look) SecretMoves() []MoveLine {
	return game.Each(l.Secrets, func(e view.Entry) MoveLine {
		who, _ := actorOf(l.Voice, e)
		return MoveLine{
			Link: l.cardLink(e.Seq, CardID(e)), Said: who + ": " + l.Voice.Word("move", e.Name), When: e.Time,
			Outcome: e.Outcome,
		}
	})
}

// SessionNow returns the current session of dice.
func (l *Look) SessionNow() SessionNow {
	return SessionNow{
		N: l.View.Session.N, Began: l.View.Session.Began,
		Tallies: game.Each(l.Tallies, func(t view.Tally) Tally { return tallyOf(l.Voice, t) }),
		Open:    openMoves(l.Voice, l.View.Questions, l.Link(l.At.WithTab("log"))),
		Next:    NextMeeting(l.View), Values: valueForms(l.View.Values, false),
	}
}

// openMoves returns the moves that wait for an answer, each with its first question; log is the
// address of the page that shows them.
func openMoves(v fields.Voice, asked []view.Question, log string) []MoveLine {
	var open []MoveLine
	for _, q := range asked {
		if slices.ContainsFunc(open, func(m MoveLine) bool { return m.Move == q.Move }) {
			continue
		}
		said := v.Word("move", q.Name)
		if q.Character != "" {
			said = v.Name(q.Character) + ": " + said
		}
		open = append(open, MoveLine{Move: q.Move, Link: log + "#" + q.Move, Said: said, Note: q.Text})
	}
	return open
}

// valueForms returns the forms of the acts that set the table's values, which are among its settings
// or those of the session. Each form has the id of its act.
func valueForms(now view.Values, setting bool) []fields.Form {
	var all []fields.Form
	for _, d := range act.All {
		if d.Now != nil && d.Setting == setting {
			all = append(all, fields.Form{Form: d.FormWithoutKey(), ID: d.Name, Values: d.Now(now)})
		}
	}
	return all
}

// NextMeeting returns the time of the next session, and the links of the table's values.
func NextMeeting(v *view.View) Meeting {
	var m Meeting
	for _, d := range act.All {
		if d.Link == nil {
			continue
		}
		if link := d.Link(v.Values); link != "" {
			m.Links = append(m.Links, Choosing{ID: d.Name, Link: link})
		}
	}
	if v.Next != nil {
		m.At = v.Next.At
	}
	return m
}

// tallyOf says what a character did in this session.
func tallyOf(v fields.Voice, t view.Tally) Tally {
	who := v.Say("web.screen.table")
	if t.Character != "" {
		who = v.Name(t.Character)
	}
	parts := []string{v.Say("web.screen.moves", "N", t.Moves)}
	if t.Dice > 0 {
		parts = append(parts, v.Say("web.screen.dice", "N", t.Dice))
	}
	return Tally{ID: t.Character, Said: who + ": " + strings.Join(parts, ", "), Bars: tones(v.Speaker, t)}
}

// tones returns the outcomes of a character's rolls in a session, as the parts of a bar.
func tones(s lang.Speaker, t view.Tally) []odds.Bar {
	all := 0
	for n := range maps.Values(t.Tones) {
		all += n
	}
	var bars []odds.Bar
	for _, tone := range []game.Tone{game.Triumph, game.Good, game.Mixed, game.Neutral, game.Bad, game.Disaster} {
		if n := t.Tones[tone]; n > 0 {
			bars = append(bars, odds.Bar{
				Label: s.Say("web.tone." + string(tone)), Tone: string(tone), P: float64(n) / float64(all),
				Shown: s.Number(n), Exact: s.Number(n),
			})
		}
	}
	return bars
}
