package verify

import (
	"fmt"
	"slices"
	"strconv"

	"norn/dice"
	"norn/game"
	"norn/rule"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/refusal"
	"norn/table/view"
)

// verifier folds an untrusted log: it checks each entry against the state before it, and then
// applies it.
type verifier struct {
	st     ledger.Ledger
	replay bool
	lucky  bool // an earlier entry has recorded its move's luck: from then on all must
	found  Result

	differs bool // an older edition made the current entry, and these rules would have made another
}

// JudgeRules runs a check by the current rules, if rules are run at all. An older edition may have
// made what these rules wouldn't, even so that they panic over it. That is no error: the entry is
// counted as older.
func (v *verifier) JudgeRules(judge func() error) error {
	if !v.replay {
		return nil
	}
	if !v.st.IsOutdated() {
		return judge()
	}
	defer func() { v.differs = recover() != nil || v.differs }()
	if judge() != nil {
		v.differs = true
	}
	return nil
}

// Replays reports whether rules are run again.
func (v *verifier) Replays() bool { return v.replay }

// run derives a record's dice and runs its rule again over the move's whole trail.
func (v *verifier) run(m *state.OpenMove, r *state.Record) error {
	asked := r.Steps
	if r.Kind == view.KindAnswer {
		asked = asked[1:]
	}
	if slices.ContainsFunc(asked, func(s rule.Step) bool { return s.Dice == nil }) {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "an answer that nobody gave"})
	}
	if err := v.throws(m, r); err != nil || !v.replay {
		return err
	}
	if (r.Outcome != nil) != r.Done {
		return refusal.Misfit(refusal.MisfitEnd, nil)
	}
	return v.JudgeRules(func() error { return v.rerun(m, r) })
}

// rerun runs a record's rule over the move's whole trail, and checks that its questions, events and
// outcome are the recorded ones.
func (v *verifier) rerun(m *state.OpenMove, r *state.Record) error {
	var source rule.Source
	if m.ByHand {
		source = rule.HandSource(dice.NewHand(nil), true)
	}
	result, err := m.Play(slices.Concat(m.Trail, r.Steps), source)
	if err != nil {
		return refusal.Misfit(refusal.MisfitRule, view.Data{"Problem": err.Error()})
	}
	if result.Done != r.Done {
		return refusal.Misfit(refusal.MisfitEnd, nil)
	}
	recorded := game.EachAt(r.Decoded, func(i int, event rule.Event) rule.PlacedEvent {
		return rule.PlacedEvent{Part: r.Events[i].Part, N: r.Events[i].N, Event: event}
	})
	if err := tells(m.NewEvents(result.Events), recorded); err != nil {
		return err
	}
	if !slices.EqualFunc(m.NewAsks(result), r.Asks, askedAs(r)) {
		return refusal.Misfit(refusal.MisfitQuestions, nil)
	}
	// entries of the first edition may be older than releases
	if (r.LetGo != nil || r.Edition != state.FirstEdition) && !slices.Equal(r.LetGo, m.Releases(result)) {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": fmt.Sprint(r.LetGo)})
	}
	if r.Done && *r.Outcome != result.Value {
		return refusal.Misfit(refusal.MisfitOutcome,
			view.Data{"Have": outcomeText(*r.Outcome), "Want": outcomeText(result.Value)})
	}
	return v.luck(m, r, result)
}

// askedAs compares a rule's questions with those of a record. An older norn lent nobody.
func askedAs(r *state.Record) func(want, have state.Ask) bool {
	older := !slices.ContainsFunc(r.Asks, func(a state.Ask) bool { return a.Lends != nil })
	return func(want, have state.Ask) bool {
		if older {
			want.Lends = nil
		}
		return want.Equal(have)
	}
}

// luck computes the luck of a move again. It's missing in entries of the first edition before luck
// was recorded, and where the distribution was too large to enumerate at the table.
func (v *verifier) luck(m *state.OpenMove, r *state.Record, result rule.Result[rule.Outcome]) error {
	// luck was recorded before there was a second edition
	v.lucky = v.lucky || r.Edition != state.FirstEdition
	have, want, branches := r.Luck, "—", act.VerifiedBranches
	if have == "" {
		have, branches = want, act.SurelyBranches
	}
	if r.Luck != "" || v.lucky {
		if standing, ok := act.Standing(m, result, branches); ok {
			want = standing.String()
		}
	}
	if have != want {
		return refusal.Misfit(refusal.MisfitLuck, view.Data{"Have": have, "Want": want})
	}
	v.lucky = v.lucky || r.Luck != ""
	return nil
}

func outcomeText(o rule.Outcome) string { return o.ID + " " + strconv.Itoa(o.N) }

// tells compares the events of a rule with the recorded ones, by their meaning in the current
// version of the events. Events that older rules didn't write may be missing.
func tells(told, recorded []rule.PlacedEvent) error {
	told = slices.DeleteFunc(slices.Clone(told), func(t rule.PlacedEvent) bool {
		_, later := t.Event.(game.AddedLater)
		return later && !slices.ContainsFunc(recorded, func(r rule.PlacedEvent) bool {
			return r.Part == t.Part && r.N == t.N
		})
	})
	return compareEvents(game.Each(recorded, state.Describe), game.Each(told, state.Describe))
}

// compareEvents checks that two lists of events are the same, in the same order.
func compareEvents(have, want []string) error {
	for i := range max(len(have), len(want)) {
		is, should := "—", "—"
		if i < len(have) {
			is = have[i]
		}
		if i < len(want) {
			should = want[i]
		}
		if is != should {
			return refusal.Misfit(refusal.MisfitEvents, view.Data{"Have": is, "Want": should})
		}
	}
	return nil
}

// throws derives a record's dice again.
func (v *verifier) throws(m *state.OpenMove, r *state.Record) error {
	thrown := map[string]int{}
	for i, step := range r.Steps {
		t := step.Dice
		if t == nil {
			continue
		}
		n := m.Throws[step.Part] + thrown[step.Part]
		thrown[step.Part]++
		at := state.Place(step.Part, n)
		left := i == 0 && r.LeavesThrow()
		if t.Hand != (m.ByHand && !left) {
			return refusal.Misfit(refusal.MisfitHand, view.Data{"Place": at})
		}
		if err := checkFaces(*t, at); err != nil {
			return err
		}
		switch {
		case t.Hand:
			v.found.Hand += len(t.Faces)
			continue
		case r.Of.Session.Seal.IsZero():
			v.found.Sealed += len(t.Faces)
			continue
		}
		if err := checkDerived(*t, at, r.Of.DiceKey(v.st.ID, at)); err != nil {
			return err
		}
		v.found.Dice += len(t.Faces)
	}
	return nil
}

// checkFaces checks that the dice of a throw have such faces.
func checkFaces(t rule.Throw, at string) error {
	for i, face := range t.Faces {
		if t.Sides < 1 || face < 1 || face > t.Sides {
			return refusal.Misfit(refusal.MisfitFace,
				view.Data{"Place": at, "Die": i + 1, "Have": face, "Want": "d" + strconv.Itoa(t.Sides)})
		}
	}
	return nil
}

// checkDerived checks that a throw has the faces that its key gives.
func checkDerived(t rule.Throw, at string, key [32]byte) error {
	stream := dice.NewStream(key)
	for i, face := range t.Faces {
		if want := stream.Face(t.Sides); face != want {
			return refusal.Misfit(refusal.MisfitFace, view.Data{"Place": at, "Die": i + 1, "Have": face, "Want": want})
		}
	}
	return nil
}
