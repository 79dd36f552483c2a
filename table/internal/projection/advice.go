package projection

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
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

const (
	maxAdvised  = 6     // answers to one question
	maxForetold = 5_000 // branches from one answer on
)

// forecast is the chance of the move's first headline after an answer.
type forecast struct {
	answer json.RawMessage // nil for things as they stand
	chance *big.Rat
}

// adviceOn is what the seat is told of a question's answers. It counts all that
// the seat sees lying there, and nothing else.
func adviceOn(e visibility.Eye, m *state.OpenMove, o rule.Open) []view.Advice {
	if m.Resolved != nil || len(m.Def.Headlines) == 0 || !mayForesee(e, m) {
		return nil
	}
	trail, ok := m.Trail.KnownTo(o.Part, func(t rule.Throw) bool { return e.SeesThrow(m.Move, t) })
	if !ok {
		return nil
	}
	var all []view.Advice
	for _, f := range forecasts(e, m, o, trail) {
		all = append(all, wordAdvice(e, m, o, f))
	}
	return all
}

// mayForesee tells whether the chances give nothing away: to who plays the
// acting character what odds before the move told too, made of what the seat
// sees, to others only what can be reckoned from sheets that lie open to them.
func mayForesee(e visibility.Eye, m *state.OpenMove) bool {
	if m.IsSealed() {
		return false
	}
	if e.Viewer.IsGM() {
		return m.Def.Price != nil
	}
	if !e.SeesOdds(m.Def) {
		return false
	}
	return e.Plays(m.Actor) || len(visibility.WithoutSheet(e.KnownScene(m.Scene))) == 0
}

// wordAdvice words what was foretold.
func wordAdvice(e visibility.Eye, m *state.OpenMove, o rule.Open, f forecast) view.Advice {
	headline := m.Def.Headlines[0].ID
	a := view.Advice{Answer: f.answer, Headline: headline, P: f.chance.RatString(), Probability: odds.Float(f.chance)}
	a.Chance = e.Voice.Chance(a.Probability, f.chance.Sign() > 0, f.chance.Cmp(certain) == 0)
	said := e.Voice.Say(e.Table.Game.Word("headline", headline), "P", a.Chance)
	if m.Actor != "" && o.To != m.Actor {
		said = e.Voice.Say("table.advice.actor", "Name", e.Name(m.Actor), "Chance", said)
	}
	word := "table.advice.standing"
	if f.answer != nil {
		word = "table.advice.answer"
		answer := reflect.New(reflect.TypeOf(o.Standard))
		if o.Form.Decode(f.answer, answer.Interface()) == nil {
			a.Label = e.Voice.Answer(e.Table.Game, o.ID, o.Form, o.Weigh, answer.Elem().Interface())
		}
	}
	a.Text = e.Voice.Say(word, "Answer", a.Label, "Chance", said)
	return a
}

var certain = big.NewRat(1, 1)

// forecasts walks the move from each answer to a question, or from where it
// stands if they're too many; nothing if that's too much, or if no answer
// makes a difference. trail is what the seat sees of what was met; where what it
// sees of the sheets doesn't fit that, nothing can be told.
func forecasts(e visibility.Eye, m *state.OpenMove, o rule.Open, trail rule.Trail) []forecast {
	known := e.SceneAhead(m.Def, e.KnownScene(m.Scene))
	who := e.Seat.ID
	if e.Viewer.IsGM() { // all see the same
		who = game.GM
	}
	place := fmt.Sprint(o.Place(), who, len(trail), visibility.WithoutSheet(known))
	if len(m.Def.Joins) > 0 { // whom it may name goes on meanwhile
		place += fmt.Sprint(" ", e.Table.Seq)
	}
	reckoned, _ := m.Forecasts.LoadOrStore(place, sync.OnceValue(func() []forecast {
		if args, ok := supposeArgs(e, m, known, trail); ok {
			return foresee(m, o, m.Def.Play(known, args), trail)
		}
		return nil
	}))
	return reckoned.(func() []forecast)()
}

// supposeArgs are the move's arguments with which the rule, on what the seat knows,
// tells what the seat has seen told: a number that was assumed of a sheet that it
// doesn't see gives way to the nearest one that the dice don't belie. False where
// there's none.
func supposeArgs(e visibility.Eye, m *state.OpenMove, known game.Scene, trail rule.Trail) (args any, ok bool) {
	if len(visibility.WithoutSheet(known)) == 0 {
		return m.Args, true
	}
	told, err := eventsSeen(e, m, m.Scene, m.Args, trail)
	if err != nil {
		return nil, false
	}
	for args := range assumptionsOf(m) {
		if now, err := eventsSeen(e, m, known, args, trail); err == nil && reflect.DeepEqual(now, told) {
			return args, true
		}
	}
	return nil, false
}

// eventsSeen is what the seat sees told by the rule over a trail.
func eventsSeen(e visibility.Eye, m *state.OpenMove, scene game.Scene, args any, trail rule.Trail) ([]rule.PlacedEvent,
	error,
) {
	result, err := rule.Play(m.Def.Play(scene, args),
		rule.Options{Trail: trail, Source: rule.HandSource(dice.NewHand(nil), true)})
	if err != nil {
		return nil, err
	}
	var seen []rule.PlacedEvent
	for _, told := range result.Events {
		if event, ok := e.Event(told.Event); ok {
			told.Event = event
			seen = append(seen, told)
		}
	}
	return seen, nil
}

// assumptionsOf are the move's arguments, and then those with another number for the
// one that odds assume, if it's one: the nearest to what was given first.
func assumptionsOf(m *state.OpenMove) iter.Seq[any] {
	return func(yield func(any) bool) {
		if !yield(m.Args) {
			return
		}
		var field *form.Field
		for i, f := range m.Def.Form.Fields {
			switch {
			case !f.Assumed:
			case f.Kind != form.KindInt || field != nil:
				return
			default:
				field = &m.Def.Form.Fields[i]
			}
		}
		if field == nil {
			return
		}
		filled := m.Def.Form.Fill(m.Args)
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
				if args, err := m.Def.Restore(data); err != nil || !yield(args) {
					return
				}
			}
		}
	}
}

func foresee(m *state.OpenMove, o rule.Open, play func(*rule.Run) rule.Outcome, known rule.Trail) []forecast {
	var answers [][]byte
	if o.Dice == nil && o.Standard != nil {
		answers = o.Form.Every(o.Standard, o.Weigh, maxAdvised)
	}
	if len(answers) < 2 {
		chance := headlineOf(m, play, known)
		if chance == nil || chance.Sign() == 0 || chance.Cmp(certain) == 0 {
			return nil
		}
		return []forecast{{chance: chance}}
	}
	var all []forecast
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
		all = append(all, forecast{answer: answer, chance: chance})
	}
	if same {
		return nil
	}
	return all
}

// headlineOf is the chance of the move's first headline after a trail, nil if
// that takes too long to tell or can't be told.
func headlineOf(m *state.OpenMove, play func(*rule.Run) rule.Outcome, trail rule.Trail) *big.Rat {
	prospect, err := rule.Lookahead[rule.Outcome]{
		Trail: trail, End: func(event rule.Event) (rule.Outcome, bool) {
			return ends(m.Move, event)
		}, Limits: rule.Limits{Branches: maxForetold},
	}.Walk(play)
	if err != nil {
		return nil
	}
	return odds.Of(prospect.Law, nil).Any(m.Def.Headlines[0].Outcomes...)
}

// ends finds the event that tells how the move came out for its actor.
func ends(m *state.Move, event rule.Event) (rule.Outcome, bool) {
	told, ok := event.(game.Resolved)
	return told.Outcome, ok && told.Who == m.Actor
}
