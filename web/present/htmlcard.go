package present

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/table/view"
	"norn/web/html"
)

// rarest is the chance of three in a thousand: what comes out so well is worth a word.
const rarest = 0.003

// Card is the card of an entry that GatherMoves returned; wrong is an answer to fix.
func Card(l *Look, e view.Entry, wrong *Reply) html.Card {
	id := CardID(e)
	d := html.Card{
		ID: id, Seq: e.Seq, When: e.Time, Link: cardLink(l, e.Seq, id), Agent: e.Seat.Agent, Mine: did(l, e),
		Take: html.TakeBack{Do: takingBack(l, e), Most: view.MostTouches}, Undone: undoneBy(l, e.Undone),
	}
	d.Who, d.By = actor(l, e)
	session := sessionBegun(l, e.Seq)
	switch {
	case e.Kind == view.KindTalk:
		d.Kind, d.Secret, d.Lines = html.TalkCard, e.Secret, linesOf(l, e.Lines)
		if e.To != nil {
			d.To = e.To.Name
		}
	case MoveOf(e) != "":
		drawnMove(l, &d, e, wrong)
	case session > 0:
		besides := slices.DeleteFunc(said(e.Lines), func(line view.Line) bool { return line.Type == "table.session-ended" })
		d.Kind, d.Lines, d.Session = html.SessionCard, linesOf(l, besides), &html.SessionHead{N: session, Past: sessionBefore(l, session)}
	default:
		d.Lines, d.Edit, d.Join, d.Picture = linesOf(l, said(e.Lines)), edit(e), join(l, e), pictureOf(l, e.Lines)
		if d.Edit != nil && d.Edit.Key != "" {
			d.Take.Step = e.Lines[0].Text
		}
		if e.Move != "" {
			d.Shows = cardLink(l, seqOf(e.Move), e.Move)
		}
	}
	return d
}

// Cards are the cards of entries that GatherMoves returned, with edits in quick turn as one line.
func Cards(l *Look, entries []view.Entry, wrong *Reply) []html.Card {
	cards := game.Each(entries, func(e view.Entry) html.Card { return Card(l, e, wrong) })
	mergeEdits(cards)
	mergeJoins(l, cards)
	return cards
}

// drawnMove fills in a move's card.
func drawnMove(l *Look, d *html.Card, e view.Entry, wrong *Reply) {
	d.Kind, d.Move, d.Name, d.Secret = html.MoveCard, e.Move, l.Voice.Word("move", e.Name), e.Secret
	d.Thrown, d.Checks, d.Lines = len(e.Throws) > 0, e.Check != nil, linesOf(l, said(e.Lines))
	if m, ok := l.Voice.Game.Move(e.Name); ok {
		d.About = l.Voice.ChoicesOf(m.Form.For(form.AtTable), e.Args)
	}
	for _, q := range l.View.Questions {
		if q.Move == e.Move {
			d.Asks = append(d.Asks, Question(l, q, wrong))
		}
	}
	for _, w := range l.View.Waiting {
		if name := l.Whom(w.To); w.Move == e.Move && !slices.Contains(d.Waits, name) {
			d.Waits = append(d.Waits, name)
		}
	}
	d.MayShow = l.Master() && e.Undone == nil && len(d.Asks)+len(d.Waits) == 0
	if hand, norn := view.ThrownBy(e.Throws); hand && !norn { // all of it, so that it's said once
		d.About = append(slices.Clip(d.About), l.Say("web.log.by-hand"))
	}
	if mayRepeat(l, e) {
		d.Again = again(l, e)
	}
	drawnThrows(l, d, e)
	for _, o := range l.View.Offers {
		if o.From == e.Move {
			d.Offers = append(d.Offers, html.Offer{ID: o.ID, Text: o.Text})
		}
	}
}

// drawnThrows fills in a move's outcome and dice.
func drawnThrows(l *Look, d *html.Card, e view.Entry) {
	rest := e.Throws
	d.Outcome = e.Outcome
	if e.Outcome != nil {
		if e.Luck != nil && e.Luck.Probability <= rarest {
			d.Rare = e.Luck
		}
		if d.Thrown && rest[0].N == 0 && rest[0].Whose == "" { // the first one, where who acts made it; it may be hidden
			d.Dice = &html.Dice{Dice: diceOf(rest[0], e.Lines), By: by(l, e, rest[0])}
			if rest = rest[1:]; len(rest) > 0 { // one of several says what it's for
				d.Called = throwName(l, d, e, e.Throws[0])
			}
		}
	}
	for _, t := range rest {
		d.Throws = append(d.Throws, html.Throw{Dice: html.Dice{Dice: diceOf(t, e.Lines), By: by(l, e, t)}, Name: throwName(l, d, e, t)})
	}
}

// by says who made a throw of a card, "" where that's the same for all of them.
func by(l *Look, e view.Entry, t view.Throw) string {
	switch hand, norn := view.ThrownBy(e.Throws); {
	case !hand || !norn:
		return ""
	case t.Hand:
		return l.Say("web.log.by-hand")
	}
	return l.Say("web.log.by-norn")
}

// linesOf are what came of something, in words.
func linesOf(l *Look, all []view.Line) []html.Line {
	return game.Each(all, func(line view.Line) html.Line {
		drawn := html.Line{Type: line.Type, Text: line.Text, Outcome: line.Outcome}
		if line.Outcome != nil && line.Outcome.Character != "" {
			drawn.Who = l.Voice.Name(line.Outcome.Character)
		}
		return drawn
	})
}

// cardLink is the address of the log at a card, for everybody at the table.
func cardLink(l *Look, seq uint64, id string) string {
	return l.To(Selection{Entry: seq}.Query()) + "#" + id
}

// throwName says what one of a card's throws is for, unless the card's head says it, and whose it is where not all are of who acts.
func throwName(l *Look, d *html.Card, e view.Entry, t view.Throw) string {
	var parts []string
	if view.Several(e.Throws) {
		parts = append(parts, cmp.Or(t.Whose, d.Who))
	}
	if id := l.Voice.Game.Word("throw", t.For); l.Has(id) {
		if what := l.Say(id); what != d.Name {
			parts = append(parts, what)
		}
	}
	return html.Joined(parts)
}

// sessionBefore is the session before one, if its dice are open; else 0.
func sessionBefore(l *Look, session int) int {
	if i := session - 2; i >= 0 && i < len(l.View.Sessions) && l.View.Sessions[i].Secret != "" {
		return l.View.Sessions[i].N
	}
	return 0
}

// takingBack is what the reader may do about a card: "undo", "cancel", "old" for what is too old to be undone, or
// nothing. A game master is offered to undo any move: what stands on it comes
// and goes, and the refusal names it.
func takingBack(l *Look, e view.Entry) string {
	switch {
	case e.Undone != nil || e.Kind == view.KindTalk:
		return ""
	case MoveOf(e) != "" && e.MayCancel:
		return "cancel"
	case e.TooOld:
		return "old"
	case e.MayUndo || l.Master() && MoveOf(e) != "":
		return "undo"
	}
	return ""
}

// undoneBy says who took a card back, and when; "" for nobody.
func undoneBy(l *Look, u *view.Undone) string {
	if u == nil {
		return ""
	}
	word := "web.undo.undone"
	switch {
	case u.Yielded:
		word = "web.undo.yielded"
	case u.Cancelled:
		word = "web.undo.cancelled"
	}
	return l.Say(word, "Name", u.Seat.Name, "Time", l.TimeOf(u.Time))
}

// mayRepeat tells whether the reader could make a card's move again.
func mayRepeat(l *Look, e view.Entry) bool {
	if e.Args == nil { // not all of it is there
		return false
	}
	m, ok := l.Move(e.Name)
	return ok && (e.Character == "" && len(m.Characters) == 0 || slices.Contains(m.Characters, e.Character))
}

// again is the address of the composer with a card's move in it.
func again(l *Look, e view.Entry) string {
	query := url.Values{AtAgain: {strconv.FormatUint(e.Seq, 10)}, AtCharacter: {l.At.Character}}
	if e.Secret {
		query.Set(html.Own+"secret", "on")
	}
	return "?" + query.Encode()
}
