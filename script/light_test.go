package script_test

import (
	"os"
	"runtime"
	"testing"

	"norn/game"
	"norn/lang"
	"norn/script"
)

// A server reads hundreds of games when it starts, of which few are played: what one costs till then is counted, not timed.
func TestAGameIsReadLightly(t *testing.T) {
	text, err := script.Read(os.DirFS("../examples/nightferry"))
	if err != nil {
		t.Fatal(err)
	}
	read := func() *game.Game {
		g, err := script.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	if made := testing.AllocsPerRun(5, func() { read() }); made > 14_000 {
		t.Errorf("reading a game allocates %.0f times", made)
	}
	games := make([]*game.Game, 40)
	before := held()
	for i := range games {
		games[i] = read()
	}
	if each := (held() - before) / uint64(len(games)); each > 350<<10 {
		t.Errorf("a game that was read holds %d bytes", each)
	}
	g := games[0]
	words, err := lang.Load(g.Words)
	if err != nil {
		t.Fatal(err)
	}
	s := words.In(lang.Ru)
	say := func() { s.Say(g.Word("game", "name")) }
	say()
	if again := testing.AllocsPerRun(5, say); again > 3 { // its id
		t.Errorf("a text that was said allocates %.0f times", again)
	}
	runtime.KeepAlive(games)
}

func held() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools still hold
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
