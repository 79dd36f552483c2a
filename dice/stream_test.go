package dice

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func vectors(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func bytes32(t testing.TB, text string) [32]byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != 32 {
		t.Fatalf("%q is not 32 bytes in hexadecimal", text)
	}
	return [32]byte(b)
}

// Another program in another language computed the vectors, from the description at Stream alone.
func TestStreamMatchesItsTestVectors(t *testing.T) {
	var file struct {
		Words []struct {
			Word  string
			Sides uint64
			Face  int
		}
		Streams []struct {
			Seed         string
			Sides, Faces []int
		}
	}
	vectors(t, "stream.json", &file)
	if len(file.Words) == 0 || len(file.Streams) == 0 {
		t.Fatal("no vectors")
	}
	for _, v := range file.Words {
		word, err := strconv.ParseUint(v.Word, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		face, ok := faceOf(word, v.Sides)
		if face != v.Face || ok != (v.Face > 0) {
			t.Errorf("word %s on d%d: face %d, %v, want %d", v.Word, v.Sides, face, ok, v.Face)
		}
	}
	for _, v := range file.Streams {
		s := NewStream(bytes32(t, v.Seed))
		for i, sides := range v.Sides {
			if face := s.Face(sides); face != v.Faces[i] {
				t.Errorf("seed %s, die %d, d%d: face %d, want %d", v.Seed, i+1, sides, face, v.Faces[i])
				break
			}
		}
	}
}

// The same number of the 2^64 words must lead to each face. The words of a face are one range, so
// its ends give their number.
func TestEachFaceHasEquallyManyRandomWords(t *testing.T) {
	all := new(big.Int).Lsh(big.NewInt(1), 64)
	for _, sides := range []int64{2, 3, 4, 6, 7, 8, 10, 12, 20, 100, 997, 1000} {
		n := big.NewInt(sides)
		spare := new(big.Int).Mod(all, n)
		each := new(big.Int).Div(all, n)
		for face := int64(1); face <= sides; face++ {
			// The first word whose product with sides is at least (face-1)·2^64 + spare.
			first := new(big.Int).Mul(big.NewInt(face-1), all)
			first.Add(first, spare).Add(first, n).Sub(first, big.NewInt(1)).Div(first, n)
			last := new(big.Int).Add(first, each)
			last.Sub(last, big.NewInt(1))
			for _, word := range []*big.Int{first, last} {
				if got, ok := faceOf(word.Uint64(), uint64(sides)); !ok || got != int(face) {
					t.Fatalf("d%d: word %x gives %d, %v, want %d", sides, word, got, ok, face)
				}
			}
			for _, word := range []uint64{first.Uint64() - 1, last.Uint64() + 1} {
				if got, ok := faceOf(word, uint64(sides)); ok && got == int(face) {
					t.Fatalf("d%d: word %x is one too many for face %d", sides, word, face)
				}
			}
		}
	}
}

// Real dice discard a word about once in 2^54 faces. A die far beyond MaxSides, which discards
// every fourth word, shows that the next word is taken.
func TestStreamSkipsWordsThatWouldBiasFaces(t *testing.T) {
	const sides = math.MaxInt / 4 * 3
	var words rand.ChaCha8
	words.Seed(seedOfTests)
	s, lost := NewStream(seedOfTests), 0
	for i := range 1000 {
		want, ok := faceOf(words.Uint64(), sides)
		for ; !ok; lost++ {
			want, ok = faceOf(words.Uint64(), sides)
		}
		if face := s.Face(sides); face != want {
			t.Fatalf("face %d is %d, want %d", i+1, face, want)
		}
	}
	if lost < 200 {
		t.Errorf("%d words were thrown away", lost)
	}
}

func TestStreamFacesAreWithinTheDie(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var seed [32]byte
		seed[0] = rapid.Byte().Draw(t, "seed")
		s := NewStream(seed)
		for _, sides := range rapid.SliceOfN(rapid.IntRange(1, MaxSides), 1, 50).Draw(t, "sides") {
			if face := s.Face(sides); face < 1 || face > sides {
				t.Fatalf("d%d shows %d", sides, face)
			}
		}
	})
}

func TestTheSameSeedGivesTheSameFaces(t *testing.T) {
	s := NewStream([32]byte{1})
	first := Throw(s, Pool{N: 200, Sides: 20})
	s.Seed([32]byte{1})
	again := Throw(s, Pool{N: 200, Sides: 20})
	other := Throw(NewStream([32]byte{2}), Pool{N: 200, Sides: 20})
	if fmt.Sprint(first) != fmt.Sprint(again) {
		t.Error("the same seed gives other faces")
	}
	if fmt.Sprint(first) == fmt.Sprint(other) {
		t.Error("another seed gives the same faces")
	}
}

func TestDieWithoutSidesShowsZeroAndTakesNoWord(t *testing.T) {
	s, untouched := NewStream([32]byte{}), NewStream([32]byte{})
	for _, sides := range []int{0, -1, math.MinInt} {
		if face := s.Face(sides); face != 0 {
			t.Errorf("a die of %d sides shows %d", sides, face)
		}
	}
	if got, want := s.Face(MaxSides), untouched.Face(MaxSides); got != want {
		t.Error("a die without sides took a word")
	}
}

func TestStreamAllocatesNothing(t *testing.T) {
	s := NewStream([32]byte{})
	if n := testing.AllocsPerRun(1000, func() { s.Face(6) }); n != 0 {
		t.Errorf("%v allocations a die", n)
	}
}

// chiSquare returns Pearson's statistic of counts against equal expectations.
func chiSquare(counts []int) float64 {
	total := 0
	for _, n := range counts {
		total += n
	}
	want := float64(total) / float64(len(counts))
	sum := 0.0
	for _, n := range counts {
		d := float64(n) - want
		sum += d * d / want
	}
	return sum
}

// chiSquareLimit returns the value that chi-square with df degrees of freedom exceeds once in ten
// thousand times (Wilson and Hilferty's approximation).
func chiSquareLimit(df int) float64 {
	const z = 3.719
	k := 2 / (9 * float64(df))
	return float64(df) * math.Pow(1-k+z*math.Sqrt(k), 3)
}

func singles(r Roller, sides, throws int) []int {
	counts := make([]int, sides)
	for range throws {
		counts[r.Face(sides)-1]++
	}
	return counts
}

// pairs counts pairs of faces that are distance dice apart.
func pairs(r Roller, sides, distance, throws int) []int {
	counts := make([]int, sides*sides)
	faces := Throw(r, Pool{N: throws, Sides: sides})
	for i, face := range faces {
		// Pairs within blocks of 2·distance dice share no die.
		if i%(2*distance) < distance && i+distance < len(faces) {
			counts[(face-1)*sides+faces[i+distance]-1]++
		}
	}
	return counts
}

var seedOfTests = [32]byte{'c', 'h', 'i', ' ', 's', 'q', 'u', 'a', 'r', 'e'}

func TestStreamIsUniform(t *testing.T) {
	s := NewStream(seedOfTests)
	dice := []int{100, 1000}
	for sides := 2; sides <= 20; sides++ {
		dice = append(dice, sides)
	}
	for _, sides := range dice {
		if x, limit := chiSquare(singles(s, sides, 200_000)), chiSquareLimit(sides-1); x > limit {
			t.Errorf("d%d: chi-square %.1f is above %.1f", sides, x, limit)
		}
	}
}

func TestStreamNeighboursAreIndependent(t *testing.T) {
	s := NewStream(seedOfTests)
	for _, sides := range []int{2, 6, 10, 20} {
		for _, distance := range []int{1, 2, 7} {
			if x, limit := chiSquare(pairs(s, sides, distance, 400_000)), chiSquareLimit(sides*sides-1); x > limit {
				t.Errorf("d%d, %d apart: chi-square %.1f is above %.1f", sides, distance, x, limit)
			}
		}
	}
}

// loaded is a Roller that throws sixes a little too often.
type loaded struct{ *Stream }

func (l loaded) Face(sides int) int {
	face := l.Stream.Face(sides)
	if face < sides && l.Stream.Face(25) == 1 {
		face++
	}
	return face
}

// sticky is a Roller that repeats the last face a little too often.
type sticky struct {
	*Stream
	last int
}

func (s *sticky) Face(sides int) int {
	if s.last == 0 || s.Stream.Face(50) > 1 {
		s.last = s.Stream.Face(sides)
	}
	return s.last
}

func TestChiSquareFindsBadDice(t *testing.T) {
	if x, limit := chiSquare(singles(loaded{NewStream(seedOfTests)}, 6, 200_000)), chiSquareLimit(5); x <= limit {
		t.Errorf("loaded dice pass: %.1f", x)
	}
	if x, limit := chiSquare(pairs(&sticky{Stream: NewStream(seedOfTests)}, 6, 1, 400_000)),
		chiSquareLimit(35); x <= limit {
		t.Errorf("sticky dice pass: %.1f", x)
	}
	// Printed tables give 25.74 for 5 degrees of freedom and 1 in 10,000.
	if limit := chiSquareLimit(5); math.Abs(limit-25.74) > 0.75 {
		t.Errorf("the limit for 5 degrees of freedom is %.2f", limit)
	}
}

func BenchmarkFace(b *testing.B) {
	for _, sides := range []int{6, 10, 100, 1000} {
		b.Run("d"+strconv.Itoa(sides), func(b *testing.B) {
			var r Roller = NewStream(seedOfTests)
			b.ReportAllocs()
			for b.Loop() {
				r.Face(sides)
			}
		})
	}
}

func BenchmarkSevenDice(b *testing.B) {
	var r Roller = NewStream(seedOfTests)
	b.ReportAllocs()
	for b.Loop() {
		for range 7 {
			r.Face(10)
		}
	}
}

func BenchmarkSeed(b *testing.B) {
	s := NewStream(seedOfTests)
	b.ReportAllocs()
	for b.Loop() {
		s.Seed(seedOfTests)
		s.Face(10)
	}
}
