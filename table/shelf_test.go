package table

import (
	"fmt"
	"strings"
	"testing"

	"norn/table/act"
)

// The shelf keeps what was asked for last, within its bounds.
func TestShelfKeepsTheBooksThatAreAskedFor(t *testing.T) {
	var s shelf
	large := func(hash string) *book {
		return newBook(hash, act.KeptTexts{Columns: []string{"name"}, Rows: [][]string{{strings.Repeat("Ж", maxShelf/12)}}})
	}
	for i := range 4 {
		s.keep(large(fmt.Sprint(i)))
		s.keep(large(fmt.Sprint(i)))
		s.find("0")
	}
	var kept string
	for i := range 4 {
		if s.find(fmt.Sprint(i)) != nil {
			kept += fmt.Sprint(i)
		}
	}
	if kept != "03" || s.size > maxShelf {
		t.Errorf("books %s of %d bytes", kept, s.size)
	}
	s.keep(newBook("x", act.KeptTexts{Rows: [][]string{{strings.Repeat("a", maxShelf)}}}))
	if len(s.books) != 0 || s.size != 0 {
		t.Errorf("%d books of %d bytes", len(s.books), s.size)
	}
}
