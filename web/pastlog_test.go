package web_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"norn/table/request"
)

// Going back page by page shows every entry, and no page has more than a phone can draw; the
// way forward leads to the newest entry again.
func TestPastOfALogIsReadPageByPage(t *testing.T) {
	t.Parallel()
	h := open(t)
	for i := range 150 {
		h.make(request.Move{
			Move: "check", Character: "c1", ByHand: true, Dice: []int{8, 3, 1}, Key: fmt.Sprint(i),
			Args: []byte(`{"skill":"sneak"}`),
		})
	}
	anna := h.sits("anna")
	seen := map[uint64]bool{}
	walk := func(path, id string) (last []uint64) {
		for steps := 0; path != "" && steps < 60; steps++ {
			page := anna.get(path)
			last = last[:0]
			for _, card := range page.with("data-move", "*") {
				seq, _ := strconv.ParseUint(card.attrs["data-seq"], 10, 64)
				last = append(last, seq)
				seen[seq] = true
			}
			if len(last) > 60 { // the page, and the beginning of its session
				t.Fatalf("%s has %d moves", path, len(last))
			}
			path = ""
			if links := page.with(id, "*"); len(links) > 0 {
				path = links[0].attrs["href"]
			}
		}
		return last
	}
	oldest := walk(anna.at(""), "data-earlier")
	if len(seen) < 150 {
		t.Errorf("going back shows %d of 150 moves", len(seen))
	}
	first := slices.Min(oldest)
	seen = map[uint64]bool{}
	newest := walk(anna.at("?_log=4&_before="+strconv.FormatUint(first+20, 10)), "data-later")
	if top := slices.Max(newest); top < first+149 {
		t.Errorf("going forward ends at %d, before %d", top, first+149)
	}
	if len(seen) < 150 {
		t.Errorf("going forward shows %d of 150 moves", len(seen))
	}
}
