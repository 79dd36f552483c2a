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
	"norn/table/view"
)

// rarest is the chance, three in a thousand, below which a good outcome gets a remark.
const rarest = 0.003

// Card returns the card of an entry from GatherMoves; wrong is an answer to correct.
func (l *Look) Card(e view.Entry, wrong *Reply) Card {
	id := CardID(e)
	d := Card{
		ID: id, Seq: e.Seq, When: e.Time, Link: l.cardLink(e.Seq, id), Agent: e.Seat.Agent, Mine: l.did(e),
		Take: TakeBack{Do: l.takingBack(e), Most: view.MostTouches}, Undone: undoneBy(l.Page, e.Undone),
	}
	if d.Who, d.By = l.actor(e); d.By != "" {
		d.Face = l.faceOf(e.Character)
	}
	session := l.sessionBegun(e.Seq)
	switch {
	case e.Kind == view.KindTalk:
		d.Kind, d.Secret, d.Lines = TalkCard, e.Secret, l.linesOf(e.Lines)
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
		d.Kind, d.Lines, d.Session = SessionCard, l.linesOf(besides), &SessionHead{
			N: session, Past: l.sessionBefore(session), Between: l.View.Role != game.Spectator,
		}
	default:
		d.Lines, d.Edit, d.Join, d.Picture = l.linesOf(linesWithText(e.Lines)), edit(e), l.join(e), l.pictureOf(e.Lines)
		if d.Edit != nil && d.Edit.Key != "" {
			d.Take.Step = e.Lines[0].Text
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
	l.mergeJoins(cards)
	mergeTalk(cards)
	return cards
}

// drawnMove fills in a move's card.
func (l *Look) drawnMove(d *Card, e view.Entry, wrong *Reply) {
	d.Kind, d.Move, d.Name, d.Secret = MoveCard, e.Move, l.Voice.Word("move", e.Name), e.Secret
	d.Thrown, d.Checks, d.Lines = len(e.Throws) > 0, e.Check != nil,
		l.withoutActor(e.Character, l.linesOf(linesWithText(e.Lines)))
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
	if l.mayRepeat(e) {
		d.Again = l.again(e)
	}
	l.drawnThrows(d, e)
	d.Texts = l.textsOf(e)
	for _, o := range l.View.Offers {
		if o.From == e.Move {
			d.Offers = append(d.Offers, Offer{ID: o.ID, Text: o.Text})
		}
	}
}

// drawnThrows fills in a move's outcome and dice.
func (l *Look) drawnThrows(d *Card, e view.Entry) {
	rest := e.Throws
	d.Outcome = e.Outcome
	if e.Outcome != nil {
		if e.Luck != nil && e.Luck.Probability <= rarest {
			d.Rare = e.Luck
		}
		// the actor's first throw, unless it's hidden
		if d.Thrown && rest[0].N == 0 && rest[0].Whose == "" {
			d.Dice = &Dice{Dice: diceOf(rest[0], e.Lines), By: l.by(e, rest[0])}
			if rest = rest[1:]; len(rest) > 0 { // one of several throws needs its purpose
				d.Called = l.throwName(d, e, e.Throws[0])
			}
		}
	}
	for _, t := range rest {
		d.Throws = append(d.Throws, Throw{
			Dice: Dice{Dice: diceOf(t, e.Lines), By: l.by(e, t)},
			Name: l.throwName(d, e, t),
		})
	}
}

// by says who rolled a throw of a card, "" if it's the same for all of them.
func (l *Look) by(e view.Entry, t view.Throw) string {
	switch hand, norn := view.ThrownBy(e.Throws); {
	case !hand || !norn:
		return ""
	case t.Hand:
		return l.Say("web.log.by-hand")
	}
	return l.Say("web.log.by-norn")
}

// linesOf returns lines for a card.
func (l *Look) linesOf(all []view.Line) []Line {
	return game.Each(all, func(line view.Line) Line {
		drawn := Line{Type: line.Type, Text: line.Text, Outcome: line.Outcome}
		if line.Outcome != nil && line.Outcome.Character != "" {
			drawn.Who = l.Voice.Name(line.Outcome.Character)
		}
		return drawn
	})
}

// withoutActor removes the actor's name from the beginning of a card's lines, because the card's
// head has it. If another character has the same name, it stays.
func (l *Look) withoutActor(actor string, lines []Line) []Line {
	name := l.Voice.Name(actor)
	if actor == "" || slices.ContainsFunc(l.View.Characters, func(c view.CharacterShown) bool {
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

// cardLink returns the address of a card in the log, for everybody at the table.
func (l *Look) cardLink(seq uint64, id string) string {
	return l.To(Selection{Entry: seq}.Query()) + "#" + id
}

// throwName returns what a throw of a card is for, unless the card's head says it, and who rolled
// it if not all are the actor's.
func (l *Look) throwName(d *Card, e view.Entry, t view.Throw) string {
	var parts []string
	if view.Several(e.Throws) {
		parts = append(parts, cmp.Or(t.Whose, d.Who))
	}
	if id := l.Voice.Game.Word("throw", t.For); l.Has(id) {
		if what := l.Say(id); what != d.Name {
			parts = append(parts, what)
		}
	}
	return JoinTexts(parts)
}

// sessionBefore returns the session before one, if its secret is opened, otherwise 0.
func (l *Look) sessionBefore(session int) int {
	if i := session - 2; i >= 0 && i < len(l.View.Sessions) && l.View.Sessions[i].Secret != "" {
		return l.View.Sessions[i].N
	}
	return 0
}

// takingBack returns how the reader may undo a card: "undo", "cancel", "old" if it's too old, or
// "". Game masters get the button for any move: whether later changes depend on it varies, and the
// refusal names them.
func (l *Look) takingBack(e view.Entry) string {
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

// mayRepeat reports whether the reader could make a card's move again.
func (l *Look) mayRepeat(e view.Entry) bool {
	if e.Args == nil { // arguments are incomplete
		return false
	}
	m, ok := l.Move(e.Name)
	return ok && (e.Character == "" && len(m.Characters) == 0 || slices.Contains(m.Characters, e.Character))
}

// again returns the address of the composer with a card's move in it.
func (l *Look) again(e view.Entry) string {
	query := url.Values{AtAgain: {strconv.FormatUint(e.Seq, 10)}, AtCharacter: {l.At.Character}}
	if e.Secret {
		query.Set(Own+"secret", "on")
	}
	return "?" + query.Encode()
}
