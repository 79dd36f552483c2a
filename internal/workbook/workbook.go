// Package workbook reads and writes the cells of XLSX files, as texts.
//
// It's small on purpose: the libraries for workbooks either parse in a goroutine that nobody can guard,
// or are larger than what a release has left to grow. Names of parts and attributes are those of
// ECMA-376, part 1. The package imports nothing of norn.
package workbook

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Limits of a workbook. They're checked before anything is unpacked.
const (
	MaxUnpacked = 16 << 20 // bytes of all parts that are read
	MaxDepth    = 32       // of XML

	maxParts  = 1000 // files in it
	maxPlaces = 500_000
	maxMerges = 10_000
)

// Errors of reading.
var (
	ErrBroken   = errors.New("workbook: the file isn't whole")
	ErrNone     = errors.New("workbook: the file has no sheets")
	ErrUnpacked = errors.New("workbook: the file unpacks to too much")
	ErrTooDeep  = errors.New("workbook: the file is nested too deep")
)

// Area bounds the rows and columns that are read, from the first ones.
type Area struct{ Rows, Columns int }

// Sheet is a sheet of a workbook.
type Sheet struct {
	Name   string
	Rows   []Row // with at least one text, in order
	Merged []Range
	Beyond bool // there are texts outside of the area that was read
}

// Row is a row of a sheet.
type Row struct {
	Number int      // from 1, as a spreadsheet counts
	Cells  []string // up to the last one with a text
	Dates  []int    // indices of the cells that are dates or times
}

// Range is a part of a sheet whose cells are merged, from 0.
type Range struct{ Row, Column, LastRow, LastColumn int }

// Is reports whether a file begins like a workbook.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// Read returns the sheets of an XLSX file in their order, hidden ones last. Numbers are texts without
// trailing zeros, dates are like 2026-11-29, times like 19:30, truths TRUE or FALSE.
func Read(data []byte, area Area) ([]Sheet, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(z.File) > maxParts {
		return nil, ErrBroken
	}
	b := book{parts: map[string]*zip.File{}, area: area}
	unpacked := uint64(0)
	for _, f := range z.File {
		if !isRead(f.Name) {
			continue
		}
		if unpacked += min(f.UncompressedSize64, MaxUnpacked+1); unpacked > MaxUnpacked {
			return nil, ErrUnpacked
		}
		b.parts[f.Name] = f
	}
	return b.read()
}

// isRead reports whether a part of the file is one that matters.
func isRead(name string) bool {
	switch name {
	case "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/sharedStrings.xml", "xl/styles.xml":
		return true
	}
	return isSheet(name)
}

func isSheet(name string) bool {
	folder, file := path.Split(name)
	return folder == "xl/worksheets/" && strings.HasSuffix(file, ".xml")
}

// book is a workbook while it's read.
type book struct {
	parts   map[string]*zip.File
	area    Area
	texts   []string
	formats []format // by the style of a cell
	from    epoch
	places  int // of all rows
}

// entry names a sheet and its part.
type entry struct {
	name, part string
	hidden     bool
}

func (b *book) read() ([]Sheet, error) {
	entries, err := b.readEntries()
	if err == nil && len(entries) == 0 {
		err = ErrNone
	}
	if err == nil {
		b.texts, err = b.readTexts()
	}
	if err == nil {
		b.formats, err = b.readFormats()
	}
	if err != nil {
		return nil, err
	}
	sheets := make([]Sheet, 0, len(entries))
	for _, of := range entries {
		s, err := b.readSheet(of)
		if err != nil {
			return nil, err
		}
		sheets = append(sheets, s)
	}
	return sheets, nil
}

// readEntries returns the sheets that the workbook names; if it names none, the parts that are sheets.
func (b *book) readEntries() (entries []entry, err error) {
	parts := map[string]string{} // by their ids in this file
	err = b.walk("xl/_rels/workbook.xml.rels", func(t xml.Token, _ []string) {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "Relationship" && len(parts) < maxParts {
			target := attribute(e, "Target")
			if !strings.HasPrefix(target, "/") {
				target = "xl/" + target
			}
			parts[attribute(e, "Id")] = strings.TrimPrefix(path.Clean(target), "/")
		}
	})
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	err = b.walk("xl/workbook.xml", func(t xml.Token, _ []string) {
		e, ok := t.(xml.StartElement)
		switch {
		case !ok:
		case e.Name.Local == "workbookPr":
			b.from = epoch(isTrue(attribute(e, "date1904")))
		case e.Name.Local == "sheet":
			of := entry{attribute(e, "name"), parts[attribute(e, "id")], attribute(e, "state") != ""}
			of.hidden = of.hidden && attribute(e, "state") != "visible"
			if _, there := b.parts[of.part]; there && isSheet(of.part) && !named[of.part] {
				named[of.part] = true // a part is read once, whatever the workbook says
				entries = append(entries, of)
			}
		}
	})
	if err != nil || len(entries) > 0 {
		slices.SortStableFunc(entries, func(a, c entry) int {
			return cmp.Compare(strconv.FormatBool(a.hidden), strconv.FormatBool(c.hidden))
		})
		return entries, err
	}
	for name := range b.parts {
		if isSheet(name) {
			entries = append(entries, entry{strings.TrimSuffix(path.Base(name), ".xml"), name, false})
		}
	}
	slices.SortFunc(entries, func(a, c entry) int {
		return cmp.Or(cmp.Compare(len(a.part), len(c.part)), strings.Compare(a.part, c.part)) // sheet2 before sheet10
	})
	return entries, nil
}

// walk calls f for each token of a part, with the names of the elements that it's in. Its size was
// checked: a part that unpacks to more than the archive declares is broken. A part that is missing has
// no tokens.
func (b *book) walk(part string, f func(t xml.Token, in []string)) error {
	file, there := b.parts[part]
	if !there {
		return nil
	}
	r, err := file.Open()
	if err != nil {
		return ErrBroken
	}
	defer r.Close()
	d := xml.NewDecoder(r)
	var in []string
	for {
		t, err := d.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return ErrBroken
		}
		switch e := t.(type) {
		case xml.StartElement:
			in = append(in, e.Name.Local)
		case xml.EndElement:
			in = in[:len(in)-1]
		}
		if len(in) > MaxDepth {
			return ErrTooDeep
		}
		f(t, in)
	}
}

// attribute returns an attribute of an element by its name without a space of names, "" for none.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func isTrue(text string) bool { return text == "1" || text == "true" }

// readTexts returns the texts that cells refer to by number.
func (b *book) readTexts() (all []string, err error) {
	var text strings.Builder
	n := 0
	err = b.walk("xl/sharedStrings.xml", func(t xml.Token, in []string) {
		switch e := t.(type) {
		case xml.EndElement:
			if e.Name.Local == "si" {
				if n++; n <= maxPlaces {
					all = append(all, text.String())
				}
				text.Reset()
			}
		case xml.CharData:
			if isText(in) {
				text.Write(e)
			}
		}
	})
	if n > maxPlaces {
		return nil, ErrUnpacked
	}
	return all, err
}

// isText reports whether characters in these elements are a text that people see: rPh has how it's read
// aloud.
func isText(in []string) bool {
	return len(in) > 0 && in[len(in)-1] == "t" && !slices.Contains(in, "rPh")
}

// cell is a cell while it's read.
type cell struct {
	row, column int // from 1 and 0
	kind        string
	style       int
	text        strings.Builder
}

// readSheet returns the texts of a sheet.
func (b *book) readSheet(of entry) (Sheet, error) {
	s := sheetReader{book: b, Sheet: Sheet{Name: of.name}, at: map[int]int{}}
	err := b.walk(of.part, s.token)
	slices.SortStableFunc(s.Rows, func(a, c Row) int { return cmp.Compare(a.Number, c.Number) })
	return s.Sheet, err
}

// sheetReader reads a sheet.
type sheetReader struct {
	*book
	Sheet
	at  map[int]int // index of a row by its number
	now cell
}

func (s *sheetReader) token(t xml.Token, in []string) {
	switch e := t.(type) {
	case xml.StartElement:
		switch e.Name.Local {
		case "row":
			s.now.row++ // rows and cells may leave out where they are: then they follow the one before
			if n, err := strconv.Atoi(attribute(e, "r")); err == nil {
				s.now.row = n
			}
			s.now.column = -1
		case "c":
			s.begin(e)
		case "mergeCell":
			if r, ok := rangeOf(attribute(e, "ref")); ok && len(s.Merged) < maxMerges {
				s.Merged = append(s.Merged, r)
			}
		}
	case xml.EndElement:
		if e.Name.Local == "c" {
			s.put()
		}
	case xml.CharData:
		if len(in) > 0 && in[len(in)-1] == "v" || isText(in) {
			s.now.text.Write(e)
		}
	}
}

func (s *sheetReader) begin(e xml.StartElement) {
	s.now.column++
	if row, column, ok := placeOf(attribute(e, "r")); ok {
		s.now.row, s.now.column = row, column
	}
	s.now.kind = attribute(e, "t")
	s.now.style, _ = strconv.Atoi(attribute(e, "s")) // anything else is the first style
	s.now.text.Reset()
}

// put keeps the text of the cell, if it has one.
func (s *sheetReader) put() {
	text, dated := s.textOf(&s.now)
	if text == "" || s.now.row < 1 || s.now.column < 0 {
		return
	}
	if s.now.row > s.area.Rows || s.now.column >= s.area.Columns {
		s.Beyond = true
		return
	}
	i, there := s.at[s.now.row]
	if !there {
		i = len(s.Rows)
		s.at[s.now.row] = i
		s.Rows = append(s.Rows, Row{Number: s.now.row})
	}
	row := &s.Rows[i]
	if grow := s.now.column + 1 - len(row.Cells); grow > 0 {
		if s.places += grow; s.places > maxPlaces {
			s.Beyond = true
			return
		}
		row.Cells = append(row.Cells, make([]string, grow)...)
	}
	row.Cells[s.now.column] = text
	if dated {
		row.Dates = append(row.Dates, s.now.column)
	}
}

// placeOf reads a place such as "B4".
func placeOf(text string) (row, column int, ok bool) {
	digits := strings.IndexFunc(text, func(r rune) bool { return r < 'A' || r > 'Z' })
	if digits < 1 || digits > 3 {
		return 0, 0, false
	}
	for _, r := range text[:digits] {
		column = column*26 + int(r-'A') + 1
	}
	row, err := strconv.Atoi(text[digits:])
	return row, column - 1, err == nil && row > 0
}

// rangeOf reads a range such as "A1:C2".
func rangeOf(text string) (Range, bool) {
	first, last, _ := strings.Cut(text, ":")
	row, column, ok := placeOf(first)
	lastRow, lastColumn, also := placeOf(last)
	return Range{row - 1, column, lastRow - 1, lastColumn}, ok && also && lastRow >= row && lastColumn >= column
}
