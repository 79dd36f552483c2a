package table

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"sync/atomic"

	"norn/form"
	"norn/game"
	"norn/journal"
	"norn/lang"
	"norn/odds"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// VoiceOf is a voice that knows no names, for errors before anybody is seated.
func VoiceOf(s lang.Speaker) game.Voice {
	return game.Voice{Speaker: s, Name: func(string) string { return s.Say("table.somebody") }}
}

// Odds are the chances of a move with the character's own numbers, before
// anything is thrown; busy characters have them too. A move too large to walk
// is simulated, always with the same dice. Errors are those of Make but for
// *BusyError, and the context's inside an *UnavailableError.
func (s *Reader) Odds(ctx context.Context, r request.Move) (*odds.Odds, error) {
	a, _, err := priceable(ctx, s, r)
	if err != nil {
		return nil, err
	}
	return projection.Odds(a, ctx, a.Args)
}

// priceable is an attempt whose odds the seat may ask for; ours tells whether it decides for the game master.
func priceable(ctx context.Context, s *Reader, r request.Move) (a act.Attempt, ours bool, err error) {
	err = s.look(ctx, func(e visibility.Eye) (err error) {
		if a, err = act.KnownAttempt(e, r); err == nil && !e.SeesOdds(a.Def) {
			err = refusal.Refuse("no-odds", nil)
		}
		actor := e.Table.Characters.Of(r.Character)
		ours = actor == nil || actor.Owner == ""
		return err
	})
	return a, ours, err
}

// Preview looks at a move before it's made. Errors are those of Odds.
func (s *Reader) Preview(ctx context.Context, r request.Move) (view.Preview, error) {
	var a act.Attempt
	seen := false
	err := s.look(ctx, func(e visibility.Eye) (err error) {
		if a, err = act.KnownAttempt(e, r); err == nil {
			seen = e.SeesOdds(a.Def)
		}
		return err
	})
	if err != nil || !seen {
		return view.Preview{}, err
	}
	return projection.PreviewMove(ctx, a)
}

// MoveForm is a move's form with this table's choices. Errors are
// *InvalidError and *ForbiddenError.
func (s *Reader) MoveForm(ctx context.Context, move, character string) (*form.Form, error) {
	return ask(ctx, s, func(e visibility.Eye) (*form.Form, error) {
		def, err := act.MayMake(e, move, character)
		if err != nil {
			return nil, err
		}
		return act.MoveForm(e, def, character), nil
	})
}

// Best are the odds of the whole move at this table, under choices: those of
// whoever plays the acting character, and the GM's for a character that no
// player plays. Odds.Policy tells the best of them. Errors are those of Odds,
// *InvalidError for an aim or an answer that can't be, and *RefusedError where
// the best can't be found.
func (s *Reader) Best(ctx context.Context, r request.Move, c request.Choices) (*odds.Odds, error) {
	a, ours, err := priceable(ctx, s, r)
	if err != nil {
		return nil, err
	}
	return projection.Best(a, ctx, c, func(to string) bool { return to == r.Character || to == game.GM && ours })
}

// ExportSeen writes what the seat sees of the table's log as a file that Verify
// checks: dice of opened sessions can be derived again from it, and moves of
// which the seat sees all be made again. It holds nothing that the seat's log
// and sheets haven't shown it, so any seat may have it at any time.
//
// Errors are *UnavailableError, *UnreadableError, *archive.FaultError for a log
// too large for a file, and those of the writer. After an error what was written
// is no whole file.
func (s *Reader) ExportSeen(ctx context.Context, w io.Writer) (err error) {
	defer ledger.Catch(&err)
	now, err := ask(ctx, s, func(e visibility.Eye) (visibility.Eye, error) { return e, nil })
	if err != nil {
		return err
	}
	return verify.WriteSeen(ctx, w, now, func(b ledger.Ledger) (visibility.Eye, error) {
		return eyeOf(s, b)
	}, s.host.Journal, s.host.Now(), s.host.Version)
}

// SheetForm is the part of a character's sheet that the seat may change, as a
// form. Errors are as for ChangeCharacter.
func (s *Reader) SheetForm(ctx context.Context, id string) (view.SheetForm, error) {
	return ask(ctx, s, func(e visibility.Eye) (view.SheetForm, error) { return act.SheetForm(e, id) })
}

// KeyUsed tells whether the seat has made an entry with a key: what comes with it is a request that comes again.
func (s *Reader) KeyUsed(ctx context.Context, key string) (used bool, err error) {
	used, err = ask(ctx, s, func(e visibility.Eye) (bool, error) {
		return ledger.RecordOfKey(e.Table.Recent, s.id, key) != nil, nil
	})
	if err != nil || used || key == "" {
		return used, err
	}
	switch _, err = s.host.Journal.Find(ctx, s.table, s.id, key); {
	case errors.Is(err, journal.ErrNotFound):
		return false, nil
	case err != nil:
		return false, refusal.Unavailable(s.table, 0, err)
	}
	return true, nil
}

// Export writes the table as History.Export does; only a GM may.
func (s *Reader) Export(ctx context.Context, w io.Writer) error {
	st, err := ask(ctx, s, exportable)
	if err != nil {
		return err
	}
	return export(ctx, st, s.host.Journal, w, s.host.Now(), s.host.Version)
}

// MayExport says what Export would refuse now.
func (s *Reader) MayExport(ctx context.Context) error {
	_, err := ask(ctx, s, exportable)
	return err
}

// Attachment gives the bytes of an attachment to who may have them: game masters, who brought it,
// and who sees what names it. Nobody is told whether there's one that they may not have. The error
// is an *InvalidError.
func (s *Reader) Attachment(ctx context.Context, use, hash string) (view.Attachment, []byte, error) {
	var found state.Attachment
	lasting := use != view.UsePicture
	err := s.look(ctx, func(e visibility.Eye) error {
		var ok bool
		if found, ok = e.Attachment(use, hash); !ok {
			return refusal.NoChoice("attachment", hash, nil)
		}
		lasting = lasting || e.SeesPortrait(hash)
		return nil
	})
	if err != nil {
		return view.Attachment{}, nil, err
	}
	entries, err := s.host.read(ctx, s.table, found.Seq-1, 1)
	switch {
	case err != nil:
		return view.Attachment{}, nil, refusal.Unavailable(s.table, found.Seq, err)
	case len(entries) == 0: // entries never go
		return view.Attachment{}, nil,
			&refusal.UnreadableError{Table: s.table, Seq: found.Seq, Err: io.ErrUnexpectedEOF}
	}
	a, data, err := act.ReadAttachment(entries[0].Body)
	if err != nil {
		return view.Attachment{}, nil, &refusal.UnreadableError{Table: s.table, Seq: found.Seq, Err: err}
	}
	a.Lasting = lasting
	return a, data, nil
}

// Pictures are those that the seat may have, oldest first.
func (s *Reader) Pictures(ctx context.Context) ([]view.PictureShown, error) {
	return ask(ctx, s, func(e visibility.Eye) ([]view.PictureShown, error) { return projection.Pictures(e), nil })
}

// Handouts are the notes that were shared with the seat, the one that was shared last at the end; a
// GM's are all that were.
func (s *Reader) Handouts(ctx context.Context) ([]view.Handout, error) {
	return ask(ctx, s, func(e visibility.Eye) ([]view.Handout, error) { return projection.Handouts(e), nil })
}

// Voice words what the table's game says for the seat's reader: names are those
// that the seat knows, as they are now.
func (s *Reader) Voice(ctx context.Context) (game.Voice, error) {
	var names map[string]string
	err := s.within(ctx, func(now atRevision) error {
		names = now.t.views.namesOf(now.e, viewKey{s.id, s.speaker})
		return nil
	})
	voice := VoiceOf(s.speaker)
	unknown := voice.Name
	voice.Name = func(id string) string {
		if name, ok := names[id]; ok {
			return name
		}
		return unknown(id)
	}
	return voice, err
}

// Log gives the entries after a seq that the seat may see, oldest first, at
// most limit of them; 0 or more than MostEntries means MostEntries.
func (s *Reader) Log(ctx context.Context, after uint64, limit int) ([]view.Entry, error) {
	if limit <= 0 || limit > request.MostEntries {
		limit = request.MostEntries
	}
	return ask(ctx, s, func(e visibility.Eye) ([]view.Entry, error) {
		return projection.EntriesAfter(e, after, limit), nil
	})
}

// Last gives the newest n entries that the seat may see, oldest first.
func (s *Reader) Last(ctx context.Context, n int) ([]view.Entry, error) { return s.Earlier(ctx, 0, n) }

// Earlier gives the newest n entries before a seq that the seat may see, oldest first; before 0 is before none.
func (s *Reader) Earlier(ctx context.Context, before uint64, n int) ([]view.Entry, error) {
	return ask(ctx, s, func(e visibility.Eye) ([]view.Entry, error) {
		return projection.EntriesBefore(e, before, min(n, request.MostEntries)), nil
	})
}

// EntriesOfMove gives all entries of a move that the seat may see, oldest first; none for a move that isn't there.
func (s *Reader) EntriesOfMove(ctx context.Context, move string) ([]view.Entry, error) {
	return ask(ctx, s, func(e visibility.Eye) ([]view.Entry, error) { return projection.EntriesOfMove(e, move), nil })
}

// SecretEntries gives all entries of the newest n moves that are secret, at most a hundred, one
// move after the other, oldest first, for a game master; none for others.
func (s *Reader) SecretEntries(ctx context.Context, n int) ([]view.Entry, error) {
	return ask(ctx, s, func(e visibility.Eye) ([]view.Entry, error) { return projection.SecretEntries(e, n), nil })
}

// Find searches the part of the log that the seat may see, a move together
// with all that came of it: by who did it, what it's called, what was chosen,
// and what came of it, in the seat's words. The newest comes first, and a long log takes several searches.
func (s *Reader) Find(ctx context.Context, q request.Search) (view.Found, error) {
	return ask(ctx, s, func(e visibility.Eye) (view.Found, error) { return projection.Find(e, q), nil })
}

// Luck is that of each seat whose moves had chances in a session of dice, as far
// as the reader may know the odds of those moves; nothing for a session that isn't
// there. Secret moves count for who sees them, and moves that were undone for nobody.
func (s *Reader) Luck(ctx context.Context, session int) ([]view.SeatLuck, error) {
	all, err := ask(ctx, s, func(e visibility.Eye) ([]*projection.Fortune, error) {
		return projection.Fortunes(e, session), nil
	})
	return game.Each(all, (*projection.Fortune).Luck), err
}

// Recap is what a session came to, by what the seat may see: who did what, the throws that will be
// remembered, what changed on sheets. Moves that were undone aren't in it.
func (s *Reader) Recap(ctx context.Context, session int) (view.Recap, error) {
	return ask(ctx, s, func(e visibility.Eye) (view.Recap, error) { return projection.Recap(e, session), nil })
}

// Tally sums up the session of dice that lasts, by what the seat may see: who did how much, and how
// it came out, in the order in which they first did something.
func (s *Reader) Tally(ctx context.Context) ([]view.Tally, error) {
	return ask(ctx, s, func(e visibility.Eye) ([]view.Tally, error) { return projection.Tallies(e), nil })
}

// Story writes what happened as Markdown to be read, in the seat's language:
// sessions, who did what, what the dice said and what came of it. It holds only
// what everybody at the table may see, whoever asks, and neither ids nor the
// table's own business with links and secrets. A move that was taken back is
// named and no more. Each session ends with how lucky its players were, by the
// throws whose odds everybody may know. The error is an *InvalidError for a session that isn't there.
func (s *Reader) Story(ctx context.Context, w io.Writer, t request.Telling) error {
	return s.look(ctx, func(e visibility.Eye) error { return projection.Story(e.Table, w, e.Voice.Speaker, t) })
}

// View is the table as the seat sees it. All who look at the same share it: it isn't to be changed.
func (s *Reader) View(ctx context.Context) (v *view.View, err error) {
	err = s.within(ctx, func(now atRevision) error {
		made := now.t.views.of(now.e, viewKey{s.id, s.speaker}, now.t.presenceRevision.Load(), now.t.online)
		s.present.Store(&made.present)
		v = made.shown.View
		return nil
	})
	return v, err
}

// eyeOf is a seat's, if its link is still good.
func eyeOf(s *Reader, st ledger.Ledger) (visibility.Eye, error) {
	me := st.Seats.Of(s.id)
	if me == nil || me.Revoked || !me.Lock.Fits(s.key) {
		return visibility.Eye{}, &refusal.NotFoundError{}
	}
	return visibility.Of(st, me, s.speaker), nil
}

// atRevision is a table at one revision, by a seat's eye.
type atRevision struct {
	t *live
	e visibility.Eye
}

// ask is what f finds in the state, up to date.
func ask[T any](ctx context.Context, s *Reader, f func(visibility.Eye) (T, error)) (found T, err error) {
	err = s.within(ctx, func(now atRevision) (err error) {
		found, err = f(now.e)
		return err
	})
	return found, err
}

// look shows the state to f, up to date.
func (s *Reader) look(ctx context.Context, f func(visibility.Eye) error) error {
	return s.within(ctx, func(now atRevision) error { return f(now.e) })
}

func (s *Reader) within(ctx context.Context, f func(atRevision) error) (err error) {
	if s.at != nil {
		defer ledger.Catch(&err)
		return f(*s.at)
	}
	t, err := s.host.acquire(ctx, s.table)
	if err != nil {
		return err
	}
	defer s.host.release(t)
	return lookAt(ctx, s, t, func(e visibility.Eye) error { return f(atRevision{t, e}) })
}

// lookAt shows the state that a table has in memory to f, which may take its time: the table goes on meanwhile.
func lookAt(ctx context.Context, s *Reader, t *live, f func(visibility.Eye) error) (err error) {
	defer ledger.Catch(&err)
	b, err := t.awake(ctx)
	if err != nil {
		return err
	}
	e, err := eyeOf(s, b)
	if err != nil {
		return err
	}
	return f(e)
}

// Reader is what a seat may ask: nothing that changes the table.
type Reader struct {
	seatIdentity
	host *Host
	key  [sha256.Size]byte // the secret's hash

	present *atomic.Pointer[string] // who was online in its last View, so that Watch goes on from there
	offline bool                    // who watches by it isn't there
	at      *atRevision             // what it answers from; nil for the table as it is when it's asked
}

// seatIdentity is what stays of a seat, however its table goes on.
type seatIdentity struct {
	table   string
	id      string
	role    game.Role
	game    *game.Game
	speaker lang.Speaker
}

// ID is the seat's id, "s1".
func (p seatIdentity) ID() string { return p.id }

// Table is the table's id.
func (p seatIdentity) Table() string { return p.table }

// Role is what the seat may do.
func (p seatIdentity) Role() game.Role { return p.role }

// Game is what is played at the table.
func (p seatIdentity) Game() *game.Game { return p.game }

// Speaker speaks to the seat in the terms of its table's game.
func (p seatIdentity) Speaker() lang.Speaker { return p.speaker }

// SeatsOpenedBy are the ids of the seats that secrets of this table open, as many as
// secrets; "" for one that opens nothing. Who asks has a seat, so this tells
// nobody whether there is such a table.
func (s *Reader) SeatsOpenedBy(ctx context.Context, secrets []string) ([]string, error) {
	ids := make([]string, len(secrets))
	err := s.look(ctx, func(e visibility.Eye) error {
		for i, secret := range secrets {
			if found := e.Table.Seats.FindByKey(sha256.Sum256([]byte(secret))); found != nil {
				ids[i] = found.ID
			}
		}
		return nil
	})
	return ids, err
}
