package bridge

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/table/view"
)

// Limits of a message.
const (
	maxLines = 16 // lines of one item
	maxDice  = 40 // faces of one throw
)

// unshown lists kinds of entries that chats don't show: they're shown elsewhere, or aren't of
// interest there.
var unshown = []string{view.KindShare, view.KindNote, view.KindStar, view.KindAttached, view.KindOpened}

// move returns the message of a move, from all its entries that the seat sees.
func (s *seatView) move(id string, entries []view.Entry) Message {
	first := entries[0]
	who := first.Seat.Name
	if first.Character != "" {
		who = s.voice.Name(first.Character)
	}
	m := Message{
		Head: who + " · " + s.word("move", first.Name), Link: s.tie.Link + "#" + id,
		LinkText: s.say.Say("bridge.in-log"),
	}
	var (
		throws         []view.Throw
		lines          []view.Line
		outcome        *view.Outcome
		undone         *view.Undone
		secret, agents bool
	)
	for _, e := range entries {
		if e.Kind == view.KindShown || e.Undoes > 0 {
			continue
		}
		throws, lines = append(throws, e.Throws...), append(lines, e.Lines...)
		if e.Outcome != nil {
			outcome = e.Outcome
		}
		undone, secret, agents = e.Undone, secret || e.Secret, agents || e.Seat.Agent
	}
	if def, ok := s.seat.Game().Move(first.Name); ok && first.Args != nil {
		if chosen := s.seat.Game().Choices(s.voice, def.Form.For(form.AtTable), first.Args); len(chosen) > 0 {
			m.Lines = append(m.Lines, Line{Text: clip(strings.Join(chosen, " · ")), Weight: Small})
		}
	}
	for _, t := range throws {
		m.Lines = append(m.Lines, Line{Text: s.throwLine(t, throws, who)})
	}
	if outcome != nil {
		m.Lines = append(m.Lines, Line{Text: outcome.Text, Weight: Strong})
	}
	more := 0
	for _, l := range lines {
		if l.Text == "" {
			continue
		}
		if len(m.Lines) >= maxLines {
			more++
			continue
		}
		m.Lines = append(m.Lines, Line{Text: clip(l.Text)})
	}
	if more > 0 {
		m.Lines = append(m.Lines, Line{Text: s.say.Say("bridge.more", "N", more), Weight: Small})
	}
	if agents {
		m.Lines = append(m.Lines, Line{Text: s.say.Say("bridge.agent"), Weight: Small})
	}
	if secret {
		m.Lines = append(m.Lines, Line{Text: s.say.Say("bridge.secret"), Weight: Small})
	}
	if undone != nil {
		for i := range m.Lines {
			if m.Lines[i].Weight != Small {
				m.Lines[i].Weight = Struck
			}
		}
		word := "bridge.undone"
		if undone.Cancelled {
			word = "bridge.cancelled"
		}
		m.Lines = append(m.Lines, Line{Text: s.say.Say(word, "Name", undone.Seat.Name), Weight: Small})
		return m
	}
	s.addOffers(&m, id)
	s.addWaiting(&m, id)
	return m
}

// addOffers adds the offers of a move that the seat may take.
func (s *seatView) addOffers(m *Message, move string) {
	for _, o := range s.view.Offers {
		if o.From != move || len(m.Controls) == maxRows {
			continue
		}
		m.Controls = append(m.Controls,
			[]Control{{ID: joinID("take", shortHash(8, s.tie.Table), o.ID), Label: clip(o.Text)}})
	}
}

// addWaiting adds what a move waits for: for the seat the question itself, for others who must
// answer, with a button for that person.
func (s *seatView) addWaiting(m *Message, move string) {
	m.asks = len(m.Lines) + 1
	for _, q := range s.view.Questions {
		if q.Move != move || !q.Mine {
			continue
		}
		asked := s.question(q)
		if len(m.Controls)+len(asked.Controls) > maxRows {
			break
		}
		m.Lines, m.Controls = append(m.Lines, asked.Lines...), append(m.Controls, asked.Controls...)
		if s.tie.Person != "" {
			m.Calls = []Person{{ID: s.tie.Person, Name: s.tie.Name}}
		}
	}
	var names []string
	var calls []Person
	for _, w := range s.view.Waiting {
		if name := s.whom(w.To); w.Move == move && !slices.Contains(names, name) {
			names, calls = append(names, name), append(calls, s.calls(w.To, "")...)
		}
	}
	if len(names) == 0 {
		return
	}
	m.Lines = append(m.Lines, Line{Text: s.say.Say("bridge.waits", "Names", names)})
	if s.tie.Place != "" {
		m.Controls = append(m.Controls,
			[]Control{{
				ID: joinID("ask", shortHash(8, s.tie.Table), move), Label: s.say.Say("bridge.answer"),
				Main: true,
			}})
		m.Calls = append(m.Calls, calls...)
	}
}

// throwLine returns one of several throws: who rolled it if that isn't obvious, its purpose and its
// faces.
func (s *seatView) throwLine(t view.Throw, all []view.Throw, who string) string {
	var b strings.Builder
	b.WriteString("🎲 ")
	if view.Several(all) {
		b.WriteString(cmp.Or(t.Whose, who) + " · ")
	}
	if id := s.seat.Game().Word("throw", t.For); s.say.Has(id) {
		b.WriteString(s.say.Say(id) + ": ")
	}
	b.WriteString(cmp.Or(t.Rule().TotalText(), faces(t.Faces, t.Shown, t.Marks)))
	switch hand, _ := view.ThrownBy(all); {
	case t.Hand:
		b.WriteString(" · " + s.say.Say("bridge.by-hand"))
	case hand:
		b.WriteString(" · " + s.say.Say("bridge.by-norn"))
	}
	return b.String()
}

// faces returns faces as text: those that decide in brackets, those that don't count in
// parentheses.
func faces(all []int, shown []string, marks []game.Mark) string {
	var texts []string
	for i, face := range all[:min(len(all), maxDice)] {
		text := strconv.Itoa(face)
		if i < len(shown) {
			text = shown[i]
		}
		switch {
		case i >= len(marks):
		case marks[i].Decides():
			text = "[" + text + "]"
		case marks[i] == game.Cancelled:
			text = "(" + text + ")"
		}
		texts = append(texts, text)
	}
	if len(all) > maxDice {
		texts = append(texts, "…")
	}
	return strings.Join(texts, "  ")
}

// entry returns the message of an entry that isn't of a move; empty if it has nothing to show.
func (s *seatView) entry(e view.Entry) Message {
	if e.Kind == view.KindTalk {
		if e.To != nil && s.tie.Place != "" { // many read there
			return Message{}
		}
		m := Message{Head: e.Seat.Name}
		if e.Character != "" {
			m.Head = s.voice.Name(e.Character)
		}
		switch {
		case e.To != nil:
			m.Head = s.say.Say("bridge.whispers", "Name", m.Head, "To", e.To.Name)
		case e.Secret:
			m.Head = s.say.Say("bridge.to-gm", "Name", m.Head)
		}
		if e.Seat.Agent {
			m.Head += " · " + s.say.Say("bridge.by-agent")
		}
		for _, l := range e.Lines {
			m.Lines = append(m.Lines, Line{Text: clip(l.Text), Weight: Quoted})
		}
		return m
	}
	m := Message{Quiet: true}
	weight := Small
	switch e.Kind {
	case view.KindX:
		weight, m.Quiet = Strong, false
	case view.KindSession, view.KindPicture, view.KindHandout, view.KindCall, view.KindPlanned:
		weight, m.Quiet = Plain, false
	}
	if e.Undone != nil {
		weight = Struck
	}
	for _, l := range e.Lines {
		if l.Text != "" && len(m.Lines) < maxLines {
			m.Lines = append(m.Lines, Line{Text: clip(l.Text), Weight: weight})
		}
	}
	if len(m.Lines) > 0 && (e.Kind == view.KindPicture || e.Kind == view.KindHandout) {
		m.Link, m.LinkText = s.tie.Link, s.say.Say("bridge.open")
	}
	return m
}

func textMessage(text string) Message { return Message{Lines: []Line{{Text: text}}} }

func aloneAnswer(text string) Answer { return Answer{Message: textMessage(text), Alone: true} }
