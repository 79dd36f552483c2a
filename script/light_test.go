package script_test

import (
	"os"
	"runtime"
	"testing"

	"norn/game"
	"norn/lang"
	"norn/script"
)

// A server reads hundreds of games at its start, few of which are played. This counts the cost of
// reading one instead of timing it.
func TestReadingAGameAllocatesLittle(t *testing.T) {
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
	g := read()
	words, err := lang.Load(g.Words)
	if err != nil {
		t.Fatal(err)
	}
	s := words.In(lang.Ru)
	say := func() { s.Say(g.Word("game", "name")) }
	say()
	if again := testing.AllocsPerRun(5, say); again > 3 { // one for its id
		t.Errorf("a text that was said allocates %.0f times", again)
	}
}

// This measures the memory held by a game that was read.
func BenchmarkMemoryOfAReadGame(b *testing.B) {
	text, err := script.Read(os.DirFS("../examples/nightferry"))
	if err != nil {
		b.Fatal(err)
	}
	var games []*game.Game
	before := held()
	for b.Loop() {
		g, err := script.Compile(text)
		if err != nil {
			b.Fatal(err)
		}
		if len(games) < 40 {
			games = append(games, g)
		}
	}
	b.ReportMetric(float64(held()-before)/float64(len(games)), "B/game")
	runtime.KeepAlive(games)
}

func held() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // removes what pools hold
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
