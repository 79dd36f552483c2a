package judge

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// Here a rule is run once for every sequence of faces, and the chances of its results are summed,
// without laws, views or caches. The walk must return exactly the same fractions.

// sequence is a dice.Roller that throws planned faces. When the plan is used up, it adds dice that
// show 1.
type sequence struct {
	dice []planned
	at   int
	lost bool // the rule threw other dice than before after the same faces
}

type planned struct{ sides, face int }

// Face implements dice.Roller.
func (s *sequence) Face(sides int) int {
	if s.at == len(s.dice) {
		s.dice = append(s.dice, planned{sides, 1})
	}
	d := s.dice[s.at]
	s.at++
	s.lost = s.lost || d.sides != sides
	return d.face
}

// next plans the next sequence and reports whether there is one. It drops the planned dice after
// the changed one, since the rule may now throw others.
func (s *sequence) next() bool {
	s.at = 0
	for last := len(s.dice) - 1; last >= 0; last-- {
		if d := &s.dice[last]; d.face < d.sides {
			d.face++
			return true
		}
		s.dice = s.dice[:last]
	}
	return false
}

// ways returns the number of sequences of these dice: the current one has a chance of one in so
// many. Above 64 bits it returns an error.
func (s *sequence) ways() (uint64, error) {
	n := uint64(1)
	for _, d := range s.dice {
		var over uint64
		if over, n = bits.Mul64(n, uint64(d.sides)); over > 0 {
			return 0, errors.New("a sequence is longer than 64 bits")
		}
	}
	return n, nil
}

// bruteForce computes the law of a rule from all its sequences, and returns their number.
func bruteForce(f func(*rule.Run) rule.Outcome, policy rule.Policy) (map[rule.Outcome]*big.Rat, int, error) {
	type end struct {
		outcome rule.Outcome
		ways    uint64
	}
	ends := map[end]int64{}
	var s sequence
	n := 0
	for more := true; more; more = s.next() {
		outcome, err := rule.Simulate(f, &s, policy)
		if err != nil {
			return nil, n, err
		}
		if s.lost || s.at != len(s.dice) {
			return nil, n, fmt.Errorf("with the same faces the rule throws other dice: %v", s.dice)
		}
		ways, err := s.ways()
		if err != nil {
			return nil, n, err
		}
		ends[end{outcome, ways}]++
		n++
	}
	law := map[rule.Outcome]*big.Rat{}
	for e, count := range ends {
		if law[e.outcome] == nil {
			law[e.outcome] = new(big.Rat)
		}
		p := new(big.Rat).SetFrac(big.NewInt(count), new(big.Int).SetUint64(e.ways))
		law[e.outcome].Add(law[e.outcome], p)
	}
	return law, n, nil
}

// sizer throws dice and multiplies their sides. The mean of the product is the number of sequences.
type sizer struct {
	roller dice.Roller
	ways   float64
}

// Face implements dice.Roller.
func (s *sizer) Face(sides int) int {
	s.ways *= float64(sides)
	return s.roller.Face(sides)
}

// size estimates the number of sequences of a rule from some throws.
func size(f func(*rule.Run) rule.Outcome, policy rule.Policy) (float64, error) {
	const throws = 64
	roller := dice.NewStream([32]byte{'s', 'i', 'z', 'e'})
	sum := 0.0
	for range throws {
		s := sizer{roller: roller, ways: 1}
		if _, err := rule.Simulate(f, &s, policy); err != nil {
			return 0, err
		}
		sum += s.ways
	}
	return sum / throws, nil
}

const (
	maxSequences  = 12_000 // for a move whose smallest case exceeds the usual limit
	policiesTried = 2
)

// small is a case without dice and answers.
type small struct {
	title string
	play  func(*rule.Run) rule.Outcome
	size  float64
}

// ofMove returns a move's cases without duplicates, smallest first.
func ofMove(t *report, g *game.Game, m *game.Move, cases []*Case) []small {
	var all []small
	known := map[string]bool{}
	for _, s := range cases {
		set := strings.Join(slices.DeleteFunc(slices.Clone(s.lines), func(line string) bool {
			return strings.HasPrefix(line, "dice ") || strings.HasPrefix(line, "answer ")
		}), "\n")
		st, err := stage(g, s)
		if err != nil || st.refused != nil || st.move != m || known[set] {
			continue // a case that can't be staged has failed already
		}
		known[set] = true
		for _, play := range []func(*rule.Run) rule.Outcome{st.play, m.Price(st.scene, st.args)} {
			n, err := size(play, nil)
			if err != nil {
				t.Errorf("%s: %v", s.Title, err)
				continue
			}
			if last := len(all) - 1; last < 0 || all[last].title != s.Title || all[last].size != n {
				all = append(
					all,
					small{s.Title, play, n},
				) // the whole move, and also its odds if they throw fewer dice
			}
		}
	}
	slices.SortStableFunc(all, func(a, b small) int { return cmp.Compare(a.size, b.size) })
	return all
}

// sequencesOf checks the odds of a move by brute force in all of its cases that are small enough:
// under standard answers, under random answers, and with the best choices for each of its aims.
// most limits the sequences of a case; if the smallest case has more, it is tried alone, up to
// maxSequences.
func sequencesOf(t *report, m *game.Move, cases []small, most int) {
	largest := 0
	for i, c := range cases {
		if c.size > float64(most) && largest > 1 || c.size > maxSequences {
			break
		}
		largest = max(largest, provenBy(t, c, nil))
		for _, policy := range policies(t, c.play) {
			if n, err := size(c.play, policy); err == nil && n <= float64(most) {
				provenBy(t, c, policy)
			}
		}
		if n := len(m.Aims); n > 0 {
			bestBy(t, c, m.Aims[i%n], most) // aims take turns
		}
	}
	if largest <= 1 && len(cases) > 0 {
		t.fault("none-small", fmt.Sprintf("no case of move %s is small enough for all its sequences; the smallest has about %.0f",
			m.ID, cases[0].size), "Move", m.ID)
	}
}

// provenBy compares a case's walk with all its sequences and returns their number.
func provenBy(t *report, c small, policy rule.Policy) int {
	want, n, err := bruteForce(c.play, policy)
	if err != nil {
		t.Errorf("%s: after %d sequences: %v", c.title, n, err)
		return n
	}
	law, err := rule.Walk(c.play, policy, rule.Limits{})
	if err != nil {
		t.Errorf("%s: %v", c.title, err)
		return n
	}
	if len(law.Values) != len(want) {
		t.Errorf("%s: %d outcomes by walk, %d by sequences", c.title, len(law.Values), len(want))
	}
	for o, p := range want {
		if got := law.Of(o); got.Cmp(p) != 0 {
			t.Errorf("%s: %v has the odds %v, by %d sequences %v", c.title, o, got, n, p)
		}
	}
	return n
}
