package foreign

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Limits of a workbook. They're checked before anything is unpacked.
const (
	maxParts    = 1000    // files in it
	maxUnpacked = 8 << 20 // bytes of all parts that are read
)

// Workbooks have no library here: the small ones parse in a goroutine that nobody can guard, and the
// large one alone is more than what the release has left to grow. The cells' texts are all that is
// needed.

// readWorkbook returns the cells of each tab of an XLSX file: those in columns A to Z of the first
// maxKeeperRow rows.
func readWorkbook(data []byte) ([]cells, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(z.File) > maxParts {
		return nil, &Problem{Code: Broken}
	}
	var tabs []*zip.File
	var strings *zip.File
	unpacked := uint64(0)
	for _, f := range z.File {
		switch {
		case isTab(f.Name):
			tabs = append(tabs, f)
		case f.Name == "xl/sharedStrings.xml":
			strings = f
		default:
			continue
		}
		if unpacked += min(f.UncompressedSize64, maxUnpacked+1); unpacked > maxUnpacked {
			return nil, &Problem{Code: Unpacked, Max: maxUnpacked}
		}
	}
	if tabs == nil {
		return nil, &Problem{Code: Unknown}
	}
	shared, err := readStrings(strings)
	if err != nil {
		return nil, err
	}
	var all []cells
	for _, f := range tabs {
		c, err := readTab(f, shared)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// isTab reports whether a part of a workbook is one of its tabs.
func isTab(name string) bool {
	name, below := strings.CutPrefix(name, "xl/worksheets/")
	return below && strings.HasSuffix(name, ".xml") && !strings.Contains(name, "/")
}

// readPart calls f for each token of a part. Its size was checked: a part that unpacks to more than
// the archive declares is broken.
func readPart(part *zip.File, f func(xml.Token)) error {
	r, err := part.Open()
	if err != nil {
		return &Problem{Code: Broken}
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	for depth := 0; ; {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return &Problem{Code: Broken}
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
		if depth > maxXMLDepth {
			return &Problem{Code: Deep, Max: maxXMLDepth}
		}
		f(token)
	}
}

const maxXMLDepth = 32

// readStrings returns the texts that cells refer to by number.
func readStrings(part *zip.File) ([]string, error) {
	if part == nil {
		return nil, nil
	}
	var all []string
	var text strings.Builder
	var in []string
	err := readPart(part, func(token xml.Token) {
		switch t := token.(type) {
		case xml.StartElement:
			in = append(in, t.Name.Local)
		case xml.EndElement:
			in = in[:len(in)-1]
			if t.Name.Local == "si" {
				all = append(all, text.String())
				text.Reset()
			}
		case xml.CharData:
			// rPh holds how a text is read aloud
			if n := len(in); n > 0 && in[n-1] == "t" && !slices.Contains(in, "rPh") {
				text.Write(t)
			}
		}
	})
	return all, err
}

// readTab returns the cells of a tab.
func readTab(part *zip.File, shared []string) (cells, error) {
	c := cells{}
	var place, kind, in string
	var text strings.Builder
	err := readPart(part, func(token xml.Token) {
		switch t := token.(type) {
		case xml.StartElement:
			in = t.Name.Local
			if in == "c" {
				place, kind = attributeOf(t, "r"), attributeOf(t, "t")
				text.Reset()
			}
		case xml.EndElement:
			in = ""
			if t.Name.Local == "c" {
				c.put(place, textOfCell(kind, text.String(), shared))
			}
		case xml.CharData:
			if in == "v" || in == "t" {
				text.Write(t)
			}
		}
	})
	return c, err
}

// attributeOf returns an attribute of an element, "" for none.
func attributeOf(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// textOfCell returns a cell's value as a spreadsheet writes it in CSV.
func textOfCell(kind, text string, shared []string) string {
	switch kind {
	case "s":
		i, err := strconv.Atoi(text)
		if err != nil || i < 0 || i >= len(shared) {
			return ""
		}
		return shared[i]
	case "b":
		if text == "1" {
			return "TRUE"
		}
		return "FALSE"
	case "", "n": // Google Sheets writes 3 as 3.0
		if n, err := strconv.ParseFloat(text, 64); err == nil && n == math.Trunc(n) && math.Abs(n) <= maxNumber {
			return itoa(int(n))
		}
	}
	return text
}

// put keeps a cell at its place, such as "B4", if it's one that a keeper has.
func (c cells) put(place, text string) {
	if len(place) < 2 || place[0] < 'A' || place[0] > 'Z' {
		return
	}
	row, err := strconv.Atoi(place[1:])
	if err != nil || row < 1 || row > maxKeeperRow || text == "" {
		return
	}
	column := int(place[0] - 'A')
	for len(c[row]) <= column {
		c[row] = append(c[row], "")
	}
	c[row][column] = text
}
