// Package models plays random evenings of a game master and two players at real tables, next to a
// second, plain model of the game. The models are written from the text of the rules, not from the
// code that they check. After each step sheets, questions, refusals, offers and the log are compared.
package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/relay/local"
	"norn/internal/widget"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/view"
)

// Evenings of each game, and what is done in one of them.
const (
	seeds  = 50
	sample = 2 // under -short
	steps  = 60
)

// entrant is a character or a thing that an evening begins with.
type entrant struct {
	name, kind string
	player     int // 1 or 2; 0 for the game master
	sheet      string
}

// play names somebody's next act: a move, or an offer that is taken.
type play struct {
	move, by string
	args     map[string]any
	gm       bool           // the game master does it
	offer    string         // id of the offer; "" for none
	player   int            // who does it with what belongs to nobody
	secret   bool           // only the game master sees it
	call     map[string]any // what the game master has called for it with
}

func (p play) String() string {
	args, _ := json.Marshal(p.args)
	return fmt.Sprintf("%s by %q (game master: %v) %s", p.move, p.by, p.gm, args)
}

func (p play) text(name string) string   { s, _ := p.args[name].(string); return s }
func (p play) is(name string) bool       { b, _ := p.args[name].(bool); return b }
func (p play) list(name string) []string { l, _ := p.args[name].([]string); return l }
func (p play) number(name string) int    { return p.numberOr(name, 0) }
func (p play) has(name string) bool      { _, ok := p.args[name]; return ok }
func (p play) with(name string, v any)   { p.args[name] = v }
func (p play) numberOr(name string, or int) int {
	if n, ok := p.args[name].(int); ok {
		return n
	}
	return or
}

// model is a second implementation of a game's rules.
type model interface {
	// begins returns the table's settings, and who is there. Their ids are c1, c2 and so on.
	begins(r *rand.Rand) (settings map[string]any, cast []entrant)
	// plays returns something that somebody may try.
	plays(r *rand.Rand) play
	// forbids returns the ids of the rules that forbid it.
	forbids(p play) []string
	// runs plays it, with what is known of its dice and answers.
	runs(p play, h *hearing)
	// answers returns a random answer to a question.
	answers(r *rand.Rand, p play, q view.Question) map[string]any
	// sheet returns an empty sheet of the model's own for a character.
	sheet(id string) any
	// now returns a character's sheet.
	now(id string) any
	// saves returns a function that restores everything.
	saves() (restore func())
	// fields names what of an event of the log is compared.
	fields() map[string][]string
}

// hearing is a move as the model sees it: dice and answers so far, and what the model expects.
type hearing struct {
	dice  map[string][][]int // by roller and purpose: "c1 d100"
	said  map[string][]map[string]any
	asked []string // questions that must be open now: "mage.ruin gm"
	lines []string
	offer []string
}

// throw returns the next faces that somebody threw for something.
func (h *hearing) throw(who, purpose string) []int {
	key := who + " " + purpose
	if len(h.dice[key]) == 0 {
		panic(missing{"a throw of " + key})
	}
	faces := h.dice[key][0]
	h.dice[key] = h.dice[key][1:]
	return faces
}

// missing lists things that a model needs and the table hasn't.
type missing struct{ what string }

// ask returns the next answer to a question. Without one, the question must be open.
func (h *hearing) ask(question, to string) (map[string]any, bool) {
	key := question + " " + to
	if len(h.said[key]) == 0 {
		h.asked = append(h.asked, key)
		return nil, false
	}
	answer := h.said[key][0]
	h.said[key] = h.said[key][1:]
	return answer, true
}

// tells expects an event in the log, with pairs of a member and its value.
func (h *hearing) tells(event string, members ...any) {
	values := map[string]any{}
	for i := 0; i < len(members); i += 2 {
		values[members[i].(string)] = members[i+1]
	}
	h.lines = append(h.lines, line(event, values))
}

// ends expects an outcome of the move.
func (h *hearing) ends(id string, n int) { h.tells("outcome", "id", id, "n", n) }

// offers expects an offer.
func (h *hearing) offers(move, to, who string, members ...any) {
	values := map[string]any{}
	for i := 0; i < len(members); i += 2 {
		values[members[i].(string)] = members[i+1]
	}
	h.offer = append(h.offer, line("offer "+move+" to "+to+" for "+who, values))
}

// line writes an event or an offer so that it can be compared; zero values are left out.
func line(event string, values map[string]any) string {
	plain := map[string]any{}
	data, _ := json.Marshal(values)
	_ = json.Unmarshal(data, &plain)
	for name, value := range plain {
		switch text := fmt.Sprint(value); text {
		case "0", "", "false", "<nil>", "[]", "map[]":
			delete(plain, name)
		}
	}
	data, _ = json.Marshal(plain)
	return event + " " + string(data)
}

// spoken returns all words.
var spoken = sync.OnceValue(func() *lang.Words {
	folders := []fs.FS{form.Words, widget.Words, table.Words}
	for _, g := range games.All() {
		folders = append(folders, g.Words)
	}
	words, err := lang.Load(folders...)
	if err != nil {
		panic(err)
	}
	return words
})

// drawn is a stream of bytes that depends only on its seed.
type drawn struct {
	mu sync.Mutex
	r  *rand.ChaCha8
}

func (d *drawn) Read(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.r.Read(b)
}

// evening is a table next to a model.
type evening struct {
	t     testing.TB
	game  *game.Game
	model model
	r     *rand.Rand

	gm      *table.Seat
	players []*table.Seat
	owners  map[string]int // by character
	names   map[string]string
	seen    uint64
	began   uint64 // entry with which everything is prepared
	last    uint64 // entry that opened the last finished move
	undo    func() // restores the model to before it

	made, refused, undone int
}

// TestRandomEveningsAreAsTheModelsSay plays random evenings.
func TestRandomEveningsAreAsTheModelsSay(t *testing.T) {
	models := map[string]func() model{
		"mage":    func() model { return &mage{} },
		"eclipse": func() model { return &eclipse{} },
	}
	for id, create := range models {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			g, _ := game.Find(games.All(), id)
			n := seeds
			if testing.Short() {
				n = sample
			}
			made, refused, undone := 0, 0, 0
			for seed := range n {
				if t.Failed() {
					break
				}
				t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
					e := begin(t, g, create(), uint64(seed+1))
					for range steps {
						if e.step(); t.Failed() {
							return
						}
					}
					made, refused, undone = made+e.made, refused+e.refused, undone+e.undone
				})
			}
			t.Logf("%s: %d evenings, %d moves, %d refusals, %d undone", id, n, made, refused, undone)
		})
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// begin opens a table with the model's cast.
func begin(t testing.TB, g *game.Game, m model, seed uint64) *evening {
	t.Helper()
	j, err := sqlite.Open(t.Context(), t.TempDir())
	must(t, err)
	relay := local.New()
	var mu sync.Mutex
	now := time.Date(2026, 5, 1, 20, 0, 0, 0, time.UTC)
	host := table.New(table.Config{
		Games: game.Fixed{g}, Words: spoken(), Journal: j, Relay: relay, Log: slog.New(slog.DiscardHandler), Version: "test",
		Now: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			now = now.Add(time.Minute)
			return now
		},
		Entropy: &drawn{r: rand.NewChaCha8([32]byte{0: byte(seed), 1: byte(seed >> 8), 2: 9})},
	})
	t.Cleanup(func() {
		_ = host.Close()
		_ = relay.Close()
		_ = j.Close()
	})
	created, err := host.Create(t.Context(), request.NewTable{Game: g.ID, Name: "An evening", Lang: lang.En})
	must(t, err)
	e := &evening{
		t: t, game: g, model: m, r: rand.New(rand.NewPCG(seed, 61)), owners: map[string]int{}, names: map[string]string{},
	}
	e.gm, err = host.Enter(t.Context(), created.ID, created.Seat.Secret, lang.En)
	must(t, err)
	for _, name := range []string{"Anna", "Bohdan"} {
		invited, err := table.Do(t.Context(), e.gm, act.AddSeat, act.SeatRequest{Name: name, Role: string(game.Player)}, "")
		must(t, err)
		seat, err := host.Enter(t.Context(), created.ID, invited.Secret, lang.En)
		must(t, err)
		e.players = append(e.players, seat)
	}
	settings, cast := m.begins(e.r)
	data, err := json.Marshal(settings)
	must(t, err)
	_, err = table.Do(t.Context(), e.gm, act.Configure, act.ConfigureRequest{Settings: data}, "")
	must(t, err)
	for i, c := range cast {
		n := act.CharacterRequest{Name: c.name, Kind: c.kind, Sheet: json.RawMessage(c.sheet)}
		if c.player > 0 {
			n.Owner = e.players[c.player-1].ID()
		}
		added, err := table.Do(t.Context(), e.gm, act.AddCharacter, n, "")
		must(t, err)
		if want := fmt.Sprint("c", i+1); added.ID != want {
			t.Fatalf("%s has the id %s, want %s", c.name, added.ID, want)
		}
		e.owners[added.ID], e.names[c.name] = c.player, added.ID
	}
	for _, c := range e.view().Characters {
		data, err := json.Marshal(c.Sheet)
		must(t, err)
		must(t, json.Unmarshal(data, m.now(c.ID)))
	}
	e.entries()
	e.began = e.seen
	return e
}

// seat returns the seat of a player, or the game master's for 0.
func (e *evening) seat(of int) *table.Seat {
	if of == 0 {
		return e.gm
	}
	return e.players[of-1]
}

// view returns what the game master sees.
func (e *evening) view() *view.View {
	v, err := e.gm.View(e.t.Context())
	must(e.t, err)
	return v
}

// entries returns the entries of the log that are new.
func (e *evening) entries() []view.Entry {
	all, err := e.gm.Log(e.t.Context(), e.seen, 0)
	must(e.t, err)
	if len(all) > 0 {
		e.seen = all[len(all)-1].Seq
	}
	return all
}

// step lets somebody do something: mostly a move, else an offer or an undo.
func (e *evening) step() {
	if e.undo != nil && e.r.IntN(12) == 0 {
		e.undoes()
		return
	}
	p := e.model.plays(e.r)
	if open := e.view().Offers; len(open) > 0 && e.r.IntN(3) == 0 {
		o := open[len(open)-1-e.r.IntN(min(3, len(open)))]
		p = play{move: o.Move, by: o.Character, args: o.Args, offer: o.ID}
		data, _ := json.Marshal(o.Args)
		p.args = plainArgs(data)
		p.gm = o.To == game.GM || e.owners[o.To] == 0
	}
	e.plays(p)
}

// plainArgs reads arguments as the models write them.
func plainArgs(data []byte) map[string]any {
	var args map[string]any
	_ = json.Unmarshal(data, &args)
	for name, value := range args {
		switch value := value.(type) {
		case float64:
			args[name] = int(value)
		case []any:
			var texts []string
			for _, each := range value {
				texts = append(texts, fmt.Sprint(each))
			}
			args[name] = texts
		}
	}
	return args
}

// plays makes a move at the table and in the model, and answers its questions.
func (e *evening) plays(p play) {
	e.t.Helper()
	if p.call != nil {
		e.calls(p)
		defer e.withdraws()
	}
	unseen := e.sees(p)
	args, err := json.Marshal(e.said(p))
	must(e.t, err)
	seat := e.gm
	if !p.gm {
		seat = e.seat(max(p.player, e.owners[p.by]))
	}
	r := request.Move{Move: p.move, Character: p.by, Args: args, Offer: p.offer, Secret: p.secret}
	if p.offer != "" {
		r = request.Move{Offer: p.offer}
	}
	forbidden := e.model.forbids(p)
	made, err := seat.Make(e.t.Context(), r)
	if refused, ok := errors.AsType[*game.Refusal](err); ok || err == nil && len(forbidden) > 0 {
		e.refused++
		if !ok {
			e.t.Errorf("%v\nis allowed, the model refuses it by %v", p, forbidden)
		} else if !slices.Contains(forbidden, refused.Rule) {
			e.t.Errorf("%v\nis refused by %s (%s), the model refuses it by %v", p, refused.Rule, refused.Word, forbidden)
		}
		e.compareSheets(p.String())
		return
	}
	if err != nil {
		e.t.Fatalf("%v: %v", p, err)
	}
	before := e.model.saves()
	var entries []view.Entry
	said := map[string][]map[string]any{}
	for {
		entries = append(entries, e.entries()...)
		h := e.hears(p, entries, said)
		before()
		e.runs(p, h)
		open := e.view().Questions
		asked := game.Each(open, func(q view.Question) string { return q.Question + " " + q.To })
		slices.Sort(asked)
		slices.Sort(h.asked)
		if !slices.Equal(asked, h.asked) {
			e.t.Errorf("%v\nasks %q, the model asks %q after %v", p, asked, h.asked, said)
			return
		}
		if len(open) == 0 {
			e.compare(p, entries, h)
			break
		}
		q := open[e.r.IntN(len(open))]
		q = open[slices.IndexFunc(open, func(o view.Question) bool { // of equal ones, the model hears the first before
			return o.Question == q.Question && o.To == q.To
		})]
		answer := e.model.answers(e.r, p, q)
		data, err := json.Marshal(answer)
		must(e.t, err)
		to := e.seat(e.owners[q.To])
		if p.secret {
			to = e.gm
		}
		_, err = to.Answer(e.t.Context(), request.Answer{Question: q.ID, Answer: data})
		if err != nil {
			e.t.Fatalf("%v: %s to %s: %s: %v", p, q.Question, q.To, data, err)
		}
		key := q.Question + " " + q.To
		said[key] = append(said[key], answer)
	}
	if diff := cmp.Diff(unseen, e.sees(p)); diff != "" {
		e.t.Errorf("%v\nis secret, and players see (-before +after):\n%s", p, diff)
	}
	e.made++
	e.last, e.undo = made.Entry.Seq, before
}

// said returns the arguments that are sent: those of a call may be left out, and players can't send
// what is only for game masters.
func (e *evening) said(p play) map[string]any {
	args := maps.Clone(p.args)
	leaves := e.r.IntN(2) == 0
	for name := range p.call {
		if leaves || name == "tease" {
			delete(args, name)
		}
	}
	return args
}

// calls lets the game master call for a move. A player's move with other arguments is refused.
func (e *evening) calls(p play) {
	e.t.Helper()
	data, err := json.Marshal(p.call)
	must(e.t, err)
	_, err = table.Do(e.t.Context(), e.gm, act.CallMove,
		act.CallRequest{Move: p.move, Character: form.Ref(p.by), Args: data}, "")
	must(e.t, err)
	other := maps.Clone(p.args)
	delete(other, "tease")
	if other["difficulty"] = "hard"; p.call["difficulty"] == "hard" {
		other["difficulty"] = "easy"
	}
	if n, ok := p.call["difficulty"].(int); ok {
		other["difficulty"] = n - 1
	}
	args, err := json.Marshal(other)
	must(e.t, err)
	if _, err := e.seat(e.owners[p.by]).Make(e.t.Context(),
		request.Move{Move: p.move, Character: p.by, Args: args}); err == nil {
		e.t.Errorf("%v\nwas called for with %v and is made with %s", p, p.call, args)
	}
	for _, player := range e.players {
		v, err := player.View(e.t.Context())
		must(e.t, err)
		if data, _ := json.Marshal(v.Calls); strings.Contains(string(data), "tease") {
			e.t.Errorf("%v\na player reads of what was called for %s", p, data)
		}
	}
	e.entries()
}

// withdraws withdraws all calls that no move has met.
func (e *evening) withdraws() {
	e.t.Helper()
	for _, c := range e.view().Calls {
		_, err := table.Do(e.t.Context(), e.gm, act.WithdrawCall, act.WithdrawRequest{Call: c.ID}, "")
		must(e.t, err)
	}
	e.entries()
}

// sees returns what players see of a table on which a secret move is made; "" for an open move.
func (e *evening) sees(p play) string {
	if !p.secret {
		return ""
	}
	var all strings.Builder
	for _, player := range e.players {
		v, err := player.View(e.t.Context())
		must(e.t, err)
		log, err := player.Log(e.t.Context(), 0, 0)
		must(e.t, err)
		for _, part := range []any{v.Characters, v.Questions, v.Offers, v.Calls, log} {
			data, err := json.MarshalIndent(part, "", " ")
			must(e.t, err)
			all.Write(data)
		}
	}
	return all.String()
}

// runs lets the model play. What it lacks is a difference.
func (e *evening) runs(p play, h *hearing) {
	defer func() {
		switch lacks := recover().(type) {
		case nil:
		case missing:
			e.t.Errorf("%v\nlacks %s, which the model expects", p, lacks.what)
		default:
			panic(lacks)
		}
	}()
	e.model.runs(p, h)
}

// hears collects what the model may know of a move.
func (e *evening) hears(p play, entries []view.Entry, said map[string][]map[string]any) *hearing {
	h := &hearing{dice: map[string][][]int{}, said: map[string][]map[string]any{}}
	for _, entry := range entries {
		for _, t := range entry.Throws {
			who := p.by
			if t.Whose != "" {
				who = e.names[t.Whose]
			}
			purpose, _, _ := strings.Cut(t.For, "-") // Mage's dice name their difficulty
			key := who + " " + purpose
			h.dice[key] = append(h.dice[key], t.Faces)
		}
	}
	for key, all := range said {
		h.said[key] = slices.Clone(all)
	}
	return h
}

// compare compares a finished move with the model.
func (e *evening) compare(p play, entries []view.Entry, h *hearing) {
	e.t.Helper()
	for key, left := range h.dice {
		if len(left) > 0 {
			e.t.Errorf("%v\nthrows %s %v, the model doesn't", p, key, left)
		}
	}
	var lines []string
	for _, entry := range entries {
		if o := entry.Outcome; o != nil {
			lines = append(lines, line("outcome", map[string]any{"id": o.ID, "n": o.N}))
		}
		for _, l := range entry.Lines {
			fields, known := e.model.fields()[l.Type]
			if !known {
				e.t.Errorf("the model doesn't know %s", l.Type)
			}
			var data map[string]any
			must(e.t, json.Unmarshal(l.Data, &data))
			values := map[string]any{}
			for _, name := range fields {
				values[name] = data[name]
			}
			lines = append(lines, line(l.Type, values))
		}
	}
	slices.Sort(lines)
	slices.Sort(h.lines)
	if diff := cmp.Diff(h.lines, lines); diff != "" {
		e.t.Errorf("%v\nthe log differs from the model (-model +table):\n%s", p, diff)
	}
	var offers []string
	for _, o := range e.view().Offers {
		if o.From != entries[0].Move {
			continue
		}
		data, _ := json.Marshal(o.Args)
		args, values := plainArgs(data), map[string]any{}
		for _, name := range e.model.fields()["offer "+o.Move] {
			values[name] = args[name]
		}
		offers = append(offers, line("offer "+o.Move+" to "+o.To+" for "+o.Character, values))
	}
	slices.Sort(offers)
	slices.Sort(h.offer)
	if diff := cmp.Diff(h.offer, offers); diff != "" {
		e.t.Errorf("%v\nthe offers differ from the model (-model +table):\n%s", p, diff)
	}
	e.compareSheets(p.String())
}

// compareSheets compares all sheets with the model's.
func (e *evening) compareSheets(after string) {
	e.t.Helper()
	for _, c := range e.view().Characters {
		data, err := json.Marshal(c.Sheet)
		must(e.t, err)
		is := e.model.sheet(c.ID)
		must(e.t, json.Unmarshal(data, is))
		if diff := cmp.Diff(plainSheet(e.model.now(c.ID)), plainSheet(is)); diff != "" {
			e.t.Errorf("after %s\nthe sheet of %s differs from the model (-model +table):\n%s", after, c.ID, diff)
		}
	}
}

// plainSheet returns a sheet as JSON, in which no list and an empty one are the same.
func plainSheet(sheet any) string {
	data, _ := json.MarshalIndent(sheet, "", "  ")
	return strings.ReplaceAll(string(data), "[]", "null")
}

// undoes undoes the last move at the table and in the model.
func (e *evening) undoes() {
	_, err := table.Do(e.t.Context(), e.gm, act.Undo, act.UndoRequest{Seq: int(e.last)}, "")
	if err != nil {
		e.t.Fatalf("undo of %d: %v", e.last, err)
	}
	e.undo()
	e.undo = nil
	e.undone++
	e.withdraws()
	e.compareSheets("an undo")
}
