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

// Standing is where one outcome stands among all that a move could come to: the
// move's law by how good its outcomes are, those as good as each other together.
type Standing struct {
	At   int        // which of Ways came out
	Ways []*big.Int // weights, the best first; at least two, none of them 0
	Of   *big.Int   // their sum
}

// StandingBits is how many bits the weights of a standing take at most.
const StandingBits = 256

// Stand finds where an outcome stands in a move's law. better is below 0 where a
// is the better one, and 0 where both are as good. False for an outcome that
// isn't in the law, for a move that can't come out better or worse, and for weights
// beyond StandingBits.
func Stand(law *distribution.Law[rule.Outcome], came rule.Outcome, better func(a, b rule.Outcome) int) (Standing,
	bool,
) {
	if law.Total.BitLen() > StandingBits {
		return Standing{}, false
	}
	places := make([]int, len(law.Values)) // of the values, the best first
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Or(better(law.Values[a], law.Values[b]), cmp.Compare(a, b))
	})
	s := Standing{At: -1, Of: law.Total.Big()}
	for i, place := range places {
		value, weight := law.Values[place], law.Weights[place].Big()
		if i > 0 && better(law.Values[places[i-1]], value) == 0 {
			last := s.Ways[len(s.Ways)-1]
			last.Add(last, weight)
		} else {
			s.Ways = append(s.Ways, weight)
		}
		if value.ID == came.ID && better(value, came) == 0 {
			s.At = len(s.Ways) - 1
		}
	}
	common := new(big.Int).Set(s.Of)
	for _, w := range s.Ways {
		common.GCD(nil, nil, common, w)
	}
	if common.BitLen() > 1 {
		for _, w := range s.Ways {
			w.Quo(w, common)
		}
		s.Of.Quo(s.Of, common)
	}
	return s, s.At >= 0 && len(s.Ways) > 1
}

// Better is the chance of something better than what came out.
func (s Standing) Better() *big.Rat { return s.any(s.Ways[:s.At]) }

// OrBetter is the chance of what came out or better.
func (s Standing) OrBetter() *big.Rat { return s.any(s.Ways[:s.At+1]) }

func (s Standing) any(ways []*big.Int) *big.Rat {
	sum := new(big.Int)
	for _, w := range ways {
		sum.Add(sum, w)
	}
	return new(big.Rat).SetFrac(sum, s.Of)
}

// String writes a standing as it is kept: "1: 36 1200 8764", the place of what
// came out, from 0, and the weights, the best first.
func (s Standing) String() string {
	b := strconv.AppendInt(nil, int64(s.At), 10)
	b = append(b, ':')
	for _, w := range s.Ways {
		b = w.Append(append(b, ' '), 10)
	}
	return string(b)
}

var errStanding = errors.New("a standing is a place and at least two weights: \"1: 36 1200 8764\"")

// ParseStanding reads what String wrote.
func ParseStanding(text string) (Standing, error) {
	at, ways, _ := strings.Cut(text, ": ")
	s := Standing{Of: new(big.Int)}
	for way := range strings.SplitSeq(ways, " ") {
		w, ok := new(big.Int).SetString(way, 10)
		if !ok || w.Sign() <= 0 || len(way) > StandingBits {
			return Standing{}, errStanding
		}
		s.Ways = append(s.Ways, w)
		s.Of.Add(s.Of, w)
	}
	var err error
	if s.At, err = strconv.Atoi(at); err != nil || s.At < 0 || s.At >= len(s.Ways) || len(s.Ways) < 2 ||
		s.Of.BitLen() > StandingBits {
		return Standing{}, errStanding
	}
	return s, nil
}

// MostPoints is what a throw scores that nothing could have beaten.
const MostPoints = 100

// Points is the score of what came out: the percentage of the move's law that
// it beats, where what is as good counts half; rounded, halves up.
func (s Standing) Points() int {
	worse := new(big.Int).Set(s.Of)
	for _, w := range s.Ways[:s.At+1] {
		worse.Sub(worse, w)
	}
	return s.score(worse, s.Ways[s.At])
}

// points are the scores of all ways. They fall from way to way.
func (s Standing) points() []int {
	scores := make([]int, len(s.Ways))
	worse := new(big.Int).Set(s.Of)
	for i, w := range s.Ways {
		worse.Sub(worse, w)
		scores[i] = s.score(worse, w)
	}
	return scores
}

// score is round(MostPoints · (worse + w/2) / of) for a way of weight w.
func (s Standing) score(worse, w *big.Int) int {
	twice := new(big.Int).Lsh(s.Of, 1)
	score := new(big.Int).Lsh(worse, 1)
	score.Add(score, w)
	score.Mul(score, big.NewInt(2*MostPoints)).Add(score, twice)
	return int(score.Quo(score, twice.Lsh(twice, 1)).Int64())
}

// Luck is how lucky several throws were together: how many of all that they
// could have come to scores fewer points.
type Luck struct {
	Throws int
	Points int      // of all throws
	P      *big.Rat // of fewer points in all, with half of as many; from 0 to 1
	Within *big.Rat // the true chance is at least P and at most P + Within
}

// one stands for the chance 1 in the law of a sum of points.
const one = 1 << 62

// Together gives the luck of throws: each scores its Points, and P is the chance
// that as many throws of the same laws score fewer in all, counting half of the
// chance to score as many. No throw at all is neither lucky nor unlucky.
//
// The law of the sum is folded throw by throw in whole numbers of 2^-62. Each
// product is rounded down, so no chance is ever too large, and what is missing
// from 1 in the end bounds what all of them together are too small by: Within.
// A chance below 2^-62 is dropped, so the law stays as narrow as it is likely and
// a fold of n throws takes about n^1.5 · MostPoints steps a way.
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

// spread is the law of a sum of points: chances[i] is that of from+i.
type spread struct {
	from    int
	chances []uint64
	spare   []uint64
}

func newSpread() *spread { return &spread{chances: []uint64{one}} }

// add takes one more throw into the sum.
func (l *spread) add(s Standing) {
	var chance [MostPoints + 1]uint64 // of each score, in 2^-64
	least, most := MostPoints, 0
	scores := s.points()
	for i, w := range s.Ways {
		// All ways but one leave less than 1, so the sum stays below 2^64.
		share := new(big.Int).Lsh(w, 64)
		chance[scores[i]] += share.Quo(share, s.Of).Uint64()
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

// at is the chance of less than a sum, and of the sum itself, in 2^-62.
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
