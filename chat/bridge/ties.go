package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"norn/internal/kvstore"
	"norn/lang"
)

// Scopes in the store.
const (
	ofTies = "chat"
)

// Tie connects a place in a chat with a table, or a person in a chat with their seat. It has the
// seat's secret, which nothing else can replace: it's stored like the subscriptions of
// notifications, and never shown.
type Tie struct {
	ID       string    `json:"id"`
	Platform string    `json:"platform"`
	Place    string    `json:"place,omitempty"`  // for a place
	Person   string    `json:"person,omitempty"` // for a person
	Name     string    `json:"name"`             // of the person, or of who tied the place
	By       string    `json:"by"`               // the person who made it
	Table    string    `json:"table"`
	Seat     string    `json:"seat"`
	Secret   string    `json:"secret"`
	Lang     lang.Lang `json:"lang"`
	Link     string    `json:"link"` // to the table's page
	Since    time.Time `json:"since"`
	Update   string    `json:"update"`          // that made it
	Ended    string    `json:"ended,omitempty"` // why it has ended, in a word; such a tie stays on the page
}

// ties has all ties, as this node knows them.
type ties struct {
	store   *kvstore.Store
	changed func() // called without the lock

	mu  sync.Mutex
	all map[string]Tie // by id
}

// reread reads all ties, including those of other nodes.
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

// put stores a tie.
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

// drop deletes a tie.
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

// endedSeat is the reason of a tie whose seat was revoked or has a new link.
const endedSeat = "seat"

// end ends a tie that doesn't work any more; a place's stays visible on the game master's page.
func (ts *ties) end(ctx context.Context, t Tie, why string) error {
	if t.Place == "" || why == endedSeat {
		return ts.drop(ctx, t)
	}
	t.Ended = why
	return ts.put(ctx, t)
}

// filter returns the ties for which are holds, the oldest first.
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

// newest returns the newest tie that hasn't ended and for which is holds, nil for none.
func (ts *ties) newest(is func(Tie) bool) *Tie {
	found := ts.filter(func(t Tie) bool { return t.Ended == "" && is(t) })
	if len(found) == 0 {
		return nil
	}
	return &found[len(found)-1]
}

// byID returns a tie by its id, nil for none.
func (ts *ties) byID(id string) *Tie {
	return ts.newest(func(t Tie) bool { return t.ID == id })
}

// ofPlace returns the tie of a place.
func (ts *ties) ofPlace(place string) *Tie {
	return ts.newest(func(t Tie) bool { return t.Place == place })
}

// beside returns the tie of a place on the same platform for the same table.
func (ts *ties) beside(tie *Tie) *Tie {
	return ts.newest(func(t Tie) bool { return t.Place != "" && t.Platform == tie.Platform && t.Table == tie.Table })
}

// ofPerson returns a person's tie: for the table of their current place, or if that has none the
// newest.
func (ts *ties) ofPerson(person, place string) *Tie {
	here := ts.ofPlace(place)
	return ts.newest(func(t Tie) bool { return t.Person == person && (here == nil || t.Table == here.Table) })
}

// lang returns the language for a person.
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

// playing returns the persons of a tie's platform who have these seats at its table.
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

// platformOf returns the platform of an id.
func platformOf(id string) string {
	name, _, _ := strings.Cut(id, ":")
	return name
}
