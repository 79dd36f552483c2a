package dice

import (
	"math/bits"
	"math/rand/v2"
)

// Stream is a Roller whose faces all follow from a seed of 32 bytes. It is fast, allocates nothing
// after NewStream, and is as unpredictable as its seed.
//
// The faces can be computed again in any language:
//
//  1. Words. The seed starts ChaCha8Rand (https://c2sp.org/chacha8rand), whose
//     bytes are read as 64-bit little-endian words. In short: the seed is a ChaCha
//     key; blocks 0…15 are computed with 8 rounds and a nonce of zeros, the key is
//     added to words 4…11 and nothing to the others; each four blocks are written
//     word by word (word 0 of the four, word 1 of the four, …), which makes
//     1024 bytes; the first 992 are the output, the last 32 the seed of the next 1024.
//  2. A face. To throw a die of s sides take the next word x and compute the 128-bit
//     product x·s. If its lower 64 bits are below 2^64 mod s, discard the word
//     and take the next one. Otherwise the face is its upper 64 bits plus 1.
//
// Every die takes at least one word, and dice are thrown in the order in which they are requested.
// The same number of words leads to each face, so there is no bias. testdata/stream.json holds test
// vectors.
type Stream struct {
	words rand.ChaCha8
}

// NewStream returns a stream at its first face.
func NewStream(seed [32]byte) *Stream {
	s := new(Stream)
	s.words.Seed(seed)
	return s
}

// Seed restarts the stream from another seed.
func (s *Stream) Seed(seed [32]byte) { s.words.Seed(seed) }

// Face throws one die. A die with fewer than one side shows 0 and takes no word.
func (s *Stream) Face(sides int) int {
	if sides < 1 {
		return 0
	}
	for {
		if face, ok := faceOf(s.words.Uint64(), uint64(sides)); ok {
			return face
		}
	}
}

// faceOf is step 2 of Stream for one word; ok is false if the word must be discarded.
func faceOf(word, sides uint64) (face int, ok bool) {
	hi, lo := bits.Mul64(word, sides)
	// 2^64 mod sides is below sides, so the slow division is almost never needed.
	if lo < sides && lo < -sides%sides {
		return 0, false
	}
	return int(hi) + 1, true
}
