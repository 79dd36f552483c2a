// Package verify holds logs that nobody vouches for to the rules: a whole table's, and a seat's own. Entries are judged by those who
// judge what is done live (package act), dice are derived and rules run again.
//
// It serves no table and writes to no journal. Besides, it writes the file of a seat's own log, which stands beside its judge.
package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"norn/dice"
	"norn/game"
	"norn/journal"
	"norn/journal/archive"
	"norn/lang"
	"norn/rule"
	"norn/table/internal/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/refusal"
	"norn/table/view"
)

// Verified is what was checked of a log that fits.
type Result struct {
	archive.Header
	Moves    int `json:"moves"`  // made again
	Unseen   int `json:"unseen"` // of a seat's file: moves of which it doesn't see all, so that they can't be made again
	Dice     int `json:"dice"`   // derived again, face by face
	Hand     int `json:"hand"`   // thrown by hand: nobody can check them
	Sealed   int `json:"sealed"` // whose secret isn't opened
	Sessions int `json:"sessions"`

	Older []Older `json:"older,omitempty"` // what the rules, as they are now, can't be run for again
}

// Older are entries that were made by an edition of the rules that isn't played any more, and which the rules of today wouldn't
// make. Their dice are derived again, and what they say for themselves is checked; the rules are not run.
type Older struct {
	Edition string `json:"edition"`
	Entries int    `json:"entries"`
}

// older counts an entry whose rules weren't run again.
func (v *Result) older(edition string) {
	i := slices.IndexFunc(v.Older, func(o Older) bool { return o.Edition == edition })
	if i < 0 {
		i, v.Older = len(v.Older), append(v.Older, Older{Edition: edition})
	}
	v.Older[i].Entries++
}

// Verify checks a table's exported log: that the file is whole, that each die
// that norn threw is the one that the opened secret, the shares, the table, the
// move and the nonce give, and that each rule, run again over what it met, asks,
// tells and comes to what is recorded. It stops at the first entry that doesn't
// fit.
//
// Errors are *archive.FaultError for the file, *MisfitError for what it says,
// and those of the reader.
//
// Of a file that Seat.Seen wrote it checks as much as that seat sees.
func File(games []*game.Game, file io.Reader) (Result, error) {
	in, err := archive.NewReader(file)
	if err != nil {
		return Result{}, err
	}
	if in.Header().Seat != "" {
		return verifySeen(games, in)
	}
	_, v, err := readLog(games, in, true)
	return v, err
}

// logOf is a log that was read back, and the table that it makes.
type LogOf struct {
	Ledger  ledger.Ledger // which may look back
	Entries []journal.Entry
}

// readLog reads an exported log and folds it in. replay runs its rules and
// throws its dice again.
func readLog(games []*game.Game, in *archive.Reader, replay bool) (*LogOf, Result, error) {
	if in.Header().Seat != "" {
		return nil, Result{}, &archive.FaultError{Line: 1, Code: archive.OfSeat}
	}
	v := &verifier{st: ledger.New(in.Header().Table, games, act.Vocabulary), replay: replay, found: Result{Header: in.Header()}}
	v.st.Deep = math.MaxUint64 // norns may have undone what is older than they do now
	var entries ledger.Slice
	v.st = v.st.Looking(context.Background(), &entries)
	for {
		e, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, Result{}, err
		}
		if err := v.take(e); err != nil {
			return nil, Result{}, err
		}
		entries = append(entries, e)
	}
	if head := in.Header(); head.Game != v.st.Game.ID || head.Name != v.st.Name {
		return nil, Result{}, &refusal.MisfitError{Seq: 1, Code: refusal.MisfitHeader}
	}
	v.found.Sessions = len(v.st.Sessions)
	return &LogOf{v.st, entries}, v.found, nil
}

// verifier folds a log that nobody vouches for: each entry is judged on the
// state before it's applied.
type verifier struct {
	st     ledger.Ledger
	replay bool
	lucky  bool // an entry before has told where its move stands: from then on all do
	found  Result

	otherwise bool // the entry at hand is of an older edition, and not what these rules would have made
}

// ruled judges by the rules as they are now, if they're run at all. What an older edition has made may be otherwise, even so that these rules break off
// over it: that is no error, and the entry is counted.
func (v *verifier) Ruled(judge func() error) error {
	if !v.replay {
		return nil
	}
	if !v.st.Outdated() {
		return judge()
	}
	defer func() { v.otherwise = recover() != nil || v.otherwise }()
	if judge() != nil {
		v.otherwise = true
	}
	return nil
}

func (v *verifier) Replays() bool { return v.replay }

// take judges an entry and applies it.
func (v *verifier) take(e journal.Entry) (err error) {
	defer bear(&err, &e.Seq)
	defer ledger.Catch(&err)
	r, err := v.st.Decode(e, nil)
	if err != nil {
		rules := ""
		if r != nil {
			rules = r.Rules
		}
		return &refusal.MisfitError{Seq: e.Seq, Code: refusal.MisfitUnreadable, Data: view.Data{"Problem": err.Error()}, Rules: rules, Err: err}
	}
	v.otherwise = false
	err = v.plain(e, r)
	if err == nil {
		err = v.judge(r)
	}
	if err != nil {
		var misfit *refusal.MisfitError
		if !errors.As(err, &misfit) {
			misfit = &refusal.MisfitError{Code: refusal.MisfitRefused, Data: view.Data{"Problem": err.Error()}, Err: err}
		}
		misfit.Seq, misfit.Rules = r.Seq, r.Rules
		return misfit
	}
	if v.otherwise {
		v.found.older(r.Edition)
	} else if r.Kind == view.KindMove {
		v.found.Moves++
	}
	v.st.Follow(r)
	if v.replay {
		v.st.Settle()
	}
	return nil
}

// plain holds an entry to what norn writes, so that no reader finds more in it, or
// something else, than another.
func (v *verifier) plain(e journal.Entry, r *state.Record) error {
	if r.V != r.Version() || !says(state.NonEmpty(state.Members(json.RawMessage(e.Body))), state.NonEmpty(state.Members(r.Content))) {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "it isn't written as norn writes"})
	}
	if r.Kind != view.KindOpened && r.Kind != view.KindEdition && r.Edition != v.st.Edition {
		return refusal.Misfit(refusal.MisfitEdition, view.Data{"Have": r.Edition, "Want": v.st.Edition})
	}
	return nil
}

// says tells whether all that one JSON value says another says too.
func says(have, want any) bool {
	switch have := have.(type) {
	case map[string]any:
		want, ok := want.(map[string]any)
		for name, value := range have {
			ok = ok && says(value, want[name])
		}
		return ok
	case []any:
		want, ok := want.([]any)
		ok = ok && len(have) == len(want)
		for i := range have {
			ok = ok && says(have[i], want[i])
		}
		return ok
	}
	return have == want
}

// judge says why an entry can't follow those before it.
func (v *verifier) judge(r *state.Record) error {
	if (r.Kind == view.KindOpened) != (r.Seq == 1) {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "a table is opened once, by its first entry"})
	}
	p, err := act.Propose(v.st, r, lang.Speaker{})
	if err != nil {
		return err
	}
	p.Log = v
	switch r.Kind {
	case view.KindMove:
		return v.opens(p)
	case view.KindAnswer:
		return v.answers(p)
	}
	return refusal.AsMisfit(r.Seat, p.JudgeOwn())
}

// run throws a record's dice and runs its rule again over all that its move has
// met.
func (v *verifier) run(m *state.Underway, r *state.Record) error {
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
	return v.Ruled(func() error { return v.again(m, r) })
}

// again runs a record's rule over all that its move has met: what it asks, tells and comes to is what is recorded.
func (v *verifier) again(m *state.Underway, r *state.Record) error {
	var source rule.Source
	if m.ByHand {
		source = rule.ByHand(dice.NewHand(nil), true)
	}
	result, err := m.Play(slices.Concat(m.Trail, r.Steps), source)
	if err != nil {
		return refusal.Misfit(refusal.MisfitRule, view.Data{"Problem": err.Error()})
	}
	if result.Done != r.Done {
		return refusal.Misfit(refusal.MisfitEnd, nil)
	}
	if err := tells(m.Untold(result.Told), r); err != nil {
		return err
	}
	if want := m.Asks(result.Open); !slices.Equal(want, r.Asks) {
		return refusal.Misfit(refusal.MisfitQuestions, nil)
	}
	if r.LetGo != nil && !slices.Equal(r.LetGo, m.LetsGo(result)) { // it may be missing: older rules let go of nobody
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": fmt.Sprint(r.LetGo)})
	}
	if r.Done && *r.Outcome != result.Value {
		return refusal.Misfit(refusal.MisfitOutcome, view.Data{"Have": outcomeText(*r.Outcome), "Want": outcomeText(result.Value)})
	}
	return v.luck(m, r, result)
}

// luck derives anew where a move stands. It's missing where no norn told it yet, which are entries of the first edition before the
// first that has it, and where a law was too large to be walked at the table.
func (v *verifier) luck(m *state.Underway, r *state.Record, result rule.Result[rule.Outcome]) error {
	v.lucky = v.lucky || r.Edition != state.FirstEdition // norns told luck before they had a second one
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

// tells compares what a rule tells with what is recorded, by the meaning of
// what was written under older versions of the events. What older rules didn't
// tell may be missing.
func tells(told []rule.Told, r *state.Record) error {
	told = slices.DeleteFunc(slices.Clone(told), func(t rule.Told) bool {
		_, later := t.Event.(game.Later)
		return later && !slices.ContainsFunc(r.Events, func(e state.Event) bool { return e.Part == t.Part && e.N == t.N })
	})
	for i := range max(len(told), len(r.Decoded)) {
		have, want := "—", "—"
		if i < len(r.Decoded) {
			have = state.Describe(rule.Told{Part: r.Events[i].Part, N: r.Events[i].N, Event: r.Decoded[i]})
		}
		if i < len(told) {
			want = state.Describe(told[i])
		}
		if have != want {
			return refusal.Misfit(refusal.MisfitEvents, view.Data{"Have": have, "Want": want})
		}
	}
	return nil
}

// throws derives a record's dice again.
func (v *verifier) throws(m *state.Underway, r *state.Record) error {
	thrown := map[string]int{}
	for _, step := range r.Steps {
		t := step.Dice
		if t == nil {
			continue
		}
		n := m.Throws[step.Part] + thrown[step.Part]
		thrown[step.Part]++
		at := state.Place(step.Part, n)
		if t.Hand != m.ByHand {
			return refusal.Misfit(refusal.MisfitHand, view.Data{"Place": at})
		}
		if err := onDice(*t, at); err != nil {
			return err
		}
		switch {
		case t.Hand:
			v.found.Hand += len(t.Faces)
			continue
		case m.Session.Seal.IsZero():
			v.found.Sealed += len(t.Faces)
			continue
		}
		if err := fell(*t, at, dice.Key(m.Session.Seal, m.Session.Shares, v.st.ID, m.ID, m.Nonce, at)); err != nil {
			return err
		}
		v.found.Dice += len(t.Faces)
	}
	return nil
}

// onDice holds a throw to faces that its dice have.
func onDice(t rule.Thrown, at string) error {
	for i, face := range t.Faces {
		if t.Sides < 1 || face < 1 || face > t.Sides {
			return refusal.Misfit(refusal.MisfitFace, view.Data{"Place": at, "Die": i + 1, "Have": face, "Want": "d" + strconv.Itoa(t.Sides)})
		}
	}
	return nil
}

// fell holds a throw to the faces that its key gives.
func fell(t rule.Thrown, at string, key [32]byte) error {
	stream := dice.NewStream(key)
	for i, face := range t.Faces {
		if want := stream.Face(t.Sides); face != want {
			return refusal.Misfit(refusal.MisfitFace, view.Data{"Place": at, "Die": i + 1, "Have": face, "Want": want})
		}
	}
	return nil
}
