// Package act is what can be done at a table, one file each: what the journal holds of it, how it's built of a request, who may do it
// and when, what it changes, what the log tells of it. A new one is a file and a line in Vocabulary. Moves and their answers, whose
// events are the game's, are in move.go and answer.go.
//
// Promised: what is done live and what a log says is held to the same judge. Nothing here writes, waits, or locks; it imports
// neither who shows a table nor who serves it.
package act

import (
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

// An act is what an entry of the table's own says was done. Each has one home, a file with what the journal holds of it, who may
// do it and when, what it changes, and what the log tells of it. Who does it live builds it; what is built is held to the
// same judge as what a log says that somebody brings.
//
// Types and members are stable: the journal holds them. None is ever shown as it is.
type act interface {
	Type() string
	judge(p *Proposal) error               // why it can't be done, as who asks for it is told
	Fold(st *state.State, r *state.Record) // it can't fail
	Lines(e visibility.Eye) []view.Line    // as the log tells it to the seat; none for what it may not know
}

// of is a type of acts; upcasts read what was written of it before.
func of[A act](upcasts ...func(map[string]any) map[string]any) game.EventType {
	return game.EventOf[A](upcasts...)
}

// kinds are the kinds of entries, but for moves and answers, whose events are the game's.
var Vocabulary = ledger.NewVocabulary(map[string]ledger.Kind{
	view.KindOpened:    {Acts: ledger.Types{of[opened]()}, With: ledger.Types{of[DiceSealed](), of[SeatAdded]()}},
	view.KindSeat:      {Acts: ledger.Types{of[SeatAdded](), of[seatRenamed](), of[seatRevoked](), of[SeatRenewed]()}},
	view.KindCharacter: {Acts: ledger.Types{of[characterAdded](), of[CharacterChanged](), of[characterRemoved](asItIs)}, Apart: true, Story: true, Yields: true},
	view.KindSettings:  {Acts: ledger.Types{of[settingsChanged]()}, Story: true},
	view.KindShown:     {Acts: ledger.Types{of[moveShown]()}},
	view.KindShare:     {Acts: ledger.Types{of[ShareAdded]()}},
	view.KindSession:   {Acts: ledger.Types{of[SessionEnded]()}, With: ledger.Types{of[DiceSealed]()}},
	view.KindCall:      {Acts: ledger.Types{of[moveCalled](), of[callWithdrawn]()}, Apart: true},
	view.KindNote:      {Acts: ledger.Types{of[noteKept]()}},
	view.KindStar:      {Acts: ledger.Types{of[moveStarred]()}, Apart: true},
	view.KindImported:  {Acts: ledger.Types{of[tableImported]()}, With: ledger.Types{of[DiceSealed]()}, Nobody: true},
	view.KindRestored:  {Acts: ledger.Types{of[SeatRestored]()}, Nobody: true},
	view.KindUndone:    {Acts: ledger.Types{of[moveUndone](), of[changeUndone]()}, Yields: true},
	view.KindCancelled: {Acts: ledger.Types{of[moveCancelled]()}},
	view.KindTalk:      {Acts: ledger.Types{of[talkSaid]()}, Whisper: true, Story: true},
	view.KindEdition:   {Acts: ledger.Types{of[editionTaken]()}, Yields: true},
})

func asItIs(old map[string]any) map[string]any { return old }

// acts is a draft of acts, in which what they're about stands.
func draft(e visibility.Eye, of string, acts ...act) (ledger.Draft, error) {
	events := make([]rule.Event, len(acts))
	for i, a := range acts {
		events[i] = a
	}
	stored, err := state.EncodeEvents(numbered(events...), Vocabulary.Events.Version)
	d := ledger.Draft{Content: state.Content{Kind: of, Events: stored, Done: true}, Events: events}
	if about, ok := acts[0].(ledger.Concerning); ok {
		d.Move, d.Content.Secret = about.About(e.Table)
	}
	return d, err
}

// proposal is an entry that isn't the table's yet, by the eye of who makes it: on the table as it stands, once open moves have
// given way.
type Proposal struct {
	visibility.Eye
	Record *state.Record
	Log    lenience // of a log; nil for what is made live
}

// lenience is how what a log says is held to rules that may be newer.
type lenience interface {
	Ruled(judge func() error) error
	Replays() bool // the rules are run at all
}

// rules judges by the game's rules as they are now; what older ones have made may be otherwise.
func (p *Proposal) Rules(judge func() error) error {
	if p.Log != nil {
		return p.Log.Ruled(judge)
	}
	return judge()
}

// old tells whether it may be of a norn that knew fewer bounds: they came before second editions did.
func (p *Proposal) old() bool { return p.Log != nil && p.Record.Edition == state.FirstEdition }

// propose has a record looked at by its author.
func Propose(b ledger.Ledger, r *state.Record, speaker lang.Speaker) (*Proposal, error) {
	author := b.Seats.Of(r.Seat)
	if of := Vocabulary.Kinds[r.Kind]; of.Nobody && r.Seat == "" || r.Kind == view.KindOpened {
		author = &state.Seat{}
	} else if of.Nobody || author == nil || author.Revoked {
		return nil, refusal.Misfit(refusal.MisfitSeat, view.Data{"Seat": r.Seat})
	}
	p := &Proposal{Eye: visibility.Of(b, author, speaker), Record: r}
	if len(r.Yielded) > 0 && r.Kind != view.KindEdition {
		if err := p.yielding(); err != nil {
			return nil, err
		}
		p.Eye = visibility.Of(b.Without(r.Yielded), author, speaker)
	}
	return p, nil
}

// judgeOwn tells why an entry of the table's own can't be made.
func (p *Proposal) JudgeOwn() error {
	a := p.Record.Decoded[0].(act)
	move, secret := "", Vocabulary.Kinds[p.Record.Kind].Whisper && p.Record.Secret
	if about, ok := a.(ledger.Concerning); ok {
		move, secret = about.About(p.Table)
	}
	if p.Record.Secret != secret {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "it says of itself that others may know of it than may"})
	}
	if err := refusal.Same(p.Record.Move, move); err != nil {
		return err
	}
	return a.judge(p)
}

// judge tells why a draft of acts can't be made by the seat.
func Judge(e visibility.Eye, d ledger.Draft) error {
	r, err := e.Table.Decode(journal.Entry{Seq: e.Table.Seq + 1, Seat: e.Seat.ID, Move: d.Move}, &d)
	if err != nil {
		return err
	}
	p, err := Propose(e.Table, r, e.Voice.Speaker)
	if err != nil {
		return err
	}
	return p.JudgeOwn()
}

// byGM refuses what only game masters may.
func byGM(e visibility.Eye) error {
	if !e.Viewer.IsGM() {
		return &refusal.ForbiddenError{}
	}
	return nil
}

// numbered are events of one part, in order.
func numbered(events ...rule.Event) []rule.Told {
	told := make([]rule.Told, len(events))
	for i, e := range events {
		told[i] = rule.Told{N: i, Event: e}
	}
	return told
}

// names are moves by their ids, as an entry holds those that give way to it.
func names(moves []*state.Move) []string {
	var ids []string
	for _, m := range moves {
		ids = append(ids, m.ID)
	}
	return ids
}
