package play

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"sync"

	"norn/lang"
	"norn/web/door"
	"norn/web/html"
)

// event is one of a stream's, as it's written, and packed where a reader takes that.
type event struct {
	text []byte

	once   sync.Once
	packed []byte
}

// inPacked is the event as it stands in any packed stream.
func (e *event) inPacked() []byte {
	e.once.Do(func() { e.packed = door.Deflated(e.text) })
	return e.packed
}

// drawnOnce keeps the newest events that tell nothing but cards, for all pages that are told the same. What they're known
// by is all that they say: whoever has that has it already.
type drawnOnce struct {
	mu    sync.Mutex
	kept  [64]keptEvent
	newer int
}

type keptEvent struct {
	said told
	*event
}

// told is all that cards say to a page, beside what templates and words are.
type told struct {
	seq        uint64
	lang       lang.Lang
	zone, base string
	named      bool // it's an entry's, not only of what is asked
	cards      []html.Card
}

// of is the event that says this, drawn unless it's kept.
func (d *drawnOnce) of(what told, draw func() (*event, error)) (*event, error) {
	d.mu.Lock()
	for _, k := range d.kept {
		if k.event != nil && k.said.seq == what.seq && k.said.base == what.base && reflect.DeepEqual(k.said, what) {
			d.mu.Unlock()
			return k.event, nil
		}
	}
	d.mu.Unlock()
	e, err := draw()
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kept[d.newer%len(d.kept)] = keptEvent{what, e}
	d.newer++
	return e, nil
}

// framed is pieces of the page as an event, with what stands before them.
func framed(head string, pieces []byte) *event {
	if len(pieces) == 0 {
		pieces = []byte("<i></i>") // an event without data is none
	}
	b := bytes.NewBufferString(head)
	for line := range bytes.Lines(pieces) {
		b.WriteString("data: ")
		b.Write(bytes.TrimRight(line, "\r\n"))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return &event{text: b.Bytes()}
}

// cardsEvent is an event of nothing but cards, drawn for all that are told the same; where they ask something it's for one seat.
func (v *visit) cardsEvent(ctx context.Context, head string, said told) (*event, error) {
	draw := func() (*event, error) {
		var b bytes.Buffer
		if err := html.LogAgain(v.Page, said.cards).Render(ctx, &b); err != nil {
			return nil, err
		}
		return framed(head, b.Bytes()), nil
	}
	if len(said.cards) == 0 || slices.ContainsFunc(said.cards, func(c html.Card) bool { return len(c.Asks) > 0 }) {
		return draw()
	}
	return v.s.drawn.of(said, draw)
}
