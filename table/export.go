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

// Entries reads the entries of tables.
type Entries interface{ ledger.Entries }

// History is a table folded from its entries, for an operator who exports it or reads its story. It
// has no seats and can't change. It may be used from any goroutine.
type History struct {
	st      ledger.Ledger
	entries Entries
	speaker lang.Speaker
}

// ReadHistory reads a table from its entries. Errors are *NotFoundError for a table without
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

// Title returns the name and the game of a table. Errors are those of ReadHistory.
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

// ReadTitle returns the name of a table and the id of its game, which needn't be known here; "" for
// what can't be read. Errors are *NotFoundError and *UnavailableError.
func ReadTitle(ctx context.Context, entries Entries, id string) (name, game string, err error) {
	first, err := entries.Read(ctx, id, 0, 1)
	switch {
	case err != nil:
		return "", "", refusal.Unavailable(id, 0, err)
	case len(first) == 0:
		return "", "", &refusal.NotFoundError{}
	}
	game, name, _ = act.ReadOpened(first[0].Body)
	return name, game, nil
}

// Opening holds the values that a table began with.
type Opening struct {
	Name              string
	Game              *game.Game
	Seats, Characters []string // names
}

// openingEntries limits the entries that ReadOpening reads.
const openingEntries = 16

// ReadOpening reads how a table began: its name, and the seats and characters of its first entries.
// Errors are those of ReadHistory.
func ReadOpening(ctx context.Context, games []*game.Game, entries Entries, id string) (Opening, error) {
	first, err := entries.Read(ctx, id, 0, openingEntries)
	switch {
	case err != nil:
		return Opening{}, refusal.Unavailable(id, 0, err)
	case len(first) == 0:
		return Opening{}, &refusal.NotFoundError{}
	}
	b, err := readBack(games, id, first)
	if err != nil {
		return Opening{}, err
	}
	o := Opening{Name: b.Name, Game: b.Game}
	for _, s := range b.Seats {
		o.Seats = append(o.Seats, s.Name)
	}
	for _, c := range b.Characters {
		o.Characters = append(o.Characters, c.Name)
	}
	return o, nil
}

// Export writes the table with all its entries, in the format of package archive: also what only
// game masters see, but not the secret of the current session of dice. It has no links to seats,
// but the hashes that recognise them.
//
// An open move continues where the file is imported, with other dice from then on. Errors are
// *UnavailableError, *archive.FaultError for a table too large for a file, and those of the writer.
// After an error the output isn't a valid file.
func (p *History) Export(ctx context.Context, w io.Writer, now time.Time, version string) error {
	return export(ctx, p.st.State, p.entries, w, now, version)
}

// exportable returns the state up to which a seat may export a table; the entries up to there don't
// change any more. It's a *RefusedError while an open move collects sealed answers, which game
// masters may not see either.
func exportable(e *visibility.Eye) (*state.State, error) {
	if !e.Viewer.IsGM() {
		return nil, &refusal.ForbiddenError{}
	}
	return e.Table.State, act.NothingSealed(e)
}

// exportBatch is the number of entries that an export reads at once: few, because the client may be
// slow and each entry large.
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
		if len(read) == 0 { // the journal has lost entries
			return &refusal.UnreadableError{Table: st.ID, Seq: after + 1, Err: io.ErrUnexpectedEOF}
		}
		for _, e := range read {
			if e.Seq == st.Sessions.Now().From { // it has the secret of the current session
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

// Sum folds the entries of one table by its game and returns a checksum of the result: seats,
// characters, settings, sessions of dice, open moves, and what can be undone. The same norn
// computes the same sum from the same entries on every machine. An error is an *UnreadableError.
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

// readBack folds entries to a table that remembers all of its past. The error is an
// *UnreadableError.
func readBack(games []*game.Game, id string, entries []journal.Entry) (ledger.Ledger, error) {
	b := ledger.New(id, games, act.Vocabulary)
	b.WholeBefore = math.MaxUint64
	return b.WithLookback(context.Background(), (*ledger.InMemory)(&entries)).Fold(entries, nil)
}
