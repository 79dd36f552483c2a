package act

import (
	"sync"

	"github.com/klauspost/compress/zstd"

	"norn/internal/rows"
)

// Rows are attached as they are, or packed: an attachment must fit into an entry of the journal, and the
// texts of a book take a quarter of their bytes packed.
const (
	mediaRows   = "application/json"
	mediaPacked = "application/zstd"
)

const (
	plainRows = 64 << 10         // bytes up to which rows stay as they are: older norns read those
	maxKept   = 8 * rows.MaxText // bytes that packed rows may unpack to: the largest list, with escapes
	window    = 1 << 20          // bytes back in which repetitions are found; packing takes memory with it
)

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
