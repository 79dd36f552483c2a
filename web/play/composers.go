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

// composers are the marks of composers that stay as their pages have them, though sheets have changed; of those that stay but
// for their odds these are told, and they stay with them.
func (f *follower) composers(ctx context.Context) (marks []string, odds []feed.Piece) {
	ctx, cancel := context.WithTimeout(ctx, soon)
	defer cancel()
	for _, was := range f.s.composers.of(f.key(), f.Speaker) {
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
				odds = append(odds, feed.Odds(was.Offer, was.odds, drawn))
			}
			f.s.composers.renew(was, now)
		}
		marks = append(marks, now.Offer+"."+now.odds)
	}
	return marks, odds
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }
