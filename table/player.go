package table

import (
	"context"
	"encoding/hex"
	"errors"

	"norn/game"
	"norn/picture"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Player is what a seat may do besides asking, whoever has it; spectators may less, as each method says. Each act is built, judged and
// folded in its own file; here it's asked for.
type Player struct{ Reader }

// writeEntry writes and shows what was written.
func (s *Player) writeEntry(ctx context.Context, key, op string, request any, plan func(visibility.Eye) (ledger.Draft, error)) (view.Entry, error) {
	r, err := s.write(ctx, key, op, request, plan)
	if err != nil {
		return view.Entry{}, err
	}
	var shown view.Entry
	told := false
	err = s.look(ctx, func(e visibility.Eye) error {
		shown, told = projection.Entry(e, r)
		return nil
	})
	if refusal.IsGone(err) || err == nil && !told { // the seat has just taken itself away, or nothing is told of what changed nothing
		return view.Entry{
			Seq: r.Seq, Time: r.Time, Kind: r.Kind, Seat: view.Author{ID: s.id}, Throws: []view.Throw{}, Lines: []view.Line{}, Questions: []view.Asked{}, Done: true, Rules: r.Rules, Edition: r.Edition,
		}, nil
	}
	return shown, err
}

// Make makes a move: judges it, throws its dice and carries it as far as the
// first questions. A GM may make any move with any character; a player those
// that aren't the GM's, with their own. Errors are *InvalidError, *RefusedError
// and *BusyError.
func (s *Player) Make(ctx context.Context, r request.Move) (view.Made, error) {
	key := r.Key
	r.Key = ""
	rec, err := s.write(ctx, key, "move", r, func(e visibility.Eye) (ledger.Draft, error) {
		if r.Nonce == "" && e.Viewer.IsGM() { // what players don't see they shall not derive when the session is over
			nonce, err := state.RandomBytes(s.host.Entropy, 16)
			if err != nil {
				return ledger.Draft{}, err
			}
			r.Nonce = hex.EncodeToString(nonce)
		}
		return act.Make(e, r)
	})
	if err != nil {
		return view.Made{}, err
	}
	return madeOf(ctx, s, rec)
}

// Answer answers an open question and carries its move on to the next ones or
// to its end. A GM may answer any; a player those to their own characters. Errors
// are *InvalidError, *RefusedError and *AnsweredError.
func (s *Player) Answer(ctx context.Context, r request.Answer) (view.Made, error) {
	key := r.Key
	r.Key = ""
	rec, err := s.write(ctx, key, "answer", r, func(e visibility.Eye) (ledger.Draft, error) { return act.Answer(e, r) })
	if err != nil {
		return view.Made{}, err
	}
	return madeOf(ctx, s, rec)
}

// Talk says something at the table, as plain text. A spectator only listens;
// a player speaks for themselves and for the characters that they play. Errors
// are *InvalidError.
func (s *Player) Talk(ctx context.Context, t request.Talk) (view.Entry, error) {
	asked := []any{t.Text, t.Character, t.ToGM}
	if t.To != "" {
		asked = append(asked, t.To)
	}
	return s.writeEntry(ctx, t.Key, "talk", asked, func(e visibility.Eye) (ledger.Draft, error) { return act.Talk(e, t) })
}

// AddCharacter adds a character. A GM may add any kind for any seat; a player a
// kind that players have, for themselves. Errors are *InvalidError, *RefusedError
// and *TooManyError.
func (s *Player) AddCharacter(ctx context.Context, n request.NewCharacter) (view.Entry, error) {
	key := n.Key
	n.Key = ""
	return s.writeEntry(ctx, key, "character", n, func(e visibility.Eye) (ledger.Draft, error) { return act.AddCharacter(e, n, s.host.Entropy) })
}

// ChangeCharacter changes a character's name, its player or its sheet. A GM
// may for any; a player for their own, but not who plays it, and of the sheet
// only what they see whole. A sheet can't be changed while its character is in
// an open move. Errors are *InvalidError, *RefusedError, *TooManyError and *BusyError.
func (s *Player) ChangeCharacter(ctx context.Context, c request.Change) (view.Entry, error) {
	key := c.Key
	c.Key = ""
	return s.writeEntry(ctx, key, "change", c, func(e visibility.Eye) (ledger.Draft, error) { return act.ChangeCharacter(e, c) })
}

// Undo takes back a move with all that came of it, or a change of a character
// or of the settings, by the seq of any of its entries. A GM may; a player
// their own changes of characters that they play. What it changed becomes what
// it was before; it stays in the log, as undone. Made again, it is a new move.
//
// Errors are *InvalidError for an entry that isn't there, *LaterError where
// something later stands on it, and *RefusedError for what can't be undone, is
// undone already or is still open.
func (s *Player) Undo(ctx context.Context, seq uint64, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "undo", seq, func(e visibility.Eye) (ledger.Draft, error) { return act.Undo(e, seq) })
}

// Cancel ends an open move. Its questions are gone and what it has changed is
// taken back; the dice that it threw stay on record. A GM may, and a player who
// made the move as long as no die was thrown in it and nothing answered.
//
// Errors are *InvalidError for a move that isn't there, and *RefusedError for
// one that isn't open, or that has gone too far for a player, and *LaterError where
// something stands on it, since it has let go of somebody.
func (s *Player) Cancel(ctx context.Context, id, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "cancel", id, func(e visibility.Eye) (ledger.Draft, error) { return act.Cancel(e, id) })
}

// SetFavourite makes a move one of a character's favourites, or with on false no more.
// Who plays the character may; only they and GMs see it. The error is an
// *InvalidError.
func (s *Player) SetFavourite(ctx context.Context, character, move string, on bool, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "star", []any{character, move, on}, func(e visibility.Eye) (ledger.Draft, error) { return act.SetFavourite(e, character, move, on) })
}

// AddShare adds the seat's share to the dice of this session. Moves that are
// opened from then on count with it. Any seat may, spectators too, once a
// session; more is a *RefusedError. A text that isn't 1 to MaxShare printable
// characters is an *InvalidError. Everybody sees it.
func (s *Player) AddShare(ctx context.Context, share, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "share", share, func(e visibility.Eye) (ledger.Draft, error) { return act.AddShare(e, share) })
}

// RenameSeat gives a seat another name; a GM may, and everybody their own.
func (s *Player) RenameSeat(ctx context.Context, id, name, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "rename", []string{id, name}, func(e visibility.Eye) (ledger.Draft, error) { return act.RenameSeat(e, id, name) })
}

// Attach brings bytes to the table that others of its entries name by their hash; use says what for. Any seat but spectators may. Nobody
// is told of it. The same bytes for the same use are there once for each seat. Errors are *InvalidError and *TooManyError.
func (s *Player) Attach(ctx context.Context, use, media string, data []byte, key string) (view.Attachment, error) {
	there := errors.New("it's there already")
	made := view.Attachment{Use: use, Media: media, Hash: act.HashOf(data), Size: len(data)}
	_, err := s.write(ctx, key, "attach", []string{use, media, made.Hash}, func(e visibility.Eye) (ledger.Draft, error) {
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

// AddPicture makes a picture of a JPEG, PNG or WebP file, neither wider nor higher than side, and attaches it: with nothing of what the file
// says besides. Any seat but spectators may. Errors are *RefusedError for what is no picture, or is too large, and *TooManyError.
func (s *Player) AddPicture(ctx context.Context, file []byte, side int, key string) (view.PictureShown, error) {
	if s.role == game.Spectator {
		return view.PictureShown{}, &refusal.ForbiddenError{}
	}
	made, err := picture.InTurn(ctx, file, side)
	switch {
	case errors.Is(err, picture.ErrTooLarge):
		return view.PictureShown{}, refusal.Refuse("picture-large", nil)
	case errors.Is(err, picture.ErrUnreadable):
		return view.PictureShown{}, refusal.Refuse("no-picture", nil)
	case err != nil:
		return view.PictureShown{}, &refusal.UnavailableError{Err: err}
	}
	a, err := s.Attach(ctx, view.UsePicture, made.Media, made.Data, key)
	return view.PictureShown{
		Hash: a.Hash, Media: a.Media, Width: made.Width, Height: made.Height, Size: a.Size, To: []string{}, PortraitOf: []string{}, Own: true,
	}, err
}

// SetPortrait gives a character a picture as its portrait, or with "" takes it away; who plays it may, with a picture that the seat may have.
// Whoever sees the character sees it. The error is an *InvalidError.
func (s *Player) SetPortrait(ctx context.Context, id, hash, key string) (view.Entry, error) {
	return s.writeEntry(ctx, key, "portrait", []string{id, hash}, func(e visibility.Eye) (ledger.Draft, error) { return act.SetPortrait(e, id, hash) })
}

// madeOf shows what came of a move or an answer.
func madeOf(ctx context.Context, s *Player, r *state.Record) (view.Made, error) {
	made := view.Made{Open: []view.Question{}, Waiting: []view.Waiting{}}
	err := s.look(ctx, func(e visibility.Eye) error {
		entry, _ := projection.EntryOnce(e, r)
		made.Entry = *entry
		if m := e.Table.OpenMoves.Of(r.Move); m != nil {
			open, waiting := projection.Questions(e, m)
			made.Open, made.Waiting = append(made.Open, open...), append(made.Waiting, waiting...)
		}
		return nil
	})
	return made, err
}
