// Package act is what can be done at a table, one file each: what the journal holds of it, how it's
// built of a request, who may do it and when, what it changes, what the log tells of it. A new one
// is a file and a line in Vocabulary. Moves and their answers, whose events are the game's, are in
// move.go and answer.go.
//
// Promised: what is done live and what a log says is held to the same judge. Nothing here writes,
// waits, or locks; it imports neither who shows a table nor who serves it.
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

// An act is what an entry of the table's own says was done. Each has one home, a file with what the
// journal holds of it, who may do it and when, what it changes, and what the log tells of it. Who
// does it live builds it; what is built is held to the same judge as what a log says that somebody
// brings.
//
// Types and members are stable: the journal holds them. None is ever shown as it is.
type act interface {
	Type() string
	judge(p *Proposal) error               // why it can't be done, as who asks for it is told
	Fold(st *state.State, r *state.Record) // it can't fail
	Lines(e visibility.Eye) []view.Line    // as the log tells it to the seat; none for what it may not know
}

// Who may do an act, where not every seat may, stands at its type; it's judged before the rest.
type (
	restricted interface{ mayDo(e visibility.Eye) bool }

	byMasters struct{}
	byPlayers struct{} // and game masters
)

func (byMasters) mayDo(e visibility.Eye) bool { return e.Viewer.IsGM() }

func (byPlayers) mayDo(e visibility.Eye) bool { return e.Seat.Role != game.Spectator }

// draft is a draft of acts, in which what they're about stands.
func draft(e visibility.Eye, of string, acts ...act) (ledger.Draft, error) {
	events, told := make([]rule.Event, len(acts)), make([]rule.PlacedEvent, len(acts))
	for i, a := range acts {
		events[i], told[i] = a, rule.PlacedEvent{N: i, Event: a}
	}
	stored, err := state.EncodeEvents(told, Vocabulary.Events.Version)
	d := ledger.Draft{Content: state.EntryBody{Kind: of, Events: stored, Done: true}, Events: events}
	if about, ok := acts[0].(ledger.HasSubject); ok {
		d.Move, d.Content.Secret = about.Subject(e.Table)
	}
	return d, err
}

// Proposal is an entry that isn't the table's yet, by the eye of who makes it: on the table as it
// stands, once open moves have given way.
type Proposal struct {
	visibility.Eye
	Record *state.Record
	Log    leniency // of a log; nil for what is made live
}

// leniency is how what a log says is held to rules that may be newer.
type leniency interface {
	JudgeRules(judge func() error) error
	Replays() bool // the rules are run at all
}

// Rules judges by the game's rules as they are now; what older ones have made may be otherwise.
func (p *Proposal) Rules(judge func() error) error {
	if p.Log != nil {
		return p.Log.JudgeRules(judge)
	}
	return judge()
}

// old tells whether it may be of a norn that knew fewer bounds: they came before second editions did.
func (p *Proposal) old() bool { return p.Log != nil && p.Record.Edition == state.FirstEdition }

// Propose has a record looked at by its author.
func Propose(b ledger.Ledger, r *state.Record, speaker lang.Speaker) (*Proposal, error) {
	author := b.Seats.Of(r.Seat)
	if of := Vocabulary.Kinds[r.Kind]; of.Nobody && r.Seat == "" || r.Kind == view.KindOpened {
		author = &state.Seat{}
	} else if of.Nobody || author == nil || author.Revoked {
		return nil, refusal.Misfit(refusal.MisfitSeat, view.Data{"Seat": r.Seat})
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

// JudgeOwn tells why an entry of the table's own can't be made.
func (p *Proposal) JudgeOwn() error {
	a := p.Record.Decoded[0].(act)
	move, secret := "", Vocabulary.Kinds[p.Record.Kind].Whisper && p.Record.Secret
	if about, ok := a.(ledger.HasSubject); ok {
		move, secret = about.Subject(p.Table)
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

// Judge returns why a draft of acts can't be made by the seat at a time.
func Judge(e visibility.Eye, d ledger.Draft, at time.Time) error {
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

// idsOf are moves as an entry holds those that give way to it.
func idsOf(moves []*state.Move) []string {
	return game.Each(moves, func(m *state.Move) string { return m.ID })
}

// judgeYields judges that moves give way to a player's entry that needs what they
// hold, and to nothing else.
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
