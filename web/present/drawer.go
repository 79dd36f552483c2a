package present

import (
	"maps"
	"slices"
	"strings"

	"norn/game"
	"norn/table/act"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
	"norn/widget"
)

// Drawer is all that only a game master does.
func Drawer(l *Look, notes DrawerNotes) html.Drawer {
	return html.Drawer{
		Calls: CallsOpen(l), Stock: Stock(l), Notes: l.View.Notes, Secrets: SecretMoves(l), Session: SessionNow(l),
		Settings: Settings(l, notes.Settings), Seats: Invites(l, notes),
	}
}

// Questions are the open questions of everybody.
func Questions(l *Look) []html.AskedOf {
	return game.Each(l.View.Questions, func(q view.Question) html.AskedOf {
		return html.AskedOf{Who: l.Voice.Name(q.Character), Move: l.Voice.Word("move", q.Name), Question: Question(l, q, nil)}
	})
}

// Stock is the game's stock, and the characters that nobody but the game master plays, things apart.
func Stock(l *Look) html.Stock {
	var s html.Stock
	for _, one := range l.Voice.Game.InStock(l.Speaker) {
		s.Ready = append(s.Ready, Option(one.ID, one.Name, false))
	}
	for i, c := range Cast(l) {
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

// SecretMoves are the newest that were made in secret.
func SecretMoves(l *Look) []html.SecretMove {
	return game.Each(l.Secrets, func(e view.Entry) html.SecretMove {
		who, _ := actor(l, e)
		return html.SecretMove{Link: cardLink(l, e.Seq, CardID(e)), Who: who, Name: l.Voice.Word("move", e.Name), When: e.Time, Outcome: e.Outcome}
	})
}

// SessionNow is the session of dice that lasts.
func SessionNow(l *Look) html.SessionNow {
	return html.SessionNow{N: l.View.Session.N, Began: l.View.Session.Began, Tallies: Tallies(l), Open: StillAsked(l), Next: Next(l), Values: valueForms(l)}
}

// StillAsked are the moves that wait for an answer, each with the first that it asks.
func StillAsked(l *Look) []html.OpenMove {
	var open []html.OpenMove
	for _, q := range l.View.Questions {
		if slices.ContainsFunc(open, func(m html.OpenMove) bool { return m.Move == q.Move }) {
			continue
		}
		said := l.Voice.Word("move", q.Name)
		if q.Character != "" {
			said = l.Voice.Name(q.Character) + ": " + said
		}
		open = append(open, html.OpenMove{Move: q.Move, Link: l.Link(l.At.WithTab("log")) + "#" + q.Move, Said: said, Asks: q.Text})
	}
	return open
}

// valueForms are the forms of the acts that set the table's values.
func valueForms(l *Look) []html.ValueForm {
	var all []html.ValueForm
	for _, d := range act.All {
		if d.Now != nil {
			all = append(all, html.ValueForm{Act: d.Name, Fields: fields.Form{Form: d.Asked(), ID: d.Name, Values: d.Now(l.View.Values)}})
		}
	}
	return all
}

// Next is the date of the next session, and where the table's values lead.
func Next(l *Look) html.Meeting {
	var m html.Meeting
	for _, d := range act.All {
		if d.Link == nil {
			continue
		}
		if link := d.Link(l.View.Values); link != "" {
			m.Links = append(m.Links, html.ValueLink{Act: d.Name, Link: link})
		}
	}
	if l.View.Next != nil {
		m.At = l.View.Next.At
	}
	return m
}

// Tallies say what everybody did in it.
func Tallies(l *Look) []html.Tally {
	return game.Each(l.Tallies, func(t view.Tally) html.Tally { return Tally(l, t) })
}

// Tally is one of them.
func Tally(l *Look, t view.Tally) html.Tally {
	return html.Tally{ID: t.Character, Said: tallied(l, t), Bars: tones(l, t)}
}

// tallied says what somebody did in this session.
func tallied(l *Look, t view.Tally) string {
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

// tones are how a session's throws of somebody came out, as a bar.
func tones(l *Look, t view.Tally) []widget.Bar {
	all := 0
	for n := range maps.Values(t.Tones) {
		all += n
	}
	var bars []widget.Bar
	for _, tone := range []game.Tone{game.Triumph, game.Good, game.Mixed, game.Neutral, game.Bad, game.Disaster} {
		if n := t.Tones[tone]; n > 0 {
			bars = append(bars, widget.Bar{
				Label: l.Say("web.tone." + string(tone)), Tone: string(tone), P: float64(n) / float64(all), Shown: l.Number(n), Exact: l.Number(n),
			})
		}
	}
	return bars
}
