package table

import (
	"encoding/json"
	"fmt"
	"iter"
	"math/big"
	"reflect"
	"sync"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

// Advice is what one answer to an open question would come to: the chance of
// the move's first headline from here on, all other questions answered by
// their standard. One without an answer is of things as they stand.
type Advice struct {
	Answer      json.RawMessage `json:"answer,omitempty"`
	Label       string          `json:"label"` // the answer in a few words
	Headline    string          `json:"headline"`
	P           string          `json:"p"` // an exact fraction
	Probability float64         `json:"probability"`
	Chance      string          `json:"chance"` // "41%"
	Text        string          `json:"text"`   // "no special effort: 41% to succeed"
}

const (
	mostAdvised  = 6     // answers to one question
	mostForetold = 5_000 // branches from one answer on
)

// foretold is the chance of the move's first headline after an answer.
type foretold struct {
	answer json.RawMessage // nil for things as they stand
	chance *big.Rat
}

// advice is what the seat is told of a question's answers. It counts all that
// the seat sees lying there, and nothing else.
func adviceOn(e eye, m *underway, o rule.Open) []Advice {
	if m.resolved != nil || len(m.def.Headlines) == 0 || !mayForesee(e, m) {
		return nil
	}
	trail, ok := m.trail.Known(o.Part, func(t rule.Thrown) bool { return e.seesThrow(m.move, t) })
	if !ok {
		return nil
	}
	var all []Advice
	for _, f := range foretell(e, m, o, trail) {
		all = append(all, advised(e, m, o, f))
	}
	return all
}

// mayForesee tells whether the chances give nothing away: to who plays the
// acting character what odds before the move told too, made of what the seat
// sees, to others only what can be reckoned from sheets that lie open to them.
func mayForesee(e eye, m *underway) bool {
	if m.sealed() {
		return false
	}
	if e.viewer.IsGM() {
		return m.def.Price != nil
	}
	if !e.seesOdds(m.def) {
		return false
	}
	return e.plays(m.actor) || len(unseen(e.known(m.scene))) == 0
}

// advised words what was foretold.
func advised(e eye, m *underway, o rule.Open, f foretold) Advice {
	headline := m.def.Headlines[0].ID
	a := Advice{Answer: f.answer, Headline: headline, P: f.chance.RatString(), Probability: odds.Float(f.chance)}
	a.Chance = e.voice.Chance(a.Probability, f.chance.Sign() > 0, f.chance.Cmp(certain) == 0)
	said := e.voice.Say(e.st.game.Word("headline", headline), "P", a.Chance)
	if m.actor != "" && o.To != m.actor {
		said = e.voice.Say("table.advice.actor", "Name", e.name(m.actor), "Chance", said)
	}
	word := "table.advice.standing"
	if f.answer != nil {
		word = "table.advice.answer"
		answer := reflect.New(reflect.TypeOf(o.Standard))
		if o.Form.Decode(f.answer, answer.Interface()) == nil {
			a.Label = e.voice.Answer(e.st.game, o.ID, o.Form, o.Weigh, answer.Elem().Interface())
		}
	}
	a.Text = e.voice.Say(word, "Answer", a.Label, "Chance", said)
	return a
}

var certain = big.NewRat(1, 1)

// foretell walks the move from each answer to a question, or from where it
// stands if they're too many; nothing if that's too much, or if no answer
// makes a difference. trail is what the seat sees of what was met; where what it
// sees of the sheets doesn't fit that, nothing can be told.
func foretell(e eye, m *underway, o rule.Open, trail rule.Trail) []foretold {
	known := e.known(m.scene)
	who := e.seat.id
	if e.viewer.IsGM() { // all see the same
		who = game.GM
	}
	place := fmt.Sprint(o.Place(), who, len(trail), unseen(known))
	reckoned, _ := m.ahead.LoadOrStore(place, sync.OnceValue(func() []foretold {
		if args, ok := supposed(e, m, known, trail); ok {
			return foresee(m, o, m.def.Play(known, args), trail)
		}
		return nil
	}))
	return reckoned.(func() []foretold)()
}

// supposed are the move's arguments with which the rule, on what the seat knows,
// tells what the seat has seen told: a number that was assumed of a sheet that it
// doesn't see gives way to the nearest one that the dice don't belie. False where
// there's none.
func supposed(e eye, m *underway, known game.Scene, trail rule.Trail) (args any, ok bool) {
	if len(unseen(known)) == 0 {
		return m.args, true
	}
	told, err := toldTo(e, m, m.scene, m.args, trail)
	if err != nil {
		return nil, false
	}
	for args := range assumptionsOf(m) {
		if now, err := toldTo(e, m, known, args, trail); err == nil && reflect.DeepEqual(now, told) {
			return args, true
		}
	}
	return nil, false
}

// told is what the seat sees told by the rule over a trail.
func toldTo(e eye, m *underway, scene game.Scene, args any, trail rule.Trail) ([]rule.Told, error) {
	result, err := rule.Play(m.def.Play(scene, args), rule.Options{Trail: trail, Source: rule.ByHand(dice.NewHand(nil), true)})
	if err != nil {
		return nil, err
	}
	var seen []rule.Told
	for _, told := range result.Told {
		if event, ok := e.event(told.Event); ok {
			told.Event = event
			seen = append(seen, told)
		}
	}
	return seen, nil
}

// assumptions are the move's arguments, and then those with another number for the
// one that odds assume, if it's one: the nearest to what was given first.
func assumptionsOf(m *underway) iter.Seq[any] {
	return func(yield func(any) bool) {
		if !yield(m.args) {
			return
		}
		var field *form.Field
		for i, f := range m.def.Form.Fields {
			switch {
			case !f.Assumed:
			case f.Kind != form.KindInt || field != nil:
				return
			default:
				field = &m.def.Form.Fields[i]
			}
		}
		if field == nil {
			return
		}
		filled := m.def.Form.Fill(m.args)
		given, _ := filled[field.Name].(int)
		for far := 1; far <= field.Max-field.Min; far++ {
			for _, n := range []int{given - far, given + far} {
				if n < field.Min || n > field.Max {
					continue
				}
				filled[field.Name] = n
				data, err := json.Marshal(filled)
				if err != nil {
					return
				}
				if args, err := m.def.Restore(data); err != nil || !yield(args) {
					return
				}
			}
		}
	}
}

func foresee(m *underway, o rule.Open, play func(*rule.Run) rule.Outcome, known rule.Trail) []foretold {
	var answers [][]byte
	if o.Dice == nil && o.Standard != nil {
		answers = o.Form.Every(o.Standard, o.Weigh, mostAdvised)
	}
	if len(answers) < 2 {
		chance := headlineOf(m, play, known)
		if chance == nil || chance.Sign() == 0 || chance.Cmp(certain) == 0 {
			return nil
		}
		return []foretold{{chance: chance}}
	}
	var all []foretold
	same := true
	for _, answer := range answers {
		step, err := o.Step(answer, "")
		if err != nil {
			continue // the rules refuse it
		}
		chance := headlineOf(m, play, append(known[:len(known):len(known)], step))
		if chance == nil {
			return nil
		}
		same = same && (len(all) == 0 || all[0].chance.Cmp(chance) == 0)
		all = append(all, foretold{answer: answer, chance: chance})
	}
	if same {
		return nil
	}
	return all
}

// headline is the chance of the move's first headline after a trail, nil if
// that takes too long to tell or can't be told.
func headlineOf(m *underway, play func(*rule.Run) rule.Outcome, trail rule.Trail) *big.Rat {
	prospect, err := rule.Ahead[rule.Outcome]{
		Trail: trail, End: func(event rule.Event) (rule.Outcome, bool) { return ends(m.move, event) }, Limits: rule.Limits{Branches: mostForetold},
	}.Walk(play)
	if err != nil {
		return nil
	}
	return odds.Of(prospect.Law, nil).Any(m.def.Headlines[0].Outcomes...)
}

// ends finds the event that tells how the move came out for its actor.
func ends(m *move, event rule.Event) (rule.Outcome, bool) {
	told, ok := event.(game.Resolved)
	return told.Outcome, ok && told.Who == m.actor
}
