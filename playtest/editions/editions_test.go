// Package editions holds tables of each edition of each game, recorded by the norn of that time,
// and checks that they can be continued.
package editions

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/journal"
	"norn/lang"
	"norn/rule"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

// fixtures returns the recordings of all editions. A short run uses all of one game, and the newest
// of each other.
func fixtures(t *testing.T) []fixture {
	t.Helper()
	paths, err := filepath.Glob(path("*", "*"))
	must(t, err)
	if len(paths) < len(games.All()) {
		t.Fatalf("only %d fixtures are here", len(paths))
	}
	if testing.Short() {
		paths, err = filepath.Glob(path(games.All()[0].ID, "*"))
		must(t, err)
		for _, g := range games.All()[1:] {
			paths = append(paths, path(g.ID, g.EditionID()))
		}
	}
	all := make([]fixture, len(paths))
	for i, p := range paths {
		all[i] = read(t, p)
	}
	return all
}

// opens puts a session's entries into a journal.
func (ev evening) opens(t testing.TB) journal.Journal {
	t.Helper()
	j := newJournal(t)
	entries := make([]journal.Entry, len(ev.Entries))
	for i, s := range ev.Entries {
		entries[i] = s.entry()
	}
	_, err := j.Append(t.Context(), ev.Table, 0, entries...)
	must(t, err)
	return j
}

// edition returns the edition of the table's creation.
func (ev evening) edition(t testing.TB) string {
	t.Helper()
	first := struct{ Edition string }{"1"}
	must(t, json.Unmarshal(ev.Entries[0].Body, &first))
	return first.Edition
}

// each plays every session of every fixture.
func each(t *testing.T, plays func(t *testing.T, f fixture, ev evening)) {
	for _, f := range fixtures(t) {
		for _, ev := range f.Evenings {
			t.Run(f.Game+" "+f.Edition+"/"+ev.Name, func(t *testing.T) {
				t.Parallel()
				plays(t, f, ev)
			})
		}
	}
}

// Everything that was recorded is still there, for everybody, in every language.
func TestOldTablesStillShowEverythingRecorded(t *testing.T) {
	each(t, func(t *testing.T, f fixture, ev evening) {
		host := newHost(t, ev.opens(t), "later", games.All()...)
		for _, c := range ev.Seats {
			now := look(t, host, ev.Table, c.Secret)
			recorded := ev.Shown[c.ID]
			without(recorded.View["offers"], "offer") // some were recorded with their words
			if !f.present() {
				recorded.View = maps.Clone(recorded.View)
				// a move of an older edition may have to be cancelled
				for _, name := range []string{"questions", "waiting"} {
					delete(recorded.View, name)
				}
				turns, _ := recorded.View["turns"].([]any) // who may still act is told by today's rules
				for _, turn := range turns {
					order, _ := turn.(map[string]any)["order"].([]any)
					for _, place := range order {
						delete(place.(map[string]any), "acted")
						delete(place.(map[string]any), "now")
					}
				}
				for _, c := range recorded.View["characters"].([]any) {
					delete(c.(map[string]any), "waits") // for a question of such a move
				}
			}
			if where := lost("view", recorded.View, now.View); where != "" {
				t.Errorf("%s: %s", c.Name, where)
			}
			if where := lost("log", list(recorded.Log), list(now.Log)); where != "" {
				t.Errorf("%s: %s", c.Name, where)
			}
			for l, texts := range recorded.Texts {
				for i, text := range texts {
					if i >= len(now.Texts[l]) || text != "" && now.Texts[l][i] == "" {
						t.Errorf("%s, %s: nothing is said any more where %q was", c.Name, l, text)
						break
					}
				}
			}
		}
	})
}

func list(log []map[string]any) []any {
	all := make([]any, len(log))
	for i, e := range log {
		all[i] = e
	}
	return all
}

// present reports whether a fixture is of the current edition.
func (f fixture) present() bool {
	g, ok := game.Find(games.All(), f.Game)
	return ok && f.Edition == g.EditionID()
}

// The rules of an edition roll, ask and report what was recorded of it.
func TestRulesReproduceTheirRecordedEdition(t *testing.T) {
	for _, g := range games.All() {
		again := "go test ./playtest/editions -run TestRecord -record " + g.ID
		file := path(g.ID, g.EditionID())
		if _, err := os.Stat(file); err != nil {
			t.Errorf("nothing is recorded of %s, edition %s: %s", g.ID, g.EditionID(), again)
			continue
		}
		f := read(t, file)
		where := differs(t, f, g)
		if i := slices.IndexFunc(f.Evenings, func(ev evening) bool { return ev.edition(t) != f.Edition }); i >= 0 {
			where = f.Evenings[i].Name + " is a table of another edition"
		}
		if where != "" {
			t.Errorf("%s\nThe rules of %s aren't those of its edition %s any more. If they're meant to change, raise Edition in games/%s/%s.go, and then: %s",
				where, g.ID, g.EditionID(), g.ID, g.ID, again)
		}
	}
}

// differs describes a difference between the rules of a game and a fixture, "" for none.
func differs(t *testing.T, f fixture, g *game.Game) string {
	t.Helper()
	for _, ev := range f.Evenings {
		if ev.Export != "" {
			if _, err := verify.File([]*game.Game{g}, spoken(), strings.NewReader(ev.Export)); err != nil {
				return ev.Name + ": " + err.Error()
			}
			continue
		}
		for _, c := range ev.Seats { // a table with open moves can't be exported
			now := look(t, newHost(t, ev.opens(t), "later", g), ev.Table, c.Secret)
			for _, name := range []string{"questions", "waiting"} {
				if where := lost(name, ev.Shown[c.ID].View[name], now.View[name]); where != "" {
					return ev.Name + ", " + where
				}
			}
		}
	}
	return ""
}

// A rule that rolls, asks or reports something else is detected unless its edition is raised.
func TestRuleChangeWithoutANewEditionIsDetected(t *testing.T) {
	all := games.All()
	if testing.Short() {
		all = all[:1]
	}
	for _, g := range all {
		t.Run(g.ID, func(t *testing.T) {
			t.Parallel()
			f := read(t, path(g.ID, g.EditionID()))
			if where := differs(t, f, g); where != "" {
				t.Fatal(where)
			}
			for name, change := range map[string]func(r *rule.Run, rest func(*rule.Run) rule.Outcome) rule.Outcome{
				"a throw before all others": func(r *rule.Run, rest func(*rule.Run) rule.Outcome) rule.Outcome {
					r.Throw(dice.Pool{N: 1, Sides: 6, For: "omen"})
					return rest(r)
				},
				"a question before all others": func(r *rule.Run, rest func(*rule.Run) rule.Outcome) rule.Outcome {
					rule.Ask(r, rule.Question[omen]{ID: g.ID + ".omen", To: game.GM, Form: omenForm})
					return rest(r)
				},
				"another outcome": func(r *rule.Run, rest func(*rule.Run) rule.Outcome) rule.Outcome {
					return rule.Outcome{ID: rest(r).ID, N: 77}
				},
			} {
				changed := *g
				changed.Moves = slices.Clone(g.Moves)
				for i := range changed.Moves {
					play := changed.Moves[i].Play
					changed.Moves[i].Play = func(s game.Scene, args any) func(*rule.Run) rule.Outcome {
						rest := play(s, args)
						return func(r *rule.Run) rule.Outcome { return change(r, rest) }
					}
				}
				if differs(t, f, &changed) == "" {
					t.Errorf("%s: nobody notices", name)
				}
				changed.Edition = max(1, g.Edition) + 1
				if where := differs(t, fixture{Evenings: f.closed()}, &changed); where != "" {
					t.Errorf("%s, by an edition of its own: %s", name, where)
				}
				for _, ev := range f.Evenings {
					if ev.Export == "" || ev.Name == f.Evenings[0].Name {
						goesOn(t, ev, &changed)
					}
				}
			}
		})
	}
}

// omen is the answer to a new question.
type omen struct {
	Good bool `json:"good"`
}

var omenForm = form.Of[omen]()

// closed returns the sessions without open questions.
func (f fixture) closed() []evening {
	return slices.DeleteFunc(slices.Clone(f.Evenings), func(ev evening) bool { return ev.Export == "" })
}

// Everything that was begun can be continued with the current rules: the newer edition is adopted,
// each open question is answered or its move cancelled, new moves are made, and the table is
// exported, verified, moved to another store and imported.
func TestOldTablesContinueWithCurrentRules(t *testing.T) {
	each(t, func(t *testing.T, f fixture, ev evening) {
		for name, file := range map[string]string{"export": ev.Export, "a seat's": ev.Seen} {
			if file == "" {
				continue
			}
			found, err := verify.File(games.All(), spoken(), strings.NewReader(file))
			if err != nil || f.present() && found.Older != nil {
				t.Errorf("the recorded file, %s: %+v, %v", name, found.Older, err)
			}
		}
		g, _ := game.Find(games.All(), f.Game)
		found := goesOn(t, ev, g)
		if f.present() && found.Older != nil {
			t.Errorf("not all of its rules were run again: %+v", found.Older)
		}
	})
}

// goesOn continues a session with the rules of a game and returns the final verification.
func goesOn(t *testing.T, ev evening, g *game.Game) verify.Result {
	t.Helper()
	ctx, store := t.Context(), ev.opens(t)
	host := newHost(t, store, "later", g)
	enter := func(seat int) *table.Seat {
		t.Helper()
		s, err := host.Enter(ctx, ev.Table, ev.Seats[seat].Secret, lang.En)
		must(t, err)
		return s
	}
	gm := enter(0)
	view, err := gm.View(ctx)
	must(t, err)
	if view.Newer != "" {
		for _, m := range view.Stranded {
			if m.Text == "" {
				t.Errorf("%s: a move is cancelled without a word", ev.Name)
			}
		}
		_, err := table.Do(ctx, gm, act.TakeEdition, act.Nothing{}, "")
		must(t, err)
	}
	for range 500 {
		if view, err = gm.View(ctx); err != nil || len(view.Questions) == 0 {
			break
		}
		q := view.Questions[0]
		answer := standard(t, q)
		if q.Dice != nil {
			faces := rule.Faces{}
			for range q.Dice.N {
				faces.Faces = append(faces.Faces, 1)
			}
			answer, err = json.Marshal(faces)
			must(t, err)
		}
		if _, err := gm.Answer(ctx, request.Answer{Question: q.ID, Answer: answer}); err != nil {
			_, err := table.Do(ctx, gm, act.Cancel, act.CancelRequest{Move: q.Move}, "")
			must(t, err)
		}
	}
	must(t, err)
	if len(view.Questions)+len(view.Waiting)+len(view.Stranded) > 0 {
		t.Errorf("%s: still open: %v, %v, %v", ev.Name, view.Questions, view.Waiting, view.Stranded)
	}
	for _, c := range view.Characters {
		if c.Busy != "" {
			t.Errorf("%s: %s is still held", ev.Name, c.Name)
		}
	}
	doesSomethingNew(t, ev, enter, gm, view)
	if view, err = gm.View(ctx); err == nil {
		for _, q := range view.Questions {
			_, err := table.Do(ctx, gm, act.Cancel, act.CancelRequest{Move: q.Move}, "")
			if code := refusal.Error(nil); err != nil && !errors.As(err, &code) { // several questions of one move
				must(t, err)
			}
		}
	}
	must(t, err)
	_, err = table.Do(ctx, gm, act.EndSession, act.Nothing{}, "")
	must(t, err)

	var file bytes.Buffer
	must(t, gm.Export(ctx, &file))
	found, err := verify.File([]*game.Game{g}, spoken(), bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Errorf("%s: %v", ev.Name, err)
	}
	arriving, err := verify.ReadImport([]*game.Game{g}, spoken(), &file, true)
	must(t, err)
	_, err = newHost(t, newJournal(t), "there", g).Import(ctx, arriving)
	must(t, err)

	movesToAnotherStore(t, ev, g, store)
	return found
}

// doesSomethingNew makes a move of the game and rolls plain dice.
func doesSomethingNew(t *testing.T, ev evening, enter func(int) *table.Seat, gm *table.Seat, view *view.View) {
	t.Helper()
	ctx := t.Context()
	made := 0
	for _, m := range view.Moves {
		actor := ""
		if len(m.Characters) > 0 {
			actor = m.Characters[0]
		}
		// otherwise it needs more than its default values
		if _, err := gm.Make(ctx, request.Move{Move: m.ID, Character: actor}); err == nil {
			made++
			break
		}
	}
	rolled, err := enter(1).Make(ctx, request.Move{Move: game.PlainDice, Args: json.RawMessage(`{"notation":"2d6"}`)})
	if must(t, err); len(rolled.Entry.Throws) != 1 || len(view.Characters) > 0 && made == 0 {
		t.Errorf("%s: nothing new can be done: %+v", ev.Name, rolled.Entry)
	}
}

// movesToAnotherStore copies the journal to another store, where the table is the same.
func movesToAnotherStore(t *testing.T, ev evening, g *game.Game, store journal.Journal) {
	t.Helper()
	ctx := t.Context()
	entries, err := store.Read(ctx, ev.Table, 0, 0)
	must(t, err)
	other := newJournal(t)
	_, err = journal.Copy(ctx, other, ev.Table, entries)
	must(t, err)
	moved, err := other.Read(ctx, ev.Table, 0, 0)
	must(t, err)
	here, err := table.Sum([]*game.Game{g}, ev.Table, entries)
	must(t, err)
	if there, err := table.Sum([]*game.Game{g}, ev.Table, moved); err != nil || there != here {
		t.Errorf("%s: moved to another store it's another table: %v", ev.Name, err)
	}
}
