package state

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"norn/dice"
	"norn/game"
	"norn/rule"
	"norn/table/view"
)

// outdated tells whether the table is still played by an older edition than this norn's.
func (st *State) Outdated() bool { return st.Edition != st.Game.EditionID() }

// stranded are the open moves that these rules can't go on with, oldest first.
func (st *State) Stranded() []*Underway {
	return slices.DeleteFunc(slices.Clone(st.Open), func(m *Underway) bool { return m.Fault == nil })
}

// An open move holds its cast. Whom its rule says it won't change again it lets
// go of: the entry with which that comes names them, and others may act with them
// while its questions are open. What does so stands on the move, which then can
// be neither cancelled nor undone before it. A secret move lets go of nobody: it
// gives way instead, see package act.

// holds tells whether nobody else may act with a character as long as the move is open.
func (m *Underway) holds(id string) bool {
	return m.Has(id) && !slices.Contains(m.Gone, id)
}

// letsGo is whom a run of an open move has let go of, and hadn't before.
func (m *Underway) LetsGo(result rule.Result[rule.Outcome]) []string {
	if result.Done || m.Secret {
		return nil
	}
	var gone []string
	for _, id := range result.LetGo {
		if m.holds(id) {
			gone = append(gone, id)
		}
	}
	return gone
}

// decodeLetGo holds whom a record's move lets go of to those whom it holds.
func (st *State) CheckLetGo(r *Record) error {
	if len(r.LetGo) == 0 {
		return nil
	}
	u := &Underway{Move: r.Of}
	if r.Kind == view.KindAnswer {
		u = st.Open.Going(r.Move)
		for _, step := range r.Steps {
			u = u.JoinedBy(st, step)
		}
	}
	for i, id := range r.LetGo {
		if r.Of == nil || r.Done || r.Of.Secret || !u.holds(id) || slices.Contains(r.LetGo[:i], id) {
			return fmt.Errorf("it can't let go of %q", id)
		}
	}
	return nil
}

// seqOf is the seq of the entry that opened a move, which it's named by; 0 for what is no move's id.
func MoveSeq(move string) uint64 {
	seq, err := strconv.ParseUint(strings.TrimPrefix(move, "m"), 10, 64)
	if err != nil || MoveID(seq) != move {
		return 0
	}
	return seq
}

func MoveID(seq uint64) string { return "m" + strconv.FormatUint(seq, 10) }

// move is a move made at this table, as it was opened: nothing of it changes.
type Move struct {
	ID      string
	Seq     uint64 // of the entry that opened it
	Def     *game.Move
	Seat    string // who made it
	Actor   string
	Cast    []string // with the actor
	Args    any
	Nonce   string
	ByHand  bool
	Secret  bool // when it was made
	View    *game.View
	Session *Session // of dice, as it stood then: with the shares that count
}

// underways are the open moves of a table, oldest first.
type underways []*Underway

// underway is a move while it's open.
type Underway struct {
	*Move
	Scene    game.Scene // as it stood at the opening
	Joined   []string   // by answers that named them, beside the cast
	Trail    rule.Trail
	Told     map[string]int        // events of each part
	said     []rule.Told           // those events
	Asked    []Ask                 // what the entries say to be open
	Throws   map[string]int        // throws of each part
	Gone     []string              // whom it has let go of
	whose    map[string]rule.Event // that told last whose dice fall in a part, where it isn't who acts
	Resolved *rule.Outcome         // of its actor, told before the end

	Open  []rule.Open // made by settle
	Ahead *sync.Map   // what the open questions come to, worked out once and only when somebody may see it
	Fault error       // why these rules can't go on with it
}

// begin opens a record's move on the state as it stands. One that ends with the
// record that opened it is never underway.
func (st *State) begin(r *Record) (u *Underway) {
	if !r.Done {
		u = st.Underway(r.Of)
		st.Open = append(slices.Clip(st.Open), u)
	}
	for _, id := range r.Of.Cast {
		st.Touch(r, id, OfSheet)
	}
	st.meet(r.Of)
	if st.Begun = true; r.Of.Secret {
		st.Secrets = append(slices.Clip(st.Secrets[max(len(st.Secrets)+1-mostSecrets, 0):]), r.Seq)
	} else {
		st.Openly = true
	}
	return u
}

// underway is that of a move which begins on the state as it stands.
func (st *State) Underway(m *Move) *Underway {
	u := &Underway{Move: m, Scene: st.Scene(m.Actor, st.Characters.named(m.Cast)), Told: map[string]int{}, Throws: map[string]int{}}
	u.Scene.Secret = m.Secret
	by := st.Seats.Of(m.Seat)
	u.Scene.Ruled = st.Ruled(m.Def, m.Actor, m.Args, by != nil && by.Role == game.Master)
	return u
}

// goOn has an open move go on with a record's answer.
func (st *State) goOn(r *Record) *Underway {
	i := slices.IndexFunc(st.Open, func(u *Underway) bool { return u.ID == r.Of.ID })
	st.Open = altered(st.Open, i, func(u *Underway) {
		u.Trail, u.said, u.Gone = slices.Clip(u.Trail), slices.Clip(u.said), slices.Clip(u.Gone)
		u.Told, u.Throws, u.whose = maps.Clone(u.Told), maps.Clone(u.Throws), maps.Clone(u.whose)
		u.Asked = slices.DeleteFunc(slices.Clone(u.Asked), func(a Ask) bool { return a.Place == r.Answers })
		u.Open = nil
		for _, step := range r.Steps {
			*u = *u.JoinedBy(st, step)
		}
	})
	for _, id := range st.Open[i].Joined {
		st.Touch(r, id, OfSheet) // which keeps how it was before the first of them
	}
	return st.Open[i]
}

// carryOn takes a record's steps, events and outcome into its move, and ends that where it ends.
func (st *State) carryOn(u *Underway, r *Record) {
	u.Carry(r)
	if r.Done {
		st.End(u.ID)
	}
}

// carry tells a record what its move has met before, and takes what the record adds into the move.
func (u *Underway) Carry(r *Record) {
	for _, step := range r.Steps {
		if before := u.Throws[step.Part]; step.Dice != nil && before > 0 {
			if r.First == nil {
				r.First = map[string]int{}
			}
			r.First[step.Part] = before
		}
		if told := u.whose[step.Part]; step.Dice != nil && told != nil {
			if r.Whose == nil {
				r.Whose = map[string]rule.Event{}
			}
			r.Whose[step.Part] = told
		}
	}
	for i, stored := range r.Events {
		told, ok := r.Decoded[i].(game.Resolved)
		if ok && stored.Part == "" && told.Who == u.Actor && u.Resolved == nil {
			r.came, r.Headline = told.Outcome, i
			u.Resolved, r.Result = &r.came, &r.came
		}
	}
	if r.Done {
		switch {
		case r.Outcome == nil:
		case u.Resolved == nil:
			r.came = *r.Outcome
			r.Result = &r.came
		case *u.Resolved != *r.Outcome:
			r.Result = r.Outcome
		}
		return
	}
	u.Gone = append(u.Gone, r.LetGo...)
	u.Trail = append(u.Trail, r.Steps...)
	u.Asked = append(u.Asked, r.Asks...)
	for _, step := range r.Steps {
		if step.Dice != nil {
			u.Throws[step.Part]++
		}
	}
	for i, stored := range r.Events {
		u.Told[stored.Part]++
		u.said = append(u.said, rule.Told{Part: stored.Part, N: stored.N, Event: r.Decoded[i]})
		if threw, ok := r.Decoded[i].(game.Threw); ok {
			u.threw(stored.Part, threw)
		}
	}
}

// threw keeps who throws in a part from here on.
func (m *Underway) threw(part string, threw game.Threw) {
	switch event, _ := threw.(rule.Event); {
	case threw.Thrower() == m.Actor:
		delete(m.whose, part)
	case m.whose == nil:
		m.whose = map[string]rule.Event{part: event}
	default:
		m.whose[part] = event
	}
}

// end has a move go on no more.
func (st *State) End(id string) {
	st.Open = slices.DeleteFunc(slices.Clone(st.Open), func(u *Underway) bool { return u.ID == id })
}

// settle finds the questions of open moves by running their rules again over
// what they have met. It's called once, before anybody looks at the state.
func (st *State) Settle() {
	for _, m := range st.Open {
		if m.Open != nil || m.Fault != nil {
			continue
		}
		result, err := m.again()
		m.Open, m.Fault, m.Ahead = result.Open, err, &sync.Map{}
	}
}

// again runs the rule of an open move over what it has met. It's an error where rules that have changed since can't go on from
// there: they ask for something else, have told something else, or are over. They may also break off, since what they find
// isn't what they would have made.
func (m *Underway) again() (result rule.Result[rule.Outcome], err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = rule.Result[rule.Outcome]{}, fmt.Errorf("the rule breaks off: %v", p)
		}
	}()
	var source rule.Source
	if m.ByHand {
		source = rule.ByHand(dice.NewHand(nil), true)
	}
	result, err = m.Play(m.Trail, source)
	if err == nil && result.Done {
		err = &rule.TrailError{Want: "the end", Have: "open"}
	}
	if err != nil {
		return rule.Result[rule.Outcome]{}, err
	}
	for _, said := range m.said {
		i := slices.IndexFunc(result.Told, func(t rule.Told) bool { return t.Part == said.Part && t.N == said.N })
		if i < 0 || Describe(result.Told[i]) != Describe(said) {
			return rule.Result[rule.Outcome]{}, fmt.Errorf("the rule doesn't tell %s", Describe(said))
		}
	}
	for _, id := range m.Gone {
		if !slices.Contains(result.LetGo, id) {
			return rule.Result[rule.Outcome]{}, fmt.Errorf("the rule doesn't let go of %s", id)
		}
	}
	return result, nil
}

// describe is what a rule told, and where.
func Describe(t rule.Told) string {
	return t.Part + "#" + strconv.Itoa(t.N) + " " + game.TypeOf(t.Event) + " " + string(JSON(t.Event))
}

// play runs the move's rule over a trail. New dice come from source.
func (m *Underway) Play(trail rule.Trail, source rule.Source) (rule.Result[rule.Outcome], error) {
	return rule.Play(m.Def.Play(m.Scene, m.Args), rule.Options{Trail: trail, Source: source, Roller: m.roller})
}

// sealed tells whether plans are still being closed in the move: till then nobody
// sees another's, nor odds that would tell of it.
func (m *Underway) Sealed() bool {
	return slices.ContainsFunc(m.Open, func(o rule.Open) bool { return o.Sealed })
}

// roller is who types in a throw made by hand: who throws it by the rule or else
// who acts, but the GM where players mustn't see it.
func (m *Underway) roller(p dice.Pool, by string) string {
	switch {
	case m.Unseen(p):
		return game.GM
	case by != "":
		return by
	case m.Actor == "":
		return game.GM
	}
	return m.Actor
}

// unseen tells whether players mustn't see a throw.
func (m *Underway) Unseen(p dice.Pool) bool {
	return m.Def != &game.Plain && !m.View.SeesThrow(game.Viewer{Role: game.Player}, m.Scene.Settings, rule.Thrown{For: p.For, Sides: p.Sides})
}

// dice is where the move's dice come from when nobody types them in.
func (m *Move) Dice(table string, trail rule.Trail) rule.Source {
	return rule.Apart(trail, func(part string, throw int) dice.Roller {
		return dice.NewStream(dice.Key(m.Session.Seal, m.Session.Shares, table, m.ID, m.Nonce, Place(part, throw)))
	})
}

// asks are the questions that a run left open and that weren't open before.
func (m *Underway) Asks(open []rule.Open) []Ask {
	var asks []Ask
	for _, o := range open {
		if !slices.ContainsFunc(m.Open, func(known rule.Open) bool { return known.Place() == o.Place() }) {
			asks = append(asks, Ask{Place: o.Place(), Question: o.ID, To: o.To})
		}
	}
	return asks
}

// untold are the events that a run told and the journal doesn't hold yet.
func (m *Underway) Untold(told []rule.Told) []rule.Told {
	var news []rule.Told
	for _, t := range told {
		if t.N >= m.Told[t.Part] {
			news = append(news, t)
		}
	}
	return news
}

// place names a throw of a move in the key of its dice.
func Place(part string, throw int) string { return part + "#" + strconv.Itoa(throw) }

func (st *State) NextMove() string { return MoveID(st.Seq + 1) }

// questionID names a question for people: its move and its place in it.
func QuestionID(m *Move, place string) string { return m.ID + ":" + place }
