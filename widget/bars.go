package widget

import (
	"slices"
	"strconv"
)

// Bar is one part of a drawing of chances.
type Bar struct {
	ID    string  // of the outcome, "" for none
	Label string  // in words: "Success", "3"
	Tone  string  // "" for none
	P     float64 // chance, 0 to 1, for drawing
	Shown string  // chance as people read it: "41 %"
	Exact string  // chance as a fraction: "41/100"
}

// exact tells whether any chance is written as a fraction that can be read.
func exact(bars []Bar) bool {
	return slices.ContainsFunc(bars, func(b Bar) bool { return b.Exact != "" && b.Exact != "…" })
}

// longFraction is how long a fraction is that may need two lines, in bytes.
const longFraction = 12

// placed is a bar with its place in a row, in percent.
type placed struct {
	Bar
	from, size, middle string
	roomy              bool // wide enough to write in
	labelled           bool // of many columns only some are
}

// row lays bars beside each other.
func row(bars []Bar) []placed {
	row := make([]placed, 0, len(bars))
	at := 0.0
	for _, b := range bars {
		row = append(row, placed{
			Bar: b, from: percent(at), size: percent(b.P), middle: percent(at + b.P/2),
			roomy: b.P >= 0.09,
		})
		at += b.P
	}
	return row
}

// columns stands bars side by side, the highest as high as the drawing.
func columns(bars []Bar) []placed {
	top := 0.0
	for _, b := range bars {
		top = max(top, b.P)
	}
	each := labelEvery(len(bars), func(i int) string { return bars[i].Label })
	columns := make([]placed, 0, len(bars))
	for i, b := range bars {
		height := 0.0
		if top > 0 {
			height = b.P / top * columnHeight
		}
		columns = append(columns, placed{
			Bar: b, from: number(columnTop + columnHeight - height), size: number(max(height, 1)),
			middle: percent((float64(i) + 0.5) / float64(len(bars))), roomy: len(bars) <= 12,
			labelled: len(bars) <= 12 || i%each == 0,
		})
	}
	return columns
}

// The drawing of columns: room above for numbers, below for labels.
const (
	columnTop    = 16.0
	columnHeight = 64.0
)

func (p placed) offset(n int) string { return percent(center(p.middle) - share(n)/2) }

func center(percent string) float64 {
	f, err := strconv.ParseFloat(percent[:len(percent)-1], 64)
	if err != nil {
		panic(err) // percent wrote it
	}
	return f / 100
}

func columnWidth(n int) string { return percent(share(n)) }

// share is how much of the row one of n columns takes.
func share(n int) float64 { return min(0.7/float64(n), 0.06) }

func percent(p float64) string { return number(p*100) + "%" }

func number(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
