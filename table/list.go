package table

import (
	"context"
	"maps"
	"slices"

	"norn/game"
	"norn/lang"
	"norn/table/act"
	"norn/table/internal/projection"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// ReadList reads the rows of a request and matches their columns to the fields that they may have,
// without keeping anything; only a game master may. Rows that don't fit are in the result. Errors are
// *RefusedError and *InvalidError.
func (s *Reader) ReadList(ctx context.Context, r act.ListRequest) (act.ListRead, error) {
	if err := s.look(ctx, roomForList(r)); err != nil {
		return act.ListRead{}, err
	}
	ctx, leave, err := takeTurn(ctx)
	if err != nil {
		return act.ListRead{}, err
	}
	defer leave()
	return ask(ctx, s, func(e *visibility.Eye) (act.ListRead, error) {
		tongues := []lang.Speaker{s.Speaker()} // the reader's own first
		for _, l := range lang.All {
			tongues = append(tongues, e.Table.Speak(s.host.Words.In(l)))
		}
		return act.ReadList(e, r, tongues)
	})
}

// List returns a list of the table's own with its rows. The error, an *InvalidError, is the same for
// a list that the seat doesn't see.
func (s *Reader) List(ctx context.Context, id string) (l view.List, err error) {
	var parts []string
	err = s.look(ctx, func(e *visibility.Eye) error {
		found, err := act.SeenList(e, id)
		l.ListShown, parts = projection.ListShown(e, found), found.Parts()
		return err
	})
	if err != nil {
		return view.List{}, err
	}
	b := s.host.shelf.find(l.Hash)
	if b == nil {
		kept, err := s.keptTexts(ctx, parts)
		if err != nil {
			return view.List{}, err
		}
		b = newBook(l.Hash, kept)
		s.host.shelf.keep(b)
	}
	l.Columns, l.Texts, l.Keys = b.Columns, b.Rows, b.keys
	return l, nil
}

// keptTexts reads the rows of a list from its attachments.
func (s *Reader) keptTexts(ctx context.Context, parts []string) (kept act.KeptTexts, err error) {
	for _, hash := range parts {
		a, data, err := s.Attachment(ctx, view.UseList, hash)
		if err != nil {
			return kept, err
		}
		if err := kept.AddKeptRows(a.Media, data); err != nil {
			return kept, &refusal.UnreadableError{Table: s.table, Err: err}
		}
	}
	return kept, nil
}

// ListFile makes a file of a list, which SetList takes at another table. Errors are those of List.
func (s *Reader) ListFile(ctx context.Context, id string) (view.ListFile, error) {
	l, err := s.List(ctx, id)
	if err != nil {
		return view.ListFile{}, err
	}
	return view.ListFile{
		Format: view.ListFormat, Norn: s.host.Version, Game: s.game.ID, Name: l.Name, Kind: l.Kind, Field: l.Field,
		Rows: game.Each(l.Texts, func(cells []string) map[string]string {
			row := map[string]string{}
			for i, path := range l.Columns {
				row[path] = cells[i]
			}
			maps.DeleteFunc(row, func(_, cell string) bool { return cell == "" })
			return row
		}),
	}, nil
}

// Spreadsheet makes a file of a list as one of act.Spreadsheets, in a turn of its client, since a large
// list costs much. Errors are those of List and *UnavailableError.
func (s *Reader) Spreadsheet(ctx context.Context, id, as string) ([]byte, error) {
	ctx, leave, err := takeTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	l, err := s.List(ctx, id)
	if err != nil {
		return nil, err
	}
	return act.WriteList(s.game, s.Speaker(), l, as)
}

// attachList attaches the rows that a request brings, once they and the rest were found good: nothing
// is half taken.
func attachList(ctx context.Context, s *Seat, r act.ListRequest) (act.ListRequest, error) {
	read, err := s.ReadList(ctx, r)
	if err == nil && !r.Fitting {
		err = read.Err()
	}
	if err != nil {
		return r, err
	}
	kept, err := read.Keep()
	if err != nil {
		return r, err
	}
	r.Kind, r.Field = read.Kind, read.Field // a file says itself what it's for
	r = r.WithRows(kept)
	if err := s.look(ctx, func(e *visibility.Eye) error { return act.CheckList(e, r) }); err != nil {
		return r, err
	}
	for _, part := range kept.Parts {
		if _, err := s.Attach(ctx, view.UseList, part.Media, part.Data, ""); err != nil {
			return r, err
		}
	}
	return r, nil
}

// readRow reads the row that a request names. Without such a list or row the request stays as it is,
// and its act refuses it.
func readRow(ctx context.Context, s *Seat, r act.PickRequest) (act.PickRequest, error) {
	l, err := s.List(ctx, r.List)
	switch {
	case refusal.IsRefusal(err):
		return r, nil
	case err != nil:
		return r, err
	}
	return r.WithRow(l.Hash, act.KeptTexts{Columns: l.Columns, Rows: slices.Clip(l.Texts)}), nil
}
