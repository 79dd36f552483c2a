package table

import (
	"context"
	"slices"
	"strings"
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
	Part Part
	Text string // words that must all be there, whatever their case; "" for any
	Most int    // so many things that happened, the newest; 0 or too many for MostEntries
}

// Found is what a search has found.
type Found struct {
	Entries []Entry // oldest first; of a move all that the seat sees
	N       int     // how many things that happened these are: moves, and entries of the table's own
	More    bool    // there are older ones
}

// Find searches the part of the log that the seat may see, a move together
// with all that came of it: by who did it, what it's called, what was chosen,
// and what came of it, in the seat's words.
func (s *Seat) Find(ctx context.Context, q Search) (Found, error) {
	if q.Most <= 0 || q.Most > MostEntries {
		q.Most = MostEntries
	}
	wanted := strings.Fields(folded(q.Text))
	found := Found{Entries: []Entry{}}
	err := s.look(ctx, func(e eye) error {
		for _, records := range slices.Backward(e.things()) {
			thing := make([]Entry, len(records))
			for i, r := range records {
				thing[i], _ = e.entry(r)
			}
			if !e.isOf(q.Part, thing) || !e.tells(thing, wanted) {
				continue
			}
			if found.N == q.Most {
				found.More = true
				break
			}
			found.N++
			slices.Reverse(thing)
			found.Entries = append(found.Entries, thing...)
		}
		slices.Reverse(found.Entries)
		return nil
	})
	return found, err
}

// things are the records that the seat may know of, together by what happened: a
// move's, or one of the table's own.
func (e eye) things() [][]*record {
	var things [][]*record
	at := map[string]int{}
	for _, r := range e.st.records {
		if !e.seesEntry(r) {
			continue
		}
		if i, known := at[r.Move]; known && r.Move != "" {
			things[i] = append(things[i], r)
			continue
		}
		at[r.Move] = len(things)
		things = append(things, []*record{r})
	}
	return things
}

// isOf tells whether something that happened is of a part of the log.
func (e eye) isOf(part Part, thing []Entry) bool {
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
func (e eye) tells(thing []Entry, wanted []string) bool {
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
