package present

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/game"
	"norn/table/view"
	"norn/web/html"
)

// rarest is the chance of three in a thousand: what comes out so well is worth a word.
const rarest = 0.003

// HTMLCard is a card as it's drawn; wrong is an answer to be mended.
func HTMLCard(l *Look, c Card, wrong *Reply) html.Card {
	d := html.Card{
		ID: c.ID, Seq: c.Seq, When: c.When, Link: cardLink(l, c), Who: c.Who, By: c.By, Agent: c.Agent, Mine: c.Mine, Secret: c.Secret,
		Take: html.TakeBack{Do: takingBack(l, c), Step: c.step(), Most: view.MostTouches}, Undone: undoneBy(l, c.Undone),
	}
	switch {
	case c.Session > 0:
		d.Kind, d.Lines, d.Session = html.SessionCard, linesOf(l, c.besides()), &html.SessionHead{N: c.Session, Past: sessionBefore(l, c)}
	case c.Talk:
		d.Kind, d.To, d.Lines = html.TalkCard, c.To, linesOf(l, c.Lines)
	case c.Move == "":
		d.Lines, d.Edit, d.Join, d.Picture = linesOf(l, said(c.Lines)), c.edit(), c.join(l), pictureOf(l, c.Lines)
		if c.Joined > 1 {
			d.Lines[0].Text = strings.ReplaceAll(d.Join.Together, "{n}", l.Number(c.Joined))
		}
		if c.Since != "" && len(d.Lines) == 1 {
			d.Lines[0].Text = c.told()
		}
		if c.Shows != "" {
			d.Shows = cardLink(l, Card{ID: c.Shows, Seq: seqOf(c.Shows)})
		}
	default:
		drawnMove(l, &d, c, wrong)
	}
	return d
}

// drawnMove is a move's card.
func drawnMove(l *Look, d *html.Card, c Card, wrong *Reply) {
	d.Kind, d.Move, d.Name, d.About, d.Waits = html.MoveCard, c.Move, c.Name, c.Options, c.Waiting
	d.Thrown, d.Checks, d.Lines = len(c.Throws) > 0, c.Check != nil, linesOf(l, said(c.Lines))
	d.MayShow = l.Master() && c.Undone == nil && len(c.Questions)+len(c.Waiting) == 0
	if hand, norn := view.ThrownBy(c.Throws); hand && !norn { // all of it, so that it's said once
		d.About = append(slices.Clip(d.About), l.Say("web.log.by-hand"))
	}
	if mayRepeat(l, c) {
		d.Again = again(l, c)
	}
	rest := c.Throws
	d.Outcome = outcome(c.Outcome)
	if c.Outcome != nil {
		if c.Luck != nil && c.Luck.Probability <= rarest {
			d.Rare = luckOf(l, c)
		}
		if d.Thrown && rest[0].N == 0 && rest[0].Whose == "" { // the first one, where who acts made it; it may be hidden
			d.Dice = &html.Dice{Dice: c.diceOf(rest[0]), By: by(l, c, rest[0])}
			if rest = rest[1:]; len(rest) > 0 { // one of several says what it's for
				d.Called = throwName(l, c, c.Throws[0])
			}
		}
	}
	for _, t := range rest {
		d.Throws = append(d.Throws, html.Throw{Dice: html.Dice{Dice: c.diceOf(t), By: by(l, c, t)}, Name: throwName(l, c, t)})
	}
	for _, o := range l.View.Offers {
		if o.From == c.Move {
			d.Offers = append(d.Offers, html.Offer{ID: o.ID, Text: o.Text})
		}
	}
	for _, q := range c.Questions {
		d.Asks = append(d.Asks, Question(l, q, wrong))
	}
}

// by says who made a throw of a card, "" where that's the same for all of them.
func by(l *Look, c Card, t view.Throw) string {
	switch hand, norn := view.ThrownBy(c.Throws); {
	case !hand || !norn:
		return ""
	case t.Hand:
		return l.Say("web.log.by-hand")
	}
	return l.Say("web.log.by-norn")
}

// outcome is how something came out, nil for nothing.
func outcome(o *view.Outcome) *html.Outcome {
	if o == nil {
		return nil
	}
	return &html.Outcome{ID: o.ID, Tone: string(o.Tone), Text: o.Text}
}

// linesOf are what came of something, in words.
func linesOf(l *Look, all []view.Line) []html.Line {
	return game.Each(all, func(line view.Line) html.Line {
		drawn := html.Line{Type: line.Type, Text: line.Text, Outcome: outcome(line.Outcome)}
		if line.Outcome != nil && line.Outcome.Character != "" {
			drawn.Who = l.Voice.Name(line.Outcome.Character)
		}
		return drawn
	})
}

// HTMLCards are cards as they're drawn.
func HTMLCards(l *Look, cards []Card) []html.Card {
	return game.Each(cards, func(c Card) html.Card { return HTMLCard(l, c, nil) })
}

// cardLink is the address of the log at a card, for everybody at the table.
func cardLink(l *Look, c Card) string { return l.To(Selection{Entry: c.Seq}.Query()) + "#" + c.ID }

// throwName says what one of a card's throws is for, unless the card's head says it, and whose it is where not all are of who acts.
func throwName(l *Look, c Card, t view.Throw) string {
	var parts []string
	if view.Several(c.Throws) {
		parts = append(parts, cmp.Or(t.Whose, c.Who))
	}
	if id := l.Voice.Game.Word("throw", t.For); l.Has(id) {
		if what := l.Say(id); what != c.Name {
			parts = append(parts, what)
		}
	}
	return html.Joined(parts)
}

// sessionBefore is the session that a card ended, if its dice are open; else 0.
func sessionBefore(l *Look, c Card) int {
	if i := c.Session - 2; i >= 0 && i < len(l.View.Sessions) && l.View.Sessions[i].Secret != "" {
		return l.View.Sessions[i].N
	}
	return 0
}

// takingBack is what the reader may do about a card: "undo", "cancel", "old" for what is too old to be undone, or
// nothing. A game master is offered to undo any move: what stands on it comes
// and goes, and the refusal names it.
func takingBack(l *Look, c Card) string {
	switch {
	case c.Undone != nil:
		return ""
	case c.MayCancel:
		return "cancel"
	case c.TooOld:
		return "old"
	case c.MayUndo || l.Master() && c.Move != "":
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
func mayRepeat(l *Look, c Card) bool {
	m, ok := l.Move(c.Repeat)
	return ok && (c.Actor == "" && len(m.Characters) == 0 || slices.Contains(m.Characters, c.Actor))
}

// again is the address of the composer with a card's move in it.
func again(l *Look, c Card) string {
	query := url.Values{AtAgain: {strconv.FormatUint(c.Seq, 10)}, AtCharacter: {l.At.Character}}
	if c.Secret {
		query.Set(html.Own+"secret", "on")
	}
	return "?" + query.Encode()
}

// luckOf is how lucky a card's outcome was, nil where the reader may not know.
func luckOf(l *Look, c Card) *html.Luck {
	if c.Luck == nil {
		return nil
	}
	return &html.Luck{Chance: l.Percent(c.Luck.Probability), OrBetter: c.Luck.OrBetter}
}
