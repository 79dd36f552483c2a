package odds

import (
	"cmp"
	"errors"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"norn/distribution"
	"norn/rule"
)

// Standing is the rank of one outcome among all outcomes of a move. Equally good outcomes share a
// rank.
type Standing struct {
	At   int                   // the rank that came out, an index of Ways
	Ways []distribution.Weight // of the ranks, best first; at least two, none of them 0
	Of   distribution.Weight   // their sum
}

// StandingBits bounds the size of a standing's weights.
const StandingBits = 256

// Stand ranks an outcome in a move's law. better is negative where a is better than b, and 0 where
// both are equally good. It returns false for an outcome that isn't in the law, for a move whose
// outcomes are all equally good, and for weights of more than StandingBits.
func Stand(law *distribution.Law[rule.Outcome], came rule.Outcome, better func(a, b rule.Outcome) int) (Standing,
	bool,
) {
	if law.Total.BitLen() > StandingBits {
		return Standing{}, false
	}
	places := make([]int, len(law.Values)) // places of the values, best first
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Or(better(law.Values[a], law.Values[b]), cmp.Compare(a, b))
	})
	s := Standing{At: -1, Of: law.Total}
	for i, place := range places {
		value, weight := law.Values[place], law.Weights[place]
		if i > 0 && better(law.Values[places[i-1]], value) == 0 {
			last := len(s.Ways) - 1
			s.Ways[last] = s.Ways[last].Plus(weight)
		} else {
			s.Ways = append(s.Ways, weight)
		}
		if value.ID == came.ID && better(value, came) == 0 {
			s.At = len(s.Ways) - 1
		}
	}
	common := s.Of
	for _, w := range s.Ways {
		common = distribution.GCD(common, w)
	}
	for i, w := range s.Ways {
		s.Ways[i] = w.Over(common)
	}
	s.Of = s.Of.Over(common)
	return s, s.At >= 0 && len(s.Ways) > 1
}

// Better returns the chance of an outcome better than the one that came out.
func (s Standing) Better() *big.Rat { return s.any(s.Ways[:s.At]) }

// OrBetter returns the chance of an outcome at least as good as the one that came out.
func (s Standing) OrBetter() *big.Rat { return s.any(s.Ways[:s.At+1]) }

func (s Standing) any(ways []distribution.Weight) *big.Rat {
	var sum distribution.Weight
	for _, w := range ways {
		sum = sum.Plus(w)
	}
	return sum.Ratio(s.Of)
}

// String writes a standing as it is stored: "1: 36 1200 8764", the rank from 0, and the weights,
// best first.
func (s Standing) String() string {
	b := strconv.AppendInt(nil, int64(s.At), 10)
	b = append(b, ':')
	for _, w := range s.Ways {
		b = w.Append(append(b, ' '))
	}
	return string(b)
}

var errStanding = errors.New("a standing is a place and at least two weights: \"1: 36 1200 8764\"")

// ParseStanding parses what String wrote.
func ParseStanding(text string) (Standing, error) {
	at, ways, _ := strings.Cut(text, ": ")
	var s Standing
	for way := range strings.SplitSeq(ways, " ") {
		w, ok := new(big.Int).SetString(way, 10)
		if !ok || w.Sign() <= 0 || len(way) > StandingBits {
			return Standing{}, errStanding
		}
		weight := distribution.WBig(w)
		s.Ways, s.Of = append(s.Ways, weight), s.Of.Plus(weight)
	}
	var err error
	if s.At, err = strconv.Atoi(at); err != nil || s.At < 0 || s.At >= len(s.Ways) || len(s.Ways) < 2 ||
		s.Of.BitLen() > StandingBits {
		return Standing{}, errStanding
	}
	return s, nil
}

// MostPoints is the score of an outcome that nothing beats.
const MostPoints = 100

// Points returns the score: the percentage of the move's law that the outcome beats, where equally
// good outcomes count half, rounded half up.
func (s Standing) Points() int {
	worse := s.Of
	for _, w := range s.Ways[:s.At+1] {
		worse = worse.Minus(w)
	}
	return s.score(worse, s.Ways[s.At])
}

// points returns the scores of all ranks. They fall from rank to rank.
func (s Standing) points() []int {
	scores := make([]int, len(s.Ways))
	worse := s.Of
	for i, w := range s.Ways {
		worse = worse.Minus(w)
		scores[i] = s.score(worse, w)
	}
	return scores
}

// score returns round(MostPoints · (worse + w/2) / of) for a rank of weight w.
func (s Standing) score(worse, w distribution.Weight) int {
	twice := s.Of.Plus(s.Of)
	score := worse.Plus(worse).Plus(w).Times(distribution.W(2 * MostPoints)).Plus(twice)
	return int(score.Over(twice.Plus(twice)).Big().Int64())
}

// Luck rates several throws together: by the share of all possible results that score
// fewer points.
type Luck struct {
	Throws int
	Points int      // of all throws together
	P      *big.Rat // chance of fewer points, plus half the chance of the same; from 0 to 1
	Within *big.Rat // the true chance is at least P and at most P + Within
}

// one represents the chance 1 in the law of a sum of points.
const one = 1 << 62

// Together returns the luck of throws: each scores its Points, and P is the chance that as many
// throws of the same laws score less together, plus half the chance that they score the same. No
// throws are neither lucky nor unlucky.
//
// The law of the sum is computed throw by throw in whole multiples of 2^-62. Each product is
// rounded down, so no chance is ever too large, and what is missing from 1 in the end bounds the
// error of any of them: Within. Chances below 2^-62 are dropped, so the law stays narrow, and n
// throws take about n^1.5 · MostPoints steps for each rank.
func Together(throws []Standing) Luck {
	law := newSpread()
	luck := Luck{Throws: len(throws)}
	for _, s := range throws {
		luck.Points += s.Points()
		law.add(s)
	}
	below, same := law.at(luck.Points)
	two := new(big.Int).Lsh(big.NewInt(one), 1)
	luck.P = new(big.Rat).SetFrac(new(big.Int).SetUint64(2*below+same), two)
	luck.Within = new(big.Rat).SetFrac(new(big.Int).SetUint64(one-law.sum()), big.NewInt(one))
	return luck
}

// spread is the law of a sum of points: chances[i] is the chance of from+i.
type spread struct {
	from    int
	chances []uint64
	spare   []uint64
}

func newSpread() *spread { return &spread{chances: []uint64{one}} }

// add adds one more throw to the sum.
func (l *spread) add(s Standing) {
	var chance [MostPoints + 1]uint64 // of each score, in 2^-64
	least, most := MostPoints, 0
	scores := s.points()
	for i, w := range s.Ways {
		// All but one of the ranks have less than 1 together, so the sum stays below 2^64.
		share := new(big.Int).Lsh(w.Big(), 64)
		chance[scores[i]] += share.Quo(share, s.Of.Big()).Uint64()
		least, most = min(least, scores[i]), max(most, scores[i])
	}
	next := slices.Grow(l.spare[:0], len(l.chances)+most-least)[:len(l.chances)+most-least]
	clear(next)
	for score := least; score <= most; score++ {
		c := chance[score]
		if c == 0 {
			continue
		}
		row := next[score-least:]
		for i, p := range l.chances {
			part, _ := bits.Mul64(p, c)
			row[i] += part
		}
	}
	l.from += least
	l.spare = l.chances
	first := slices.IndexFunc(next, func(p uint64) bool { return p > 0 })
	last := len(next)
	for last > first && next[last-1] == 0 {
		last--
	}
	l.from += first
	l.chances = next[first:last]
}

// at returns the chance of less than a sum and the chance of the sum itself, in 2^-62.
func (l *spread) at(sum int) (below, same uint64) {
	for i, p := range l.chances {
		switch {
		case l.from+i < sum:
			below += p
		case l.from+i == sum:
			same = p
		}
	}
	return below, same
}

func (l *spread) sum() uint64 {
	var sum uint64
	for _, p := range l.chances {
		sum += p
	}
	return sum
}
