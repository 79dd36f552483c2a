package godbound

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
	"norn/game"
	"norn/game/gametest"
)

// The game's words must be complete, without unused ones.
func TestWordsAreComplete(t *testing.T) {
	w := gametest.Wording{
		Asked: map[string]*form.Form{
			"Pay": form.Of[Pay](), "OnDie": form.Of[OnDie](), "Rise": form.Of[Rise](), "Fate": fateForm,
			"Finish": form.Of[Finish](), "Defend": form.Of[Defend](),
			"Keep": form.Of[Keep](), "Met": form.Of[Met](), "Accept": form.Of[Accept](), "Waive": form.Of[Waive](),
			"LevelUp": form.Of[LevelUp](),
			"Present": form.Of[Present](), "Verdict": form.Of[Verdict](),
		},
		Shapes: []*form.Form{routForm, mortalFateForm},
	}
	id := func(parts ...string) { w.IDs = append(w.IDs, New().Word(parts...)) }
	source := gametest.Source(t)
	for _, question := range gametest.FindAll(source, `\bverdict\("godbound\.([a-z-]+)"`) {
		id("question", question)
	}
	for _, purpose := range gametest.FindAll(source, `(?:\bFor = |\bd20\()"([a-z-]+)"`) {
		id("throw", purpose)
	}
	for set, values := range map[string][]string{
		"answer": {"pay.true", "pay.false"}, "first": {"heroes", "foes"}, "opens": {"heroes", "foes"},
		"committed": {"sustained", "scene", "day"},
		"income":    {"adventure", "role", "cult", "free"}, "invoked": {"gift", "miracle", "power", "zone"},
		"fate": {"flees", "yields"}, "with": {"own", "up"}, "by": {"own"},
		"asked": {"hour", "day", "month", "dawn", "scene"}, "scale": {"village", "city", "region", "nation", "world"},
		"degree": {"plausible", "improbable", "impossible"},
	} {
		for _, value := range values {
			id(set, value)
		}
	}
	for _, setting := range New().Settings.Form.Fields {
		id("setting", setting.Name)
	}
	gametest.Words(t, New(), w)
}

func TestWordsUseTheSourcesTerms(t *testing.T) { gametest.Terms(t, New()) }

// voices returns a voice in each language that knows the names of the scene.
func voices(t *testing.T) []game.Voice {
	return gametest.Voices(t, New(), map[string]string{
		"arren": "Arren", "sefa": "Sefa", "kirou": "Kirou", "guards": "Guards", "bridge": "Bridge", "canal": "Canal",
	})
}

// everyEvent returns each event of the game, in each variant of its text.
func everyEvent() []any {
	events := slices.Concat(fightEvents(), damageEvents(), miracleEvents(), timeEvents())
	for _, use := range Uses {
		events = append(events, Invoked{Who: "arren", Kind: "miracle", Name: "Sun", Use: use})
	}
	for _, purpose := range []string{"own", "gift", "miracle", "save", "healing", "dispel"} {
		for _, until := range []string{"sustained", "scene", "day"} {
			events = append(
				events,
				EffortCommitted{Who: "arren", Commitment: Commitment{For: "Sun", Purpose: purpose, Until: until}},
			)
		}
	}
	for _, fate := range []string{"dead", "out", "beaten", "flees", "yields"} {
		events = append(events, FoeFell{Who: "kirou", Fate: fate})
	}
	for _, time := range []string{"hour", "day", "month", "scene"} {
		events = append(events, TimeAsked{Who: "arren", Time: time})
	}
	for _, why := range []string{"adventure", "role", "cult", "free"} {
		events = append(events, DominionGained{Who: "arren", Points: 2, Why: why, Strictures: "serious"})
	}
	return events
}

func fightEvents() []any {
	return []any{
		FightBegun{
			Who:      "bridge",
			First:    "heroes",
			Fighters: []Fighter{{Who: "arren", Side: "heroes"}, {Who: "kirou", Side: "foes"}},
		},
		FightBegun{
			Who:      "bridge",
			First:    "foes",
			Fighters: []Fighter{{Who: "arren", Side: "heroes"}, {Who: "kirou", Side: "foes"}},
		},
		FightersJoined{Who: "bridge", Fighters: []Fighter{{Who: "guards", Side: "foes"}}},
		FightersJoined{Who: "bridge"},
		TurnPassed{Who: "bridge", Round: 2, Turn: "heroes"},
		TurnPassed{Who: "bridge", Round: 2, Turn: "foes"},
		FightEnded{Who: "bridge"},
		Acted{Who: "bridge", Fighter: "arren", Action: true},
		Acted{Who: "bridge", Fighter: "arren", Move: true},
		Acted{Who: "bridge", Fighter: "arren", Fray: true},
	}
}

func damageEvents() []any {
	return []any{
		DamageDealt{Who: "arren", Points: 5, Modifier: 2, Die: 8},
		DamageDealt{Who: "arren", Points: 5},
		DamageDealt{Points: 15, Straight: true},
		FoeHurt{Who: "kirou", Points: 3, Count: 1, Lost: 3, HD: 10},
		FoeHurt{Who: "kirou", Points: 3, Count: 1},
		FoeHurt{Who: "kirou", Points: 3, Fell: 1, HD: 10},
		FoeHurt{Who: "guards", Points: 3, Fell: 2, Count: 5, HD: 1},
		Fallen{Who: "arren"},
		HPLost{Who: "arren", Points: 3, Now: 8},
		Slain{Who: "arren"},
		Slain{Who: "arren", Beyond: true},
		FuryBegan{Who: "arren", HP: 6, Rounds: 3, Level: 3},
		FuryBegan{Who: "arren", HP: 6, Rounds: 3, Level: 3, Freed: []Named{{Name: "Chain"}}},
		RoundPassed{Who: "arren", State: "fury", Rounds: 1},
		RoundPassed{Who: "arren", State: "spent", Rounds: 4},
		RoundPassed{Who: "arren", State: "spent"},
		FuryEnded{Who: "arren", Rounds: 5},
	}
}

// miracleEvents lists events of Effort, miracles and gifts.
func miracleEvents() []any {
	aegis := Commitment{For: "Aegis of Dawn", Purpose: "gift", Until: "sustained"}
	return []any{
		Mended{Who: "arren", Points: 4, Why: "magic"},
		Mended{Who: "kirou", Points: 4, Why: "rest", Foe: true},
		EffortReturned{Who: "arren", Why: "dawn", Back: []Commitment{aegis, {Purpose: "save", Until: "day"}}},
		TimePassed{Who: "arren", Why: "dawn"},
		TimePassed{Who: "arren", Why: "scene"},
		Invoked{Who: "arren", Kind: "gift", Name: "Aegis of Dawn", Text: "A ring of light."},
		Invoked{Who: "kirou", Kind: "power", Name: "Breath", Targets: []string{"arren", "sefa"}},
		Dispelled{Who: "arren", Word: "Sea", How: "Rain."},
		Dispelled{Who: "arren", Gift: "Aegis of Dawn", How: "Light."},
		Dispelled{Who: "kirou", How: "Wings."},
		Guarded{Who: "arren", Protection: "armour"},
		Guarded{Who: "arren", Protection: "immunity", To: "fire"},
		Hindered{Who: "kirou", By: "Sun", Text: "Dazzled"},
		Hindered{Who: "arren", By: "Sun", Fury: true},
	}
}

// timeEvents lists events of experience, projects and time, and newer ones.
func timeEvents() []any {
	return []any{
		ExperienceGained{Who: "arren", Points: 3},
		Paid{Who: "arren", Influence: 3},
		Paid{Who: "arren", Dominion: 3},
		Paid{Who: "arren", Influence: 3, Dominion: 2},
		Paid{Who: "arren", Influence: -3},
		ProjectPaid{Who: "canal", By: "arren", Influence: 3, Price: 8, Missing: 5},
		ProjectPaid{Who: "canal", By: "arren", Influence: 3, Price: 8},
		Happened{Who: "arren", Text: "Talks to the river."},
		Fallen{Who: "arren", Out: true},
		Dispelled{Who: "arren", Gift: "Aegis of Dawn"},
		EffectsEnded{Who: "kirou", By: "arren", Points: []int{1}, Bindings: []string{"Sun: Dazzled"}},
		EffectsEnded{Who: "arren", By: "arren", Points: []int{1}, Armour: true, Immune: []string{"fire"}},
		Unharmed{Who: "arren", To: "fire"},
		TimeAsked{Who: "arren", Time: "dawn", Text: "The birds are awake."},
		LevelGained{Who: "arren", Level: 4},
		Raised{Who: "arren", Made: Made{Name: "A ring of fire", Use: "wall"}},
		ProjectEnded{Who: "canal", How: "done"},
		ProjectEnded{Who: "canal", How: "dropped"},
	}
}

// everyQuestion returns the subject of each question, in each variant of its text.
func everyQuestion() []any {
	questions := []any{
		game.AboutWho{Who: "arren"},
		AboutSave{Who: "kirou", Free: 2},
		AboutDie{Who: "arren", Modifier: 2, Best: "8 → 10 (2 → 4)", Points: 5},
		AboutFury{Who: "arren", HP: 6, Rounds: 3},
		AboutFury{Who: "arren", HP: 6, Rounds: 3, Blows: 2, Points: 5},
		AboutFury{Who: "arren", HP: 6, Rounds: 3, Blows: 2, Points: 5, Fall: true},
		AboutBlows{Who: "arren", Blows: 2, Points: 5},
		AboutSave{Who: "arren", Save: "spirit", Working: &AboutWorking{Who: "kirou", At: "arren", Kind: "power", Name: "Breath"}},
		AboutDefence{Who: "arren", Word: "Sun", How: "Light."},
		AboutHarm{Who: "arren", Of: "fire"},
		AboutHarm{Who: "arren"},
		AboutHealing{Healer: "sefa", Who: "arren", Points: 5, Free: 2},
		AboutLevel{Who: "arren", Level: 4},
		AboutWorking{Who: "kirou", At: "arren", Kind: "power", Name: "Breath", Of: "fire"},
		AboutWorking{Who: "kirou", At: "arren", Kind: "power", Name: "Breath"},
		AboutWorking{Who: "arren", At: "kirou", Kind: "miracle", Name: "Sun", Use: "harm"},
	}
	for _, save := range SaveNames {
		questions = append(questions, AboutSave{Who: "arren", Save: save, Free: 2})
	}
	return questions
}

func TestEveryEventOfTheGameIsListed(t *testing.T) {
	told := map[string]bool{}
	for _, e := range everyEvent() {
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
	spoken := append(everyEvent(), everyQuestion()...)
	for _, v := range voices(t) {
		for _, s := range spoken {
			gametest.CheckText(t, v, "a value", gametest.Speak(v, s))
			if about, ok := s.(AboutWorking); ok {
				for _, line := range about.Guidance(v) {
					gametest.CheckText(t, v, "guidance", line)
				}
			}
		}
	}
}

// The texts of outcomes with a count mention it, the others don't.
func TestEveryOutcomeAndHeadlineHasAText(t *testing.T) { gametest.Outcomes(t, New()) }

// refusalScene returns a scene in which most moves are refused to Arren, with a change of his
// sheet.
func refusalScene(change func(*Hero)) game.Scene {
	arren := Hero{
		Level: 2, HP: 10, Attributes: form.Blank[Hero]().Attributes, Fray: "1d8", Words: []Named{{Name: "Sun"}},
		Gifts: []Gift{
			{Name: "Aegis of Dawn", Action: "instant", Cost: "sustained"},
			{Name: "Stride", Action: "on-turn"},
		},
		Effort: Effort{Total: 2, Committed: []Commitment{{For: "Aegis of Dawn", Purpose: "gift", Until: "day"}}},
	}
	h := arren
	change(&h)
	return game.Scene{Actor: "arren", Settings: standard, Cast: map[string]game.Member{
		"arren": {ID: "arren", Kind: "hero", Name: "Arren", Sheet: h},
		"sefa": {
			ID:    "sefa",
			Kind:  "hero",
			Name:  "Sefa",
			Sheet: Hero{HP: 8, Lost: 2, Effort: Effort{Total: 1, Committed: []Commitment{{Purpose: "save"}}}},
		},
		"villager": {ID: "villager", Kind: "hero", Name: "Villager", Sheet: Hero{HP: 8, Lost: 2, Healed: true}},
		"kirou":    {ID: "kirou", Kind: "foe", Name: "Kirou", Sheet: Foe{HD: 9, Count: 1, Actions: 2}},
		"rat":      {ID: "rat", Kind: "foe", Name: "Rat", Sheet: Foe{HD: 1, Fate: "dead"}},
		"bridge": {
			ID:   "bridge",
			Kind: "fight",
			Name: "Bridge",
			Sheet: Fight{
				Round: 1,
				Turn:  "heroes",
				First: "heroes",
				Fighters: []Fighter{
					{Who: "arren", Side: "heroes", Acted: 1, Moved: 1, Fray: true},
					{Who: "kirou", Side: "foes"},
				},
			},
		},
		"quiet": {ID: "quiet", Kind: "fight", Name: "Quiet", Sheet: Fight{}},
		"late": {
			ID:    "late",
			Kind:  "fight",
			Name:  "Late",
			Sheet: Fight{Round: 1, Turn: "foes", First: "heroes", Fighters: []Fighter{{Who: "arren", Side: "heroes"}}},
		},
		"wolf": {
			ID:    "wolf",
			Kind:  "foe",
			Name:  "Wolf",
			Sheet: Foe{HD: 2, Count: 1, Actions: 1, Attacks: []Blows{{Name: "Bite", Dice: "1d6", Times: 1}}},
		},
		"road": {
			ID:    "road",
			Kind:  "project",
			Name:  "Road",
			Sheet: Project{Scale: "village", Degree: "plausible", Over: "done"},
		},
		"tower": {ID: "tower", Kind: "project", Name: "Tower", Sheet: Project{}},
		"canal": {
			ID:    "canal",
			Kind:  "project",
			Name:  "Canal",
			Sheet: Project{Scale: "village", Degree: "plausible"},
		},
	}}
}

// cultScene is refusalScene with a hero of a level who has a cult.
func cultScene(level int) game.Scene {
	return refusalScene(func(h *Hero) { h.Level, h.Divinity = level, "cult" })
}

// everyRefusal provokes each refusal of the game, so that its text gets its real data.
func everyRefusal() map[string]error {
	s := refusalScene(func(*Hero) {})
	by := func(who string) game.Scene {
		s := s
		s.Actor = who
		return s
	}
	return map[string]error{
		"a score beyond mortals":      checkHero(Hero{Attributes: Attributes{Strength: 19}}),
		"armour that hampers nothing": checkHero(Hero{Armour: "heavy", Hampered: Hampered{Spirit: true}}),
		"dice that aren't":            damageMove.Allow(s, Damage{Dice: "plenty"}),
		"more bound than there is":    checkHero(Hero{Influence: Influence{Total: 1, Committed: 2}}),
		"no Effort left":              checkEffort(Effort{Committed: []Commitment{{}}}),
		"sustained twice": commitMove.Allow(
			refusalScene(
				func(h *Hero) { h.Effort.Committed = []Commitment{{For: "Ward", Purpose: "own", Until: "sustained"}} },
			),
			Commit{For: "Ward", Until: "sustained"},
		),
		"the dead":     checkMove.Allow(refusalScene(func(h *Hero) { h.State = "dead" }), Check{}),
		"a known fate": doomMove.Allow(s, Doom{Foe: "kirou", Fate: "dead"}),
		"the fallen":   attackMove.Allow(s, Attack{Target: "rat"}),
		"the helpless": checkMove.Allow(refusalScene(func(h *Hero) { h.State = "dying" }), Check{}),
		"the spent":    checkMove.Allow(refusalScene(func(h *Hero) { h.State = "spent" }), Check{}),
		"Fury twice": furyMove.Allow(
			refusalScene(func(h *Hero) { h.State, h.FuryLevel = "dying", 2 }),
			Fury{"rise"},
		),
		"Fury without a fall": furyMove.Allow(s, Fury{"rise"}),
		"no Fury to end":      furyMove.Allow(s, Fury{"end"}),
		"no Fray die": frayMove.Allow(
			refusalScene(func(h *Hero) { h.Fray = "" }),
			Fray{Target: "kirou"},
		),
		"Fray against the great": frayMove.Allow(s, Fray{Target: "kirou"}),
		"Fray twice":             mayAct(s, "bridge", takes{fray: true}),
		"two actions":            attackMove.Allow(s, Attack{Target: "kirou", Fight: "bridge"}),
		"two movements":          actMove.Allow(s, Act{Takes: "movement", Fight: "bridge"}),
		"others' turn":           actMove.Allow(s, Act{Takes: "movement", Fight: "late"}),
		"a gift in others' turn": giftMove.Allow(s, UseGift{Gift: "1", Aim: Aim{Fight: "late"}}),
		"not in the fight":       actMove.Allow(s, Act{Fight: "quiet"}),
		"no attacks":             strikeMove.Allow(by("kirou"), Strike{Target: "arren"}),
		"a fight begun twice":    beginMove.Allow(by("bridge"), Begin{}),
		"a fight that isn't on":  nextMove.Allow(by("quiet"), Next{}),
		"joining twice":          joinMove.Allow(by("bridge"), Join{Heroes: []form.Ref{"arren"}}),
		"releasing the day's":    releaseMove.Allow(s, Release{Commitment: "0"}),
		"healing the whole":      healMove.Allow(s, Heal{Patient: "arren"}),
		"a mortal with Words":    checkMortal(Hero{Words: []Named{{Name: "Sun"}}}),
		"more blows than there are": strikeMove.Allow(
			by("wolf"),
			Strike{Target: "arren", Split: []Share{{Target: "sefa", Blows: 2}}},
		),
		"on both sides": beginMove.Allow(
			by("quiet"),
			Begin{Heroes: []form.Ref{"arren"}, Foes: []form.Ref{"arren"}},
		),
		"no level above":            levelMove.Allow(refusalScene(func(h *Hero) { h.Level = 20 }), NewLevel{}),
		"a change that's over":      workMove.Allow(s, Work{Project: "road", Dominion: 1}),
		"a change without a price":  workMove.Allow(s, Work{Project: "tower", Dominion: 1}),
		"healing twice":             healMove.Allow(s, Heal{Patient: "villager"}),
		"harming nobody":            miracleMove.Allow(s, Miracle{Word: "0", Use: "harm"}),
		"immune to nothing":         miracleMove.Allow(s, Miracle{Word: "0", Use: "guard", Guard: "immunity"}),
		"dispelling a blow":         dispelMove.Allow(s, Dispel{Threat: "blow", AtMe: true, How: "x"}),
		"dispelling the world":      dispelMove.Allow(s, Dispel{Threat: "hazard", AtMe: true, How: "x"}),
		"dispelling for others":     dispelMove.Allow(s, Dispel{Threat: "gift", How: "x"}),
		"dispelling without a word": dispelMove.Allow(s, Dispel{Threat: "gift", AtMe: true}),
		"no income":                 monthMove.Allow(s, Month{1}),
		"a cult too early":          monthMove.Allow(cultScene(1), Month{1}),
		"paying nothing":            workMove.Allow(s, Work{Project: "canal"}),
		"paying too much": workMove.Allow(
			refusalScene(func(h *Hero) { h.Dominion = 9 }),
			Work{Project: "canal", Dominion: 2},
		),
		"paying what isn't there": workMove.Allow(s, Work{Project: "canal", Dominion: 1}),
		"taking too much back":    workMove.Allow(s, Work{Project: "canal", Influence: -1}),
	}
}

func TestEveryRefusalHasAText(t *testing.T) { gametest.Refusals(t, New(), voices(t), everyRefusal()) }

func TestACultPaysFromTheSecondLevelOn(t *testing.T) {
	if err := monthMove.Allow(cultScene(2), Month{1}); err != nil {
		t.Errorf("a cult on the second level: %v", err)
	}
}

// Sheets are drawn with all their words for every viewer.
func TestSheetsAreDrawnWithAllTheirWords(t *testing.T) {
	hero := form.Blank[Hero]()
	hero.Lost, hero.Bonus = 3, 2
	hero.Words, hero.Facts = []Named{{Name: "Sun"}, {Name: "Sea"}}, []Named{{Name: "Raised by cartographers"}}
	hero.Gifts = []Gift{
		{Name: "Aegis of Dawn", Word: "Sun", Action: "instant", Cost: "sustained"},
		{Name: "Stride", Action: "on-turn"},
		{Name: "Spear", Action: "action", Cost: "scene"},
	}
	hero.Effort = Effort{
		Total: 4,
		Committed: []Commitment{
			{For: "Aegis of Dawn", Purpose: "gift", Until: "sustained"},
			{For: "Ward", Purpose: "own", Until: "day", Stays: true},
			{Purpose: "save", Until: "scene"},
		},
	}
	hero.Weapons = []Weapon{{Name: "Lance", Dice: "1d10", Attribute: "strength", Straight: true}}
	hero.Guard, hero.Immunities, hero.Bindings = true, []Ward{{Name: "fire"}}, []Binding{{Name: "Chain"}}
	hero.Divinity, hero.Cult = "cult", Cult{Power: 2, Strictures: "serious", Problems: []Named{{Name: "Zealots"}}}
	var sheets []any
	for _, state := range []string{"", "dying", "fury", "spent", "dead", "gone"} {
		h := hero
		h.State, h.Rounds = state, 2
		sheets = append(sheets, h)
	}
	free := form.Blank[Hero]()
	free.Divinity, free.FuryLevel = "free", 1
	sheets = append(
		sheets,
		form.Blank[Hero](),
		free,
		Foe{
			HD:       9,
			Lost:     2,
			Count:    1,
			Actions:  2,
			Effort:   Effort{Total: 2},
			Attacks:  []Blows{{Name: "Claw", Dice: "1d8", Times: 2, Straight: true}},
			Notes:    "Hates bells.",
			Bindings: []Binding{{Name: "Dazzled"}},
		},
		Foe{HD: 1, Count: 7, Fate: "flees"},
		Foe{HD: 1, Count: 7, Lost: 0},
		Fight{},
		Fight{
			Round: 2,
			First: "heroes",
			Turn:  "foes",
			Fighters: []Fighter{
				{Who: "arren", Side: "heroes", Acted: 1, Moved: 1, Fray: true},
				{Who: "kirou", Side: "foes"},
			},
		},
		Project{
			Goal:   "A canal.",
			Scale:  "region",
			Degree: "improbable",
			Paid:   []Payment{{Who: "arren", Influence: 3, Dominion: 1}},
		},
		Project{Scale: "village", Degree: "plausible", Paid: []Payment{{Who: "arren", Dominion: 1}}},
	)
	for _, v := range voices(t) {
		for role, viewer := range map[string]game.Viewer{"gm": {Role: game.Master}, "player": {Role: game.Player}} {
			for _, sheet := range sheets {
				kind, _ := New().Kind(kindOf(sheet))
				var drawn strings.Builder
				if err := kind.Sheet(New().View.Sheet(viewer, standard, "x", sheet), v).Render(t.Context(),
					&drawn); err != nil {
					t.Fatal(err)
				}
				gametest.CheckText(t, v, kind.ID+" for "+role, drawn.String())
			}
		}
	}
}

func kindOf(sheet any) string {
	switch sheet.(type) {
	case Hero:
		return "hero"
	case Foe:
		return "foe"
	case Fight:
		return "fight"
	}
	return "project"
}
