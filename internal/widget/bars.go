package widget

import (
	"slices"
	"strconv"
	"strings"

	"norn/odds"
)

// exact reports whether any chance has a readable fraction.
func exact(bars []odds.Bar) bool {
	return slices.ContainsFunc(bars, func(b odds.Bar) bool { return b.Exact != "" && b.Exact != "…" })
}

// longFraction is the length in bytes from which a fraction may need two lines.
const longFraction = 12

// placed is a bar with its position in a row, in percent.
type placed struct {
	odds.Bar
	from, size, middle string
	roomy              bool // wide enough for text inside
	labelled           bool // if there are many columns only some have labels
}

// maxSpoken limits the bars that a plot's name lists; a table next to the plot has all of them.
const maxSpoken = 12

// spokenBars returns the text of a plot for screen readers.
func spokenBars(label string, bars []odds.Bar) string {
	if len(bars) == 0 || len(bars) > maxSpoken {
		return label
	}
	all := make([]string, len(bars))
	for i, b := range bars {
		all[i] = b.Label + " " + b.Shown
	}
	return strings.TrimSuffix(label, ".") + ": " + strings.Join(all, ", ")
}

// row arranges bars from left to right.
func row(bars []odds.Bar) []placed {
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

// columns arranges bars as columns; the highest has the height of the drawing.
func columns(bars []odds.Bar) []placed {
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

// The space around columns: above for numbers, below for labels.
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

// share returns the width of one of n columns, as a share of the row.
func share(n int) float64 { return min(0.7/float64(n), 0.06) }

func percent(p float64) string { return number(p*100) + "%" }

func number(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
