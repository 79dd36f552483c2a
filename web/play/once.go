package play

import (
	"bytes"
	"context"
	"reflect"
	"sync"

	"norn/lang"
	"norn/web/door"
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
	said news
	*event
}

// news is all that cards say to a page, beside what templates and words are.
type news struct {
	seq        uint64
	lang       lang.Lang
	zone, base string
	named      bool // it's an entry's, not only of what is asked
	cards      []cardSaid
}

// cardSaid is a card with what it asks of the view.
type cardSaid struct {
	card  card
	take  string // what is offered to take it back
	again string // where it's made again
	shows bool   // it may be shown to all
	names []string
}

// says is what cards say to the page; false where they ask something, which is for one seat.
func (v *visit) says(seq uint64, named bool, cards []card) (news, bool) {
	all := news{seq: seq, lang: v.Lang(), zone: v.Zone.String(), base: v.base, named: named}
	for _, c := range cards {
		one := cardSaid{card: c, take: v.takingBack(c), shows: v.master()}
		if v.mayRepeat(c) {
			one.again = v.again(c)
		}
		for _, line := range c.Lines {
			if line.Outcome != nil {
				one.names = append(one.names, v.voice.Name(line.Outcome.Character))
			}
		}
		if len(c.Questions) > 0 || c.Session > 0 {
			return news{}, false
		}
		all.cards = append(all.cards, one)
	}
	return all, len(cards) > 0
}

// of is the event that says this, drawn unless it's kept.
func (d *drawnOnce) of(what news, draw func() (*event, error)) (*event, error) {
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

// cardsEvent draws an event of nothing but cards.
func (v *visit) cardsEvent(ctx context.Context, head string, cards []card) (*event, error) {
	var b bytes.Buffer
	if err := v.logAgain(cards).Render(ctx, &b); err != nil {
		return nil, err
	}
	return framed(head, b.Bytes()), nil
}
