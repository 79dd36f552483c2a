package table

import (
	"context"
	"crypto/sha256"
	"io"
	"math"
	"time"

	"norn/game"
	"norn/journal"
	"norn/journal/archive"
	"norn/lang"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
)

// Entries is where a table's entries are read.
type Entries interface{ ledger.Entries }

// History is a table as its entries tell it, for who keeps them: to export it and
// to tell it. Nobody sits there, and nothing can happen. It may be used from any
// goroutine.
type History struct {
	st      ledger.Ledger
	entries Entries
	speaker lang.Speaker
}

// ReadHistory reads a table's past. Errors are *NotFoundError for a table without
// entries, *UnavailableError and *UnreadableError.
func ReadHistory(ctx context.Context, games []*game.Game, entries Entries, id string, speaker lang.Speaker) (*History,
	error,
) {
	b, err := ledger.New(id, games, act.Vocabulary).WithLookback(ctx,
		entries).FoldOn(func(after uint64, most int) ([]journal.Entry, error) {
		return entries.Read(ctx, id, after, most)
	})
	if err != nil {
		return nil, err
	}
	if b.Seq == 0 {
		return nil, &refusal.NotFoundError{}
	}
	return &History{st: b, entries: entries, speaker: b.Speak(speaker)}, nil
}

// Title is what a table is called and what is played there. Errors are those of
// ReadHistory.
func Title(ctx context.Context, games []*game.Game, entries Entries, id string) (name string, g *game.Game, err error) {
	first, err := entries.Read(ctx, id, 0, 1)
	switch {
	case err != nil:
		return "", nil, refusal.Unavailable(id, 0, err)
	case len(first) == 0:
		return "", nil, &refusal.NotFoundError{}
	}
	b, err := readBack(games, id, first)
	if err != nil {
		return "", nil, err
	}
	return b.Name, b.Game, nil
}

// Export writes the table with all its entries, as package archive describes
// it: what only game masters know too, but not the secret of the dice of the
// session that still lasts. Links to seats aren't in it; what knows them again is.
//
// A move that is open goes on where the file is imported, with other dice from there on. Errors are *UnavailableError,
// *archive.FaultError for a table too large for a file, and those of the writer. After an error
// what was written is no export.
func (p *History) Export(ctx context.Context, w io.Writer, now time.Time, version string) error {
	return export(ctx, p.st.State, p.entries, w, now, version)
}

// exportable returns the state up to which a seat may write a table down: its entries up to there
// don't change any more. While answers of an open move are sealed, which game masters don't see
// either, it's a *RefusedError.
func exportable(e visibility.Eye) (*state.State, error) {
	if !e.Viewer.IsGM() {
		return nil, &refusal.ForbiddenError{}
	}
	return e.Table.State, act.NothingSealed(e)
}

// exportBatch is how many entries an export reads at once: few, for a reader may
// take them slowly, and each may be large.
const exportBatch = 32

func export(ctx context.Context, st *state.State, entries Entries, w io.Writer, now time.Time, version string) error {
	out, err := archive.NewWriter(w, archive.Header{
		Table: st.ID, Game: st.Game.ID, Name: st.Name, Exported: now, Norn: version, Entries: int(st.Seq),
	})
	if err != nil {
		return err
	}
	for after := uint64(0); after < st.Seq; {
		read, err := entries.Read(ctx, st.ID, after, int(min(exportBatch, st.Seq-after)))
		if err != nil {
			return refusal.Unavailable(st.ID, after, err)
		}
		if len(read) == 0 { // entries never go
			return &refusal.UnreadableError{Table: st.ID, Seq: after + 1, Err: io.ErrUnexpectedEOF}
		}
		for _, e := range read {
			if e.Seq == st.Sessions.Now().From { // it holds the secret of the session that lasts
				if e.Body, err = act.WithoutSecret(e.Body); err != nil {
					return &refusal.UnreadableError{Table: st.ID, Seq: e.Seq, Err: err}
				}
			}
			if err := out.Write(e); err != nil {
				return err
			}
			after = e.Seq
		}
	}
	return out.Close()
}

// Story writes the table's story as Seat.Story does.
func (p *History) Story(ctx context.Context, w io.Writer, t request.Telling) (err error) {
	defer ledger.Catch(&err)
	return projection.Story(p.st.WithLookback(ctx, p.entries), w, p.speaker, t)
}

// Sum folds the entries of one table by its game and returns a checksum of what
// comes out: seats, characters, settings, sessions of dice, moves that are open, what can be
// undone. The same entries give the same sum on every machine of the same norn. An error is an
// *UnreadableError.
func Sum(games []*game.Game, id string, entries []journal.Entry) (sum [sha256.Size]byte, err error) {
	b, err := readBack(games, id, entries)
	if err != nil {
		return sum, err
	}
	data, err := b.Encode()
	if err != nil {
		return sum, &refusal.UnreadableError{Table: id, Seq: b.Seq, Err: err}
	}
	return sha256.Sum256(data), nil
}

// readBack is a table as its entries tell it, all that can be remembered of its past with it. The
// error is an *UnreadableError.
func readBack(games []*game.Game, id string, entries []journal.Entry) (ledger.Ledger, error) {
	b := ledger.New(id, games, act.Vocabulary)
	b.WholeBefore = math.MaxUint64
	return b.WithLookback(context.Background(), (*ledger.InMemory)(&entries)).Fold(entries, nil)
}
