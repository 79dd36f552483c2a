package html

import (
	"maps"
	"slices"
	"strings"

	"norn/game"
	"norn/odds"
	"norn/table/act"
	"norn/table/view"
	"norn/web/fields"
)

// Drawer returns the drawer with everything that only a game master does.
func (l *Look) Drawer(notes DrawerNotes) Drawer {
	return Drawer{
		Calls: l.CallsOpen(), Stock: l.Stock(), Notes: l.View.Notes, Clocks: l.Clocks(), Scenes: Scenes{l.View.Scene, l.View.Scenes},
		Secrets: l.SecretMoves(), Session: l.SessionNow(),
		Settings: l.Settings(notes.Settings), Seats: l.Invites(notes),
	}
}

// Questions returns the open questions of all seats.
func (l *Look) Questions() []AskedOf {
	return game.Each(l.View.Questions, func(q view.Question) AskedOf {
		return AskedOf{Who: l.Voice.Name(q.Character), Move: l.Voice.Word("move", q.Name), Question: l.Question(q, nil)}
	})
}

// Stock returns the game's stock, and the game master's own characters, separated from things.
func (l *Look) Stock() Stock {
	var s Stock
	for _, one := range l.Voice.Game.InStock(l.Speaker) {
		s.Ready = append(s.Ready, Option(one.ID, one.Name, false))
	}
	for i, c := range l.Cast() {
		shown := l.View.Characters[i]
		if l.SeatName(shown.Owner) != "" {
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
func (l *Look) SecretMoves() []SecretMove {
	return game.Each(l.Secrets, func(e view.Entry) SecretMove {
		who, _ := actorOf(l.Voice, e)
		return SecretMove{
			Link: l.cardLink(e.Seq, CardID(e)), Who: who, Name: l.Voice.Word("move", e.Name),
			When: e.Time, Outcome: e.Outcome,
		}
	})
}

// SessionNow returns the current session of dice.
func (l *Look) SessionNow() SessionNow {
	return SessionNow{
		N: l.View.Session.N, Began: l.View.Session.Began, Tallies: l.tallyLines(), Open: l.StillAsked(),
		Next: l.Next(), Values: l.valueForms(false),
	}
}

// StillAsked returns the moves that wait for an answer, each with its first question.
func (l *Look) StillAsked() []OpenMove {
	var open []OpenMove
	for _, q := range l.View.Questions {
		if slices.ContainsFunc(open, func(m OpenMove) bool { return m.Move == q.Move }) {
			continue
		}
		said := l.Voice.Word("move", q.Name)
		if q.Character != "" {
			said = l.Voice.Name(q.Character) + ": " + said
		}
		open = append(open, OpenMove{
			Move: q.Move, Link: l.Link(l.At.WithTab("log")) + "#" + q.Move, Said: said,
			Asks: q.Text,
		})
	}
	return open
}

// valueForms returns the forms of the acts that set the table's values, which are among its settings
// or those of the session.
func (l *Look) valueForms(setting bool) []ValueForm {
	var all []ValueForm
	for _, d := range act.All {
		if d.Now != nil && d.Setting == setting {
			all = append(all, ValueForm{
				Act:    d.Name,
				Fields: fields.Form{Form: d.FormWithoutKey(), ID: d.Name, Values: d.Now(l.View.Values)},
			})
		}
	}
	return all
}

// Next returns the time of the next session, and the links of the table's values.
func (l *Look) Next() Meeting {
	var m Meeting
	for _, d := range act.All {
		if d.Link == nil {
			continue
		}
		if link := d.Link(l.View.Values); link != "" {
			m.Links = append(m.Links, ValueLink{Act: d.Name, Link: link})
		}
	}
	if l.View.Next != nil {
		m.At = l.View.Next.At
	}
	return m
}

// tallyLines returns what everybody did in the session.
func (l *Look) tallyLines() []Tally {
	return game.Each(l.Tallies, func(t view.Tally) Tally { return l.Tally(t) })
}

// Tally returns what one character did.
func (l *Look) Tally(t view.Tally) Tally {
	return Tally{ID: t.Character, Said: l.wordTally(t), Bars: l.tones(t)}
}

// wordTally puts what a character did in this session into words.
func (l *Look) wordTally(t view.Tally) string {
	who := l.Say("web.screen.table")
	if t.Character != "" {
		who = l.Voice.Name(t.Character)
	}
	parts := []string{l.Say("web.screen.moves", "N", t.Moves)}
	if t.Dice > 0 {
		parts = append(parts, l.Say("web.screen.dice", "N", t.Dice))
	}
	return who + ": " + strings.Join(parts, ", ")
}

// tones returns the outcomes of a character's rolls in a session, as the parts of a bar.
func (l *Look) tones(t view.Tally) []odds.Bar {
	all := 0
	for n := range maps.Values(t.Tones) {
		all += n
	}
	var bars []odds.Bar
	for _, tone := range []game.Tone{game.Triumph, game.Good, game.Mixed, game.Neutral, game.Bad, game.Disaster} {
		if n := t.Tones[tone]; n > 0 {
			bars = append(bars, odds.Bar{
				Label: l.Say("web.tone." + string(tone)), Tone: string(tone), P: float64(n) / float64(all),
				Shown: l.Number(n), Exact: l.Number(n),
			})
		}
	}
	return bars
}
