package play

import (
	"context"
	"net/url"
	"sync"
	"time"

	"norn/lang"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/present"
)

// stands are composers that pages show. Where a sheet changes, the streams of their seats see for
// themselves whether they stand, so that the pages needn't ask.
type stands struct {
	mu    sync.Mutex
	kept  [256]composed
	newer int
}

// composed is a composer as a page shows it.
type composed struct {
	seat    string // with its link
	speaker lang.Speaker
	odds    string // mark
	at      present.Choice
	sent    url.Values
	html.Composer
	of any // what its form and odds are made of, nil where that isn't known
}

// note keeps a composer as a page has it.
func (s *stands) note(c composed) {
	s.drop(c.seat, c.Offer)
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
	for i := range s.kept {
		if c := &s.kept[i]; c.seat == seat && (offer == "" || c.Offer == offer) {
			*c = composed{}
		}
	}
}

// renew puts a composer as its pages are told it into the place of what it was, where they haven't shown another since.
func (s *stands) renew(was, now composed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.kept {
		if c := &s.kept[i]; c.seat == was.seat && c.speaker == was.speaker && c.Offer == was.Offer && c.odds == was.odds {
			*c = now
		}
	}
}

// find is a composer of a seat in a reader's language, by its mark.
func (s *stands) find(seat string, speaker lang.Speaker, offer string) (composed, bool) {
	for _, c := range s.of(seat, speaker) {
		if c.Offer == offer {
			return c, true
		}
	}
	return composed{}, false
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

// composers are the marks of composers that stay as their pages have them, though sheets have changed; of those that stay but
// for their odds these are told, and they stay with them.
func (f *follower) composers(ctx context.Context) (marks []string, odds []piece) {
	ctx, cancel := context.WithTimeout(ctx, soon)
	defer cancel()
	for _, was := range f.s.stands.of(f.key(), f.Speaker) {
		w := *f.visit
		w.At = was.at
		w.Settle()
		if w.At != was.at {
			continue
		}
		now := was
		now.of = w.basis(ctx, was.Composer)
		if was.of == nil || !same(was.of, now.of) {
			c, err := w.compose(ctx, fields.Sent(was.sent), was.sent)
			if err != nil || c.Fields.Form == nil || !same(c.Fields.Values, was.Fields.Values) || !same(c.Fields.Form.Fields, was.Fields.Form.Fields) {
				continue
			}
			if now.Odds = c.Odds; !same(now.Odds, was.Odds) {
				drawn, err := html.Draw(ctx, w.Page, now.Odds, c.Fields.Values)
				if err != nil || now.Odds.Problem != "" {
					continue
				}
				now.odds = drawn.Mark
				odds = append(odds, oddsOf(was, drawn))
			}
			f.s.stands.renew(was, now)
		}
		marks = append(marks, now.Offer+"."+now.odds)
	}
	return marks, odds
}
