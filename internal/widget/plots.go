package widget

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"norn/lang"
	"norn/odds"
)

// Plot is a drawing of chances, on a page with the width available, or in a separate file.
type Plot struct {
	Title  string
	Height int
	draw   func(p Plot, y int) Component
}

// Draw draws the plot at a vertical offset in the surrounding drawing, 0 on a page.
func (p Plot) Draw(y int) Component { return p.draw(p, y) }

// Series holds the chances of one setting.
type Series struct {
	Name string
	Bars []odds.Bar
}

// Step is a number with the chance of at least that many, in each series.
type Step struct {
	Label  string     // the number
	Values []odds.Bar // by series; Label is the series' name
}

// Horizontal draws outcomes as bars below each other.
func Horizontal(title string, bars []odds.Bar) Plot {
	return Plot{title, len(bars) * barRow, func(p Plot, y int) Component { return horizontal(p, y, bars) }}
}

const barRow = 44 // a label, and the bar below it

// Vertical draws counts as columns.
func Vertical(title string, bars []odds.Bar) Plot {
	return Plot{title, plotTop + plotRoom + plotFoot, func(p Plot, y int) Component { return vertical(p, y, bars) }}
}

// Stacks draws each series as one bar divided into its parts; legend names them.
func Stacks(title string, series []Series, legend []odds.Bar) Plot {
	beside := 2 // names in a row of the legend
	for _, b := range legend {
		if utf8.RuneCountInString(b.Label) > maxBeside {
			beside = 1
		}
	}
	height := stackY(series, len(series)) + (len(legend)+beside-1)/beside*legendRow
	return Plot{title, height, func(p Plot, y int) Component { return stacks(p, y, series, legend, beside) }}
}

// The measures of a stack: the lines of its name, and the bar.
const (
	stackName = 18 // height of a line of the name
	stackBar  = 38
	maxBeside = 18 // letters of a name that has half of a narrow page
	maxLine   = 42 // letters in a line of a narrow page
)

func (s Series) tall() int { return len(foldName(s.Name))*stackName + stackBar }

// stackY returns the vertical position of the nth stack.
func stackY(series []Series, nth int) int {
	y := 0
	for _, s := range series[:nth] {
		y += s.tall()
	}
	return y
}

// foldName splits a name into lines that fit a narrow page, between its parts, because text in a
// drawing doesn't wrap.
func foldName(name string) []string {
	var lines []string
	for _, part := range strings.Split(name, joint) {
		if at := len(lines) - 1; at >= 0 && utf8.RuneCountInString(lines[at]+joint+part) <= maxLine {
			lines[at] += joint + part
		} else {
			lines = append(lines, part)
		}
	}
	return lines
}

const joint = " · "

// legendX returns the horizontal position of the nth name in a legend.
func legendX(nth, beside int) string { return percent(float64(nth%beside) / float64(beside)) }

func legendY(series []Series, nth, beside int) string {
	return px(stackY(series, len(series)) + nth/beside*legendRow)
}

// Lines draws the chance of "at least so many" as a line for each series. s writes the axis.
func Lines(title string, names []string, steps []Step, s lang.Speaker) Plot {
	height := plotTop + plotRoom + plotFoot
	if len(names) > 1 {
		height = lineY(names, len(names))
	}
	return Plot{title, height, func(p Plot, y int) Component { return lines(p, y, names, steps, s) }}
}

// The measures of a plot of counts: above it the value under the pointer, below it the numbers.
const (
	plotTop   = 26
	plotRoom  = 130
	plotFoot  = 26
	legendRow = 20
)

// lineY returns the vertical position of the nth name below a line plot.
func lineY(names []string, nth int) int {
	y := plotTop + plotRoom + plotFoot
	for _, name := range names[:nth] {
		y += len(foldName(name)) * legendRow
	}
	return y
}

func px(n int) string { return strconv.Itoa(n) }

// long returns a bar's length; a possible outcome is always visible.
func long(b odds.Bar) string { return percent(max(b.P, 0.002)) }

// column is one vertical bar with its position.
type column struct {
	odds.Bar
	x, width, middle string
	y, height        string
	labelled         bool
}

// uprights positions bars as columns; if there are many only some have labels.
func uprights(bars []odds.Bar) []column {
	top := tallest(bars).P
	each := labelEvery(len(bars), func(i int) string { return bars[i].Label })
	uprights := make([]column, len(bars))
	for i, b := range bars {
		share, height := 1/float64(len(bars)), 0.0
		if top > 0 {
			height = max(b.P/top*plotRoom, 1)
		}
		wide := min(share*0.78, 0.08)
		middle := (float64(i) + 0.5) * share
		uprights[i] = column{
			b, percent(middle - wide/2), percent(wide), percent(middle),
			number(plotTop + plotRoom - height), number(height), i%each == 0,
		}
	}
	return uprights
}

// labelEvery returns the interval of labels among n columns at which they don't touch on a narrow
// page.
func labelEvery(n int, label func(int) string) int {
	most := 11
	for i := range n {
		most = min(most, max(36/max(utf8.RuneCountInString(label(i)), 1), 2))
	}
	for each := 1; ; each++ {
		if round := each == 1 || each == 2 || each%5 == 0; round && (n+each-1)/each <= most {
			return each
		}
	}
}

// staircase returns a series as points of a line in a field of 100 by 100.
func staircase(steps []Step, series int) string {
	var b strings.Builder
	wide := 100 / float64(len(steps))
	for i, step := range steps {
		y := 100 - 100*step.Values[series].P
		fmt.Fprintf(&b, "%.2f,%.2f %.2f,%.2f ", float64(i)*wide, y, float64(i+1)*wide, y)
	}
	return strings.TrimSpace(b.String())
}

// grid are the labelled values of a line plot.
var grid = []float64{0, 0.25, 0.5, 0.75, 1}

func gridY(p float64) string { return number(plotTop + plotRoom*(1-p)) }

// scaleY returns the vertical position of a scale's text that is level with p.
func scaleY(p float64) string { return number(plotTop + plotRoom*(1-p) + 4.5) }

// scaleWidth returns the width of a plot with a scale next to it. On a page, at 0, the style leaves
// the space.
func scaleWidth(y int) string {
	if y == 0 {
		return "100%"
	}
	return px(sheetWidth - 2*sheetMargin - sheetScale)
}

// tallest returns the highest bar.
func tallest(bars []odds.Bar) odds.Bar {
	return slices.MaxFunc(bars, func(a, b odds.Bar) int { return cmp.Compare(a.P, b.P) })
}

func stepX(i, n int) string { return percent(float64(i) / float64(n)) }

func stepMiddle(i, n int) string { return percent((float64(i) + 0.5) / float64(n)) }

func stepWidth(n int) string { return percent(1 / float64(n)) }

// describe returns a step in words: "7: 62%", or "7: a 62%, b 40%".
func (s Step) describe() string {
	var parts []string
	for _, v := range s.Values {
		if len(s.Values) > 1 {
			parts = append(parts, v.Label+" "+v.Shown)
		} else {
			parts = append(parts, v.Shown)
		}
	}
	return s.Label + ": " + strings.Join(parts, ", ")
}

// first returns the tab index of a bar in a row: only the first can be reached by tab, arrow keys
// go to the others.
func first(i int) string {
	if i == 0 {
		return "0"
	}
	return "-1"
}

// Sheet is a drawing of several plots as a separate file, without external styles, fonts or
// scripts.
type Sheet struct {
	Title string
	Lines []string // below the title
	Plots []Plot
	Alt   string // all of it in words
}

// The measures of a sheet.
const (
	sheetWidth  = 720
	sheetMargin = 24
	sheetHead   = 40
	sheetLine   = 22
	sheetTitle  = 30 // height of a plot's title
	sheetScale  = 56 // width next to a plot
	sheetGap    = 18
)

func (s Sheet) head() int { return sheetMargin + sheetHead + len(s.Lines)*sheetLine }

// Height returns the height of the drawing.
func (s Sheet) Height() int {
	height := s.head() + sheetMargin
	for _, p := range s.Plots {
		height += sheetTitle + p.Height + sheetGap
	}
	return height
}

// at returns the vertical position of the nth plot.
func (s Sheet) at(nth int) int {
	y := s.head()
	for _, p := range s.Plots[:nth] {
		y += sheetTitle + p.Height + sheetGap
	}
	return y
}

// sheetStyle is the style of a sheet: dark on light, for paper and posts.
const sheetStyle = `<style>
svg{font-family:"Source Sans 3","Source Sans Pro",system-ui,sans-serif;font-variant-numeric:tabular-nums}
.sheet-back{fill:#fcfaf6}
.sheet-title{font-size:24px;font-weight:700;fill:#1a2220}
.sheet-line{font-size:15px;fill:#58625f}
.sheet-plot{font-size:15px;font-weight:600;fill:#1a2220}
text{font-size:14px;fill:#1a2220}
.bar>.plot-track{fill:#eae6dc}
.plot-axis,.plot-of{fill:#58625f;font-size:13px}
.plot-exact,.plot-hit{display:none}
.plot-grid{stroke:#d0cabd;stroke-width:1}
.plot-in{fill:#fcfaf6;font-weight:600}
.tone-triumph>rect{fill:#0a4f41}.tone-good>rect{fill:#23705f}.tone-mixed>rect{fill:#86580a}
.tone-bad>rect{fill:#a8402f}.tone-disaster>rect{fill:#6b0f1c}.tone-neutral>rect{fill:#56615e}
.plot-stack rect{stroke:#fcfaf6;stroke-width:1}
.plot-line{fill:none;stroke-width:2.5}
.series-0{stroke:#1b6253}.series-1{stroke:#a8402f;stroke-dasharray:8 4}.series-2{stroke:#4d4a86;stroke-dasharray:2 3}
.series-3{stroke:#86580a;stroke-dasharray:10 3 2 3}.series-4{stroke:#6b0f1c;stroke-dasharray:5 5}.series-5{stroke:#56615e;stroke-dasharray:1 5}
</style>`
