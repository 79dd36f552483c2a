// Package foreign reads heroes that people keep in other programs: actors of Foundry's systems, and
// the sheets of spreadsheets.
//
// Each system has a file with its reader, a pure function from bytes to a Hero: what the file holds,
// and what its program computes from that. A reader knows no game of norn. A game says in its
// foreign.toml which fields of its sheets are called how there, and Propose makes a sheet from both.
// What a sheet has no place for or refuses goes into its notes, and the Proposal says so.
package foreign

import (
	"slices"
	"strconv"
)

// Limits of what is read.
const (
	MaxBytes = 4 << 20 // of a file
	maxItems = 1000    // of a hero
	maxNotes = 400     // of what was found odd
)

// Hero is a hero as a file of another program has it. The names of values are those of the reader's
// system.
type Hero struct {
	System  string // id of the system: "ep2e"
	Title   string // as people call it
	Version string // of the system that wrote the file, "" if the file doesn't say
	Name    string
	Values  map[string]Value
	Lists   map[string][]Item
	Picture *Picture // only if the file has it inside
	Doubts  []Doubt

	order []string // names of values, as they were read
	lists []string // names of lists, likewise
}

// Item is one item of a list: its values by their names.
type Item map[string]Value

// Value is one value: an int, a bool or a string.
type Value struct {
	Is   any
	From string // where the file has it: "system.skills.fray.points"
	Sum  Sum    // how it was computed; nil for a value as the file has it
	Word string // id of a word below foreign.value that comes before Is
}

// Sum holds the terms of a computed number.
type Sum []Term

// Term is one number of a sum.
type Term struct {
	Name  string // id of its word below foreign.term, or a text of the file
	Text  bool   // Name is a text of the file
	N     int
	Times int // how often it counts, 0 for once
}

// Total returns the sum.
func (s Sum) Total() int {
	n := 0
	for _, t := range s {
		n += t.N * max(1, t.Times)
	}
	return n
}

// value returns the sum as a value. Terms that add nothing are left out.
func (s Sum) value(from string) Value {
	kept := slices.DeleteFunc(slices.Clone(s), func(t Term) bool { return t.N == 0 })
	if len(kept) == 0 {
		kept = s[:1]
	}
	return Value{Is: s.Total(), From: from, Sum: kept}
}

// term is a term with a word.
func term(name string, n int) Term { return Term{Name: name, N: n} }

// Picture is a picture that a file has inside.
type Picture struct {
	Media string
	Data  []byte
}

// Codes of doubts.
const (
	NoNumber    = "no-number"    // the file has a text where a number is expected
	Recomputed  = "recomputed"   // the file has another number than its program computes
	Untrained   = "untrained"    // skills without points are left out
	Outside     = "outside"      // the picture is a link, and nothing is fetched
	NameOnly    = "name-only"    // the file only names an item, without what it has
	Unsure      = "unsure"       // the file doesn't say it; people have to
	TooMany     = "too-many"     // there are more items than are read
	Near        = "near"         // the sheet has no such value; the nearest is taken
	Uncounted   = "uncounted"    // an item may change it for a time
	NothingLeft = "nothing-left" // no hit points are left, as of somebody who was never played
)

// Doubt reports an oddity of a file. The hero is read all the same.
type Doubt struct {
	Code  string
	Name  string // of the value that it's about, or of what the file names
	From  string // where the file has it
	Given string // what it has
	Used  string // what is taken instead, "" for nothing
}

// doubt notes a doubt, and reports whether there was room for it.
func (h *Hero) doubt(d Doubt) bool {
	if len(h.Doubts) == maxNotes {
		return false
	}
	h.Doubts = append(h.Doubts, d)
	return true
}

// set notes a value. Empty texts are left out.
func (h *Hero) set(name string, v Value) {
	if v.Is == nil || v.Is == "" {
		return
	}
	if h.Values == nil {
		h.Values = map[string]Value{}
	}
	if _, twice := h.Values[name]; !twice {
		h.order = append(h.order, name)
	}
	h.Values[name] = v
}

// add notes an item of a list.
func (h *Hero) add(list string, item Item) {
	if h.Lists == nil {
		h.Lists = map[string][]Item{}
	}
	if len(h.Lists[list]) == maxItems {
		h.doubt(Doubt{Code: TooMany, Name: list, Given: strconv.Itoa(maxItems)})
		return
	}
	if _, there := h.Lists[list]; !there {
		h.lists = append(h.lists, list)
	}
	for name, v := range item {
		if v.Is == nil || v.Is == "" {
			delete(item, name)
		}
	}
	h.Lists[list] = append(h.Lists[list], item)
}

// integer returns a value that a reader set, 0 for none.
func (h *Hero) integer(name string) int {
	n, _ := h.Values[name].Is.(int)
	return n
}
