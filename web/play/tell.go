package play

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/a-h/templ"

	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
	"norn/web/present"
	"norn/web/stream"
)

// begin is where a page stands that has been told all up to a seq.
func (f *follower) begin(ctx context.Context, after uint64) error {
	f.at = &standing{at: f.visit.At, told: latest{}}
	if after != f.View.Told || f.View.Newer != "" { // it hasn't all that is in the journal, or norn isn't what it was
		return nil
	}
	if f.beside {
		f.at.reached(&f.Look)
		f.at.told.know(&f.Look, besides)
		return nil
	}
	err := f.still(ctx, func() error { return f.behind(ctx, true, true) })
	if err != nil {
		return err
	}
	f.at.reached(&f.Look)
	f.at.told.know(&f.Look, pieces(&f.Look))
	delete(f.at.told, "#online") // which is in no journal
	delete(f.at.told, ".online-menu")
	return nil
}

// tell finds what a page is to be told, all of one revision of the table, and where it stands then.
func (f *follower) tell(ctx context.Context, came arrived) (*event, *standing, error) {
	from, v := f.at, f.visit
	to := &standing{told: from.told, whole: true}
	v.At, v.Secrets, v.Tallies = from.at, from.secrets, from.tallies
	var cards, beneath []html.Card
	var news []piece
	var marks []string
	var odds []piece
	onlySheets := false
	err := v.still(ctx, func() (err error) {
		if err = v.see(ctx); err != nil {
			return err
		}
		v.Settle()
		_, told := from.told[gmTally]
		if err = v.behind(ctx, came.hidden || !told, came.played || !told); err != nil {
			return err
		}
		var sheets []view.CharacterShown
		news, sheets, onlySheets = newsOf(&v.Look, f.crowd.shows(&v.Look), from)
		to.asked = asked(&v.Look)
		if cards, err = f.drawnCards(ctx, append(came.ids, others(from.asked, to.asked)...), nil, came); err != nil {
			return err
		}
		if beneath, err = f.drawnCards(ctx, came.beneath, cards, arrived{}); err != nil {
			return err
		}
		if onlySheets {
			marks, odds = f.composers(ctx)
		}
		return v.open(ctx, sheets...)
	})
	if err != nil {
		return nil, nil, err
	}
	to.reached(&v.Look)
	if len(news)+len(beneath) > 0 {
		to.told = maps.Clone(from.told)
	}
	if onlySheets {
		i := slices.IndexFunc(news, func(p piece) bool { return p.to == composerStale })
		news[i].draw = func(*present.Look) templ.Component { return html.Stale(marks) }
		news = slices.Insert(news, i, odds...) // before what says which composers stand
	}
	head, named := upTo(came.seq)+"event: view\n", len(came.ids) > 0 && len(cards) > 0
	if named {
		head = upTo(came.seq) + "event: entry\n"
	}
	var come []html.Seat
	come, to.here = comings(&v.Look, from.here)
	alone := len(news)+len(beneath)+len(come) == 0
	if alone && len(cards) == 0 && came.seq == 0 {
		return nil, to, nil
	}
	var e *event // of the cards
	if alone || len(cards) > 0 {
		if e, err = f.cardsEvent(ctx, head, told{came.seq, v.Lang(), v.Zone.String(), v.Base, named, cards}); err != nil || alone {
			return e, to, err
		}
	}
	b := templ.GetBuffer()
	defer templ.ReleaseBuffer(b)
	for _, c := range beneath {
		news = append(news, piece{to: "#" + c.ID, swap: outer, draw: func(l *present.Look) templ.Component { return html.LogItem(l.Page, c) }})
	}
	for _, p := range news {
		if err := to.told.tell(ctx, b, &v.Look, p); err != nil {
			return nil, nil, err
		}
	}
	if err := html.ComeIn(v.Page, come).Render(ctx, b); err != nil {
		return nil, nil, err
	}
	if e == nil {
		return framed(head, b.Bytes()), to, nil
	}
	return e.with(b.Bytes()), to, nil
}

// A page beside the table's own, such as that of pictures or of a session, follows nothing but whether an X-card lies on the table. Who
// has it open isn't taken for looking at the table.

// besides is what such a page follows.
var besides = slices.DeleteFunc(slices.Clone(everybodys), func(p piece) bool { return p.to != "#x-card" })

// hear finds what such a page is to be told, nil for nothing.
func (f *follower) hear(ctx context.Context, came arrived) (*event, *standing, error) {
	from, v := f.at, f.visit
	to := &standing{told: maps.Clone(from.told)}
	var b bytes.Buffer
	err := v.still(ctx, func() error {
		if err := v.see(ctx); err != nil {
			return err
		}
		changed, _ := changes(&v.Look, from)
		for _, p := range besides {
			if _, known := from.told[p.to]; known && changed&p.of == 0 {
				continue
			}
			if err := to.told.tell(ctx, &b, &v.Look, p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	to.reached(&v.Look)
	if b.Len() == 0 {
		return nil, to, nil
	}
	return framed(upTo(came.seq)+"event: view\n", b.Bytes()), to, nil
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
func (f *follower) drawnCards(ctx context.Context, ids []string, already []html.Card, came arrived) ([]html.Card, error) {
	var cards []html.Card
	for i, id := range ids {
		if slices.Contains(ids[:i], id) || slices.ContainsFunc(already, func(c html.Card) bool { return c.ID == id }) {
			continue
		}
		if e := came.only; came.n == 1 && e.Seq == f.View.Seq && e.Kind == view.KindMove && id == e.Move {
			cards = append(cards, present.DrawnAll(&f.Look, present.Cards(&f.Look, []view.Entry{*e}))...)
			continue
		}
		c, ok, err := f.happened(ctx, id)
		if err != nil {
			return nil, err
		}
		if ok {
			cards = append(cards, present.Drawn(&f.Look, c, nil))
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

// follower is one page's live connection.
type follower struct {
	*visit
	out   *stream.Stream
	packs *door.Flow // nil for a reader who takes nothing packed
	crowd *crowd
	at    *standing
	away  bool // the page isn't in front

	beside  bool // it follows nothing but an X-card
	gallery bool // and pictures that are taken back

	mu sync.Mutex // held while something is written: news and quiet by turns
}

func (f *follower) write(text string) error { return f.pass(&event{text: []byte(text)}) }

// pass sends what is whole.
func (f *follower) pass(e *event) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent(e)
}

// sent is pass for who holds mu.
func (f *follower) sent(e *event) (err error) {
	if f.packs != nil {
		err = f.out.Send(f.packs.Next(e.text, e.inPacked()))
	} else {
		err = f.out.Send(e.text)
	}
	if err == nil {
		f.s.Meter.Frame()
	}
	return err
}

// upTo is the line that tells up to which seq all was told.
func upTo(seq uint64) string {
	if seq == 0 {
		return ""
	}
	return "id: " + strconv.FormatUint(seq, 10) + "\n"
}

// cardsEvent is an event of nothing but cards, drawn for all that are told the same; where they ask something it's for one seat.
func (f *follower) cardsEvent(ctx context.Context, head string, said told) (*event, error) {
	draw := func() (*event, error) {
		b := templ.GetBuffer()
		defer templ.ReleaseBuffer(b)
		if err := html.LogAgain(f.Page, said.cards).Render(ctx, b); err != nil {
			return nil, err
		}
		return framed(head, b.Bytes()), nil
	}
	if len(said.cards) == 0 || slices.ContainsFunc(said.cards, func(c html.Card) bool { return len(c.Asks) > 0 }) {
		return draw()
	}
	return f.s.drawn.of(said, draw)
}
