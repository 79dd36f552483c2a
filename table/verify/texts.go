package verify

import (
	"errors"
	"io"

	"norn/journal/archive"
	"norn/table/internal/act"
)

// Texts are those of games that stand in a table's file, oldest first. Nothing of them is run. Errors are *archive.FaultError and those
// of the reader.
func Texts(file io.Reader) (texts [][]byte, err error) {
	in, err := archive.NewReader(file)
	if err != nil {
		return nil, err
	}
	for {
		entry, err := in.Next()
		if errors.Is(err, io.EOF) {
			return texts, nil
		}
		if err != nil {
			return nil, err
		}
		if text, ok := act.TextIn(entry.Body); ok {
			texts = append(texts, text)
		}
	}
}
