package page

import (
	"slices"
	"sync"
	"sync/atomic"

	"norn/lang"
	"norn/web/html"
)

// audience groups pages that receive identical updates: same seat, language, time zone and
// selection. An update is computed, drawn and compressed once for all of them that show the same.
type audience struct {
	by    audienceKey
	pages atomic.Int32           // changed by the holder of the lock of audiences
	sheet atomic.Pointer[string] // the sheet that a page of the seat got last, nil for none; likewise

	mu   sync.Mutex // held while an update is computed
	last transition
}

// audienceKey identifies an audience: its pages are equal in all of these.
type audienceKey struct {
	Seat       string // includes its link
	Speaker    lang.Speaker
	Zone, Base string
	Held       string // the other seats that the browser holds
	At         html.Selection
	Beside     bool // they show only alerts
}

// transition is the event that takes pages from one progress to the next.
type transition struct {
	from, to *progress
	news     batch
	*event   // nil for nothing
}

// audiences has all audiences of this norn.
type audiences struct {
	mu  sync.Mutex
	all map[string][]*audience // by seat
}

// Join returns the audience of a page, which must leave it again.
func (a *audiences) Join(by audienceKey) *audience {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = map[string][]*audience{}
	}
	i := slices.IndexFunc(a.all[by.Seat], func(one *audience) bool { return one.by == by })
	if i < 0 {
		i = len(a.all[by.Seat])
		a.all[by.Seat] = append(a.all[by.Seat], &audience{by: by})
	}
	found := a.all[by.Seat][i]
	found.pages.Add(1)
	return found
}

func (a *audiences) Leave(of *audience) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if of.pages.Add(-1) > 0 {
		return
	}
	left := slices.DeleteFunc(a.all[of.by.Seat], func(one *audience) bool { return one == of })
	if a.all[of.by.Seat] = left; len(left) == 0 {
		delete(a.all, of.by.Seat)
	}
}

// Gave notes the sheet that a page of a seat got, so that its streams send that one.
func (a *audiences) Gave(seat, sheet string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range a.all[seat] {
		one.sheet.Store(&sheet)
	}
}

// Shows returns the character whose sheet the pages show: the one that they got last, otherwise the
// one in their address. A page with another sheet asks for it when it changes.
func (a *audience) Shows(l *html.Look) string {
	if given := a.sheet.Load(); given != nil {
		if _, there := l.View.Character(*given); there {
			return *given
		}
	}
	return l.At.Character
}

// Next returns the event for a page that shows something and what it shows then; nil for no event.
// It calls find unless another page of the audience got the same.
func (a *audience) Next(from *progress, news batch, find func() (*event, *progress, error)) (*event, *progress, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last.from == from && a.last.news.same(news) {
		return a.last.event, a.last.to, nil
	}
	e, to, err := find()
	if err != nil {
		return nil, from, err
	}
	several := a.pages.Load() > 1
	if several && to.equals(a.last.to) { // pages that reached the same state share updates from now on
		to = a.last.to
	}
	if a.last = (transition{}); several {
		a.last = transition{from, to, news, e}
	}
	return e, to, nil
}
