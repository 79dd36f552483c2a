package tables

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/game"
	"norn/internal/relay/local"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/script"
	"norn/table"
	"norn/table/act"
	"norn/table/request"
	"norn/table/verify"
)

// verify reports in each language how many entries an older edition made.
func TestVerifyCountsEntriesOfOlderEditions(t *testing.T) {
	norn, err := cli.Wire(nil)
	if err != nil {
		t.Fatal(err)
	}
	for l, want := range map[lang.Lang]string{
		lang.En: "12 entries made by edition 1 of norn’s rules: their rules not run again",
		lang.Ru: "12 записей по редакции 1 правил norn: правила заново не разыграны",
		lang.Uk: "12 записів за редакцією 1 правил norn: правила заново не розіграно",
	} {
		var out bytes.Buffer
		p := &cli.Program{Wired: norn, Speaker: norn.Words.In(l), Out: cli.NewScreen(&out, nil)}
		found := verify.Result{Older: []verify.Older{{Edition: "1", Entries: 12}}}
		if borneOut(p, found); !strings.Contains(out.String(), want) {
			t.Errorf("%s: %s", l, out.String())
		}
		out.Reset()
		if err := p.JSON(found); err != nil || !strings.Contains(out.String(), `"older":[`) {
			t.Errorf("%v, %s", err, out.String())
		}
	}
}

// A check ends with the first signal, and after the time limit of a file's own rules.
func TestVerifyStopsOnSignalOrTimeLimit(t *testing.T) {
	norn, err := cli.Wire(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &cli.Program{Wired: norn, Speaker: norn.Words.In(lang.En)}
	release := make(chan struct{})
	defer close(release)
	hangs := func() (int, error) {
		<-release
		return 1, nil
	}
	if _, err := within(t.Context(), p, true, time.Millisecond, hangs); err == nil ||
		!strings.Contains(p.Explain(err).Texts[0], "took longer than 1ms") {
		t.Errorf("a text that hangs: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := within(stopped, p, false, 0, hangs); !errors.Is(err, context.Canceled) {
		t.Errorf("after a signal: %v", err)
	}
	if n, err := within(t.Context(), p, true, time.Hour, func() (int, error) { return 7, nil }); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// endless is a line that has no end.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	e.read += len(b)
	if e.read > 1<<30 {
		return 0, io.ErrUnexpectedEOF
	}
	return len(b), nil
}

// A line that is too long is refused before the rest is read.
func TestTooLongLineIsRefusedUnread(t *testing.T) {
	norn, err := cli.Wire(nil)
	if err != nil {
		t.Fatal(err)
	}
	in := &endless{}
	p := &cli.Program{Wired: norn, Speaker: norn.Words.In(lang.En), In: in, Out: cli.NewScreen(io.Discard, nil)}
	c := VerifyCommand(p)
	c.SetArgs([]string{"-"})
	c.SilenceErrors, c.SilenceUsage = true, true
	if err := c.ExecuteContext(t.Context()); err == nil || in.read > 16<<20 {
		t.Errorf("after %d bytes: %v", in.read, err)
	}
}

// heavy returns a table's file whose game has a text with an expensive line in its rule or, with
// top, in the text itself. The table was played with the cheap text.
func heavy(t *testing.T, line string, top bool) []byte {
	t.Helper()
	text, err := script.Read(os.DirFS("../../../../script/first"))
	if err != nil {
		t.Fatal(err)
	}
	light, err := script.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	if top {
		text.Game += "\ndef burn():\n" + line + "\nburn()\n"
	} else {
		text.Game = strings.Replace(text.Game, "    if count(", line+"\n    if count(", 1)
	}
	light.Source = text.Bytes()
	light.Text = game.TextOf(light.Source)
	norn, err := cli.Wire([]*game.Game{light})
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	host := table.New(table.Config{
		Games: game.Fixed([]*game.Game{light}), Words: norn.Words, Journal: store, Relay: local.New(), Now: time.Now,
		Entropy: rand.NewChaCha8([32]byte{1}), Log: slog.New(slog.DiscardHandler), Version: "test",
	})
	defer host.Close()
	made, err := host.Create(t.Context(), request.NewTable{Game: light.ID, Name: "Heavy", Lang: lang.En})
	if err != nil {
		t.Fatal(err)
	}
	gm, err := host.Enter(t.Context(), made.ID, made.Seat.Secret, lang.En)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Do(t.Context(), gm, act.AddCharacter,
		act.CharacterRequest{Name: "Ida", Kind: "hero", Sheet: []byte("{}")}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := gm.Make(t.Context(),
		request.Move{Move: "dare", Character: "c1", Args: []byte(`{"risk":1}`)}); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := gm.Export(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// A file with an expensive text is refused by the limits of steps and sizes.
func TestFileWithAnExpensiveTextIsRefused(t *testing.T) {
	norn, err := cli.Wire(nil)
	if err != nil {
		t.Fatal(err)
	}
	const square = "    x = 3\n    for i in range(100):\n        x = x * x"
	const count = "    s = \"ab\" * 30000\n    for i in range(20000):\n        s.count(\"a\")"
	for name, c := range map[string]struct {
		line string
		top  bool
		want string
	}{
		"a number that squares in the text":    {square, true, "too large"},
		"a number that squares in a rule":      {square, false, "too large"},
		"counting in a long text, in the text": {count, true, "too many steps"},
		"counting in a long text, in a rule":   {count, false, "too many steps"},
	} {
		file := heavy(t, c.line, c.top)
		p := &cli.Program{
			Wired: norn, Speaker: norn.Words.In(lang.En), In: bytes.NewReader(file),
			Out: cli.NewScreen(io.Discard, nil),
		}
		command := VerifyCommand(p)
		command.SetArgs([]string{"--trust", "-"})
		command.SilenceErrors, command.SilenceUsage = true, true
		if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, in %d bytes: %v, want %q", name, len(file), err, c.want)
		}
	}
}
