package play

import (
	"net/url"
	"sync"
	"time"

	"norn/lang"
	"norn/web/html"
	"norn/web/present"
)

// stands are composers that pages were told to leave as they are. Where a sheet changes, the streams of their seats see for
// themselves whether they stand, so that the pages needn't ask.
type stands struct {
	mu    sync.Mutex
	kept  [256]composed
	newer int
}

// composed is a composer as a page shows it.
type composed struct {
	seat        string // with its link
	speaker     lang.Speaker
	offer, odds string // marks
	at          present.Choice
	sent        url.Values
	html.Composer
}

// note keeps a composer that stays as the page has it.
func (s *stands) note(c composed) {
	s.drop(c.seat, c.offer)
	if c.Fields.Form == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[s.newer%len(s.kept)] = c
	s.newer++
}

// drop forgets a composer in which something else was filled in, or all of the seat's, where another was chosen.
func (s *stands) drop(seat, offer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range s.kept {
		if c.seat == seat && (offer == "" || c.offer == offer) {
			s.kept[i] = composed{}
		}
	}
}

// of are those of a seat, in a reader's language.
func (s *stands) of(seat string, speaker lang.Speaker) (kept []composed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.kept {
		if c := &s.kept[i]; c.seat == seat && c.speaker == speaker {
			kept = append(kept, *c)
		}
	}
	return kept
}

// soon is how long is reckoned whether composers stand: their pages wait to be told.
const soon = 20 * time.Millisecond

// unread are the choices that have to do with the composer.
func unread(c present.Choice) present.Choice {
	return present.Choice{Character: c.Character, Actor: c.Actor, Move: c.Move, Call: c.Call}
}
