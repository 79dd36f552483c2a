package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/journal"
	"norn/journal/archive"
	"norn/lang"
	"norn/rule"
)

// Verified is what was checked of a log that fits.
type Verified struct {
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
func (v *Verified) older(edition string) {
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
func Verify(games []*game.Game, file io.Reader) (Verified, error) {
	in, err := archive.NewReader(file)
	if err != nil {
		return Verified{}, err
	}
	if in.Header().Seat != "" {
		return verifySeen(games, in)
	}
	_, v, err := readLog(games, in, true)
	return v, err
}

// logOf is a log that was read back, and the table that it makes.
type logOf struct {
	st      ledger // which may look back
	entries []journal.Entry
}

// readLog reads an exported log and folds it in. replay runs its rules and
// throws its dice again.
func readLog(games []*game.Game, in *archive.Reader, replay bool) (*logOf, Verified, error) {
	if in.Header().Seat != "" {
		return nil, Verified{}, &archive.FaultError{Line: 1, Code: archive.OfSeat}
	}
	v := &verifier{st: newLedger(in.Header().Table, games, kinds), replay: replay, found: Verified{Header: in.Header()}}
	v.st.deep = math.MaxUint64 // norns may have undone what is older than they do now
	var entries slice
	v.st = v.st.looking(context.Background(), &entries)
	for {
		e, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, Verified{}, err
		}
		if err := v.take(e); err != nil {
			return nil, Verified{}, err
		}
		entries = append(entries, e)
	}
	if head := in.Header(); head.Game != v.st.game.ID || head.Name != v.st.name {
		return nil, Verified{}, &MisfitError{Seq: 1, Code: MisfitHeader}
	}
	v.found.Sessions = len(v.st.sessions)
	return &logOf{v.st, entries}, v.found, nil
}

// verifier folds a log that nobody vouches for: each entry is judged on the
// state before it's applied.
type verifier struct {
	st     ledger
	replay bool
	lucky  bool // an entry before has told where its move stands: from then on all do
	found  Verified

	otherwise bool // the entry at hand is of an older edition, and not what these rules would have made
}

// ruled judges by the rules as they are now, if they're run at all. What an older edition has made may be otherwise, even so that these rules break off
// over it: that is no error, and the entry is counted.
func (v *verifier) ruled(judge func() error) error {
	if !v.replay {
		return nil
	}
	if !v.st.outdated() {
		return judge()
	}
	defer func() { v.otherwise = recover() != nil || v.otherwise }()
	if judge() != nil {
		v.otherwise = true
	}
	return nil
}

func (v *verifier) replays() bool { return v.replay }

// take judges an entry and applies it.
func (v *verifier) take(e journal.Entry) (err error) {
	defer bear(&err, &e.Seq)
	defer recollected(&err)
	r, err := v.st.decode(e, nil)
	if err != nil {
		rules := ""
		if r != nil {
			rules = r.Rules
		}
		return &MisfitError{Seq: e.Seq, Code: MisfitUnreadable, Data: data{"Problem": err.Error()}, Rules: rules, Err: err}
	}
	v.otherwise = false
	err = v.plain(e, r)
	if err == nil {
		err = v.judge(r)
	}
	if err != nil {
		var misfit *MisfitError
		if !errors.As(err, &misfit) {
			misfit = &MisfitError{Code: MisfitRefused, Data: data{"Problem": err.Error()}, Err: err}
		}
		misfit.Seq, misfit.Rules = r.Seq, r.Rules
		return misfit
	}
	if v.otherwise {
		v.found.older(r.Edition)
	} else if r.Kind == KindMove {
		v.found.Moves++
	}
	v.st.follow(r)
	if v.replay {
		v.st.settle()
	}
	return nil
}

// plain holds an entry to what norn writes, so that no reader finds more in it, or
// something else, than another.
func (v *verifier) plain(e journal.Entry, r *record) error {
	if r.V != r.version() || !says(bare(members(json.RawMessage(e.Body))), bare(members(r.body))) {
		return misfit(MisfitUnreadable, data{"Problem": "it isn't written as norn writes"})
	}
	if r.Kind != KindOpened && r.Kind != KindEdition && r.Edition != v.st.edition {
		return misfit(MisfitEdition, data{"Have": r.Edition, "Want": v.st.edition})
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
func (v *verifier) judge(r *record) error {
	if (r.Kind == KindOpened) != (r.Seq == 1) {
		return misfit(MisfitUnreadable, data{"Problem": "a table is opened once, by its first entry"})
	}
	p, err := propose(v.st, r, lang.Speaker{})
	if err != nil {
		return err
	}
	p.log = v
	switch r.Kind {
	case KindMove:
		return v.opens(p)
	case KindAnswer:
		return v.answers(p)
	}
	return asMisfit(r.Seat, p.judgeOwn())
}

// only is what a form asks for of a value that was stored whole. What it didn't
// ask for is compared afterwards. What is empty isn't stored, and is said here, since
// the form may offer something else to who leaves it out.
func only(f *form.Form, stored json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(stored, &members); err != nil || members == nil {
		return stored
	}
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool {
		return !slices.ContainsFunc(f.Fields, func(field form.Field) bool { return field.Name == name })
	})
	for _, field := range f.Fields {
		value, there := members[field.Name]
		switch {
		case string(value) == "null": // an empty list, where none given would be the standard one
			members[field.Name] = json.RawMessage("[]")
		case field.Kind == form.KindGroup && there:
			members[field.Name] = only(&form.Form{Fields: field.Fields}, value)
		case !there:
			if value = nothing(field); value != nil {
				members[field.Name] = value
			}
		}
	}
	return encoded(members)
}

// nothing is how JSON says that a field is empty; nil where it can't be.
func nothing(f form.Field) json.RawMessage {
	switch {
	case f.Kind == form.KindInt && f.Min <= 0 && 0 <= f.Max:
		return json.RawMessage("0")
	case f.Kind == form.KindBool, f.Kind == form.KindTrait && !f.Required:
		return json.RawMessage("false")
	case f.Required:
	case f.Kind == form.KindChoice && slices.ContainsFunc(f.Options, func(o form.Option) bool { return o.Value == "" }),
		f.Kind == form.KindText, f.Kind == form.KindProse, f.Kind == form.KindRef:
		return json.RawMessage(`""`)
	case f.Min == 0 && (f.Kind == form.KindList || f.Kind == form.KindRefs || f.Kind == form.KindFaces):
		return json.RawMessage("[]")
	}
	return nil
}

// run throws a record's dice and runs its rule again over all that its move has
// met.
func (v *verifier) run(m *underway, r *record) error {
	asked := r.Steps
	if r.Kind == KindAnswer {
		asked = asked[1:]
	}
	if slices.ContainsFunc(asked, func(s rule.Step) bool { return s.Dice == nil }) {
		return misfit(MisfitUnreadable, data{"Problem": "an answer that nobody gave"})
	}
	if err := v.throws(m, r); err != nil || !v.replay {
		return err
	}
	if (r.Outcome != nil) != r.Done {
		return misfit(MisfitEnd, nil)
	}
	return v.ruled(func() error { return v.again(m, r) })
}

// again runs a record's rule over all that its move has met: what it asks, tells and comes to is what is recorded.
func (v *verifier) again(m *underway, r *record) error {
	var source rule.Source
	if m.byHand {
		source = rule.ByHand(dice.NewHand(nil), true)
	}
	result, err := m.play(slices.Concat(m.trail, r.Steps), source)
	if err != nil {
		return misfit(MisfitRule, data{"Problem": err.Error()})
	}
	if result.Done != r.Done {
		return misfit(MisfitEnd, nil)
	}
	if err := tells(m.untold(result.Told), r); err != nil {
		return err
	}
	if want := m.asks(result.Open); !slices.Equal(want, r.Asks) {
		return misfit(MisfitQuestions, nil)
	}
	if r.LetGo != nil && !slices.Equal(r.LetGo, m.letsGo(result)) { // it may be missing: older rules let go of nobody
		return misfit(MisfitRefused, data{"Problem": fmt.Sprint(r.LetGo)})
	}
	if r.Done && *r.Outcome != result.Value {
		return misfit(MisfitOutcome, data{"Have": outcomeText(*r.Outcome), "Want": outcomeText(result.Value)})
	}
	return v.luck(m, r, result)
}

// luck derives anew where a move stands. It's missing where no norn told it yet, which are entries of the first edition before the
// first that has it, and where a law was too large to be walked at the table.
func (v *verifier) luck(m *underway, r *record, result rule.Result[rule.Outcome]) error {
	v.lucky = v.lucky || r.Edition != firstEdition // norns told luck before they had a second one
	have, want, branches := r.Luck, "—", verifiedBranches
	if have == "" {
		have, branches = want, surelyBranches
	}
	if r.Luck != "" || v.lucky {
		if standing, ok := standingIn(m, result, branches); ok {
			want = standing.String()
		}
	}
	if have != want {
		return misfit(MisfitLuck, data{"Have": have, "Want": want})
	}
	v.lucky = v.lucky || r.Luck != ""
	return nil
}

func outcomeText(o rule.Outcome) string { return o.ID + " " + strconv.Itoa(o.N) }

// tells compares what a rule tells with what is recorded, by the meaning of
// what was written under older versions of the events. What older rules didn't
// tell may be missing.
func tells(told []rule.Told, r *record) error {
	told = slices.DeleteFunc(slices.Clone(told), func(t rule.Told) bool {
		_, later := t.Event.(game.Later)
		return later && !slices.ContainsFunc(r.Events, func(e eventBody) bool { return e.Part == t.Part && e.N == t.N })
	})
	for i := range max(len(told), len(r.events)) {
		have, want := "—", "—"
		if i < len(r.events) {
			have = describe(rule.Told{Part: r.Events[i].Part, N: r.Events[i].N, Event: r.events[i]})
		}
		if i < len(told) {
			want = describe(told[i])
		}
		if have != want {
			return misfit(MisfitEvents, data{"Have": have, "Want": want})
		}
	}
	return nil
}

// throws derives a record's dice again.
func (v *verifier) throws(m *underway, r *record) error {
	thrown := map[string]int{}
	for _, step := range r.Steps {
		t := step.Dice
		if t == nil {
			continue
		}
		n := m.throws[step.Part] + thrown[step.Part]
		thrown[step.Part]++
		at := place(step.Part, n)
		if t.Hand != m.byHand {
			return misfit(MisfitHand, data{"Place": at})
		}
		if err := onDice(*t, at); err != nil {
			return err
		}
		switch {
		case t.Hand:
			v.found.Hand += len(t.Faces)
			continue
		case m.session.seal.IsZero():
			v.found.Sealed += len(t.Faces)
			continue
		}
		if err := fell(*t, at, dice.Key(m.session.seal, m.session.shares, v.st.id, m.id, m.nonce, at)); err != nil {
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
			return misfit(MisfitFace, data{"Place": at, "Die": i + 1, "Have": face, "Want": "d" + strconv.Itoa(t.Sides)})
		}
	}
	return nil
}

// fell holds a throw to the faces that its key gives.
func fell(t rule.Thrown, at string, key [32]byte) error {
	stream := dice.NewStream(key)
	for i, face := range t.Faces {
		if want := stream.Face(t.Sides); face != want {
			return misfit(MisfitFace, data{"Place": at, "Die": i + 1, "Have": face, "Want": want})
		}
	}
	return nil
}
