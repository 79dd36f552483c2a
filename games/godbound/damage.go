package godbound

import (
	"strconv"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Damage holds the arguments of a damage roll, or of harm without an attack.
type Damage struct {
	Dice     string `json:"dice" form:"text,dice,default=1d8"`
	Modifier int    `json:"modifier" form:"min=-20,max=30"`
	Straight bool   `json:"straight"`
	Of       string `json:"of,omitempty" form:"text,table"` // GB-23: the kind of harm that immunities are checked for
}

var damaged = []game.OutcomeKind{{ID: "damage", Counts: true, Less: true, Tone: game.Bad}}

var damageMove = game.Define(game.MoveSpec[Damage]{
	ID: "damage", GMOnly: true, Bare: true, AtTable: true, Kinds: people, Outcomes: damaged,
	Cast: func(s game.Scene, _ Damage) []string { return fightsOf(s, s.Actor) },
	Allow: func(s game.Scene, a Damage) error {
		if _, err := readBlow(a.Dice, a.Modifier, a.Straight); err != nil {
			return err
		}
		return alive(s, s.Actor)
	},
	Ready: func(s game.Scene, a Damage) func(*rule.Run) rule.Outcome {
		b := a.blow()
		if immune(s.Cast[s.Actor].Sheet, a.Of) != "" { // GB-23
			return func(*rule.Run) rule.Outcome { return rule.Outcome{ID: "damage"} }
		}
		return func(r *rule.Run) rule.Outcome { return rule.Outcome{ID: "damage", N: b.points(r)} }
	},
	Play: func(r *rule.Run, s game.Scene, a Damage) rule.Outcome {
		c := on(r, s)
		r.Release(fightsOf(s, s.Actor)...) // it's only read
		result := rule.Outcome{ID: "damage"}
		if c.isImmune(s.Actor, a.Of, AboutHarm{Who: s.Actor, Of: a.Of}) {
			return game.RecordOutcome(r, s, result)
		}
		result.N = c.roll(a.blow(), "", game.GM)
		r.Record(game.Resolved{Who: s.Actor, Outcome: result})
		c.harm(s.Actor, result.N, false)
		return result
	},
	Mark: func(a Damage, t rule.Throw) []game.Mark { return a.blow().mark(t) },
})

// blow is the damage of a hit: dice, a modifier, and whether the chart is used.
type blow struct {
	pool     dice.Pool
	modifier int
	straight bool
}

// Limits of a blow's dice: enough for any weapon and any miracle, with odds that are fast to
// compute.
const (
	maxDice  = 40
	maxSides = 20
)

// readBlow parses dice in plain notation, "3d8" or "1d10+2".
func readBlow(text string, modifier int, straight bool) (blow, error) {
	b := blow{modifier: modifier, straight: straight}
	e, err := dice.ParseAs(text, dice.Second) // as sheets and journals have it
	pool, plus, good := e.Simple()
	good = good && err == nil && pool.N <= maxDice && pool.Sides <= maxSides
	b.pool, b.modifier = dice.Pool{N: pool.N, Sides: pool.Sides, For: "damage"}, b.modifier+plus
	if !good || b.pool.N == 0 || b.modifier < -maxModifier || b.modifier > maxModifier {
		return blow{}, game.Refuse(
			"GB-10",
			"godbound.refusal.dice",
			"Given",
			text,
			"Dice",
			maxDice,
			"Sides",
			maxSides,
		)
	}
	return b, nil
}

const maxModifier = 60

// must parses dice that Allow has accepted.
func must(text string, modifier int, straight bool) blow {
	b, _ := readBlow(text, modifier, straight)
	return b
}

func (a Damage) blow() blow { return must(a.Dice, a.Modifier, a.Straight) }

// chart returns the damage of one die. GB-10
func chart(shown int) int {
	switch {
	case shown <= 1:
		return 0
	case shown <= 5:
		return 1
	case shown <= 9:
		return 2
	}
	return 4
}

// gain returns what the modifier adds to a die: its points with it minus those without. GB-10
func (b blow) gain(face int) int { return chart(face+b.modifier) - chart(face) }

// points throws the blow with the modifier on the best die. GB-10, GB-11
func (b blow) points(r *rule.Run) int {
	switch {
	case b.straight:
		return b.sum(r)
	case b.modifier == 0:
		return b.throwOnChart(r, b.pool)
	}
	type hand struct {
		points, best int
		thrown       bool
	}
	type worth struct{ points, gain int } // everything that matters of a die
	seen := rule.FoldBy(
		r,
		b.pool,
		func(face int) worth { return worth{chart(face), b.gain(face)} },
		hand{},
		func(h hand, die worth, n int) hand {
			if !h.thrown || die.gain > h.best {
				h.best, h.thrown = die.gain, true
			}
			h.points += n * die.points
			return h
		},
	)
	return seen.points + seen.best
}

// sum returns straight damage: the sum of dice and modifier. GB-11
func (b blow) sum(r *rule.Run) int { return max(0, r.Sum(b.pool)+b.modifier) }

// throwOnChart throws dice and returns their damage by the chart.
func (b blow) throwOnChart(r *rule.Run, pool dice.Pool) int {
	return rule.FoldBy(r, pool, chart, 0, func(points, each, n int) int { return points + n*each })
}

// many throws several blows at once, each with its modifier on its best die.
func (b blow) many(r *rule.Run, hits int) int {
	whole := b.pool
	whole.N *= hits
	switch {
	case hits <= 0:
		return 0
	case b.straight && b.modifier >= 0:
		return r.Sum(whole) + hits*b.modifier
	case !b.straight && b.modifier == 0:
		return b.throwOnChart(r, whole)
	case !b.straight && b.pool.N == 1: // one die for each blow: each gets the modifier
		each := func(face int) int { return chart(face + b.modifier) }
		return rule.FoldBy(r, whole, each, 0, func(points, each, n int) int { return points + n*each })
	case hits == 1:
		return b.points(r)
	}
	return rule.Part(r, func(r *rule.Run) int { return b.many(r, hits-1) }) + b.points(r)
}

// OnDie is the roller's answer which die gets the modifier, by its face. GB-10
type OnDie struct {
	Die string `json:"die" form:"choice,required"`
}

// span is the number of possible gains, which are −4 to +4.
const span = 9

// fallen is the throw of a blow before the modifier is applied.
type fallen struct {
	points int
	face   [span]int // highest face with each gain: dice with the same gain are equivalent
}

// throw throws a blow's dice.
func (c cast) throw(b blow) fallen {
	if b.straight || b.modifier == 0 {
		return fallen{points: b.points(c.r)}
	}
	return rule.Fold(c.r, b.pool, fallen{}, func(f fallen, face, n int) fallen {
		if at := b.gain(face) + span/2; f.face[at] == 0 {
			f.face[at] = face
		}
		f.points += n * chart(face)
		return f
	})
}

// roll throws a blow and returns its damage.
func (c cast) roll(b blow, by, roller string) int { return c.read(b, c.throw(b), by, roller) }

// read returns the damage of a throw, and lets the roller choose the die for the modifier; by is
// the attacker for the event. GB-10
func (c cast) read(b blow, f fallen, by, roller string) int {
	rules, _ := c.s.Settings.(Settings)
	if b.straight || b.modifier == 0 {
		c.tell(DamageDealt{Who: by, Points: f.points, Straight: b.straight})
		return f.points
	}
	var options []form.Option // best first
	for at := span - 1; at >= 0; at-- {
		if face := f.face[at]; face > 0 {
			options = append(options, form.Option{Value: strconv.Itoa(face), Text: b.faceText(face)})
		}
	}
	chosen := OnDie{Die: options[0].Value}
	if len(options) > 1 && rules.AskDie {
		chosen = rule.Ask(c.r, rule.Question[OnDie]{
			ID: "godbound.die", To: roller, Form: form.Of[OnDie]().With("die", options...).Default("die", chosen.Die),
			Standard: chosen,
			About: AboutDie{
				Who:      by,
				Modifier: b.modifier,
				Best:     b.faceText(face(chosen.Die)),
				Points:   f.points + b.gain(face(chosen.Die)),
			},
		})
	}
	die := face(chosen.Die)
	points := f.points + b.gain(die)
	c.tell(DamageDealt{Who: by, Points: points, Modifier: b.modifier, Die: die})
	return points
}

func face(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// faceText shows what the modifier makes of a face: "8 → 10 (2 → 4)".
func (b blow) faceText(face int) string {
	return strconv.Itoa(
		face,
	) + " → " + strconv.Itoa(
		face+b.modifier,
	) + " (" + strconv.Itoa(
		chart(face),
	) + " → " + strconv.Itoa(
		chart(face+b.modifier),
	) + ")"
}

// mark marks the best die for the modifier, and dice without effect. GB-10
func (b blow) mark(t rule.Throw) []game.Mark {
	marks := make([]game.Mark, len(t.Faces))
	if t.For != "damage" || b.straight || len(t.Faces) == 0 {
		return marks
	}
	best := 0
	for i, face := range t.Faces {
		if b.gain(face) > b.gain(t.Faces[best]) {
			best = i
		}
		if chart(face) == 0 {
			marks[i] = game.Cancelled
		}
	}
	switch {
	case b.modifier != 0:
		marks[best] = game.Deciding
	case len(t.Faces) == 1 && marks[0] == "":
		marks[0] = game.Deciding
	}
	return marks
}
