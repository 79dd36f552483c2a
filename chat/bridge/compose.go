package bridge

import (
	"context"
	"strconv"
	"strings"

	"norn/table/view"
)

// What a place gets is identified by refs: a move ("m12"), an entry ("e15"), a call to those a move
// waits for ("wm12#15"), or an undo of something far above ("u16").

// composer makes the messages of a place, depending on earlier ones.
type composer struct {
	*seating
	tie      *Tie
	delivery *delivery
	coming   []string // refs of the next messages
}

// batches splits new refs into messages: usually one each, but several together if there are many;
// what waits for somebody is always alone.
func (c *composer) batches(ctx context.Context, at *seatView, fresh []string) [][]string {
	var all [][]string
	small := func(ref string) bool { return false }
	if len(fresh) > 1 {
		open := map[string]bool{}
		for _, q := range at.view.Questions {
			open[q.Move] = true
		}
		for _, w := range at.view.Waiting {
			open[w.Move] = true
		}
		flood := len(fresh) > floodFrom
		small = func(ref string) bool {
			if ref[0] == 'm' {
				return flood && !open[ref]
			}
			if flood {
				return true
			}
			m, err := c.messageOf(ctx, at, ref)
			return err == nil && m.Quiet && m.Head == ""
		}
	}
	for _, ref := range fresh {
		n := len(all)
		if n > 0 && len(all[n-1]) < maxJoined && small(ref) && small(all[n-1][0]) {
			all[n-1] = append(all[n-1], ref)
			continue
		}
		all = append(all, []string{ref})
	}
	return all
}

// messageOf returns the message for a ref; empty if the seat sees nothing of it.
func (c *composer) messageOf(ctx context.Context, at *seatView, ref string) (Message, error) {
	if ref[0] == 'm' {
		entries, err := at.seat.EntriesOfMove(ctx, ref)
		if err != nil || len(entries) == 0 {
			return Message{}, err
		}
		return at.move(ref, entries), nil
	}
	if ref[0] == 'w' {
		return c.waitingMessage(ctx, at, ref)
	}
	seq := seqOf(ref)
	entries, err := at.seat.Log(ctx, seq-1, 1)
	if err != nil || len(entries) == 0 || entries[0].Seq != seq {
		return Message{}, err
	}
	if ref[0] == 'u' { // something above was undone
		return at.takenBack(entries[0]), nil
	}
	return at.entry(entries[0]), nil
}

// asksAnew reports whether an entry of a move that was already posted asks a person who plays from
// there: an edited message notifies nobody.
func (s *seatView) asksAnew(e view.Entry) bool {
	if s.tie.Place == "" {
		return false
	}
	for _, q := range e.Questions {
		if q.Open && len(s.calls(q.To, e.Seat.ID)) > 0 {
			return true
		}
	}
	return false
}

// waitingMessage returns the message that notifies those a move waits for. After their answer it
// stays without its button.
func (c *composer) waitingMessage(ctx context.Context, at *seatView, ref string) (Message, error) {
	move, _, _ := strings.Cut(ref[1:], "#")
	m := Message{Quiet: true}
	entries, err := at.seat.EntriesOfMove(ctx, move)
	if err != nil || len(entries) == 0 {
		return m, err
	}
	m.Head = at.move(move, entries[:1]).Head
	newest := true
	later := func(other string) {
		if strings.HasPrefix(other, "w"+move+"#") &&
			seqOf(other[strings.Index(other, "#")+1:]) > seqOf(ref[strings.Index(ref, "#")+1:]) {
			newest = false
		}
	}
	for _, s := range c.delivery.Messages {
		later(s.Refs[0])
	}
	for _, other := range c.coming {
		later(other)
	}
	if newest && entries[0].Undone == nil {
		at.addWaiting(&m, move)
		m.Quiet = len(m.Calls) == 0
	}
	if len(m.Lines) == 0 {
		m.Lines = []Line{{Text: at.say.Say("bridge.went-on"), Weight: Small}}
	}
	return m, nil
}

// takenBack says in a line what was undone.
func (s *seatView) takenBack(e view.Entry) Message {
	what := ""
	if e.Name != "" {
		what = s.word("move", e.Name)
		if e.Character != "" {
			what = s.voice.Name(e.Character) + " · " + what
		}
	}
	text := s.say.Say("bridge.took-back", "Name", e.Seat.Name, "What", what)
	if what == "" {
		text = s.say.Say("bridge.took-back-change", "Name", e.Seat.Name)
	}
	return Message{Lines: []Line{{Text: text, Weight: Small}}, Quiet: true}
}

// messageOfAll returns the message for several refs, as the tie's seat sees them. With anew, it
// leaves out for a person what the channel shows.
func (c *composer) messageOfAll(ctx context.Context, at *seatView, refs []string, anew bool) (Message, error) {
	var (
		whole  Message
		others *seatView
	)
	if anew {
		others = c.beside(ctx, at)
	}
	n := 0
	for _, ref := range refs {
		m, err := c.messageOf(ctx, at, ref)
		if err != nil {
			return Message{}, err
		}
		if m.Empty() {
			continue
		}
		if others != nil {
			theirs, err := c.messageOf(ctx, others, ref)
			if err != nil {
				return Message{}, err
			}
			if saySame(m, theirs) {
				continue
			}
		}
		if n++; n == 1 {
			whole = m
			continue
		}
		if n == 2 {
			whole = Message{Lines: brief(whole), Quiet: whole.Quiet}
		}
		whole.Lines, whole.Quiet = append(whole.Lines, brief(m)...), whole.Quiet && m.Quiet
	}
	return whole, nil
}

// saySame reports whether two seats see the same, apart from who must answer.
func saySame(a, b Message) bool {
	a.Lines, b.Lines = a.settledLines(), b.settledLines()
	return a.plainText() == b.plainText()
}

// settledLines returns the lines without those about waiting.
func (m Message) settledLines() []Line {
	if m.asks > 0 {
		return m.Lines[:m.asks-1]
	}
	return m.Lines
}

// brief returns a message as one or two lines, for a joined message.
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
	return []Line{{Text: clip(text), Weight: weight}}
}

// plainText returns a message's text, for comparison.
func (m Message) plainText() string {
	var b strings.Builder
	b.WriteString(m.Head)
	for _, l := range m.Lines {
		b.WriteString("\n" + strconv.Itoa(int(l.Weight)) + " " + l.Text)
	}
	return b.String()
}

const floodFrom = 4 // floodFrom is the number of new messages from which they're joined.

const maxJoined = 10 // maxJoined limits the refs of one message.
