package edda

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
	"norn/game"
	"norn/game/gametest"
	"norn/lang"
)

// The game's words must be complete, without unused ones.
func TestWordsAreComplete(t *testing.T) {
	w := gametest.Wording{
		Asked: map[string]*form.Form{
			"Action": planForm, "Again": form.Of[Again](), "Consent": form.Of[Consent](), "Effort": effortForm,
			"Rethought": form.Of[Rethought](), "Ruling": form.Of[Ruling](),
			"Yield": yieldForm, "Failure": failureForm, "Loss": lossForm, "Stakes": stakesForm, "Restored": form.Of[Restored](),
		},
		Shapes: []*form.Form{noMemories},
	}
	id := func(parts ...string) { w.IDs = append(w.IDs, New().Word(parts...)) }
	for _, label := range gametest.FindAll(gametest.Source(t), `label: "([a-z]+)"`) {
		id("throw", label)
		id("throw", label+"-again")
	}
	for _, what := range gametest.FindAll(gametest.Source(t), `What: +"([a-z]+)"`) {
		id("declined", what)
	}
	for _, from := range []string{"weakness", "fate", "miracle"} {
		id("from", from)
	}
	for _, answer := range []string{"effort.none", "effort.condition", "effort.memory", "again.true", "again.false"} {
		id("answer", answer)
	}
	id("state", "out")
	id("state", "oblivion")
	gametest.Words(t, New(), w)
}

// The game uses the terms of its source, listed in words/terms.toml.
func TestWordsUseTheSourcesTerms(t *testing.T) { gametest.Terms(t, New()) }

// voices returns a voice in each language that knows three names.
func voices(t *testing.T) []game.Voice {
	return gametest.Voices(t, New(), map[string]string{"anna": "Anna", "bram": "Bram", "frost": "Frost"})
}

var (
	tiredness = Condition{Name: fatigue, Kind: "body", Size: 1}
	fear      = Condition{Name: "Fear", Kind: "mind", Size: 3}
	ice       = Circumstance{Name: "Black ice", Size: 2, Lasts: "lasting"}
	moonlight = Circumstance{Name: "Moonlight", Size: 1, Lasts: "once"}
	sources   = []Addend{
		{"strength", "Kindness", 3},
		{"weakness", "Afraid", -2},
		{"weakness", "", -1},
		{"condition", "fatigue", -1},
		{"condition", "Fear", -1},
		{"difficulty", "Ice", -1},
		{"advantage", "Map", 2},
		{"gear", "Coat", 0},
		{"fate", "", 1},
		{"miracle", "Skates", 6},
	}
)

// actionEvents lists events of actions and of what they do at once.
func actionEvents() []any {
	return []any{
		PoolCounted{Who: "anna", Pool: sources},
		PoolCounted{Who: "anna"},
		PoolCounted{Who: "anna", Left: sources[3:6]},
		Attempted{Who: "anna", N: 1, Of: 3, Time: "an hour", Hits: 2},
		Attempted{Who: "anna", N: 1, Of: 3},
		FateSet{Who: "anna", Complexity: 2},
		FateSet{Who: "anna", Complexity: 3, Attempts: 2, Time: "an hour"},
		FateSet{Who: "anna", Complexity: 3, Attempts: 3, AddUp: true},
		FateSet{Who: "anna", Complexity: 0, Each: 2},
		Surplus{Who: "anna", N: 2},
		Opposed{Who: "anna", Hits: 3, Against: "bram", AgainstHits: 2},
		Shared{Who: "anna", Hits: 2, Added: 2},
		Shared{Who: "anna", Hits: 1, Added: -2},
		CircumstanceMade{Who: "anna", Sort: "difficulty", Circumstance: ice},
		CircumstanceMade{Who: "anna", Sort: "advantage", Circumstance: moonlight},
		CircumstanceEnded{Who: "anna", Sort: "advantage", Circumstance: moonlight},
		ConditionTaken{Who: "anna", Condition: tiredness, Why: "effort", Now: 2},
		ConditionTaken{Who: "anna", Condition: fear, Why: "fate", Now: 3},
		ConditionEased{Who: "anna", Condition: fear, Steps: 2, Left: 1},
		ConditionEased{Who: "anna", Condition: tiredness, Steps: 1},
	}
}

// heroEvents lists events that change a hero for longer.
func heroEvents() []any {
	events := []any{
		LeftScene{Who: "anna"},
		Returned{Who: "anna"},
		MemoryWritten{Who: "anna", Memory: "The first star"},
		MemoryCalled{Who: "anna", Memory: "The first star", Calls: 3},
		MemoryErased{Who: "anna", Memory: "The first star"},
		StrengthWritten{Who: "anna", Strength: "Reading the sky"},
		StrengthFaded{Who: "anna", Strength: "Kindness"},
		Threw{Who: "anna"},
		Oblivion{Who: "anna"},
		WeaknessMarked{Who: "anna", Now: 3},
		WeaknessWiped{Who: "anna", From: 3},
		ExperienceGained{Who: "anna", Amount: 3, Now: 8},
		ExperienceGained{Who: "anna", Amount: 2, Lost: 3, Now: 20},
		ExperienceSpent{Who: "anna", Amount: 10, Now: 2},
		StepGained{Who: "anna", Strength: "Kindness", Now: 2},
		StrengthRestored{Who: "anna", Strength: "Kindness"},
		StrengthReworded{Who: "anna", From: "Kindness", To: "Mercy"},
		WeaknessReworded{Who: "anna", From: "Vain", To: "Proud"},
	}
	for _, what := range []string{"action", "miracle", "strength", "words"} {
		events = append(events, Declined{Who: "anna", What: what})
	}
	return events
}

func everyQuestion() []any {
	return []any{
		game.AboutWho{Who: "anna"},
		AboutAction{
			Who:   "anna",
			Deed:  "Cross the lake",
			Pool:  sources,
			Fades: "Kindness",
		},
		AboutAction{Who: "anna", Fades: "Kindness", Last: true},
		AboutAction{Who: "anna", Left: sources[3:6]},
		AboutEffort{Who: "anna", Hits: 1, Left: 2},
		AboutAttempt{
			Who:        "anna",
			N:          1,
			Of:         2,
			Hits:       1,
			Complexity: 2,
			Time:       "an hour",
		},
		AboutAttempt{Who: "anna", N: 1, Of: 2},
		AboutFiasco{Who: "anna"},
		AboutLost{Who: "anna", By: "bram", N: 2},
		AboutLast{Who: "anna", Cost: 5, Have: 7},
		AboutPlan{Who: "bram", By: "anna"},
		AboutPlan{Who: "bram", By: "anna", Deed: "Pull the sledge"},
		AboutMemory{Who: "anna", Memory: "The first star"},
		AboutStrength{Who: "anna", Memory: "The first star", Strength: "Reading the sky"},
		AboutWords{Who: "anna", From: "Vain", To: "Proud"},
	}
}

// All events and questions have a text in every language.
func TestEveryEventAndQuestionHasAText(t *testing.T) {
	events := append(actionEvents(), heroEvents()...)
	told := map[string]bool{}
	for _, e := range events {
		told[game.TypeOf(e)] = true
	}
	wanted := map[string]bool{}
	for _, e := range New().Events {
		wanted[e.Type] = true
	}
	if diff := cmp.Diff(wanted, told); diff != "" {
		t.Error("the game tells other events than the test:", diff)
	}

	spoken := append(events, everyQuestion()...)
	for _, v := range voices(t) {
		for _, s := range spoken {
			gametest.CheckText(t, v, "a value", gametest.Speak(v, s))
		}
	}
}

func TestEveryOutcomeAndHeadlineHasAText(t *testing.T) { gametest.Outcomes(t, New()) }

// Every refusal is provoked, so that its text gets its real data.
func TestEveryRefusalHasAText(t *testing.T) {
	many := Hero{Strengths: make([]Strength, 13)}
	memories := Hero{Memories: make([]Memory, 4)}
	anna := Hero{
		Experience: 6, Strengths: []Strength{{Name: "Kindness", Steps: 2}, {Name: "Skates", Faded: true}},
		Memories: []Memory{{Text: "One", Calls: 5}, {Text: "Two"}, {Text: "Three"}},
	}
	twelve := anna
	twelve.Strengths = make([]Strength, 12)
	s := game.Scene{Actor: "anna", Settings: Settings{}, Cast: map[string]game.Member{
		"anna": {ID: "anna", Kind: "hero", Name: "Anna", Sheet: anna},
		"bram": {
			ID:    "bram",
			Kind:  "hero",
			Name:  "Bram",
			Sheet: Hero{Conditions: []Condition{{Name: fatigue, Size: 6}}},
		},
		"lone": {ID: "lone", Kind: "hero", Name: "Lone", Sheet: Hero{}},
		"frost": {
			ID:    "frost",
			Kind:  "hero",
			Name:  "Frost",
			Sheet: Hero{Strengths: []Strength{{Name: "Cold", Faded: true}}},
		},
	}}
	gametest.Refusals(t, New(), voices(t), map[string]error{
		"a thirteenth strength":         checkHero(many),
		"a fourth memory":               checkHero(memories),
		"a fourth step":                 checkHero(Hero{Strengths: []Strength{{Steps: 4}}}),
		"a fourth step of gear":         checkHero(Hero{Gear: []Gear{{Strengths: []GearStrength{{Steps: 4}}}}}),
		"one more memory":               rememberMove.Allow(s, Remember{Memory: "Four"}),
		"a faded strength":              actMove.Allow(s, Act{Action: Action{Strengths: refsOf("1")}}),
		"a strength that fades":         actMove.Allow(s, Act{Action: Action{Strengths: refsOf("0"), Fade: "0"}}),
		"against who is out":            contestMove.Allow(s, Contest{Against: "bram"}),
		"with who is in oblivion":       jointMove.Allow(s, Joint{With: refsOf("frost")}),
		"for who is in oblivion":        prepareMove.Allow(s, Prepare{For: "frost"}),
		"on both sides":                 jointMove.Allow(s, Joint{With: refsOf("lone"), Against: "lone"}),
		"a difficulty without a name":   Yield{Becomes: "difficulty"}.check(),
		"mending without strength":      mendMove.Allow(s, Mend{Condition: "anna:0"}),
		"help without strength":         helpMove.Allow(s, Help{Helped: "bram"}),
		"two prices":                    anna.checkEffort(Effort{Pay: "condition", Memory: "1"}),
		"no memory named":               anna.checkEffort(Effort{Pay: "memory"}),
		"a memory called out":           anna.checkEffort(Effort{Pay: "memory", Memory: "0"}),
		"a memory rethought too early":  rethinkMove.Allow(s, Rethink{Memory: "1"}),
		"a nameless strength":           anna.checkRethought(Rethought{Take: "strength"}),
		"a thirteenth, rethought":       twelve.checkRethought(Rethought{Take: "strength", Name: "x"}),
		"more experience than there is": spendMove.Allow(s, Spend{On: "step", Strength: "0"}),
		"no words":                      spendMove.Allow(s, Spend{On: "reword-weakness"}),
		"not faded":                     spendMove.Allow(s, Spend{On: "restore", Strength: "0"}),
		"no strength picked":            spendMove.Allow(s, Spend{On: "restore"}),
	})
}

// Sheets are drawn with all their words for every viewer.
func TestSheetsAreDrawnWithAllTheirWords(t *testing.T) {
	anna := Hero{
		Experience: 12, Strengths: []Strength{{Name: "Kindness", Steps: 2}, {Name: "Skates", Steps: 3, Faded: true}},
		Weakness: Weakness{
			Text:  "Vain",
			Marks: 3,
		}, Memories: []Memory{{Text: "The first star", Calls: 2}, {Text: "The flood", Calls: 5}},
		Conditions: []Condition{
			tiredness,
			fear,
		}, Difficulties: []Circumstance{ice}, Advantages: []Circumstance{moonlight},
		Gear: []Gear{{Name: "Coat", Dice: -1}, {Name: "Sledge", Strengths: []GearStrength{{Name: "Runs", Steps: 1}}}},
	}
	for _, v := range voices(t) {
		for role, viewer := range map[string]game.Viewer{"gm": {Role: game.Master}, "player": {Role: game.Player}} {
			for _, c := range []struct {
				kind  string
				sheet any
			}{
				{"hero", anna},
				{"hero", Hero{}},
				{"hero", Hero{Conditions: []Condition{{Name: fatigue, Size: 6}}}},
				{"hero", Hero{Strengths: []Strength{{Name: "Kindness", Faded: true}}}},
				{"fated", Fated{
					Dice: 4, Conditions: []Condition{fear}, Difficulties: []Circumstance{ice},
					Notes: "Lonely.",
				}},
				{"fated", Fated{}},
			} {
				kind, _ := New().Kind(c.kind)
				var drawn strings.Builder
				if err := kind.Sheet(New().View.Sheet(viewer, Settings{}, "x", c.sheet), v).Render(t.Context(),
					&drawn); err != nil {
					t.Fatal(err)
				}
				gametest.CheckText(t, v, c.kind+" for "+role, drawn.String()+".")
			}
		}
	}
}

// A faded strength is crossed out, and every scale has a text for its boxes.
func TestSheetShowsFadedStrengthsAndMarkedBoxes(t *testing.T) {
	v := voices(t)[slices.Index(lang.All[:], lang.En)]
	var drawn strings.Builder
	sheet := heroSheet(Hero{
		Strengths: []Strength{
			{Name: "Skates", Steps: 2, Faded: true},
		}, Weakness: Weakness{Marks: 3}, Memories: []Memory{{Text: "The flood", Calls: 2}},
	}, v)
	if err := sheet.Render(t.Context(), &drawn); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<s>Skates</s>", `aria-label="Skates: 2 of 3"`, `aria-label="Weakness: 3 of 6"`, `aria-label="Calls: 2 of 5"`,
	} {
		if !strings.Contains(drawn.String(), want) {
			t.Errorf("the sheet lacks %s", want)
		}
	}
	if n := strings.Count(drawn.String(), `opacity="0.25"`); n != 1 {
		t.Error("the end isn't reached and must be faint")
	}
}

// Lines must read as people of the language would write them.
func TestLogLinesReadNaturallyInEachLanguage(t *testing.T) {
	want := map[lang.Lang][]string{
		lang.En: {
			"Anna: 2 dice – Kindness +3, weakness −2, fatigue −1, faded strength +2", "Anna 3 : 1 Bram",
			"Anna: special effort, paid for with fatigue +1 → 2", "Anna: experience +2 → 20; lost above 20: 3",
			"Succeeded with 1 success", "Fiasco with 0 successes", "Won by 2 successes",
		},
		lang.Ru: {
			"Anna: 2 кубика — Kindness +3, слабость −2, усталость −1, угасшая сила +2", "Anna 3 : 1 Bram",
			"Anna: особое усилие, цена — усталость +1 → 2", "Anna: опыт +2 → 20; сверх 20 потеряно: 3",
			"Успех: 1 мера успеха", "Фиаско: 0 мер успеха", "Победа с перевесом в 2 меры успеха",
		},
		lang.Uk: {
			"Anna: 2 кубики — Kindness +3, слабкість −2, утома −1, згасла сила +2", "Anna 3 : 1 Bram",
			"Anna: особливе зусилля, ціна — утома +1 → 2", "Anna: досвід +2 → 20; понад 20 втрачено: 3",
			"Успіх: 1 міра успіху", "Фіаско: 0 мір успіху", "Перемога: лишилися 2 міри успіху",
		},
	}
	outcome := func(v game.Voice, id string, n int) string { return v.Say(New().Word("outcome", id), "N", n) }
	for _, v := range voices(t) {
		got := []string{
			gametest.Speak(
				v,
				PoolCounted{
					Who: "anna",
					Pool: []Addend{
						{"strength", "Kindness", 3},
						{"weakness", "Vain", -2},
						{"condition", "fatigue", -1},
						{"miracle", "Skates", 2},
					},
				},
			),
			gametest.Speak(v, Opposed{Who: "anna", Hits: 3, Against: "bram", AgainstHits: 1}),
			gametest.Speak(v, ConditionTaken{Who: "anna", Condition: tiredness, Why: "effort", Now: 2}),
			gametest.Speak(v, ExperienceGained{Who: "anna", Amount: 2, Lost: 3, Now: 20}),
			outcome(v, "success", 1), outcome(v, "fiasco", 0), outcome(v, "win", 2),
		}
		if diff := cmp.Diff(want[v.Lang()], got); diff != "" {
			t.Errorf("%s: %s", v.Lang(), diff)
		}
	}
}

// Fatigue written out in any of norn's languages is the rules' own fatigue. ED-11
func TestFatigueWrittenInAnyLanguageIsTheRulesFatigue(t *testing.T) {
	for _, v := range voices(t) {
		word := v.Say("edda.condition.fatigue")
		for _, written := range []string{word, strings.ToUpper(word), " " + word + " "} {
			if c := newCondition(form.Trait(written), "body", 1); c.Name != fatigue {
				t.Errorf("%q is taken for another condition, %q", written, c.Name)
			}
		}
	}
}

// Dice of a faded strength have that name. Only doing the impossible is a miracle. ED-21
func TestDiceOfAFadedStrengthAreNotCalledAMiracle(t *testing.T) {
	miracle := map[lang.Lang]string{lang.En: "miracle", lang.Ru: "чуд", lang.Uk: "див"}
	for _, v := range voices(t) {
		for _, id := range []string{
			"from.miracle", "variant.miracle", "variant.miracle-last", "field.miracle",
			"miracle.dice", "miracle.both",
		} {
			if said := v.Say("edda." + id); strings.Contains(strings.ToLower(said), miracle[v.Lang()]) {
				t.Errorf("%s: %s says %q", v.Lang(), id, said)
			}
		}
		if said := v.Say("edda.question.miracle"); !strings.Contains(strings.ToLower(said), miracle[v.Lang()]) {
			t.Errorf("%s: the impossible is asked about as %q", v.Lang(), said)
		}
	}
}
