package play

import (
	"net/url"
	"sync"

	"norn/lang"
	"norn/web/present"
)

// shownComposers are composers that pages show. Where a sheet changes, the streams of their seats see for
// themselves whether they stand, so that the pages needn't ask.
type shownComposers struct {
	mu    sync.Mutex
	kept  [256]composed
	newer int
}

// composed is a composer as a page shows it.
type composed struct {
	seat        string // with its link
	speaker     lang.Speaker
	offer, odds string // marks
	at          present.Selection
	sent        url.Values // by the page
	values      url.Values // that it's filled with
	offers      any        // what it offers
	of          any        // what its form and odds are made of, nil where that isn't known
}

// note keeps a composer as a page has it.
func (s *shownComposers) note(c composed) {
	s.drop(c.seat, c.offer)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[s.newer%len(s.kept)] = c
	s.newer++
}

// drop forgets a composer in which something else was filled in, or all of the seat's, where another was chosen.
func (s *shownComposers) drop(seat, offer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.kept {
		if c := &s.kept[i]; c.seat == seat && (offer == "" || c.offer == offer) {
			*c = composed{}
		}
	}
}

// renew puts a composer as its pages are told it into the place of what it was, where they haven't shown another since.
func (s *shownComposers) renew(was, now composed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.kept {
		if c := &s.kept[i]; c.seat == was.seat && c.speaker == was.speaker && c.offer == was.offer && c.odds == was.odds {
			*c = now
		}
	}
}

// of are those of a seat, in a reader's language.
func (s *shownComposers) of(seat string, speaker lang.Speaker) (kept []composed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.kept {
		if c := &s.kept[i]; c.seat == seat && c.speaker == speaker {
			kept = append(kept, *c)
		}
	}
	return kept
}
