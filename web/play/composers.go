package play

import (
	"context"
	"reflect"
	"time"

	"norn/web/feed"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/present"
)

// soon is how long is reckoned whether composers stand: their pages wait to be told.
const soon = 20 * time.Millisecond

// unread are the choices that have to do with the composer.
func unread(c present.Selection) present.Selection {
	return present.Selection{Character: c.Character, Actor: c.Actor, Move: c.Move, Call: c.Call}
}

// composers are the marks of composers that stay as their pages have them, though what they offer of has changed; of those that stay
// but for their odds these are sent, and they stay with them.
func (f *follower) composers(ctx context.Context) (marks []string, odds []feed.Section) {
	ctx, cancel := context.WithTimeout(ctx, soon)
	defer cancel()
	for _, was := range f.s.composers.of(f.key(), f.Speaker) {
		w := *f.visit
		w.At = was.at
		w.Settle()
		if w.At != was.at {
			continue
		}
		c, err := w.offered(ctx, fields.Sent(was.sent), was.sent)
		if err != nil || c.Fields.Form == nil || !same(c.Fields.Values, was.values) || !same(offersOf(c), was.offers) {
			continue
		}
		now := was
		now.of = w.basis(ctx, c)
		if was.of == nil || !same(was.of, now.of) {
			c.Odds = w.chances(ctx, c.Fields.Values)
			drawn, err := html.Draw(ctx, w.Page, c.Odds, c.Fields.Values)
			if err != nil || drawn.Mark != was.odds && c.Odds.Problem != "" {
				continue
			}
			if now.odds = drawn.Mark; now.odds != was.odds {
				odds = append(odds, feed.Odds(was.offer, was.odds, drawn))
			}
			f.s.composers.renew(was, now)
		}
		marks = append(marks, now.offer+"."+now.odds)
	}
	return marks, odds
}

// offersOf returns the choices that a move form offers, as a value to compare.
func offersOf(c html.Composer) any {
	c = c.Offers()
	all := c.Fields.Form.Fields
	c.Fields.Form = nil // its caches aren't the same each time
	return [...]any{c, all}
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }
