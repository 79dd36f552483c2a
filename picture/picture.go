// Package picture is what norn takes for a picture, and what it makes of one: smaller, upright, and
// nothing but its pixels.
//
// Promised: what would take too much memory or work is refused before a pixel of it is decoded, and
// whatever bytes come, there's an answer. What is made holds nothing of the file that it's made of:
// no place, time, name or colour profile.
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
	WebP = "image/webp" // comes in and is kept as one of the others
)

// Bounds of pictures.
const (
	MaxSide  = 1600      // pixels that a kept one may be wide and high
	Portrait = 512       // likewise of somebody's portrait
	MaxBytes = 512 << 10 // of a kept one
	MaxFile  = 8 << 20   // bytes of a file that is made smaller

	maxMemory = 96 << 20 // that decoding may take
	much      = 16 << 20 // that is given back at once
	maxSide   = 16_000

	// maxBlocks bounds the blocks of 8 × 8 pixels that a JPEG's scans go through, together. A photo
	// has a million of them in one scan, or 150,000 in each of ten; a file of 1 MB can have 45,000
	// scans.
	maxBlocks = 8 << 20
)

// maxTime ends the decoding of what has passed all other bounds, as on a busy machine.
const maxTime = 15 * time.Second

// Errors of what is no picture for us.
var (
	ErrUnreadable = errors.New("picture: it's no picture that can be read")
	ErrTooLarge   = errors.New("picture: it has too many pixels")
	ErrHEIC       = errors.New("picture: it's a HEIC file")
)

// Size is how large a kept picture is, by what stands at its beginning.
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

// Made is a picture that may be kept.
type Made struct {
	Media         string
	Data          []byte
	Width, Height int
}

// turns are those who may decode at a time: one, so that what it takes is bounded, however many send files.
var turns = make(chan struct{}, 1)

// InTurn is Make as soon as nobody else does; the error may be the context's, which ends the decoding, too.
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

// Make makes one of a JPEG, PNG or WebP file, neither wider nor higher than side. Of a file that
// moves it's the first image, if there is one apart. It takes up to a second or two and 100 MiB:
// see InTurn.
func Make(file []byte, side int) (Made, error) { return makeFrom(bytes.NewReader(file), file, side) }

// reader reads a file in small pieces until its context ends, and with it the decoder that reads.
// Between them it lets go before it what is short.
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

// makeFrom is Make with what the decoder reads.
func makeFrom(in io.Reader, file []byte, side int) (made Made, err error) {
	defer func() {
		if recover() != nil { // whatever a decoder stumbles over
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
	if b := whole.Bounds(); 4*b.Dx()*b.Dy() > much { // before the next one comes
		whole = nil
		defer debug.FreeOSMemory()
	}
	return encode(seen, f.media == PNG)
}

// format is what the beginning of a file says.
type format struct {
	media  string
	turned uint16 // as EXIF says, 1 to 8
	decode func(r io.Reader) (image.Image, error)
}

// read tells what a file is, if decoding it isn't too much.
func read(file []byte) (format, error) {
	var (
		f   format
		c   image.Config
		err error
	)
	each := 4 // bytes of a pixel while it's decoded
	switch {
	case bytes.HasPrefix(file, []byte("\xff\xd8\xff")):
		f.media, f.decode = JPEG, jpeg.Decode
		if c, err = jpeg.DecodeConfig(bytes.NewReader(file)); progressive(file) {
			each = 16 // all its coefficients stay until the end
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
		each = 8 // a lossless one is read into a table, and then made a picture
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
		return format{}, ErrTooLarge // a PNG's or a WebP's work, too, grows with its pixels alone
	case f.media == JPEG && scans(file) > maxBlocks/max(1, blocks(file)):
		return format{}, ErrTooLarge
	}
	return f, nil
}

// scans returns how many scans a JPEG has at most: the marker of one stands nowhere in what is coded.
func scans(file []byte) int { return bytes.Count(file, []byte("\xff\xda")) }

// blocks returns how many blocks of 8 × 8 pixels one scan of a JPEG goes through at most.
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

// scaleDown is an image that is neither wider nor higher than side, of plain pixels: each is what
// it covers of the whole one, on average. It takes a row at a time, where a library's would take
// many times the memory.
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
		if at == out && (at+1)*h > (y+1)*dh { // more rows belong to it
			continue
		}
		for x := range dw {
			px := sum[4*x : 4*x+4]
			all := uint64(w) * uint64(h)
			if a := px[3]; a > 0 { // colours come multiplied by how much they cover
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

// part says which of few parts the i-th of many falls into, and how much of it, in parts of many;
// the rest falls into the next.
func part(i, few, many int) (at int, first, rest uint64) {
	begin, end := i*few, (i+1)*few
	at = begin / many
	if next := (at + 1) * many; end > next {
		return at, uint64(next - begin), uint64(end - next)
	}
	return at, uint64(few), 0
}

// upright turns an image as a camera was held.
func (f format) upright(of *image.NRGBA) *image.NRGBA {
	w, h := of.Rect.Dx(), of.Rect.Dy()
	var from func(x, y int) (int, int) // whence a pixel comes
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

// encode is an image as it's kept: what one can see through as PNG, and what was drawn if it's
// small so, all else as JPEG.
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
		if quality < 60 { // noise: less of it
			m, quality = scaleDown(m, max(m.Rect.Dx(), m.Rect.Dy())*3/4), 82+12
		}
	}
}

// small keeps what an encoder writes, and ends it as soon as that is too much. Between two pieces
// it lets go before it what is short.
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

// segments gives the parts of a JPEG before its pixels, as image/jpeg finds them.
func segments(file []byte, each func(marker byte, data []byte) (more bool)) {
	for rest := file[2:]; ; {
		at := bytes.IndexByte(rest, 0xff) // what stands before is passed over
		if at < 0 {
			return
		}
		marker := byte(0xff) // which may stand several times
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

// progressive tells whether a JPEG comes in several passes.
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

// orientation is what EXIF says of how the camera was held, 1 where it says nothing.
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
