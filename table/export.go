package table

import (
	"context"
	"io"
	"time"

	"norn/game"
	"norn/journal"
	"norn/journal/archive"
	"norn/lang"
	"norn/table/internal/act"
	"norn/table/internal/ledger"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
)

// Entries is where a table's entries are read.
type Entries interface{ ledger.Entries }

// Past is a table as its entries tell it, for who keeps them: to export it and
// to tell it. Nobody sits there, and nothing can happen. It may be used from any
// goroutine.
type Past struct {
	st      ledger.Ledger
	entries Entries
	speaker lang.Speaker
}

// Recall reads a table's past. Errors are *NotFoundError for a table without
// entries, *UnavailableError and *UnreadableError.
func Recall(ctx context.Context, games []*game.Game, entries Entries, id string, speaker lang.Speaker) (*Past, error) {
	b, err := ledger.New(id, games, act.Vocabulary).Looking(ctx, entries).FoldOn(func(after uint64, most int) ([]journal.Entry, error) { return entries.Read(ctx, id, after, most) })
	if err != nil {
		return nil, err
	}
	if b.Seq == 0 {
		return nil, &refusal.NotFoundError{}
	}
	return &Past{st: b, entries: entries, speaker: b.Speak(speaker)}, nil
}

// Title is what a table is called and what is played there. Errors are those of
// Recall.
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
// It's a *RefusedError while a move is open, since the rest of its dice hang on
// that secret. Other errors are *UnavailableError, *archive.FaultError for a
// table too large for a file, and those of the writer. After an error what was
// written is no export.
func (p *Past) Export(ctx context.Context, w io.Writer, now time.Time, version string) error {
	x, err := exportOf(visibility.Of(p.st, &state.Seat{Role: game.Master}, p.speaker))
	if err != nil {
		return err
	}
	return x.write(ctx, p.entries, w, now, version)
}

// export is what has to be known of a table to write it: its entries up to
// seq don't change any more.
type export struct {
	id, game, name string
	seq            uint64
	sealed         uint64 // the entry that holds the secret of the session that lasts
}

func exportOf(e visibility.Eye) (export, error) {
	if !e.Viewer.IsGM() {
		return export{}, &refusal.ForbiddenError{}
	}
	if err := act.NothingOpen(e); err != nil {
		return export{}, err
	}
	return export{id: e.Table.ID, game: e.Table.Game.ID, name: e.Table.Name, seq: e.Table.Seq, sealed: e.Table.Sessions.Now().From}, nil
}

// exportBatch is how many entries an export reads at once: few, for a reader may
// take them slowly, and each may be large.
const exportBatch = 32

func (x export) write(ctx context.Context, entries Entries, w io.Writer, now time.Time, version string) error {
	out, err := archive.NewWriter(w, archive.Header{
		Table: x.id, Game: x.game, Name: x.name, Exported: now, Norn: version, Entries: int(x.seq),
	})
	if err != nil {
		return err
	}
	for after := uint64(0); after < x.seq; {
		read, err := entries.Read(ctx, x.id, after, int(min(exportBatch, x.seq-after)))
		if err != nil {
			return refusal.Unavailable(x.id, after, err)
		}
		if len(read) == 0 { // entries never go
			return &refusal.UnreadableError{Table: x.id, Seq: after + 1, Err: io.ErrUnexpectedEOF}
		}
		for _, e := range read {
			if e.Seq == x.sealed {
				if e.Body, err = act.WithoutSecret(e.Body); err != nil {
					return &refusal.UnreadableError{Table: x.id, Seq: e.Seq, Err: err}
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
func (p *Past) Story(ctx context.Context, w io.Writer, t request.Telling) (err error) {
	defer ledger.Catch(&err)
	return projection.Story(p.st.Looking(ctx, p.entries), w, p.speaker, t)
}
