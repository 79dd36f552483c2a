package godbound

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

// brute plays a fight head by head and blow by blow, directly by the text of the rules: without
// laws, chains or sums of HD.
type brute struct {
	*rand.Rand
	heroes    []bruteHero
	heads     []int // HD left, the one in front first
	foe       Foe
	surprised bool
	acted     int // actions of the foes that have passed in the first round
}

type bruteHero struct {
	Hero
	weapon Weapon
	hp     int
	down   func(round int) bool
	acted  bool // in the first round
	frayed bool
}

func (b *brute) d(sides int) int { return b.IntN(sides) + 1 }

// points returns a blow's points by the chart, with the modifier on the die that gains most;
// straight ones are the sum of the dice.
func (b *brute) points(text string, modifier int, straight bool) int {
	text, plus, _ := strings.Cut(text, "+")
	n, _ := strconv.Atoi(text[:1])
	sides, _ := strconv.Atoi(text[2:])
	more, _ := strconv.Atoi(plus)
	modifier += more
	sum, best := 0, math.MinInt
	for range n {
		face := b.d(sides)
		if straight {
			sum, best = sum+face, modifier
			continue
		}
		sum += chart(face)
		best = max(best, chart(face+modifier)-chart(face))
	}
	return max(0, sum+best)
}

func (b *brute) hits(bonus, ac int) bool {
	die := b.d(20)
	return die == 20 || die != 1 && die+bonus+ac >= 20
}

// fell subtracts points from the foes, the one in front first.
func (b *brute) fell(points int, overflow bool) {
	for points > 0 && len(b.heads) > 0 {
		taken := min(points, b.heads[0])
		b.heads[0] -= taken
		points -= taken
		if b.heads[0] == 0 {
			b.heads = b.heads[1:]
			if !overflow {
				return
			}
		}
	}
}

func (b *brute) heroesTurn(round int) {
	for i := range b.heroes {
		h := &b.heroes[i]
		if h.hp == 0 || h.down(round) {
			continue
		}
		with := modifier(h.Attributes.Of(h.weapon.Attribute))
		if len(b.heads) > 0 && (round > 1 || !h.acted) && b.hits(h.Bonus+with, b.foe.AC) {
			b.fell(b.points(h.weapon.Dice, with, h.weapon.Straight), h.weapon.Melee)
		}
		if h.Fray != "" && b.foe.HD <= h.Level && (round > 1 || !h.frayed) {
			b.fell(b.points(h.Fray, 0, false), true)
		}
	}
}

func (b *brute) foesTurn(round int) {
	if len(b.heads) == 0 {
		return
	}
	for i := range b.heroes {
		h := &b.heroes[i]
		if h.hp == 0 {
			continue
		}
		immuneTo := ""
		if len(h.Immunities) > 0 {
			immuneTo = h.Immunities[0].Name
		}
		actions := b.foe.Actions
		if round == 1 {
			actions -= b.acted
		}
		for range len(b.heads) * actions {
			for _, a := range b.foe.Attacks {
				for range a.Times {
					switch {
					case a.Of != "" && a.Of == immuneTo:
					case h.down(round):
						h.hp = 0
					case b.hits(b.foe.Bonus, h.ArmourClass()):
						h.hp = max(0, h.hp-b.points(a.Dice, 0, a.Straight))
					}
				}
			}
		}
		return // all points at the one in front
	}
}

func (b *brute) over() bool {
	hp := 0
	for _, h := range b.heroes {
		hp += h.hp
	}
	return len(b.heads) == 0 || hp == 0
}

// drawn draws a fight in progress: losses, Fury, helplessness, armour and immunities as sheets may
// have them and, in half of the cases, the middle of a round.
func drawn(r *rand.Rand) (game.Scene, Forecast) {
	hero := func() Hero {
		h := form.Blank[Hero]()
		h.Level, h.HP, h.Bonus, h.AC = 1+r.IntN(4), 4+r.IntN(12), r.IntN(6), 2+r.IntN(8)
		h.Lost = r.IntN(h.HP)
		h.Attributes.Strength = 6 + r.IntN(13)
		h.Weapons = []Weapon{
			{
				Name:      "w",
				Dice:      []string{"1d6", "1d10", "2d6", "3d4"}[r.IntN(4)],
				Attribute: "strength",
				Melee:     r.IntN(2) == 0,
				Straight:  r.IntN(4) == 0,
			},
		}
		h.Fray = []string{"", "1d8"}[r.IntN(2)]
		h.Guard = r.IntN(3) == 0
		switch r.IntN(4) {
		case 0:
			h.State, h.Rounds = "fury", r.IntN(3)
		case 1:
			h.State, h.Rounds = "spent", 1+r.IntN(5)
		}
		if r.IntN(4) == 0 {
			h.State, h.Lost = "dying", h.HP
		}
		if r.IntN(3) == 0 {
			h.Immunities = []Ward{{Name: "fire"}}
		}
		return h
	}
	foe := form.Blank[Foe]()
	foe.HD, foe.Count, foe.AC, foe.Bonus, foe.Actions = 1+r.IntN(5), 1+r.IntN(4), 2+r.IntN(8), r.IntN(5), 1+r.IntN(2)
	foe.Lost = r.IntN(foe.HD)
	if foe.Count > 1 {
		foe.Worn = r.IntN(foe.HD)
	}
	foe.Attacks = []Blows{
		{Name: "a", Dice: []string{"1d6", "1d6+2"}[r.IntN(2)], Times: 1 + r.IntN(2), Straight: r.IntN(4) == 0},
	}
	if r.IntN(2) == 0 {
		foe.Attacks = append(foe.Attacks, Blows{Name: "b", Dice: "1d8", Times: 1, Of: "fire"})
	}
	s := game.Scene{Actor: "arren", Settings: standard, Cast: map[string]game.Member{
		"arren": {
			ID:    "arren",
			Kind:  "hero",
			Sheet: hero(),
		}, "sefa": {ID: "sefa", Kind: "hero", Sheet: hero()}, "mob": {ID: "mob", Kind: "foe", Sheet: foe},
	}}
	a := Forecast{Against: "mob", Weapon: "0", Rounds: 1 + r.IntN(3), Surprised: r.IntN(3) == 0}
	if r.IntN(2) == 0 {
		a.Ally = form.Ref("sefa")
	}
	if r.IntN(2) == 0 {
		sides := []string{"heroes", "foes"}
		f := Fight{Round: 1 + r.IntN(3), First: sides[r.IntN(2)], Turn: sides[r.IntN(2)]}
		for i, who := range []form.Ref{"arren", "sefa", "mob"} {
			f.Fighters = append(
				f.Fighters,
				Fighter{Who: who, Side: sides[i/2], Acted: r.IntN(2), Fray: i < 2 && r.IntN(2) == 0},
			)
		}
		s.Cast["bridge"] = game.Member{ID: "bridge", Kind: "fight", Sheet: f}
	}
	return s, a
}

// fought counts the results of fights, and the HP left after a win.
type fought struct {
	ends map[string]int
	hp   int
}

// add adds a fight that is over or whose rounds are.
func (f *fought) add(b *brute) {
	switch {
	case len(b.heads) == 0:
		for _, h := range b.heroes {
			f.hp += h.hp
		}
		f.ends["win"]++
	case b.over():
		f.ends["lose"]++
	default:
		f.ends["unfinished"]++
	}
}

// bruteOf sets up a fight from the sheets.
func bruteOf(r *rand.Rand, s game.Scene, a Forecast) *brute {
	foe := s.Cast["mob"].Sheet.(Foe)
	b := &brute{Rand: r, foe: foe, surprised: a.Surprised, heads: make([]int, foe.Count)}
	fight, on := s.Cast["bridge"].Sheet.(Fight)
	over := func(side string) bool { return on && fight.Turn != fight.First && side == fight.First }
	if on {
		b.surprised = fight.First == "foes"
		if b.acted = fight.Fighters[2].Acted; over("foes") {
			b.acted = foe.Actions
		}
	}
	for i := range b.heads {
		b.heads[i] = foe.HD - foe.Worn
	}
	b.heads[0] = foe.HD - foe.Lost
	for i, who := range []string{"arren", string(a.Ally)} {
		h, ok := s.Cast[who].Sheet.(Hero)
		if !ok {
			continue
		}
		var used Fighter
		if on {
			used = fight.Fighters[i]
		}
		down := func(int) bool { return false }
		switch h.State {
		case "spent":
			down = func(round int) bool { return round <= h.Rounds }
		case "fury":
			rage := h.Rounds // the start of a fight counts as its first round
			if on {
				rage++
			}
			down = func(round int) bool { return round > rage && round <= rage+5 }
		}
		b.heroes = append(
			b.heroes,
			bruteHero{
				Hero:   h,
				weapon: h.Weapons[0],
				hp:     h.RemainingHP(),
				down:   down,
				acted:  used.Acted > 0 || over("heroes"),
				frayed: used.Fray,
			},
		)
	}
	return b
}

// fight plays some rounds, or until one side is defeated.
func (b *brute) fight(rounds int) {
	for round := 1; round <= rounds && !b.over(); round++ {
		if b.surprised {
			b.foesTurn(round)
		}
		if !b.over() {
			b.heroesTurn(round)
		}
		if !b.surprised && !b.over() {
			b.foesTurn(round)
		}
	}
}

// GB-30: for any state of the sheets, the forecast must agree with the frequencies of played
// fights.
func TestForecastAgreesWithPlayedFights(t *testing.T) {
	const states, fights = 120, 3000
	r := rand.New(rand.NewPCG(30, 23))
	uneven, helpless, midway := 0, 0, 0
	for n := range states {
		s, a := drawn(r)
		if foe := s.Cast["mob"].Sheet.(Foe); foe.Worn > foe.Lost {
			uneven++
		}
		if _, on := s.Cast["bridge"].Sheet.(Fight); on {
			midway++
		}
		for _, who := range []string{"arren", string(a.Ally)} {
			if h, ok := s.Cast[who].Sheet.(Hero); ok && h.State == "spent" {
				helpless++
			}
		}
		law, err := rule.Walk(forecastMove.Price(s, a), nil, rule.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		o := odds.Of(law, nil)
		seen := fought{ends: map[string]int{}}
		for range fights {
			b := bruteOf(r, s, a)
			b.fight(a.Rounds)
			seen.add(b)
		}
		for _, id := range []string{"win", "lose", "unfinished"} {
			p, _ := o.Any(id).Float64()
			if got, most := float64(seen.ends[id])/fights, 4.5*math.Sqrt(p*(1-p)/fights)+1e-9; math.Abs(got-p) > most {
				t.Errorf("state %d: %s foreseen with %.4f, fought out with %.4f\n%+v\n%+v", n, id, p, got, a, s.Cast)
			}
		}
		mean := 0.0 // HP left, over all fights
		for _, row := range law.Values {
			if row.ID == "win" {
				p, _ := law.Of(row).Float64()
				mean += p * float64(row.N)
			}
		}
		if got := float64(seen.hp) / fights; math.Abs(got-mean) > 0.6 {
			t.Errorf("state %d: %.2f HP are left as foreseen, %.2f as fought out", n, mean, got)
		}
	}
	if uneven < states/10 || helpless < states/10 || midway < states/10 {
		t.Errorf(
			"only %d groups with worse marks behind, %d helpless heroes, %d fights in the middle of a round",
			uneven,
			helpless,
			midway,
		)
	}
}
