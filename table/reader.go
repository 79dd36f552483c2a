package table

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"sync/atomic"
	"time"

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

// VoiceOf returns a voice that knows no names, for errors before a seat is known.
func VoiceOf(s lang.Speaker) game.Voice {
	return game.Voice{Speaker: s, Name: func(string) string { return s.Say("table.somebody") }}
}

// Odds returns the odds of a move with the character's own numbers, before any roll; also for busy
// characters. A move too large to enumerate is simulated, always with the same dice. Errors are
// those of Make except *BusyError, and the context's inside an *UnavailableError.
func (s *Reader) Odds(ctx context.Context, r request.Move) (*odds.Odds, error) {
	a, _, err := priceable(ctx, s, r)
	if err != nil {
		return nil, err
	}
	return projection.Odds(a, ctx, a.Args)
}

// priceable returns an attempt whose odds the seat may ask for; ours reports whether it decides for
// the game master.
func priceable(ctx context.Context, s *Reader, r request.Move) (a act.Attempt, ours bool, err error) {
	err = s.look(ctx, func(e *visibility.Eye) (err error) {
		if a, err = act.KnownAttempt(e, r); err == nil && !e.SeesOdds(a.Def) {
			err = refusal.Refuse("no-odds", nil)
		}
		actor := e.Table.Characters.Of(r.Character)
		ours = actor == nil || actor.Owner == ""
		return err
	})
	return a, ours, err
}

// Preview returns what is known of a move before it's made. Errors are those of Odds.
func (s *Reader) Preview(ctx context.Context, r request.Move) (view.Preview, error) {
	return s.preview(ctx, func(e *visibility.Eye) (act.Attempt, error) { return act.KnownAttempt(e, r) })
}

// PreviewPrepared is Preview for a form that Prepare has filled in at the same revision.
func (s *Reader) PreviewPrepared(ctx context.Context, p act.Prepared) (view.Preview, error) {
	return s.preview(ctx, p.KnownAttempt)
}

func (s *Reader) preview(ctx context.Context, attempt func(*visibility.Eye) (act.Attempt, error)) (view.Preview,
	error,
) {
	var a act.Attempt
	seen := false
	err := s.look(ctx, func(e *visibility.Eye) (err error) {
		if a, err = attempt(e); err == nil {
			seen = e.SeesOdds(a.Def)
		}
		return err
	})
	if err != nil || !seen {
		return view.Preview{}, err
	}
	return projection.PreviewMove(ctx, a)
}

// Again returns a move of the log as a draft, to be made again: after a failure the game's retry.
// It returns false if the seat hasn't seen all of the move, or may not make it now.
func (s *Reader) Again(ctx context.Context, seq uint64) (draft request.Move, ok bool, err error) {
	err = s.look(ctx, func(e *visibility.Eye) error {
		draft, ok = projection.Again(e, seq)
		return nil
	})
	return draft, ok, err
}

// MoveForm returns a move's form with this table's choices. Errors are *InvalidError and
// *ForbiddenError.
func (s *Reader) MoveForm(ctx context.Context, move, character string) (*form.Form, error) {
	return ask(ctx, s, func(e *visibility.Eye) (*form.Form, error) {
		def, err := act.MayMake(e, move, character)
		if err != nil {
			return nil, err
		}
		return act.MoveForm(e, def, character), nil
	})
}

// Prepare fills in the form of a move for a page; see act.Prepare. Errors are *InvalidError and
// *ForbiddenError. p is what Seat.MakeForm returned if it has refused the move, otherwise the zero
// value.
func (s *Reader) Prepare(ctx context.Context, r request.Move, p act.Prepared) (act.Prepared, error) {
	return ask(ctx, s, func(e *visibility.Eye) (act.Prepared, error) { return act.Prepare(e, r, p) })
}

// Best returns the odds of the whole move under choices: those of the actor's player, and the GM's
// for a character without one. Odds.Policy has the best answers. Errors are those of Odds,
// *InvalidError for an unknown aim or an invalid answer, and *RefusedError if the best can't be
// found.
func (s *Reader) Best(ctx context.Context, r request.Move, c request.Choices) (*odds.Odds, error) {
	a, ours, err := priceable(ctx, s, r)
	if err != nil {
		return nil, err
	}
	return projection.Best(a, ctx, c, func(to string) bool { return to == r.Character || to == game.GM && ours })
}

// ExportSeen writes the part of the table's log that the seat sees, as a file for verify.File: the
// dice of opened sessions can be derived again from it, and moves of which the seat sees everything
// can be run again. It has nothing that the seat hasn't seen in its log and sheets, so any seat may
// have it at any time.
//
// Errors are *UnavailableError, *UnreadableError, *archive.FaultError for a log too large for a
// file, and those of the writer. After an error the output isn't a complete file.
func (s *Reader) ExportSeen(ctx context.Context, w io.Writer) (err error) {
	defer ledger.Catch(&err)
	now, err := ask(ctx, s, func(e *visibility.Eye) (*visibility.Eye, error) { return e, nil })
	if err != nil {
		return err
	}
	return verify.WriteSeen(ctx, w, now, func(b ledger.Ledger) (*visibility.Eye, error) {
		return eyeOf(s, b)
	}, s.host.Journal, s.host.Now(), s.host.Version)
}

// madeLately bounds how long a move between sessions counts as made, so that it isn't ticked again.
const madeLately = 12 * time.Hour

// Between returns what the game's rules suggest between sessions, of which the seat may make the
// moves: for everybody, then for each player character of its own, or of all for a GM.
func (s *Reader) Between(ctx context.Context) ([]view.Suggestion, error) {
	since := s.host.Now().Add(-madeLately)
	return ask(ctx, s, func(e *visibility.Eye) ([]view.Suggestion, error) { return projection.Between(e, since), nil })
}

// SheetForm returns the part of a character's sheet that the seat may change, as a form. Errors are
// those of ChangeCharacter.
func (s *Reader) SheetForm(ctx context.Context, id string) (view.SheetForm, error) {
	return ask(ctx, s, func(e *visibility.Eye) (view.SheetForm, error) { return act.SheetForm(e, id) })
}

// KeyUsed reports whether the seat has written an entry with a key, so that the request is a
// repeated one.
func (s *Reader) KeyUsed(ctx context.Context, key string) (used bool, err error) {
	used, err = ask(ctx, s, func(e *visibility.Eye) (bool, error) {
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

// MayExport returns the error that Export would return now.
func (s *Reader) MayExport(ctx context.Context) error {
	_, err := ask(ctx, s, exportable)
	return err
}

// CharacterFile makes a file of a character that the seat plays, with what the seat sees of it. Errors are
// *InvalidError and *ForbiddenError.
func (s *Reader) CharacterFile(ctx context.Context, id string) (file view.CharacterFile, err error) {
	portrait := ""
	err = s.look(ctx, func(e *visibility.Eye) (err error) {
		file, portrait, err = act.ExportCharacter(e, id)
		return err
	})
	file.Norn = s.host.Version
	if err != nil || portrait == "" {
		return file, err
	}
	a, data, err := s.Attachment(ctx, view.UsePicture, portrait)
	file.Portrait = &view.Portrait{Media: a.Media, Data: data}
	return file, err
}

// ReadHero reads a hero from another program and makes a sheet of it, without keeping anything.
func (s *Reader) ReadHero(ctx context.Context, data []byte) (view.HeroRead, error) {
	if err := s.look(ctx, act.CheckRoomForCharacter); err != nil {
		return view.HeroRead{}, err
	}
	ctx, leave, err := takeTurn(ctx)
	if err != nil {
		return view.HeroRead{}, err
	}
	defer leave()
	return ask(ctx, s, func(e *visibility.Eye) (view.HeroRead, error) { return act.ReadHero(e, data, s.host.Version) })
}

// Attachment returns an attachment to a seat that may have it: a game master, the uploader, and a
// seat that sees a reference to it. The error, an *InvalidError, is the same if there is none.
func (s *Reader) Attachment(ctx context.Context, use, hash string) (view.Attachment, []byte, error) {
	var found state.Attachment
	lasting := use != view.UsePicture
	err := s.look(ctx, func(e *visibility.Eye) error {
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
	case len(entries) == 0: // the journal has lost it
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

// Pictures returns the pictures that the seat may load, oldest first.
func (s *Reader) Pictures(ctx context.Context) ([]view.PictureShown, error) {
	return ask(ctx, s, func(e *visibility.Eye) ([]view.PictureShown, error) { return projection.Pictures(e), nil })
}

// Handouts returns the notes that were shared with the seat, the last shared one at the end; a GM
// gets all.
func (s *Reader) Handouts(ctx context.Context) ([]view.Handout, error) {
	return ask(ctx, s, func(e *visibility.Eye) ([]view.Handout, error) { return projection.Handouts(e), nil })
}

// Voice puts what the table's game says into words for the seat's reader, with the names that the
// seat knows now.
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

// Log returns the entries after a seq that the seat may see, oldest first, at most limit of them; 0
// or more than MostEntries means MostEntries.
func (s *Reader) Log(ctx context.Context, after uint64, limit int) ([]view.Entry, error) {
	if limit <= 0 || limit > request.MostEntries {
		limit = request.MostEntries
	}
	return ask(ctx, s, func(e *visibility.Eye) ([]view.Entry, error) {
		return projection.EntriesAfter(e, after, limit), nil
	})
}

// Last returns the newest n entries that the seat may see, oldest first.
func (s *Reader) Last(ctx context.Context, n int) ([]view.Entry, error) { return s.Earlier(ctx, 0, n) }

// Earlier returns the newest n entries before a seq that the seat may see, oldest first; 0 means
// the end of the log.
func (s *Reader) Earlier(ctx context.Context, before uint64, n int) ([]view.Entry, error) {
	return ask(ctx, s, func(e *visibility.Eye) ([]view.Entry, error) {
		return projection.EntriesBefore(e, before, min(n, request.MostEntries)), nil
	})
}

// EntriesOfMove returns all entries of a move that the seat may see, oldest first; none for an
// unknown move.
func (s *Reader) EntriesOfMove(ctx context.Context, move string) ([]view.Entry, error) {
	return ask(ctx, s, func(e *visibility.Eye) ([]view.Entry, error) { return projection.EntriesOfMove(e, move), nil })
}

// SecretEntries returns all entries of the newest n secret moves, at most a hundred, move by move,
// oldest first, for a game master; none for others.
func (s *Reader) SecretEntries(ctx context.Context, n int) ([]view.Entry, error) {
	return ask(ctx, s, func(e *visibility.Eye) ([]view.Entry, error) { return projection.SecretEntries(e, n), nil })
}

// Find searches the part of the log that the seat may see, each move as a whole: who did it, its
// name, its arguments and its results, in the reader's language. It returns the newest first; a
// long log takes several searches.
func (s *Reader) Find(ctx context.Context, q request.Search) (view.Found, error) {
	return ask(ctx, s, func(e *visibility.Eye) (view.Found, error) { return projection.Find(e, q), nil })
}

// Luck returns the luck of each seat whose moves had chances in a session of dice, as far as the
// reader may know the odds of those moves; nothing for an unknown session. Secret moves count for
// those who see them, undone moves for nobody.
func (s *Reader) Luck(ctx context.Context, session int) ([]view.SeatLuck, error) {
	all, err := ask(ctx, s, func(e *visibility.Eye) ([]*projection.Fortune, error) {
		return projection.Fortunes(e, session), nil
	})
	return game.Each(all, (*projection.Fortune).Luck), err
}

// Recap sums up a session by what the seat may see: who did what, remarkable rolls, and changes on
// sheets. Undone moves are left out.
func (s *Reader) Recap(ctx context.Context, session int) (view.Recap, error) {
	return ask(ctx, s, func(e *visibility.Eye) (view.Recap, error) { return projection.Recap(e, session), nil })
}

// Tally sums up the current session of dice by what the seat may see: how much each character did
// and how that ended, in the order of their first moves.
func (s *Reader) Tally(ctx context.Context) ([]view.Tally, error) {
	return ask(ctx, s, func(e *visibility.Eye) ([]view.Tally, error) { return projection.Tallies(e), nil })
}

// Story writes what happened as Markdown, in the seat's language: sessions, who did what, what the
// dice showed and what followed. It has only what everybody at the table may see, for any reader,
// and neither ids nor changes of links and secrets. Undone moves are left out. Each session ends
// with its players' luck, by the rolls whose odds everybody may know. The error is an *InvalidError
// for an unknown session.
func (s *Reader) Story(ctx context.Context, w io.Writer, t request.Telling) error {
	return s.look(ctx, func(e *visibility.Eye) error { return projection.Story(e.Table, w, e.Voice.Speaker, t) })
}

// View returns the table as the seat sees it. The value is shared and must not be changed.
func (s *Reader) View(ctx context.Context) (v *view.View, err error) {
	err = s.within(ctx, func(now atRevision) error {
		made := now.t.views.of(now.e, viewKey{s.id, s.speaker}, now.t.presenceRevision.Load(), now.t.online)
		s.present.Store(&made.present)
		v = made.shown.View
		return nil
	})
	return v, err
}

// eyeOf returns the eye of a seat, if its link is still valid.
func eyeOf(s *Reader, st ledger.Ledger) (*visibility.Eye, error) {
	me := st.Seats.Of(s.id)
	if me == nil || me.Revoked || !me.Lock.Fits(s.key) {
		return nil, &refusal.NotFoundError{}
	}
	return visibility.Of(st, me, s.speaker), nil
}

// atRevision is a table at one revision, as a seat sees it.
type atRevision struct {
	t *live
	e *visibility.Eye
}

// ask returns what f finds in the current state.
func ask[T any](ctx context.Context, s *Reader, f func(*visibility.Eye) (T, error)) (found T, err error) {
	err = s.within(ctx, func(now atRevision) (err error) {
		found, err = f(now.e)
		return err
	})
	return found, err
}

// look calls f with the current state.
func (s *Reader) look(ctx context.Context, f func(*visibility.Eye) error) error {
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
	return lookAt(ctx, s, t, func(e *visibility.Eye) error { return f(atRevision{t, e}) })
}

// lookAt calls f with the state that a table has in memory. f may take long, since it blocks
// nobody.
func lookAt(ctx context.Context, s *Reader, t *live, f func(*visibility.Eye) error) (err error) {
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

// Reader has everything that a seat can request without changing the table.
type Reader struct {
	seatIdentity
	host *Host
	key  [sha256.Size]byte // the secret's hash

	present *atomic.Pointer[string] // who was online in its last View, where Watch continues
	offline bool                    // watching with it doesn't make the seat online
	at      *atRevision             // the revision that it reads; nil for the current one
}

// seatIdentity is the part of a seat that never changes.
type seatIdentity struct {
	table   string
	id      string
	role    game.Role
	game    *game.Game
	speaker lang.Speaker
}

// ID returns the seat's id, such as "s1".
func (p seatIdentity) ID() string { return p.id }

// Table returns the table's id.
func (p seatIdentity) Table() string { return p.table }

// Role returns the seat's role.
func (p seatIdentity) Role() game.Role { return p.role }

// Game returns the table's game.
func (p seatIdentity) Game() *game.Game { return p.game }

// Speaker returns a speaker in the seat's language, with the terms of the table's game.
func (p seatIdentity) Speaker() lang.Speaker { return p.speaker }

// SeatsOpenedBy returns the ids of the seats that secrets of this table open, one for each secret;
// "" for an invalid one. The caller has a seat, so this doesn't reveal whether the table exists.
func (s *Reader) SeatsOpenedBy(ctx context.Context, secrets []string) ([]string, error) {
	ids := make([]string, len(secrets))
	err := s.look(ctx, func(e *visibility.Eye) error {
		for i, secret := range secrets {
			if found := e.Table.Seats.FindByKey(sha256.Sum256([]byte(secret))); found != nil {
				ids[i] = found.ID
			}
		}
		return nil
	})
	return ids, err
}
