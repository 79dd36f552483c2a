package table_test

import (
	"testing"

	"norn/form"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

func TestSearchFindsOnlyWhatItsSeatSees(t *testing.T) {
	d := newDesk(t)
	d.talk(d.anna, act.TalkRequest{Text: "Ёлка стоит"})
	d.talk(d.boris, act.TalkRequest{Text: "Where is the Fir?", Character: form.Ref(d.other)})
	d.talk(d.boris, act.TalkRequest{Text: "the fir is mine", ToGM: true})
	rest := d.make(d.anna, request.Move{Move: "rest", Character: d.hero})
	d.make(d.gm, request.Move{Move: "rest", Character: d.hero, Secret: true})
	for name, each := range map[string]struct {
		seat *table.Seat
		q    request.Search
		want int
		more bool
	}{
		"a word in any case":               {d.anna, request.Search{Text: "FIR"}, 1, false},
		"ё as е":                           {d.anna, request.Search{Text: "елка"}, 1, false},
		"all words":                        {d.gm, request.Search{Text: "fir mine"}, 1, false},
		"not what isn't for the seat":      {d.anna, request.Search{Text: "fir mine"}, 0, false},
		"but what it said itself":          {d.boris, request.Search{Text: "fir mine"}, 1, false},
		"talk":                             {d.anna, request.Search{Part: request.Talks}, 2, false},
		"the newest of it":                 {d.anna, request.Search{Part: request.Talks, Most: 1}, 1, true},
		"what a seat did":                  {d.anna, request.Search{Part: request.Mine, Text: "елка"}, 1, false},
		"not what another did":             {d.anna, request.Search{Part: request.Mine, Text: "where"}, 0, false},
		"nothing":                          {d.gm, request.Search{Text: "no such word"}, 0, false},
		"a secret move isn't for a player": {d.guest, request.Search{Part: request.Mine}, 0, false},
	} {
		found, err := each.seat.Find(t.Context(), each.q)
		if err != nil {
			t.Fatal(err)
		}
		if found.N != each.want || found.More != each.more {
			t.Errorf("%s: found %d (more: %v), want %d: %+v", name, found.N, found.More, each.want, found.Entries)
		}
	}
	whole, err := d.anna.Find(t.Context(), request.Search{Part: request.Mine})
	if err != nil {
		t.Fatal(err)
	}
	last := whole.Entries[len(whole.Entries)-1]
	if last.Move != rest.Entry.Move {
		t.Errorf("the newest that Anna did is %+v", last)
	}
}
