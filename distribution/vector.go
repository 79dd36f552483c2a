package distribution

import (
	"math/big"

	"norn/dice"
)

// MaxVector is the largest number of values that a Vector has.
const MaxVector = 4

// Vector is what dice with symbols add up to: several whole numbers.
type Vector [MaxVector]int

// Plus returns the sum of two vectors.
func (v Vector) Plus(other Vector) Vector {
	for i, n := range other {
		v[i] += n
	}
	return v
}

// VectorPool is dice of one kind whose faces are worth vectors, that of face 1 first.
type VectorPool struct {
	dice.Pool
	Faces []Vector
}

// box is the smallest range of vectors that holds all sums, in each direction from low. Its vectors
// are numbered.
type box struct {
	low  Vector
	size [MaxVector]int
}

// boxOf returns the box of the sums of pools, and how many vectors it holds. It stops counting above
// the limit.
func boxOf(pools []VectorPool, limit int) (b box, count int) {
	var high Vector
	for _, p := range pools {
		for i := range MaxVector {
			least, most := p.Faces[0][i], p.Faces[0][i]
			for _, face := range p.Faces {
				least, most = min(least, face[i]), max(most, face[i])
			}
			b.low[i] += p.N * least
			high[i] += p.N * most
		}
	}
	count = 1
	for i := range MaxVector {
		b.size[i] = high[i] - b.low[i] + 1
		if count *= b.size[i]; count > limit {
			return b, count
		}
	}
	return b, count
}

// at returns the number of a vector's distance from low.
func (b box) at(v Vector) int {
	at := 0
	for i, n := range v {
		at = at*b.size[i] + n
	}
	return at
}

// vector returns the vector with a number.
func (b box) vector(at int) (v Vector) {
	for i := MaxVector - 1; i >= 0; i-- {
		v[i] = b.low[i] + at%b.size[i]
		at /= b.size[i]
	}
	return v
}

// maxBox bounds the memory of a convolution.
const maxBox = 1 << 18

// Vectors returns the law of the sum of all dice of several kinds, by convolution die by die. ok is
// false if the sums have too wide a range. It regularly reports to spend how many more steps on
// machine words it will take, and stops with the error of spend.
func Vectors(pools []VectorPool, spend func(steps int) error) (law *Law[Vector], ok bool, err error) {
	b, count := boxOf(pools, maxBox)
	if count > maxBox {
		return nil, false, nil
	}
	total := W(1)
	for _, p := range pools {
		total = total.Times(pow(uint64(p.Sides), max(0, p.N)))
	}
	width := total.width()
	now, next := make([]big.Word, count*width), make([]big.Word, count*width)
	now[0] = 1
	reach := 1 // numbers from here on are impossible so far
	for _, p := range pools {
		// a face's place is its distance from the lowest of each direction
		low := p.Faces[0]
		for _, face := range p.Faces {
			for i := range low {
				low[i] = min(low[i], face[i])
			}
		}
		var steps places[int]
		var times []uint64
		for _, face := range p.Faces {
			for i := range face {
				face[i] -= low[i]
			}
			at := steps.of(b.at(face))
			if at == len(times) {
				times = append(times, 0)
			}
			times[at]++
		}
		farthest := 0
		for _, step := range steps.values {
			farthest = max(farthest, step)
		}
		for range p.N {
			if err := spend(reach * len(times) * width); err != nil {
				return nil, true, err
			}
			clear(next)
			for k, step := range steps.values {
				if width == 1 {
					for at, weight := range now[:reach] {
						if weight != 0 {
							next[at+step] += weight * big.Word(times[k])
						}
					}
					continue
				}
				for at := range reach {
					if weight := trimZeros(now[at*width : (at+1)*width]); len(weight) > 0 {
						addTimesWord(next[(at+step)*width:(at+step+1)*width], weight, big.Word(times[k]))
					}
				}
			}
			reach = min(count, reach+farthest)
			now, next = next, now
		}
	}
	law = &Law[Vector]{Total: total}
	room := ints{n: 64}
	for at := range reach {
		weight := now[at*width : (at+1)*width]
		if words := trimZeros(weight); len(words) > 0 {
			law.Values = append(law.Values, b.vector(at))
			law.Weights = append(law.Weights, room.weight(words))
		}
	}
	return law, true, nil
}
