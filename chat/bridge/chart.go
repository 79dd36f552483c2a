package bridge

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"norn/game"
)

// bar is one bar of a chart.
type bar struct {
	label string
	p     float64
	shown string
	tone  game.Tone
}

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
func chart(bars []bar) []byte {
	for len(bars) > maxBars {
		least := 0
		for i := range bars {
			if bars[i].p < bars[least].p {
				least = i
			}
		}
		bars = append(append([]bar{}, bars[:least]...), bars[least+1:]...)
	}
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
		for font.MeasureString(letters, bars[i].label).Ceil() > labelMost {
			runes := []rune(bars[i].label)
			bars[i].label = string(runes[:len(runes)-2]) + "…"
		}
		wide, most = max(wide, font.MeasureString(letters, bars[i].label).Ceil()), max(most, bars[i].p)
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
		write(b.label, margin, y)
		fill(image.Rect(left, y, right, y+barHeight), rail)
		length := 0
		if most > 0 {
			length = int(float64(right-left) * b.p / most)
		}
		tone, known := tones[b.tone]
		if !known {
			tone = tones[game.Neutral]
		}
		fill(image.Rect(left, y, left+max(length, 2), y+barHeight), tone)
		write(b.shown, right+10, y)
	}
	var out bytes.Buffer
	if png.Encode(&out, img) != nil {
		return nil
	}
	return out.Bytes()
}
