package table

import (
	"norn/game"
	"norn/journal"
	"norn/lang"
	"norn/rule"
)

// An act is what an entry of the table's own says was done. Each has one home, a file with what the journal holds of it, who may
// do it and when, what it changes, and what the log tells of it. Who does it live builds it; what is built is held to the
// same judge as what a log says that somebody brings.
//
// Types and members are stable: the journal holds them. None is ever shown as it is.
type act interface {
	Type() string
	judge(p *proposal) error   // why it can't be done, as who asks for it is told
	fold(st *state, r *record) // it can't fail
	lines(e eye) []Line        // as the log tells it to the seat; none for what it may not know
}

// of is a type of acts; upcasts read what was written of it before.
func of[A act](upcasts ...func(map[string]any) map[string]any) game.EventType {
	return game.EventOf[A](upcasts...)
}

// kinds are the kinds of entries, but for moves and answers, whose events are the game's.
var kinds = newVocabulary(map[string]kind{
	KindOpened:    {acts: types{of[opened]()}, with: types{of[diceSealed](), of[seatAdded]()}},
	KindSeat:      {acts: types{of[seatAdded](), of[seatRenamed](), of[seatRevoked](), of[seatRenewed]()}},
	KindCharacter: {acts: types{of[characterAdded](), of[characterChanged](), of[characterRemoved](asItIs)}, apart: true, story: true, yields: true},
	KindSettings:  {acts: types{of[settingsChanged]()}, story: true},
	KindShown:     {acts: types{of[moveShown]()}},
	KindShare:     {acts: types{of[shareAdded]()}},
	KindSession:   {acts: types{of[sessionEnded]()}, with: types{of[diceSealed]()}},
	KindCall:      {acts: types{of[moveCalled](), of[callWithdrawn]()}, apart: true},
	KindNote:      {acts: types{of[noteKept]()}},
	KindStar:      {acts: types{of[moveStarred]()}, apart: true},
	KindImported:  {acts: types{of[tableImported]()}, with: types{of[diceSealed]()}, nobody: true},
	KindRestored:  {acts: types{of[seatRestored]()}, nobody: true},
	KindUndone:    {acts: types{of[moveUndone](), of[changeUndone]()}, yields: true},
	KindCancelled: {acts: types{of[moveCancelled]()}},
	KindTalk:      {acts: types{of[talkSaid]()}, whisper: true, story: true},
	KindEdition:   {acts: types{of[editionTaken]()}, yields: true},
})

func asItIs(old map[string]any) map[string]any { return old }

// acts is a draft of acts, in which what they're about stands.
func draftActs(e eye, of string, acts ...act) (draft, error) {
	events := make([]rule.Event, len(acts))
	for i, a := range acts {
		events[i] = a
	}
	stored, err := encode(numbered(events...), kinds.events.Version)
	d := draft{body: body{Kind: of, Events: stored, Done: true}, events: events}
	if about, ok := acts[0].(concerning); ok {
		d.move, d.body.Secret = about.about(e.st)
	}
	return d, err
}

// proposal is an entry that isn't the table's yet, by the eye of who makes it: on the table as it stands, once open moves have
// given way.
type proposal struct {
	eye
	r   *record
	log lenience // of a log; nil for what is made live
}

// lenience is how what a log says is held to rules that may be newer.
type lenience interface {
	ruled(judge func() error) error
	replays() bool // the rules are run at all
}

// rules judges by the game's rules as they are now; what older ones have made may be otherwise.
func (p *proposal) rules(judge func() error) error {
	if p.log != nil {
		return p.log.ruled(judge)
	}
	return judge()
}

// old tells whether it may be of a norn that knew fewer bounds: they came before second editions did.
func (p *proposal) old() bool { return p.log != nil && p.r.Edition == firstEdition }

// propose has a record looked at by its author.
func propose(b ledger, r *record, speaker lang.Speaker) (*proposal, error) {
	author := b.seats.of(r.Seat)
	if of := kinds.kinds[r.Kind]; of.nobody && r.Seat == "" || r.Kind == KindOpened {
		author = &seat{}
	} else if of.nobody || author == nil || author.revoked {
		return nil, misfit(MisfitSeat, data{"Seat": r.Seat})
	}
	p := &proposal{eye: eyeOf(b, author, speaker), r: r}
	if len(r.yields) > 0 && r.Kind != KindEdition {
		if err := p.yielding(); err != nil {
			return nil, err
		}
		p.eye = eyeOf(b.without(r.yields), author, speaker)
	}
	return p, nil
}

// judgeOwn tells why an entry of the table's own can't be made.
func (p *proposal) judgeOwn() error {
	a := p.r.events[0].(act)
	move, secret := "", kinds.kinds[p.r.Kind].whisper && p.r.Secret
	if about, ok := a.(concerning); ok {
		move, secret = about.about(p.st)
	}
	if p.r.Secret != secret {
		return misfit(MisfitUnreadable, data{"Problem": "it says of itself that others may know of it than may"})
	}
	if err := same(p.r.Move, move); err != nil {
		return err
	}
	return a.judge(p)
}

// judge tells why a draft of acts can't be made by the seat.
func judge(e eye, d draft) error {
	r, err := e.st.decode(journal.Entry{Seq: e.st.seq + 1, Seat: e.seat.id, Move: d.move}, &d)
	if err != nil {
		return err
	}
	p, err := propose(e.st, r, e.voice.Speaker)
	if err != nil {
		return err
	}
	return p.judgeOwn()
}

// byGM refuses what only game masters may.
func byGM(e eye) error {
	if !e.viewer.IsGM() {
		return &ForbiddenError{}
	}
	return nil
}
