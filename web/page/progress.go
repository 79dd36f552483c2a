package page

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"norn/table/view"
	"norn/web/html"
)

// progress describes the content of pages that have everything up to a revision. It doesn't change
// after that.
type progress struct {
	At    html.Selection      // the reader's selection
	shown map[string]any      // values of the sections on the page, by element
	asked map[string][]string // by move: its open questions, who must answer the others, and its offers
	here  map[string]bool     // seats shown as online
	form  string              // mark of the untouched move form, "" if it isn't known
}

// startProgress returns the progress of a page of which only the selection is known.
func startProgress(at html.Selection) *progress { return &progress{At: at} }

// noteDrawn notes sections as drawn with the page, except who is online, which isn't in the
// journal.
func (p *progress) noteDrawn(l *html.Look, all []section) {
	p.change(l, p, all)
	p.noteQuestions(l, p)
	delete(p.shown, onlineBar)
	delete(p.shown, onlineMenu)
}

// Next returns the changed sections of a look, and the progress of pages that have them. A part of
// a section that is sent isn't sent by itself.
func (p *progress) Next(l *html.Look, all []section) (to *progress, changed []section) {
	to = &progress{form: p.form}
	return to, to.change(l, p, all)
}

func (p *progress) change(l *html.Look, from *progress, all []section) []section {
	shown := make(map[string]any, len(from.shown))
	changed := since(from.shown, shown, all)
	p.At, p.shown = l.At, shown
	return changed
}

// since returns the sections whose values differ from the shown ones, and notes all values in now.
func since(was, now map[string]any, all []section) (changed []section) {
	for _, s := range all {
		before, known := was[s.at]
		stays := known && reflect.DeepEqual(before, s.value)
		now[s.at] = s.value
		parts := since(was, now, s.parts)
		if stays {
			now[s.at] = before
			changed = append(changed, parts...)
		} else {
			changed = append(changed, s)
		}
	}
	return changed
}

// noteQuestions notes the open questions and offers, and returns the moves where they have changed.
func (p *progress) noteQuestions(l *html.Look, from *progress) (moves []string) {
	asked := map[string][]string{}
	for _, q := range l.View.Questions {
		asked[q.Move] = append(asked[q.Move], html.Asks(l.Page, q))
	}
	for _, w := range l.View.Waiting {
		asked[w.Move] = append(asked[w.Move], l.Whom(w.To))
	}
	for _, o := range l.View.Offers {
		asked[o.From] = append(asked[o.From], o.ID+" "+o.Text)
	}
	for move, questions := range asked {
		if !slices.Equal(questions, from.asked[move]) {
			moves = append(moves, move)
		}
	}
	for move, before := range from.asked { // an offer can end with a change elsewhere
		if asked[move] == nil && slices.ContainsFunc(before, func(text string) bool {
			return strings.HasPrefix(text, move+":")
		}) {
			moves = append(moves, move)
		}
	}
	p.asked = asked
	slices.Sort(moves)
	return moves
}

// noteSeats notes the online seats, and returns for a game master those that weren't online: after
// a link was renewed, nobody is online until the new one is used.
func (p *progress) noteSeats(l *html.Look, from *progress) (seats []view.SeatShown) {
	p.here = map[string]bool{}
	for _, seat := range l.View.Seats {
		p.here[seat.ID] = seat.Online
		if l.Master() && seat.Online && !seat.You && !from.here[seat.ID] {
			seats = append(seats, seat)
		}
	}
	return seats
}

// equals reports whether pages of one audience with these progresses get the same from now on.
func (p *progress) equals(other *progress) bool {
	return other != nil && p.At == other.At && p.form == other.form && maps.Equal(p.here, other.here) &&
		reflect.DeepEqual(p.shown, other.shown) && reflect.DeepEqual(p.asked, other.asked)
}
