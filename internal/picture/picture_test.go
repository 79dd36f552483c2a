package picture_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"norn/internal/picture"
)

// two returns an image whose left half is red and right half blue.
func two(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{R: 255, A: 255}
			if x >= w/2 {
				c = color.NRGBA{B: 255, A: 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func asJPEG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asPNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// held returns a JPEG with the given orientation and a place in its EXIF data.
func held(file []byte, turned uint16) []byte {
	tiff := []byte("II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00")
	tiff = binary.LittleEndian.AppendUint16(tiff, turned)
	tiff = append(tiff, "\x00\x00\x00\x00\x00\x00 SECRET place"...)
	exif := append([]byte("Exif\x00\x00"), tiff...)
	segment := binary.BigEndian.AppendUint16([]byte("\xff\xe1"), uint16(len(exif)+2))
	return bytes.Join([][]byte{file[:2], segment, exif, file[2:]}, nil)
}

// webp is a picture of one pixel.
var webp, _ = base64.StdEncoding.DecodeString("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=")

func TestPicturesAreMadeSmallerOrRefused(t *testing.T) {
	glass := two(300, 200)
	glass.SetNRGBA(0, 0, color.NRGBA{})
	noise := image.NewNRGBA(image.Rect(0, 0, 2000, 1000))
	r := rand.New(rand.NewPCG(1, 1))
	for i := range noise.Pix {
		noise.Pix[i] = byte(r.Uint32())
	}
	for name, c := range map[string]struct {
		file  []byte
		side  int
		media string
		w, h  int
	}{
		"a photo":                     {asJPEG(t, two(4000, 3000)), picture.MaxSide, picture.JPEG, 1600, 1200},
		"a small photo":               {asJPEG(t, two(40, 30)), picture.MaxSide, picture.JPEG, 40, 30},
		"a portrait":                  {asJPEG(t, two(3000, 4000)), picture.Portrait, picture.JPEG, 384, 512},
		"a drawing":                   {asPNG(t, two(300, 200)), picture.MaxSide, picture.PNG, 300, 200},
		"what one can see through":    {asPNG(t, glass), picture.MaxSide, picture.PNG, 300, 200},
		"noise that one sees through": {asPNG(t, noise), picture.MaxSide, picture.JPEG, 1600, 800},
		"a line":                      {asPNG(t, two(9000, 1)), picture.MaxSide, picture.PNG, 1600, 1},
		"WebP":                        {webp, picture.MaxSide, picture.JPEG, 1, 1},
	} {
		made, err := picture.Make(c.file, c.side)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if made.Media != c.media || made.Width != c.w || made.Height != c.h || len(made.Data) > picture.MaxBytes {
			t.Errorf("%s is %s of %d × %d in %d bytes, want %s of %d × %d", name, made.Media, made.Width, made.Height,
				len(made.Data), c.media, c.w, c.h)
		}
		if w, h, err := picture.Size(made.Media, made.Data); err != nil || w != made.Width || h != made.Height {
			t.Errorf("%s can't be kept: %d × %d, %v", name, w, h, err)
		}
	}
}

// Pictures of all orientations must be upright, and no metadata may remain.
func TestPicturesAreUprightAndLoseTheirMetadata(t *testing.T) {
	for turned, red := range map[uint16]image.Point{
		1: {1, 10}, 2: {38, 10}, 3: {38, 10}, 4: {1, 10}, 5: {10, 1}, 6: {10, 1}, 7: {10, 38}, 8: {10, 38}, 9: {1, 10},
	} {
		made, err := picture.Make(held(asJPEG(t, two(40, 20)), turned), picture.MaxSide)
		if err != nil {
			t.Fatal(err)
		}
		m, err := jpeg.Decode(bytes.NewReader(made.Data))
		if err != nil {
			t.Fatal(err)
		}
		if r, _, b, _ := m.At(red.X, red.Y).RGBA(); r < 0xc000 || b > 0x4000 {
			t.Errorf("held as %d, it's %v at %v of %v", turned, m.At(red.X, red.Y), red, m.Bounds())
		}
		if bytes.Contains(made.Data, []byte("SECRET")) || bytes.Contains(made.Data, []byte("Exif")) {
			t.Error("it says where it was made")
		}
	}
}

// claims returns a PNG whose header claims the given size.
func claims(file []byte, w, h uint32) []byte {
	file = bytes.Clone(file)
	binary.BigEndian.PutUint32(file[16:], w)
	binary.BigEndian.PutUint32(file[20:], h)
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
	return file
}

func TestUnsupportedPicturesAreRefused(t *testing.T) {
	var moving bytes.Buffer
	if err := gif.Encode(&moving, two(10, 10), nil); err != nil {
		t.Fatal(err)
	}
	small, photo := asPNG(t, two(10, 10)), asJPEG(t, two(40, 20))
	wide := bytes.Clone(photo)
	at := bytes.Index(wide, []byte("\xff\xc0"))
	binary.BigEndian.PutUint16(wide[at+5:], 16_000)
	binary.BigEndian.PutUint16(wide[at+7:], 16_000)
	several := bytes.Clone(photo) // progressive, with 12 megapixels, after bytes that decoders skip
	several[at+1] = 0xc2
	binary.BigEndian.PutUint16(several[at+5:], 3000)
	binary.BigEndian.PutUint16(several[at+7:], 4000)
	hidden := bytes.Join([][]byte{several[:at], []byte("junk\xff\x00junk\xff\xff"), several[at:]}, nil)
	animated := append([]byte("RIFF\x00\x01\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x09\x00\x00\x09\x00\x00ANIM"), make([]byte, 300)...)
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"nothing":                     {nil, picture.ErrUnreadable},
		"text":                        {[]byte("<svg onload=alert(1)>"), picture.ErrUnreadable},
		"a HEIC photo":                {[]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00"), picture.ErrHEIC},
		"a GIF":                       {moving.Bytes(), picture.ErrUnreadable},
		"a WebP that moves":           {animated, picture.ErrUnreadable},
		"half a PNG":                  {small[:len(small)/2], picture.ErrUnreadable},
		"half a JPEG":                 {photo[:len(photo)/3], picture.ErrUnreadable},
		"a PNG of 60,000 × 60,000":    {claims(small, 60_000, 60_000), picture.ErrTooLarge},
		"a PNG of 2^31 × 2^31":        {claims(small, 1<<31-1, 1<<31-1), picture.ErrUnreadable},
		"a PNG of 1 × 1,000,000":      {claims(small, 1, 1_000_000), picture.ErrTooLarge},
		"a PNG that claims more":      {claims(small, 4000, 4000), picture.ErrUnreadable},
		"a JPEG of 16,000 × 16,000":   {wide, picture.ErrTooLarge},
		"a JPEG in several passes":    {several, picture.ErrTooLarge},
		"one that hides that":         {hidden, picture.ErrTooLarge},
		"a JPEG that says nothing on": {[]byte("\xff\xd8\xff"), picture.ErrUnreadable},
	} {
		if _, err := picture.Make(c.file, picture.MaxSide); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// scanned returns a grey JPEG of 2000 × 2000 pixels with so many scans, each of which skips 62,500
// blocks by 17 bytes.
func scanned(scans int) []byte {
	file := []byte("\xff\xd8" +
		"\xff\xdb\x00\x43\x00" + strings.Repeat("\x01", 64) + // quantization
		"\xff\xc2\x00\x0b\x08\x07\xd0\x07\xd0\x01\x01\x11\x00" + // progressive, 2000 × 2000, one component
		"\xff\xc4\x00\x14\x10\x01" + strings.Repeat("\x00", 15) + "\xe0") // AC: code 0 is a run of 2^14 blocks and more
	for range scans {
		file = append(file, "\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00"+"\x55\x54\xaa\xa9\x55\x50"...)
	}
	return append(file, "\xff\xd9"...)
}

// A picture with many scans must be refused before it's decoded: one of 1 MB took 93 s.
func TestPictureWithManyScansIsRefusedUndecoded(t *testing.T) {
	if made, err := picture.Make(scanned(3), 100); err != nil || made.Width != 100 {
		t.Fatalf("three scans: %d wide, %v", made.Width, err)
	}
	if _, err := picture.InTurn(t.Context(), scanned(45_000), picture.MaxSide); !errors.Is(err, picture.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

// Decoding must end with its context, so that a cancelled request keeps nobody waiting.
func TestDecodingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 { // a free turn may still be taken
		if _, err := picture.InTurn(ctx, asPNG(t, two(300, 200)), picture.MaxSide); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
	}
}

func FuzzMake(f *testing.F) {
	f.Add(asPNG(f, two(10, 10)))
	f.Add(held(asJPEG(f, two(40, 20)), 6))
	f.Add(webp)
	f.Add([]byte("RIFF\xff\xff\xff\xffWEBPEXIF\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, file []byte) {
		made, err := picture.Make(file, 64)
		if err != nil {
			if !errors.Is(err, picture.ErrUnreadable) && !errors.Is(err, picture.ErrTooLarge) {
				t.Fatal(err)
			}
			return
		}
		if w, h, err := picture.Size(made.Media, made.Data); err != nil || w > 64 || h > 64 ||
			len(made.Data) > picture.MaxBytes {
			t.Fatalf("made %d × %d in %d bytes: %v", w, h, len(made.Data), err)
		}
	})
}

// A picture of one colour must keep it at any size.
func TestOneColourStaysTheSameWhenMadeSmaller(t *testing.T) {
	for _, c := range []color.NRGBA{{100, 150, 200, 255}, {100, 150, 200, 128}, {255, 255, 255, 255}, {0, 0, 0, 255}} {
		for _, size := range []image.Point{{1600, 900}, {1601, 1}, {2400, 1777}, {3200, 31}} {
			m := image.NewNRGBA(image.Rectangle{Max: size})
			for i := 0; i < len(m.Pix); i += 4 {
				m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = c.R, c.G, c.B, c.A
			}
			made, err := picture.Make(asPNG(t, m), picture.MaxSide)
			if err != nil || made.Media != picture.PNG {
				t.Fatalf("%v of %v: %s, %v", c, size, made.Media, err)
			}
			back, err := png.Decode(bytes.NewReader(made.Data))
			if err != nil {
				t.Fatal(err)
			}
			b := back.Bounds()
			for _, at := range []image.Point{{}, {b.Dx() / 2, b.Dy() / 2}, {b.Dx() - 1, b.Dy() - 1}} {
				got := color.NRGBAModel.Convert(back.At(at.X, at.Y)).(color.NRGBA)
				for _, pair := range [][2]uint8{{got.R, c.R}, {got.G, c.G}, {got.B, c.B}, {got.A, c.A}} {
					if int(pair[0])-int(pair[1]) > 1 || int(pair[1])-int(pair[0]) > 1 {
						t.Errorf("%v of %v is %v at %v", c, size, got, at)
						break
					}
				}
			}
		}
	}
}

// bits writes the numbers of a lossless WebP, the least significant bit first.
type bits struct {
	data []byte
	n    int
}

func (b *bits) write(value uint32, count int) {
	for i := range count {
		if b.n%8 == 0 {
			b.data = append(b.data, 0)
		}
		b.data[len(b.data)-1] |= byte(value>>i&1) << (b.n % 8)
		b.n++
	}
}

// plainWebP returns a lossless WebP of one colour, whose pixels take no bits.
func plainWebP(w, h int) []byte {
	var b bits
	b.write(0x2f, 8)
	b.write(uint32(w-1), 14)
	b.write(uint32(h-1), 14)
	b.write(0, 1+3+1+1+1) // opaque, version 0, no transforms, no cache of colours, one group of tables
	for range 5 {
		b.write(1, 4) // a table with one symbol, 0
	}
	b.write(0, 64)
	file := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(12+len(b.data)+len(b.data)%2))
	file = binary.LittleEndian.AppendUint32(append(file, "WEBPVP8L"...), uint32(len(b.data)))
	return append(append(file, b.data...), make([]byte, len(b.data)%2)...)
}

// Small files may decode to very large pictures. Those beyond the limits are refused before they're
// decoded: even if all that is after the header, or after too many scans, is missing.
func TestPicturesBeyondTheLimitsAreRefusedByTheirHeader(t *testing.T) {
	grey := asPNG(t, image.NewGray(image.Rect(0, 0, 10, 10)))
	deep := asPNG(t, image.NewNRGBA64(image.Rect(0, 0, 10, 10)))
	const header = 33 // bytes of the header of a PNG
	for name, file := range map[string][]byte{
		"a grey PNG":                claims(grey, 5100, 5100)[:header],
		"a PNG of 16 bits a colour": claims(deep, 3600, 3600)[:header],
		"a WebP of one colour":      plainWebP(3600, 3600)[:30],
		"the largest WebP":          plainWebP(1<<14, 1<<14)[:30],
		"a JPEG of many scans":      scanned(151)[:len(scanned(150))],
	} {
		if _, err := picture.InTurn(t.Context(), file, picture.MaxSide); !errors.Is(err, picture.ErrTooLarge) {
			t.Errorf("%s of %d bytes: %v, want %v", name, len(file), err, picture.ErrTooLarge)
		}
	}
	if _, err := picture.InTurn(t.Context(), claims(grey, 5000, 5000)[:header], picture.MaxSide); !errors.Is(err,
		picture.ErrUnreadable) {
		t.Errorf("the header of a picture within the limits: %v, want %v", err, picture.ErrUnreadable)
	}
}

// largest returns files that decode to the largest pictures within the limits.
func largest(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"a grey PNG":                asPNG(t, image.NewGray(image.Rect(0, 0, 5000, 5000))),
		"a PNG of 16 bits a colour": asPNG(t, image.NewNRGBA64(image.Rect(0, 0, 3500, 3500))),
		"a WebP of one colour":      plainWebP(3500, 3500),
		"a JPEG of all scans":       scanned(120),
	}
}

func TestTheLargestPicturesWithinTheLimitsAreMade(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: decodes pictures of 25 megapixels")
	}
	for name, file := range largest(t) {
		if made, err := picture.InTurn(t.Context(), file, picture.MaxSide); err != nil || made.Width < 1 {
			t.Errorf("%s of %d bytes: %d wide, %v", name, len(file), made.Width, err)
		}
	}
}

// BenchmarkLargestPictures reports the time and memory that the largest pictures within the limits
// take: some 100 MiB and a second or two.
func BenchmarkLargestPictures(b *testing.B) {
	for name, file := range largest(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := picture.InTurn(b.Context(), file, picture.MaxSide); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
