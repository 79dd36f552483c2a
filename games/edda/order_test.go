package edda

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

func refsOf(places ...string) []form.Ref {
	var all []form.Ref
	for _, p := range places {
		all = append(all, form.Ref(p))
	}
	return all
}

// table returns a scene with two heroes before a contest.
func table() game.Scene {
	return game.Scene{Actor: "anna", Settings: Settings{}, Cast: map[string]game.Member{
		"anna": {ID: "anna", Kind: "hero", Name: "Anna", Sheet: Hero{
			Strengths: []Strength{{Name: "Kindness", Steps: 3}, {Name: "Skates", Steps: 2}},
			Memories: []Memory{
				{Text: "The first star", Calls: 4},
			}, Weakness: Weakness{Text: "Vain", Marks: 3}, Experience: 18,
		}},
		"bram": {ID: "bram", Kind: "hero", Name: "Bram", Sheet: Hero{
			Strengths: []Strength{{Name: "Stubborn", Steps: 3}, {Name: "Loud", Steps: 1}},
			Conditions: []Condition{
				{Name: "Anger", Kind: "mind", Size: 4},
			}, Weakness: Weakness{Text: "Proud", Marks: 2},
		}},
	}}
}

// answers to every question of the contest, by addressee and part.
var answers = map[string]string{
	"edda.plan 0.0":    `{"strengths": ["0", "1"], "weakness": true, "conditions": []}`,
	"edda.effort 1.0":  `{"pay": "memory", "memory": "0"}`,
	"edda.effort 1.1":  `{"pay": "condition", "condition": "Anger", "kind": "mind", "size": 2}`,
	"edda.yield 2.0":   `{"becomes": "condition", "condition": "Shame", "kind": "mind", "size": 2}`,
	"edda.yield 2.1":   `{"becomes": "advantage", "called": "The upper hand", "size": 2}`,
	"edda.rethink 2.0": `{"take": "experience"}`,
}

// played is a finished contest: the sheets, the outcome and the events.
type played struct {
	Sheets  map[string]any
	Outcome rule.Outcome
	Told    map[string][]rule.Event
}

// contend plays the contest, with separate dice for each part, answering the open question that
// choose selects.
func contend(t *testing.T, seed byte, choose func(open []rule.Open) int) played {
	t.Helper()
	s := table()
	a := Contest{Against: "bram", Action: Action{Strengths: refsOf("0", "1"), Weakness: true}}
	if err := contestMove.Allow(s, a); err != nil {
		t.Fatal(err)
	}
	play := contestMove.Play(s, a)
	var trail rule.Trail
	for {
		source := rule.PartSource(trail, func(part string, throw int) dice.Roller {
			key := [32]byte{seed, byte(throw)}
			copy(key[2:], part)
			return dice.NewStream(key)
		})
		result, err := rule.Play(play, rule.Options{Trail: trail, Source: source})
		if err != nil {
			t.Fatal(err)
		}
		silentWhileAsked(t, result)
		if result.Done {
			p := played{Sheets: map[string]any{}, Outcome: result.Value, Told: map[string][]rule.Event{}}
			for id, m := range s.Cast {
				p.Sheets[id] = m.Sheet
			}
			for _, e := range result.Events {
				p.Told[e.Part] = append(p.Told[e.Part], e.Event)
				if c, ok := game.AsChange(e.Event); ok {
					p.Sheets[c.Whose()] = c.Apply(p.Sheets[c.Whose()])
				}
			}
			return p
		}
		open := result.Open[choose(result.Open)]
		answer, ok := answers[open.ID+" "+open.Part]
		if !ok {
			t.Fatalf("nobody expected %s %s", open.ID, open.Part)
		}
		step, err := open.Step(json.RawMessage(answer), "")
		if err != nil {
			t.Fatal(err)
		}
		trail = append(slices.Clone(result.Trail), step)
	}
}

// silentWhileAsked checks that no event reveals the verdict while a special effort is open. ED-15
func silentWhileAsked(t *testing.T, result rule.Result[rule.Outcome]) {
	t.Helper()
	asked := slices.ContainsFunc(result.Open, func(o rule.Open) bool { return o.ID == "edda.effort" })
	if !asked {
		return
	}
	for _, e := range result.Events {
		switch e.Event.(type) {
		case PoolCounted, StrengthFaded, ConditionTaken, MemoryCalled, CircumstanceEnded, LeftScene:
		default:
			t.Errorf("%s is told while a special effort is open: %+v", game.TypeOf(e.Event), e.Event)
		}
	}
}

// ED-05, ED-15: both sides are asked at once, and the order of answers changes neither the sheets
// nor the outcome.
func TestOrderOfContestEffortsChangesNothing(t *testing.T) {
	outcomes := map[string]bool{}
	for seed := range byte(40) {
		first := contend(t, seed, func([]rule.Open) int { return 0 })
		last := contend(t, seed, func(open []rule.Open) int { return len(open) - 1 })
		if diff := cmp.Diff(first, last); diff != "" {
			t.Errorf("seed %d: the order of answers matters:\n%s", seed, diff)
		}
		outcomes[first.Outcome.ID] = true
	}
	if len(outcomes) != 3 {
		t.Errorf("the seeds show only %v", outcomes)
	}
}

// ED-15: the question's subject shows dice, but no verdict.
func TestEffortQuestionShowsDiceButNoOutcome(t *testing.T) {
	s := table()
	play := actMove.Play(s, Act{Action: Action{Strengths: refsOf("0")}, Complexity: 3})
	result, err := rule.Play(play, rule.Options{Source: rule.HandSource(dice.NewHand([]int{5, 1, 2}), false)})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Open) != 1 || result.Open[0].To != "anna" {
		t.Fatalf("open are %+v", result.Open)
	}
	about, err := json.Marshal(result.Open[0].About)
	if err != nil {
		t.Fatal(err)
	}
	if string(about) != `{"who":"anna","hits":1,"left":2}` {
		t.Errorf("about %s", about)
	}
	silentWhileAsked(t, result)
	for _, e := range result.Events {
		if strings.Contains(game.TypeOf(e.Event), "resolved") {
			t.Error("the verdict is told")
		}
	}
}
