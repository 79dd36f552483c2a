package act

import (
	"bytes"
	"encoding/json"
	"sync"

	"github.com/klauspost/compress/zstd"

	"norn/game"
	"norn/table/refusal"
	"norn/table/request"
)

// Rows are attached as they are, or packed: an attachment must fit into an entry of the journal, and the
// texts of a book take a quarter of their bytes packed.
const (
	mediaRows   = "application/json"
	mediaPacked = "application/zstd"
)

const (
	plainRows = 64 << 10 // bytes up to which rows stay as they are: older norns read those
	partRows  = 2 << 20  // bytes of JSON from which the next rows are a part of their own
	maxParts  = 16       // of one list
	maxKept   = 8 << 20  // bytes that a part may unpack to: a row can be larger than partRows
	window    = 1 << 20  // bytes back in which repetitions are found; packing takes memory with it
)

// KeptPart is an attachment with rows of a list.
type KeptPart struct {
	Hash  string
	Media string
	Data  []byte
}

// packTexts returns the attachments for the rows of a list, each with all columns and some of the rows.
func packTexts(texts KeptTexts) (parts []KeptPart, err error) {
	for from, to := 0, 0; from < len(texts.Rows); from = to {
		size := 0
		for ; to < len(texts.Rows) && (to == from || size < partRows); to++ {
			size += game.Total(texts.Rows[to], func(cell string) int { return len(cell) + len(`"",`) })
		}
		packed, err := packPart(KeptTexts{Columns: texts.Columns, Rows: texts.Rows[from:to]})
		if err != nil {
			return nil, err
		}
		parts = append(parts, packed...)
	}
	if len(parts) > maxParts {
		return nil, &refusal.TooManyError{What: "bytes", Max: maxParts * request.MaxListRows}
	}
	return parts, nil
}

// packPart returns the attachment for rows, or those for their halves if they don't pack well enough.
func packPart(texts KeptTexts) ([]KeptPart, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(texts); err != nil {
		return nil, err
	}
	media, data, err := packRows(bytes.TrimSpace(b.Bytes()))
	if err != nil {
		return nil, err
	}
	half := len(texts.Rows) / 2
	switch {
	case len(data) <= request.MaxListRows && b.Len() <= maxKept:
		return []KeptPart{{HashOf(data), media, data}}, nil
	case half == 0:
		return nil, &refusal.TooManyError{What: "bytes", Max: request.MaxListRows}
	}
	first, err := packPart(KeptTexts{Columns: texts.Columns, Rows: texts.Rows[:half]})
	if err != nil {
		return nil, err
	}
	rest, err := packPart(KeptTexts{Columns: texts.Columns, Rows: texts.Rows[half:]})
	return append(first, rest...), err
}

// roomForParts refuses rows that the table has no room for.
func roomForParts(p *Proposal, parts []KeptPart) error {
	return roomForAttachments(p, len(parts), game.Total(parts, func(part KeptPart) int { return len(part.Data) }))
}

// packRows packs the JSON of rows if that is worth it.
func packRows(data []byte) (media string, packed []byte, err error) {
	if len(data) <= plainRows {
		return mediaRows, data, nil
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window),
		zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	if err != nil {
		return "", nil, err
	}
	defer z.Close()
	return mediaPacked, z.EncodeAll(data, nil), nil
}

// unpacker unpacks rows. It keeps little memory, and may be used by several at once.
var unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxKept))
})

// unpackRows returns the JSON of an attachment with rows.
func unpackRows(media string, data []byte) ([]byte, error) {
	if media != mediaPacked {
		return data, nil
	}
	z, err := unpacker()
	if err != nil {
		return nil, err
	}
	return z.DecodeAll(data, nil)
}
