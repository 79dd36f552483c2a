package page

import (
	"net/url"
	"slices"
	"sync"
	"sync/atomic"

	"norn/lang"
	"norn/web/html"
)

// audience are the pages that see the same: those of one seat in one language, with one clock and
// the same choices in their address. What one of them is told is found, drawn and packed once for
// all that stand where it stood.
type audience struct {
	by    audienceKey
	pages atomic.Int32              // changed by who holds audiences
	sheet atomic.Pointer[string]    // that a page of the seat was given last, nil for none; likewise
	form  atomic.Pointer[shownForm] // likewise

	mu   sync.Mutex // held while something is found for it
	last transition
}

// shownForm is the move form that a page of a seat was given last, or asked for the odds of.
type shownForm struct {
	At          html.Selection
	Sent        url.Values // what the page sends with it
	Offer, Odds string     // marks that the page has
}

// audienceKey is what pages have in common that see the same.
type audienceKey struct {
	Seat       string // with its link
	Speaker    lang.Speaker
	Zone, Base string
	Held       string // which seats the browser holds besides
	At         html.Selection
	Beside     bool // they follow nothing but alerts
}

// transition is the event that takes pages from one progress to the next.
type transition struct {
	from, to *progress
	came     batch
	*event   // nil for nothing
}

// audiences are all of them that there are.
type audiences struct {
	mu  sync.Mutex
	all map[string][]*audience // by seats
}

// Join finds the audience of a page, which leaves it again.
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

// Gave notes that a page of a seat was given a sheet, so that its streams tell that one.
func (a *audiences) Gave(seat, sheet string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range a.all[seat] {
		one.sheet.Store(&sheet)
	}
}

// GaveForm notes which move form a page of a seat shows, nil for none, so that its streams send the form's odds.
func (a *audiences) GaveForm(seat string, f *shownForm) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range a.all[seat] {
		one.form.Store(f)
	}
}

// Form returns the move form that the pages show as far as is known, nil for none.
func (a *audience) Form() *shownForm { return a.form.Load() }

// Renew notes the form with the marks that its pages are sent, unless they have shown another since.
func (a *audience) Renew(was, now *shownForm) { a.form.CompareAndSwap(was, now) }

// Shows is whose sheet the pages are told: what they were given last, else what their address says.
// One that shows another asks for it when it has changed.
func (a *audience) Shows(l *html.Look) string {
	if given := a.sheet.Load(); given != nil {
		if _, there := l.Character(*given); there {
			return *given
		}
	}
	return l.At.Character
}

// Next is what a page that shows something is sent of what came, nil for nothing, and what it shows then: found, unless
// another page of the audience was sent the same.
func (a *audience) Next(from *progress, came batch, find func() (*event, *progress, error)) (*event, *progress, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last.from == from && a.last.came.same(came) {
		return a.last.event, a.last.to, nil
	}
	e, to, err := find()
	if err != nil {
		return nil, from, err
	}
	several := a.pages.Load() > 1
	if several && to.equals(a.last.to) { // pages that came by other ways go on together
		to = a.last.to
	}
	if a.last = (transition{}); several {
		a.last = transition{from, to, came, e}
	}
	return e, to, nil
}
