package play

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/a-h/templ"

	"norn/table/view"
	"norn/web/door"
	"norn/web/feed"
	"norn/web/html"
	"norn/web/present"
	"norn/web/stream"
)

// begin is where a page stands that has been told all up to a seq.
func (f *follower) begin(ctx context.Context, after uint64) error {
	f.at = feed.Start(f.visit.At)
	if after != f.View.Told || f.View.Newer != "" { // it hasn't all that is in the journal, or norn isn't what it was
		return nil
	}
	if f.beside {
		f.at.DrawnBeside(&f.Look)
		return nil
	}
	err := f.still(ctx, func() error { return f.loadScreen(ctx, true, true) })
	if err == nil {
		f.at.Drawn(&f.Look)
	}
	return err
}

// tell finds what a page is to be told, all of one revision of the table, and where it stands then.
func (f *follower) tell(ctx context.Context, came feed.Batch) (*feed.Event, *feed.Progress, error) {
	from, to, v := f.at, f.at.Next(), f.visit
	from.Resume(&v.Look)
	var cards, undoable []html.Card
	var news feed.News
	err := v.still(ctx, func() (err error) {
		if err = v.see(ctx); err != nil {
			return err
		}
		v.Settle()
		if err = v.loadScreen(ctx, came.Hidden || !from.Tallied(), came.Played || !from.Tallied()); err != nil {
			return err
		}
		news = from.News(&v.Look, f.audience.Shows(&v.Look))
		if cards, err = f.drawnCards(ctx, append(came.IDs, to.Asked(&v.Look, from)...), nil, came); err != nil {
			return err
		}
		if undoable, err = f.drawnCards(ctx, came.Undoable, cards, feed.Batch{}); err != nil {
			return err
		}
		if news.OnlySheets {
			news.Composers(f.composers(ctx))
		}
		return v.loadEditing(ctx, news.Sheets...)
	})
	if err != nil {
		return nil, nil, err
	}
	to.Reach(&v.Look)
	for _, c := range undoable {
		news.Pieces = append(news.Pieces, feed.Card(c))
	}
	head, named := upTo(came.Seq)+"event: view\n", len(came.IDs) > 0 && len(cards) > 0
	if named {
		head = upTo(came.Seq) + "event: entry\n"
	}
	come := to.Came(&v.Look, from)
	alone := len(news.Pieces)+len(come) == 0
	if alone && len(cards) == 0 && came.Seq == 0 {
		return nil, to, nil
	}
	var e *feed.Event // of the cards
	if alone || len(cards) > 0 {
		said := feed.Cards{Seq: came.Seq, Lang: v.Lang(), Zone: v.Zone.String(), Base: v.Base, Named: named, Cards: cards}
		if e, err = f.cardsEvent(ctx, head, said); err != nil || alone {
			return e, to, err
		}
	}
	b := templ.GetBuffer()
	defer templ.ReleaseBuffer(b)
	for _, p := range news.Pieces {
		if err := to.Tell(ctx, b, &v.Look, p); err != nil {
			return nil, nil, err
		}
	}
	if err := html.ComeIn(v.Page, come).Render(ctx, b); err != nil {
		return nil, nil, err
	}
	if e == nil {
		return feed.Framed(head, b.Bytes()), to, nil
	}
	return e.With(b.Bytes()), to, nil
}

// hear finds what a page beside the table's own is to be told, nil for nothing. Who has it open isn't taken for looking at the
// table.
func (f *follower) hear(ctx context.Context, came feed.Batch) (*feed.Event, *feed.Progress, error) {
	to, v := f.at.Next(), f.visit
	var b bytes.Buffer
	err := v.still(ctx, func() error {
		if err := v.see(ctx); err != nil {
			return err
		}
		for _, p := range f.at.NewsBeside(&v.Look) {
			if err := to.Tell(ctx, &b, &v.Look, p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	to.Reach(&v.Look)
	if b.Len() == 0 {
		return nil, to, nil
	}
	return feed.Framed(upTo(came.Seq)+"event: view\n", b.Bytes()), to, nil
}

// drawnCards are the cards of ids, each once, but for those that are drawn already. The one entry that came is all of its
// card where it's the newest and begins it.
func (f *follower) drawnCards(ctx context.Context, ids []string, already []html.Card, came feed.Batch) ([]html.Card, error) {
	var cards []html.Card
	for i, id := range ids {
		if slices.Contains(ids[:i], id) || slices.ContainsFunc(already, func(c html.Card) bool { return c.ID == id }) {
			continue
		}
		if e := came.Only; came.N == 1 && e.Seq == f.View.Seq && e.Kind == view.KindMove && id == e.Move {
			cards = append(cards, present.HTMLCards(&f.Look, present.Cards(&f.Look, []view.Entry{*e}))...)
			continue
		}
		c, ok, err := f.cardOf(ctx, id)
		if err != nil {
			return nil, err
		}
		if ok {
			cards = append(cards, present.HTMLCard(&f.Look, c, nil))
		}
	}
	return cards, nil
}

// follower is one page's live connection.
type follower struct {
	*visit
	out      *stream.Stream
	packs    *door.Flow // nil for a reader who takes nothing packed
	audience *feed.Audience
	at       *feed.Progress
	away     bool // the page isn't in front

	beside  bool // it follows nothing but an X-card
	gallery bool // and pictures that are taken back

	mu sync.Mutex // held while something is written: news and quiet by turns
}

func (f *follower) write(text string) error { return f.pass(&feed.Event{Text: []byte(text)}) }

// pass sends what is whole.
func (f *follower) pass(e *feed.Event) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent(e)
}

// sent is pass for who holds mu.
func (f *follower) sent(e *feed.Event) (err error) {
	e = e.Below(f.s.Base)
	if f.packs != nil {
		err = f.out.Send(f.packs.Next(e.Text, e.Packed()))
	} else {
		err = f.out.Send(e.Text)
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
func (f *follower) cardsEvent(ctx context.Context, head string, said feed.Cards) (*feed.Event, error) {
	draw := func() (*feed.Event, error) {
		b := templ.GetBuffer()
		defer templ.ReleaseBuffer(b)
		if err := html.LogAgain(f.Page, said.Cards).Render(ctx, b); err != nil {
			return nil, err
		}
		return feed.Framed(head, b.Bytes()), nil
	}
	if len(said.Cards) == 0 || slices.ContainsFunc(said.Cards, func(c html.Card) bool { return len(c.Asks) > 0 }) {
		return draw()
	}
	return f.s.events.Of(said, draw)
}
