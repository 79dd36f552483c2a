package workbook

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// format says how a spreadsheet shows a number.
type format struct {
	day, clock bool // a date, a time of day
	percent    bool
}

// epoch says from when days are counted: from 1904 in old workbooks of Macs, otherwise from 1900.
type epoch bool

// readFormats returns how numbers are shown, by the style of a cell.
func (b *book) readFormats() (all []format, err error) {
	own := map[string]format{}
	err = b.walk("xl/styles.xml", func(t xml.Token, in []string) {
		e, ok := t.(xml.StartElement)
		switch {
		case !ok:
		case e.Name.Local == "numFmt" && len(own) < maxParts:
			own[attribute(e, "numFmtId")] = formatOf(attribute(e, "formatCode"))
		case e.Name.Local == "xf" && len(in) > 1 && in[len(in)-2] == "cellXfs":
			id := attribute(e, "numFmtId")
			f, known := own[id]
			if !known {
				f = builtIn(id)
			}
			all = append(all, f)
		}
	})
	return all, err
}

// builtIn returns a format that workbooks have without declaring it: ECMA-376, part 1, 18.8.30. Those
// from 27 to 58 are dates in East Asia alone.
func builtIn(id string) format {
	switch n, _ := strconv.Atoi(id); {
	case n == 9, n == 10:
		return format{percent: true}
	case n >= 14 && n <= 17:
		return format{day: true}
	case n >= 18 && n <= 21, n >= 45 && n <= 47:
		return format{clock: true}
	case n == 22:
		return format{day: true, clock: true}
	}
	return format{}
}

// formatOf reads the code of a format, such as "dd/mm/yyyy" or "0.0%". What is in quotes, in brackets
// or behind a backslash is shown as it is.
func formatOf(code string) (f format) {
	month := false // or minutes, if there are hours or seconds
	defer func() { f.day = f.day || month && !f.clock }()
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '"':
			i += 1 + max(0, strings.IndexByte(code[i+1:], '"'))
		case '[':
			end := max(0, strings.IndexByte(code[i:], ']'))
			switch strings.ToLower(code[i : i+end]) {
			case "[h", "[hh", "[m", "[mm", "[s", "[ss": // longer than a day
				f.clock = true
			}
			i += end
		case '\\', '_', '*':
			i++
		case 'd', 'D', 'y', 'Y':
			f.day = true
		case 'h', 'H', 's', 'S':
			f.clock = true
		case 'm', 'M':
			month = true
		case '%':
			f.percent = true
		case ';':
			return f // what follows is for other numbers
		case 'G', 'g': // "General"
			i += max(0, min(len(code)-i, len("General"))-1)
		}
	}
	return f
}

// textOf returns a cell's value as a text, and whether it's a date or a time.
func (b *book) textOf(c *cell) (text string, dated bool) {
	text = c.text.String()
	switch c.kind {
	case "s":
		i, err := strconv.Atoi(text)
		if err != nil || i < 0 || i >= len(b.texts) {
			return "", false
		}
		return b.texts[i], false
	case "b":
		if isTrue(text) {
			return "TRUE", false
		}
		return "FALSE", false
	case "d":
		return text, true
	case "", "n":
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
			return text, false
		}
		var f format
		if c.style >= 0 && c.style < len(b.formats) {
			f = b.formats[c.style]
		}
		switch {
		case (f.day || f.clock) && n >= 0 && n < lastDay:
			return b.from.say(n, f), true
		case f.percent:
			return number(n*100) + "%", false
		}
		return number(n), false
	}
	return text, false // a text of its own, or an error such as #REF!
}

// number writes a number without what binary fractions add: spreadsheets show 15 digits.
func number(n float64) string {
	if math.Abs(n) >= 1e15 {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 15, 64), 64)
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// lastDay is the day after 9999-12-31.
const lastDay = 2958466

// say writes a number of days as a date, a time or both.
func (e epoch) say(days float64, f format) string {
	minutes := int(math.Round(days * 24 * 60))
	if !f.day { // it may be longer than a day
		return fmt.Sprintf("%d:%02d", minutes/60, minutes%60)
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case bool(e):
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60:
		first = first.AddDate(0, 0, 1) // spreadsheets take 1900 for a leap year
	}
	if !f.clock {
		return first.AddDate(0, 0, int(days)).Format("2006-01-02")
	}
	return first.AddDate(0, 0, minutes/(24*60)).Add(time.Duration(minutes%(24*60)) * time.Minute).Format("2006-01-02 15:04")
}
