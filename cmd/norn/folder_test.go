package main

import (
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/owngames"
	"norn/game"
	"norn/games"
	"norn/internal/relay/local"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/script"
	"norn/table"
	"norn/table/request"
)

// call runs norn as a user would.
func call(t *testing.T, env []string, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e strings.Builder
	wired, err := cli.Wire(games.All())
	if err != nil {
		t.Fatal(err)
	}
	status = run(t.Context(), wired, args, strings.NewReader(""), &o, &e, env)
	return status, o.String(), e.String()
}

// A folder is a game that people can write, check, roll, price and read about. Mistakes in it are
// reported with their place.
func TestOwnGameInAFolderIsPlayedAndChecked(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	all := t.TempDir()
	dir := filepath.Join(all, "lantern")
	if status, out, errs := call(t, nil, "new-game", dir); status != cli.Done || !strings.Contains(out, "check-game") {
		t.Fatalf("new-game: %d, %s%s", status, out, errs)
	}
	for _, c := range []struct {
		line, want string
	}{
		{"check-game " + dir, "Lantern plays: 2 cases"},
		{"odds " + dir + " dare --nerve 3", "19/27"},
		{"--lang ru odds " + dir + " dare --nerve 3", "получилось"},
		{"roll " + dir + " dare --nerve 2 --dice 1,5", "done"},
		{"rules " + dir + " LA-02", "LA-02"},
		{"games --games " + all, "Lantern"},
		{"odds lantern dare --games=" + all, "5/9"},
		{"check-game --update " + dir, "plays"},
	} {
		if status, out, errs := call(t, nil, strings.Fields(c.line)...); status != cli.Done ||
			!strings.Contains(out, c.want) {
			t.Errorf("norn %s: %d, %s%s", c.line, status, out, errs)
		}
	}
	if status, out, errs := call(t, []string{"NORN_GAMES=" + all}, "rules", "lantern"); status != cli.Done ||
		!strings.Contains(out, "LA-01") {
		t.Errorf("by NORN_GAMES: %d, %s%s", status, out, errs)
	}
	if status, _, errs := call(t, nil, "new-game", dir); status != cli.Failed ||
		!strings.Contains(errs, "has files already") {
		t.Errorf("over a game: %d, %s", status, errs)
	}
	star := filepath.Join(dir, "game.star")
	text, err := os.ReadFile(star)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ was, is, line, want string }{
		{
			"me.nerve", "me.nervs", "odds " + dir + " dare",
			"game.star:19:16: Hero: there is no field nervs here; there are nerve, hurt",
		},
		{
			"number(\"Risk\", 1, 3)", "number(\"Risk\", 1.5, 3)", "odds " + dir + " dare",
			star + ":24:53: 1.5 isn’t a whole number",
		},
		{"number(\"Risk\", 1, 3)", "number(\"Risk\", 3, 1)", "odds lantern dare --games " + all, star + ":24:44: "},
		{"# LA-02", "# later", "check-game " + dir, "LA-02 is declared, but the text doesn’t say where it’s used"},
		{
			"by = hero, risk", "by = hero, bare = False, risk", "odds " + dir,
			"nothing in Lantern can be rolled without a table",
		},
		{"by = hero, risk", "by = hero, bare = False, risk", "odds " + dir + " dare", "“Dare” can be made only at a table"},
		{
			"        return done\n    change", "        pass\n    change", "odds " + dir + " dare",
			"“Dare” has no odds",
		},
		{
			"number(\"Risk\", 1, 3)", "number(\"Risk\", 3, 1)", "--lang ru check-game " + dir,
			"game.star:24:44: number: первое число должно быть меньше второго",
		},
		{
			"# LA-02", "# later", "--lang ru check-game " + dir,
			"LA-02 объявлено, но в тексте не сказано, где оно действует",
		},
		{"me.nerve", "me.nervs", "--lang uk odds " + dir + " dare", "поля nervs тут немає; є nerve, hurt"},
		{`game("Lantern"`, `game("Spire"`, "odds " + dir + " dare", "there is already a game with the id spire"},
	} {
		if err := os.WriteFile(star, []byte(strings.Replace(string(text), c.was, c.is, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, out, errs := call(t, nil, strings.Fields(c.line)...); status == cli.Done ||
			!strings.Contains(out+errs, c.want) {
			t.Errorf("%s, norn %s: %d, %s%s", c.is, c.line, status, out, errs)
		}
	}
	_, _, errs := call(t, nil, "--lang", "ru", "games", "--games", all)
	if !strings.Contains(errs, "игра с id spire уже есть") {
		t.Errorf("a game with a mistake, in Russian: %s", errs)
	}
	if status, _, errs := call(t, nil, "games", "--games", t.TempDir()); status == cli.Done ||
		!strings.Contains(errs, "there is no game in this folder") {
		t.Errorf("an empty folder: %d, %s", status, errs)
	}
}

// A server starts without a game that has mistakes and reports them. check-config and all other
// commands fail.
func TestServerStartsWithoutABrokenOwnGame(t *testing.T) {
	all := t.TempDir()
	for _, name := range []string{"a", "lantern", "z"} {
		if status, _, errs := call(t, nil, "new-game", filepath.Join(all, name)); status != cli.Done {
			t.Fatal(errs)
		}
	}
	broken := filepath.Join(all, "a", "game.star")
	if err := os.WriteFile(broken, []byte("game(\"A\")\nhero = = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(all, "z", "words.toml")); err != nil { // and one with the id of another
		t.Fatal(err)
	}
	own, err := cli.Wire(games.All())
	if err != nil {
		t.Fatal(err)
	}
	var heard []string
	with, err := owngames.Install(own, all, time.Now, nil, func(err error) { heard = append(heard, err.Error()) })
	if err != nil {
		t.Fatal(err)
	}
	if _, there := game.Find(with.Games, "lantern"); !there || len(with.Games) != len(own.Games)+1 {
		t.Errorf("it starts with %d games", len(with.Games))
	}
	if len(heard) != 2 || !strings.Contains(heard[0], broken+":2:8: ") ||
		!strings.Contains(heard[1], "already a game with the id lantern") {
		t.Errorf("it says %q", heard)
	}
	for _, line := range []string{"roll dice 2d6", "games", "odds lantern dare --nerve 3"} {
		if status, _, errs := call(t, []string{"NORN_GAMES=" + all}, strings.Fields(line)...); status != cli.Done ||
			!strings.Contains(errs, broken+":2:8: ") {
			t.Errorf("norn %s: %d, %s", line, status, errs)
		}
	}
	if status, _, errs := call(t, []string{"NORN_GAMES=" + filepath.Join(all, "nowhere")}, "roll", "dice",
		"2d6"); status != cli.Done || !strings.Contains(errs, "nowhere") {
		t.Errorf("without the folder: %d, %s", status, errs)
	}
	if status, _, errs := call(t, []string{"NORN_GAMES=" + all}, "check-config"); status == cli.Done ||
		!strings.Contains(errs, broken+":2:8: ") {
		t.Errorf("check-config: %d, %s", status, errs)
	}
}

// A configuration file can name the folder of games too, and unknown NORN_ variables cause a
// warning.
func TestConfigurationCanNameTheFolderOfGames(t *testing.T) {
	all := t.TempDir()
	if status, _, errs := call(t, nil, "new-game", filepath.Join(all, "lantern")); status != cli.Done {
		t.Fatal(errs)
	}
	file := filepath.Join(t.TempDir(), "norn.toml")
	if err := os.WriteFile(file, []byte("games = '"+all+"'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errs := call(t, []string{"NORN_LISTENS=:80", "NORN_SERVICE_HOST=10.0.0.1"}, "check-config", file)
	if status != cli.Done || !strings.Contains(out, "games = "+strconv.Quote(all)) ||
		!strings.Contains(out, file+":1") {
		t.Errorf("check-config: %d, %s%s", status, out, errs)
	}
	if !strings.Contains(errs, "NORN_LISTENS: there is no such setting") || !strings.Contains(errs, "NORN_LISTEN") ||
		strings.Contains(errs, "SERVICE") {
		t.Errorf("of unknown variables it warns: %s", errs)
	}
	if err := os.WriteFile(filepath.Join(all, "lantern", "game.star"), []byte("game(\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := call(t, nil, "check-config", file); status == cli.Done ||
		!strings.Contains(errs, "game.star:1:5") {
		t.Errorf("with a mistake: %d, %s", status, errs)
	}
	if err := os.WriteFile(file, []byte("games = 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := call(t, nil, "check-config", file); status == cli.Done ||
		!strings.Contains(errs, file+":1: games") {
		t.Errorf("no text: %d, %s", status, errs)
	}
}

// Odds state the answers that they assume.
func TestOddsStateTheAnswersTheyAssume(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	dir := filepath.Join(t.TempDir(), "push")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	text := `game("Pushing")
hero = sheet("Hero", nerve = number("Nerve", 1, 4, start = 2))
done = good("done")
ill = bad("ill")
push = question("Do you throw again?", again = flag("Throw again"), why = choice("Because", need = "I need it", will = "I will"))
def dare(me):
    n = roll(d6)
    if n < 4 and ask(push, to = me, assume = dict(again = True, why = "will")).again:
        n = roll(d6)
    return done if n > 3 else ill
move(dare, "Dare", by = hero)
`
	if err := os.WriteFile(filepath.Join(dir, "game.star"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string]string{"en": "Taken for granted: Do you throw again? Throw again, Because: I will", "ru": "Принято заранее: Do you throw again? Throw again, Because: I will"} {
		if status, out, errs := call(t, nil, "--lang", lang, "odds", dir, "dare"); status != cli.Done ||
			!strings.Contains(out, want) || !strings.Contains(out, "3/4") {
			t.Errorf("%s: %d, %s%s", lang, status, out, errs)
		}
	}
	for _, c := range []struct {
		line, want string
		status     int
	}{
		{"--dice 1,6 --choose push.again=yes", "done", cli.Done},
		{"--dice 1 --choose push.again=no", "ill", cli.Done},
		{"--dice 5 --choose push.again=yes", "this roll never asked for: push", cli.Done},
		{"--dice 1 --choose push.again=perhaps", "push.again", cli.WrongUsage},
		{"--choose push", "QUESTION=ANSWER", cli.WrongUsage},
	} {
		if status, out, errs := call(t, nil, strings.Fields("roll "+dir+" dare "+c.line)...); status != c.status ||
			!strings.Contains(out+errs, c.want) {
			t.Errorf("roll %s: %d, %s%s", c.line, status, out, errs)
		}
	}
	if status, out, _ := call(t, nil, "odds", "spire", "check"); status != cli.Done ||
		strings.Contains(out, "granted") {
		t.Errorf("where nothing is asked: %s", out)
	}
}

// A table keeps the text of its game, so its file can be made where the game's folder isn't named.
func TestTableOfAnOwnGameIsListedAndExportedWithoutItsFolder(t *testing.T) {
	text, err := script.Read(script.First())
	if err != nil {
		t.Fatal(err)
	}
	g, err := script.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	game.Install(g, func(source []byte) (*game.Game, error) {
		text, err := script.Parse(source)
		if err != nil {
			return nil, err
		}
		return script.Compile(text)
	}, nil)
	dir := t.TempDir()
	j, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	wired, err := cli.Wire(append(games.All(), g))
	if err != nil {
		t.Fatal(err)
	}
	host := table.New(table.Config{
		Games: game.Fixed(wired.Games), Words: wired.Words, Journal: j, Relay: local.New(), Now: time.Now,
		Entropy: rand.Reader, Log: slog.New(slog.DiscardHandler), Version: "test",
	})
	made, err := host.Create(t.Context(), request.NewTable{Game: g.ID, Name: "A night", Lang: lang.En})
	if err != nil {
		t.Fatal(err)
	}
	host.Close()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	year := strconv.Itoa(time.Now().Year())
	if status, out, errs := call(t, nil, "export", "--list", "--data", dir); status != cli.Done ||
		!strings.Contains(out, "A night · "+g.ID+" · ") || !strings.Contains(out, year) {
		t.Errorf("the list: %d, %s%s", status, out, errs)
	}
	file := filepath.Join(t.TempDir(), "night.jsonl")
	if status, out, errs := call(t, nil, "export", "--data", dir, "--out", file); status != cli.Done {
		t.Fatalf("export: %d, %s%s", status, out, errs)
	}
	if status, out, errs := call(t, nil, "verify", "--trust", file); status != cli.Done {
		t.Errorf("verify: %d, %s%s", status, out, errs)
	}
	other := t.TempDir()
	if status, out, errs := call(t, nil, "import", "--trust", file, "--data", other); status != cli.Done {
		t.Fatalf("import: %d, %s%s", status, out, errs)
	}
	if status, out, errs := call(t, nil, "export", "--table", made.ID, "--data", other, "--markdown"); status != cli.Done ||
		!strings.Contains(out, "# A night") || !strings.Contains(out, "Lantern") {
		t.Errorf("an imported table: %d, %s%s", status, out, errs)
	}
}

func TestGamesAreListedInJSON(t *testing.T) {
	status, out, errs := call(t, nil, "games", "--json")
	var listed []struct {
		ID, Name, About string
		Moves           []struct{ ID, Name string }
	}
	if err := json.Unmarshal([]byte(out), &listed); err != nil || status != cli.Done || len(listed) != len(games.All()) {
		t.Fatalf("%d, %v, %s%s", status, err, out, errs)
	}
	for _, g := range listed {
		if g.ID == "" || g.Name == "" || g.About == "" || len(g.Moves) == 0 || g.Moves[0].Name == "" {
			t.Errorf("a game is listed as %+v", g)
		}
	}
}

// A folder that isn't there is said in the reader's language, with its name.
func TestMissingFolderOfAGameIsSaidInEachLanguage(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	for language, want := range map[string]string{
		"en": "there is no such folder", "ru": "такой папки нет", "uk": "такої теки немає",
	} {
		status, out, errs := call(t, nil, "--lang", language, "check-game", gone)
		if status == cli.Done || !strings.Contains(out+errs, gone+": "+want) {
			t.Errorf("%s: %d, %s%s", language, status, out, errs)
		}
	}
}

// A flag may be called as the game's text calls the field, with its underscore, too.
func TestFlagsAreCalledAsTheTextCallsFields(t *testing.T) {
	dir := t.TempDir()
	text := "game(\"Tower\")\nhero = sheet(\"Hero\", old_scar = number(\"Old scar\", 1, 4))\ndone = good(\"done\")\nill = bad(\"ill\")\n" +
		"def dare(me, high_risk):\n    return done if roll(d6) > me.old_scar + high_risk else ill\n" +
		"move(dare, \"Dare\", by = hero, high_risk = number(\"High risk\", 0, 2))\n"
	if err := os.WriteFile(filepath.Join(dir, "game.star"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []string{"--old_scar 2 --high_risk 1", "--old-scar 2 --high-risk 1"} {
		status, out, errs := call(t, nil, strings.Fields("odds "+dir+" dare "+flags)...)
		if status != cli.Done || !strings.Contains(out, "1/2") {
			t.Errorf("%s: %d, %s%s", flags, status, out, errs)
		}
	}
}
