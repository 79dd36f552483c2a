package table_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/verify"
	"norn/table/view"
)

// xDesk is a desk whose seats are on two nodes with one clock that the test sets.
type xDesk struct {
	*desk
	clock           *clock
	anna, borisElse *table.Seat // on the first node, and on the other
	boris           *table.Seat // on the first
}

func newXDesk(t *testing.T) *xDesk {
	d := &xDesk{desk: newDeskOver(t, newMemory()), clock: newClock()}
	d.clock.add(time.Hour)
	node := func() *table.Host {
		c := config(d.journal, d.relay)
		c.Now = func() time.Time { return d.clock.add(0) }
		h := table.New(c)
		t.Cleanup(func() { h.Close() })
		return h
	}
	here, other := node(), node()
	d.anna, d.boris, d.borisElse = d.at(here, "s2"), d.at(here, "s3"), d.at(other, "s3")
	return d
}

func (d *xDesk) raises(s *table.Seat) (token string) {
	d.t.Helper()
	token, err := s.RaiseX(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return token
}

func (d *xDesk) lies(want bool) {
	d.t.Helper()
	if got := d.view(d.anna).X > 0; got != want {
		d.t.Errorf("a card lies there: %t, want %t", got, want)
	}
}

// The seat that raised an X-card can take it back within ten seconds. Nothing says who that was,
// and the next card can follow at once.
func TestXCardIsTakenBackAnonymouslyWithinTenSeconds(t *testing.T) {
	d := newXDesk(t)
	before := len(d.stored())
	token, err := d.anna.RaiseX(table.ByAgent(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	d.clock.add(act.XTakeBack)
	if err := d.anna.TakeXBack(table.ByAgent(t.Context()), token); err != nil {
		t.Fatal(err)
	}
	d.lies(false)
	for _, e := range d.stored()[before:] {
		body := string(e.Body)
		if e.Seat != "" || e.Key != "" || e.Move != "" || strings.Contains(body, token) ||
			strings.Contains(body, "request") || strings.Contains(body, "agent") {
			t.Errorf("it says %+v %s", e, body)
		}
	}
	log := d.log(d.boris)
	if last := log[len(log)-1]; last.Kind != view.KindXBack || last.Seat.ID != "" || len(last.Lines) != 1 {
		t.Errorf("the log ends with %+v", last)
	}
	if err := d.anna.TakeXBack(t.Context(), token); code(err) != refusal.CodeRefused {
		t.Errorf("its token is good twice: %v", err)
	}
	if second := d.raises(d.boris); second == "" || second == token {
		t.Errorf("a card right after is given the token %q", second)
	}
	d.lies(true)
	for _, file := range [][]byte{d.export(), d.seen(d.anna)} {
		if _, err := verify.File(toys, words, bytes.NewReader(file)); err != nil {
			t.Error(err)
		}
	}
}

// Taking back is refused for another seat, too late, on another node, or after somebody else's
// raise.
func TestXCardCannotBeTakenBackLateOrByOthers(t *testing.T) {
	for name, take := range map[string]func(d *xDesk, token string) error{
		"without the token": func(d *xDesk, _ string) error { return d.boris.TakeXBack(t.Context(), "") },
		"by another token": func(d *xDesk, token string) error {
			return d.boris.TakeXBack(t.Context(), token[1:]+"x")
		},
		"on another node": func(d *xDesk, token string) error { return d.borisElse.TakeXBack(t.Context(), token) },
		"late": func(d *xDesk, token string) error {
			d.clock.add(act.XTakeBack + time.Millisecond)
			return d.anna.TakeXBack(t.Context(), token)
		},
		"once another raised it": func(d *xDesk, token string) error {
			if second := d.raises(d.boris); second != "" {
				t.Errorf("the second is given the token %q", second)
			}
			return d.anna.TakeXBack(t.Context(), token)
		},
		"once another raised it on another node": func(d *xDesk, token string) error {
			d.raises(d.borisElse)
			return d.anna.TakeXBack(t.Context(), token)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newXDesk(t)
			if err := take(d, d.raises(d.anna)); code(err) != refusal.CodeRefused {
				t.Errorf("it's %v", err)
			}
			d.lies(true)
			if _, err := table.Do(t.Context(), d.anna, act.PutXAway, act.Nothing{}, ""); err != nil {
				t.Error(err)
			}
			d.lies(false)
			if _, err := verify.File(toys, words, bytes.NewReader(d.export())); err != nil {
				t.Error(err)
			}
		})
	}
	d := newXDesk(t)
	token := d.raises(d.anna)
	if err := d.guest.TakeXBack(t.Context(), token); code(err) != refusal.CodeForbidden {
		t.Errorf("a spectator: %v", err)
	}
}

// A log doesn't verify if a seat takes an X-card back, too late, twice or after a second raise.
func TestLogWithAnInvalidXCardDoesNotVerify(t *testing.T) {
	type steps []struct {
		kind, event, seat, key string
		after                  time.Duration
	}
	raise := steps{{kind: "x-card", event: "table.x-raised"}}
	back := func(seat, key string, after time.Duration) steps {
		return steps{{"x-taken-back", "table.x-taken-back", seat, key, after}}
	}
	second := func(seat, key string) steps { return steps{{"x-seconded", "table.x-seconded", seat, key, 0}} }
	for name, c := range map[string]struct {
		log  steps
		good bool
	}{
		"in time":              {slices.Concat(raise, back("", "", act.XTakeBack)), true},
		"seconded once":        {slices.Concat(raise, second("", "")), true},
		"raised after it":      {slices.Concat(raise, back("", "", 0), raise), true},
		"late":                 {slices.Concat(raise, back("", "", act.XTakeBack+1)), false},
		"before it was raised": {slices.Concat(raise, back("", "", -time.Second)), false},
		"by a seat":            {slices.Concat(raise, back("s2", "", 0)), false},
		"under a key":          {slices.Concat(raise, back("", "k", 0)), false},
		"twice":                {slices.Concat(raise, back("", "", 0), back("", "", 0)), false},
		"none":                 {back("", "", 0), false},
		"seconded, then back":  {slices.Concat(raise, second("", ""), back("", "", 0)), false},
		"seconded twice":       {slices.Concat(raise, second("", ""), second("", "")), false},
		"seconded by a seat":   {slices.Concat(raise, second("s2", "")), false},
		"seconded, no card":    {second("", ""), false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDeskOver(t, newMemory())
			log := d.stored()
			at := log[len(log)-1].Time
			for _, s := range c.log {
				said := d.says("1", said{kind: s.kind, seat: s.seat, events: []any{s.event, map[string]any{}}})
				entry := said[len(said)-1]
				at = at.Add(s.after)
				entry.Time, entry.Key = at, s.key
				log = append(log, entry)
			}
			_, err := verify.File(toys, words, bytes.NewReader(d.file(log)))
			if (err == nil) != c.good {
				t.Errorf("it verifies: %v", err)
			}
		})
	}
}
