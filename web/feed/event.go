package feed

import (
	"bytes"
	"reflect"
	"sync"

	"norn/lang"
	"norn/web/html"
	"norn/web/middleware"
)

// Event is one of a stream's, as it's written, and packed where a reader takes that.
type Event struct {
	Text []byte

	once   sync.Once
	packed []byte

	rebased sync.Once
	below   *Event
}

// Below is the event as it's told below a base: its addresses begin with that.
func (e *Event) Below(base middleware.Base) *Event {
	if base == "" {
		return e
	}
	e.rebased.Do(func() { e.below = &Event{Text: base.Pages(e.Text)} })
	return e.below
}

// Packed is the event as it stands in any packed stream.
func (e *Event) Packed() []byte {
	e.once.Do(func() { e.packed = middleware.Deflated(e.Text) })
	return e.packed
}

// Cache keeps the newest events that tell nothing but cards, for all pages that are told the same. What they're known
// by is all that they say: whoever has that has it already.
type Cache struct {
	mu    sync.Mutex
	kept  [64]keptEvent
	newer int
}

type keptEvent struct {
	said Cards
	*Event
}

// Cards is all that cards say to a page, beside what templates and words are.
type Cards struct {
	Seq        uint64
	Lang       lang.Lang
	Zone, Base string
	Named      bool // it's an entry's, not only of what is asked
	Cards      []html.Card
}

// Of is the event that says this, drawn unless it's kept.
func (c *Cache) Of(what Cards, draw func() (*Event, error)) (*Event, error) {
	c.mu.Lock()
	for _, k := range c.kept {
		if k.Event != nil && k.said.Seq == what.Seq && k.said.Base == what.Base && reflect.DeepEqual(k.said, what) {
			c.mu.Unlock()
			return k.Event, nil
		}
	}
	c.mu.Unlock()
	e, err := draw()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept[c.newer%len(c.kept)] = keptEvent{what, e}
	c.newer++
	return e, nil
}

// Framed is pieces of the page as an event, with what stands before them.
func Framed(head string, pieces []byte) *Event {
	if len(pieces) == 0 {
		pieces = []byte("<i></i>") // an event without data is none
	}
	return &Event{Text: lined([]byte(head), pieces)}
}

// With is the event with more pieces.
func (e *Event) With(pieces []byte) *Event {
	return &Event{Text: lined(e.Text[:len(e.Text)-1], pieces)}
}

// lined is an event that begins so, with pieces as its data, and its end.
func lined(begun, pieces []byte) []byte {
	text := make([]byte, 0, len(begun)+len(pieces)+len("data: ")*(1+bytes.Count(pieces, []byte("\n")))+len("\n\n"))
	text = append(text, begun...)
	for line := range bytes.Lines(pieces) {
		text = append(text, "data: "...)
		text = append(text, bytes.TrimRight(line, "\r\n")...)
		text = append(text, '\n')
	}
	return append(text, '\n')
}
