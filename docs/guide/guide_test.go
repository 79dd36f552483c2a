// Package guide_test compares the guide and README with the program: links must have targets, and
// quoted words must be on the pages.
package guide_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"norn/chat"
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/bare"
	"norn/lang"
	"norn/rule"
)

var (
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
	quoted = regexp.MustCompile(`\*\*[“«]([^”»]+)[”»]\*\*`) // how the guide marks words of the pages
	head   = regexp.MustCompile(`(?m)^#+ `)
)

// pages returns the guide's files in a language, by name.
func pages(t *testing.T, l lang.Lang) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(string(l), "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, file := range files {
		texts[filepath.Base(file)] = read(t, file)
	}
	return texts
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// words returns all words of the program.
func words(t *testing.T) *lang.Words {
	t.Helper()
	var folders []fs.FS
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && slices.Contains([]string{".git", "node_modules", "tools", "bin", "examples"},
			d.Name()) {
			return fs.SkipDir
		}
		if err == nil && d.IsDir() && d.Name() == "words" && path != "../../lang/words" { // every Words has these
			folders = append(folders, os.DirFS(filepath.Dir(path)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	all, err := lang.Load(folders...)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// known returns the texts of the program in a language, with a game's own terms.
func known(all *lang.Words, l lang.Lang, game string) map[string]bool {
	said := map[string]bool{}
	for _, id := range all.IDs(l) {
		said[all.In(l).Of(game).Say(id)] = true
	}
	return said
}

func TestLinksLeadToExistingFiles(t *testing.T) {
	files := []string{"../../README.md", "../commands.md"}
	for _, l := range lang.All {
		for name := range pages(t, l) {
			files = append(files, filepath.Join(string(l), name))
		}
	}
	for _, file := range files {
		for _, m := range link.FindAllStringSubmatch(read(t, file), -1) {
			to := m[1] + m[2]
			if strings.Contains(to, "://") {
				continue
			}
			path, _, _ := strings.Cut(to, "#")
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), filepath.FromSlash(path))); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", file, to)
			}
		}
	}
}

func TestQuotedWordsAreThoseOfTheProgram(t *testing.T) {
	all := words(t)
	for _, l := range lang.All {
		for name, text := range pages(t, l) {
			known := known(all, l, strings.TrimSuffix(name, ".md"))
			for _, m := range quoted.FindAllStringSubmatch(text, -1) {
				if said := strings.Join(strings.Fields(m[1]), " "); !known[said] {
					t.Errorf("%s/%s quotes %q, which no words say", l, name, said)
				}
			}
		}
	}
}

func TestEachLanguageHasTheSamePages(t *testing.T) {
	english := pages(t, lang.En)
	for _, l := range lang.All {
		other := pages(t, l)
		for name := range other {
			if english[name] == "" {
				t.Errorf("%s/%s has no English page", l, name)
			}
		}
		for name, text := range english {
			for what, marks := range map[string]*regexp.Regexp{
				"headings": head, "links": link,
				"quoted words": quoted,
			} {
				if have, want := len(marks.FindAllString(other[name], -1)),
					len(marks.FindAllString(text, -1)); have != want {
					t.Errorf("%s/%s has %d %s, in English %d", l, name, have, what, want)
				}
			}
		}
	}
}

// A game's page must name every move and every house rule.
func TestGamePagesNameEveryMoveAndHouseRule(t *testing.T) {
	words := words(t)
	for _, l := range lang.All {
		say := words.In(l)
		texts := pages(t, l)
		for _, g := range games.All() {
			text, presented := texts[g.ID+".md"]
			if !presented { // people of that language present it elsewhere
				continue
			}
			for _, m := range g.Moves {
				if name := say.Say(g.Word("move", m.ID)); !strings.Contains(text, name) {
					t.Errorf("%s/%s.md leaves out the move %s, %q", l, g.ID, m.ID, name)
				}
			}
			for path := range g.Settings.Form.All() {
				word := g.Word("setting", path)
				if !say.Has(word) {
					word = g.Word("field", path)
				}
				name := say.Say(word)
				if !strings.Contains(text, name) {
					t.Errorf("%s/%s.md leaves out the setting %s, %q", l, g.ID, path, name)
				}
			}
		}
	}
}

// Pictures must not be so large that they slow a reader down.
func TestPicturesAreSmallFiles(t *testing.T) {
	pictures, err := filepath.Glob("../pictures/*.webp")
	if err != nil || len(pictures) == 0 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	for _, picture := range pictures {
		info, err := os.Stat(picture)
		if err != nil {
			t.Fatal(err)
		}
		limit := int64(150_000)
		if filepath.Base(picture) == "moving.webp" {
			limit = 1_000_000
		}
		if info.Size() > limit {
			t.Errorf("%s has %d bytes; make pictures keeps to %d", picture, info.Size(), limit)
		}
	}
}

// Commands in the guide must have the meaning that the guide gives, in the language of its page: a
// move of Spire, an answer or talk.
func TestCommandsInTheGuideMeanWhatItSays(t *testing.T) {
	command := regexp.MustCompile("`(/[^`]{2,})`")
	spire, _ := game.Find(games.All(), "spire")
	words, err := lang.Load(chat.Words, form.Words, bare.Words, spire.Words)
	if err != nil {
		t.Fatal(err)
	}
	type yes struct {
		Allow bool `json:"allow"`
	}
	asked := chat.Question{ID: "q", Move: "heal", Form: form.Of[yes]()}
	want := []chat.Verb{
		chat.Make, chat.Make, chat.Make, chat.Make, chat.Make, chat.Odds, chat.Answer, chat.Answer,
		chat.Tell, chat.Whisper, chat.Make, chat.Say, chat.Tick, chat.Scene, chat.Undo, chat.Help,
	}
	for _, l := range lang.All {
		b := &chat.Book{
			Words: words, Lang: l, Game: spire, Master: true, Asked: []chat.Question{asked, asked},
			Actors: []chat.Person{{
				ID:   "c1",
				Name: map[lang.Lang]string{lang.En: "Lira", lang.Ru: "Лира", lang.Uk: "Ліра"}[l],
			}},
			Seats: []chat.Person{{
				ID:   "s2",
				Name: map[lang.Lang]string{lang.En: "Anna", lang.Ru: "Аня", lang.Uk: "Аня"}[l],
			}},
			Clocks: []chat.Person{{
				ID:   "k1",
				Name: map[lang.Lang]string{lang.En: "The watch", lang.Ru: "Стража", lang.Uk: "Варта"}[l],
			}},
			Scenes: []chat.Person{{
				ID:   "sc1",
				Name: map[lang.Lang]string{lang.En: "The station", lang.Ru: "Вокзал", lang.Uk: "Вокзал"}[l],
			}},
			Form: func(at chat.Spot) *form.Form {
				m, _ := spire.Move(at.Move)
				return m.Form.For(form.AtTable)
			},
		}
		for i := range spire.Moves {
			b.Moves = append(b.Moves, spire.Moves[i].ID)
		}
		var verbs []chat.Verb
		for _, m := range command.FindAllStringSubmatch(read(t, filepath.Join(string(l), "talk.md")), -1) {
			c, err := b.Read(m[1])
			if err != nil {
				t.Errorf("%s: %s: %v", l, m[1], err)
				continue
			}
			if c.Move == game.PlainDice && len(c.Given) == 0 {
				t.Errorf("%s: %s are no dice", l, m[1])
			}
			verbs = append(verbs, c.Verb)
		}
		if !slices.Equal(verbs, want) {
			t.Errorf("%s: the commands are %v, want %v", l, verbs, want)
		}
	}
}

// Every example of the page on notation must have a result and odds in each language, and every
// construct named by errors must be on the page.
func TestNotationExamplesAreValidAndComplete(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| (\w+) \| (.*?) \|`)
	code := regexp.MustCompile("`([^`]+)`")
	constructs := []dice.Construct{
		dice.OfSum, dice.OfDice, dice.OfFaces, dice.OfKeep, dice.OfReroll, dice.OfExplode, dice.OfCompare, dice.OfSet,
		dice.OfGroup,
		dice.OfParens, dice.OfTimes, dice.OfDivide, dice.OfEdge, dice.OfGoal, dice.OfBands,
	}
	for _, l := range lang.All {
		named, thrown := map[dice.Construct]bool{}, 0
		for _, m := range row.FindAllStringSubmatch(read(t, filepath.Join(string(l), "notation.md")), -1) {
			named[dice.Construct(m[1])] = true
			for _, example := range code.FindAllStringSubmatch(m[2], -1) {
				e, err := dice.Parse(example[1])
				if err != nil {
					t.Errorf("%s: %s: %v", l, example[1], err)
					continue
				}
				e.Throw(dice.NewStream([32]byte{1}))
				if _, err := rule.Walk(rule.Notation(e), nil, rule.Limits{}); err != nil {
					t.Errorf("%s: %s isn't priced: %v", l, example[1], err)
				}
				thrown++
			}
		}
		if thrown < 60 {
			t.Errorf("%s: %d examples", l, thrown)
		}
		for _, construct := range constructs {
			if !named[construct] {
				t.Errorf("%s/notation.md leaves out %s", l, construct)
			}
		}
	}
}
