// Package picture converts uploaded pictures: it scales them down, turns them upright, and keeps
// only their pixels.
//
// A file that would take too much memory or time is refused before it's decoded, and no input makes
// it crash. The result contains nothing else of the file: no place, time, name or colour profile.
package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// Media types.
const (
	JPEG = "image/jpeg"
	PNG  = "image/png"
	WebP = "image/webp" // accepted, and stored as one of the others
)

// Limits of pictures.
const (
	MaxSide  = 1600      // width and height of a stored picture in pixels
	Portrait = 512       // the same for a portrait
	MaxBytes = 512 << 10 // of a stored picture
	MaxFile  = 8 << 20   // bytes of an uploaded file

	maxMemory = 96 << 20 // memory for decoding
	much      = 16 << 20 // memory from which it's released at once
	maxSide   = 16_000

	// maxBlocks bounds the blocks of 8 × 8 pixels in all scans of a JPEG together. A photo has a
	// million of them in one scan, or 150,000 in each of ten; a file of 1 MB can have 45,000 scans.
	maxBlocks = 8 << 20
)

// maxTime bounds decoding that all other limits allow but that takes long, as on a busy machine.
const maxTime = 15 * time.Second

// Errors of unacceptable pictures.
var (
	ErrUnreadable = errors.New("picture: it's no picture that can be read")
	ErrTooLarge   = errors.New("picture: it has too many pixels")
	ErrHEIC       = errors.New("picture: it's a HEIC file")
)

// Size returns the size of a stored picture from its header.
func Size(media string, data []byte) (width, height int, err error) {
	var c image.Config
	switch media {
	case JPEG:
		c, err = jpeg.DecodeConfig(bytes.NewReader(data))
	case PNG:
		c, err = png.DecodeConfig(bytes.NewReader(data))
	default:
		err = ErrUnreadable
	}
	switch {
	case err != nil || c.Width < 1 || c.Height < 1:
		return 0, 0, ErrUnreadable
	case c.Width > MaxSide || c.Height > MaxSide:
		return 0, 0, ErrTooLarge
	}
	return c.Width, c.Height, nil
}

// Made is a converted picture.
type Made struct {
	Media         string
	Data          []byte
	Width, Height int
}

// turns allows one decoding at a time, so that the memory is bounded however many files arrive.
var turns = make(chan struct{}, 1)

// InTurn is Make, but waits until no other picture is being decoded. The error may be that of the
// context, which also stops the decoding.
func InTurn(ctx context.Context, file []byte, side int) (Made, error) {
	select {
	case turns <- struct{}{}:
		defer func() { <-turns }()
		limited, cancel := context.WithTimeout(ctx, maxTime)
		defer cancel()
		made, err := makeFrom(&reader{limited, bytes.NewReader(file)}, file, side)
		if ctx.Err() != nil {
			return Made{}, ctx.Err()
		}
		return made, err
	case <-ctx.Done():
		return Made{}, ctx.Err()
	}
}

// Make converts a JPEG, PNG or WebP file to a picture at most side pixels wide and high. Of an
// animation it takes the first image, if that is stored separately. It takes up to a second or two
// and 100 MiB: see InTurn.
func Make(file []byte, side int) (Made, error) { return makeFrom(bytes.NewReader(file), file, side) }

// reader reads a file in small pieces until its context ends, which also stops the decoder. Between
// pieces it yields the processor to short work.
type reader struct {
	ctx  context.Context
	rest *bytes.Reader
}

func (r *reader) Read(b []byte) (int, error) {
	runtime.Gosched()
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.rest.Read(b[:min(len(b), 512)])
}

// makeFrom is Make with a separate reader for the decoder.
func makeFrom(in io.Reader, file []byte, side int) (made Made, err error) {
	defer func() {
		if recover() != nil { // a decoder may panic on damaged files
			made, err = Made{}, ErrUnreadable
		}
	}()
	f, err := read(file)
	if err != nil {
		return Made{}, err
	}
	whole, err := f.decode(in)
	if err != nil {
		return Made{}, ErrUnreadable
	}
	seen := f.upright(scaleDown(whole, side))
	if b := whole.Bounds(); 4*b.Dx()*b.Dy() > much { // release the memory before the next picture
		whole = nil
		defer debug.FreeOSMemory()
	}
	return encode(seen, f.media == PNG)
}

// format is the information in the header of a file.
type format struct {
	media  string
	turned uint16 // orientation of EXIF, 1 to 8
	decode func(r io.Reader) (image.Image, error)
}

// read returns the format of a file, or an error if decoding it would take too much.
func read(file []byte) (format, error) {
	var (
		f   format
		c   image.Config
		err error
	)
	each := 4 // bytes for a pixel during decoding
	switch {
	case bytes.HasPrefix(file, []byte("\xff\xd8\xff")):
		f.media, f.decode = JPEG, jpeg.Decode
		if c, err = jpeg.DecodeConfig(bytes.NewReader(file)); progressive(file) {
			each = 16 // all coefficients are stored until the end
		}
		f.turned = orientation(exifOfJPEG(file))
	case bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")):
		f.media, f.decode = PNG, png.Decode
		c, err = png.DecodeConfig(bytes.NewReader(file))
		switch c.ColorModel {
		case color.NRGBA64Model, color.RGBA64Model, color.Gray16Model:
			each = 8
		}
	case len(file) > 12 && string(file[:4]) == "RIFF" && string(file[8:12]) == "WEBP":
		f.media, f.decode = WebP, webp.Decode
		c, err = webp.DecodeConfig(bytes.NewReader(file))
		each = 8 // a lossless one is decoded to a table, and then converted
		f.turned = orientation(exifOfWebP(file))
	case len(file) > 12 && string(file[4:8]) == "ftyp" &&
		slices.Contains([]string{"heic", "heix", "heim", "heis", "hevc", "mif1", "msf1"}, string(file[8:12])):
		return format{}, ErrHEIC
	default:
		return format{}, ErrUnreadable
	}
	switch {
	case err != nil || c.Width < 1 || c.Height < 1:
		return format{}, ErrUnreadable
	case c.Width > maxSide || c.Height > maxSide || c.Width*c.Height > maxMemory/each:
		return format{}, ErrTooLarge // the work for PNG and WebP depends only on the number of pixels
	case f.media == JPEG && scans(file) > maxBlocks/max(1, blocks(file)):
		return format{}, ErrTooLarge
	}
	return f, nil
}

// scans returns an upper bound of the number of scans in a JPEG: the marker of a scan never occurs
// in coded data.
func scans(file []byte) int { return bytes.Count(file, []byte("\xff\xda")) }

// blocks returns an upper bound of the number of blocks of 8 × 8 pixels in one scan of a JPEG.
func blocks(file []byte) (n int) {
	segments(file, func(marker byte, data []byte) bool {
		if marker < 0xc0 || marker > 0xc2 || len(data) < 6 {
			return true
		}
		height, width := int(binary.BigEndian.Uint16(data[1:])), int(binary.BigEndian.Uint16(data[3:]))
		wide, high, each := 4, 4, 0
		for components := data[6:]; len(components) >= 3; components = components[3:] {
			h, v := max(1, int(components[1]>>4)), max(1, int(components[1]&15))
			wide, high, each = min(wide, h), min(high, v), each+h*v
		}
		n = max(n, (width/(8*wide)+1)*(height/(8*high)+1)*each)
		return true
	})
	return n
}

// scaleDown returns an image that is at most side pixels wide and high. Each pixel is the mean of
// the area that it covers. It processes one row at a time, because libraries need many times the
// memory.
func scaleDown(of image.Image, side int) *image.NRGBA {
	from := of.Bounds()
	w, h := from.Dx(), from.Dy()
	dw, dh := w, h
	if most := max(w, h); most > side {
		dw, dh = max(1, w*side/most), max(1, h*side/most)
	}
	to := image.NewNRGBA(image.Rect(0, 0, dw, dh))
	row := image.NewRGBA(image.Rect(0, 0, w, 1))
	narrow, sum := make([]uint64, 4*dw), make([]uint64, 4*dw)
	for y, out := 0, 0; y < h; y++ {
		runtime.Gosched()
		draw.Draw(row, row.Rect, of, image.Pt(from.Min.X, from.Min.Y+y), draw.Src)
		clear(narrow)
		for x := range w {
			at, first, rest := part(x, dw, w)
			for c, v := range row.Pix[4*x : 4*x+4] {
				narrow[4*at+c] += first * uint64(v)
				if rest > 0 {
					narrow[4*at+4+c] += rest * uint64(v)
				}
			}
		}
		at, first, rest := part(y, dh, h)
		for i, v := range narrow {
			sum[i] += first * v
		}
		if at == out && (at+1)*h > (y+1)*dh { // the next row belongs to it, too
			continue
		}
		for x := range dw {
			px := sum[4*x : 4*x+4]
			all := uint64(w) * uint64(h)
			if a := px[3]; a > 0 { // colours are premultiplied by alpha
				i := to.PixOffset(x, out)
				for c := range 3 {
					to.Pix[i+c] = uint8(min((px[c]*255+a/2)/a, 255))
				}
				to.Pix[i+3] = uint8((a + all/2) / all)
			}
		}
		out++
		clear(sum)
		for i, v := range narrow {
			sum[i] = rest * v
		}
	}
	return to
}

// part returns into which of few parts the i-th of many parts falls, and how much of it, as
// fractions of many; the rest falls into the next.
func part(i, few, many int) (at int, first, rest uint64) {
	begin, end := i*few, (i+1)*few
	at = begin / many
	if next := (at + 1) * many; end > next {
		return at, uint64(next - begin), uint64(end - next)
	}
	return at, uint64(few), 0
}

// upright rotates an image according to its orientation.
func (f format) upright(of *image.NRGBA) *image.NRGBA {
	w, h := of.Rect.Dx(), of.Rect.Dy()
	var from func(x, y int) (int, int) // returns the source of a pixel
	switch f.turned {
	case 2:
		from = func(x, y int) (int, int) { return w - 1 - x, y }
	case 3:
		from = func(x, y int) (int, int) { return w - 1 - x, h - 1 - y }
	case 4:
		from = func(x, y int) (int, int) { return x, h - 1 - y }
	case 5:
		from = func(x, y int) (int, int) { return y, x }
	case 6:
		from = func(x, y int) (int, int) { return y, h - 1 - x }
	case 7:
		from = func(x, y int) (int, int) { return w - 1 - y, h - 1 - x }
	case 8:
		from = func(x, y int) (int, int) { return w - 1 - y, x }
	default:
		return of
	}
	to := image.NewNRGBA(image.Rect(0, 0, w, h))
	if f.turned > 4 {
		to = image.NewNRGBA(image.Rect(0, 0, h, w))
	}
	for y := range to.Rect.Dy() {
		for x := range to.Rect.Dx() {
			to.SetNRGBA(x, y, of.NRGBAAt(from(x, y)))
		}
	}
	return to
}

// encode encodes an image for storage: as PNG if it's transparent, or a drawing that is small as
// PNG, otherwise as JPEG.
func encode(m *image.NRGBA, drawn bool) (Made, error) {
	opaque := m.Opaque()
	if drawn || !opaque {
		b := small{most: MaxBytes}
		if opaque {
			b.most = MaxBytes / 2
		}
		switch err := png.Encode(&b, m); {
		case err == nil:
			return Made{PNG, b.data, m.Rect.Dx(), m.Rect.Dy()}, nil
		case !errors.Is(err, errLarge):
			return Made{}, err
		}
	}
	if !opaque {
		under := image.NewNRGBA(m.Rect)
		draw.Draw(under, under.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(under, under.Rect, m, image.Point{}, draw.Over)
		m = under
	}
	for quality := 82; ; quality -= 12 {
		b := small{most: MaxBytes}
		switch err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); {
		case err == nil:
			return Made{JPEG, b.data, m.Rect.Dx(), m.Rect.Dy()}, nil
		case !errors.Is(err, errLarge):
			return Made{}, err
		}
		if quality < 60 { // noise: use fewer pixels
			m, quality = scaleDown(m, max(m.Rect.Dx(), m.Rect.Dy())*3/4), 82+12
		}
	}
}

// small stores what an encoder writes, and returns an error as soon as that is too much. Between
// pieces it yields the processor to short work.
type small struct {
	data []byte
	most int
}

var errLarge = errors.New("picture: it's too large to be kept")

func (s *small) Write(piece []byte) (int, error) {
	runtime.Gosched()
	if len(s.data)+len(piece) > s.most {
		return 0, errLarge
	}
	s.data = append(s.data, piece...)
	return len(piece), nil
}

// segments calls each with the segments of a JPEG before its pixels, found in the same way as by
// image/jpeg.
func segments(file []byte, each func(marker byte, data []byte) (more bool)) {
	for rest := file[2:]; ; {
		at := bytes.IndexByte(rest, 0xff) // bytes before a marker are skipped
		if at < 0 {
			return
		}
		marker := byte(0xff) // it may be repeated
		for rest = rest[at:]; marker == 0xff; rest = rest[1:] {
			if len(rest) == 0 {
				return
			}
			marker = rest[0]
		}
		if marker == 0 || marker >= 0xd0 && marker <= 0xd7 {
			continue
		}
		if marker == 0xd9 || marker == 0xda || len(rest) < 2 {
			return
		}
		n := int(binary.BigEndian.Uint16(rest))
		if n < 2 || n > len(rest) || !each(marker, rest[2:n]) {
			return
		}
		rest = rest[n:]
	}
}

// progressive reports whether a JPEG is progressive.
func progressive(file []byte) (is bool) {
	segments(file, func(marker byte, _ []byte) bool {
		is = is || marker == 0xc2
		return true
	})
	return is
}

func exifOfJPEG(file []byte) (tiff []byte) {
	segments(file, func(marker byte, data []byte) bool {
		if rest, ok := bytes.CutPrefix(data, []byte("Exif\x00\x00")); marker == 0xe1 && ok {
			tiff = rest
		}
		return tiff == nil
	})
	return tiff
}

func exifOfWebP(file []byte) []byte {
	for rest := file[12:]; len(rest) >= 8; {
		n := int(binary.LittleEndian.Uint32(rest[4:]))
		if n < 0 || n > len(rest)-8 {
			return nil
		}
		if string(rest[:4]) == "EXIF" {
			return bytes.TrimPrefix(rest[8:8+n], []byte("Exif\x00\x00"))
		}
		rest = rest[min(8+n+n%2, len(rest)):]
	}
	return nil
}

// orientation returns the orientation in EXIF data, or 1 if there is none.
func orientation(tiff []byte) uint16 {
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if tiff[0] == 'M' {
		order = binary.BigEndian
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return 1
	}
	n := uint64(order.Uint16(tiff[at:]))
	for i := range n {
		field := at + 2 + 12*i
		if field+12 > uint64(len(tiff)) {
			return 1
		}
		if order.Uint16(tiff[field:]) == 0x0112 {
			if turned := order.Uint16(tiff[field+8:]); turned >= 1 && turned <= 8 {
				return turned
			}
			return 1
		}
	}
	return 1
}
