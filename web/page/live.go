package page

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"norn/odds"
	"norn/table"
	"norn/table/refusal"
	"norn/web/html"
	"norn/web/middleware"
	"norn/web/stream"
)

// quiet is the time without events after which a stream sends a keep-alive. After three times that
// the page considers the connection lost.
const quiet = 15 * time.Second

// getLive streams what happens at the table, as parts of the page with their targets. An event's id
// is the seq up to which the page has everything, so it resumes with Last-Event-ID. The stream ends
// when the seat's link is revoked. A page reloads if the browser has another seat by now, or if it
// has seen more than there is because an older backup was restored.
func getLive(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := v.withTable(r, func() error { return nil }); err != nil {
		return err
	}
	after := v.View.Told
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		seq, err := strconv.ParseUint(last, 10, 64)
		if err != nil {
			v.s.Fail(w, r, http.StatusBadRequest, "unreadable")
			return nil
		}
		after = seq
	}
	leave, err := v.s.Limits.Stream(v.key(), odds.Asker(r.RemoteAddr))
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Vary", "Accept-Encoding")
	beside := r.URL.Query().Has(html.Own + "beside")
	f := &follower{
		visit: v, beside: beside, gallery: r.URL.Query().Get(html.Own+"beside") == "pictures",
		audience: v.s.audiences.Join(audienceKey{
			Seat: v.key(), Speaker: v.Speaker, Zone: v.Zone.String(), Base: v.Base,
			Held: fmt.Sprint(v.Held), At: v.At, Beside: beside,
		}),
	}
	f.Shared = true
	if middleware.Takes(r, "gzip") {
		h.Set("Content-Encoding", "gzip")
		f.packs = &middleware.Flow{}
	}
	of := r.URL.Query().Get(html.Own + "seat")
	f.away = beside || r.URL.Query().Has(html.Own+"away")
	stream.Config{Slow: v.s.Slow, Cut: v.s.Meter.CountSlow, Log: v.s.Log}.Serve(w, r,
		func(ctx context.Context, out *stream.Stream) {
			f.out = out
			if after > v.View.Told || of != "" && of != v.View.Seat {
				_ = f.write("event: anew\ndata: anew\n\n") // the stream ends in any case
			} else {
				f.follow(ctx, after)
			}
			if f.packs != nil {
				_ = out.Send(f.packs.End()) // the client may have disconnected
			}
		}, func() {
			v.s.audiences.Leave(f.audience)
			leave()
		})
	return nil
}

// newsLasts is the time that a seat stays online after one of its pages has polled. Pages poll
// every fifteen seconds; a browser may slow hidden pages down to once a minute.
const newsLasts = 150 * time.Second

// getNews serves a page that polls because its browser has too many streams open: the newest seq
// for the seat, and how many questions wait. A page of another seat than the browser's current one
// gets no content.
func getNews(w http.ResponseWriter, r *http.Request, v *visit) error {
	if of := r.URL.Query().Get(html.Own + "seat"); of != "" && of != v.View.Seat {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if err := v.seat.StayOnline(r.Context(), newsLasts); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, err := fmt.Fprintf(w, `{"told":%d,"waits":%d}`, v.View.Told, len(html.WaitingFor(v.View)))
	return err
}

// follow sends the page what happens after a seq.
func (f *follower) follow(ctx context.Context, after uint64) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// who is online, and what the page may have missed
	if f.begin(ctx, after) != nil || f.send(ctx, batch{}) != nil {
		return
	}
	defer f.hush(cancel)()
	for updates, err := range f.seat.WatchAll(ctx, after, f.away) {
		if err == nil {
			news := gather(updates)
			// another text of an own game has other sheets, moves, words and colours
			if f.gallery && news.Taken || news.Anew && f.seat.Game().Texts != nil {
				_ = f.write("event: anew\ndata: anew\n\n") // the stream ends in any case
				return
			}
			err = f.send(ctx, news)
		}
		if errors.Is(err, table.ErrClosed) { // it closed as the stream began
			break
		}
		var gone *refusal.NotFoundError
		if errors.As(err, &gone) {
			_ = f.write("event: end\ndata: revoked\n\n") // the stream ends in any case
		}
		if err != nil {
			return
		}
	}
	if ctx.Err() == nil { // the host closes
		f.askReconnect()
	}
}

// hush sends a keep-alive at intervals until end is called. It calls give if sending fails.
func (f *follower) hush(give func()) (end func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	over := false
	var beat *time.Timer
	beat = time.AfterFunc(quiet, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		switch {
		case over:
		case f.sendLocked(&event{Text: []byte(": quiet\n\n")}) != nil:
			give()
		default:
			beat.Reset(quiet)
		}
	})
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		over = true
		beat.Stop()
	}
}

// askReconnect asks the page of a closing server to reconnect soon, after a random delay so that
// not all pages do it at once.
func (f *follower) askReconnect() {
	// the stream ends in any case
	_ = f.write(fmt.Sprintf("retry: %d\nevent: again\ndata: closing\n\n", 500+rand.IntN(1500)))
}

// send sends what has changed.
func (f *follower) send(ctx context.Context, news batch) error {
	e, to, err := f.audience.Next(f.at, news, func() (*event, *progress, error) { return f.nextEvent(ctx, news) })
	f.at = to
	if err != nil || e == nil {
		return err
	}
	return f.pass(e)
}
