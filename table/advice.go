package table

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"sync"

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

// foresight is what the open questions of a move come to, worked out once and
// only when somebody may see it. The move's trail doesn't change under it.
type foresight struct {
	mu sync.Mutex
	by map[string][]foretold // by the question's place and who isn't seen
}

// foretold is the chance of the move's first headline after an answer.
type foretold struct {
	answer json.RawMessage // nil for things as they stand
	chance *big.Rat
}

// advice is what the seat is told of a question's answers. It's made of
// what whoever is asked knows, without the throws of those beside.
func (e eye) advice(m *move, o rule.Open) []Advice {
	if m.resolved != nil || len(m.def.Headlines) == 0 || !e.mayForesee(m, o) {
		return nil
	}
	var all []Advice
	for _, f := range m.foretell(o, e.known(m.scene)) {
		all = append(all, e.advised(m, o, f))
	}
	return all
}

// mayForesee tells whether the chances give nothing away: to who plays the
// acting character what odds before the move told too, made of what the seat
// sees, to others only what can be reckoned from sheets that lie open to them.
func (e eye) mayForesee(m *move, o rule.Open) bool {
	if e.viewer.IsGM() {
		return m.def.Price != nil
	}
	if !e.seesOdds(m.def) {
		return false
	}
	for _, step := range m.trail.Known(o.Part) {
		if step.Dice != nil && !e.seesThrow(m, *step.Dice) {
			return false
		}
	}
	return e.plays(m.actor) || len(unseen(e.known(m.scene))) == 0
}

// advised words what was foretold.
func (e eye) advised(m *move, o rule.Open, f foretold) Advice {
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
// makes a difference. known is the scene as the asker sees it; where the trail
// doesn't fit it, nothing can be told.
func (m *move) foretell(o rule.Open, known game.Scene) []foretold {
	place := strings.Join(append(unseen(known), o.Place()), " ")
	m.ahead.mu.Lock()
	defer m.ahead.mu.Unlock()
	if all, ok := m.ahead.by[place]; ok {
		return all
	}
	if m.ahead.by == nil {
		m.ahead.by = map[string][]foretold{}
	}
	all := m.foresee(o, known)
	m.ahead.by[place] = all
	return all
}

func (m *move) foresee(o rule.Open, scene game.Scene) []foretold {
	known := m.trail.Known(o.Part)
	var answers [][]byte
	if o.Dice == nil && o.Standard != nil {
		answers = o.Form.Every(o.Standard, o.Weigh, mostAdvised)
	}
	if len(answers) < 2 {
		chance := m.headline(scene, known)
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
		chance := m.headline(scene, append(known[:len(known):len(known)], step))
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
func (m *move) headline(scene game.Scene, trail rule.Trail) *big.Rat {
	prospect, err := rule.Ahead[rule.Outcome]{
		Trail: trail, End: m.ends, Limits: rule.Limits{Branches: mostForetold},
	}.Walk(m.def.Play(scene, m.args))
	if err != nil {
		return nil
	}
	return odds.Of(prospect.Law, nil).Any(m.def.Headlines[0].Outcomes...)
}

// ends finds the event that tells how the move came out for its actor.
func (m *move) ends(event rule.Event) (rule.Outcome, bool) {
	told, ok := event.(game.Resolved)
	return told.Outcome, ok && told.Who == m.actor
}
