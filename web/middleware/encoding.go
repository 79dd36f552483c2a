package middleware

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// pack returns a page in the smallest encoding that the client accepts. Browsers accept zstd over
// TLS and from localhost; it's smaller than gzip and takes a quarter of the time.
func pack(r *http.Request, page []byte) (encoding string, body []byte) {
	switch {
	case len(page) <= 1024:
		return "", page
	case Takes(r, "zstd"):
		return "zstd", packer.EncodeAll(page, nil)
	case Takes(r, "gzip"):
		return "gzip", gzipData(page)
	}
	return "", page
}

// packer is shared by all requests.
var packer = func() *zstd.Encoder {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(1<<20))
	if err != nil {
		panic("web: zstd: " + err.Error()) // these options are valid
	}
	return z
}()

// Takes reports whether the client accepts a content encoding.
func Takes(r *http.Request, coding string) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), coding) {
			_, q, weighed := strings.Cut(weight, "=")
			return !weighed || strings.Trim(q, " 0.") != "" // a weight of 0, 0.0 and so on rejects the encoding
		}
	}
	return false
}

// gzips pools compressors: a new one costs as much as it takes to compress a page.
var gzips = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestCompression) // the level exists
	return z
}}

// gzipData compresses as well as gzip can: clients that accept only gzip use plain HTTP, and a page
// must stay below the limit in ADR 22.
func gzipData(data []byte) []byte {
	var b bytes.Buffer
	z := gzips.Get().(*gzip.Writer)
	defer gzips.Put(z)
	z.Reset(&b)
	_, _ = z.Write(data) // writing to a buffer can't fail
	_ = z.Close()
	return b.Bytes()
}

// Flow compresses a stream by gzip. Each event is flushed and compressed by itself, so that a
// stream holds only a checksum between events, and streams with the same event share its compressed
// form.
type Flow struct {
	sum   uint32
	size  uint32
	begun bool
}

// gzipHead says: deflate, no time, unknown system.
var gzipHead = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}

// flates pools compressors.
var flates = sync.Pool{New: func() any {
	z, _ := flate.NewWriter(nil, flate.DefaultCompression) // the level exists
	return z
}}

// Next returns what an event adds to the stream; packed is the event, compressed by Deflate.
func (f *Flow) Next(event, packed []byte) []byte {
	f.sum = crc32.Update(f.sum, crc32.IEEETable, event)
	f.size += uint32(len(event))
	if f.begun {
		return packed
	}
	return append(f.head(), packed...)
}

// head returns the beginning of the stream, nil if it was already written.
func (f *Flow) head() []byte {
	if f.begun {
		return nil
	}
	f.begun = true
	return slices.Clone(gzipHead)
}

// Deflate compresses an event for use in any flow.
func Deflate(event []byte) []byte {
	var b bytes.Buffer
	z := flates.Get().(*flate.Writer)
	defer flates.Put(z)
	z.Reset(&b)
	_, _ = z.Write(event) // writing to a buffer can't fail
	_ = z.Flush()
	return b.Bytes()
}

// End returns the end of the stream.
func (f *Flow) End() []byte {
	b := append(f.head(), 3, 0) // an empty last block
	b = binary.LittleEndian.AppendUint32(b, f.sum)
	return binary.LittleEndian.AppendUint32(b, f.size)
}
