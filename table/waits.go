package table

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"norn/table/internal/ledger"
	"norn/table/internal/projection"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// Waits returns who a table waits for, and who has a page in the foreground. That's enough to
// notify people, and has nothing of a question's contents. Errors are *NotFoundError,
// *UnavailableError and *UnreadableError.
func (h *Host) Waits(ctx context.Context, table string) (w view.Waits, err error) {
	defer ledger.Catch(&err)
	t, err := h.acquire(ctx, table)
	if err != nil {
		return view.Waits{}, err
	}
	defer h.release(t)
	b, err := t.awake(ctx)
	if err != nil {
		return view.Waits{}, err
	}
	now := b.Sessions.Now()
	w = view.Waits{Name: b.Name, Lang: b.Lang, Session: now.N, Begun: b.Seq > now.From}
	inFront, speaker := t.inFront(), b.Speak(h.Words.In(b.Lang))
	for _, seat := range b.Seats.Here() {
		sum := sha256.Sum256(append([]byte("norn: whom this seat's calls are for: "), seat.Lock.Hash...))
		w.Seats = append(w.Seats, view.WaitsSeat{
			ID: seat.ID, Name: seat.Name, Pass: hex.EncodeToString(sum[:16]),
			Looks: inFront[seat.ID],
		})
		e := visibility.Of(b, seat, speaker)
		for _, m := range b.OpenMoves {
			open, _ := projection.Questions(e, m)
			for _, q := range open {
				if !q.Mine {
					continue
				}
				i := slices.IndexFunc(w.Asked, func(a view.WaitsFor) bool { return a.Question == q.ID })
				if i < 0 {
					i = len(w.Asked)
					w.Asked = append(w.Asked, view.WaitsFor{Question: q.ID, Openly: !m.Secret && m.Fault == nil})
				}
				w.Asked[i].Seats = append(w.Asked[i].Seats, seat.ID)
			}
		}
	}
	return w, nil
}
