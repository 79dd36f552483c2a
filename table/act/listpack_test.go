package act

import (
	"encoding/json"
	"strings"
	"testing"
)

// The attachments of a list are read as one only if they belong together.
func TestPartsOfAListHaveTheSameColumns(t *testing.T) {
	part := func(column, text string) []byte {
		data, err := json.Marshal(KeptTexts{Columns: []string{column}, Rows: [][]string{{text}}})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var kept KeptTexts
	for _, text := range []string{"a", "b"} {
		if err := kept.AddKeptRows(mediaRows, part("name", text)); err != nil {
			t.Fatal(err)
		}
	}
	if len(kept.Rows) != 2 || kept.Rows[1][0] != "b" {
		t.Errorf("read %v", kept.Rows)
	}
	if err := kept.AddKeptRows(mediaRows, part("word", "c")); err == nil {
		t.Error("other columns are taken")
	}
	var more error
	for range 1 + maxUnpacked/maxKept {
		if err := kept.AddKeptRows(mediaRows, part("name", strings.Repeat("x", maxKept-64))); err != nil {
			more = err
		}
	}
	if more == nil {
		t.Error("parts together have no bound")
	}
}

// Rows that don't pack well enough for one attachment are several.
func TestRowsThatPackBadlyAreHalved(t *testing.T) {
	var texts KeptTexts
	texts.Columns = []string{"name"}
	seed := uint32(1)
	for range 100 {
		var cell strings.Builder
		for range 10_000 {
			seed = seed*1664525 + 1013904223
			cell.WriteRune(rune('!' + seed>>8%90 + seed>>20&0x3000))
		}
		texts.Rows = append(texts.Rows, []string{cell.String()})
	}
	parts, err := packTexts(texts)
	if err != nil || len(parts) < 2 {
		t.Fatalf("%d parts, %v", len(parts), err)
	}
	var kept KeptTexts
	for _, p := range parts {
		if err := kept.AddKeptRows(p.Media, p.Data); err != nil {
			t.Fatal(err)
		}
	}
	for i, row := range texts.Rows {
		if kept.Rows[i][0] != row[0] {
			t.Fatalf("row %d is another", i)
		}
	}
}
