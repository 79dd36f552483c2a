package demos

import (
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/game"
	"norn/games"
	"norn/journal/sqlite"
	"norn/lang"
	"norn/relay/local"
	"norn/table"
)

// Where tables are kept in PostgreSQL there may be no folder yet for the links of the
func TestDemosMakeTheirFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "norn")
	if err := keep(filepath.Join(dir, File), map[string]Table{"spire/en": {Table: "t"}}); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, File): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A demo table goes on by the rules of today: nobody there has begun by others.
func TestDemosPlayByTheNewestRules(t *testing.T) {
	norn, err := cli.Wire(games.All())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	store, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	spire, _ := game.Find(norn.Games, "spire")
	open := func(g *game.Game) (*table.Host, *Demos) {
		host := table.New(table.Config{
			Games: game.Fixed{g}, Words: norn.Words, Journal: store, Relay: local.New(), Now: time.Now,
			Entropy: rand.NewChaCha8([32]byte{byte(g.Edition)}), Log: slog.New(slog.DiscardHandler), Version: "devel",
		})
		t.Cleanup(func() { host.Close() })
		return host, Open(host, dir)
	}
	english := norn.Words.In(lang.En)
	_, first := open(spire)
	before, err := first.of(t.Context(), spire, english)
	if err != nil {
		t.Fatal(err)
	}
	newer := *spire
	newer.Edition++
	host, again := open(&newer)
	demo, err := again.of(t.Context(), &newer, english)
	if err != nil || demo != before {
		t.Fatalf("%+v, %v", demo, err)
	}
	gm, err := host.Enter(t.Context(), demo.Table, demo.GM, lang.En)
	if err != nil {
		t.Fatal(err)
	}
	v, err := gm.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if v.Newer != "" || v.Edition != newer.EditionID() {
		t.Errorf("edition %s, newer %q", v.Edition, v.Newer)
	}
}
