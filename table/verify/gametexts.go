package verify

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"norn/game"
	"norn/journal"
	"norn/journal/archive"
	"norn/table/act"
	"norn/table/view"
)

// Texts returns the texts of an own game that a table was played by, as the table's exported file
// has them, oldest first, and the game's id. It runs none of them. Errors are *archive.FaultError
// and those of the reader.
func Texts(file io.Reader) (id string, texts [][]byte, err error) {
	in, err := archive.NewReader(file)
	if err != nil {
		return "", nil, err
	}
	found := foundTexts{played: map[string]bool{}}
	for {
		entry, err := in.Next()
		if errors.Is(err, io.EOF) {
			return in.Header().Game, found.used(), nil
		}
		if err != nil {
			return in.Header().Game, nil, err
		}
		found.note(entry)
	}
}

// Entries reads the entries of a stored table.
type Entries interface {
	Read(ctx context.Context, table string, after uint64, limit int) ([]journal.Entry, error)
}

// StoredTexts returns the texts that Texts does, of a table in a journal. Errors are those of the
// journal.
func StoredTexts(ctx context.Context, entries Entries, table string) ([][]byte, error) {
	found := foundTexts{played: map[string]bool{}}
	for after := uint64(0); ; {
		some, err := entries.Read(ctx, table, after, storedAtOnce)
		if err != nil || len(some) == 0 {
			return found.used(), err
		}
		for _, entry := range some {
			found.note(entry)
		}
		after = some[len(some)-1].Seq
	}
}

// storedAtOnce limits the entries that StoredTexts reads at once.
const storedAtOnce = 500

// foundTexts collects the texts among a table's entries.
type foundTexts struct {
	texts  [][]byte
	played map[string]bool // by edition
}

func (f *foundTexts) note(entry journal.Entry) {
	if a, text, err := act.ReadAttachment(entry.Body); err == nil && a.Use == view.UseText {
		f.texts = append(f.texts, text)
	}
	var by struct {
		Edition string `json:"edition"`
	}
	if json.Unmarshal(entry.Body, &by) == nil {
		f.played[by.Edition] = true
	}
}

// used returns the texts that the table was played by.
func (f *foundTexts) used() [][]byte {
	return slices.DeleteFunc(f.texts, func(text []byte) bool { return !f.played[game.TextOf(text)] })
}
