package script_test

import (
	"os"
	"runtime"
	"testing"

	"norn/game"
	"norn/lang"
	"norn/script"
)

// A text of a game that was said once is found again without writing it anew.
func TestSayingATextAgainAllocatesOnlyItsID(t *testing.T) {
	text, err := script.Read(os.DirFS("../examples/nightferry"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := script.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	words, err := lang.Load(g.Words)
	if err != nil {
		t.Fatal(err)
	}
	s := words.In(lang.Ru)
	say := func() { s.Say(g.Word("game", "name")) }
	say()
	if again := testing.AllocsPerRun(5, say); again > 3 {
		t.Errorf("a text that was said allocates %.0f times", again)
	}
}

// BenchmarkMemoryOfAReadGame measures the allocations of reading a game, and the memory that it takes then:
// a server reads hundreds of games at its start, few of which are played.
func BenchmarkMemoryOfAReadGame(b *testing.B) {
	text, err := script.Read(os.DirFS("../examples/nightferry"))
	if err != nil {
		b.Fatal(err)
	}
	var games []*game.Game
	b.ReportAllocs()
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
