package verify

import (
	"encoding/json"
	"errors"
	"io"
	"slices"

	"norn/game"
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
	played := map[string]bool{}
	for {
		entry, err := in.Next()
		if errors.Is(err, io.EOF) {
			return in.Header().Game, slices.DeleteFunc(texts, func(text []byte) bool {
				return !played[game.TextOf(text)]
			}), nil
		}
		if err != nil {
			return in.Header().Game, nil, err
		}
		if a, text, err := act.ReadAttachment(entry.Body); err == nil && a.Use == view.UseText {
			texts = append(texts, text)
		}
		var by struct {
			Edition string `json:"edition"`
		}
		if json.Unmarshal(entry.Body, &by) == nil {
			played[by.Edition] = true
		}
	}
}
