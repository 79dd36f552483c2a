package mage

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
	"norn/game"
	"norn/game/gametest"
	"norn/lang"
	"norn/rule"
)

// The game's words must be complete, without unused ones.
func TestWordsAreComplete(t *testing.T) {
	w := gametest.Wording{
		Asked: map[string]*form.Form{
			"Joining": resistingForm, "Leave": form.Of[Leave](), "Ruin": form.Of[Ruin](),
			"Recovery": form.Of[Recovery](),
		},
		Same: []string{"mage.event.named", "mage.sheet.penalty", "mage.sheet.side-difficulty"},
	}
	id := func(parts ...string) { w.IDs = append(w.IDs, New().Word(parts...)) }
	id("throw", "pool")
	id("throw", "against")
	id("question", "join")
	id("question", "resist")
	id("question", "leave")
	id("question", "added")
	id("question", "recovery")
	id("question", "restore") // from older rules
	id("group", "over")
	for _, spent := range []string{"acted", "declared", "dice", "traits"} {
		id("about", "spent-"+spent)
	}
	for n := range 7 {
		id("dots", strconv.Itoa(n))
	}
	for _, unit := range []string{"days", "weeks", "months", "years"} {
		id("event", "lasts-"+unit)
	}
	for _, interval := range []string{"turn", "scene", "hour", "day", "week"} {
		id("event", "took-"+interval)
	}
	for d := easiest; d <= hardest; d++ {
		id("throw", atTable+strconv.Itoa(d))
		id("throw", hitsOnly+strconv.Itoa(d))
	}
	for d := 3; d <= raised; d++ {
		id("difficulty", strconv.Itoa(d))
	}
	for d := 1; d <= 5; d++ {
		id("degree", strconv.Itoa(d))
	}
	for _, g := range attributes {
		id("group", g.group)
		for _, name := range g.names {
			id("attribute", name)
		}
	}
	for _, to := range []string{"turn", "scene", "chapter", "story", "chronicle", "downtime"} {
		id("event", "begins-"+to)
	}
	hero := Character{
		Talents:    []Talent{{Name: "brawl"}},
		Skills:     []Skill{{Name: "Drive"}},
		Knowledges: []Knowledge{{Name: "computer"}},
	}
	w.Shapes = append(
		w.Shapes,
		fitTraits(hero, resistingForm, form.Choices{}).With("action", dues(hero, false)...),
		resistedMove.Form.With("opposing", opposable()...).With("against-opposing", opposable()...),
	)
	gametest.Words(t, New(), w)
}

// voices returns a voice in each language that knows the people and things of the tests.
func voices(t *testing.T) []game.Voice {
	return gametest.Voices(t, New(), map[string]string{"mary": "Mary", "jago": "Jago", "cass": "Cass", "ward": "Ward"})
}

var jump = Traits{Attribute: "dexterity", Ability: "athletics"}

// rollEvents lists rolls and what they cost.
func rollEvents() []any {
	events := []any{
		Rolled{
			Traits:     jump,
			Who:        "mary",
			Dice:       6,
			Difficulty: 7,
			Hits:       3,
			Ones:       1,
			Outcome:    rule.Outcome{ID: "success", N: 2},
		},
		Rolled{
			Traits:     jump,
			Who:        "mary",
			Text:       "The wall",
			Dice:       6,
			Difficulty: 9,
			Threshold:  2,
			Hits:       1,
			Outcome:    rule.Outcome{ID: "failure"},
		},
		Rolled{
			Traits:     Traits{Alone: "arete"},
			Who:        "mary",
			Dice:       3,
			Difficulty: 10,
			Ones:       2,
			Outcome:    rule.Outcome{ID: "botch"},
		},
		Rolled{Dice: 3, Difficulty: 6, Gone: true, Outcome: rule.Outcome{ID: "failure"}},
		Rolled{Dice: 3, Difficulty: 2, Hits: 9, Willpower: true, Outcome: rule.Outcome{ID: "success", N: 10}},
		Unrolled{Traits: jump, Who: "mary", Dice: 6, Difficulty: 6},
		StayedOut{Who: "mary"},
		StayedOut{Who: "mary", Against: true},
		WillpowerBought{Who: "mary", Left: 3},
		PointsChanged{Who: "mary", Points: "quintessence", By: 2, Now: 5},
		PointsChanged{Who: "mary", Points: "paradox", By: -2, Now: 0},
		RetryMarked{Who: "mary", Attempt: "The lock", Penalty: 2},
		RetryCleared{Who: "mary", Attempt: "The lock"},
		RetryClosed{Who: "mary", Attempt: "The lock", Final: true},
		RetryClosed{Who: "mary", Attempt: "The lock"},
	}
	for _, p := range []string{"willpower", "arete"} {
		events = append(events, PointsChanged{Who: "mary", Points: p, By: 1, Now: 3})
	}
	return events
}

// extendedEvents lists events of extended actions.
func extendedEvents(t *testing.T) []any {
	events := []any{
		Declared{
			Who:     "mary",
			Split:   2,
			Actions: []Planned{{Text: "Jump", Traits: jump, Whole: 6, Dice: 4}, {Traits: jump, Whole: 6, Dice: 3}},
		},
		Gathered{Who: "ward", N: 2, Now: 4, Target: 5, Used: 2, Limit: 5, Dice: 6},
		Gathered{Who: "ward", Now: 4, Target: 5, Used: 3, Dice: 6},
		Gathered{Who: "ward", N: -4, Target: 5, Used: 3, Dice: 6, Botch: true},
		Scored{Who: "ward", First: "jago", Second: "cass", Gathered: 2, Opposed: 1, Target: 5, Used: 3},
		Scored{
			Who:         "ward",
			First:       "jago",
			Second:      "cass",
			Gathered:    2,
			Opposed:     1,
			Target:      5,
			Used:        3,
			RivalTarget: new(int),
			FirstLost:   2,
			SecondLost:  1,
		},
		Scored{
			Who:         "ward",
			First:       "jago",
			Second:      "cass",
			Gathered:    2,
			Opposed:     1,
			Target:      5,
			Used:        3,
			RivalTarget: new(3),
		},
		Harder{Who: "ward", By: 1, Now: 8},
		Harder{Who: "ward", By: 1, Now: 8, Raised: 1, Rival: true, Side: "cass"},
	}
	for _, state := range actionStates(t) {
		events = append(events, Closed{Who: "ward", State: state})
	}
	for _, interval := range []string{"turn", "scene", "hour", "day", "week"} {
		events = append(events, Gathered{Who: "ward", N: 2, Now: 4, Target: 5, Used: 2, Dice: 6, Interval: interval})
	}
	return events
}

// turnEvents lists events of turns and of time.
func turnEvents() []any {
	events := []any{
		Declared{
			Who:   "mary",
			Split: 2,
			Due:   []Due{{Text: "Jump", Kind: "action", Less: 2}, {Kind: "defence", Less: 3}, {Kind: "extra"}},
		},
		Acted{Who: "mary", At: 2, Less: 3},
		Acted{Who: "mary", At: 1, Less: 2, Text: "Jump"},
		Answered{Who: "mary", Leave: true},
		Answered{Who: "mary"},
		Added{Who: "mary", Allow: true},
		Added{Who: "mary"},
		Rolled{
			Traits:     Traits{Alone: "willpower"},
			Who:        "mary",
			Dice:       3,
			Difficulty: 6,
			Hits:       1,
			Reflexive:  true,
			Outcome:    rule.Outcome{ID: "success", N: 1},
		},
		Happened{Who: "mary", Text: "The altar cracks."},
		RetryFree{Who: "mary", Attempt: "The lock"},
		RetryForgiven{Who: "mary"},
		FastAllowed{Who: "mary", Allow: true},
		FastAllowed{Who: "mary"},
		Gathered{Who: "ward", N: -3, Target: 5, Used: 2, Dice: 3, Botch: true, Interval: "hour", By: []string{"jago"}},
		Closed{Who: "ward", State: Lost, By: "jago"},
		Harder{Who: "ward", By: 2, Now: 9, Threshold: 2, Raised: 2},
	}
	for _, to := range []string{"turn", "scene", "chapter", "story", "chronicle", "downtime"} {
		events = append(events, TimePassed{To: to, Clock: form.Blank[Character]().Clock.next(to)})
	}
	for _, unit := range []string{"days", "weeks", "months", "years"} {
		events = append(
			events,
			TimePassed{To: "downtime", Length: form.NewNumber(2), Unit: unit, Text: "The house is mended."},
		)
	}
	return events
}

func everyQuestion() []any {
	return []any{
		AboutJoining{
			Who:   "mary",
			Actor: "jago",
		},
		AboutJoining{Who: "mary", Actor: "jago", Against: true, Traits: jump, Dice: 5, Difficulty: 8, Threshold: 1, Everything: true},
		AboutJoining{
			Who:   "mary",
			Actor: "jago",
			Spent: "acted",
		},
		AboutJoining{Who: "mary", Actor: "jago", Spent: "declared"},
		AboutJoining{
			Who:   "mary",
			Actor: "jago",
			Spent: "dice",
		},
		AboutJoining{Who: "mary", Actor: "jago", Spent: "traits"},
		AboutAdded{Who: "mary", Modifier: -2, Fast: true, Sides: true},
		AboutAdded{Who: "mary", Fast: true, Free: true},
		AboutAction{Who: "mary", On: "ward"},
		AboutAction{Who: "mary", On: "ward", Also: []string{"jago"}},
		AboutRecovery{},
	}
}

// All events and questions have a text in every language.
func TestEveryEventAndQuestionHasAText(t *testing.T) {
	events := slices.Concat(rollEvents(), extendedEvents(t), turnEvents())
	told := map[string]bool{
		game.TypeOf(ClockSet{}): true, // never shown
	}
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

// actionStates returns the states that the form of an extended action allows.
func actionStates(t *testing.T) []string {
	f, ok := form.Of[Extended]().Field("state")
	if !ok {
		t.Fatal("an extended action has no state")
	}
	var states []string
	for _, o := range f.Options {
		states = append(states, o.Value)
	}
	return states
}

// All outcomes and headlines have a text in every language. The n of "botch" is a roll's number
// only for an extended action, so its word must fit both.
func TestEveryOutcomeAndHeadlineHasAText(t *testing.T) {
	for _, v := range voices(t) {
		for _, move := range New().Moves {
			for _, o := range move.Outcomes {
				gametest.CheckText(t, v, o.ID, v.Say(New().Word("outcome-short", o.ID)))
				for _, n := range []int{0, 1, 2, 5, 11, 21} {
					text := v.Say(New().Word("outcome", o.ID), "N", n)
					gametest.CheckText(t, v, o.ID, text)
					if o.Counts && o.ID != "botch" && !strings.Contains(text, v.Number(n)) {
						t.Errorf("%s: %s of %d says %q", v.Lang(), o.ID, n, text)
					}
				}
			}
			for _, h := range move.Headlines {
				if text := v.Say(New().Word("headline", h.ID), "P", "73%"); !strings.Contains(text, "73%") {
					t.Errorf("%s: headline %s says %q", v.Lang(), h.ID, text)
				}
			}
		}
	}
}

// refusing returns a scene of an actor, with characters and actions that moves are refused for.
func refusing(actor string) game.Scene {
	mary, jago := form.Blank[Character](), form.Blank[Character]()
	mary.Attributes.Dexterity, mary.Attributes.Wits, mary.Talents = 4, 0, []Talent{{Name: "athletics", Dots: 2}}
	mary.Paradox, mary.Willpower.Temporary = 0, 0
	mary.Retries = []Retry{{Attempt: "The bomb", Penalty: 1, Final: true}}
	jago.Clock.Bought, jago.Clock.Counted, jago.Actions = true, true, []Due{
		{Less: 2, Done: true},
		{Less: 3, Done: true},
	}
	cass := form.Blank[Character]()
	cass.Clock.Counted, cass.Clock.Acted, cass.Attributes.Dexterity = true, true, 1
	busy := mary
	busy.Clock.Counted, busy.Actions = true, []Due{{Text: "Jump", Kind: "action", Less: 9}, {Kind: "action", Less: 10}}
	over, contest := form.Blank[Extended](), form.Blank[Extended]()
	over.State, contest.First, contest.Second = Done, "jago", "cass"
	return game.Scene{Actor: actor, Settings: standard, Cast: map[string]game.Member{
		"mary": {ID: "mary", Kind: "character", Name: "Mary", Sheet: mary},
		"jago": {ID: "jago", Kind: "character", Name: "Jago", Sheet: jago},
		"cass": {ID: "cass", Kind: "character", Name: "Cass", Sheet: cass},
		"busy": {ID: "busy", Kind: "character", Name: "Busy", Sheet: busy},
		"ward": {ID: "ward", Kind: "extended", Name: "Ward", Sheet: over},
		"hack": {ID: "hack", Kind: "extended", Name: "Hack", Sheet: contest},
	}}
}

// standardPool is a roll that the rules allow by itself.
var standardPool = Roll{Traits: jump, Difficulty: 6}

// refusedRolls lists traits, pools and difficulties that aren't allowed.
func refusedRolls() map[string]error {
	s, bare, strict := refusing("mary"), game.Scene{Settings: standard}, refusing("mary")
	strict.Settings = Settings{}
	return map[string]error{
		"three traits": rollMove.Allow(
			s,
			Roll{Traits: Traits{"dexterity", "athletics", "arete"}, Difficulty: 6},
		),
		"two with a lonely one": rollMove.Allow(
			s,
			Roll{Traits: Traits{Ability: "athletics", Alone: "arete"}, Difficulty: 6},
		),
		"one that isn't lonely": rollMove.Allow(strict, Roll{Traits: Traits{Attribute: "dexterity"}, Difficulty: 6}),
		"no trait at all":       rollMove.Allow(s, Roll{Difficulty: 6}),
		"a trait and a number": resistedMove.Allow(
			s,
			Resisted{Traits: jump, Against: "cass", Opposing: "wits", Difficulty: form.NewNumber(6)},
		),
		"no dots":                rollMove.Allow(s, Roll{Traits: Traits{Alone: "paradox"}, Difficulty: 6}),
		"a negative pool":        rollMove.Allow(bare, Roll{Pool: -3, Difficulty: 6}),
		"a pool beyond the hand": teamMove.Allow(bare, Team{Pools: form.Faces{101}, Difficulty: 6}),
		"too easy":               rollMove.Allow(s, Roll{Traits: jump, Difficulty: 1}),
		"too hard":               rollMove.Allow(s, Roll{Traits: jump, Difficulty: 11}),
		"no thresholds":          rollMove.Allow(strict, Roll{Traits: jump, Difficulty: 6, Threshold: 1}),
	}
}

// refusedSuccesses lists what can't be bought, tried again or had without a roll.
func refusedSuccesses() map[string]error {
	s, strict, called := refusing("mary"), refusing("mary"), refusing("mary")
	strict.Settings = Settings{}
	called.Ruled = game.Ruled{Asked: true, Fixed: []string{"difficulty"}}
	return map[string]error{
		"no Willpower":      rollMove.Allow(s, Roll{Traits: jump, Difficulty: 6, Willpower: true}),
		"Willpower twice":   rollMove.Allow(refusing("jago"), Roll{Traits: jump, Difficulty: 6, Willpower: true}),
		"a last try":        rollMove.Allow(s, Roll{Traits: jump, Difficulty: 6, Try: Try{Attempt: "The bomb"}}),
		"a turn spoken for": rollMove.Allow(refusing("jago"), standardPool),
		"no automatic success": automaticMove.Allow(
			strict,
			Automatic{Traits: jump, Difficulty: 6, Circumstances: "calm"},
		),
		"more than was asked for": automaticMove.Allow(
			called,
			Automatic{Traits: jump, Difficulty: 6, Modifier: -2, Circumstances: "calm"},
		),
		"fast by their own word": automaticMove.Allow(
			s,
			Automatic{Traits: jump, Difficulty: 6, Circumstances: "calm", Try: Try{Attempt: "The lock", Fast: true}},
		),
		"in a counted turn": automaticMove.Allow(
			refusing("busy"),
			Automatic{Traits: jump, Difficulty: 6, Circumstances: "calm"},
		),
		"under stress": automaticMove.Allow(
			s,
			Automatic{Traits: jump, Difficulty: 6, Circumstances: "stress"},
		),
		"too few dots for it": automaticMove.Allow(
			s,
			Automatic{Traits: jump, Difficulty: 7, Circumstances: "calm"},
		),
		"a threshold takes it": automaticMove.Allow(
			s,
			Automatic{Traits: jump, Difficulty: 8, Modifier: 3, Circumstances: "calm"},
		),
	}
}

// refusedTurns lists actions that a turn has no place for.
func refusedTurns() map[string]error {
	s, bare := refusing("mary"), game.Scene{Settings: standard}
	return map[string]error{
		"nothing declared":       multiMove.Allow(bare, Multi{Difficulty: 6}),
		"an action without dice": multiMove.Allow(bare, Multi{Pools: form.Faces{6, 3}, Difficulty: 6}),
		"more extras than given": declareMove.Allow(s, Declare{
			Intents: []Intent{{Kind: "extra"}, {Kind: "extra"}}, Extra: 1,
		}),
		"a turn declared late": declareMove.Allow(refusing("cass"), Declare{Intents: []Intent{{Kind: "action"}}}),
		"a second action":      rollMove.Allow(refusing("cass"), standardPool),
		"out of order": rollMove.Allow(
			refusing("busy"),
			Roll{Traits: jump, Difficulty: 6, Taking: Taking{Action: "2"}},
		),
		"a place without dice": rollMove.Allow(refusing("busy"), standardPool),
		"no action to resist":  Resisted{}.resistQuestion(s, "cass", jump, true).Check(Joining{Traits: jump}),
		"waived too late":      waiveMove.Allow(s, Waive{Attempt: "The lock", Penalty: 1}),
	}
}

// refusedPartners lists teams, contests, extended actions and points that don't fit.
func refusedPartners() map[string]error {
	s, bare := refusing("mary"), game.Scene{Settings: standard}
	return map[string]error{
		"no pools":      teamMove.Allow(bare, Team{Difficulty: 6}),
		"helps herself": teamMove.Allow(s, Team{Traits: jump, Difficulty: 6, With: []form.Ref{"mary"}}),
		"nobody to roll against": resistedMove.Allow(
			s,
			Resisted{
				Traits:            jump,
				Difficulty:        form.NewNumber(6),
				AgainstDifficulty: form.NewNumber(6),
				AgainstPool:       3,
				Opposing:          "willpower",
			},
		),
		"somebody else's contest": resistedMove.Allow(
			s,
			Resisted{
				Traits:            jump,
				Difficulty:        form.NewNumber(6),
				AgainstDifficulty: form.NewNumber(6),
				Against:           "cass",
				On:                "hack",
			},
		),
		"works at a contest":      extendedMove.Allow(s, Work{Traits: jump, On: "hack"}),
		"works at what is over":   extendedMove.Allow(s, Work{Traits: jump, On: "ward"}),
		"spends what isn't there": spendMove.Allow(s, Spend{Points: "quintessence", Amount: 1}),
		"gains past the end":      gainMove.Allow(s, Gain{Points: "willpower", Amount: 10}),
		"gives herself Arete":     gainMove.Allow(s, Gain{Points: "arete", Amount: 1}),
	}
}

// Every refusal is provoked, so that its text gets its real data.
func TestEveryRefusalHasAText(t *testing.T) {
	refused := map[string]error{}
	for _, some := range []map[string]error{refusedRolls(), refusedSuccesses(), refusedTurns(), refusedPartners()} {
		maps.Copy(refused, some)
	}
	gametest.Refusals(t, New(), voices(t), refused, "mage.refusal.too-many-dice")
}

// Sheets are drawn with all their words.
func TestSheetsAreDrawnWithAllTheirWords(t *testing.T) {
	mary := form.Blank[Character]()
	mary.Talents, mary.Skills = []Talent{{Name: "athletics", Dots: 2}}, []Skill{{Name: "Drive", Dots: 6}}
	mary.Retries = []Retry{{Attempt: "The lock", Penalty: 2}, {Attempt: "The bomb", Penalty: 1, Final: true}}
	mary.Clock.Bought, mary.Clock.Counted, mary.Clock.Acted = true, true, true
	mary.Actions = []Due{
		{Text: "Jump", Kind: "action", Less: 3, Done: true},
		{Kind: "action", Less: 4},
		{Text: "Dodge", Kind: "defence", Less: 5},
	}
	resting := form.Blank[Character]()
	resting.Clock.Downtime = true
	limited, contest := form.Blank[Extended](), form.Blank[Extended]()
	limited.Limit, limited.Used, limited.Pool, limited.Gathered, limited.Threshold = 5, 2, 6, 2, 1
	contest.First, contest.Second, contest.Opposed, contest.Difficulty = "jago", "cass", 2, 11
	hindered := contest
	hindered.RivalGoal, hindered.RivalRaised = "none", 1
	for _, v := range voices(t) {
		for i, sheet := range []any{mary, resting, limited, contest, hindered, form.Blank[Extended]()} {
			kind, _ := New().Kind("character")
			if _, ok := sheet.(Extended); ok {
				kind, _ = New().Kind("extended")
			}
			var drawn strings.Builder
			if err := kind.Sheet(New().View.Sheet(game.Viewer{Role: game.Player}, standard, "x", sheet),
				v).Render(t.Context(), &drawn); err != nil {
				t.Fatal(err)
			}
			gametest.CheckText(t, v, "sheet "+strconv.Itoa(i), drawn.String())
		}
	}
}

// Lines must read as people of the language would write them.
func TestLogLinesReadNaturallyInEachLanguage(t *testing.T) {
	want := map[lang.Lang][]string{
		lang.En: {
			"Mary: Dexterity + Athletics: 6 dice, difficulty 7 (challenging), 3 successes rolled, 1 one – 2 successes, moderate",
			"Mary: The lock, Arete: 3 dice, difficulty 9 (extremely difficult), threshold 2, 0 successes rolled, 2 ones – botch",
			"Ward: +2 → 4 of 5, roll 2 of 5", "Ward: 4 successes lost, 0 of 5, roll 3",
			"Mary declares the turn, in dice. Jump: 6 → 3; Dexterity + Athletics: 6 → 2",
			"Mary: Quintessence −2 → 3", "1 success", "2 successes", "5 successes", "21 successes",
		},
		lang.Ru: {
			"Mary: Ловкость + Атлетизм: 6 кубиков, сложность 7 (немного сложно), выпало 3 успеха, 1 единица — 2 успеха (средний успех)",
			"Mary: The lock, Арете: 3 кубика, сложность 9 (очень сложно), пороговое значение 2, выпало 0 успехов, 2 единицы — провал",
			"Ward: +2 → 4 из 5, бросок 2 из 5", "Ward: потеряно 4 успеха, 0 из 5, бросок 3",
			"Mary заявляет ход, в кубиках. Jump: 6 → 3; Ловкость + Атлетизм: 6 → 2",
			"Mary: Квинтэссенция −2 → 3", "1 успех", "2 успеха", "5 успехов", "21 успех",
		},
		lang.Uk: {
			"Mary: Спритність + Атлетика: 6 кубиків, складність 7 (трохи складно), випало 3 успіхи, 1 одиниця — 2 успіхи (середній успіх)",
			"Mary: The lock, Арете: 3 кубики, складність 9 (дуже складно), порогове значення 2, випало 0 успіхів, 2 одиниці — провал",
			"Ward: +2 → 4 з 5, кидок 2 з 5", "Ward: утрачено 4 успіхи, 0 з 5, кидок 3",
			"Mary оголошує хід, у кубиках. Jump: 6 → 3; Спритність + Атлетика: 6 → 2",
			"Mary: Квінтесенція −2 → 3", "1 успіх", "2 успіхи", "5 успіхів", "21 успіх",
		},
	}
	for _, v := range voices(t) {
		success := func(n int) string { return v.Say("mage.outcome.success", "N", n) }
		got := []string{
			gametest.Speak(
				v,
				Rolled{
					Traits:     jump,
					Who:        "mary",
					Dice:       6,
					Difficulty: 7,
					Hits:       3,
					Ones:       1,
					Outcome:    rule.Outcome{ID: "success", N: 2},
				},
			),
			gametest.Speak(
				v,
				Rolled{
					Traits:     Traits{Alone: "arete"},
					Who:        "mary",
					Text:       "The lock",
					Dice:       3,
					Difficulty: 9,
					Threshold:  2,
					Ones:       2,
					Outcome:    rule.Outcome{ID: "botch"},
				},
			),
			gametest.Speak(v, Gathered{Who: "ward", N: 2, Now: 4, Target: 5, Used: 2, Limit: 5, Dice: 6}),
			gametest.Speak(v, Gathered{Who: "ward", N: -4, Target: 5, Used: 3, Dice: 6, Botch: true}),
			gametest.Speak(
				v,
				Declared{
					Who:   "mary",
					Split: 3,
					Actions: []Planned{
						{Text: "Jump", Traits: jump, Whole: 6, Dice: 3},
						{Traits: jump, Whole: 6, Dice: 2},
					},
				},
			),
			gametest.Speak(v, PointsChanged{Who: "mary", Points: "quintessence", By: -2, Now: 3}),
			success(1), success(2), success(5), success(21),
		}
		for i := range got { // a dash must not begin a line
			got[i] = strings.ReplaceAll(got[i], "\u00a0", " ")
		}
		if diff := cmp.Diff(want[v.Lang()], got); diff != "" {
			t.Errorf("%s: %s", v.Lang(), diff)
		}
	}
}

func TestWordsUseTheSourcesTerms(t *testing.T) { gametest.Terms(t, New()) }
