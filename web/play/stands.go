package play

import (
	"context"
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
func (s *stands) note(v *visit, c html.Composer, sent url.Values) {
	s.drop(v, sent.Get(html.MarkOffer))
	if c.Fields.Form == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[s.newer%len(s.kept)] = composed{v.key(), v.Speaker, sent.Get(html.MarkOffer), sent.Get(html.MarkOdds), unread(v.At), sent, c}
	s.newer++
}

// drop forgets a composer in which something else was filled in, or all of the seat's, where another was chosen.
func (s *stands) drop(v *visit, offer string) {
	seat := v.key()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range s.kept {
		if c.seat == seat && (offer == "" || c.offer == offer) {
			s.kept[i] = composed{}
		}
	}
}

// soon is how long is reckoned whether composers stand: their pages wait to be told.
const soon = 20 * time.Millisecond

// standing are the marks of composers that stay as their pages have them, though sheets have changed.
func (v *visit) standing(ctx context.Context) (marks []string) {
	seat, all := v.key(), &v.s.stands
	all.mu.Lock()
	var kept []composed
	for i := range all.kept {
		if c := &all.kept[i]; c.seat == seat && c.speaker == v.Speaker {
			kept = append(kept, *c)
		}
	}
	all.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, soon)
	defer cancel()
	for _, was := range kept {
		w := *v
		w.At = was.at
		w.Settle()
		now, err := w.compose(ctx, html.Sent(was.sent), was.sent)
		if err == nil && w.At == was.at && now.Fields.Form != nil && same(now.Fields.Values, was.Fields.Values) && same(now.Fields.Form.Fields, was.Fields.Form.Fields) && same(now.Odds, was.Odds) {
			marks = append(marks, was.offer+"."+was.odds)
		}
	}
	return marks
}

// unread are the choices that have to do with the composer.
func unread(c present.Choice) present.Choice {
	return present.Choice{Character: c.Character, Actor: c.Actor, Move: c.Move, Call: c.Call}
}
