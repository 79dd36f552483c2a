package table

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"norn/form"
)

// Part is a part of the log by what it's about.
type Part string

// The parts of the log.
const (
	All    Part = ""
	Mine   Part = "mine"   // what the seat and its characters did and said
	Throws Part = "throws" // moves in which dice fell
	Talks  Part = "talk"   // what was said
)

// Search says which of the log is wanted.
type Search struct {
	Part   Part
	Text   string // words that must all be there, whatever their case; "" for any
	Most   int    // so many things that happened, the newest; 0 or too many for MostEntries
	Before uint64 // only what began before this seq; 0 for all
}

// Found is what a search has found.
type Found struct {
	Entries []Entry // by what happened, the oldest first; of a move all that the seat sees
	N       int     // how many things that happened these are: moves, and entries of the table's own
	More    bool    // there may be older ones: search on from Looked
	Looked  uint64  // all that began with this seq or later was looked at
}

// Searches is how long a search goes on: then it says what it has found, and how far it has looked.
const Searches = 80 * time.Millisecond

// thing is what a first record began: a move with all that came of it, or one of the table's own.
func thing(e eye, first *record) []Entry {
	if first.move == nil {
		return entriesOf(e, []*record{first})
	}
	return entriesOf(e, e.st.about(first.move))
}

// isOf tells whether something that happened is of a part of the log.
func isOf(e eye, part Part, thing []Entry) bool {
	first := thing[0]
	switch part {
	case Mine:
		return first.Seat.ID == e.seat.id || e.viewer.Owns[first.Character]
	case Throws:
		return slices.ContainsFunc(thing, func(each Entry) bool { return len(each.Throws) > 0 })
	case Talks:
		return first.Kind == KindTalk
	}
	return true
}

// tells tells whether all words stand in what a seat reads of something that
// happened.
func tellsWords(e eye, thing []Entry, wanted []string) bool {
	if len(wanted) == 0 {
		return true
	}
	var b strings.Builder
	add := func(texts ...string) {
		for _, text := range texts {
			b.WriteString(folded(text))
			b.WriteByte('\n')
		}
	}
	first := thing[0]
	add(first.Seat.Name)
	if first.Character != "" {
		add(e.name(first.Character))
	}
	if first.Move != "" && first.Name != "" {
		add(e.word("move", first.Name))
		if def, ok := e.st.game.Move(first.Name); ok {
			add(e.st.game.Choices(e.voice, def.Form.For(form.AtTable), first.Args)...)
		}
	}
	for _, each := range thing {
		if each.Outcome != nil {
			add(each.Outcome.Text)
		}
		for _, line := range each.Lines {
			add(line.Text)
		}
	}
	text := b.String()
	return !slices.ContainsFunc(wanted, func(word string) bool { return !strings.Contains(text, word) })
}

// folded is the one form in which texts are searched: without case, ё as е.
func folded(text string) string {
	return strings.Map(func(r rune) rune {
		if r = unicode.ToLower(r); r == 'ё' {
			return 'е'
		}
		return r
	}, text)
}

// find is the part of the log that a search is for, as far as the seat may see it.
func find(e eye, q Search) Found {
	if q.Most <= 0 || q.Most > MostEntries {
		q.Most = MostEntries
	}
	wanted := strings.Fields(folded(q.Text))
	found := Found{Entries: []Entry{}}
	until := time.Now().Add(Searches)
	if q.Before == 0 {
		q.Before = e.st.seq + 1
	}
	found.Looked = q.Before
	for r := range e.st.back(q.Before, q.Most) {
		if r.Kind != KindMove && r.Move != "" || !e.seesEntry(r) { // it's told with its move
			continue
		}
		thing := thing(e, r)
		if isOf(e, q.Part, thing) && tellsWords(e, thing, wanted) {
			if found.N == q.Most {
				found.More = true
				break
			}
			found.N++
			slices.Reverse(thing)
			found.Entries = append(found.Entries, thing...)
		}
		if found.Looked = r.Seq; r.Seq > 1 && time.Now().After(until) {
			found.More = true
			break
		}
	}
	slices.Reverse(found.Entries)
	return found
}
