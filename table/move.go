package table

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// move is a move made at this table, as it was opened: nothing of it changes.
type move struct {
	id      string
	seq     uint64 // of the entry that opened it
	def     *game.Move
	seat    string // who made it
	actor   string
	cast    []string // with the actor
	args    any
	nonce   string
	byHand  bool
	secret  bool // when it was made
	view    *game.View
	session *session // of dice, as it stood then: with the shares that count
}

// underways are the open moves of a table, oldest first.
type underways []*underway

// underway is a move while it's open.
type underway struct {
	*move
	scene    game.Scene // as it stood at the opening
	trail    rule.Trail
	told     map[string]int        // events of each part
	said     []rule.Told           // those events
	asked    []ask                 // what the entries say to be open
	throws   map[string]int        // throws of each part
	gone     []string              // of the cast, whom it has let go of
	whose    map[string]rule.Event // that told last whose dice fall in a part, where it isn't who acts
	resolved *rule.Outcome         // of its actor, told before the end

	open  []rule.Open // made by settle
	ahead *sync.Map   // what the open questions come to, worked out once and only when somebody may see it
	fault error       // why these rules can't go on with it
}

// begin opens a record's move on the state as it stands. One that ends with the
// record that opened it is never underway.
func (st *state) begin(r *record) (u *underway) {
	if !r.Done {
		u = st.underway(r.move)
		st.open = append(slices.Clip(st.open), u)
	}
	for _, id := range r.move.cast {
		st.touch(r, id, ofSheet)
	}
	st.meet(r.move)
	if st.begun = true; r.move.secret {
		st.secrets = append(slices.Clip(st.secrets[max(len(st.secrets)+1-mostSecrets, 0):]), r.Seq)
	} else {
		st.openly = true
	}
	return u
}

// underway is that of a move which begins on the state as it stands.
func (st *state) underway(m *move) *underway {
	u := &underway{move: m, scene: st.scene(m.actor, st.characters.named(m.cast)), told: map[string]int{}, throws: map[string]int{}}
	u.scene.Secret = m.secret
	by := st.seats.of(m.seat)
	u.scene.Ruled = st.ruled(m.def, m.actor, m.args, by != nil && by.role == game.Master)
	return u
}

// goOn has an open move go on with a record's answer.
func (st *state) goOn(r *record) *underway {
	i := slices.IndexFunc(st.open, func(u *underway) bool { return u.id == r.move.id })
	st.open = altered(st.open, i, func(u *underway) {
		u.trail, u.said, u.gone = slices.Clip(u.trail), slices.Clip(u.said), slices.Clip(u.gone)
		u.told, u.throws, u.whose = maps.Clone(u.told), maps.Clone(u.throws), maps.Clone(u.whose)
		u.asked = slices.DeleteFunc(slices.Clone(u.asked), func(a ask) bool { return a.Place == r.Answers })
		u.open = nil
	})
	return st.open[i]
}

// carryOn takes a record's steps, events and outcome into its move, and ends that where it ends.
func (st *state) carryOn(u *underway, r *record) {
	u.carry(r)
	if r.Done {
		st.end(u.id)
	}
}

// carry tells a record what its move has met before, and takes what the record adds into the move.
func (u *underway) carry(r *record) {
	for _, step := range r.Steps {
		if before := u.throws[step.Part]; step.Dice != nil && before > 0 {
			if r.first == nil {
				r.first = map[string]int{}
			}
			r.first[step.Part] = before
		}
		if told := u.whose[step.Part]; step.Dice != nil && told != nil {
			if r.whose == nil {
				r.whose = map[string]rule.Event{}
			}
			r.whose[step.Part] = told
		}
	}
	for i, stored := range r.Events {
		told, ok := r.events[i].(game.Resolved)
		if ok && stored.Part == "" && told.Who == u.actor && u.resolved == nil {
			r.came, r.told = told.Outcome, i
			u.resolved, r.outcome = &r.came, &r.came
		}
	}
	if r.Done {
		switch {
		case r.Outcome == nil:
		case u.resolved == nil:
			r.came = *r.Outcome
			r.outcome = &r.came
		case *u.resolved != *r.Outcome:
			r.outcome = r.Outcome
		}
		return
	}
	u.gone = append(u.gone, r.LetGo...)
	u.trail = append(u.trail, r.Steps...)
	u.asked = append(u.asked, r.Asks...)
	for _, step := range r.Steps {
		if step.Dice != nil {
			u.throws[step.Part]++
		}
	}
	for i, stored := range r.Events {
		u.told[stored.Part]++
		u.said = append(u.said, rule.Told{Part: stored.Part, N: stored.N, Event: r.events[i]})
		if threw, ok := r.events[i].(game.Threw); ok {
			u.threw(stored.Part, threw)
		}
	}
}

// threw keeps who throws in a part from here on.
func (m *underway) threw(part string, threw game.Threw) {
	switch event, _ := threw.(rule.Event); {
	case threw.Thrower() == m.actor:
		delete(m.whose, part)
	case m.whose == nil:
		m.whose = map[string]rule.Event{part: event}
	default:
		m.whose[part] = event
	}
}

// end has a move go on no more.
func (st *state) end(id string) {
	st.open = slices.DeleteFunc(slices.Clone(st.open), func(u *underway) bool { return u.id == id })
}

// settle finds the questions of open moves by running their rules again over
// what they have met. It's called once, before anybody looks at the state.
func (st *state) settle() {
	for _, m := range st.open {
		if m.open != nil || m.fault != nil {
			continue
		}
		result, err := m.again()
		m.open, m.fault, m.ahead = result.Open, err, &sync.Map{}
	}
}

// again runs the rule of an open move over what it has met. It's an error where rules that have changed since can't go on from
// there: they ask for something else, have told something else, or are over. They may also break off, since what they find
// isn't what they would have made.
func (m *underway) again() (result rule.Result[rule.Outcome], err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = rule.Result[rule.Outcome]{}, fmt.Errorf("the rule breaks off: %v", p)
		}
	}()
	var source rule.Source
	if m.byHand {
		source = rule.ByHand(dice.NewHand(nil), true)
	}
	result, err = m.play(m.trail, source)
	if err == nil && result.Done {
		err = &rule.TrailError{Want: "the end", Have: "open"}
	}
	if err != nil {
		return rule.Result[rule.Outcome]{}, err
	}
	for _, said := range m.said {
		i := slices.IndexFunc(result.Told, func(t rule.Told) bool { return t.Part == said.Part && t.N == said.N })
		if i < 0 || describe(result.Told[i]) != describe(said) {
			return rule.Result[rule.Outcome]{}, fmt.Errorf("the rule doesn't tell %s", describe(said))
		}
	}
	for _, id := range m.gone {
		if !slices.Contains(result.LetGo, id) {
			return rule.Result[rule.Outcome]{}, fmt.Errorf("the rule doesn't let go of %s", id)
		}
	}
	return result, nil
}

// describe is what a rule told, and where.
func describe(t rule.Told) string {
	return t.Part + "#" + strconv.Itoa(t.N) + " " + game.TypeOf(t.Event) + " " + string(encoded(t.Event))
}

// play runs the move's rule over a trail. New dice come from source.
func (m *underway) play(trail rule.Trail, source rule.Source) (rule.Result[rule.Outcome], error) {
	return rule.Play(m.def.Play(m.scene, m.args), rule.Options{Trail: trail, Source: source, Roller: m.roller})
}

// sealed tells whether plans are still being closed in the move: till then nobody
// sees another's, nor odds that would tell of it.
func (m *underway) sealed() bool {
	return slices.ContainsFunc(m.open, func(o rule.Open) bool { return o.Sealed })
}

// roller is who types in a throw made by hand: who throws it by the rule or else
// who acts, but the GM where players mustn't see it.
func (m *underway) roller(p dice.Pool, by string) string {
	switch {
	case m.unseen(p):
		return game.GM
	case by != "":
		return by
	case m.actor == "":
		return game.GM
	}
	return m.actor
}

// unseen tells whether players mustn't see a throw.
func (m *underway) unseen(p dice.Pool) bool {
	return m.def != &game.Plain && !m.view.SeesThrow(game.Viewer{Role: game.Player}, m.scene.Settings, rule.Thrown{For: p.For, Sides: p.Sides})
}

// dice is where the move's dice come from when nobody types them in.
func (m *move) dice(table string, trail rule.Trail) rule.Source {
	return rule.Apart(trail, func(part string, throw int) dice.Roller {
		return dice.NewStream(dice.Key(m.session.seal, m.session.shares, table, m.id, m.nonce, place(part, throw)))
	})
}

// asks are the questions that a run left open and that weren't open before.
func (m *underway) asks(open []rule.Open) []ask {
	var asks []ask
	for _, o := range open {
		if !slices.ContainsFunc(m.open, func(known rule.Open) bool { return known.Place() == o.Place() }) {
			asks = append(asks, ask{Place: o.Place(), Question: o.ID, To: o.To})
		}
	}
	return asks
}

// untold are the events that a run told and the journal doesn't hold yet.
func (m *underway) untold(told []rule.Told) []rule.Told {
	var news []rule.Told
	for _, t := range told {
		if t.N >= m.told[t.Part] {
			news = append(news, t)
		}
	}
	return news
}
