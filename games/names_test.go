package games_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"norn/games"
)

// ours are words of norn's own pages, lines and commands that are also names of games' arguments.
var ours = map[string]bool{
	"action": true, "actions": true, "again": true, "by": true, "commitment": true, "default": true, "dice": true,
	"difficulty": true, "do": true, "domain": true, "failed": true, "from": true, "kind": true, "missing": true,
	"name": true, "on": true, "roll": true, "several": true, "text": true, "to": true, "until": true, "value": true, "was": true, "whom": true,
	"with": true, "word": true, "words": true, "zone": true,
}

// Only a game's own folder uses its name: a new game needs just a line in games.go. Code about one
// game by its nature, such as a scene that plays it and its picture, is a test or in docs. So a
// game's name must not be a word of norn's own either.
func TestOnlyAGamesOwnFolderUsesItsName(t *testing.T) {
	var ids []string
	for _, g := range games.All() {
		ids = append(ids, g.ID)
	}
	any := "(" + strings.Join(ids, "|") + ")"
	text, code := regexp.MustCompile(
		`(?i)["'/]`+any+`["'/.]`,
	), regexp.MustCompile(
		`(?i)(^|["'/ `+"`"+`])`+any+`(["'/. `+"`"+`]|$)`,
	)
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(
				// foreign reads systems that other programs have for the games, which have their names
				[]string{".git", "node_modules", "bin", "dist", "games", "docs", "testdata", "notices", "playtest", "foreign"},
				d.Name(),
			) {
				return fs.SkipDir
			}
			return nil
		}
		switch ext := filepath.Ext(file); {
		case strings.HasSuffix(file, "_test.go"), filepath.Base(filepath.Dir(file)) == "journaltest":
		case ext == ".go":
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && code.MatchString(l.Value) {
					t.Errorf(
						"%s names a game, or one is called by a word of norn's own: %s",
						set.Position(l.Pos()),
						l.Value,
					)
				}
				return true
			})
		case slices.Contains([]string{".mjs", ".js", ".css", ".toml", ".sh", ".service"}, ext):
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if found := text.Find(data); found != nil {
				t.Errorf("%s names a game, or one is called by a word of norn's own: %s", file, found)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Nobody but a game knows what its arguments are called: no such name is in code for all
// games.
func TestOnlyAGamesOwnFolderNamesItsArguments(t *testing.T) {
	named := map[string]string{}
	for _, g := range games.All() {
		for _, m := range g.Moves {
			for path := range m.Form.All() {
				for name := range strings.SplitSeq(path, ".") {
					named[name] = g.ID + "'s " + m.ID
				}
			}
		}
	}
	used := map[string]bool{}
	for _, root := range []string{"web", "chat", "cmd/norn", "table"} {
		var files []string
		if err := filepath.WalkDir("../"+root, func(file string, d fs.DirEntry, err error) error {
			// whose examples are of some game; platforms that tests make
			if err == nil && d.IsDir() && (d.Name() == "api" || strings.HasSuffix(d.Name(), "test")) {
				return fs.SkipDir
			}
			if filepath.Ext(file) == ".go" {
				files = append(files, file)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
					continue
				}
				ast.Inspect(d, func(n ast.Node) bool {
					l, ok := n.(*ast.BasicLit)
					if !ok || l.Kind != token.STRING {
						return true
					}
					text, err := strconv.Unquote(l.Value)
					if err != nil {
						t.Fatal(err)
					}
					used[text] = used[text] || ours[text]
					if move := named[text]; move != "" && !ours[text] {
						t.Errorf("%s: %q is an argument of %s", set.Position(l.Pos()), text, move)
					}
					return true
				})
			}
		}
	}
	for name := range ours {
		if !used[name] || named[name] == "" {
			t.Errorf("%q needs no exception any more", name)
		}
	}
}
