package play

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/a-h/templ"

	"norn/lang"
	"norn/table/view"
	"norn/web/html"
	"norn/web/present"
)

// crowd are the pages that see the same: those of one seat in one language, with one clock and the same choices in their
// address. What one of them is told is found, drawn and packed once for all that stand where it stood.
type crowd struct {
	by    alike
	pages atomic.Int32 // changed by who holds crowds

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
}

// standing is how far pages were told. It changes no more once it's reached.
type standing struct {
	view    *view.View
	at      present.Choice
	told    latest
	asked   map[string][]string // by moves: their open questions, and whom the others wait for
	here    map[string]bool     // seats that were told to be here
	secrets []present.Card
	tallies []view.Tally
	waiting html.Waiting
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
	all map[alike]*crowd
}

// join finds the crowd of a page, which leaves it again.
func (c *crowds) join(v *visit) *crowd {
	by := alike{v.key(), v.Speaker, v.Zone.String(), v.Base, fmt.Sprint(v.Held), v.At}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = map[alike]*crowd{}
	}
	if c.all[by] == nil {
		c.all[by] = &crowd{by: by}
	}
	c.all[by].pages.Add(1)
	return c.all[by]
}

func (c *crowds) leave(of *crowd) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if of.pages.Add(-1) == 0 {
		delete(c.all, of.by)
	}
}

// next is what a page is told of what came, nil for nothing, and leads it to where it stands then.
func (c *crowd) next(ctx context.Context, f *follower, came arrived) (*event, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.told {
		if t.from == f.at && t.came.same(came) {
			f.at = t.to
			return t.event, nil
		}
	}
	e, to, err := f.tell(ctx, came)
	if err != nil {
		return nil, err
	}
	if to.equals(c.newest) {
		to = c.newest
	}
	c.newest = to
	if c.pages.Load() > 1 {
		c.told[c.tells%len(c.told)] = telling{f.at, to, came, e}
		c.tells++
	}
	f.at = to
	return e, nil
}

// equals tells whether pages of the same crowd that stand here and there are told the same from now on.
func (s *standing) equals(other *standing) bool {
	return other != nil && s.view == other.view && s.at == other.at &&
		reflect.DeepEqual(s.tallies, other.tallies) && reflect.DeepEqual(s.secrets, other.secrets)
}

// reached notes what was told from.
func (s *standing) reached(l *present.Look) {
	s.view, s.at, s.secrets, s.tallies, s.waiting = l.View, l.At, l.Secrets, l.Tallies, l.Waiting()
}

// begin is where a page stands that has been told all up to a seq.
func (f *follower) begin(ctx context.Context, after uint64) error {
	f.at = &standing{at: f.visit.At, told: latest{}}
	if after != f.View.Told || f.View.Newer != "" { // it hasn't all that is in the journal, or norn isn't what it was
		return nil
	}
	err := f.still(ctx, func() error { return f.behind(ctx, true, true) })
	if err != nil {
		return err
	}
	f.at.reached(&f.Look)
	f.at.told.know(pieces(&f.Look))
	delete(f.at.told, "#online") // which is in no journal
	delete(f.at.told, ".online-menu")
	return nil
}

// tell finds what a page is to be told, all of one revision of the table, and where it stands then.
func (f *follower) tell(ctx context.Context, came arrived) (*event, *standing, error) {
	from, v := f.at, f.visit
	to := &standing{told: maps.Clone(from.told)}
	v.At, v.Secrets, v.Tallies = from.at, from.secrets, from.tallies
	var cards, beneath []html.Card
	var news []piece
	onlySheets := false
	err := v.still(ctx, func() (err error) {
		if err = v.see(ctx); err != nil {
			return err
		}
		v.Settle()
		_, told := from.told["#gm-tally"]
		if err = v.behind(ctx, came.hidden || !told, came.played || !told); err != nil {
			return err
		}
		var sheets []view.CharacterShown
		news, sheets, onlySheets = newsOf(&v.Look, from)
		to.asked = asked(&v.Look)
		if cards, err = v.drawnCards(ctx, append(came.ids, others(from.asked, to.asked)...), nil, came); err != nil {
			return err
		}
		if beneath, err = v.drawnCards(ctx, came.beneath, cards, arrived{}); err != nil {
			return err
		}
		return v.open(ctx, sheets...)
	})
	if err != nil {
		return nil, nil, err
	}
	to.reached(&v.Look)
	if onlySheets {
		marks := v.standing(ctx)
		i := slices.IndexFunc(news, func(p piece) bool { return p.to == composerStale })
		news[i].draw = func() templ.Component { return html.Stale(marks) }
	}
	head, named := upTo(came.seq)+"event: view\n", len(came.ids) > 0 && len(cards) > 0
	if named {
		head = upTo(came.seq) + "event: entry\n"
	}
	var come []html.Seat
	come, to.here = comings(&v.Look, from.here)
	if len(news)+len(beneath)+len(come) == 0 {
		if len(cards) == 0 && came.seq == 0 {
			return nil, to, nil
		}
		e, err := v.cardsEvent(ctx, head, told{came.seq, v.Lang(), v.Zone.String(), v.Base, named, cards})
		return e, to, err
	}
	var b bytes.Buffer
	if len(cards) > 0 {
		if err := html.LogAgain(v.Page, cards).Render(ctx, &b); err != nil {
			return nil, nil, err
		}
	}
	for _, c := range beneath {
		news = append(news, piece{"#" + c.ID, outer, 0, func() templ.Component { return html.LogItem(v.Page, c) }})
	}
	for _, p := range news {
		if err := to.told.tell(ctx, &b, p); err != nil {
			return nil, nil, err
		}
	}
	if err := html.ComeIn(v.Page, come).Render(ctx, &b); err != nil {
		return nil, nil, err
	}
	return framed(head, b.Bytes()), to, nil
}

// asked are the open questions by their moves, and whom the others wait for.
func asked(l *present.Look) map[string][]string {
	now := map[string][]string{}
	for _, q := range l.View.Questions {
		now[q.Move] = append(now[q.Move], present.Asks(l, q))
	}
	for _, w := range l.View.Waiting {
		now[w.Move] = append(now[w.Move], l.Whom(w.To))
	}
	return now
}

// others are the moves of which other questions are open than were.
func others(was, now map[string][]string) (moves []string) {
	for move, questions := range now {
		if !slices.Equal(questions, was[move]) {
			moves = append(moves, move)
		}
	}
	slices.Sort(moves)
	return moves
}

// drawnCards are the cards of ids, each once, but for those that are drawn already. The one entry that came is all of its
// card where it's the newest and begins it.
func (v *visit) drawnCards(ctx context.Context, ids []string, already []html.Card, came arrived) ([]html.Card, error) {
	var cards []html.Card
	for i, id := range ids {
		if slices.Contains(ids[:i], id) || slices.ContainsFunc(already, func(c html.Card) bool { return c.ID == id }) {
			continue
		}
		if e := came.only; came.n == 1 && e.Seq == v.View.Seq && e.Kind == view.KindMove && id == e.Move {
			cards = append(cards, present.DrawnAll(&v.Look, present.Cards(&v.Look, []view.Entry{*e}))...)
			continue
		}
		c, ok, err := v.happened(ctx, id)
		if err != nil {
			return nil, err
		}
		if ok {
			cards = append(cards, present.Drawn(&v.Look, c, nil))
		}
	}
	return cards, nil
}

// comings are the seats that weren't here, for a game master, and those that are: those of a seat whose link was made
// anew have gone before anybody comes by the new one.
func comings(l *present.Look, was map[string]bool) (seats []html.Seat, here map[string]bool) {
	here = map[string]bool{}
	for _, seat := range l.View.Seats {
		here[seat.ID] = seat.Online
		if l.Master() && seat.Online && !seat.You && !was[seat.ID] {
			seats = append(seats, present.Seat(l, seat))
		}
	}
	return seats, here
}
