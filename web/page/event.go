package page

import (
	"bytes"
	"reflect"
	"sync"

	"norn/lang"
	"norn/web/html"
	"norn/web/middleware"
)

// event is one of a stream's, as it's written, and packed where a reader takes that.
type event struct {
	Text []byte

	once   sync.Once
	packed []byte

	rebased sync.Once
	below   *event
}

// Below is the event as it's told below a base: its addresses begin with that.
func (e *event) Below(base middleware.Base) *event {
	if base == "" {
		return e
	}
	e.rebased.Do(func() { e.below = &event{Text: base.Pages(e.Text)} })
	return e.below
}

// Pack is the event as it stands in any packed stream.
func (e *event) Pack() []byte {
	e.once.Do(func() { e.packed = middleware.Deflate(e.Text) })
	return e.packed
}

// eventCache keeps the newest events that tell nothing but cards, for all pages that are told the
// same. What they're known by is all that they say: whoever has that has it already.
type eventCache struct {
	mu    sync.Mutex
	kept  [64]keptEvent
	newer int
}

type keptEvent struct {
	said saidCards
	*event
}

// saidCards is all that cards say to a page, beside what templates and words are.
type saidCards struct {
	Seq        uint64
	Lang       lang.Lang
	Zone, Base string
	Named      bool // it's an entry's, not only of what is asked
	Cards      []html.Card
}

// Of is the event that says this, drawn unless it's kept.
func (c *eventCache) Of(what saidCards, draw func() (*event, error)) (*event, error) {
	c.mu.Lock()
	for _, k := range c.kept {
		if k.event != nil && k.said.Seq == what.Seq && k.said.Base == what.Base && reflect.DeepEqual(k.said, what) {
			c.mu.Unlock()
			return k.event, nil
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

// frameEvent is pieces of the page as an event, with what stands before them.
func frameEvent(head string, pieces []byte) *event {
	if len(pieces) == 0 {
		pieces = []byte("<i></i>") // an event without data is none
	}
	return &event{Text: frameLines([]byte(head), pieces)}
}

// With is the event with more pieces.
func (e *event) With(pieces []byte) *event {
	return &event{Text: frameLines(e.Text[:len(e.Text)-1], pieces)}
}

// frameLines is an event that begins so, with pieces as its data, and its end.
func frameLines(begun, pieces []byte) []byte {
	text := make([]byte, 0, len(begun)+len(pieces)+len("data: ")*(1+bytes.Count(pieces, []byte("\n")))+len("\n\n"))
	text = append(text, begun...)
	for line := range bytes.Lines(pieces) {
		text = append(text, "data: "...)
		text = append(text, bytes.TrimRight(line, "\r\n")...)
		text = append(text, '\n')
	}
	return append(text, '\n')
}
