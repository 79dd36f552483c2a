package api

import (
	"bytes"
	"io"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"norn/game"
	"norn/table/view"
)

// format is huma's, except that nil lists are written as [] instead of null, and entries by
// AppendJSON.
var format = huma.Format{Marshal: write, Unmarshal: huma.DefaultJSONFormat.Unmarshal}

// buffers are reused for responses and events.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// largest is the size up to which a buffer is reused.
const largest = 64 << 10

func putBack(b *bytes.Buffer) {
	if b.Cap() <= largest {
		buffers.Put(b)
	}
}

// write writes a value and a line break.
func write(w io.Writer, value any) error {
	b := buffers.Get().(*bytes.Buffer)
	defer putBack(b)
	b.Reset()
	if err := writeJSON(b, value); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func writeJSON(b *bytes.Buffer, value any) error {
	switch value := value.(type) {
	case *view.Entry:
		b.Write(value.AppendJSON(b.AvailableBuffer()))
	case view.Entry:
		b.Write(value.AppendJSON(b.AvailableBuffer()))
	case Made:
		if len(value.Open)+len(value.Waiting) > 0 {
			return huma.DefaultJSONFormat.Marshal(b, game.EmptyLists(value))
		}
		b.Write(value.AppendJSON(b.AvailableBuffer()))
	default:
		return huma.DefaultJSONFormat.Marshal(b, game.EmptyLists(value))
	}
	b.WriteByte('\n')
	return nil
}
