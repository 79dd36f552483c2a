// Package norn_test checks norn as a whole, such as which package may import which.
package norn_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport lists, for each package, the packages of norn that it may import directly. "games/*"
// means each game's folder.
var mayImport = map[string][]string{
	"dice":          {},
	"form":          {"dice"},
	"lang":          {},
	"growth":        {}, // for tests
	"rows":          {"nesting", "workbook"},
	"rescue":        {},
	"nesting":       {},
	"workbook":      {},
	"lang/lint":     {"lang"},
	"lang/langtest": {"lang", "lang/lint"},
	"distribution":  {"dice"},
	"rule":          {"dice", "form", "distribution"},
	"odds":          {"dice", "distribution", "form", "rule"},
	"game":          {"dice", "form", "lang", "distribution", "rule"},
	"widget":        {"form", "lang", "game", "odds"},
	"game/judge":    {"dice", "form", "lang", "lang/lint", "widget", "distribution", "rule", "game"},
	"game/gametest": {
		"dice", "form", "lang", "lang/langtest", "lang/lint", "widget", "distribution",
		"rule", "odds", "game", "game/judge",
	},
	"foreign":             {"form", "lang", "game", "nesting", "rows", "workbook"},
	"foreign/foreigntest": {"foreign", "form", "game", "lang", "widget"},
	// for trying real files
	"foreign/inspect":          {"foreign", "form", "game", "games", "lang", "table", "widget"},
	"script":                   {"dice", "form", "lang", "rule", "game"},
	"script/check":             {"form", "lang", "game", "game/judge", "script"},
	"games/*":                  {"dice", "form", "lang", "widget", "distribution", "rule", "odds", "game"},
	"games":                    {"game", "games/*"},
	"bare":                     {"dice", "form", "lang", "distribution", "rule", "odds", "game"},
	"lab":                      {"dice", "form", "lang", "rule", "odds", "game", "bare", "script"},
	"lab/wasm":                 {"lab"},
	"chat":                     {"form", "lang", "game"},
	"chat/discord":             {"lang", "chat/bridge", "nesting", "rescue"},
	"chat/discord/discordtest": {},
	"chat/dispatch": {
		"form", "lang", "game", "bare", "chat", "table", "table/act", "table/refusal",
		"table/request", "table/view",
	},
	"chat/bridge": {
		"dice", "form", "lab", "lang", "rule", "game", "odds", "bare", "chat", "chat/dispatch",
		"kvstore", "table", "table/act", "table/refusal", "table/request", "table/view", "rescue",
	},
	"chat/telegram":              {"lang", "chat/bridge", "nesting", "rescue"},
	"chat/telegram/telegramtest": {},
	"journal":                    {},
	"journal/archive":            {"journal"},
	"journal/journaltest":        {"journal"},
	"journal/queue":              {"journal"},
	"journal/schema":             {},
	"journal/sqlite":             {"journal", "journal/queue", "journal/schema", "rescue"},
	"journal/postgres":           {"journal", "journal/queue", "journal/schema", "rescue"},
	"limit":                      {},
	"notify":                     {"kvstore", "rescue"},
	"kvstore":                    {},
	"meter":                      {"journal", "rescue"},
	"relay":                      {},
	"relay/relaytest":            {"relay"},
	"relay/local":                {"relay"},
	"relay/postgres":             {"relay", "relay/local", "rescue"},
	"picture":                    {},
	"wait":                       {}, // for tests
	"table/view":                 {"dice", "form", "lang", "rule", "odds", "game"},
	"table/refusal":              {"form", "game", "journal"},
	"table/request":              {"lang", "game"},
	"table/internal/state":       {"dice", "lang", "rule", "game", "journal", "table/view", "table/refusal"},
	"table/internal/ledger": {
		"rule", "odds", "game", "journal", "table/view", "table/refusal",
		"table/internal/state",
	},
	"table/internal/visibility": {
		"form", "lang", "rule", "game", "table/view", "table/internal/state",
		"table/internal/ledger",
	},
	"table/act": {
		"dice", "foreign", "form", "lang", "nesting", "rows", "rule", "odds", "game", "journal", "picture", "table/view",
		"workbook",
		"table/refusal",
		"table/request",
		"table/internal/state", "table/internal/ledger", "table/internal/visibility",
	},
	"table/internal/projection": {
		"dice", "form", "lang", "rule", "odds", "game", "table/view", "table/refusal", "table/request",
		"table/internal/state", "table/internal/ledger", "table/internal/visibility", "table/act",
	},
	"table/verify": {
		"dice", "form", "lang", "rule", "game", "journal", "journal/archive", "table/view", "table/refusal",
		"table/request",
		"table/internal/state", "table/internal/ledger", "table/internal/visibility", "table/act",
		"table/internal/projection",
	},
	"table": {
		"form", "lang", "odds", "game", "journal", "journal/archive", "picture", "relay", "table/view", "table/refusal",
		"table/request",
		"table/internal/state", "table/internal/ledger", "table/internal/visibility", "table/act",
		"table/internal/projection", "table/verify", "rescue",
	},
	"table/internal/tabletest": {
		"dice", "form", "lang", "rule", "game", "journal", "widget", "table", "table/act", "table/request",
		"table/view", "table/internal/state", "table/internal/ledger", "table/internal/visibility",
	},
	"agent": {"nesting", "rescue"}, // otherwise it uses only norn's API
	"web": {
		"lang", "odds", "game", "limit", "table", "web/middleware", "web/guide", "web/odds",
		"web/page", "web/rules",
	},
	"web/api": {
		"dice", "form", "lang", "distribution", "rule", "odds", "game", "bare", "lab", "notify",
		"limit", "nesting", "picture", "rows", "table", "table/act", "table/refusal", "table/request", "table/view",
		"web/stream", "rescue",
	},
	"web/middleware": {"lang", "odds", "game", "limit", "web/html", "rescue"},
	"web/html": {
		"dice", "form", "lab", "lang", "odds", "widget", "game", "table/act", "table/refusal",
		"table/request", "table/view", "web/fields",
	},
	"web/fields": {"form", "widget", "game"},
	"web/odds": {
		"dice",
		"form", "lang", "widget", "odds", "game", "bare", "lab", "web/middleware",
		"web/html", "web/fields",
	},
	"web/page": {
		"dice", "form", "lab", "lang", "widget", "odds", "game", "bare", "chat", "chat/bridge",
		"chat/dispatch", "notify", "limit", "picture", "rows", "workbook", "table", "table/act", "table/refusal",
		"table/request",
		"table/view", "web/middleware", "web/html", "web/fields", "web/odds", "web/stream",
	},
	"web/rules":   {"game", "widget", "web/middleware", "web/html"},
	"web/guide":   {"docs/guide", "lang", "widget", "web/middleware", "web/html"},
	"docs/guide":  {},
	"web/stream":  {"rescue"},
	"web/webtest": {"odds"},
	"docs/growth": {"dice", "rule", "odds"}, // draws how the cost of odds grows
	// to list them; otherwise it uses only norn's pages
	"docs/pictures": {"chat/telegram/telegramtest", "games"},
	"docs/site":     {"form", "game", "games", "lab", "lang", "widget"},
	"cmd/norn":      nil, // connects everything
	"cmd/norn/internal/cli": {
		"bare", "chat", "chat/bridge", "chat/discord", "chat/telegram",
		"cmd/norn/internal/version", "foreign", "form", "game", "lang", "widget", "rule", "script", "table", "web", "web/api",
	},
	"cmd/norn/internal/demos": {
		"form", "game", "lang", "rule", "table", "table/act", "table/refusal",
		"table/request", "table/view", "web/html",
	},
	"cmd/norn/internal/operator": {"form", "table", "table/refusal", "rescue"},
	"cmd/norn/internal/owngames": {
		"cmd/norn/internal/cli", "cmd/norn/internal/system", "game", "journal", "lang",
		"script", "script/check", "table", "table/verify", "rescue",
	},
	"cmd/norn/internal/server": {
		"agent", "chat/bridge", "chat/discord", "chat/telegram", "cmd/norn/internal/cli",
		"cmd/norn/internal/demos", "cmd/norn/internal/operator", "cmd/norn/internal/owngames",
		"cmd/norn/internal/storage", "cmd/norn/internal/system", "cmd/norn/internal/version", "form", "game", "notify",
		"kvstore", "journal", "lang", "limit", "meter", "odds", "table", "table/refusal", "web", "web/api",
		"web/middleware", "web/page", "rescue",
	},
	"cmd/norn/internal/storage": {
		"cmd/norn/internal/cli", "cmd/norn/internal/demos", "cmd/norn/internal/system", "cmd/norn/internal/version",
		"journal", "journal/postgres", "journal/sqlite", "kvstore", "relay", "relay/local", "relay/postgres", "table",
	},
	"cmd/norn/internal/pack":   {},
	"cmd/norn/internal/system": {},
	"cmd/norn/internal/tables": {
		"cmd/norn/internal/cli", "cmd/norn/internal/demos", "cmd/norn/internal/operator", "cmd/norn/internal/owngames",
		"cmd/norn/internal/storage", "cmd/norn/internal/system", "cmd/norn/internal/version", "form", "game",
		"journal", "journal/archive", "journal/sqlite", "table", "table/refusal", "table/request", "table/verify",
		"rescue",
	},
	"cmd/norn/internal/throw": {
		"bare", "chat", "cmd/norn/internal/cli", "dice", "form", "game", "lab", "lang", "odds",
		"rule",
	},
	"cmd/norn/internal/version": {},
	"playtest/chats":            {"chat/discord/discordtest", "chat/telegram/telegramtest"},
	"playtest/load":             {"journal/postgres/pgtest"}, // uses only norn's API; starts a PostgreSQL
	"playtest/press": { // serves pages to itself
		"bare", "chat", "foreign", "form", "game", "games", "journal/sqlite", "lang", "relay/local", "table", "table/act",
		"table/request", "web", "widget",
	},

	"journal/postgres/pgtest": {},
}

// Only packages that draw pages write HTML, including a game's own sheets, but not the packages of
// games themselves or the table.
var (
	markup   = []string{"github.com/a-h/templ", "html"}
	mayWrite = []string{
		"widget", "web/middleware", "web/fields", "web/html", "web/odds", "web/guide", "web/page",
		"web/rules", "games/*", "docs/site",
	}
)

// name returns the key of a package in mayImport: without "internal/"; "games/*" for a game or an example.
func name(folder string) string {
	folder = strings.TrimPrefix(folder, "internal/")
	if dir := path.Dir(folder); dir == "games" || dir == "examples" {
		return "games/*"
	}
	return folder
}

// under reports whether a package is one of some, or in a folder of theirs.
func under(packages []string, full string) bool {
	return slices.ContainsFunc(packages, func(p string) bool { return full == p || strings.HasPrefix(full, p+"/") })
}

// Imports are read from the files; tests may import more.
func TestPackagesImportOnlyAllowedPackages(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "node_modules", "tools", "bin", "testdata"}, d.Name()) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		folder := name(filepath.ToSlash(filepath.Dir(file)))
		allowed, listed := mayImport[folder]
		if !listed {
			t.Errorf("%s: package %s stands in no row of mayImport", file, folder)
			return nil
		}
		seen[folder] = true
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imported := range parsed.Imports {
			full, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				return err
			}
			if under(markup, full) && !slices.Contains(mayWrite, folder) {
				t.Errorf("%s imports %s; HTML is written in %v", file, full, mayWrite)
			}
			ours, ok := strings.CutPrefix(full, "norn/")
			if !ok || allowed == nil {
				continue
			}
			if !slices.Contains(allowed, name(ours)) {
				t.Errorf("%s imports %s; package %s may import %v", file, ours, folder, allowed)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range mayWrite {
		if !seen[folder] {
			t.Errorf("mayWrite lists %s, which isn't there", folder)
		}
	}
	for folder := range mayImport {
		if !seen[folder] {
			t.Errorf("mayImport lists %s, which isn't there", folder)
		}
	}
}

// Main programs make the list of games and pass it on: no package exports one, and only a game's
// own tests import its package.
func TestGamesArePassedInNotImported(t *testing.T) {
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "node_modules", "tools", "bin"}, d.Name()) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder := filepath.ToSlash(filepath.Dir(file))
		for _, imported := range parsed.Imports {
			one := path.Dir(strings.Trim(imported.Path.Value, `"`)) == "norn/games"
			if one && folder != "games" && "norn/"+folder != strings.Trim(imported.Path.Value, `"`) {
				t.Errorf("%s imports %s; a game is found by its id in what games.All makes", file, imported.Path.Value)
			}
		}
		if strings.HasSuffix(file, "_test.go") { // each test binary is a wiring of its own
			return nil
		}
		for _, declared := range parsed.Decls {
			v, ok := declared.(*ast.GenDecl)
			if !ok || v.Tok != token.VAR {
				continue
			}
			ast.Inspect(v, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if of, ok := s.X.(*ast.Ident); ok &&
					(of.Name == "games" || name(folder) == "games/*" && of.Name+"."+s.Sel.Name == "game.Game") {
					t.Errorf("%s: a variable of the package holds games", set.Position(s.Pos()))
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
