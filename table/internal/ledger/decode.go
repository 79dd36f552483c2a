package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"norn/game"
	"norn/journal"
	"norn/odds"
	"norn/rule"
	"norn/table/internal/state"
	"norn/table/refusal"
	"norn/table/view"
)

// Decode reads an entry. It depends on the game, which the table's first entry names. Only decoding
// can fail; what is decoded can be applied. known is the draft of an entry that this node has just
// written, otherwise nil.
func (b Ledger) Decode(e journal.Entry, known *Draft) (*state.Record, error) {
	s, err := b.read(e.Body, known)
	if err != nil {
		return nil, err
	}
	r := state.NewRecord(e, s)
	played := b.Game
	if len(r.Decoded) > 0 {
		if first, ok := r.Decoded[0].(playing); ok {
			played = first.Plays()
		}
	}
	if played == nil {
		return nil, errNotOpened
	}
	if !played.Knows(r.Edition) || s.EntryBody.Edition == state.FirstEdition {
		return nil, refusal.Unknown("the edition %q of %s is not known", s.EntryBody.Edition, played.ID)
	}
	if (len(b.Sessions) == 0) != (r.Kind == view.KindOpened) {
		return nil, ErrUnsealed
	}
	if (r.Reseals || r.Trusted) && r.Kind != view.KindImported {
		return nil, errOtherEvents
	}
	if err := b.decodeYields(r); err != nil {
		return nil, err
	}
	switch r.Kind {
	case view.KindMove:
		if err := b.decodeOpening(r); err != nil {
			return r, err
		}
	case view.KindAnswer:
		u := b.OpenMoves.Of(r.Move)
		if u == nil {
			return nil, fmt.Errorf("there is no open move %s", r.Move)
		}
		r.Of = b.Sessions.ContinueMove(u.Move, r.Seq)
	default:
		if err := b.decodeOwn(r); err != nil {
			return r, err
		}
	}
	return r, b.checkReleases(r)
}

// read decodes a body, or takes its content from the draft.
func (b Ledger) read(data []byte, known *Draft) (*state.Decoding, error) {
	s := &state.Decoding{}
	if known != nil {
		s.EntryBody, s.Args, s.Decoded, s.LuckView = known.Content, known.Args, known.Events, known.Luck
	} else if err := json.Unmarshal(data, &s.EntryBody); err != nil {
		return nil, err
	}
	if s.V < 1 || s.V > state.BodyVersion {
		return nil, refusal.Unknown("it is of version %d, this norn knows up to %d", s.V, state.BodyVersion)
	}
	if s.Decoded == nil {
		s.Decoded = make([]rule.Event, len(s.Events))
		for i, stored := range s.Events {
			event, err := b.decodeEvent(stored)
			if err != nil {
				return nil, err
			}
			s.Decoded[i] = event
		}
	}
	s.FindParts()
	if s.Luck != "" && s.LuckView == (view.Luck{}) {
		standing, err := odds.ParseStanding(s.Luck)
		if err != nil {
			return nil, err
		}
		s.LuckView = view.LuckOf(standing)
	}
	return s, nil
}

func (b Ledger) decodeEvent(stored state.Event) (rule.Event, error) {
	own := strings.HasPrefix(stored.Type, "table.")
	if first := b.Vocabulary.Kinds[view.KindOpened]; b.Game == nil && !first.Acts.has(stored.Type) &&
		!first.With.has(stored.Type) {
		return nil, errNotOpened
	}
	if !own {
		return b.Game.Decode(stored.Type, stored.V, stored.Data)
	}
	event, err := b.Vocabulary.Events.Decode(stored.Type, stored.V, stored.Data)
	if ev, ok := event.(restorer); ok && err == nil {
		return ev.Restore(b.State)
	}
	return event, err
}

var errNotOpened = errors.New("it doesn't open a table")

func (b Ledger) decodeOpening(r *state.Record) error {
	if r.Opening == nil {
		return errors.New("a move without an opening")
	}
	played := b.PlayedBy(r.Edition)
	def, ok := played.Move(r.Opening.Move)
	if !ok {
		return refusal.Unknown("the move %q is not known", r.Opening.Move)
	}
	if r.Args == nil {
		args, err := def.Restore(r.Opening.Args)
		if err != nil {
			return fmt.Errorf("the arguments of %s: %w", def.ID, err)
		}
		r.Args = args
	}
	r.Of = &state.Move{
		ID: r.Move, Seq: r.Seq, Def: def, Seat: r.Seat, Actor: r.Opening.Actor, Cast: r.Opening.Cast, Args: r.Args,
		Nonce: r.Opening.Nonce, ByHand: r.Opening.ByHand, Secret: r.Secret, Offer: r.Opening.Offer, View: &played.View,
		Session: b.Sessions.At(r.Seq),
	}
	return nil
}

var ErrUnsealed = errors.New("it doesn't leave the dice sealed")

// decodeYields finds the moves that a record cancels.
func (b Ledger) decodeYields(r *state.Record) error {
	if len(r.Yields) == 0 {
		return nil
	}
	if r.Kind != view.KindMove && r.Kind != view.KindAnswer && !b.Vocabulary.Kinds[r.Kind].Yields {
		return errors.New("nothing gives way to it")
	}
	for _, id := range r.Yields {
		m := b.OpenMoves.Of(id)
		if m == nil || !m.Secret && r.Kind != view.KindEdition || state.GaveWay(r, id) {
			return fmt.Errorf("the move %s can't give way", id)
		}
		r.Yielded = append(r.Yielded, m.Move)
	}
	return nil
}

// decodeOwn checks that an entry that isn't of a move has just the events of its kind.
func (b Ledger) decodeOwn(r *state.Record) error {
	of, known := b.Vocabulary.Kinds[r.Kind]
	if !known {
		return refusal.Unknown("entries of the kind %q are not known", r.Kind)
	}
	if len(r.Decoded) != 1+len(of.With) || len(r.Steps) > 0 || r.Opening != nil || r.Outcome != nil ||
		len(r.Asks) > 0 || r.Answers != "" || !r.Done || r.Luck != "" {
		return errOtherEvents
	}
	for i, stored := range r.Events {
		allowed := of.Acts
		if i > 0 {
			allowed = of.With[i-1 : i]
		}
		if !allowed.has(stored.Type) || stored.Part != "" || stored.N != i {
			return errOtherEvents
		}
	}
	if finds, ok := r.Decoded[0].(finding); ok {
		return finds.Find(b, r)
	}
	return nil
}

// Some events implement these interfaces.
type (
	// restorer has members that only the game can read.
	restorer interface {
		Restore(st *state.State) (rule.Event, error)
	}
	// finding refers to something that must exist for the entry to be readable.
	finding interface {
		Find(b Ledger, r *state.Record) error
	}
	// playing is the first event of a table, which names its game.
	playing interface{ Plays() *game.Game }
	// HasSubject is an event that is about a move, or known only to game masters.
	HasSubject interface {
		Subject(b Ledger) (move string, secret bool)
	}
)

// undoer is an event that undoes something. Target returns the first record of that, or nil.
type undoer interface{ Target(b Ledger) *state.Record }

var errOtherEvents = errors.New("its events aren't those of its kind")

// checkReleases checks that a record's move releases and lends only characters that it holds.
func (b Ledger) checkReleases(r *state.Record) error {
	lends := slices.ContainsFunc(r.Asks, func(a state.Ask) bool { return len(a.Lends) > 0 })
	if len(r.LetGo) == 0 && !lends {
		return nil
	}
	u := &state.OpenMove{Move: r.Of}
	if r.Kind == view.KindAnswer {
		u = b.OpenMoves.Of(r.Move)
		for _, step := range r.Steps {
			u = u.JoinedBy(b.State, step)
		}
	}
	for i, id := range r.LetGo {
		if r.Of == nil || r.Done || r.Of.Secret || !u.Holds(id) || slices.Contains(r.LetGo[:i], id) {
			return fmt.Errorf("it can't let go of %q", id)
		}
	}
	for _, ask := range r.Asks {
		for i, id := range ask.Lends {
			if r.Of == nil || r.Done || r.Of.Secret || !u.Holds(id) || slices.Contains(ask.Lends[:i], id) {
				return fmt.Errorf("it can't lend %q", id)
			}
		}
	}
	return nil
}
