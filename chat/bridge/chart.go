package bridge

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"norn/game"
	"norn/odds"
)

// Sizes of a chart, in pixels.
const (
	chartWidth = 640
	barHeight  = 26
	barGap     = 8
	margin     = 16
	labelMost  = 220
	shownWidth = 64
	maxBars    = 24
)

var (
	paper = color.RGBA{0xfb, 0xfa, 0xf7, 0xff}
	ink   = color.RGBA{0x22, 0x24, 0x2a, 0xff}
	rail  = color.RGBA{0xe6, 0xe3, 0xdb, 0xff}
	tones = map[game.Tone]color.RGBA{
		game.Triumph: {0x1c, 0x7c, 0x54, 0xff}, game.Good: {0x3d, 0x9a, 0x6c, 0xff},
		game.Mixed: {0xc9, 0x9a, 0x2e, 0xff},
		game.Bad:   {0xc0, 0x5a, 0x3c, 0xff}, game.Disaster: {0x96, 0x2d, 0x3e, 0xff},
		game.Neutral: {0x4f, 0x6d, 0x9c, 0xff},
	}
)

// face is the font of charts; it has all letters of norn's languages.
var face = sync.OnceValue(func() *opentype.Font {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic(err) // can't happen: the font is part of the binary
	}
	return f
})

// chart draws bars as a PNG. Of too many it keeps the likeliest, in the same order.
func chart(bars []odds.Bar) []byte {
	bars = slices.Clone(odds.Likeliest(bars, maxBars, func(b odds.Bar) float64 { return b.P }))
	if len(bars) == 0 {
		return nil
	}
	letters, err := opentype.NewFace(face(), &opentype.FaceOptions{Size: 15, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return nil
	}
	defer letters.Close()
	wide := 0
	most := 0.0
	for i := range bars {
		for font.MeasureString(letters, bars[i].Label).Ceil() > labelMost {
			runes := []rune(bars[i].Label)
			bars[i].Label = string(runes[:len(runes)-2]) + "…"
		}
		wide, most = max(wide, font.MeasureString(letters, bars[i].Label).Ceil()), max(most, bars[i].P)
	}
	height := 2*margin + len(bars)*(barHeight+barGap) - barGap
	img := image.NewRGBA(image.Rect(0, 0, chartWidth, height))
	fill := func(r image.Rectangle, c color.RGBA) {
		draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(img.Bounds(), paper)
	write := func(text string, x, y int) {
		d := font.Drawer{Dst: img, Src: image.NewUniform(ink), Face: letters, Dot: fixed.P(x, y+18)}
		d.DrawString(text)
	}
	left, right := margin+wide+12, chartWidth-margin-shownWidth
	for i, b := range bars {
		y := margin + i*(barHeight+barGap)
		write(b.Label, margin, y)
		fill(image.Rect(left, y, right, y+barHeight), rail)
		length := 0
		if most > 0 {
			length = int(float64(right-left) * b.P / most)
		}
		tone, known := tones[game.Tone(b.Tone)]
		if !known {
			tone = tones[game.Neutral]
		}
		fill(image.Rect(left, y, left+max(length, 2), y+barHeight), tone)
		write(b.Shown, right+10, y)
	}
	var out bytes.Buffer
	if png.Encode(&out, img) != nil {
		return nil
	}
	return out.Bytes()
}
