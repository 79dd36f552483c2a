package table

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"norn/game"
	"norn/lang"
	"norn/picture"
	"norn/table/internal/act"
	"norn/table/internal/ledger"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Seat is somebody at a table. Every operation is made as that seat and shows
// only what it may see. A Seat holds no resources; it may be kept as long as
// its link is good and used from any goroutine.
//
// Enter finds all that stands in the journal at that moment; what comes after is
// found as this node hears of it, Config.Poll late at most where somebody watches. Whoever
// must find what another node has just written enters again, as each request does.
//
// Besides the errors named at each method, all return *NotFoundError once the
// seat's link is no longer good, *UnavailableError and *UnreadableError.
// Those that write also return *KeyReusedError and *ConflictError, and
// *ForbiddenError where the seat's role may not do it.
type Seat struct {
	Reader
	secret func() string // behind a function, so that printing a Seat can't show it
}

// entry writes and shows what was written.
func (s *Seat) entry(ctx context.Context, key, op string, request any, plan func(visibility.Eye) (ledger.Draft, error)) (view.Entry, error) {
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

// Attach brings bytes to the table that others of its entries name by their hash; use says what for. Any seat but spectators may. Nobody
// is told of it. The same bytes for the same use are there once for each seat. Errors are *InvalidError and *TooManyError.
func (s *Seat) Attach(ctx context.Context, use, media string, data []byte, key string) (view.Attachment, error) {
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
func (s *Seat) AddPicture(ctx context.Context, file []byte, side int, key string) (view.PictureShown, error) {
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
func (s *Seat) SetPortrait(ctx context.Context, id, hash, key string) (view.Entry, error) {
	return s.entry(ctx, key, "portrait", []string{id, hash}, func(e visibility.Eye) (ledger.Draft, error) { return act.SetPortrait(e, id, hash) })
}

// ShowPicture shows a picture to everybody, or to some seats; only a GM may. They may have it from then on. The error is an *InvalidError.
func (s *Seat) ShowPicture(ctx context.Context, w request.Showing) (view.Entry, error) {
	key := w.Key
	w.Key = ""
	return s.entry(ctx, key, "picture", w, func(e visibility.Eye) (ledger.Draft, error) { return act.ShowPicture(e, w) })
}

// ShareNote lets everybody, or some seats besides those who could before, read a note as it is now; only a GM may. The error is an *InvalidError.
func (s *Seat) ShareNote(ctx context.Context, id string, to []string, key string) (view.Entry, error) {
	return s.entry(ctx, key, "handout", []any{id, to}, func(e visibility.Eye) (ledger.Draft, error) { return act.ShareNote(e, id, to) })
}

// TakePicture takes a shown picture back from all; only a GM may. They have seen it, and may have saved it. The error is an *InvalidError.
func (s *Seat) TakePicture(ctx context.Context, hash, key string) (view.Entry, error) {
	return s.entry(ctx, key, "take", hash, func(e visibility.Eye) (ledger.Draft, error) { return act.TakePicture(e, hash) })
}

// HideNote takes a shared note back from all; only a GM may. They have read it, and may have saved it. The error is an *InvalidError.
func (s *Seat) HideNote(ctx context.Context, id, key string) (view.Entry, error) {
	return s.entry(ctx, key, "hide", id, func(e visibility.Eye) (ledger.Draft, error) { return act.HideNote(e, id) })
}

// RaiseX lays an X-card on the table: somebody wants something to stop, or to be told otherwise. Any seat but a spectator's may. The entry is of none, and
// nothing is kept of who it was. Where one lies there already, or was put away a moment ago, nothing is added.
func (s *Seat) RaiseX(ctx context.Context) error {
	if err := s.look(ctx, func(e visibility.Eye) error { // the link is good, and of somebody who plays
		if e.Seat.Role == game.Spectator {
			return &refusal.ForbiddenError{}
		}
		return nil
	}); err != nil {
		return err
	}
	there := errors.New("it lies there")
	nobody := author{eye: func(b ledger.Ledger) (visibility.Eye, error) {
		return visibility.Of(b, &state.Seat{}, lang.Speaker{}), nil
	}}
	_, err := s.host.write(ctx, s.table, nobody, func(e visibility.Eye) (ledger.Draft, error) {
		if x := e.Table.X; x.Seq > 0 || s.host.Now().Sub(x.At) < request.XRests {
			return ledger.Draft{}, there
		}
		return act.RaiseX(e)
	})
	if errors.Is(err, there) {
		return nil
	}
	return err
}

// PutXAway takes the X-card up again, once it was talked about; anybody but spectators may. It's a *RefusedError where none lies there.
func (s *Seat) PutXAway(ctx context.Context, key string) (view.Entry, error) {
	return s.entry(ctx, key, "x-away", nil, func(e visibility.Eye) (ledger.Draft, error) { return act.PutXAway(e) })
}

// keepText has the text of the table's game stand at it, where the game is one: whoever has the table's file has its rules.
func (s *Seat) keepText(ctx context.Context) error {
	source := s.game.Now().Source
	if source == nil {
		return nil
	}
	_, err := s.Attach(ctx, view.UseText, "application/json", source, "")
	return err
}

// Still has f ask a seat that answers all that it's asked from one revision, however the table goes on meanwhile. f only
// asks, and keeps no hold of that seat.
func (s *Seat) Still(ctx context.Context, f func(*Seat) error) error {
	return s.within(ctx, func(now still) error {
		at := *s
		at.still = &now
		return f(&at)
	})
}

// What a seat may do. Each act is built, judged and folded in its own file; here it's asked for.

// Note keeps a note of the GM's: a new one where id is "", else another text
// for that one; an empty text throws it away. Only GMs may, and only they see
// the entry and View.Notes. Errors are *InvalidError and *TooManyError.
func (s *Seat) Note(ctx context.Context, id, text, key string) (view.Entry, error) {
	return s.entry(ctx, key, "note", []string{id, text}, func(e visibility.Eye) (ledger.Draft, error) { return act.Note(e, id, text) })
}

// Talk says something at the table, as plain text. A spectator only listens;
// a player speaks for themselves and for the characters that they play. Errors
// are *InvalidError.
func (s *Seat) Talk(ctx context.Context, t request.Talk) (view.Entry, error) {
	asked := []any{t.Text, t.Character, t.ToGM}
	if t.To != "" {
		asked = append(asked, t.To)
	}
	return s.entry(ctx, t.Key, "talk", asked, func(e visibility.Eye) (ledger.Draft, error) { return act.Talk(e, t) })
}

// Star makes a move one of a character's favourites, or with on false no more.
// Who plays the character may; only they and GMs see it. The error is an
// *InvalidError.
func (s *Seat) Star(ctx context.Context, character, move string, on bool, key string) (view.Entry, error) {
	return s.entry(ctx, key, "star", []any{character, move, on}, func(e visibility.Eye) (ledger.Draft, error) { return act.Star(e, character, move, on) })
}

// Show opens a secret move that has ended to everybody at the table, as a GM
// may. Errors are *ForbiddenError, *InvalidError for a move that isn't there or
// isn't secret, and *RefusedError while it's still open.
func (s *Seat) Show(ctx context.Context, id, key string) (view.Entry, error) {
	return s.entry(ctx, key, "show", id, func(e visibility.Eye) (ledger.Draft, error) { return act.Show(e, id) })
}

// AddShare adds the seat's share to the dice of this session. Moves that are
// opened from then on count with it. Any seat may, spectators too, once a
// session; more is a *RefusedError. A text that isn't 1 to MaxShare printable
// characters is an *InvalidError. Everybody sees it.
func (s *Seat) AddShare(ctx context.Context, share, key string) (view.Entry, error) {
	return s.entry(ctx, key, "share", share, func(e visibility.Eye) (ledger.Draft, error) { return act.AddShare(e, share) })
}

// Configure changes house rules and settings by a JSON merge patch; only a GM
// may. Open moves go on with those they began with. The error is *InvalidError.
func (s *Seat) Configure(ctx context.Context, settings json.RawMessage, key string) (view.Entry, error) {
	return s.entry(ctx, key, "settings", settings, func(e visibility.Eye) (ledger.Draft, error) { return act.Configure(e, settings) })
}

// RemoveCharacter takes a character away; only a GM may. It can't be in an
// open move, and neither can who gets something back by it. Errors are *InvalidError, *RefusedError
// and *BusyError.
func (s *Seat) RemoveCharacter(ctx context.Context, id, key string) (view.Entry, error) {
	return s.entry(ctx, key, "remove", id, func(e visibility.Eye) (ledger.Draft, error) { return act.RemoveCharacter(e, id) })
}

// ChangeCharacter changes a character's name, its player or its sheet. A GM
// may for any; a player for their own, but not who plays it, and of the sheet
// only what they see whole. A sheet can't be changed while its character is in
// an open move. Errors are *InvalidError, *RefusedError, *TooManyError and *BusyError.
func (s *Seat) ChangeCharacter(ctx context.Context, c request.Change) (view.Entry, error) {
	key := c.Key
	c.Key = ""
	return s.entry(ctx, key, "change", c, func(e visibility.Eye) (ledger.Draft, error) { return act.ChangeCharacter(e, c) })
}

// AddCharacter adds a character. A GM may add any kind for any seat; a player a
// kind that players have, for themselves. Errors are *InvalidError, *RefusedError
// and *TooManyError.
func (s *Seat) AddCharacter(ctx context.Context, n request.NewCharacter) (view.Entry, error) {
	key := n.Key
	n.Key = ""
	return s.entry(ctx, key, "character", n, func(e visibility.Eye) (ledger.Draft, error) { return act.AddCharacter(e, n, s.host.Entropy) })
}

// ShowCharacter has everybody know of a character that was prepared hidden, from then on; only a GM may. Errors are *InvalidError for
// one that isn't there, and *RefusedError for one that isn't hidden.
func (s *Seat) ShowCharacter(ctx context.Context, id, key string) (view.Entry, error) {
	return s.entry(ctx, key, "show-character", id, func(e visibility.Eye) (ledger.Draft, error) { return act.ShowCharacter(e, id) })
}

// Call asks for a move; only a GM may. What it fixes binds: until it's met or
// withdrawn, a player's move of that kind with that character has those arguments,
// and one that leaves them out gets them. It's met by the next such move, and open
// again if that move is undone.
// Errors are *InvalidError and *TooManyError.
func (s *Seat) Call(ctx context.Context, c request.Call) (view.Entry, error) {
	key := c.Key
	c.Key = ""
	return s.entry(ctx, key, "call", c, func(e visibility.Eye) (ledger.Draft, error) { return act.Call(e, c) })
}

// Withdraw takes a call back; only a GM may. The error is an *InvalidError for
// one that isn't open.
func (s *Seat) Withdraw(ctx context.Context, id, key string) (view.Entry, error) {
	return s.entry(ctx, key, "withdraw", id, func(e visibility.Eye) (ledger.Draft, error) { return act.Withdraw(e, id) })
}

// Plan says when people meet next, the zero time for nobody knows; only a GM may. The error is an *InvalidError for a year in which nobody plays.
func (s *Seat) Plan(ctx context.Context, at time.Time, key string) (view.Entry, error) {
	return s.entry(ctx, key, "plan", at.UTC(), func(e visibility.Eye) (ledger.Draft, error) { return act.Plan(e, at) })
}

// EndSession opens the secret of this session to everybody, so that its dice
// can be derived again, and seals one for the next; only a GM may. It's a
// *RefusedError while a move is open, since that move's dice aren't all thrown.
func (s *Seat) EndSession(ctx context.Context, key string) (view.Entry, error) {
	return s.entry(ctx, key, "session", nil, func(e visibility.Eye) (ledger.Draft, error) { return act.EndSession(e, s.host.Entropy) })
}

// Undo takes back a move with all that came of it, or a change of a character
// or of the settings, by the seq of any of its entries. A GM may; a player
// their own changes of characters that they play. What it changed becomes what
// it was before; it stays in the log, as undone. Made again, it is a new move.
//
// Errors are *InvalidError for an entry that isn't there, *LaterError where
// something later stands on it, and *RefusedError for what can't be undone, is
// undone already or is still open.
func (s *Seat) Undo(ctx context.Context, seq uint64, key string) (view.Entry, error) {
	return s.entry(ctx, key, "undo", seq, func(e visibility.Eye) (ledger.Draft, error) { return act.Undo(e, seq) })
}

// Cancel ends an open move. Its questions are gone and what it has changed is
// taken back; the dice that it threw stay on record. A GM may, and a player who
// made the move as long as no die was thrown in it and nothing answered.
//
// Errors are *InvalidError for a move that isn't there, and *RefusedError for
// one that isn't open, or that has gone too far for a player, and *LaterError where
// something stands on it, since it has let go of somebody.
func (s *Seat) Cancel(ctx context.Context, id, key string) (view.Entry, error) {
	return s.entry(ctx, key, "cancel", id, func(e visibility.Eye) (ledger.Draft, error) { return act.Cancel(e, id) })
}

// TakeEdition has the table played by this norn's edition of the rules from now on; only a GM may. Open moves go on by them;
// those that can't, View.Stranded, are cancelled with it: what they changed is as it was before. It's a *RefusedError where
// no newer edition is to be had.
func (s *Seat) TakeEdition(ctx context.Context, key string) (view.Entry, error) {
	if s.role == game.Master {
		if err := s.keepText(ctx); err != nil {
			return view.Entry{}, err
		}
	}
	return s.entry(ctx, key, "edition", nil, func(e visibility.Eye) (ledger.Draft, error) { return act.TakeEdition(e) })
}

// RenameSeat gives a seat another name; a GM may, and everybody their own.
func (s *Seat) RenameSeat(ctx context.Context, id, name, key string) (view.Entry, error) {
	return s.entry(ctx, key, "rename", []string{id, name}, func(e visibility.Eye) (ledger.Draft, error) { return act.RenameSeat(e, id, name) })
}

// RevokeSeat takes a seat away; its link opens nothing from then on. Only a GM
// may; the last GM stays, which is a *RefusedError. Its characters stay, with
// nobody to play them.
func (s *Seat) RevokeSeat(ctx context.Context, id, key string) (view.Entry, error) {
	return s.entry(ctx, key, "revoke", id, func(e visibility.Eye) (ledger.Draft, error) { return act.RevokeSeat(e, id) })
}

// AddSeat invites somebody; only a GM may. Errors are *InvalidError and
// *TooManyError. A repeated request gives the same secret, unless a link
// was renewed in between.
func (s *Seat) AddSeat(ctx context.Context, r request.NewSeat) (view.Invitation, error) {
	rec, err := s.write(ctx, r.Key, "seat", []string{r.Name, string(r.Role)}, func(e visibility.Eye) (ledger.Draft, error) {
		return act.AddSeat(e, r, s.secret(), s.host.Entropy)
	})
	if err != nil {
		return view.Invitation{}, err
	}
	added := rec.Decoded[0].(act.SeatAdded)
	return view.Invitation{ID: added.ID, Role: added.Role, Name: added.Name, Secret: added.Lock.Again(s.secret())}, nil
}

// RenewSeat gives a seat a new secret; the old link opens nothing from then
// on. Only a GM may. A GM who renews their own must go on with the new one.
func (s *Seat) RenewSeat(ctx context.Context, id, key string) (view.Invitation, error) {
	rec, err := s.write(ctx, key, "renew", id, func(e visibility.Eye) (ledger.Draft, error) {
		return act.RenewSeat(e, id, s.secret(), s.host.Entropy)
	})
	if err != nil {
		return view.Invitation{}, err
	}
	renewed := rec.Decoded[0].(act.SeatRenewed)
	return view.Invitation{ID: renewed.ID, Role: renewed.Role, Name: renewed.Name, Secret: renewed.Lock.Again(s.secret())}, nil
}

// Make makes a move: judges it, throws its dice and carries it as far as the
// first questions. A GM may make any move with any character; a player those
// that aren't the GM's, with their own. Errors are *InvalidError, *RefusedError
// and *BusyError.
func (s *Seat) Make(ctx context.Context, r request.Move) (view.Made, error) {
	key := r.Key
	r.Key = ""
	rec, err := s.write(ctx, key, "move", r, func(e visibility.Eye) (ledger.Draft, error) {
		if r.Nonce == "" && e.Viewer.IsGM() { // what players don't see they shall not derive when the session is over
			nonce, err := state.Draw(s.host.Entropy, 16)
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
	return s.made(ctx, rec)
}

// Answer answers an open question and carries its move on to the next ones or
// to its end. A GM may answer any; a player those to their own characters. Errors
// are *InvalidError, *RefusedError and *AnsweredError.
func (s *Seat) Answer(ctx context.Context, r request.Answer) (view.Made, error) {
	key := r.Key
	r.Key = ""
	rec, err := s.write(ctx, key, "answer", r, func(e visibility.Eye) (ledger.Draft, error) { return act.Answer(e, r) })
	if err != nil {
		return view.Made{}, err
	}
	return s.made(ctx, rec)
}

// made shows what came of a move or an answer.
func (s *Seat) made(ctx context.Context, r *state.Record) (view.Made, error) {
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
