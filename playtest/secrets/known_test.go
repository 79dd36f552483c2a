package secrets

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"regexp"
	"sync"
	"testing"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
)

// world is a table that differs from its twin only in what players don't see.
type world struct {
	*hall
	guests map[string]*guest
}

// drawn is a stream of bytes that depends only on its seed.
type drawn struct {
	mu sync.Mutex
	*rand.ChaCha8
}

func newDrawn(seed uint64) *drawn {
	return &drawn{ChaCha8: rand.NewChaCha8([32]byte{0: byte(seed), 1: byte(seed >> 8), 2: 1})}
}

func (d *drawn) Read(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ChaCha8.Read(b)
}

var _ io.Reader = (*drawn)(nil)

// newWorld fills hidden sheets with values from a seed of their own.
func newWorld(t *testing.T, g *game.Game, hidden uint64) *world {
	h := openHall(t, g, 1)
	created, err := h.host.Create(t.Context(), request.NewTable{Game: g.ID, Name: "twins", Lang: lang.En})
	must(t, err)
	w := &world{hall: h, guests: map[string]*guest{}}
	w.guests["gm"] = h.comes("gm", created.ID, created.Seat.ID, created.Seat.Secret)
	for _, name := range []string{"anna", "watcher"} {
		role := game.Player
		if name == "watcher" {
			role = game.Spectator
		}
		invited, err := table.Do(t.Context(), w.guests["gm"].seat, act.AddSeat,
			act.SeatRequest{Name: name, Role: string(role)}, "")
		must(t, err)
		w.guests[name] = h.comes(name, created.ID, invited.ID, invited.Secret)
	}
	p := &party{hall: h, game: g}
	m := maker{Rand: rand.New(rand.NewPCG(hidden, 3)), text: func() string { return "words" }, bold: true}
	for i, c := range g.Demo(spoken().In(lang.En)).Cast {
		kind, _ := g.Kind(c.Kind)
		n := act.CharacterRequest{Name: c.Name, Kind: c.Kind, Sheet: kind.Form.JSON(c.Sheet)}
		if kind.Player && i%2 == 0 {
			n.Owner = w.guests["anna"].id
		}
		_, err := table.Do(t.Context(), w.guests["gm"].seat, act.AddCharacter, n, "")
		must(t, err)
		if !p.hides(kind) {
			continue
		}
		// Numbers that a rule may read, but not what players see of the sheet.
		for range 40 {
			patch := map[string]any{}
			for _, name := range hiddenNumbers[g.ID] {
				if f, ok := kind.Form.Field(name); ok {
					patch[name] = m.value(f)
					if f.Kind == form.KindInt {
						patch[name] = map[uint64]int{1: f.Min, 2: f.Max}[hidden]
					}
				}
			}
			data, err := json.Marshal(patch)
			must(t, err)
			if _, err := table.Do(t.Context(), w.guests["gm"].seat, act.ChangeCharacter,
				act.ChangeRequest{ID: fmt.Sprintf("c%d", i+1), Sheet: data}, ""); err == nil {
				break
			}
		}
	}
	return w
}

// hiddenNumbers lists fields of a sheet that rules read and players don't see.
var hiddenNumbers = map[string][]string{
	"spire": {"difficulty", "resistance", "die", "armour"}, "eclipse": {"aptitudes", "skills", "traumas", "wounds"},
	"edda": {"dice", "difficulties", "advantages"}, "godbound": {"hd", "ac", "save", "morale", "bonus"},
}

// Odds, sources, forms and everything else that players can request before a roll is the same to
// the byte, whatever is on the sheets that they don't see.
func TestOddsRevealNothingOfHiddenSheets(t *testing.T) {
	for _, g := range games.All() {
		if hiddenNumbers[g.ID] == nil {
			continue
		}
		t.Run(g.ID, func(t *testing.T) {
			one, two := newWorld(t, g, 1), newWorld(t, g, 2)
			if one.guests["gm"].table != two.guests["gm"].table {
				t.Fatal("the twins differ in more than hidden sheets")
			}
			asked, differ := 0, 0
			for _, name := range []string{"anna", "watcher", "gm"} {
				a, b := one.guests[name], two.guests[name]
				m := maker{Rand: rand.New(rand.NewPCG(5, 5)), text: func() string { return "words" }}
				view, err := a.seat.View(t.Context())
				must(t, err)
				for _, move := range view.Moves {
					if name == "gm" && differ > 0 {
						break // the twins do differ
					}
					for range 3 {
						actor := ""
						if len(move.Characters) > 0 {
							actor = move.Characters[m.IntN(len(move.Characters))]
						}
						f, err := a.seat.MoveForm(t.Context(), move.ID, actor)
						must(t, err)
						args := m.fill(f.Fields)
						body := map[string]any{"move": move.ID, "args": args}
						if actor != "" {
							body["character"] = actor
						}
						query := url.Values{"_m": {move.ID}, "_a": {actor}}
						for name, value := range args {
							query.Set(name, fmt.Sprint(value))
						}
						best := map[string]any{"aim": "win"}
						for k, v := range body {
							best[k] = v
						}
						if def, _ := g.Move(move.ID); len(def.Aims) > 0 {
							best["aim"] = def.Aims[0].ID
						}
						pages := func(w *guest) []sent {
							script := map[string]string{"HX-Request": "true"}
							return []sent{
								w.api("POST", "/odds", body), w.api("POST", "/odds", best),
								w.page("GET", "/t/"+w.table+"/odds?"+query.Encode(), nil, script),
								w.page("GET", "/t/"+w.table+"/move?_keep=1&"+query.Encode(), nil, script),
							}
						}
						left, right := pages(a), pages(b)
						for i := range left {
							asked++
							if l, r := plainPage(left[i]), plainPage(right[i]); l != r {
								differ++
								if name != "gm" {
									at := 0
									for at < min(len(l), len(r)) && l[at] == r[at] {
										at++
									}
									t.Errorf("%s's odds of %s (%d) %v tell hidden numbers apart:\n%.300s\n%.300s", name,
										move.ID, i, args,
										l[max(0, at-100):], r[max(0, at-100):])
								}
							}
						}
					}
				}
			}
			if differ == 0 {
				t.Errorf("of %d answers not even the game master's differ", asked)
			}
		})
	}
}

var newKey = regexp.MustCompile(`value="([0-9a-f]{32}|[0-9A-Z]{13})"`)

// plainPage returns an answer without random parts.
func plainPage(s sent) string {
	return fmt.Sprint(s.status, newKey.ReplaceAllString(string(s.body), ""))
}
