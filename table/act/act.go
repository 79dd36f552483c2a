// Package act has everything that a seat can do at a table, one file each: the journal's events,
// how they're built from a request, who may do it and when, what it changes and what the log shows.
// A new act is a file and a line in Vocabulary. Moves and answers, whose events belong to the game,
// are in move.go and answer.go.
//
// Live requests and logs pass the same validator. Nothing here writes, waits or locks, and the
// package imports neither front ends nor package table.
package act

import (
	"slices"
	"time"

	"norn/game"
	"norn/journal"
	"norn/lang"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// An act is an event of an entry that isn't of a move. Its file has the event's JSON, who may do it
// and when, what it changes and what the log shows. A live request builds it; then it's validated
// exactly as an event from a log.
//
// Types and members are stable, because the journal stores them. No seat gets them as they are.
type act interface {
	Type() string
	judge(p *Proposal) error               // returns why it can't be done, in words for the client
	Fold(st *state.State, r *state.Record) // can't fail
	Lines(e *visibility.Eye) []view.Line   // as the log shows it to the seat; none if the seat may not know of it
}

// An act that not every seat may do embeds byMasters or byPlayers. That is checked before its
// judge.
type (
	restricted interface{ mayDo(e *visibility.Eye) bool }

	byMasters struct{}
	byPlayers struct{} // and game masters
)

func (byMasters) mayDo(e *visibility.Eye) bool { return e.Viewer.IsGM() }

func (byPlayers) mayDo(e *visibility.Eye) bool { return e.Seat.Role != game.Spectator }

// draft returns the draft of an entry with acts. The first act says which move the entry belongs to
// and whether it's secret.
func draft(e *visibility.Eye, of string, acts ...act) (ledger.Draft, error) {
	events, told := make([]rule.Event, len(acts)), make([]rule.PlacedEvent, len(acts))
	for i, a := range acts {
		events[i], told[i] = a, rule.PlacedEvent{N: i, Event: a}
	}
	stored, err := state.EncodeEvents(told, Vocabulary.Events.Version)
	d := ledger.Draft{Content: state.EntryBody{Kind: of, Events: stored, Done: true}, Events: events}
	d.Move, d.Content.Secret, _ = subjectOf(e.Table, acts[0])
	return d, err
}

// Proposal is an entry that isn't applied yet, and what its author sees: the current table, without
// the secret moves that the entry cancels.
type Proposal struct {
	*visibility.Eye
	Record *state.Record
	Log    leniency // for an entry of a log; nil for a live request
}

// leniency says how an entry of a log is checked against rules that may be newer than it.
type leniency interface {
	JudgeRules(judge func() error) error
	Replays() bool // rules are run at all
}

// Rules runs a check by the game's current rules. For an entry of a log, older rules may have
// decided otherwise.
func (p *Proposal) Rules(judge func() error) error {
	if p.Log != nil {
		return p.Log.JudgeRules(judge)
	}
	return judge()
}

// old reports whether a norn with fewer limits may have written the entry: that was before second
// editions.
func (p *Proposal) old() bool { return p.Log != nil && p.Record.Edition == state.FirstEdition }

// Propose returns a record as its author's proposal, or a misfit if no such seat may write it.
func Propose(b ledger.Ledger, r *state.Record, speaker lang.Speaker) (*Proposal, error) {
	author := b.Seats.Of(r.Seat)
	if of := Vocabulary.Kinds[r.Kind]; of.Nobody && r.Seat == "" || r.Kind == view.KindOpened {
		author = &state.Seat{}
	} else if of.Nobody || author == nil || author.Revoked {
		return nil, refusal.Misfit(refusal.MisfitSeat, view.Data{"Seat": r.Seat})
	}
	if err := CheckStays(b.State, r.Kind, deletes(r)); err != nil {
		return nil, err
	}
	p := &Proposal{Eye: visibility.Of(b, author, speaker), Record: r}
	if len(r.Yielded) > 0 && r.Kind != view.KindEdition {
		if err := p.judgeYields(); err != nil {
			return nil, err
		}
		p.Eye = visibility.Of(b.Without(r.Yielded), author, speaker)
	}
	return p, nil
}

// JudgeOwn returns why an entry that isn't of a move can't be written.
func (p *Proposal) JudgeOwn() error {
	a := p.Record.Decoded[0].(act)
	move, secret, says := subjectOf(p.Table, a)
	if !says {
		secret = Vocabulary.Kinds[p.Record.Kind].Whisper && p.Record.Secret
	}
	if p.Record.Secret != secret {
		return refusal.Misfit(refusal.MisfitUnreadable,
			view.Data{"Problem": "it says of itself that others may know of it than may"})
	}
	if err := refusal.Same(p.Record.Move, move); err != nil {
		return err
	}
	if by, ok := a.(restricted); ok && !by.mayDo(p.Eye) {
		return &refusal.ForbiddenError{}
	}
	return a.judge(p)
}

// Judge returns why the seat can't write a draft of acts at a time.
func Judge(e *visibility.Eye, d ledger.Draft, at time.Time) error {
	r, err := e.Table.Decode(journal.Entry{Seq: e.Table.Seq + 1, Time: at, Seat: e.Seat.ID, Move: d.Move}, &d)
	if err != nil {
		return err
	}
	p, err := Propose(e.Table, r, e.Voice.Speaker)
	if err != nil {
		return err
	}
	return p.JudgeOwn()
}

// idsOf returns the ids of moves, as an entry lists those that it cancels.
func idsOf(moves []*state.Move) []string {
	return game.Each(moves, func(m *state.Move) string { return m.ID })
}

// judgeYields checks that the entry is a player's and cancels just those secret moves that block
// it.
func (p *Proposal) judgeYields() error {
	var needed []string
	switch r := p.Record; {
	case r.Opening != nil:
		needed = r.Opening.Cast
	case r.Kind == view.KindAnswer && len(r.Steps) > 0:
		needed = r.Of.Def.Joining(r.Steps[0])
	case r.Undoes != nil:
		needed = p.Table.Characters.TouchedSince(r.Undoes.Seq)
	default:
		needed = r.Touched
	}
	for _, m := range p.Record.Yielded {
		if p.Viewer.IsGM() || !slices.ContainsFunc(needed, p.Table.OpenMoves.Of(m.ID).Has) {
			return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": m.ID})
		}
	}
	return nil
}
