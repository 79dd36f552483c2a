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

// pack is the smallest form of a page that the reader takes. Browsers take
// zstd over TLS and from their own machine, where it is smaller than gzip and
// made in a quarter of the time.
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

// packer is used by all requests at once.
var packer = func() *zstd.Encoder {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(1<<20))
	if err != nil {
		panic("web: zstd: " + err.Error()) // the options are none
	}
	return z
}()

// Takes tells whether the reader takes a content coding by name.
func Takes(r *http.Request, coding string) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), coding) {
			_, q, weighed := strings.Cut(weight, "=")
			return !weighed || strings.Trim(q, " 0.") != "" // 0, 0.0 and so on mean that it isn't taken
		}
	}
	return false
}

// gzipData is data by gzip as small as it goes: whoever takes nothing else comes over plain HTTP,
// and a page has to stay within what ADR 22 allows.
func gzipData(data []byte) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic("web: gzip: " + err.Error()) // there is such a level
	}
	_, _ = z.Write(data) // a buffer takes everything
	_ = z.Close()
	return b.Bytes()
}

// Flow gzips a stream event by event. Each is whole once it is written and is packed by itself, so that thousands of
// streams keep nothing between two events but a checksum, and all who are told the same may share what is packed.
type Flow struct {
	sum   uint32
	size  uint32
	begun bool
}

// gzipHead says: deflate, no time, unknown system.
var gzipHead = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}

// flates are compressors that are in nobody's use.
var flates = sync.Pool{New: func() any {
	z, _ := flate.NewWriter(nil, flate.DefaultCompression) // fails on no level that there is
	return z
}}

// Next is what an event adds to the stream, packed already.
func (f *Flow) Next(event, packed []byte) []byte {
	f.sum = crc32.Update(f.sum, crc32.IEEETable, event)
	f.size += uint32(len(event))
	if f.begun {
		return packed
	}
	return append(f.head(), packed...)
}

// head begins what isn't begun.
func (f *Flow) head() []byte {
	if f.begun {
		return nil
	}
	f.begun = true
	return slices.Clone(gzipHead)
}

// Deflate is an event as it stands in any flow.
func Deflate(event []byte) []byte {
	var b bytes.Buffer
	z := flates.Get().(*flate.Writer)
	defer flates.Put(z)
	z.Reset(&b)
	_, _ = z.Write(event) // a buffer takes everything
	_ = z.Flush()
	return b.Bytes()
}

// End ends the stream.
func (f *Flow) End() []byte {
	b := append(f.head(), 3, 0) // an empty last block
	b = binary.LittleEndian.AppendUint32(b, f.sum)
	return binary.LittleEndian.AppendUint32(b, f.size)
}
