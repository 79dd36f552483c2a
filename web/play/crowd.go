package play

import (
	"bytes"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"norn/lang"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
	"norn/web/present"
)

// crowd are the pages that see the same: those of one seat in one language, with one clock and the same choices in their
// address. What one of them is told is found, drawn and packed once for all that stand where it stood.
type crowd struct {
	by    alike
	pages atomic.Int32           // changed by who holds crowds
	sheet atomic.Pointer[string] // that a page of the seat was given last, nil for none; likewise

	mu     sync.Mutex // held while something is found for it
	newest *standing
	told   [4]telling // where there are several pages
	tells  int
}

// alike is what pages have in common that see the same.
type alike struct {
	seat       string // with its link
	speaker    lang.Speaker
	zone, base string
	held       string // which seats the browser holds besides
	at         present.Choice
	beside     bool // they follow nothing but an X-card
}

// telling is what pages were told that stood somewhere when something came.
type telling struct {
	from, to *standing
	came     arrived
	*event   // nil for nothing
}

// crowds are all of them that there are.
type crowds struct {
	mu  sync.Mutex
	all map[string][]*crowd // by seats
}

// join finds the crowd of a page, which leaves it again.
func (c *crowds) join(by alike) *crowd {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[string][]*crowd{}
	}
	i := slices.IndexFunc(c.all[by.seat], func(one *crowd) bool { return one.by == by })
	if i < 0 {
		i = len(c.all[by.seat])
		c.all[by.seat] = append(c.all[by.seat], &crowd{by: by})
	}
	found := c.all[by.seat][i]
	found.pages.Add(1)
	return found
}

func (c *crowds) leave(of *crowd) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if of.pages.Add(-1) > 0 {
		return
	}
	left := slices.DeleteFunc(c.all[of.by.seat], func(one *crowd) bool { return one == of })
	if c.all[of.by.seat] = left; len(left) == 0 {
		delete(c.all, of.by.seat)
	}
}

// gave notes that a page of a seat was given a sheet, so that its streams tell that one.
func (c *crowds) gave(seat, sheet string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.all[seat] {
		one.sheet.Store(&sheet)
	}
}

// shows is whose sheet the pages are told: what they were given last, else what their address says. One that shows another asks
// for it when it has changed.
func (c *crowd) shows(l *present.Look) string {
	if given := c.sheet.Load(); given != nil {
		if _, there := l.Character(*given); there {
			return *given
		}
	}
	return l.At.Character
}

// next is what a page that stands somewhere is told of what came, nil for nothing, and where it stands then: found, unless
// another page of the crowd was told the same.
func (c *crowd) next(from *standing, came arrived, find func() (*event, *standing, error)) (*event, *standing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.told {
		if t.from == from && t.came.same(came) {
			return t.event, t.to, nil
		}
	}
	e, to, err := find()
	if err != nil {
		return nil, from, err
	}
	if to.equals(c.newest) {
		to = c.newest
	}
	c.newest = to
	if c.pages.Load() > 1 {
		c.told[c.tells%len(c.told)] = telling{from, to, came, e}
		c.tells++
	}
	return e, to, nil
}

// arrived is what has come to a stream since the last time.
type arrived struct {
	ids     []string    // of cards that have changed
	beneath []string    // of cards that may or mayn't be undone any more
	seq     uint64      // up to which all was told; 0 for nothing that is in the journal
	played  bool        // what this session came to may be other
	hidden  bool        // so may be what was done in secret
	taken   bool        // a picture was taken back
	anew    bool        // the table is played by another edition now
	only    *view.Entry // that came, where it's one
	n       int
}

// same tells whether all of it is.
func (a arrived) same(b arrived) bool {
	return a.seq == b.seq && a.n == b.n && a.played == b.played && a.hidden == b.hidden && slices.Equal(a.ids, b.ids) && slices.Equal(a.beneath, b.beneath)
}

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
	return &event{text: lined([]byte(head), pieces)}
}

// with is the event with more pieces.
func (e *event) with(pieces []byte) *event {
	return &event{text: lined(e.text[:len(e.text)-1], pieces)}
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
