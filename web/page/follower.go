package page

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/a-h/templ"

	"norn/table/request"
	"norn/table/view"
	"norn/web/html"
	"norn/web/middleware"
	"norn/web/stream"
)

// begin returns the state of a page that has everything up to a seq.
func (f *follower) begin(ctx context.Context, after uint64) error {
	f.at = startProgress(f.visit.At)
	if after != f.View.Told || f.View.Newer != "" { // the page misses entries, or norn was updated meanwhile
		return nil
	}
	return f.atRevision(ctx, func() error {
		all, err := f.sections(ctx)
		f.at.noteDrawn(&f.Look, all)
		return err
	})
}

// sections returns the page's sections at the current revision.
func (f *follower) sections(ctx context.Context) ([]section, error) {
	if f.beside {
		return besideSections(&f.Look), nil
	}
	if err := f.loadScreen(ctx); err != nil {
		return nil, err
	}
	sheet := f.audience.Shows(&f.Look)
	if c, there := f.View.Character(sheet); there {
		if err := f.loadEditing(ctx, c); err != nil {
			return nil, err
		}
	}
	return allSections(&f.Look, sheet), nil
}

// nextEvent returns the event for a page, all of one revision of the table, and what the page shows
// then.
func (f *follower) nextEvent(ctx context.Context, news batch) (*event, *progress, error) {
	from, v := f.at, f.visit
	var to *progress
	var changed []section
	var cards, undoable []html.Card
	err := v.atRevision(ctx, func() (err error) {
		v.At = from.At
		if err = v.see(ctx); err != nil {
			return err
		}
		v.Settle()
		all, err := f.sections(ctx)
		if err != nil {
			return err
		}
		if to, changed = from.Next(&v.Look, all); f.beside {
			return nil
		}
		changed = f.noteForm(ctx, from, to, changed)
		if cards, err = f.drawnCards(ctx, append(news.IDs, to.noteQuestions(&v.Look, from)...), nil, news.Only); err != nil {
			return err
		}
		undoable, err = f.drawnCards(ctx, news.Undoable, cards, nil)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	for _, c := range undoable {
		changed = append(changed, cardSection(c))
	}
	head, named := upTo(news.Seq)+"event: view\n", len(news.IDs) > 0 && len(cards) > 0
	if named {
		head = upTo(news.Seq) + "event: entry\n"
	}
	var come []view.SeatShown
	if !f.beside {
		come = to.noteSeats(&v.Look, from)
	}
	alone := len(changed)+len(come) == 0
	if alone && len(cards) == 0 && (news.Seq == 0 || f.beside) {
		return nil, to, nil
	}
	var e *event // the cards' event
	if alone || len(cards) > 0 {
		said := saidCards{
			Seq: news.Seq, Lang: v.Lang(), Zone: v.Zone.String(), Base: v.Base, Named: named,
			Cards: cards,
		}
		if e, err = f.cardsEvent(ctx, head, said); err != nil || alone {
			return e, to, err
		}
	}
	b := templ.GetBuffer()
	defer templ.ReleaseBuffer(b)
	for _, s := range changed {
		if err := s.Write(ctx, b, v.Page); err != nil {
			return nil, nil, err
		}
	}
	if err := html.ComeIn(v.Page, come).Render(ctx, b); err != nil {
		return nil, nil, err
	}
	if e == nil {
		return frameEvent(head, b.Bytes()), to, nil
	}
	return e.With(b.Bytes()), to, nil
}

// formShare bounds the look at the untouched move form, for which a page waits: by this part of the
// time that odds may take.
const formShare = 50

// noteForm says, where what move forms depend on has changed, what that means for the page's form,
// and leaves the section out if it means nothing. The page asks for its form again, with what
// somebody has set in it.
func (f *follower) noteForm(ctx context.Context, from, to *progress, changed []section) []section {
	i := slices.IndexFunc(changed, func(s section) bool { return s.at == moveForm })
	if i < 0 {
		return changed
	}
	was, known := from.shown[moveForm].(offering)
	to.form = f.formMark(ctx)
	if !known {
		return changed
	}
	of, other := changed[i].value.(offering).since(was)
	usual := other || to.form == "" || to.form != from.form
	if !usual && len(of) == 0 {
		return slices.Delete(changed, i, i+1)
	}
	changed[i].draw = func(html.Page) templ.Component { return html.FormStale(usual, of) }
	return changed
}

// formMark returns a mark of the move form that the page would show untouched, "" if that takes too
// long.
func (f *follower) formMark(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, f.visit.s.Odds.Gate.Longest/formShare)
	defer cancel()
	c, err := f.compose(ctx, draft{Move: request.Move{Touched: []string{}}})
	if err != nil || ctx.Err() != nil {
		return ""
	}
	mark, err := html.ComposerMark(ctx, f.Page, c)
	if err != nil {
		return ""
	}
	return mark
}

// drawnCards returns the cards with ids, each once, without those already drawn. If only one entry
// came, is the newest and begins a card, it's the whole card.
func (f *follower) drawnCards(ctx context.Context, ids []string, already []html.Card, only *view.Entry) ([]html.Card,
	error,
) {
	var cards []html.Card
	for i, id := range ids {
		if slices.Contains(ids[:i], id) || slices.ContainsFunc(already, func(c html.Card) bool { return c.ID == id }) {
			continue
		}
		if only != nil && only.Seq == f.View.Seq && only.Kind == view.KindMove && id == only.Move {
			cards = append(cards, f.Look.Cards(html.GatherMoves([]view.Entry{*only}), nil)...)
			continue
		}
		c, ok, err := f.cardOf(ctx, id)
		if err != nil {
			return nil, err
		}
		if ok {
			cards = append(cards, f.Look.Card(c, nil))
		}
	}
	return cards, nil
}

// follower is one page's live connection.
type follower struct {
	*visit
	out      *stream.Stream
	packs    *middleware.Flow // nil for a client that accepts no compression
	audience *audience
	at       *progress
	away     bool // the page is in the background

	beside  bool // it follows only alerts
	gallery bool // and withdrawn pictures

	mu sync.Mutex // held while writing: events and keep-alives come from two goroutines
}

func (f *follower) write(text string) error { return f.pass(&event{Text: []byte(text)}) }

// pass sends an event.
func (f *follower) pass(e *event) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sendLocked(e)
}

// sendLocked is pass for the holder of mu.
func (f *follower) sendLocked(e *event) (err error) {
	e = e.Below(f.s.Base)
	if f.packs != nil {
		err = f.out.Send(f.packs.Next(e.Text, e.Pack()))
	} else {
		err = f.out.Send(e.Text)
	}
	if err == nil {
		f.s.Meter.CountFrame()
	}
	return err
}

// upTo returns the line with the seq up to which the client has everything.
func upTo(seq uint64) string {
	if seq == 0 {
		return ""
	}
	return "id: " + strconv.FormatUint(seq, 10) + "\n"
}

// cardsEvent returns an event that has only cards, drawn once for all that get the same; cards with
// questions are for one seat.
func (f *follower) cardsEvent(ctx context.Context, head string, said saidCards) (*event, error) {
	draw := func() (*event, error) {
		b := templ.GetBuffer()
		defer templ.ReleaseBuffer(b)
		if err := html.LogAgain(f.Page, said.Cards).Render(ctx, b); err != nil {
			return nil, err
		}
		return frameEvent(head, b.Bytes()), nil
	}
	if len(said.Cards) == 0 || slices.ContainsFunc(said.Cards, func(c html.Card) bool { return len(c.Asks) > 0 }) {
		return draw()
	}
	return f.s.events.Of(said, draw)
}
