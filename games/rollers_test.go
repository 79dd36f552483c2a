package games_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

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
	"norn/table/verify"
)

// Each row of dice in the log names whose it is where several characters roll, in one entry or over
// several, in any language and after a restart.
func TestDiceOfSeveralCharactersNameTheirRollers(t *testing.T) {
	type row struct{ For, Whose string }
	for name, c := range map[string]struct {
		game, move, args string
		cast             [][2]string // kind and sheet; the first one acts
		faces            []string    // for each question about dice
		want             []row
	}{
		"a group's checks and stress": {
			game: "spire", move: "group", args: `{"members":["B","C"],"risk":"d3","resistance":"mind"}`,
			cast:  [][2]string{{"character", `{}`}, {"character", `{}`}, {"character", `{}`}},
			faces: []string{"2", "3", "9", "1", "10", "1", "10"},
			want: []row{
				{"pool", ""}, {"pool", "B"}, {"pool", "C"}, {"stress", ""}, {"fallout", ""}, {"stress", "B"}, {"fallout", "B"},
			},
		},
		"a helper's fallout": {
			game: "spire", move: "check", args: `{"with":["B"],"risk":"d3","resistance":"mind","skill":"sneak"}`,
			cast: [][2]string{
				{"character", `{"skills":[{"name":"sneak"}]}`}, {"character", `{"skills":[{"name":"sneak"}]}`},
			},
			faces: []string{"2,3,2", "1", "10", "10"},
			want:  []row{{"pool", ""}, {"stress", ""}, {"fallout", ""}, {"fallout", "B"}},
		},
		"the saves of a power's targets": {
			game: "godbound", move: "power",
			args:  `{"name":"Gaze","does":"hinder","save":"hardiness","targets":["B","C"]}`,
			cast:  [][2]string{{"foe", `{"effort":{"total":1}}`}, {"hero", `{}`}, {"foe", `{}`}},
			faces: []string{"20", "20"},
			want:  []row{{"save", "B"}, {"foe-save", "C"}},
		},
		"attack and save in one part": {
			game: "godbound", move: "power",
			args:  `{"name":"Gaze","does":"hinder","hits":true,"save":"hardiness","targets":["B"]}`,
			cast:  [][2]string{{"foe", `{"effort":{"total":1}}`}, {"hero", `{}`}},
			faces: []string{"20", "20"},
			want:  []row{{"foe-attack", ""}, {"save", "B"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := sitDown(t, c.game)
			var ids []string
			for i, one := range c.cast {
				ids = append(ids, d.add(string(rune('A'+i)), one[0], one[1]))
				c.args = strings.ReplaceAll(c.args, `"`+string(rune('A'+i))+`"`, `"`+ids[i]+`"`)
			}
			_, err := d.gm.Make(t.Context(), request.Move{
				Move: c.move, Character: ids[0], Args: json.RawMessage(c.args), ByHand: true,
			})
			must(t, err)
			for _, faces := range c.faces {
				d.answerDice(faces)
			}
			for _, l := range lang.All {
				d.reopen(l)
				var got []row
				entries, err := d.gm.Log(t.Context(), 0, 0)
				must(t, err)
				for _, e := range entries {
					for _, thrown := range e.Throws {
						got = append(got, row{thrown.For, thrown.Whose})
					}
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("%s: the rows are %v, want %v", l, got, c.want)
				}
			}
			var file bytes.Buffer
			must(t, d.gm.Export(t.Context(), &file))
			_, err = verify.File(games.All(), d.words, &file)
			must(t, err)
		})
	}
}

// desk is a table of a game with its game master.
type desk struct {
	t       *testing.T
	words   *lang.Words
	journal *sqlite.Journal
	id, key string
	host    *table.Host
	gm      *table.Seat
}

func sitDown(t *testing.T, id string) *desk {
	t.Helper()
	folders := []fs.FS{form.Words, widget.Words, table.Words}
	for _, g := range games.All() {
		folders = append(folders, g.Words)
	}
	words, err := lang.Load(folders...)
	must(t, err)
	j, err := sqlite.Open(t.Context(), t.TempDir())
	must(t, err)
	t.Cleanup(func() { j.Close() })
	d := &desk{t: t, words: words, journal: j}
	d.serve()
	made, err := d.host.Create(t.Context(), request.NewTable{Game: id, Name: "A night", Lang: lang.En})
	must(t, err)
	d.id, d.key = made.ID, made.Seat.Secret
	d.reopen(lang.En)
	return d
}

func (d *desk) serve() {
	d.t.Helper()
	if d.host != nil {
		d.host.Close()
	}
	d.host = table.New(table.Config{
		Games: game.Fixed(games.All()), Words: d.words, Journal: d.journal, Relay: local.New(), Now: time.Now,
		Entropy: rand.Reader, Log: slog.New(slog.DiscardHandler), Version: "test",
	})
	d.t.Cleanup(func() { d.host.Close() })
}

// reopen restarts the server and sits down again, in a language.
func (d *desk) reopen(l lang.Lang) {
	d.t.Helper()
	d.serve()
	gm, err := d.host.Enter(d.t.Context(), d.id, d.key, l)
	must(d.t, err)
	d.gm = gm
}

func (d *desk) add(name, kind, sheet string) string {
	d.t.Helper()
	entry, err := table.Do(d.t.Context(), d.gm, act.AddCharacter, act.CharacterRequest{
		Name: name, Kind: kind, Sheet: json.RawMessage(sheet),
	}, "")
	must(d.t, err)
	var line struct{ ID string }
	must(d.t, json.Unmarshal(entry.Lines[0].Data, &line))
	return line.ID
}

// answerDice answers the first open question, which must be about dice.
func (d *desk) answerDice(faces string) {
	d.t.Helper()
	v, err := d.gm.View(d.t.Context())
	must(d.t, err)
	if len(v.Questions) == 0 || v.Questions[0].Dice == nil {
		d.t.Fatalf("no dice are asked for: %+v", v.Questions)
	}
	_, err = d.gm.Answer(d.t.Context(), request.Answer{
		Question: v.Questions[0].ID, Answer: json.RawMessage(`{"faces":[` + faces + `]}`),
	})
	must(d.t, err)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
