package editions

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"norn/game"
	"norn/journal"
)

// fixture is a recording of one edition of a game: the journal entries of tables, their exported
// files, and every seat's view.
type fixture struct {
	Norn     string    `json:"norn"` // the version that recorded it
	Game     string    `json:"game"`
	Edition  string    `json:"edition"`
	Evenings []evening `json:"evenings"`
}

// evening is one table.
type evening struct {
	Name    string           `json:"name"`
	Table   string           `json:"table"`
	Seats   []chair          `json:"seats"`
	Entries []stored         `json:"entries"`
	Export  string           `json:"export,omitempty"` // the game master's; none while a move was open
	Seen    string           `json:"seen"`             // the first player's export
	Shown   map[string]shown `json:"shown"`            // by seat
}

// chair is a seat with the secret of its link.
type chair struct {
	ID     string    `json:"id"`
	Role   game.Role `json:"role"`
	Name   string    `json:"name"`
	Secret string    `json:"secret"`
}

// stored is an entry as the journal has it.
type stored struct {
	Time time.Time       `json:"time"`
	Seat string          `json:"seat,omitempty"`
	Move string          `json:"move,omitempty"`
	Key  string          `json:"key,omitempty"`
	Body json.RawMessage `json:"body"`
}

func (s stored) entry() journal.Entry {
	return journal.Entry{Time: s.Time, Seat: s.Seat, Move: s.Move, Key: s.Key, Body: s.Body}
}

// path returns the file of an edition's fixture.
func path(game, edition string) string { return filepath.Join("testdata", game, edition+".json.zst") }

// window is the size of the compressor's window: an export repeats the content of the journal.
const window = 64 << 20

func write(t testing.TB, f fixture) {
	t.Helper()
	data, err := json.Marshal(f)
	must(t, err)
	to, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(window),
		zstd.WithEncoderConcurrency(1))
	must(t, err)
	file := path(f.Game, f.Edition)
	must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(t, os.WriteFile(file, to.EncodeAll(data, nil), 0o644))
}

var files sync.Map // by path

func read(t testing.TB, file string) fixture {
	t.Helper()
	once, _ := files.LoadOrStore(file, sync.OnceValues(func() (f fixture, err error) {
		packed, err := os.ReadFile(file)
		if err != nil {
			return f, err
		}
		from, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window))
		if err != nil {
			return f, err
		}
		defer from.Close()
		data, err := from.DecodeAll(packed, nil)
		if err != nil {
			return f, err
		}
		return f, json.Unmarshal(data, &f)
	}))
	f, err := once.(func() (fixture, error))()
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", file, err))
	}
	return f
}
