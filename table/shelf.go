package table

import (
	"slices"
	"strings"
	"sync"

	"norn/game"
	"norn/lang"
	"norn/table/act"
)

// maxShelf bounds the bytes of the lists that stay read: the largest, or some usual ones. A larger
// list isn't cached.
const maxShelf = 24 << 20

// shelf holds the rows of lists that were read last, so that searching as one types doesn't read and fold
// a book at each letter. Rows are known by their hash and never change; who may see them is asked before.
type shelf struct {
	mu    sync.Mutex
	books []*book // the one that was asked for last is the last
	size  int
}

// book holds the rows of a list.
type book struct {
	hash string
	act.KeptTexts
	keys []string // of the rows, as searches compare them
	size int
}

// newBook folds the rows of a list.
func newBook(hash string, kept act.KeptTexts) *book {
	b := &book{hash: hash, KeptTexts: kept}
	for _, cells := range kept.Rows {
		key := lang.Key(strings.Join(cells, "\n"))
		b.keys = append(b.keys, key)
		b.size += len(key) + game.Total(cells, func(cell string) int { return len(cell) + 16 })
	}
	return b
}

// find returns the book with a hash, nil if it isn't there.
func (s *shelf) find(hash string) *book {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.books, func(b *book) bool { return b.hash == hash })
	if i < 0 {
		return nil
	}
	b := s.books[i]
	s.books = append(slices.Delete(s.books, i, i+1), b)
	return b
}

// keep puts a book onto the shelf. Those that nobody has asked for the longest make room.
func (s *shelf) keep(b *book) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.books, func(kept *book) bool { return kept.hash == b.hash }) {
		return // two readers came at once
	}
	s.books = append(s.books, b)
	for s.size += b.size; s.size > maxShelf; s.books = slices.Delete(s.books, 0, 1) {
		s.size -= s.books[0].size
	}
}
