package page

import (
	"bytes"
	"reflect"
	"sync"

	"norn/lang"
	"norn/web/html"
	"norn/web/middleware"
)

// event is an event of a stream as text, and compressed on demand.
type event struct {
	Text []byte

	once   sync.Once
	packed []byte

	rebased sync.Once
	below   *event
}

// Below returns the event for a server with a base path: its addresses have that prefix.
func (e *event) Below(base middleware.Base) *event {
	if base == "" {
		return e
	}
	e.rebased.Do(func() { e.below = &event{Text: base.Pages(e.Text)} })
	return e.below
}

// Pack returns the event compressed for any stream.
func (e *event) Pack() []byte {
	e.once.Do(func() { e.packed = middleware.Deflate(e.Text) })
	return e.packed
}

// eventCache holds the newest events that have only cards, for all pages that get the same. The key
// is everything that the cards say.
type eventCache struct {
	mu    sync.Mutex
	kept  [64]keptEvent
	newer int
}

type keptEvent struct {
	said saidCards
	*event
}

// saidCards is everything that determines the HTML of cards, except templates and words.
type saidCards struct {
	Seq        uint64
	Lang       lang.Lang
	Zone, Base string
	Named      bool // it has a new entry, not just a changed question
	Cards      []html.Card
}

// Of returns the event for these cards, and calls draw if it isn't cached.
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

// frameEvent returns parts of the page as an event with header lines.
func frameEvent(head string, pieces []byte) *event {
	if len(pieces) == 0 {
		pieces = []byte("<i></i>") // an event without data isn't delivered
	}
	return &event{Text: frameLines([]byte(head), pieces)}
}

// With returns the event with more parts.
func (e *event) With(pieces []byte) *event {
	return &event{Text: frameLines(e.Text[:len(e.Text)-1], pieces)}
}

// frameLines returns an event that begins with begun, has pieces as its data, and its end.
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
