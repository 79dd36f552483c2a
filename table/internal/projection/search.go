package projection

import (
	"slices"
	"strings"

	"norn/form"
	"norn/lang"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/request"
	"norn/table/view"
)

// entriesBegunBy returns what a first record began: all entries of a move, or one other entry.
func entriesBegunBy(e *visibility.Eye, first *state.Record) []view.Entry {
	if first.Of == nil {
		return entriesOf(e, []*state.Record{first})
	}
	return entriesOf(e, e.Table.RecordsAbout(first.Of))
}

// isOfPart reports whether entries belong to a part of the log.
func isOfPart(e *visibility.Eye, part request.Part, entries []view.Entry) bool {
	first := entries[0]
	switch part {
	case request.Mine:
		return first.Seat.ID == e.Seat.ID || e.Viewer.Owns[first.Character]
	case request.Throws:
		return slices.ContainsFunc(entries, func(each view.Entry) bool { return len(each.Throws) > 0 })
	case request.Talks:
		return first.Kind == view.KindTalk
	}
	return true
}

// tellsWords reports whether all words are in what the seat reads of entries.
func tellsWords(e *visibility.Eye, entries []view.Entry, wanted []string) bool {
	if len(wanted) == 0 {
		return true
	}
	var b strings.Builder
	add := func(texts ...string) {
		for _, text := range texts {
			b.WriteString(lang.Key(text))
			b.WriteByte('\n')
		}
	}
	first := entries[0]
	add(first.Seat.Name)
	if first.Character != "" {
		add(e.Name(first.Character))
	}
	if first.Move != "" && first.Name != "" {
		add(e.Word("move", first.Name))
		if def, ok := e.Table.Game.Move(first.Name); ok {
			add(e.Table.Game.Choices(e.Voice, def.Form.For(form.AtTable), first.Args)...)
		}
	}
	for _, each := range entries {
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

// Find returns the entries that a search asks for, as far as the seat may see them, among the
// newest request.MaxSearched.
func Find(e *visibility.Eye, q request.Search) view.Found {
	if q.Most <= 0 || q.Most > request.MostEntries {
		q.Most = request.MostEntries
	}
	wanted := strings.Fields(lang.Key(q.Text))
	found := view.Found{Entries: []view.Entry{}}
	if q.Before == 0 {
		q.Before = e.Table.Seq + 1
	}
	found.Looked = q.Before
	// The number of entries, seen or not, bounds the search, not its time: so the place where it ends
	// reveals nothing hidden.
	last := max(q.Before, request.MaxSearched+1) - request.MaxSearched
	for r := range e.Table.Before(q.Before, q.Most) {
		if r.Seq < last {
			found.Looked, found.More = last, true
			break
		}
		if r.Kind != view.KindMove && r.Move != "" || !e.SeesEntry(r) { // shown with its move
			continue
		}
		entries := entriesBegunBy(e, r)
		if isOfPart(e, q.Part, entries) && tellsWords(e, entries, wanted) {
			if found.N == q.Most {
				found.More = true
				break
			}
			found.N++
			slices.Reverse(entries)
			found.Entries = append(found.Entries, entries...)
		}
		found.Looked = r.Seq
	}
	slices.Reverse(found.Entries)
	return found
}
