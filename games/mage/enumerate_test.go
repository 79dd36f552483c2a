package mage

import (
	"fmt"
	"math/big"
	"testing"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// thrown is a pool as a player would evaluate it on paper.
type thrown struct{ dice, difficulty, threshold int }

// paper evaluates a pool's faces by the text of the rules: net successes, or a botch. MG-05, MG-06,
// MG-21
func (p thrown) paper(faces []int) (net int, botch bool) {
	hits, ones := 0, 0
	for _, face := range faces {
		if face == 10 || face >= p.difficulty {
			hits++
		}
		if face == 1 {
			ones++
		}
	}
	left := max(0, hits-p.threshold)
	return max(0, left-ones), left == 0 && ones > 0
}

// onPaper goes through all faces of all pools and counts the results.
func onPaper(pools []thrown, how func(nets []int, botches []bool) string) map[string]*big.Rat {
	counts, total := map[string]int64{}, int64(0)
	var each func(at int, nets []int, botches []bool)
	each = func(at int, nets []int, botches []bool) {
		if at == len(pools) {
			counts[how(nets, botches)]++
			total++
			return
		}
		faces := make([]int, pools[at].dice)
		var die func(i int)
		die = func(i int) {
			if i == len(faces) {
				net, botch := pools[at].paper(faces)
				each(at+1, append(nets[:at:at], net), append(botches[:at:at], botch))
				return
			}
			for faces[i] = 1; faces[i] <= 10; faces[i]++ {
				die(i + 1)
			}
		}
		die(0)
	}
	each(0, nil, nil)
	chances := map[string]*big.Rat{}
	for how, n := range counts {
		chances[how] = big.NewRat(n, total)
	}
	return chances
}

// agrees compares a move's odds with those on paper.
func agrees(
	t *testing.T,
	what string,
	price func(*rule.Run) rule.Outcome,
	pools []thrown,
	how func(nets []int, botches []bool) string,
) {
	t.Helper()
	got, want := map[string]*big.Rat{}, onPaper(pools, how)
	l := law(t, price)
	for i, o := range l.Values {
		got[outcomeOf(o.ID, o.N)] = l.Chance(i)
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d outcomes, %d on paper", what, len(got), len(want))
	}
	for how, p := range want {
		if got[how] == nil || got[how].Cmp(p) != 0 {
			t.Errorf("%s: %s is %v, on paper %v", what, how, got[how], p)
		}
	}
}

func outcomeOf(id string, n int) string { return fmt.Sprintf("%s %d", id, n) }

func single(nets []int, botches []bool) string {
	switch {
	case nets[0] > 0:
		return outcomeOf("success", nets[0])
	case botches[0]:
		return outcomeOf("botch", 0)
	}
	return outcomeOf("failure", 0)
}

// MG-03, MG-20: a difficulty of 10, with modifiers that become a threshold or stop at 10.
func TestOddsAtDifficultyTenAgreeWithEveryThrow(t *testing.T) {
	for _, c := range []struct {
		difficulty, modifier int
		rule                 bool
		against, threshold   int
	}{
		{10, 0, true, 10, 0},
		{10, 0, false, 10, 0},
		{10, 2, true, 10, 2},
		{10, 2, false, 10, 0},
		{10, -1, true, 9, 0},
		{8, 2, true, 9, 1},
		{8, 2, false, 10, 0},
		{9, 1, true, 9, 1},
		{9, 4, false, 10, 0},
		{7, 2, true, 9, 0},
		{3, -4, true, 2, 0},
	} {
		for pool := range 4 {
			price := rollMove.Price(
				game.Scene{Settings: standard},
				Roll{Pool: pool + 1, Difficulty: c.difficulty, Modifier: c.modifier, ThresholdRule: c.rule},
			)
			agrees(
				t,
				fmt.Sprintf("%d dice, %+v", pool+1, c),
				price,
				[]thrown{{pool + 1, c.against, c.threshold}},
				single,
			)
		}
	}
}

// declared returns a scene in which Mary has declared three actions and done some.
func declared(done int) game.Scene {
	mary, jago, ward := form.Blank[Character](), form.Blank[Character](), form.Blank[Extended]()
	mary.Attributes.Dexterity = 4
	mary.Talents = []Talent{{Name: "athletics", Dots: 2}, {Name: "brawl", Dots: 3}}
	jago.Attributes.Dexterity, ward.Target, ward.Difficulty = 2, 2, 7
	ward.Interval = "turn"
	mary.Clock.Counted = true
	mary.Actions = Declare{Intents: []Intent{{Text: "Jump"}, {Text: "Kick"}, {Text: "Dodge", Kind: defence}}}.due()
	c := mary
	c.Actions = append([]Due(nil), mary.Actions...)
	for i := range done {
		c.Actions[i].Done = true
	}
	return game.Scene{Actor: "mary", Settings: standard, Cast: map[string]game.Member{
		"mary": {
			ID:    "mary",
			Kind:  "character",
			Sheet: c,
		}, "jago": {ID: "jago", Kind: "character", Sheet: jago},
		"ward": {ID: "ward", Kind: "extended", Sheet: ward},
	}}
}

// twoNeeded names the outcome of a step of an extended action that lacks two successes.
func twoNeeded(nets []int, botches []bool) string {
	switch {
	case botches[0]:
		return outcomeOf("botch", 1)
	case nets[0] >= 2:
		return outcomeOf("done", 1)
	case nets[0] == 0:
		return outcomeOf("failure", 0)
	}
	return outcomeOf("unfinished", 0)
}

// allOf names the outcome of a turn of several actions.
func allOf(nets []int, botches []bool) string {
	won := 0
	for i, net := range nets {
		if botches[i] {
			return outcomeOf("botch", 0)
		}
		if net > 0 {
			won++
		}
	}
	switch won {
	case 0:
		return outcomeOf("none-succeeds", 0)
	case len(nets):
		return outcomeOf("all-succeed", 0)
	}
	return outcomeOf("some-succeed", won)
}

// MG-10: each declared action has the odds of its place, in any kind of move, and a bare turn has
// the odds of all of them.
func TestOddsOfDeclaredActionsAgreeWithEveryThrow(t *testing.T) {
	jump, kick := Traits{Attribute: "dexterity", Ability: "athletics"}, Traits{Attribute: "dexterity", Ability: "brawl"}
	agrees(t, "the jump", rollMove.Price(declared(0), Roll{Traits: jump, Difficulty: 6}), []thrown{{3, 6, 0}}, single)
	agrees(
		t,
		"the kick, harder",
		rollMove.Price(declared(1), Roll{Traits: kick, Difficulty: 8, Modifier: 3}),
		[]thrown{{3, 9, 2}},
		single,
	)
	agrees(t, "the last one", rollMove.Price(declared(2), Roll{Traits: kick, Difficulty: 6}), []thrown{{2, 6, 0}}, single)
	agrees(
		t,
		"a dodge out of order",
		rollMove.Price(declared(0), Roll{Traits: kick, Difficulty: 6, Taking: Taking{Action: "3"}}),
		[]thrown{{2, 6, 0}},
		single,
	)
	agrees(
		t,
		"a kick that is resisted",
		resistedMove.Price(
			declared(1),
			Resisted{
				Traits:            kick,
				Against:           "jago",
				Difficulty:        form.NewNumber(6),
				AgainstDifficulty: form.NewNumber(6),
			},
		),
		[]thrown{{3, 6, 0}, {2, 6, 0}},
		contested,
	)
	agrees(
		t,
		"a step of an extended action by turns",
		extendedMove.Price(declared(1), Work{Traits: kick, On: "ward"}),
		[]thrown{{3, 7, 0}},
		twoNeeded,
	)
	attack := declared(0)
	attack.Actor = "jago"
	agrees(
		t,
		"who is attacked dodges with what is left",
		resistedMove.Price(
			attack,
			Resisted{
				Traits:            kick,
				Against:           "mary",
				Difficulty:        form.NewNumber(6),
				AgainstDifficulty: form.NewNumber(7),
			},
		),
		[]thrown{{2, 6, 0}, {2, 7, 0}},
		contested,
	)

	agrees(
		t,
		"a bare turn",
		multiMove.Price(
			game.Scene{Settings: standard},
			Multi{Pools: form.Faces{3, 4, 1}, Extra: 1, Difficulty: 6, ThresholdRule: true},
		),
		[]thrown{{1, 6, 0}, {1, 6, 0}, {1, 6, 0}},
		allOf,
	)
}

// MG-16: a joint roll either reaches its target or doesn't.
func TestOddsOfJointTargetsAgreeWithEveryThrow(t *testing.T) {
	for _, c := range []struct {
		needs int
		ruins string
	}{{1, "itself"}, {3, "itself"}, {4, "everything"}} {
		price := teamMove.Price(
			game.Scene{Settings: standard},
			Team{
				Pools:         form.Faces{2, 2, 1},
				Difficulty:    9,
				Modifier:      1,
				Needs:         c.needs,
				Ruins:         c.ruins,
				ThresholdRule: false,
			},
		)
		agrees(
			t,
			fmt.Sprint(c),
			price,
			[]thrown{{2, 10, 0}, {2, 10, 0}, {1, 10, 0}},
			func(nets []int, botches []bool) string {
				sum := 0
				for i, net := range nets {
					if botches[i] && c.ruins == "everything" {
						return outcomeOf("botch", 0)
					}
					sum += net
				}
				switch {
				case botches[0] && botches[1] && botches[2]:
					return outcomeOf("botch", 0)
				case sum >= c.needs:
					return outcomeOf("success", sum)
				case sum > 0:
					return outcomeOf("short", sum)
				}
				return outcomeOf("failure", 0)
			},
		)
	}
}

func contested(nets []int, botches []bool) string {
	switch own, other := nets[0], nets[1]; {
	case own > other:
		return outcomeOf("win", own-other)
	case own < other:
		return outcomeOf("lose", other-own)
	case botches[0] && !botches[1]:
		return outcomeOf("botch", 0)
	case botches[1] && !botches[0]:
		return outcomeOf("their-botch", 0)
	}
	return outcomeOf("draw", 0)
}

// againstCass returns a scene in which Jago rolls against Cass.
func againstCass() game.Scene {
	jago, cass, hack := form.Blank[Character](), form.Blank[Character](), form.Blank[Extended]()
	jago.Attributes.Wits, cass.Attributes.Wits, cass.Willpower.Permanent = 3, 2, 8
	cass.Retries = []Retry{{Attempt: "Tracing", Penalty: 2}}
	hack.Difficulty, hack.Threshold, hack.RivalRaised = 7, 1, 1
	return game.Scene{Actor: "jago", Settings: standard, Cast: map[string]game.Member{
		"jago": {
			ID:    "jago",
			Kind:  "character",
			Sheet: jago,
		}, "cass": {ID: "cass", Kind: "character", Sheet: cass}, "hack": {ID: "hack", Kind: "extended", Sheet: hack},
	}}
}

// withWits returns a roll of Wits against Cass, changed.
func withWits(change func(*Resisted)) Resisted {
	a := Resisted{Traits: Traits{Attribute: "wits", Ability: "computer"}, Against: "cass"}
	change(&a)
	return a
}

// MG-14, MG-15: each side has its own difficulty, threshold and modifier, or those of the running
// action.
func TestOddsOfBothSidesAgreeWithEveryThrow(t *testing.T) {
	bare := Resisted{
		Pool:              3,
		Difficulty:        form.NewNumber(9),
		Modifier:          1,
		AgainstPool:       2,
		AgainstDifficulty: form.NewNumber(10),
		AgainstThreshold:  form.NewNumber(1),
		ThresholdRule:     true,
	}
	agrees(
		t,
		"bare sides",
		resistedMove.Price(game.Scene{Settings: standard}, bare),
		[]thrown{{3, 9, 1}, {2, 10, 1}},
		contested,
	)

	s := againstCass()
	agrees(
		t,
		"the action's own",
		resistedMove.Price(s, withWits(func(a *Resisted) { a.On = "hack" })),
		[]thrown{{3, 7, 1}, {2, 8, 1}},
		contested,
	)
	agrees(t, "others than the action's", resistedMove.Price(s, withWits(func(a *Resisted) {
		a.On, a.Difficulty, a.AgainstThreshold = "hack", form.NewNumber(5), form.NewNumber(2)
	})), []thrown{{3, 5, 1}, {2, 8, 2}}, contested)
	agrees(t, "6 and 0 as written", resistedMove.Price(s, withWits(func(a *Resisted) {
		a.On, a.Difficulty, a.Threshold = "hack", form.NewNumber(6), form.NewNumber(0)
		a.AgainstDifficulty, a.AgainstThreshold = form.NewNumber(6), form.NewNumber(0)
	})), []thrown{{3, 6, 0}, {2, 7, 0}}, contested)
	agrees(
		t,
		"a number of its own against a trait",
		resistedMove.Price(
			s,
			withWits(func(a *Resisted) { a.Opposing, a.AgainstDifficulty = "willpower", form.NewNumber(6) }),
		),
		[]thrown{{3, 8, 0}, {2, 6, 0}},
		contested,
	)
	agrees(
		t,
		"each against a trait",
		resistedMove.Price(s, withWits(func(a *Resisted) { a.Opposing, a.AgainstOpposing = "willpower", "wits" })),
		[]thrown{{3, 8, 0}, {2, 3, 0}},
		contested,
	)
	agrees(
		t,
		"a retry of the other side's",
		resistedMove.Price(s, withWits(func(a *Resisted) { a.AgainstAttempt = "tracing" })),
		[]thrown{{3, 6, 0}, {2, 8, 0}},
		contested,
	)
	agrees(
		t,
		"with helpers",
		resistedMove.Price(
			s,
			withWits(func(a *Resisted) { a.With = []form.Ref{"cass"}; a.Against = ""; a.AgainstPool = 1 }),
		),
		[]thrown{{3, 6, 0}, {1, 6, 0}, {2, 6, 0}},
		func(nets []int, botches []bool) string {
			return contested([]int{nets[0] + nets[2], nets[1]}, []bool{botches[0] && botches[2], botches[1]})
		},
	)
}
