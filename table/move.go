package table

import (
	"context"
	"encoding/hex"
	"errors"

	"norn/game"
	"norn/internal/picture"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Make makes a move: it validates it, rolls, and runs the rule up to the first questions. A GM may
// make any move with any character; players those that aren't only for GMs, with their own. Errors
// are *InvalidError, *RefusedError and *BusyError.
func (s *Seat) Make(ctx context.Context, r request.Move) (view.Made, error) {
	made, _, err := s.MakeForm(ctx, r)
	return made, err
}

// MakeForm is Make for a form that norn has filled in. It also returns the form as it's filled in
// now, for Prepare, unless something else has refused the move before.
func (s *Seat) MakeForm(ctx context.Context, r request.Move) (_ view.Made, p act.Prepared, _ error) {
	key := r.Key
	r.Key = ""
	rec, err := s.write(ctx, key, "move", r, func(e *visibility.Eye) (d ledger.Draft, err error) {
		// players must not be able to derive dice that they weren't shown when the session is over
		if r.Nonce == "" && e.Viewer.IsGM() {
			nonce, err := state.RandomBytes(s.host.Entropy, 16)
			if err != nil {
				return ledger.Draft{}, err
			}
			r.Nonce = hex.EncodeToString(nonce)
		}
		d, p, err = act.Make(e, r)
		return d, err
	})
	if err != nil {
		return view.Made{}, p, err
	}
	made, err := madeOf(ctx, s, rec)
	return made, p, err
}

// Answer answers an open question and continues its move up to the next questions or its end. A GM
// may answer any; players those to their own characters. Errors are *InvalidError, *RefusedError
// and *AnsweredError.
func (s *Seat) Answer(ctx context.Context, r request.Answer) (view.Made, error) {
	key := r.Key
	r.Key = ""
	rec, err := s.write(ctx, key, "answer", r, func(e *visibility.Eye) (ledger.Draft, error) { return act.Answer(e, r) })
	if err != nil {
		return view.Made{}, err
	}
	return madeOf(ctx, s, rec)
}

// Attach stores bytes at the table, to which other entries refer by hash; use says what for. Any
// seat but spectators may. No seat sees the entry. The same bytes for the same use are stored once
// for each seat. Errors are *InvalidError and *TooManyError.
func (s *Seat) Attach(ctx context.Context, use, media string, data []byte, key string) (view.Attachment, error) {
	there := errors.New("it's there already")
	made := view.Attachment{Use: use, Media: media, Hash: act.HashOf(data), Size: len(data)}
	_, err := s.write(ctx, key, "attach", []string{use, media, made.Hash},
		func(e *visibility.Eye) (ledger.Draft, error) {
			if own := e.Table.Attachments.By(e.Seat.ID).Of(use, made.Hash); len(own) > 0 {
				made.Media = own[0].Media
				return ledger.Draft{}, there
			}
			return act.Attach(e, use, media, data)
		})
	if err != nil && !errors.Is(err, there) {
		return view.Attachment{}, err
	}
	return made, nil
}

// AddPicture makes a picture of at most side pixels in width and height from a JPEG, PNG or WebP
// file, without metadata, and attaches it. Any seat but spectators may. Errors are *RefusedError
// for a file that isn't a picture or is too large, and *TooManyError.
func (s *Seat) AddPicture(ctx context.Context, file []byte, side int, key string) (view.PictureShown, error) {
	if s.role == game.Spectator {
		return view.PictureShown{}, &refusal.ForbiddenError{}
	}
	ctx, leave, err := takeTurn(ctx)
	if err != nil {
		return view.PictureShown{}, err
	}
	defer leave()
	made, err := picture.InTurn(ctx, file, side)
	switch {
	case errors.Is(err, picture.ErrTooLarge):
		return view.PictureShown{}, refusal.Refuse("picture-large", nil)
	case errors.Is(err, picture.ErrHEIC):
		return view.PictureShown{}, refusal.Refuse("picture-heic", nil)
	case errors.Is(err, picture.ErrUnreadable):
		return view.PictureShown{}, refusal.Refuse("no-picture", nil)
	case err != nil:
		return view.PictureShown{}, &refusal.UnavailableError{Err: err}
	}
	a, err := s.Attach(ctx, view.UsePicture, made.Media, made.Data, key)
	return view.PictureShown{
		Hash: a.Hash, Media: a.Media, Width: made.Width, Height: made.Height, Size: a.Size, To: []string{},
		PortraitOf: []string{}, Own: true,
	}, err
}

// madeOf returns the result of a move or an answer.
func madeOf(ctx context.Context, s *Seat, r *state.Record) (view.Made, error) {
	made := view.Made{Open: []view.Question{}, Waiting: []view.Waiting{}}
	err := s.look(ctx, func(e *visibility.Eye) error {
		if entry := projection.EntryOnce(e, r); entry != nil {
			made.Entry = *entry
		}
		if m := e.Table.OpenMoves.Of(r.Move); m != nil {
			open, waiting := projection.Questions(e, m)
			made.Open, made.Waiting = append(made.Open, open...), append(made.Waiting, waiting...)
		}
		return nil
	})
	return made, err
}
