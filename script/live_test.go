package script_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"norn/form"
	"norn/game"
	"norn/games"
	"norn/internal/relay/local"
	"norn/internal/wait"
	"norn/internal/widget"
	"norn/journal"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/script"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
)

// evening is a table of a game read from a text, over a real journal.
type evening struct {
	t       *testing.T
	journal journal.Journal
	games   []*game.Game
	host    *table.Host
	id      string
	secrets []string
	gm, ann *table.Seat
	edited  *game.Game // the folder's current text; nil if it hasn't changed
}

func compiled(source []byte) (*game.Game, error) {
	text, err := script.Parse(source)
	if err != nil {
		return nil, err
	}
	return script.Compile(text)
}

func playable(t *testing.T, text script.Text) *game.Game {
	t.Helper()
	g, err := script.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// edit replaces the text in the folder while norn runs.
func (e *evening) edit(text script.Text) {
	e.t.Helper()
	e.edited = playable(e.t, text)
	own := e.games[len(e.games)-1]
	wait.Until(e.t, "norn plays the edited text", func() bool { return own.Now().Text == e.edited.Text })
}

// nightferry returns the example with some replacements.
func nightferry(t *testing.T, changed ...string) script.Text {
	t.Helper()
	text, err := script.Read(os.DirFS("../examples/nightferry"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(changed); i += 2 {
		if !strings.Contains(text.Game, changed[i]) {
			t.Fatalf("the text has no %q", changed[i])
		}
		text.Game = strings.ReplaceAll(text.Game, changed[i], changed[i+1])
	}
	return text
}

func begin(t *testing.T, text script.Text) *evening {
	t.Helper()
	j, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	e := &evening{t: t, journal: j}
	e.serve(text)
	made, err := e.host.Create(t.Context(),
		request.NewTable{Game: e.games[len(e.games)-1].ID, Name: "A night", Lang: lang.En})
	if err != nil {
		t.Fatal(err)
	}
	e.id, e.secrets = made.ID, []string{made.Seat.Secret}
	e.sit()
	seat, err := table.Do(t.Context(), e.gm, act.AddSeat, act.SeatRequest{Name: "Ann", Role: string(game.Player)}, "")
	if err != nil {
		t.Fatal(err)
	}
	e.secrets = append(e.secrets, seat.Secret)
	e.sit()
	return e
}

// serve starts, or restarts, the server with a text.
func (e *evening) serve(text script.Text) {
	e.t.Helper()
	if e.host != nil {
		e.host.Close()
	}
	g := playable(e.t, text)
	e.edited = nil
	game.Install(g, compiled, func() {
		if e.edited != nil {
			g.Texts.Renew(e.edited)
		}
	})
	e.games = append(games.All(), g)
	all := []fs.FS{form.Words, widget.Words, table.Words, script.Words}
	for _, g := range e.games {
		all = append(all, g.Words)
	}
	words, err := lang.Load(all...)
	if err != nil {
		e.t.Fatal(err)
	}
	e.host = table.New(table.Config{
		Games: game.Fixed(e.games), Words: words, Journal: e.journal, Relay: local.New(), Now: time.Now,
		Entropy: rand.Reader,
		Log:     slog.New(slog.NewTextHandler(io.Discard, nil)), Version: "test",
	})
	e.t.Cleanup(func() { e.host.Close() })
	if e.id != "" {
		e.sit()
	}
}

func (e *evening) sit() {
	e.t.Helper()
	for i, into := range []**table.Seat{&e.gm, &e.ann}[:len(e.secrets)] {
		s, err := e.host.Enter(e.t.Context(), e.id, e.secrets[i], lang.En)
		if err != nil {
			e.t.Fatal(err)
		}
		*into = s
	}
}

func (e *evening) add(s *table.Seat, n act.CharacterRequest) string {
	e.t.Helper()
	entry, err := table.Do(e.t.Context(), s, act.AddCharacter, n, "")
	if err != nil {
		e.t.Fatal(err)
	}
	var line struct{ ID string }
	if err := json.Unmarshal(entry.Lines[0].Data, &line); err != nil {
		e.t.Fatal(err)
	}
	return line.ID
}

func (e *evening) move(s *table.Seat, who, move, args string, dice ...int) error {
	_, err := s.Make(e.t.Context(),
		request.Move{Character: who, Move: move, Args: json.RawMessage(args), Dice: dice, ByHand: len(dice) > 0})
	return err
}

func (e *evening) answer(s *table.Seat, answer string) {
	e.t.Helper()
	v, err := s.View(e.t.Context())
	if err != nil || len(v.Questions) == 0 {
		e.t.Fatalf("nothing is asked: %v", err)
	}
	if _, err := s.Answer(e.t.Context(),
		request.Answer{Question: v.Questions[0].ID, Answer: json.RawMessage(answer)}); err != nil {
		e.t.Fatal(err)
	}
}

// said returns everything that a seat reads in its log, by line.
func (e *evening) said(s *table.Seat) string {
	e.t.Helper()
	entries, err := s.Log(e.t.Context(), 0, 0)
	if err != nil {
		e.t.Fatal(err)
	}
	var all []string
	for _, entry := range entries {
		for _, line := range entry.Lines {
			all = append(all, line.Text)
		}
	}
	return strings.Join(all, "\n")
}

func (e *evening) sheet(id string) string {
	e.t.Helper()
	v, err := e.gm.View(e.t.Context())
	if err != nil {
		e.t.Fatal(err)
	}
	for _, c := range v.Characters {
		if c.ID == id {
			data, _ := json.Marshal(c.Sheet)
			return string(data)
		}
	}
	return ""
}

// A table of a scripted game can be played, exported and imported like others.
func TestScriptedGameIsPlayedExportedAndImported(t *testing.T) {
	e := begin(t, nightferry(t))
	vera := e.add(e.ann, act.CharacterRequest{
		Name: "Vera", Kind: "ferryman",
		Sheet: json.RawMessage(`{"row":2,"talk":1}`),
	})
	far := e.add(e.gm, act.CharacterRequest{
		Name: "The far shore", Kind: "clock",
		Sheet: json.RawMessage(`{"segments":8}`),
	})
	boat := e.add(e.gm, act.CharacterRequest{
		Name: "Patrol boat", Kind: "clock",
		Sheet: json.RawMessage(`{"hidden":true}`),
	})
	e.rowsPastThePatrol(vera, far, boat)
	e.undoesAPush(vera)
	if o, err := e.ann.Odds(t.Context(),
		request.Move{Character: vera, Move: "act", Args: json.RawMessage(`{"action":"row"}`)}); err != nil ||
		o.Any("critical").String() != "1/36" {
		t.Errorf("odds: %v, %v", o, err)
	}
	file := e.exported()
	e.verifies(file)
	e.importsElsewhere(file)
	e.findsForgeries(file)
}

// rowsPastThePatrol makes a move whose questions are answered after restarts. Players must not see
// the hidden clock that it advances.
func (e *evening) rowsPastThePatrol(vera, far, boat string) {
	e.t.Helper()
	if err := e.move(e.ann, vera, "act", `{"action":"row","clock":"`+far+`"}`, 3, 5); err != nil {
		e.t.Fatal(err)
	}
	e.serve(nightferry(e.t))
	e.answer(e.gm, `{"what":"threat","clock":"`+boat+`"}`)
	e.serve(nightferry(e.t))
	e.answer(e.ann, `{"resist":false}`)
	if got := e.sheet(boat); !strings.Contains(got, `"filled":2`) {
		e.t.Errorf("the hidden clock stands so: %s", got)
	}
	if told := e.said(e.ann); strings.Contains(told, "Patrol boat") && strings.Contains(told, "Patrol boat gets on") {
		e.t.Errorf("a player is told of what is hidden:\n%s", told)
	}
	if told := e.said(e.gm); !strings.Contains(told, "The far shore gets on by 2") ||
		!strings.Contains(told, "Patrol boat gets on by 2") {
		e.t.Errorf("the game master is told:\n%s", told)
	}
}

// undoesAPush makes a move that costs something, and undoes it.
func (e *evening) undoesAPush(vera string) {
	e.t.Helper()
	if err := e.move(e.ann, vera, "rest", `{}`, 4, 4); err != nil {
		e.t.Fatal(err)
	}
	if err := e.move(e.ann, vera, "act", `{"action":"fight","push":true}`, 6); err != nil {
		e.t.Fatal(err)
	}
	if got := e.sheet(vera); !strings.Contains(got, `"strain":2`) {
		e.t.Errorf("Vera stands so: %s", got)
	}
	entries, err := e.ann.Log(e.t.Context(), 0, 0)
	if err != nil {
		e.t.Fatal(err)
	}
	if _, err := table.Do(e.t.Context(), e.gm, act.Undo, act.UndoRequest{Seq: int(entries[len(entries)-1].Seq)},
		""); err != nil {
		e.t.Fatal(err)
	}
	if got := e.sheet(vera); !strings.Contains(got, `"strain":0`) {
		e.t.Errorf("after undoing Vera stands so: %s", got)
	}
}

// exported ends the session and returns the game master's export.
func (e *evening) exported() []byte {
	e.t.Helper()
	if _, err := table.Do(e.t.Context(), e.gm, act.EndSession, act.Nothing{}, ""); err != nil {
		e.t.Fatal(err)
	}
	var file bytes.Buffer
	if err := e.gm.Export(e.t.Context(), &file); err != nil {
		e.t.Fatal(err)
	}
	return file.Bytes()
}

// verifies checks that a file contains its text and verifies by it, and by no other game.
func (e *evening) verifies(file []byte) {
	e.t.Helper()
	if found, err := verify.File(e.games, e.host.Words, bytes.NewReader(file)); err != nil {
		e.t.Errorf("verification: %+v, %v", found, err)
	}
	if _, texts, err := verify.Texts(bytes.NewReader(file)); err != nil || len(texts) != 1 ||
		!bytes.Equal(texts[0], nightferry(e.t).Bytes()) {
		e.t.Errorf("the file holds %d texts, %v", len(texts), err)
	}
	if _, err := verify.File(games.All(), e.host.Words, bytes.NewReader(file)); err == nil ||
		!strings.Contains(err.Error(), "nightferry") {
		e.t.Errorf("without the game: %v", err)
	}
}

// importsElsewhere imports a file on another server.
func (e *evening) importsElsewhere(file []byte) {
	e.t.Helper()
	other, err := sqlite.Open(e.t.Context(), e.t.TempDir())
	if err != nil {
		e.t.Fatal(err)
	}
	defer other.Close()
	there := *e
	there.journal = other
	arriving, err := verify.ReadImport(e.games, e.host.Words, bytes.NewReader(file), true)
	if err != nil {
		e.t.Fatal(err)
	}
	there.host = nil
	there.id = ""
	there.serve(nightferry(e.t))
	if _, err := there.host.Import(context.Background(), arriving); err != nil {
		e.t.Fatal(err)
	}
	there.id = e.id
	there.sit()
	if there.said(there.gm) == "" {
		e.t.Error("nothing came along")
	}
}

// findsForgeries checks that a changed text and a changed face in a file are detected.
func (e *evening) findsForgeries(file []byte) {
	e.t.Helper()
	hash := sha256.Sum256(nightferry(e.t).Bytes())
	alien := sha256.Sum256([]byte("another text"))
	forged := bytes.Replace(file, []byte(hex.EncodeToString(hash[:])), []byte(hex.EncodeToString(alien[:])), 1)
	if bytes.Equal(forged, file) {
		e.t.Error("the file doesn't name its text")
	} else if _, err := verify.File(e.games, e.host.Words, bytes.NewReader(forged)); err == nil {
		e.t.Error("a text whose hash is another's isn't found")
	}
	face := []byte(`"faces":[3,5]`)
	if !bytes.Contains(file, face) {
		e.t.Fatal("the file holds no such throw")
	}
	if _, err := verify.File(e.games, e.host.Words,
		bytes.NewReader(bytes.Replace(file, face, []byte(`"faces":[3,4]`), 1))); err == nil {
		e.t.Error("a changed face isn't found")
	}
}

// A rule that differs from the one used at a table must be detected if it claims to be the same
// text.
func TestVerifyFindsAChangedRuleUnderTheSameText(t *testing.T) {
	e := begin(t, nightferry(t))
	vera := e.add(e.ann, act.CharacterRequest{
		Name: "Vera", Kind: "ferryman",
		Sheet: json.RawMessage(`{"row":2,"strain":5}`),
	})
	if err := e.move(e.ann, vera, "act", `{"action":"row","push":true}`, 6, 1, 1); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := table.Do(t.Context(), e.gm, act.EndSession, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	if err := e.gm.Export(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	forged, err := script.Compile(nightferry(t, "take(me, 2)", "take(me, 1)"))
	if err != nil {
		t.Fatal(err)
	}
	honest := forged.Text
	forged.Text = e.games[len(e.games)-1].Text
	if _, err := verify.File(append(games.All(), forged), e.host.Words, bytes.NewReader(file.Bytes())); err == nil {
		t.Error("a changed rule isn't found")
	}
	forged.Text = honest
	found, err := verify.File(append(games.All(), forged), e.host.Words, bytes.NewReader(file.Bytes()))
	if err != nil || found.Older == nil {
		t.Errorf("by another text: %+v, %v", found, err)
	}
}

// A table keeps the text that it was opened with, whatever happens to the folder, until its game
// master takes the newer one. A table opened later uses the folder's text.
func TestATableKeepsItsTextUntilTheGameMasterTakesTheNewer(t *testing.T) {
	e := begin(t, nightferry(t))
	vera := e.add(e.ann, act.CharacterRequest{
		Name: "Vera", Kind: "ferryman",
		Sheet: json.RawMessage(`{"row":2,"strain":4}`),
	})
	if err := e.move(e.ann, vera, "rest", `{}`, 1); err != nil {
		t.Fatal(err)
	}
	before := e.said(e.gm)
	newer := nightferry(t, "look = \"dots\", hint = \"Boats", "look = \"dots\", start = 1, hint = \"Boats",
		`strain = track("Strain", 9`, `luck = number("Luck", 0, 3), strain = track("Strain", 9`,
		"def rest(me):", "def sleep(me):", "move(rest,", "move(sleep,", `"Night ashore"`, `"Sleep"`)
	e.edit(newer)
	if err := e.move(e.ann, vera, "rest", `{}`, 1); err != nil {
		t.Errorf("a move by the table's own text: %v", err)
	}
	if err := e.move(e.ann, vera, "sleep", `{}`, 1); err == nil {
		t.Error("a move of the newer text is made before that is taken")
	}
	e.opensAnotherByTheNewer()
	e.keepsItsText(vera, before, newer)
	asked := e.takesTheNewer(vera)
	e.playsByTheNewer(vera, newer, asked)
	e.verifiesByBoth(e.exported())
	e.serve(nightferry(t)) // back to the first one
	if _, err := table.Do(t.Context(), e.gm, act.TakeEdition, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	if err := e.move(e.ann, vera, "rest", `{}`, 1); err != nil {
		t.Fatal(err)
	}
}

// opensAnotherByTheNewer opens a second table, which uses the current text of the folder.
func (e *evening) opensAnotherByTheNewer() {
	e.t.Helper()
	made, err := e.host.Create(e.t.Context(),
		request.NewTable{Game: "nightferry", Name: "Another night", Lang: lang.En})
	if err != nil {
		e.t.Fatal(err)
	}
	beside := *e
	beside.id, beside.secrets, beside.ann = made.ID, []string{made.Seat.Secret}, nil
	beside.sit()
	olga := beside.add(beside.gm, act.CharacterRequest{
		Name: "Olga", Kind: "ferryman",
		Sheet: json.RawMessage(`{"luck":2}`),
	})
	if got := beside.sheet(olga); !strings.Contains(got, `"luck":2`) || !strings.Contains(got, `"row":1`) {
		e.t.Errorf("Olga stands so: %s", got)
	}
	if err := beside.move(beside.gm, olga, "sleep", `{}`, 1); err != nil ||
		!strings.Contains(beside.says(beside.gm, "sleep"), "Sleep") {
		e.t.Errorf("the newer text's move: %v", err)
	}
}

// keepsItsText checks that the table uses its own text, before and after a restart with the newer
// one.
func (e *evening) keepsItsText(vera, before string, newer script.Text) {
	e.t.Helper()
	for range 2 {
		if said := e.said(e.gm); !strings.HasPrefix(said, before) {
			e.t.Errorf("the log says now\n%s\nand said\n%s", said, before)
		}
		if got := e.sheet(vera); strings.Contains(got, "luck") {
			e.t.Errorf("Vera stands so: %s", got)
		}
		if err := e.move(e.ann, vera, "rest", `{}`, 1); err != nil {
			e.t.Errorf("a move by the table's own text: %v", err)
		}
		e.serve(newer)
	}
}

// takesTheNewer makes the game master take the newer text. Players can't, and nobody can while a
// move is open. It returns the log from before.
func (e *evening) takesTheNewer(vera string) (said string) {
	e.t.Helper()
	if v, err := e.gm.View(e.t.Context()); err != nil || v.Newer == "" || v.Newer == v.Edition {
		e.t.Errorf("the game master is offered %q beside %q, %v", v.Newer, v.Edition, err)
	}
	if _, err := table.Do(e.t.Context(), e.ann, act.TakeEdition, act.Nothing{}, ""); err == nil {
		e.t.Error("a player takes a text up")
	}
	if err := e.move(e.ann, vera, "act", `{"action":"row"}`, 3, 5); err != nil {
		e.t.Fatal(err)
	}
	if _, err := table.Do(e.t.Context(), e.gm, act.TakeEdition, act.Nothing{},
		""); refused(err) != "table.refusal.text-open" {
		e.t.Errorf("with a move open: %v", err)
	}
	e.answer(e.gm, `{"what":"nothing"}`)
	said = e.said(e.gm)
	if _, err := table.Do(e.t.Context(), e.gm, act.TakeEdition, act.Nothing{}, ""); err != nil {
		e.t.Fatal(err)
	}
	return said
}

// playsByTheNewer makes a move of the newer text twice, with a restart in between. The log must
// still begin with asked.
func (e *evening) playsByTheNewer(vera string, newer script.Text, asked string) {
	e.t.Helper()
	for range 2 {
		if said := e.said(e.gm); !strings.HasPrefix(said, asked) || strings.Contains(said, "⟨") {
			e.t.Errorf("the log says now\n%s\nand said\n%s", said, asked)
		}
		if !strings.Contains(e.says(e.gm, "rest"), "Night ashore") {
			e.t.Errorf("the older move is called %q", e.says(e.gm, "rest"))
		}
		if err := e.move(e.ann, vera, "sleep", `{}`, 1); err != nil {
			e.t.Fatal(err)
		}
		if got := e.sheet(vera); !strings.Contains(got, `"luck":0`) || !strings.Contains(got, `"row":2`) {
			e.t.Errorf("Vera stands so: %s", got)
		}
		asked = e.said(e.gm)
		e.serve(newer)
	}
}

// verifiesByBoth checks that a file verifies by the two texts that the table used.
func (e *evening) verifiesByBoth(file []byte) {
	e.t.Helper()
	found, err := verify.File(e.games, e.host.Words, bytes.NewReader(file))
	if err != nil || found.Older != nil {
		e.t.Errorf("verification: %+v, %v", found, err)
	}
	if id, texts, err := verify.Texts(bytes.NewReader(file)); err != nil || id != "nightferry" || len(texts) != 2 {
		e.t.Errorf("the file was played by %d texts of %s, %v", len(texts), id, err)
	}
}

// says returns the name of the last move of a kind in a seat's log.
func (e *evening) says(s *table.Seat, move string) (text string) {
	e.t.Helper()
	entries, err := s.Log(e.t.Context(), 0, 0)
	if err != nil {
		e.t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name == move {
			text = s.Speaker().Say("nightferry.move." + move)
		}
	}
	return text
}

// A text that doesn't fit the existing sheets is refused: the error names the character, the field,
// and its place in the text.
func TestNewerTextThatDoesNotFitTheSheetsIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change []string
		want   []string
	}{
		"a lower bound": {
			[]string{`talk = number("Talk", 0, 4`, `talk = number("Talk", 0, 2`},
			[]string{"Vera", "Talk", "game.star:", "2"},
		},
		"a field gone": {[]string{`        hurts = items("Hurts", name = text("In words", required = True), max = 6),` +
			"\n", ""}, []string{"Vera", "Hurts", "game.star:"}},
		"another kind": {[]string{
			`hurts = items("Hurts", name = text("In words", required = True), max = 6)`,
			`hurts = text("Hurts")`,
		}, []string{"Vera", "Hurts", "game.star:"}},
		"a sheet gone": {[]string{
			"clock = thing(", "timer = thing(", `pick("Clock", clock`, `pick("Clock", timer`,
			"stock(clock", "stock(timer", "ready(clock", "ready(timer",
		}, []string{"Flood", "Clock"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := begin(t, nightferry(t))
			vera := e.add(e.ann, act.CharacterRequest{
				Name: "Vera", Kind: "ferryman",
				Sheet: json.RawMessage(`{"talk":3,"hurts":[{"name":"A cut"}]}`),
			})
			e.add(e.gm, act.CharacterRequest{Name: "Flood", Kind: "clock", Sheet: json.RawMessage(`{}`)})
			changed := nightferry(t)
			for i := 0; i < len(c.change); i += 2 {
				changed.Game = strings.ReplaceAll(changed.Game, c.change[i], c.change[i+1])
			}
			e.edit(changed)
			_, err := table.Do(t.Context(), e.gm, act.TakeEdition, act.Nothing{}, "")
			voice, _ := e.gm.Voice(t.Context())
			text := refusal.Say(voice, err)
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("it's refused by %q, which says nothing of %s", text, want)
				}
			}
			if err := e.move(e.ann, vera, "rest", `{}`, 1); err != nil {
				t.Errorf("the table plays on: %v", err)
			}
		})
	}
}

func refused(err error) string {
	if r, ok := game.AsRefusal(err); ok {
		return r.Word
	}
	return ""
}

// A mistake in a rule ends its move, reports its place, and changes nothing.
func TestMistakeInARuleEndsItsMoveAndChangesNothing(t *testing.T) {
	e := begin(t, nightferry(t, "    less = min(me.strain, ",
		"    for i in range(1000000000 if me.strain == 9 else 1):\n        pass\n"+
			"    less = min(me.strian if me.strain == 8 else me.strain, "))
	inRussian := map[string]string{
		"8": "ничего не изменилось. game.star:142:18: Ferryman: поля strian здесь нет",
		"9": "слишком много шагов",
	}
	for strain, want := range map[string]string{"8": "there is no field strian", "9": "too many steps"} {
		vera := e.add(e.ann, act.CharacterRequest{
			Name: "Vera " + strain, Kind: "ferryman",
			Sheet: json.RawMessage(`{"row":2,"strain":` + strain + `}`),
		})
		before := e.said(e.gm)
		err := e.move(e.ann, vera, "rest", `{}`)
		if refused(err) != "script.refusal.fault" {
			t.Fatalf("a mistake is %v", err)
		}
		voice, _ := e.ann.Voice(t.Context())
		if text := refusal.Say(voice, err); !strings.Contains(text, want) || !strings.Contains(text, "game.star:") {
			t.Errorf("it's told as %q", text)
		}
		voice = table.VoiceOf(e.host.Words.In(lang.Ru))
		if text := refusal.Say(voice, err); !strings.Contains(text, inRussian[strain]) {
			t.Errorf("in Russian it's told as %q", text)
		}
		if after := e.said(e.gm); after != before {
			t.Errorf("the log goes on: %s", after)
		}
		asked := request.Move{Character: vera, Move: "rest", Args: json.RawMessage(`{}`)}
		if _, err := e.ann.Odds(t.Context(), asked); refused(err) != "script.refusal.fault" {
			t.Errorf("odds: %v", err)
		}
		if _, err := e.ann.Preview(t.Context(), asked); err != nil && refused(err) != "script.refusal.fault" {
			t.Errorf("before the throw: %v", err)
		}
	}
	fine := e.add(e.ann, act.CharacterRequest{
		Name: "Mila", Kind: "ferryman",
		Sheet: json.RawMessage(`{"row":2,"strain":3}`),
	})
	if err := e.move(e.ann, fine, "rest", `{}`, 4); err != nil {
		t.Fatal(err)
	}
}

// Those who join the turns act in the order of their outcome's number, once each round, as long as
// they aren't out.
func TestCharacterWhoJoinsTheTurnsActsOnceARound(t *testing.T) {
	text := nightferry(t)
	text.Game += `
acts = neutral("acts at {n}", counts = True, short = "Place")
def come_first(me):
    return acts(roll(d6))
move(come_first, "Who comes first", by = ferryman, turn = "joins", odds = False)
def end_turn(me):
    tell("{who} waits.", who = me)
move(end_turn, "End of the turn", by = ferryman, turn = "ends")
def fall(me):
    change(me, scars = [dict(name = "a"), dict(name = "b"), dict(name = "c"), dict(name = "d")])
move(fall, "Fall", by = ferryman)
def quiet():
    tell("It's over.")
move(quiet, "It's over", by = gm, turn = "over")
`
	e := begin(t, text)
	vera := e.add(e.ann, act.CharacterRequest{Name: "Vera", Kind: "ferryman", Sheet: json.RawMessage(`{}`)})
	mila := e.add(e.gm, act.CharacterRequest{Name: "Mila", Kind: "ferryman", Sheet: json.RawMessage(`{}`)})
	strip := func() string {
		v, err := e.ann.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, on := range v.Turns {
			fmt.Fprint(&b, on.Scene, ", ", on.Turn)
			for _, p := range on.Order {
				fmt.Fprint(&b, "; ", map[string]string{vera: "Vera", mila: "Mila"}[p.Character], " ", p.Note, " ",
					p.Acted)
			}
		}
		return b.String()
	}
	for _, step := range []struct {
		seat       *table.Seat
		who, move  string
		dice       []int
		want, what string
	}{
		{e.ann, vera, "come-first", []int{3}, "Round 1, Vera; Vera 3 false", "she is alone"},
		{e.gm, mila, "come-first", []int{5}, "Round 1, Mila; Mila 5 false; Vera 3 false", "the higher is first"},
		{e.gm, mila, "end-turn", nil, "Round 1, Vera; Mila 5 true; Vera 3 false", "one has acted"},
		{e.ann, vera, "end-turn", nil, "Round 2, Mila; Mila 5 false; Vera 3 false", "all have"},
		{e.gm, mila, "fall", nil, "Round 2, Vera; Mila 5 · ashore false; Vera 3 false", "who is out is skipped"},
		{e.ann, vera, "end-turn", nil, "Round 3, Vera; Mila 5 · ashore false; Vera 3 false", "and no round waits for them"},
		{e.gm, "", "quiet", nil, "", "it's over"},
	} {
		if err := e.move(step.seat, step.who, step.move, `{}`, step.dice...); err != nil {
			t.Fatal(err)
		}
		if got := strip(); got != step.want {
			t.Errorf("%s: %q, want %q", step.what, got, step.want)
		}
	}
}

// A table's own moves continue to work, whatever happens to the folder, and open questions can be
// answered. A newer text without a move that was made is accepted, and the log stays the same. One
// that renames a field with content is refused, so nothing is lost.
func TestNewerTextKeepsMovesQuestionsAndFields(t *testing.T) {
	e := begin(t, nightferry(t))
	vera := e.add(e.ann, act.CharacterRequest{
		Name: "Vera", Kind: "ferryman",
		Sheet: json.RawMessage(`{"row":2,"strain":4}`),
	})
	if err := e.move(e.ann, vera, "rest", `{}`, 1); err != nil {
		t.Fatal(err)
	}
	stands := e.sheet(vera)
	if !strings.Contains(stands, `"strain":3`) {
		t.Fatalf("Vera stands so: %s", stands)
	}
	renamed := nightferry(t, "me.strain", "me.weight", "strain = ", "weight = ")
	for _, again := range []func(){func() { e.edit(renamed) }, func() { e.serve(renamed) }} {
		again()
		_, err := table.Do(t.Context(), e.gm, act.TakeEdition, act.Nothing{}, "")
		voice, _ := e.gm.Voice(t.Context())
		if text := refusal.Say(voice, err); refused(err) != "table.refusal.text-gone" ||
			!strings.Contains(text, "Vera: Strain") || !strings.Contains(text, "game.star:") {
			t.Errorf("a field with another name: %v", text)
		}
		if now := e.sheet(vera); now != stands {
			t.Errorf("Vera stands so: %s", now)
		}
	}
	without := nightferry(t, "def rest(me):", "def sleep(me):", "move(rest,", "move(sleep,")
	if err := e.move(e.ann, vera, "act", `{"action":"row"}`, 3, 5); err != nil {
		t.Fatal(err)
	}
	e.edit(without)
	e.answer(e.gm, `{"what":"nothing"}`) // by the table's own text
	said := e.said(e.gm)
	if _, err := table.Do(t.Context(), e.gm, act.TakeEdition, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if now := e.said(e.gm); !strings.HasPrefix(now, said) || strings.Contains(now, "⟨") {
			t.Errorf("the log says now\n%s\nand said\n%s", now, said)
		}
		if now := e.sheet(vera); now != stands {
			t.Errorf("Vera stands so: %s", now)
		}
		if err := e.move(e.ann, vera, "rest", `{}`, 1); err == nil {
			t.Error("a move is made that isn't there any more")
		}
		e.serve(without)
	}
}

// House rules are protected like sheets: one that was changed isn't lost if a newer text lacks or
// forbids it.
func TestANewerTextKeepsHouseRules(t *testing.T) {
	with := func(rules string) script.Text {
		return nightferry(t, "actions = dict(", "settings("+rules+")\n\nactions = dict(")
	}
	e := begin(t, with(`dark = flag("Dark nights"), most = number("Most", 1, 6, start = 3)`))
	if _, err := table.Do(t.Context(), e.gm, act.Configure,
		act.ConfigureRequest{Settings: json.RawMessage(`{"dark":true,"most":6}`)}, ""); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ rules, word, say string }{
		{`most = number("Most", 1, 6, start = 3)`, "table.refusal.text-setting-gone", "Dark nights"},
		{
			`dark = flag("Dark nights"), most = number("Most", 1, 4, start = 3)`, "table.refusal.text-setting-value",
			"Most",
		},
		{
			`dark = number("Dark nights", 0, 2), most = number("Most", 1, 6, start = 3)`, "table.refusal.text-setting",
			"Dark nights",
		},
	} {
		e.edit(with(c.rules))
		_, err := table.Do(t.Context(), e.gm, act.TakeEdition, act.Nothing{}, "")
		voice, _ := e.gm.Voice(t.Context())
		if text := refusal.Say(voice, err); refused(err) != c.word || !strings.Contains(text, c.say) ||
			strings.Contains(text, "⟨") {
			t.Errorf("%s: %v, %s", c.rules, err, text)
		}
	}
	e.edit(with(`dark = flag("Dark nights"), most = number("Most", 1, 9, start = 4)`))
	if _, err := table.Do(t.Context(), e.gm, act.TakeEdition, act.Nothing{}, ""); err != nil {
		t.Fatal(err)
	}
	v, err := e.gm.View(t.Context())
	if data, _ := json.Marshal(v.Settings); err != nil || !strings.Contains(string(data), `"dark":true`) ||
		!strings.Contains(string(data), `"most":6`) {
		t.Errorf("the house rules are %s, %v", data, err)
	}
}
