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
	maxAdvised  = 6     // answers to one question that get advice
	maxForetold = 5_000 // branches to enumerate from one answer
)

// forecast is the chance of the move's first headline after an answer.
type forecast struct {
	answer json.RawMessage // nil for the chance before any answer
	chance *big.Rat
}

// adviceOn returns the seat's advice on a question. It uses everything that the seat sees, and
// nothing else.
func adviceOn(e *visibility.Eye, m *state.OpenMove, o rule.Open) []view.Advice {
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

// mayForesee reports whether the chances reveal nothing. Players of the actor already got such odds
// before the move, from what they see. Others get only what they could compute from sheets that
// they see completely.
func mayForesee(e *visibility.Eye, m *state.OpenMove) bool {
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

// wordAdvice puts a forecast into words.
func wordAdvice(e *visibility.Eye, m *state.OpenMove, o rule.Open, f forecast) view.Advice {
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

// forecasts computes the chance after each answer to a question, or only the current chance if
// there are too many answers. It returns nothing if that takes too long, if no answer makes a
// difference, or if what the seat sees of the sheets contradicts the trail. trail is what the seat
// sees of the move's trail.
func forecasts(e *visibility.Eye, m *state.OpenMove, o rule.Open, trail rule.Trail) []forecast {
	known := e.SceneAhead(m.Def, e.KnownScene(m.Scene))
	who := e.Seat.ID
	if e.Viewer.IsGM() { // all game masters see the same
		who = game.GM
	}
	place := fmt.Sprint(o.Place(), who, len(trail), visibility.WithoutSheet(known))
	if len(m.Def.Joins) > 0 { // the characters that it may name change meanwhile
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

// supposeArgs returns arguments with which the rule, run on what the seat knows, records just what
// the seat has seen. A number that the odds assume for an unseen sheet is replaced by the nearest
// one that fits the dice. It returns false if none fits.
func supposeArgs(e *visibility.Eye, m *state.OpenMove, known game.Scene, trail rule.Trail) (args any, ok bool) {
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

// eventsSeen returns the events of the rule over a trail that the seat sees.
func eventsSeen(e *visibility.Eye, m *state.OpenMove, scene game.Scene, args any, trail rule.Trail) ([]rule.PlacedEvent,
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

// assumptionsOf yields the move's arguments, and then the same with other values of the number that
// odds assume, if there's just one such number, nearest first.
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
			continue // the rules refuse these arguments
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

// headlineOf returns the chance of the move's first headline after a trail, or nil if that takes
// too long or can't be computed.
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

// ends returns the outcome of the actor if the event records it.
func ends(m *state.Move, event rule.Event) (rule.Outcome, bool) {
	told, ok := event.(game.Resolved)
	return told.Outcome, ok && told.Who == m.Actor
}
