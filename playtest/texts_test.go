//go:build e2e

package playtest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"norn/form"
	"norn/game"
	"norn/internal/relay/local"
	"norn/internal/wait"
	"norn/internal/widget"
	"norn/journal/postgres/pgtest"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/script"
	"norn/table"
	"norn/table/request"
)

// ferry returns a folder of games with the ferrymen's in it; rest is the name of their night
// ashore.
func ferry(t *testing.T, rest string) string {
	t.Helper()
	all := t.TempDir()
	if err := os.CopyFS(filepath.Join(all, "nightferry"), os.DirFS("../examples/nightferry")); err != nil {
		t.Fatal(err)
	}
	edit(t, all, "def rest(me):", "def "+rest+"(me):", "move(rest,", "move("+rest+",")
	return all
}

// edit changes the text of the ferrymen's game.
func edit(t *testing.T, all string, changes ...string) {
	t.Helper()
	file := filepath.Join(all, "nightferry", "game.star")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.NewReplacer(changes...).Replace(string(text))), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs norn; well says whether it must succeed.
func run(t *testing.T, well bool, args ...string) string {
	t.Helper()
	said, err := exec.Command(binary, append(args, "--lang", "en")...).CombinedOutput()
	if (err == nil) != well {
		t.Fatalf("norn %s: %v\n%s", strings.Join(args, " "), err, said)
	}
	return string(said)
}

// crossing is a table of the ferrymen's with a character.
type crossing struct{ path, gm, id string }

func (s *server) crossing() crossing {
	s.t.Helper()
	made := s.must("POST", "/tables", "", body{"game": "nightferry", "name": "A night", "lang": "en"})
	c := crossing{
		path: "/tables/" + made["id"].(string), gm: made["seat"].(map[string]any)["secret"].(string),
		id: made["id"].(string),
	}
	s.must("POST", c.path+"/characters", c.gm,
		body{"name": "Vera", "kind": "ferryman", "sheet": body{"row": 2}, "key": "vera"})
	return c
}

// moves makes a move with real dice, and returns the answer.
func (s *server) moves(c crossing, move string, dice ...int) (int, map[string]any) {
	s.t.Helper()
	args := body{}
	if move == "act" {
		args["action"] = "row"
	}
	return s.call("POST", c.path+"/moves", c.gm, body{"move": move, "character": "c1", "args": args, "dice": dice})
}

func (s *server) makes(c crossing, move string, dice ...int) map[string]any {
	s.t.Helper()
	status, answer := s.moves(c, move, dice...)
	if status >= 300 {
		s.t.Fatalf("%s at %s: %d %v", move, c.path, status, answer)
	}
	return answer
}

// A table of an own game uses its own text whatever happens to its folder: through an edit, a kill
// in the middle of a question, an export, a move to another journal, and an import, which needs a
// server with that very text.
func TestTableOfAnOwnGameSurvivesChangesOfItsFolder(t *testing.T) {
	t.Parallel()
	games := ferry(t, "rest")
	n := serve(t, "--games", games)
	old := n.crossing()
	n.makes(old, "rest", 1)
	made := n.makes(old, "act", 3, 5)
	question := made["open"].([]any)[0].(map[string]any)["id"]
	edit(t, games, "def rest(me):", "def sleep(me):", "move(rest,", "move(sleep,")

	var young crossing
	wait.Until(t, "a new table plays by the edited folder", func() bool {
		young = n.crossing()
		status, _ := n.moves(young, "sleep", 1)
		return status < 300
	})
	if status, _ := n.moves(young, "rest", 1); status < 300 {
		t.Error("a table that was opened since plays by the old text")
	}
	n.kill()
	n.start()
	n.must("POST", old.path+"/answers", old.gm,
		body{"question": question, "answer": body{"what": "hurt", "name": "A cut"}})
	view := n.must("GET", old.path, old.gm, nil)
	for _, q := range view["questions"].([]any) {
		n.must("POST", old.path+"/answers", old.gm,
			body{"question": q.(map[string]any)["id"], "answer": body{"resist": false}})
	}
	n.makes(old, "rest", 1)
	if status, _ := n.moves(old, "sleep", 1); status < 300 {
		t.Error("an older table plays by the new text, which nobody took")
	}
	n.makes(young, "sleep", 1)

	file := filepath.Join(t.TempDir(), "night.jsonl")
	n.kill()
	run(t, true, "export", "--data", n.dir, "--table", old.id, "--out", file, "--games", games)
	if said := run(t, false, "verify", file, "--games", games); !strings.Contains(said, "--trust") {
		t.Errorf("a text that isn't here is told of by %s", said)
	}
	run(t, true, "verify", file, "--trust", "--games", games)
	run(t, true, "verify", file, "--trust")
	before := ferry(t, "rest")
	run(t, true, "verify", file, "--games", before)
	refusesAChangedFile(t, games, n, old, file, before)
}

// refusesAChangedFile checks that a changed file is refused with the same message, whether its game
// is installed or not.
func refusesAChangedFile(t *testing.T, games string, n *server, old crossing, file, before string) {
	changed := filepath.Join(t.TempDir(), "changed.jsonl")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{`"faces":[3,5]`, `"faces":[3,4]`}, {`"name":"A cut"`, `"name":"A kiss"`}} {
		if !strings.Contains(string(data), c[0]) {
			t.Fatalf("the file holds no %s", c[0])
		}
		if err := os.WriteFile(changed, []byte(strings.Replace(string(data), c[0], c[1], 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		there := run(t, false, "verify", changed, "--games", before)
		if here := run(t, false, "verify", changed, "--trust"); here != there {
			t.Errorf("where its game is it's refused by %s, where it isn't by %s", there, here)
		}
		if said := run(t, false, "import", changed, "--data", t.TempDir()); said != there {
			t.Errorf("verify refuses it by %s, import by %s", there, said)
		}
	}

	there := t.TempDir()
	if said := run(t, false, "import", file, "--data", there, "--games", games); !strings.Contains(said,
		"another text of nightferry") || !strings.Contains(said, "--trust") {
		t.Errorf("a table of another text is refused by %s", said)
	}
	if said := run(t, false, "import", file, "--data", there); !strings.Contains(said, "isn’t installed here") ||
		!strings.Contains(said, "--games") {
		t.Errorf("a table of no game is refused by %s", said)
	}
	run(t, true, "import", file, "--data", there, "--games", before)
	trusting := t.TempDir()
	run(t, true, "import", file, "--trust", "--data", trusting, "--games", games)
	moved := t.TempDir()
	run(t, true, "move", "--from", "sqlite:"+n.dir, "--to", "sqlite:"+moved, "--all", "--games", games)
	for name, dir := range map[string]string{"imported": there, "trusted": trusting, "moved": moved} {
		s := serveIn(t, dir, "--games", games)
		s.makes(old, "rest", 1)
		if status, _ := s.moves(old, "sleep", 1); status < 300 {
			t.Errorf("%s: it plays by the new text", name)
		}
		s.kill()
	}
	withoutItsGame(t, old, file, there)
}

// withoutItsGame serves a table without the folder of its game. It can be played if somebody
// trusted the table's own text; otherwise only its seats see which game is missing.
func withoutItsGame(t *testing.T, c crossing, file, installed string) {
	t.Helper()
	trusting := t.TempDir()
	run(t, true, "import", file, "--trust", "--data", trusting)
	s := serveIn(t, trusting)
	s.makes(c, "rest", 1)
	s.kill()

	s = serveIn(t, installed)
	status, told := s.call("GET", c.path, c.gm, nil)
	if text := fmt.Sprint(told); status != 503 || !strings.Contains(text, "nightferry") ||
		!strings.Contains(text, "--games") {
		t.Errorf("its game master is told %d %s", status, text)
	}
	if status, told := s.call("GET", c.path, "wrong", nil); status != 404 ||
		strings.Contains(fmt.Sprint(told), "nightferry") {
		t.Errorf("somebody else is told %d %v", status, told)
	}
	s.kill()
	if said := s.log.String(); !strings.Contains(said, "1 table can’t be opened, because its game isn’t here: nightferry") {
		t.Errorf("norn serve says %q", said)
	}
}

// A text that would use all memory is stopped before it does, and is run only if it is trusted.
func TestOwnRulesThatUseAllMemoryAreStopped(t *testing.T) {
	t.Parallel()
	text, err := script.Read(os.DirFS("../examples/nightferry"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := script.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	text.Game += "\nvast = [0] * 1000000000\n"
	g.Source, g.Text = text.Bytes(), text.Hash()
	words, err := lang.Load(form.Words, widget.Words, table.Words, script.Words, g.Words)
	if err != nil {
		t.Fatal(err)
	}
	j, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	host := table.New(table.Config{
		Games: game.Fixed{g}, Words: words, Journal: j, Relay: local.New(), Now: time.Now, Entropy: rand.Reader,
		Log: slog.New(slog.DiscardHandler), Version: "test",
	})
	defer host.Close()
	made, err := host.Create(t.Context(), request.NewTable{Game: "nightferry", Name: "A night", Lang: lang.En})
	if err != nil {
		t.Fatal(err)
	}
	gm, err := host.Enter(t.Context(), made.ID, made.Seat.Secret, lang.En)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "night.jsonl")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(gm.Export(t.Context(), out), out.Close()); err != nil {
		t.Fatal(err)
	}
	if said := run(t, false, "verify", file); !strings.Contains(said, "--trust") {
		t.Errorf("nobody trusts it: %s", said)
	}
	if said := run(t, false, "verify", file, "--trust"); !strings.Contains(said, "too large") {
		t.Errorf("it ends by %s", said)
	}
}

// Nodes whose folders have other texts play a table by its own text.
func TestThreeNodesPlayATableByItsOwnRules(t *testing.T) {
	t.Parallel()
	database := pgtest.Run(t, "fsync=off")
	address, err := database.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var nodes []*server
	for _, rest := range []string{"rest", "sleep", "doze"} {
		nodes = append(nodes, serve(t, "--journal", address, "--games", ferry(t, rest)))
	}
	c := nodes[0].crossing()
	made := nodes[1].makes(c, "act", 3, 5)
	nodes[2].must("POST", c.path+"/answers", c.gm,
		body{"question": made["open"].([]any)[0].(map[string]any)["id"], "answer": body{"what": "nothing"}})
	for i, n := range nodes {
		n.makes(c, "rest", 1)
		if status, _ := n.moves(c, "doze", 1); status < 300 {
			t.Errorf("node %d plays by a text that nobody took", i)
		}
	}
	nodes[1].must("POST", c.path+"/edition", c.gm, body{})
	for i, n := range nodes {
		if status, answer := n.moves(c, "sleep", 1); status >= 300 {
			t.Errorf("node %d, once the text is taken: %v", i, answer)
		}
	}
	nodes[0].kill()
	nodes[0].start()
	nodes[0].makes(c, "sleep", 1)
}

// A friend opens a link and plays the ferrymen's game by presses alone: a roll, the game master's
// question, their own.
func TestFriendPlaysAnOwnGameFromALink(t *testing.T) {
	t.Parallel()
	n := serve(t, "--games", ferry(t, "rest"))
	c := n.crossing()
	invited := n.must("POST", c.path+"/seats", c.gm, body{"name": "Ann", "role": "player", "key": "ann"})
	n.must("POST", c.path+"/characters", c.gm,
		body{"name": "Flood", "kind": "clock", "sheet": body{"segments": 4}, "key": "flood"})
	n.must("PATCH", c.path+"/characters/c1", c.gm, body{"owner": invited["id"]})
	gm, ann := sit(t, "gm", 1366, 768), sit(t, "ann", 360, 740)
	gm.visit(n.url("/t/" + c.id + "/" + c.gm))
	ann.visit(n.url("/t/" + c.id + "/" + invited["secret"].(string)))
	ann.compose("act")
	ann.click("[data-composer=act] label:has(> [name=action][value=row])")
	ann.byHand("3 5")
	gm.answers("nightferry.consequence", "what", "threat", "clock", "c2")
	ann.answers("nightferry.resist")
	gm.sees("#log", "Flood gets on by 2")
	ann.sees("#log", "Flood gets on by 2")
	gm.picture("played")
	ann.picture("played")
}
