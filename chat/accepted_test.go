package chat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"norn/chat"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/lang"
)

// Every suggestion is accepted as it's written and means what it says: in every game and language,
// for every move, field and option, with characters of a real table and with similar names.
func TestEverySuggestionIsAcceptedAsWritten(t *testing.T) {
	t.Parallel()
	for n, g := range games.All() {
		for at, l := range lang.All {
			if testing.Short() && at != n%len(lang.All) {
				continue
			}
			t.Run(g.ID+" "+string(l), func(t *testing.T) {
				t.Parallel()
				cast, actors := demo(g, l)
				for i := range g.Moves {
					m := &g.Moves[i]
					if !m.AtTable {
						continue
					}
					f := m.Form.For(form.AtTable).WithoutAssumed()
					forms := map[string]*form.Form{"": peopled(f)}
					for _, kind := range m.Kinds {
						for _, id := range cast.IDs() {
							if s := cast; s.Cast[id].Kind == kind {
								s.Actor = id
								forms[kind] = m.Fit(s, f)
								break
							}
						}
					}
					if len(m.Kinds) == 0 {
						forms["nobody"] = m.Fit(cast, f)
					}
					for actor, f := range forms {
						b := book(g, l, f)
						if actor != "" {
							b.Actors = actors
						}
						offered(t, b, m.ID, f)
					}
				}
			})
		}
	}
}

// A move begins with its full name, of any number of words, and its values follow without a
// separator.
func TestMoveNamesOfSeveralWordsAreRead(t *testing.T) {
	t.Parallel()
	for _, g := range games.All() {
		for _, l := range lang.All {
			for i := range g.Moves {
				m := &g.Moves[i]
				if !m.AtTable {
					continue
				}
				b := book(g, l, peopled(m.Form.For(form.AtTable).WithoutAssumed()))
				if c, _ := b.Read("/" + b.MoveName(m.ID)); c.Move != m.ID {
					t.Errorf("%s, %s: %q begins %q", g.ID, l, b.MoveName(m.ID), c.Move)
				}
			}
		}
	}
	godbound, _ := game.Find(games.All(), "godbound")
	damage, _ := godbound.Move("damage")
	for line, want := range map[string]string{
		"/получить урон Кости урона: 2к6, Модификатор: 2": `{"dice":"2к6","modifier":2}`,
		"/Получить урон, модификатор 2":                   `{"modifier":2}`,
	} {
		b := book(godbound, lang.Ru, damage.Form.For(form.AtTable).WithoutAssumed())
		if c, err := b.Read(line); err != nil || c.Move != "damage" || string(c.Args) != want {
			t.Errorf("%s: %s %s %v", line, c.Move, c.Args, err)
		}
	}
}

// demo returns the table of a game's demo.
func demo(g *game.Game, l lang.Lang) (game.Scene, []chat.Person) {
	scene := game.Scene{Cast: map[string]game.Member{}, Settings: g.Settings.Default}
	var people []chat.Person
	for i, c := range g.Demo(allWords.In(l)).Cast {
		id := fmt.Sprintf("c%d", i+1)
		scene.Cast[id] = game.Member{ID: id, Kind: c.Kind, Name: c.Name, Sheet: c.Sheet}
		people = append(people, chat.Person{ID: id, Name: c.Name})
	}
	return scene, people
}

// offered continues a move's line at each of its fields and options, and reads each suggestion.
func offered(t *testing.T, b *chat.Book, move string, f *form.Form) {
	t.Helper()
	start := "/" + move + " "
	lines := []string{start, "/" + begun(move), start + "@"}
	voice := game.Voice{Speaker: allWords.In(b.Lang), Name: func(id string) string { return id }}
	for _, field := range f.Fields {
		lines = append(lines, start+begun(strings.ToLower(voice.Say(b.Game.Word("field", field.Name)))))
		for _, s := range b.Complete(start+begun(field.Name), len(start+begun(field.Name))) {
			lines = append(lines, start+s.Text) // the field's values
		}
		for _, o := range field.CurrentOptions() {
			lines = append(lines, start+begun(b.Game.Option(voice, field, o)))
		}
	}
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		for _, s := range b.Complete(line, len(line)) {
			whole := line[:s.From] + s.Text
			c, err := b.Read(whole)
			var wrong *chat.Error
			switch {
			// the field's name, whose value follows
			case errors.As(err, &wrong) && (wrong.Code == chat.NoValue || wrong.Code == chat.Nothing):
			case err != nil:
				t.Errorf("%s: of %q %q is offered: %s", move, line, whole, say(err, b.Lang))
			case len(c.Given) == 0 && c.Verb == chat.Make && strings.HasPrefix(line, start) &&
				len(whole) > len(start) && !strings.Contains(whole, "@"):
				// a group or a list, whose fields follow
				if last, _ := strings.CutSuffix(whole, ": "); last == whole {
					t.Errorf("%s: of %q %q is offered and means nothing", move, line, whole)
				}
			case s.About != "" && len(c.Given) > 0:
				given := c.Given[len(c.Given)-1]
				if want := s.About + ": " + s.Label; isChoice(f, voice, b.Game, s.About, s.Label) && given != want {
					t.Errorf("%s: of %q %q is offered as %q and read as %q", move, line, whole, want, given)
				}
			}
		}
	}
}

// isChoice reports whether a suggestion is an option of a field, by the labels of both.
func isChoice(f *form.Form, v game.Voice, g *game.Game, field, choice string) bool {
	return slices.ContainsFunc(f.Fields, func(f form.Field) bool {
		return v.Say(g.Word("field", f.Name)) == field &&
			slices.ContainsFunc(f.CurrentOptions(), func(o form.Option) bool {
				return g.Option(v, f, o) == choice
			})
	})
}

// begun returns the first letters of a name, as far as a person types before looking at
// suggestions.
func begun(name string) string {
	letters := []rune(name)
	return string(letters[:min(len(letters), 3)])
}

func TestCompletedCreatureThatFitsTwoFieldsSetsOne(t *testing.T) {
	foe := form.Option{Value: "c7", Text: "Toll-keeper"}
	for _, g := range games.All() {
		if g.ID != "godbound" {
			continue
		}
		attack, _ := g.Move("attack")
		f := attack.Form.For(form.AtTable)
		for path, field := range f.All() {
			if field.Kind == form.KindRef || field.Kind == form.KindRefs {
				f = f.With(path, foe)
			}
		}
		b := book(g, lang.En, f)
		const line = "/attack toll-k"
		for _, s := range b.Complete(line, len(line)) {
			c, err := b.Read(line[:s.From] + s.Text)
			if err != nil {
				t.Errorf("%q: %s", s.Text, say(err, lang.En))
			}
			var args map[string]any
			if json.Unmarshal(c.Args, &args) != nil || len(args) != 1 {
				t.Errorf("%q: %s", s.Text, c.Args)
			}
		}
		if len(b.Complete(line, len(line))) == 0 {
			t.Error("nothing is offered")
		}
	}
}
