package spire

import (
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
			"Risk": form.Of[Risk](), "Ruling": form.Of[Ruling](), "Meanwhile": form.Of[Meanwhile](),
			"Split": form.Of[Split](), "Leave": form.Of[Leave](),
			"Stakes": form.Of[Stakes](), "Relief": form.Of[Relief](), "Ended": form.Of[Ended](),
			"Whom": form.Of[Whom](), "Help": form.Of[Help](), "Danger": form.Of[Danger](), "Worth": form.Of[Worth](),
			"Check": knownTraits,
		},
		Same: []string{"spire.kind.npc"},
	}
	id := func(parts ...string) { w.IDs = append(w.IDs, New().Word(parts...)) }
	for _, purpose := range gametest.FindAll(gametest.Source(t), `\bdie\([\w.]+, "([a-z]+)"`) {
		id("throw", purpose)
	}
	for total := range 12 {
		id("band", band(total))
		for _, r := range Resistances {
			id("band", string(r), band(total))
		}
	}
	for _, severity := range severities {
		id("guidance", severity)
		id("severity-said", severity)
		bond := carrier{kind: "bond", bond: "Verris"}.question(severity, 5).Form
		w.Shapes = append(w.Shapes, bond)
		for _, r := range Resistances {
			w.Shapes = append(w.Shapes, carrier{kind: string(r)}.question(severity, 5).Form)
		}
	}
	for _, f := range w.Shapes { // a suggestion has a name and a text
		for _, field := range f.All() {
			for _, o := range field.Options {
				if o.Word != "" {
					w.IDs = append(w.IDs, strings.TrimSuffix(o.Word, ".name")+".text")
				}
			}
		}
	}
	gametest.Words(t, New(), w)
}

func TestWordsUseTheSourcesTerms(t *testing.T) { gametest.Terms(t, New()) }

// voices returns a voice in each language that knows three names.
func voices(t *testing.T) []game.Voice {
	return gametest.Voices(t, New(), map[string]string{"lira": "Lira", "tam": "Tam", "guard": "Otho"})
}

var (
	listed = Fallout{Kind: "blood", Severity: "minor", Suggestion: "blood.minor.1"}
	ownOne = Fallout{Kind: "shadow", Severity: "moderate", Text: "Sister Una knows."}
)

// All events and questions have a text in every language.
func TestEveryEventAndQuestionHasAText(t *testing.T) {
	events := []any{
		StressMarked{Who: "lira", Resistance: Blood, Amount: 3, Now: 5},
		StressCleared{Who: "lira", Cleared: Marks{Blood: 3, Mind: 2}},
		StressCleared{Who: "lira"},
		BonusStress{Who: "lira", Amount: 2},
		HelpRefused{Who: "tam"},
		Hindered{Who: "lira", Fallouts: []Fallout{listed, ownOne}},
		FalloutAvoided{Who: "lira", Total: 3},
		FalloutAvoided{Who: "lira", Bond: "Verris"},
		FalloutStruck{Who: "lira", Resistance: Blood, Severity: "minor", Total: 3},
		FalloutStruck{Who: "lira", Bond: "Verris", Severity: "severe"},
		FalloutTaken{Who: "lira", Fallout: listed},
		FalloutTaken{Who: "lira", Bond: "Verris", Fallout: ownOne},
		FalloutRemoved{Who: "lira", Fallout: listed},
		FalloutRemoved{Who: "lira", Bond: "Verris", Fallout: listed},
		FalloutStabilised{Who: "lira", Fallout: ownOne},
		FalloutStabilised{Who: "lira", Bond: "Verris", Fallout: ownOne},
		NPCHarmed{Who: "guard", Amount: 3, Now: 4, Size: 5},
		NPCHarmed{Who: "guard", Amount: 3},
		NPCBroken{Who: "guard", How: "yields"},
		BondMarked{Who: "lira", Bond: "Verris", Amount: 3, Now: 5},
		BondCleared{Who: "lira", Bond: "Verris", Amount: 3},
		Happened{Who: "lira", Text: "The door was never locked."},
		MovedOn{Who: "lira", Text: "The bridge burned."},
	}
	for _, r := range Resistances {
		for _, total := range []int{0, 3, 6, 9} {
			events = append(events, StressFelt{Who: "lira", Resistance: r, Band: band(total)})
		}
	}
	events = append(events, StressEased{Who: "lira"})
	told := map[string]bool{}
	for _, e := range events {
		told[game.TypeOf(e)] = true
	}
	wanted := map[string]bool{game.TypeOf(StressFelt{}): true, game.TypeOf(StressEased{}): true} // never in the journal
	for _, e := range New().Events {
		wanted[e.Type] = true
	}
	if diff := cmp.Diff(wanted, told); diff != "" {
		t.Error("the game tells other events than the test:", diff)
	}

	spoken := append(
		events,
		game.AboutWho{
			Who: "lira",
		},
		AboutStakes{Who: "lira"},
		AboutStakes{Who: "lira", Group: []string{"lira", "tam"}},
		AboutHelp{Who: "lira"},
		AboutHelp{Who: "lira", Die: "d6", Resistance: "mind", Difficulty: 1},
		AboutHelp{Who: "lira", Bond: "Verris"},
		AboutDanger{Who: []string{"lira", "tam"}, Die: true, Weapon: "d8"},
		AboutDay{Who: []string{"lira"}},
		AboutBonus{Amount: 2},
		AboutRisk{Who: "lira", Amount: 3},
		AboutRisk{Who: "lira"},
		AboutRisk{Who: "lira", Die: true},
		AboutSplit{Who: "lira", N: 2, Stress: Marks{Silver: 4}},
		AboutCarried{Who: "lira", Fallout: listed},
		AboutCarried{Who: "lira", Fallout: ownOne},
	)
	for _, severity := range severities {
		spoken = append(spoken, AboutFallout{Who: "lira", Bond: "Verris", Kind: "bond", Severity: severity, Total: 4})
		for _, r := range Resistances {
			spoken = append(spoken, AboutFallout{Who: "lira", Kind: string(r), Severity: severity, Total: 4})
		}
	}
	for _, v := range voices(t) {
		for _, s := range spoken {
			gametest.CheckText(t, v, "a value", gametest.Speak(v, s))
			if about, ok := s.(interface{ Guidance(game.Voice) []string }); ok {
				for _, line := range about.Guidance(v) {
					gametest.CheckText(t, v, "guidance", line)
				}
			}
		}
	}
}

func TestEveryOutcomeAndHeadlineHasAText(t *testing.T) { gametest.Outcomes(t, New()) }

// Every refusal is provoked, so that its text gets its real data.
func TestEveryRefusalHasAText(t *testing.T) {
	lira := Character{
		Skills: []Skill{{Name: "sneak"}}, Stress: Marks{Blood: 4, Mind: 2},
		Bonds: []Bond{{Name: "Verris", NPC: true}, {Name: "Tam"}}, Fallouts: []Fallout{listed, ownOne},
	}
	s := game.Scene{Actor: "lira", Settings: standard, Cast: map[string]game.Member{
		"lira":  {ID: "lira", Kind: "character", Name: "Lira", Sheet: lira},
		"tam":   {ID: "tam", Kind: "character", Name: "Tam", Sheet: Character{}},
		"guard": {ID: "guard", Kind: "npc", Name: "Otho", Sheet: NPC{Resistance: 5, Stress: 5}},
	}}
	guard := s
	guard.Actor = "guard"
	struck := carrier{who: "lira", kind: "blood", marked: lira.Stress, carried: lira.Fallouts}
	ruled := func(severity string, r Ruling) error { return struck.check(severity, r) }

	gametest.Refusals(t, New(), voices(t), map[string]error{
		"a known ending":    endingMove.Allow(guard, Ending{How: "flees"}),
		"known skill":       checkMove.Allow(s, Check{Skill: "steal"}),
		"own skill":         checkMove.Allow(s, Check{Skill: "Juggling"}),
		"known domain":      checkMove.Allow(s, Check{Domain: "occult"}),
		"own domain":        checkMove.Allow(s, Check{Domain: "Sewers"}),
		"too many helpers":  checkMove.Allow(s, Check{Skill: "sneak", Helpers: standard.Helpers + 1}),
		"helps herself":     checkMove.Allow(s, Check{Skill: "sneak", With: []form.Ref{"lira"}}),
		"helper can't help": checkMove.Allow(s, Check{Skill: "sneak", With: []form.Ref{"tam"}}),
		"harms nobody":      checkMove.Allow(s, Check{Harm: "d6"}),
		"isn't hindered":    checkMove.Allow(s, Check{Hindered: []form.Ref{"7"}}),
		"cares too early":   careMove.Allow(s, Care{Fallout: "lira:0"}),
		"the same twice":    ruled("moderate", Ruling{Do: "lesser", Pick: "blood.minor.1", Second: "blood.minor.1"}),
		"leads and follows": groupMove.Allow(s, Group{Members: []form.Ref{"lira"}}),
		"fixes a shadow":    fixMove.Allow(s, Fix{Fallout: "lira:1"}),
		"heals nothing":     healMove.Allow(s, Heal{Fallout: "lira:9", Worth: 3}),
		"heals too little":  healMove.Allow(s, Heal{Fallout: "lira:1", Worth: 4}),
		"harms the broken":  harmMove.Allow(guard, Harm{Die: "d6"}),
		"strikes no bond":   bondMove.Allow(s, BondStress{Bond: "1"}),
		"one lesser":        ruled("moderate", Ruling{Do: "lesser", Pick: "blood.minor.1"}),
		"raises nothing":    ruled("minor", Ruling{Do: "raise", Pick: "blood.moderate.1"}),
		"no fallout":        ruled("moderate", Ruling{Do: "lesser", Second: "blood.minor.1"}),
		"another severity":  ruled("minor", Ruling{Do: "take", Pick: "blood.severe.1"}),
		"clears too much":   ruled("minor", Ruling{Do: "take", Pick: "blood.minor.1", Clear: Marks{Blood: 4}}),
		"another's bond":    allowExceptions(s, []Exception{{Who: "lira", Resistance: "tam/bond:0"}}),
		"splits too little": splitQuestion(s, lira, 3).Check(Split{Clear: Marks{Blood: 1}}),
	})
}

// Sheets are drawn with all their words for every viewer.
func TestSheetsAreDrawnWithAllTheirWords(t *testing.T) {
	lira := Character{
		Class: "Firebrand", Skills: []Skill{{Name: "sneak", Mastery: true, Untrained: true}, {Name: "Juggling"}},
		Domains: []Domain{{Name: "low-society"}},
		Stress: Marks{
			Blood: 4,
			Mind:  2,
		}, Slots: Marks{Mind: 1}, Refresh: "Be seen", Gear: []Gear{{Name: "Jacket", Die: "d3", Armour: 2}},
		Bonds: []Bond{
			{
				Name:     "Verris",
				NPC:      true,
				Stress:   3,
				Fallouts: []Fallout{{Kind: "bond", Severity: "minor", Suggestion: "bond.minor.1"}},
			},
		},
		Fallouts: []Fallout{listed, {Kind: "mind", Severity: "severe", Text: "A vow.", Stabilised: true}},
	}
	for _, v := range voices(t) {
		for _, shown := range []string{"numbers", "words", "hidden"} {
			for role, viewer := range map[string]game.Viewer{"gm": {Role: game.Master}, "player": {Role: game.Player}} {
				for _, c := range []struct {
					kind  string
					sheet any
				}{
					{"character", lira},
					{"npc", NPC{Resistance: 5, Stress: 2, Difficulty: 1, Die: "d8", Notes: "Owes a debt."}},
					{"npc", NPC{Resistance: 5, Stress: 5, Die: "d6"}},
					{"npc", NPC{Resistance: 5, Stress: 6, Die: "d3", Ending: "flees"}},
				} {
					kind, _ := New().Kind(c.kind)
					var drawn strings.Builder
					if err := kind.Sheet(New().View.Sheet(viewer, Settings{StressShown: shown}, "x", c.sheet),
						v).Render(t.Context(), &drawn); err != nil {
						t.Fatal(err)
					}
					gametest.CheckText(t, v, c.kind+" for "+role+" by "+shown, drawn.String())
				}
			}
		}
	}
}

// Lines must read as people of the language would write them.
func TestLogLinesReadNaturallyInEachLanguage(t *testing.T) {
	taken := FalloutTaken{Who: "lira", Bond: "Verris", Fallout: Fallout{Severity: "minor", Text: "He is cross."}}
	stress := func(v game.Voice, n int) string { return v.Say("spire.outcome.stress", "N", n) }
	want := map[lang.Lang][]string{
		lang.En: {
			"Lira: Blood +3 → 5", "Lira: stress cleared – Blood 3 and Mind 2", "Lira: moderate fallout, total stress 6",
			"Lira, bond with Verris: minor fallout. He is cross.", "Otho: stress +3 → 4 of 5",
			"1 stress", "2 stress", "5 stress", "21 stress",
		},
		lang.Ru: {
			"Lira: Кровь +3 → 5", "Lira: снят стресс — Кровь 3 и Разум 2",
			"Lira: умеренное последствие, общий стресс 6",
			"Lira, связь «Verris»: незначительное последствие. He is cross.", "Otho: стресс +3 → 4 из 5",
			"1 стресс", "2 стресса", "5 стресса", "21 стресс",
		},
		lang.Uk: {
			"Lira: Кров +3 → 5", "Lira: знято стрес — Кров 3 і Розум 2", "Lira: помірний наслідок, загальний стрес 6",
			"Lira, зв’язок «Verris»: незначний наслідок. He is cross.", "Otho: стрес +3 → 4 з 5",
			"1 стрес", "2 стресу", "5 стресу", "21 стрес",
		},
	}
	for _, v := range voices(t) {
		got := []string{
			gametest.Speak(v, StressMarked{Who: "lira", Resistance: Blood, Amount: 3, Now: 5}),
			gametest.Speak(v, StressCleared{Who: "lira", Cleared: Marks{Blood: 3, Mind: 2}}),
			gametest.Speak(v, FalloutStruck{Who: "lira", Severity: "moderate", Total: 6}),
			gametest.Speak(v, taken),
			gametest.Speak(v, NPCHarmed{Who: "guard", Amount: 3, Now: 4, Size: 5}),
			stress(v, 1), stress(v, 2), stress(v, 5), stress(v, 21),
		}
		if diff := cmp.Diff(want[v.Lang()], got); diff != "" {
			t.Errorf("%s: %s", v.Lang(), diff)
		}
	}
}
