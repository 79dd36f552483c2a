package html

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/table/view"
	"norn/web/fields"
)

// rarest is the chance, three in a thousand, below which a good outcome gets a remark.
const rarest = 0.003

// Card returns the card of an entry from GatherMoves; wrong is an answer to correct.
func (l *Look) Card(e view.Entry, wrong *Reply) Card {
	id := CardID(e)
	d := Card{
		ID: id, Seq: e.Seq, When: e.Time, Link: l.cardLink(e.Seq, id), Agent: e.Seat.Agent,
		Mine: e.Seat.ID == l.View.Seat || l.View.Owns(e.Character), TakeBack: takingBack(e, l.Master()),
		Undone: undoneBy(l.Page, e.Undone),
	}
	if d.Who, d.By = actorOf(l.Voice, e); d.By != "" {
		actor, _ := l.View.Character(e.Character)
		d.Portrait, d.Letters = faceOf(l.Page, actor.Portrait, d.Who)
	}
	session := sessionBegun(l.View, e.Seq)
	switch {
	case e.Kind == view.KindTalk:
		d.Kind, d.Secret, d.Lines = TalkCard, e.Secret, cardLines(l.Voice, e.Lines)
		if e.To != nil {
			d.To = e.To.Name
		}
		if !d.Secret {
			d.Speaker = e.Seat.ID + " " + e.Character
		}
	case MoveOf(e) != "":
		l.drawnMove(&d, e, wrong)
	case session > 0:
		besides := slices.DeleteFunc(linesWithText(e.Lines), func(line view.Line) bool {
			return line.Type == "table.session-ended"
		})
		d.Kind, d.Lines, d.Session = SessionCard, cardLines(l.Voice, besides), session
		d.Past, d.Between = sessionBefore(l.View.Sessions, session), l.View.Role != game.Spectator
	default:
		d.Lines, d.Merge = cardLines(l.Voice, linesWithText(e.Lines)), mergeOf(l.Speaker, e)
		d.Picture, d.SeenBy = pictureOf(e.Lines)
		if d.edits() && d.Merge.Key != "" {
			d.Step = e.Lines[0].Text
		}
		if e.Move != "" {
			d.Shows = l.cardLink(seqOf(e.Move), e.Move)
		}
	}
	return d
}

// Cards returns the cards of entries from GatherMoves. Edits in quick succession become one line.
func (l *Look) Cards(entries []view.Entry, wrong *Reply) []Card {
	cards := game.Each(entries, func(e view.Entry) Card { return l.Card(e, wrong) })
	mergeEdits(cards)
	mergeJoins(l.Speaker, cards)
	mergeTalk(cards)
	return cards
}

// drawnMove fills in a move's card.
func (l *Look) drawnMove(d *Card, e view.Entry, wrong *Reply) {
	d.Kind, d.Move, d.Name, d.Secret = MoveCard, e.Move, l.Voice.Word("move", e.Name), e.Secret
	d.Thrown, d.Checks, d.Lines = len(e.Throws) > 0, e.Check != nil,
		withoutActor(l.Voice, l.View.Characters, e.Character, cardLines(l.Voice, linesWithText(e.Lines)))
	if m, ok := l.Voice.Game.Move(e.Name); ok {
		d.About = l.Voice.ChoicesOf(m.Form.For(form.AtTable), e.Args)
	}
	for _, q := range l.View.Questions {
		if q.Move == e.Move {
			d.Asks = append(d.Asks, l.Question(q, wrong))
		}
	}
	for _, w := range l.View.Waiting {
		if name := l.Whom(w.To); w.Move == e.Move && !slices.Contains(d.Waits, name) {
			d.Waits = append(d.Waits, name)
		}
	}
	d.MayShow = l.Master() && e.Undone == nil && len(d.Asks)+len(d.Waits) == 0
	if hand, norn := view.ThrownBy(e.Throws); hand && !norn { // everything was typed in, so one remark is enough
		d.About = append(slices.Clip(d.About), l.Say("web.log.by-hand"))
	}
	d.Again = l.again(e)
	drawnThrows(l.Voice, d, e)
	d.Texts = textsOf(l.Page, l.View.Characters, e)
	for _, o := range l.View.Offers {
		if o.From == e.Move {
			d.Offers = append(d.Offers, o)
		}
	}
}

// drawnThrows fills in a move's outcome and dice.
func drawnThrows(v fields.Voice, d *Card, e view.Entry) {
	all := game.Each(e.Throws, func(t view.Throw) Throw {
		return Throw{Dice: diceOf(t, e.Lines), By: thrownBy(v.Speaker, e.Throws, t), Name: throwName(v, d, e.Throws, t)}
	})
	d.Outcome, d.Throws = e.Outcome, all
	if e.Outcome == nil {
		return
	}
	if e.Luck != nil && e.Luck.Probability <= rarest {
		d.Rare = e.Luck
	}
	// the actor's first throw, unless it's hidden
	if d.Thrown && e.Throws[0].N == 0 && e.Throws[0].Whose == "" {
		d.Dice, d.Throws = &all[0], all[1:]
		if len(d.Throws) == 0 { // only one of several throws needs its purpose
			d.Dice.Name = ""
		}
	}
}

// thrownBy says who rolled one of a card's throws, "" if it's the same for all of them.
func thrownBy(s lang.Speaker, all []view.Throw, t view.Throw) string {
	switch hand, norn := view.ThrownBy(all); {
	case !hand || !norn:
		return ""
	case t.Hand:
		return s.Say("web.log.by-hand")
	}
	return s.Say("web.log.by-norn")
}

// cardLines returns lines for a card.
func cardLines(v fields.Voice, all []view.Line) []Line {
	return game.Each(all, func(line view.Line) Line {
		drawn := Line{Type: line.Type, Text: line.Text, Outcome: line.Outcome}
		if line.Outcome != nil && line.Outcome.Character != "" {
			drawn.Who = v.Name(line.Outcome.Character)
		}
		return drawn
	})
}

// withoutActor removes the actor's name from the beginning of a card's lines, because the card's
// head has it. If another character has the same name, it stays.
func withoutActor(v fields.Voice, all []view.CharacterShown, actor string, lines []Line) []Line {
	name := v.Name(actor)
	if actor == "" || slices.ContainsFunc(all, func(c view.CharacterShown) bool {
		return c.ID != actor && c.Name == name
	}) {
		return lines
	}
	for i := range lines {
		if rest, ok := strings.CutPrefix(lines[i].Text, name+": "); ok {
			first, size := utf8.DecodeRuneInString(rest)
			lines[i].Text = string(unicode.ToUpper(first)) + rest[size:]
		}
	}
	return lines
}

// throwName returns what a throw of a card is for, unless the card's head says it, and who rolled
// it if not all are the actor's.
func throwName(v fields.Voice, d *Card, all []view.Throw, t view.Throw) string {
	var parts []string
	if view.Several(all) {
		parts = append(parts, cmp.Or(t.Whose, d.Who))
	}
	if id := v.Game.Word("throw", t.For); v.Has(id) {
		if what := v.Say(id); what != d.Name {
			parts = append(parts, what)
		}
	}
	return JoinTexts(parts)
}

// sessionBefore returns the session before one, if its secret is opened, otherwise 0.
func sessionBefore(ended []view.Session, session int) int {
	if i := session - 2; i >= 0 && i < len(ended) && ended[i].Secret != "" {
		return ended[i].N
	}
	return 0
}

// takingBack returns how a player, or a game master, may undo a card: "undo", "cancel", "old" if it's too old, or
// "". Game masters get the button for any move: whether later changes depend on it varies, and the
// refusal names them.
func takingBack(e view.Entry, master bool) string {
	switch {
	case e.Undone != nil || e.Kind == view.KindTalk:
		return ""
	case MoveOf(e) != "" && e.MayCancel:
		return "cancel"
	case e.TooOld:
		return "old"
	case e.MayUndo || master && MoveOf(e) != "":
		return "undo"
	}
	return ""
}

// undoneBy says who undid a card, and when; "" for nobody.
func undoneBy(p Page, u *view.Undone) string {
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
	return p.Say(word, "Name", u.Seat.Name, "Time", p.TimeOf(u.Time))
}

// again returns the address of the composer with a card's move in it, "" if the reader can't make it
// again.
func (l *Look) again(e view.Entry) string {
	m, ok := l.Move(e.Name)
	switch {
	case e.Args == nil: // arguments are incomplete
		return ""
	case !ok || e.Character != "" && len(m.Characters) == 0 || !makes(m, e.Character):
		return ""
	}
	query := url.Values{AtAgain: {strconv.FormatUint(e.Seq, 10)}, AtCharacter: {l.At.Character}}
	if e.Secret {
		query.Set(Own+"secret", "on")
	}
	return "?" + query.Encode()
}
