package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"norn/kvstore"
	"norn/lang"
)

// Scopes of what is kept.
const (
	ofTies = "chat"
)

// Tie is a place in a chat that hears of a table, or a person in a chat who sits there. It holds
// the seat's secret, since nothing else opens a seat: it's kept where what calls people is kept,
// and never shown.
type Tie struct {
	ID       string    `json:"id"`
	Platform string    `json:"platform"`
	Place    string    `json:"place,omitempty"`  // of a place's
	Person   string    `json:"person,omitempty"` // of a person's
	Name     string    `json:"name"`             // of the person, or of who tied the place
	By       string    `json:"by"`               // the person who did it
	Table    string    `json:"table"`
	Seat     string    `json:"seat"`
	Secret   string    `json:"secret"`
	Lang     lang.Lang `json:"lang"`
	Link     string    `json:"link"` // of the table's page
	Since    time.Time `json:"since"`
	Update   string    `json:"update"`          // that made it
	Ended    string    `json:"ended,omitempty"` // why it's over, in a word: what stays to be read
}

// ties are all that are kept, as this node knows them.
type ties struct {
	store   *kvstore.Store
	changed func() // is called without the lock

	mu  sync.Mutex
	all map[string]Tie // by id
}

// reread finds what is tied, by other nodes too.
func (ts *ties) reread(ctx context.Context) error {
	kept, err := ts.store.All(ctx, ofTies)
	if err != nil {
		return err
	}
	all := map[string]Tie{}
	for _, k := range kept {
		var t Tie
		if json.Unmarshal([]byte(k.Data), &t) == nil {
			all[t.ID] = t
		}
	}
	ts.mu.Lock()
	ts.all = all
	ts.mu.Unlock()
	ts.changed()
	return nil
}

// put keeps a tie as it is now.
func (ts *ties) put(ctx context.Context, t Tie) error {
	if err := ts.store.Put(ctx, kvstore.Item{Scope: ofTies, ID: t.ID, Data: encodeJSON(t)}); err != nil {
		return err
	}
	ts.mu.Lock()
	ts.all[t.ID] = t
	ts.mu.Unlock()
	ts.changed()
	return nil
}

// drop forgets a tie.
func (ts *ties) drop(ctx context.Context, t Tie) error {
	if err := errors.Join(ts.store.Drop(ctx, ofTies, t.ID), ts.store.Drop(ctx, ofDeliveries, t.ID)); err != nil {
		return err
	}
	ts.mu.Lock()
	delete(ts.all, t.ID)
	ts.mu.Unlock()
	ts.changed()
	return nil
}

// endedSeat is why a tie is over whose seat is gone, or has a new link.
const endedSeat = "seat"

// end ends a tie by itself; of a place's it stays to be read on the game master's page.
func (ts *ties) end(ctx context.Context, t Tie, why string) error {
	if t.Place == "" || why == endedSeat {
		return ts.drop(ctx, t)
	}
	t.Ended = why
	return ts.put(ctx, t)
}

// filter are the ties of a kind, the oldest first.
func (ts *ties) filter(are func(Tie) bool) (found []Tie) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, t := range ts.all {
		if are(t) {
			found = append(found, t)
		}
	}
	slices.SortFunc(found, func(x, y Tie) int { return x.Since.Compare(y.Since) })
	return found
}

// newest is the newest tie of its kind that isn't over, nil for none.
func (ts *ties) newest(is func(Tie) bool) *Tie {
	found := ts.filter(func(t Tie) bool { return t.Ended == "" && is(t) })
	if len(found) == 0 {
		return nil
	}
	return &found[len(found)-1]
}

// byID is a tie by its id, nil for none.
func (ts *ties) byID(id string) *Tie {
	return ts.newest(func(t Tie) bool { return t.ID == id })
}

// ofPlace is the tie of a place.
func (ts *ties) ofPlace(place string) *Tie {
	return ts.newest(func(t Tie) bool { return t.Place == place })
}

// beside is the place of a tie's platform that follows the same table.
func (ts *ties) beside(tie *Tie) *Tie {
	return ts.newest(func(t Tie) bool { return t.Place != "" && t.Platform == tie.Platform && t.Table == tie.Table })
}

// ofPerson is a person's tie: to the table of the place where they are, and where none is tied there the newest.
func (ts *ties) ofPerson(person, place string) *Tie {
	here := ts.ofPlace(place)
	return ts.newest(func(t Tie) bool { return t.Person == person && (here == nil || t.Table == here.Table) })
}

// lang is the language in which somebody is answered.
func (ts *ties) lang(by Person, place string) lang.Lang {
	if t := ts.ofPerson(by.ID, place); t != nil {
		return t.Lang
	}
	if by.Lang != "" {
		return by.Lang
	}
	if t := ts.ofPlace(place); t != nil {
		return t.Lang
	}
	return lang.En
}

// playing are the persons of a tie's platform who sit on seats of its table.
func (ts *ties) playing(tie *Tie, seats []string) (persons []Person) {
	for _, t := range ts.filter(func(t Tie) bool {
		return t.Person != "" && t.Ended == "" && t.Platform == tie.Platform && t.Table == tie.Table &&
			slices.Contains(seats, t.Seat)
	}) {
		persons = append(persons, Person{ID: t.Person, Name: t.Name})
	}
	slices.SortFunc(persons, func(a, b Person) int { return strings.Compare(a.ID, b.ID) })
	return persons
}

// platformOf is the platform of an id.
func platformOf(id string) string {
	name, _, _ := strings.Cut(id, ":")
	return name
}
