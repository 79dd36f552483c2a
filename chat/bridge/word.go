package bridge

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/table"
	"norn/table/view"
)

// Bounds of a message.
const (
	mostLines = 16  // that came of one thing
	mostDice  = 40  // faces of one throw
	mostText  = 900 // characters of a line: what somebody says may be long
)

// sight is one look at a table by a tie's seat.
type sight struct {
	tie   *Tie
	seat  *table.Seat
	view  *view.View
	voice game.Voice
	say   lang.Speaker // in the game's own terms

	calls    func(to string) []string       // persons who play whom a question is for
	callsBut func(to, seat string) []string // without those of a seat
}

// looking looks at a table as a tie's seat sees it.
func (b *Bridge) looking(ctx context.Context, t *Tie, seat *table.Seat) (*sight, error) {
	s := &sight{tie: t, seat: seat, say: b.speaker(t.Lang).Of(seat.Game().ID)}
	err := seat.Still(ctx, func(still *table.Seat) (err error) {
		if s.view, err = still.View(ctx); err == nil {
			s.voice, err = still.Voice(ctx)
		}
		return err
	})
	s.voice.Game = seat.Game().ID
	s.calls = func(to string) []string { return b.calls(t, s.view, to, "") }
	s.callsBut = func(to, seat string) []string { return b.calls(t, s.view, to, seat) }
	return s, err
}

// me is the seat's name.
func (s *sight) me() string {
	for _, seat := range s.view.Seats {
		if seat.You {
			return seat.Name
		}
	}
	return ""
}

// calls are the persons of a tie's platform who play whom a question is for.
func (b *Bridge) calls(t *Tie, v *view.View, to, but string) []string {
	var seats []string
	if to == game.GM {
		for _, seat := range v.Seats {
			if seat.Role == game.Master {
				seats = append(seats, seat.ID)
			}
		}
	} else {
		for _, c := range v.Characters {
			if c.ID == to && c.Owner != "" {
				seats = append(seats, c.Owner)
			}
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var persons []string
	for _, other := range b.ties {
		if other.Person != "" && other.Ended == "" && other.Platform == t.Platform && other.Table == t.Table && slices.Contains(seats, other.Seat) && other.Seat != but {
			persons = append(persons, other.Person)
		}
	}
	slices.Sort(persons)
	return persons
}

// untold are kinds of entries that a chat isn't told of: they're told elsewhere, or are nobody's business there.
var untold = []string{view.KindShare, view.KindNote, view.KindStar, view.KindAttached, view.KindOpened}

// whom names who must answer a question.
func (s *sight) whom(to string) string {
	if to == game.GM {
		return s.say.Say("bridge.gm")
	}
	return s.voice.Name(to)
}

// move is the message of a move, by all its entries that the seat sees.
func (s *sight) move(id string, entries []view.Entry) Message {
	first := entries[0]
	who := first.Seat.Name
	if first.Character != "" {
		who = s.voice.Name(first.Character)
	}
	m := Message{Head: who + " · " + s.say.Say(s.seat.Game().Word("move", first.Name)), Link: s.tie.Link + "#" + id, LinkText: s.say.Say("bridge.in-log")}
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
			m.Lines = append(m.Lines, Line{Text: clipped(strings.Join(chosen, " · ")), Weight: Small})
		}
	}
	several := view.Several(throws)
	for _, t := range throws {
		m.Lines = append(m.Lines, Line{Text: s.thrown(t, several, who)})
	}
	if outcome != nil {
		m.Lines = append(m.Lines, Line{Text: outcome.Text, Weight: Strong})
	}
	more := 0
	for _, l := range lines {
		if l.Text == "" {
			continue
		}
		if len(m.Lines) >= mostLines {
			more++
			continue
		}
		m.Lines = append(m.Lines, Line{Text: clipped(l.Text)})
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
	s.waits(&m, id)
	return m
}

// waits adds what a move waits for: for whose seat this is the question itself, for others whom it waits for, and how that one answers.
func (s *sight) waits(m *Message, move string) {
	m.asks = len(m.Lines) + 1
	for _, q := range s.view.Questions {
		if q.Move != move || !q.Mine {
			continue
		}
		asked := s.question(q)
		if len(m.Controls)+len(asked.Controls) > mostRows {
			break
		}
		m.Lines, m.Controls = append(m.Lines, asked.Lines...), append(m.Controls, asked.Controls...)
		if s.tie.Person != "" {
			m.Calls = []string{s.tie.Person}
		}
	}
	var names, calls []string
	for _, w := range s.view.Waiting {
		if name := s.whom(w.To); w.Move == move && !slices.Contains(names, name) {
			names, calls = append(names, name), append(calls, s.calls(w.To)...)
		}
	}
	if len(names) == 0 {
		return
	}
	m.Lines = append(m.Lines, Line{Text: s.say.Say("bridge.waits", "Names", names)})
	if s.tie.Place != "" {
		m.Controls = append(m.Controls, []Control{{ID: joinID("ask", short(8, s.tie.Table), move), Label: s.say.Say("bridge.answer"), Main: true}})
		m.Calls = append(m.Calls, calls...)
	}
}

// thrown are a throw's faces: those that decide in brackets, those that don't count in parentheses.
func (s *sight) thrown(t view.Throw, several bool, who string) string {
	var b strings.Builder
	b.WriteString("🎲 ")
	if several {
		b.WriteString(cmp.Or(t.Whose, who) + " · ")
	}
	if id := s.seat.Game().Word("throw", t.For); s.say.Has(id) {
		b.WriteString(s.say.Say(id) + ": ")
	}
	for i, face := range t.Faces {
		if i == mostDice {
			b.WriteString(" …")
			break
		}
		if i > 0 {
			b.WriteString("  ")
		}
		text := strconv.Itoa(face)
		if i < len(t.Marks) {
			switch {
			case t.Marks[i].Decides():
				text = "[" + text + "]"
			case t.Marks[i] == game.Cancelled:
				text = "(" + text + ")"
			}
		}
		b.WriteString(text)
	}
	if t.Hand {
		b.WriteString(" · " + s.say.Say("bridge.by-hand"))
	}
	return b.String()
}

// entry is the message of an entry that is no move's; empty where it tells nothing.
func (s *sight) entry(e view.Entry) Message {
	if e.Kind == view.KindTalk {
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
			m.Lines = append(m.Lines, Line{Text: clipped(l.Text), Weight: Quoted})
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
		if l.Text != "" && len(m.Lines) < mostLines {
			m.Lines = append(m.Lines, Line{Text: clipped(l.Text), Weight: weight})
		}
	}
	if len(m.Lines) > 0 && (e.Kind == view.KindPicture || e.Kind == view.KindHandout) {
		m.Link, m.LinkText = s.tie.Link, s.say.Say("bridge.open")
	}
	return m
}

// brief is a message in one or two lines, to stand among others.
func brief(m Message) []Line {
	if m.Head == "" {
		return m.Lines
	}
	var strong, rest []string
	weight := Plain
	for _, l := range m.Lines {
		switch l.Weight {
		case Struck:
			weight = Struck
			strong = append(strong, l.Text)
		case Strong:
			strong = append(strong, l.Text)
		case Quoted:
			rest = append(rest, l.Text)
			weight = Quoted
		case Plain:
			if !strings.HasPrefix(l.Text, "🎲") {
				rest = append(rest, l.Text)
			}
		}
	}
	text := m.Head
	if all := append(strong, rest...); len(all) > 0 {
		text += ": " + strings.Join(all, "; ")
	}
	return []Line{{Text: clipped(text), Weight: weight}}
}

func clipped(text string) string {
	runes := []rune(text)
	if len(runes) <= mostText {
		return text
	}
	return string(runes[:mostText]) + "…"
}

// plain is what a message says, to be compared with another.
func (m Message) plain() string {
	var b strings.Builder
	b.WriteString(m.Head)
	for _, l := range m.Lines {
		b.WriteString("\n" + strconv.Itoa(int(l.Weight)) + " " + l.Text)
	}
	return b.String()
}
