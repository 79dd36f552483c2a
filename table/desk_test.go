package table_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"norn/form"
	"norn/game"
	"norn/internal/relay"
	"norn/internal/relay/local"
	"norn/internal/widget"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/internal/tabletest"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// The toy game and its types.
var toy = tabletest.Toy

type (
	Hero   = tabletest.Hero
	Shade  = tabletest.Shade
	House  = tabletest.House
	Thing  = tabletest.Thing
	Home   = tabletest.Home
	Rest   = tabletest.Rest
	Omen   = tabletest.Omen
	Rested = tabletest.Rested
)

// patience bounds the wait for news that come at once, unless the machine is busy.
const patience = 20 * time.Second

// desk is a host with a table of the toy game: two players with a hero each, a spectator, and a
// game master with a shade.
type desk struct {
	t       testing.TB
	journal journal.Journal
	relay   relay.Relay
	host    *table.Host
	id      string
	secrets map[string]string // by seat

	gm, anna, boris, guest *table.Seat
	hero, other, shade     string
}

var words = func() *lang.Words {
	w, err := lang.Load(table.Words, form.Words, widget.Words)
	if err != nil {
		panic(err)
	}
	return w
}()

// clock advances by a second with each call.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time { return c.add(time.Second) }

func (c *clock) add(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}

// entropy returns the same random bytes in each run.
type entropy struct {
	mu sync.Mutex
	r  *rand.ChaCha8
}

func (e *entropy) Read(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.r.Read(b)
}

func newHost(j journal.Journal, r relay.Relay) *table.Host {
	return table.New(config(j, r))
}

func config(j journal.Journal, r relay.Relay) table.Config {
	return table.Config{
		Games: game.Fixed{toy}, Words: words, Journal: j, Relay: r, Now: newClock().Now,
		Entropy: &entropy{r: rand.NewChaCha8([32]byte{1})}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Version: "test",
	}
}

func open(t testing.TB) journal.Journal {
	t.Helper()
	j, err := sqlite.Open(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func newDesk(t testing.TB) *desk { return newDeskOver(t, open(t)) }

func newDeskOver(t testing.TB, j journal.Journal) *desk {
	t.Helper()
	d := &desk{t: t, journal: j, relay: local.New(), secrets: map[string]string{}}
	d.host = newHost(j, d.relay)
	created, err := d.host.Create(t.Context(), request.NewTable{Game: "toy", Name: "Tuesday", Lang: lang.En})
	if err != nil {
		t.Fatal(err)
	}
	d.id, d.secrets[created.Seat.ID] = created.ID, created.Seat.Secret
	d.gm = d.enter(created.Seat.Secret)
	d.anna, d.boris = d.invite("Anna", game.Player), d.invite("Boris", game.Player)
	d.guest = d.invite("Guest", game.Spectator)
	d.hero = d.add(d.gm, act.CharacterRequest{
		Name: "Lira", Kind: "hero", Sheet: raw(`{"doom":"SECRET doom"}`),
		Owner: d.anna.ID(),
	})
	d.other = d.add(d.boris, act.CharacterRequest{Name: "Orm", Kind: "hero"})
	d.shade = d.add(d.gm, act.CharacterRequest{
		Name: "SECRET shade", Kind: "shade",
		Sheet: raw(`{"note":"SECRET note"}`),
	})
	return d
}

// step runs a part of a test as a subtest that continues at the same desk. If it fails, the test
// stops, since later parts depend on it.
func (d *desk) step(name string, do func(t *testing.T)) {
	d.t.Helper()
	whole := d.t.(*testing.T)
	defer func() { d.t = whole }()
	if !whole.Run(name, func(t *testing.T) { d.t = t; do(t) }) {
		whole.FailNow()
	}
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }

func (d *desk) enter(secret string) *table.Seat {
	d.t.Helper()
	s, err := d.host.Enter(d.t.Context(), d.id, secret, lang.En)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

func (d *desk) invite(name string, role game.Role) *table.Seat {
	d.t.Helper()
	i, err := table.Do(d.t.Context(), d.gm, act.AddSeat, act.SeatRequest{Name: name, Role: string(role)}, "")
	if err != nil {
		d.t.Fatal(err)
	}
	d.secrets[i.ID] = i.Secret
	return d.enter(i.Secret)
}

func (d *desk) add(s *table.Seat, n act.CharacterRequest) string {
	d.t.Helper()
	entry, err := table.Do(d.t.Context(), s, act.AddCharacter, n, "")
	if err != nil {
		d.t.Fatal(err)
	}
	var line struct{ ID string }
	if err := json.Unmarshal(entry.Lines[0].Data, &line); err != nil {
		d.t.Fatal(err)
	}
	return line.ID
}

// reopen replaces the host by a new one over the same journal, as a restart does.
func (d *desk) reopen() {
	d.t.Helper()
	d.host.Close()
	d.host = newHost(d.journal, d.relay)
	for _, s := range []**table.Seat{&d.gm, &d.anna, &d.boris, &d.guest} {
		*s = d.enter(d.secrets[(*s).ID()])
	}
}

func (d *desk) make(s *table.Seat, r request.Move) view.Made {
	d.t.Helper()
	made, err := s.Make(d.t.Context(), r)
	if err != nil {
		d.t.Fatalf("make %s: %v", r.Move, err)
	}
	return made
}

func (d *desk) answer(s *table.Seat, question, answer string) view.Made {
	d.t.Helper()
	made, err := s.Answer(d.t.Context(), request.Answer{Question: question, Answer: raw(answer)})
	if err != nil {
		d.t.Fatalf("answer %s: %v", question, err)
	}
	return made
}

func (d *desk) view(s *table.Seat) *view.View {
	d.t.Helper()
	v, err := s.View(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return v
}

func (d *desk) log(s *table.Seat) []view.Entry {
	d.t.Helper()
	entries, err := s.Log(d.t.Context(), 0, 0)
	if err != nil {
		d.t.Fatal(err)
	}
	return entries
}

// sheet returns a character's sheet as the GM sees it.
func sheet[S any](d *desk, id string) S {
	d.t.Helper()
	for _, c := range d.view(d.gm).Characters {
		if c.ID == id {
			return c.Sheet.(S)
		}
	}
	d.t.Fatalf("no character %s", id)
	panic("unreachable")
}

// hit makes a strike of Anna's hero with typed dice that hits Boris's.
func (d *desk) hit() view.Made {
	d.t.Helper()
	return d.make(d.anna, request.Move{
		Move: "strike", Character: d.hero, Args: raw(`{"target":"` + d.other + `"}`), Dice: []int{6, 1},
	})
}

// code returns the code of an error of package refusal, "" for none.
func code(err error) string {
	var r refusal.Error
	switch {
	case errors.As(err, &r):
		return r.Code()
	case err != nil:
		return "other: " + err.Error()
	}
	return ""
}

// text returns the JSON of values, as clients get it.
func text(t testing.TB, values ...any) string {
	t.Helper()
	data, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// plain returns the JSON of one value, as clients get it.
func plain(t testing.TB, value any) string {
	t.Helper()
	return strings.TrimSuffix(strings.TrimPrefix(text(t, value), "["), "]")
}

func same(t testing.TB, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// faces returns all faces in entries, by part, number and purpose.
func faces(entries []view.Entry) map[string][]int {
	found := map[string][]int{}
	for _, e := range entries {
		for _, throw := range e.Throws {
			found[strings.Join([]string{e.Move, throw.Part, string(rune('0' + throw.N)), throw.For}, "/")] = throw.Faces
		}
	}
	return found
}
