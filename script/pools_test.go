package script

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"norn/internal/bare"
)

// pool is a pool of a rule: how a text writes it, and what it makes of faces that fell.
type pool struct {
	n, sides int
	text     string
	value    func(faces []int) int
}

// drawPool draws a pool that a rule may throw, small enough to list all its faces.
func drawPool(t *rapid.T, name string) pool {
	p := pool{n: rapid.IntRange(1, 4).Draw(t, name+" dice"), sides: rapid.IntRange(2, 6).Draw(t, name+" sides")}
	face := func(label string) int { return rapid.IntRange(1, p.sides).Draw(t, name+" "+label) }
	kind := rapid.SampledFrom([]string{
		"sum", "count", "tally", "keep", "throw", "fold", "symbols", "again",
	}).Draw(t, name)
	if kind == "throw" { // each of its faces is a branch: two pools of four are more than odds may have
		p.n = min(p.n, 3)
	}
	given := fmt.Sprintf("%d, %d", p.n, p.sides)
	switch kind {
	case "sum":
		p.text = fmt.Sprintf("sum(%s)", given)
		p.value = total
	case "count":
		how, goal := rapid.SampledFrom([]string{"at_least", "at_most", "exactly"}).Draw(t, name+" counts"), face("goal")
		p.text = fmt.Sprintf("count(%s, %s = %d)", given, how, goal)
		p.value = func(faces []int) int {
			return showing(faces, func(f int) bool {
				return how == "at_least" && f >= goal || how == "at_most" && f <= goal || how == "exactly" && f == goal
			})
		}
	case "tally":
		low, from := face("low"), face("from")
		from = max(from, low+1)
		p.text = fmt.Sprintf("tallied(tally(%s, %d, (%d, %d)))", given, low, from, from+2)
		p.value = func(faces []int) int {
			return 10*alike(faces, low) + showing(faces, func(f int) bool { return f >= from && f <= from+2 })
		}
	case "keep":
		kept := rapid.IntRange(1, p.n+1).Draw(t, name+" kept")
		how := rapid.SampledFrom([]string{"highest", "lowest"}).Draw(t, name+" keeps")
		p.text = fmt.Sprintf("keep(%s, %s = %d)", given, how, kept)
		p.value = func(faces []int) int {
			sorted := slices.Sorted(slices.Values(faces))
			if how == "highest" {
				slices.Reverse(sorted)
			}
			return total(sorted[:min(kept, len(sorted))])
		}
	case "throw": // a hand, of which the rule makes something
		p.text = fmt.Sprintf("pairs(throw(%s))", given)
		p.value = func(faces []int) int {
			pairs := 0
			for i, f := range faces {
				pairs += alike(faces[i+1:], f)
			}
			return pairs
		}
	case "fold": // the set with the highest total
		p.text = fmt.Sprintf("fold(%s, 0, best)", given)
		p.value = func(faces []int) int {
			best := 0
			for _, f := range faces {
				best = max(best, f*alike(faces, f))
			}
			return best
		}
	case "again": // a die that's thrown once more for its highest face
		p.n = 2
		p.text = fmt.Sprintf("again(%d)", p.sides)
		p.value = func(faces []int) int {
			if faces[0] == p.sides {
				return faces[0] + faces[1]
			}
			return faces[0]
		}
	case "symbols":
		p.sides = len(symbolFaces)
		p.text = fmt.Sprintf("symbols(%d, boon, \"x\")", p.n)
		p.value = func(faces []int) int {
			x := 0
			for _, f := range faces {
				x += strings.Count(symbolFaces[f-1], "x")
			}
			return x
		}
	}
	return p
}

// symbolFaces lists the faces of the rules' own die.
var symbolFaces = []string{"", "x", "xx", "y", "xy"}

func total(faces []int) int {
	sum := 0
	for _, f := range faces {
		sum += f
	}
	return sum
}

// showing returns how many faces count.
func showing(faces []int, counts func(int) bool) int {
	n := 0
	for _, f := range faces {
		if counts(f) {
			n++
		}
	}
	return n
}

// alike returns how many dice show a face.
func alike(faces []int, face int) int {
	return showing(faces, func(f int) bool { return f == face })
}

// listed returns how many of all equally likely ways the pool's dice can fall have each value.
func (p pool) listed() (ways map[int]int64, all int64) {
	ways = map[int]int64{}
	faces := make([]int, p.n)
	var fall func(at int)
	fall = func(at int) {
		if at == p.n {
			ways[p.value(faces)]++
			all++
			return
		}
		for f := 1; f <= p.sides; f++ {
			faces[at] = f
			fall(at + 1)
		}
	}
	fall(0)
	return ways, all
}

// The odds of one's own rule over two pools are those of all faces listed one by one.
func TestPoolsInScriptsHaveTheOddsOfAllFaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, second := drawPool(t, "first"), drawPool(t, "second")
		// the second is thrown only where the first is even, so odds follow a rule's course
		text := fmt.Sprintf(ownRule, first.text, second.text)
		want := map[int]*big.Rat{}
		add := func(n int, p *big.Rat) {
			if want[n] == nil {
				want[n] = new(big.Rat)
			}
			want[n].Add(want[n], p)
		}
		ways, all := first.listed()
		others, allOthers := second.listed()
		for n, w := range ways {
			p := big.NewRat(w, all)
			if n%2 != 0 {
				add(n, p)
				continue
			}
			for m, v := range others {
				add(n-m, new(big.Rat).Mul(p, big.NewRat(v, allOthers)))
			}
		}
		got := quoteRule(t, text)
		for n, p := range want {
			if got[n] == nil || got[n].Cmp(p) != 0 {
				t.Errorf("%s\n%d: %v, listed %s", text, n, got[n], p)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s\n%d results, listed %d", text, len(got), len(want))
		}
	})
}

// ownRule is a rule of two pools.
const ownRule = `boon = die("Boon", "", "x", "xx", "y", "xy")

def tallied(fell):
    return 10 * fell[0] + fell[1]

def pairs(faces):
    return len([1 for i in range(len(faces)) for j in range(i) if faces[i] == faces[j]])

def best(so_far, face, n):
    return max(so_far, face * n)

def again(sides):
    face = roll(sides)
    return face + roll(sides) if face == sides else face

def attempt():
    first = %s
    if first %% 2 != 0:
        return first
    return first - (%s)

move(attempt, "Attempt")
`

// quoteRule returns the exact odds of a rule alone, by its results.
func quoteRule(t *rapid.T, text string) map[int]*big.Rat {
	g, err := CompileRule(text)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	m, _ := bare.Move(g, "attempt")
	throw, err := bare.Texts(g, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := throw.Quote(context.Background())
	if err != nil || o.Runs > 0 || o.Rounded {
		t.Fatalf("%s\n%v, %v", text, o, err)
	}
	got := map[int]*big.Rat{}
	for _, row := range o.Rows {
		got[row.N] = row.P
	}
	return got
}
