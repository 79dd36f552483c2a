package picture_test

import (
	"bytes"
	"testing"

	"norn/internal/growth"
	"norn/internal/picture"
)

// A file that is no picture costs no more than its length before it's refused.
func TestCostOfRefusingAFileIsLinear(t *testing.T) {
	for name, start := range map[string][]byte{
		"a JPEG's": asJPEG(t, two(40, 20)), "a PNG's": asPNG(t, two(40, 20)), "a WebP's": webp,
	} {
		for what, piece := range map[string]string{
			"zeros": "\x00", "ones": "\xff", "scans": "\xff\xda\x00\x02", "chunks": "\x00\x00\x00\x00tEXt", "frames": "VP8 \x00\x00\x00\x00",
		} {
			t.Run(name+" start and "+what, func(t *testing.T) {
				growth.Check(t, 200_000, func(n int) []byte {
					return append(bytes.Clone(start[:len(start)/2]), bytes.Repeat([]byte(piece), n/len(piece))...)
				}, func(file []byte) { _, _ = picture.Make(file, 64) })
			})
		}
	}
}
