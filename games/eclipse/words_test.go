package eclipse

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
	"norn/game"
	"norn/game/gametest"
	"norn/lang"
)

var (
	uses      = []string{"boost", "ignore", "flip", "raise", "soften", "first", "boon"}
	superiors = []string{"time", "quality", "quantity", "detail", "covertness"}
)

// The game's words must be complete, without unused ones.
func TestWordsAreComplete(t *testing.T) {
	w := gametest.Wording{
		Asked: map[string]*form.Form{
			"Superior": form.Of[Superior](), "Critical": form.Of[Critical](), "Defence": form.Of[Defence](),
			"Point": form.Of[Point](), "Split": form.Of[Split](), "Leave": form.Of[Leave](),
			"Skill": knownSkills,
		},
		Same: []string{"eclipse.kind.npc"},
	}
	id := func(parts ...string) { w.IDs = append(w.IDs, New().Word(parts...)) }
	for _, outcome := range testOutcomes {
		id("outcome", outcome.ID)
	}
	for _, kind := range skillKinds {
		id("skill-kind", kind)
	}
	for _, unit := range slices.Sorted(maps.Keys(minutes)) {
		id("span", unit)
	}
	for _, why := range reasons(t) {
		id("modifier", why)
	}
	for _, use := range uses {
		id("use", use)
	}
	for _, effect := range superiors {
		id("superior", effect, "good")
		id("superior", effect, "bad")
	}
	id("superior", "damage", "good")
	for _, effect := range []string{"next", "action"} {
		id("critical-effect", effect, "good")
		id("critical-effect", effect, "bad")
	}
	id("critical-effect", "double-damage", "good")
	id("critical-effect", "broken", "bad")
	for _, kind := range []string{"next", "extra-action", "lost-action", "quality", "covertness"} {
		id("effect-said", kind)
	}
	for _, kept := range []string{"quality", "covertness"} {
		id("modifier", kept)
		id("source", kept)
	}
	w.IDs = append(w.IDs, gametest.FindAll(gametest.Source(t), `"(eclipse\.(?:source|variant)\.[a-z-]+)"`)...)
	id("setting", "effects")
	id("setting", "ask-effects") // its older name, in older logs
	id("number")                 // for a test of a number without a sheet
	for _, move := range New().Moves {
		w.Shapes = append(w.Shapes, move.Fit(atTable(), move.Form))
	}
	for _, name := range networks { // adapted forms leave out those without a score
		id("rep", name)
	}
	gametest.Words(t, New(), w)
}

// reasons returns the names of modifiers in the code.
func reasons(t *testing.T) []string {
	return gametest.FindAll(gametest.Source(t), `Why: "([a-z]+)"`)
}

// lira is a sheet with something of every kind.
var lira = Character{
	Morph: "Exalt", Unmodified: true,
	Aptitudes: Aptitudes{Cog: 20, Int: 15, Ref: 15, Sav: 10, Som: 15, Wil: 20},
	Skills: []Skill{
		{Name: "guns", Aptitude: "ref", Kind: "combat", Value: 60, Specialisation: "Pistols", Defaultable: true},
		{Name: "know", Aptitude: "cog", Kind: "know", Field: "Mars", Value: 55, Defaultable: true},
		{Name: "Juggling", Aptitude: "som", Kind: "physical", Value: 30},
		{Name: "Art", Aptitude: "int", Kind: "know", Field: "Murals", Value: 30},
	},
	Rep: Rep{At: 20, C: 40, F: 10, G: 30, I: 50, R: 10, X: 5},
	Pools: Pools{
		Insight: Pool{Now: 1, Max: 3, Temporary: 1},
		Vigor:   Pool{Now: 0, Max: 2},
		Flex:    Pool{Now: 1, Max: 1},
	},
	Wounds:  1,
	Traumas: 2,
	Effects: []Effect{{Kind: "next", N: -10}, {Kind: "extra-action"}, {Kind: "lost-action"}},
	Boons:   []Boon{{Aptitude: "ref", Points: 2}},
	Day:     Day{Short: 1},
}

// left are lasting effects for tests about the same subject.
var left = []Effect{
	{Kind: "quality", N: 10, Subject: Subject{"guns"}}, {Kind: "covertness", N: 20, Subject: Subject{"the shuttle"}},
}

// tam is good at one thing.
var tam = Character{Effects: left, Skills: []Skill{{Name: "hardware", Aptitude: "cog", Kind: "technical", Value: 45}}}

// atTable returns a scene with somebody of each kind, in which Lira acts.
func atTable() game.Scene {
	return game.Scene{Actor: "lira", Settings: standard, Cast: map[string]game.Member{
		"lira":   {ID: "lira", Kind: "character", Name: "Lira", Sheet: lira},
		"tam":    {ID: "tam", Kind: "character", Name: "Tam", Sheet: tam},
		"otho":   {ID: "otho", Kind: "npc", Name: "Otho", Sheet: NPC{}},
		"repair": {ID: "repair", Kind: "task", Name: "Repair", Sheet: Task{Timeframe: 4, Unit: "hours", State: "open"}},
	}}
}

// scene returns the same scene with another sheet for Lira.
func scene(sheet Character) game.Scene {
	s := atTable()
	s.Cast["lira"] = game.Member{ID: "lira", Kind: "character", Name: "Lira", Sheet: sheet}
	return s
}

func voices(t *testing.T) []game.Voice {
	return gametest.Voices(
		t,
		New(),
		map[string]string{"lira": "Lira", "tam": "Tam", "otho": "Otho", "repair": "Repair"},
	)
}

// everyEvent returns each event of the game, in each variant of its text.
func everyEvent(t *testing.T) []any {
	events := slices.Concat(targetEvents(t), outcomeEvents(), taskEvents(), choiceEvents())
	for _, use := range uses {
		events = append(events, PointSpent{Who: "lira", Pool: "flex", N: 1, Use: use})
	}
	for _, good := range []bool{true, false} {
		for _, effect := range superiors {
			events = append(events, SuperiorTaken{Who: "lira", Effect: effect, Times: 1, Good: good})
		}
		for _, effect := range []string{"next", "action"} {
			events = append(events, CriticalTaken{Who: "lira", Effect: effect, Good: good})
		}
	}
	return events
}

// targetEvents lists targets of every origin, with every reason for a modifier.
func targetEvents(t *testing.T) []any {
	parts := []Part{{Name: "Smoke", N: -10}}
	for _, why := range reasons(t) {
		parts = append(parts, Part{Why: why, N: 10})
	}
	return []any{
		TargetSet{Who: "lira", On: "skill:guns", Base: 60, Target: 60},
		TargetSet{Who: "lira", On: "skill:know/Mars", Base: 60, Parts: parts, Sum: 80, Counts: 60, Target: 120},
		TargetSet{Who: "lira", Whose: "tam", On: "rep:c", Base: 60, Parts: parts, Sum: 10, Counts: 10, Target: 70},
		TargetSet{
			Who:       "lira",
			On:        "skill:Juggling",
			Base:      20,
			Parts:     parts,
			Sum:       80,
			Ignored:   true,
			Defaulted: true,
			Target:    20,
		},
		TargetSet{Who: "lira", On: "check:cog", Base: 60, Target: 60},
		TargetSet{Who: "lira", On: "lacking:cog", Defaulted: true, Base: 60, Target: 60},
		TargetSet{On: "number", Base: 50, Target: 50},
		TargetSet{Who: "lira", On: "lacking:cog", Missing: "hardware", Defaulted: true, Base: 20, Target: 20},
		TargetSet{
			Who:     "lira",
			On:      "skill:guns",
			Instead: "lacking:cog",
			Missing: "Vacuum carving",
			Base:    60,
			Target:  60,
		},
		Allowed{Who: "lira", Allow: true},
		Allowed{Who: "lira"},
		TargetSet{
			Who:     "lira",
			On:      "skill:guns",
			Instead: "skill:know/Mars",
			Overall: true,
			Base:    60,
			Parts:   []Part{left[0].part(), left[1].part()},
			Target:  60,
		},
	}
}

// outcomeEvents lists what rolls and rests leave on a sheet.
func outcomeEvents() []any {
	return []any{
		CameOut{Who: "lira", Roll: 7, Outcome: "success"},
		CameOut{Roll: 99, Outcome: "critical-failure"},
		PointSpent{Who: "lira", Pool: "vigor", N: 1, Use: "flip", Flipped: true, Roll: 70, Left: 2},
		NextUsed{Who: "lira", N: -10},
		DamageAdded{Who: "lira", N: 5},
		EffectGained{Who: "lira", Effect: Effect{Kind: "next", N: -20}},
		EffectGained{Who: "lira", Effect: Effect{Kind: "extra-action"}},
		EffectGained{Who: "lira", Effect: left[0]},
		EffectGained{Who: "lira", Effect: left[1]},
		SuperiorTaken{Who: "lira", Effect: "nothing", Times: 1, Subject: Subject{"It hums."}},
		SuperiorTaken{Who: "lira", Effect: "detail", Times: 1, Subject: Subject{"Who built it"}},
		EffectEnded{Who: "lira", Effect: Effect{Kind: "lost-action"}},
		BoonGained{Who: "lira", Boon: Boon{Aptitude: "cog", Points: 2}},
		Recharged{Who: "lira", Kind: "short", Back: Points{Insight: 2, Flex: 1}, Minutes: 10},
		Recharged{Who: "lira", Kind: "long", Minutes: 240},
		Managed{Who: "lira", On: "skill:guns", Text: "Cleans it."},
		Managed{Who: "lira", On: "skill:guns"},
	}
}

func taskEvents() []any {
	return []any{
		TaskBegun{Who: "repair", By: "lira", Needs: 75},
		TaskFailed{Who: "repair", By: "lira", Lost: 10_080},
		TaskRetimed{Who: "repair", By: "lira", Needs: 75},
		TaskRegained{Who: "repair", By: "lira", Regained: 60},
		TaskInterrupted{Who: "repair"},
		TaskResumed{Who: "repair", Remaining: 1500},
		TaskFinished{Who: "repair", Took: 5},
	}
}

// choiceEvents lists results that a player or the game master chose.
func choiceEvents() []any {
	return []any{
		CriticalTaken{Who: "lira", Effect: "own", Text: "The hull gives."},
		CriticalTaken{Who: "lira", Effect: "next", Good: true, Text: "Wow."},
		CriticalTaken{Who: "lira", Effect: "double-damage", Good: true},
		CriticalTaken{Who: "lira", Effect: "broken"},
		SuperiorTaken{Who: "lira", Effect: "damage", Times: 2, Good: true},
		RollTurned{Who: "tam", Use: "flip", Roll: 72, Flipped: true, Outcome: "success"},
		RollTurned{Who: "tam", Use: "raise", Roll: 12, Outcome: "superior-success"},
		SkillDecided{Who: "lira", Roll: 7},
		SkillDecided{Roll: 41},
		RetryWaived{Who: "lira"},
		TryWaived{Who: "repair", By: "lira"},
	}
}

// everyQuestion returns the subject of each question, in each variant of its text.
func everyQuestion() []any {
	turns := []Turn{
		{Use: "flip", Roll: 17, Outcome: "success"},
		{Use: "raise", Roll: 7, Outcome: "superior-success"},
		{Use: "soften", Roll: 44, Outcome: "failure"},
	}
	return []any{
		AboutPoint{Who: "lira", Roll: 71, Target: 60, Outcome: "failure", Turns: turns},
		AboutPoint{Who: "lira", Roll: 71, Target: 60, Outcome: "failure", Rival: &Rival{Roll: 40, Outcome: "success"}},
		AboutPoint{
			Who:     "lira",
			Roll:    71,
			Target:  60,
			Outcome: "failure",
			Rival:   &Rival{Who: "tam", Roll: 40, Outcome: "success"},
		},
		AboutResult{Who: "lira", Outcome: "critical-success"},
		AboutOpposed{Who: "tam", By: "lira", On: "skill:guns", N: 40},
		AboutOpposed{Who: "tam", By: "lira", On: "skill:guns", Against: "check:ref"},
		AboutSplit{Who: "lira", N: 4, Missing: Points{Vigor: 3, Flex: 2}},
		AboutLeave{
			Who:      "lira",
			On:       "lacking:cog",
			Missing:  "hardware",
			Related:  "skill:guns",
			Distance: -20,
			Modifier: 20,
			Overall:  true,
		},
		AboutLeave{Who: "lira", On: "skill:guns", Target: form.NewNumber(0)},
	}
}

func TestEveryEventOfTheGameIsListed(t *testing.T) {
	told := map[string]bool{game.TypeOf(DayBegun{}): true} // its text is the outcome's
	for _, e := range everyEvent(t) {
		told[game.TypeOf(e)] = true
	}
	wanted := map[string]bool{}
	for _, e := range New().Events {
		wanted[e.Type] = true
	}
	if diff := cmp.Diff(wanted, told); diff != "" {
		t.Error("the game tells other events than the test:", diff)
	}
}

// All events and questions have a text in every language.
func TestEveryEventAndQuestionHasAText(t *testing.T) {
	spoken := append(everyEvent(t), everyQuestion()...)
	for _, v := range voices(t) {
		for _, s := range spoken {
			gametest.CheckText(t, v, "a value", gametest.Speak(v, s))
			if about, ok := s.(AboutPoint); ok {
				for _, line := range about.Guidance(v) {
					gametest.CheckText(t, v, "guidance", line)
				}
			}
		}
	}
}

func TestWordsUseTheSourcesTerms(t *testing.T) { gametest.Terms(t, New()) }

func TestEveryOutcomeAndHeadlineHasAText(t *testing.T) { gametest.Outcomes(t, New()) }

// Every refusal is provoked, so that its text gets its real data.
func TestEveryRefusalHasAText(t *testing.T) {
	s := atTable()
	closed := scene(Character{
		Skills: []Skill{{Name: "psi", Aptitude: "wil", Kind: "psi", Value: 40}}, Day: Day{Short: 2, Long: 1},
		Boons: []Boon{{Aptitude: "cog", Points: 1}}, Pools: lira.Pools,
	})
	repair, running := s, atTable()
	repair.Actor, running.Actor = "repair", "repair"
	running.Cast["repair"] = game.Member{ID: "repair", Kind: "task", Sheet: Task{State: "running", Needs: 60}}
	test := func(s game.Scene, a Roll) error { return testMove.Allow(s, Test{Roll: a}) }

	gametest.Refusals(t, New(), voices(t), map[string]error{
		"not on the sheet":       test(s, Roll{On: "skill:melee"}),
		"no skill":               test(s, Roll{On: "check:cog", Defaulting: "aptitude"}),
		"can't be defaulted":     test(closed, Roll{On: "skill:psi", Defaulting: "aptitude"}),
		"takes the skill":        test(s, Roll{On: "lacking:cog", Missing: "psi", Trained: true}),
		"nothing related":        test(s, Roll{On: "skill:guns", Defaulting: "related"}),
		"herself in the group":   test(s, Roll{On: "skill:guns", Group: []form.Ref{"lira"}}),
		"a member can't default": test(closed, Roll{On: "skill:psi", Group: []form.Ref{"tam"}, Hindered: true}),
		"no specialisation":      test(s, Roll{On: "skill:know/Mars", Specialised: true}),
		"helper twice":           test(s, Roll{On: "skill:guns", With: []form.Ref{"lira"}}),
		"helper untrained":       test(s, Roll{On: "skill:know/Mars", With: []form.Ref{"tam"}}),
		"roller untrained": test(
			scene(Character{Skills: []Skill{{Name: "hardware", Aptitude: "cog", Kind: "technical", Value: 30}}}),
			Roll{On: "skill:hardware", With: []form.Ref{"tam"}},
		),
		"help at who knows what": test(s, Roll{On: "lacking:cog", With: []form.Ref{"tam"}}),
		"about something else":   test(s, Roll{On: "check:cog", Carried: []form.Ref{"tam/0"}}),
		"a point for nothing": test(
			s,
			Roll{
				On:         "check:cog",
				Difficulty: "very-easy",
				Situation:  "major-boon",
				Also:       []Modifier{{Name: "Smoke", Value: 30}},
				Health:     "overall",
				Boost:      true,
			},
		),
		"not there any more":    test(s, Roll{On: "skill:guns", Carried: []form.Ref{"tam/7"}}),
		"ignores what helps":    test(s, Roll{On: "skill:guns", Difficulty: "very-easy", Situation: "major-boon", Ignore: true}),
		"help for nobody":       opposedMove.Allow(s, Opposed{Roll: Roll{On: "skill:guns"}, AgainstWith: []form.Ref{"tam"}}),
		"a point too late":      pointMove.Allow(s, Later{Task: "repair", Pool: "flex", From: "success"}),
		"two points":            test(s, Roll{On: "skill:guns", Boost: true, Ignore: true}),
		"no points":             test(scene(Character{Skills: lira.Skills}), Roll{On: "skill:guns", Boost: true}),
		"empty pool":            test(s, Roll{On: "skill:guns", Boost: true, Pool: "vigor"}),
		"wrong pool":            test(s, Roll{On: "skill:guns", Boost: true, Pool: "insight"}),
		"no tens":               testMove.Allow(game.Scene{}, Test{Plain: Plain{Modifier: 15}}),
		"too much":              test(s, Roll{On: "skill:guns", Also: []Modifier{{Name: "Smoke", Value: -40}}}),
		"opposes herself":       opposedMove.Allow(s, Opposed{Roll: Roll{On: "skill:guns"}, Rival: "lira"}),
		"no professional":       routineMove.Allow(s, Routine{On: "skill:Juggling"}),
		"boon without points":   boonMove.Allow(s, Lift{Aptitude: "som", Points: 1}),
		"boon twice":            boonMove.Allow(closed, Lift{Aptitude: "cog", Points: 1}),
		"no effect":             settleMove.Allow(s, Settle{Effect: "9"}),
		"own missing":           criticalQuestion("lira", criticalFailure).Check(Critical{Effect: "own"}),
		"third short":           shortMove.Allow(closed, Short{}),
		"secret point":          testMove.Allow(inSecret(s), Test{Roll: Roll{On: "skill:guns", Boost: true}}),
		"second long":           longMove.Allow(closed, Long{}),
		"splits too little":     splitQuestion(s, Points{Vigor: 2}, 1).Check(Split{}),
		"over-full":             Character{Pools: Pools{Moxie: Pool{Now: 2, Max: 1}}}.check(),
		"rushes and takes time": taskMove.Allow(s, Work{Pace: Pace{Extra: 1, Rush: 1}}),
		"not open":              taskMove.Allow(s, Work{Task: "lira"}),
		"not running":           finishMove.Allow(repair, Finish{}),
		"finished":              interruptMove.Allow(running, Interrupt{Spent: 1, Unit: "hours"}),
	})
}

// Sheets are drawn with all their words for every viewer.
func TestSheetsAreDrawnWithAllTheirWords(t *testing.T) {
	for _, v := range voices(t) {
		for role, viewer := range map[string]game.Viewer{"gm": {Role: game.Master}, "player": {Role: game.Player}} {
			for _, c := range []struct {
				kind  string
				sheet any
			}{
				{"character", lira},
				{"npc", NPC{Character: lira, Notes: "Owes a debt."}},
				{"task", Task{Timeframe: 4, Unit: "hours", State: "open"}},
				{"task", Task{
					Timeframe: 30, Unit: "days", State: "interrupted", Needs: 600, Spent: 150, Lost: 90,
					Tries: 2, Notes: "Quietly.",
				}},
			} {
				kind, _ := New().Kind(c.kind)
				shown := New().View.Sheet(viewer, standard, "x", c.sheet)
				var drawn strings.Builder
				if err := kind.Sheet(shown, v).Render(t.Context(), &drawn); err != nil {
					t.Fatal(err)
				}
				gametest.CheckText(t, v, c.kind+" for "+role, drawn.String())
				for _, track := range kind.Tracks(shown) {
					gametest.CheckText(t, v, c.kind+"'s track", track.Label(v.Speaker))
				}
			}
		}
	}
}

// Lines must read as people of the language would write them.
func TestLogLinesReadNaturallyInEachLanguage(t *testing.T) {
	parts := []Part{{Why: "difficulty", N: 30}, {Why: "helpers", N: 30}, {Name: "Smoke", N: -10}, {Why: "boost", N: 20}}
	got := func(v game.Voice) []string {
		return []string{
			gametest.Speak(
				v,
				TargetSet{Who: "lira", On: "skill:guns", Base: 40, Parts: parts, Sum: 70, Counts: 60, Target: 100},
			),
			gametest.Speak(v, CameOut{Who: "lira", Roll: 7, Outcome: "superior-failure-2"}),
			gametest.Speak(
				v,
				PointSpent{Who: "lira", Pool: "vigor", N: 1, Use: "flip", Flipped: true, Roll: 70, Left: 2},
			),
			gametest.Speak(v, AboutPoint{Who: "lira", Roll: 71, Target: 60, Outcome: "failure"}),
			AboutPoint{Turns: []Turn{{Use: "flip", Roll: 17, Outcome: "success"}}}.Guidance(v)[0],
			gametest.Speak(v, TaskBegun{Who: "repair", By: "lira", Needs: 3*60 + 45}),
			gametest.Speak(v, Recharged{Who: "lira", Kind: "short", Back: Points{Insight: 2, Flex: 1}, Minutes: 10}),
			v.Say(
				"eclipse.outcome.recharged",
				"N",
				1,
			), v.Say("eclipse.outcome.recharged", "N", 4), v.Say("eclipse.outcome.recharged", "N", 21),
		}
	}
	want := map[lang.Lang][]string{
		lang.En: {
			"Lira: Guns 40, difficulty +30, helpers +30, Smoke −10, point +20. Together +70, +60 counts. Target 100",
			"Lira: 07, Two superior failures", "Lira flips 70 to 07 for 1 Vigor, 2 left",
			"Lira rolled 71 against 60: Failure", "Flip the digits: 17, Success",
			"Repair: Lira will be done in 3 h 45 min", "Lira rests 10 min: Insight 2 and Flex 1 back",
			"1 point back", "4 points back", "21 points back",
		},
		lang.Ru: {
			"Lira: Стрельба 40, сложность +30, помощники +30, Smoke −10, очко +20. Вместе +70, в счёт идёт +60. Цель 100",
			"Lira: 07, Дважды исключительный провал", "Lira: 70 становится 07 — Бодрость −1, осталось 2",
			"Lira: 71 против 60 — Провал", "Перевернуть бросок: 17, Успех",
			"Repair: Lira управится за 3 ч 45 мин", "Lira: отдых 10 мин, вернулось — Озарение 2 и Гибкость 1",
			"Вернулось 1 очко", "Вернулось 4 очка", "Вернулось 21 очко",
		},
		lang.Uk: {
			"Lira: Стрільба 40, складність +30, співробітники +30, Smoke −10, очко +20. Разом +70, рахується +60. Ціль 100",
			"Lira: 07, Подвійний винятковий провал", "Lira: 70 стає 07 — Снага −1, лишилося 2",
			"Lira: 71 проти 60 — Провал", "Перевернути кидок: 17, Успіх",
			"Repair: Lira упорається за 3 год 45 хв",
			"Lira: спочинок 10 хв, повернулося — Проникливість 2 і Гнучкість 1",
			"Повернулося 1 очко", "Повернулося 4 очки", "Повернулося 21 очко",
		},
	}
	for _, v := range voices(t) {
		if diff := cmp.Diff(want[v.Lang()], got(v)); diff != "" {
			t.Errorf("%s: %s", v.Lang(), diff)
		}
	}
}

// inSecret returns a scene of a move that is hidden from players.
func inSecret(s game.Scene) game.Scene {
	s.Secret = true
	return s
}

// The question for a related skill shows its modifier. EP-16
func TestQuestionForARelatedSkillShowsItsModifier(t *testing.T) {
	s := atTable()
	about := Roll{
		On:         "lacking:cog",
		Missing:    "hardware",
		Defaulting: "related",
		Related:    "skill:guns",
		Distance:   "loose",
	}.needsLeave(
		s,
	)
	for _, v := range voices(t) {
		if said := about.Spoken(v); !strings.Contains(said, "−20") {
			t.Errorf("%s: %q doesn't say that it takes 20", v.Lang(), said)
		}
	}
}
