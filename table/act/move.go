package act

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"norn/dice"
	"norn/game"
	"norn/odds"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Make makes a move: it runs the rule until it ends or waits for an answer. A form that norn has filled
// in for a page is refused if it isn't what norn would fill in now.
//
// It also returns what it has prepared of such a form, so that the page can show it again.
func Make(e *visibility.Eye, r request.Move) (ledger.Draft, Prepared, error) {
	p, err := Prepared{}, cmp.Or(MayOpen(e, r.Secret, r.Nonce), currentEdition(e))
	switch {
	case err != nil:
	case r.Touched == nil:
		p.basis, p.asked, err = basisOf(e, r)
	default:
		if p, err = Prepare(e, r, p); p.Changed != nil {
			err = &refusal.ChangedError{Fields: p.Changed, Called: p.Call != r.Call}
		}
	}
	if err != nil {
		return ledger.Draft{}, p, err
	}
	d, err := makePrepared(e, p)
	return d, p, err
}

// makePrepared makes a move as it was prepared.
func makePrepared(e *visibility.Eye, p Prepared) (ledger.Draft, error) {
	a, yields, e, err := freeAttempt(e, p)
	if err != nil {
		return ledger.Draft{}, err
	}
	r := p.asked
	m := &state.OpenMove{Scene: a.Scene, Move: &state.Move{
		ID: state.MoveID(e.Table.Seq + 1), Def: a.Def, Actor: a.Scene.Actor, Cast: a.Cast, Args: a.Args,
		Nonce: strings.Clone(r.Nonce), ByHand: r.ByHand || len(r.Dice) > 0, Secret: a.secret,
		Offer: strings.Clone(a.Offer), Session: e.Table.Sessions.Now(), View: &e.Table.Game.View,
	}}
	source := m.Dice(e.Table.ID, nil)
	hand := dice.NewHand(r.Dice)
	if m.ByHand {
		source = rule.HandSourceExcept(hand, func(p dice.Pool, by string) bool {
			return !e.Viewer.IsGM() && (by == game.GM || m.Hidden(p))
		})
	}
	result, err := m.Play(nil, source)
	if err == nil {
		err = hand.CheckEmpty()
	}
	if err != nil {
		if problem := game.HandProblem("", len(r.Dice), !result.Done, result.Trail, err); problem != nil {
			err = refusal.Within("dice", problem)
		}
		return ledger.Draft{}, err
	}
	args, err := json.Marshal(a.Args)
	if err != nil {
		return ledger.Draft{}, err
	}
	d, err := draftRun(e, view.KindMove, m, result)
	d.Content.Opening = &state.Opening{
		Move: a.Def.ID, Actor: m.Actor, Cast: m.Cast, Args: args, Nonce: m.Nonce, ByHand: m.ByHand, Offer: m.Offer,
	}
	d.Args, d.Content.Yields = a.Args, idsOf(yields)
	return d, err
}

// draftRun returns the draft of an entry with what a run of a move's rule has added.
func draftRun(e *visibility.Eye, kind string, m *state.OpenMove, result rule.Result[rule.Outcome]) (ledger.Draft,
	error,
) {
	added := m.NewEvents(result.Events)
	events, err := state.EncodeEvents(added, e.Table.Game.Version)
	if err != nil {
		return ledger.Draft{}, err
	}
	d := ledger.Draft{Move: m.ID, Events: make([]rule.Event, len(added)), Content: state.EntryBody{
		Kind: kind, Secret: m.Secret, Steps: result.New, Events: events, Asks: m.NewAsks(result),
		Done: result.Done, LetGo: m.Releases(result),
	}}
	if result.Done {
		outcome := result.Value // a copy: a pointer into result would hold all of it in memory as long as the table
		d.Content.Outcome = &outcome
	}
	for i, t := range added {
		d.Events[i] = t.Event
	}
	if standing, ok := Standing(m, result, standingBranches); ok {
		d.Content.Luck, d.Luck = standing.String(), view.LuckOf(standing)
	}
	return d, nil
}

// standingBranches bounds the enumeration for the luck of a live move. Verifying a log may take
// longer, so that it finds every recorded luck again.
const (
	standingBranches = 2_000
	VerifiedBranches = 100 * standingBranches
	// with so few branches luck was recorded, even if older code needed more branches for the same
	// distribution
	SurelyBranches = standingBranches / 4
)

// Standing returns the rank of a move's outcome among all possible ones. It returns false if the
// run didn't decide the outcome, if it was known before, if the move has no chance in it, or if its
// distribution takes more than branches branches.
//
// The distribution is that of the move's odds when it was opened. A question in the middle gets the
// answer that was given, wherever it's asked; if it was answered in two ways, its default answer.
func Standing(m *state.OpenMove, result rule.Result[rule.Outcome], branches int) (odds.Standing, bool) {
	if m.Def.Price == nil || m.Def == &game.Plain || m.Resolved != nil {
		return odds.Standing{}, false
	}
	came, known := headlineOf(m.Move, result)
	if !known {
		return odds.Standing{}, false
	}
	law, err := rule.Walk(m.Def.Price(m.Scene, m.Args), answersOf(result.Trail), rule.Limits{Branches: branches})
	if err != nil { // too large, or it depends on what only people can say
		return odds.Standing{}, false
	}
	return odds.Stand(law, came, m.Def.Better)
}

// headlineOf returns the outcome of the actor that a run has recorded, or its result.
func headlineOf(m *state.Move, result rule.Result[rule.Outcome]) (rule.Outcome, bool) {
	for _, t := range result.Events {
		if told, ok := t.Event.(game.Resolved); ok && t.Part == "" && told.Who == m.Actor {
			return told.Outcome, true
		}
	}
	return result.Value, result.Done
}

// answersOf returns the answers of a trail as a policy. It leaves out questions that were answered
// in two ways.
func answersOf(trail rule.Trail) rule.Policy {
	policy := rule.Policy{}
	for _, step := range trail {
		if step.Answer == nil {
			continue
		}
		id, value := step.Answer.Question, step.Answer.Value
		given, again := policy[id]
		switch {
		case !again:
			policy[id] = rule.Given{JSON: value}
		case given != nil && !bytes.Equal(given.(rule.Given).JSON, value):
			policy[id] = nil
		}
	}
	for id, given := range policy {
		if given == nil {
			delete(policy, id)
		}
	}
	return policy
}
