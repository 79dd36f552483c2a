// Package rows reads a table that people keep elsewhere: CSV with commas or semicolons, tabs as
// spreadsheets copy them, a sheet of an XLSX workbook, JSON, or a table in Markdown.
//
// It knows nothing of games: cells are texts. What can't be read is a *Problem, which names the row
// and the column.
package rows

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"norn/internal/workbook"
)

// Limits of what is read.
const (
	MaxBytes   = 9 << 20 // of a file
	MaxText    = 4 << 20 // characters of all cells
	MaxRows    = 5000    // without the heads of the columns
	MaxColumns = 60
	MaxCell    = 10_000 // characters
)

// Nothing behind these is read: a hostile file could have hundreds of thousands of them.
const (
	maxLines = 10 * MaxRows    // with empty ones
	maxCells = 10 * MaxColumns // of a row, with empty ones at its end
)

// Format names the notation of a table.
type Format string

// The formats.
const (
	Delimited Format = "delimited" // CSV, TSV and the like, or one text a line
	JSON      Format = "json"
	Markdown  Format = "markdown"
	Workbook  Format = "workbook" // XLSX
)

// Table holds the rows that were read.
type Table struct {
	Format Format
	Named  bool // the first row has the heads of the columns for certain
	Rows   []Row
	Sheet  string   // of a workbook: the one that was read
	Sheets []string // all that have rows
}

// Row is one row. All rows of a table have the same number of cells.
type Row struct {
	Number int // as a spreadsheet counts: from 1, with heads and empty rows; in JSON, items from 1
	Cells  []string
	Dates  []int // indices of the cells of which a spreadsheet has made dates or times
}

// Codes of problems.
const (
	TooLarge       = "large"   // more than Max characters
	Empty          = "empty"   // there are no rows
	NoText         = "binary"  // it isn't text
	TooManyRows    = "rows"    // more than Max rows
	TooManyColumns = "columns" // the row has more than Max cells
	TooLong        = "long"    // the cell has more than Max characters
	OpenQuote      = "quote"   // the cell begins with a quote that never ends
	BadJSON        = "json"    // it isn't JSON, or no list of rows
	Nested         = "nested"  // the cell has an object, or a list in a list
	TooDeep        = "deep"    // the JSON is nested more than Max deep
	NoSheet        = "sheet"   // the workbook has no sheet of that name with rows: What has those that do
	BadWorkbook    = "book"    // the workbook isn't whole
	Unpacked       = "packed"  // the workbook unpacks to more than Max bytes
)

// Problem says why a table can't be read.
type Problem struct {
	Code        string
	Row, Column int    // from 1, 0 for none
	Max         int    // what is allowed, 0 for nothing
	What        string // names of sheets
}

func (p *Problem) Error() string {
	return fmt.Sprintf("rows: %s at row %d, column %d", p.Code, p.Row, p.Column)
}

// Read reads a table; of a workbook the sheet with a name, or the first that has rows. Rows without any
// text are left out, and so are columns without any at the end. The error is a *Problem.
func Read(data []byte, sheet string) (Table, error) {
	if len(data) > MaxBytes {
		return Table{}, &Problem{Code: TooLarge, Max: MaxText}
	}
	if workbook.Is(data) {
		t, err := readWorkbook(data, sheet)
		if err != nil {
			return Table{}, err
		}
		return t.Tidy()
	}
	text := Text(data)
	if strings.ContainsRune(text, 0) {
		return Table{}, &Problem{Code: NoText}
	}
	t, err := read(lineEnds.Replace(text))
	if err != nil {
		return Table{}, err
	}
	return t.Tidy()
}

// lineEnds replaces the line ends of other systems.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func read(text string) (Table, error) {
	switch whole := strings.TrimSpace(text); {
	case whole == "":
		return Table{}, &Problem{Code: Empty}
	case isJSON(whole):
		return readJSON([]byte(whole))
	}
	if head, lines, ok := findMarkdown(text); ok {
		return readMarkdown(head, lines)
	}
	return readDelimited(text)
}

// Text returns bytes as text: UTF-8, UTF-16 with a mark, or else the Cyrillic code page in which
// spreadsheets on Windows save CSV.
func Text(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return decodeUTF16(data[2:], 0)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return decodeUTF16(data[2:], 1)
	case utf8.Valid(data):
		return string(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	}
	text, _ := charmap.Windows1251.NewDecoder().Bytes(data) // every byte has a character
	return string(text)
}

// decodeUTF16 decodes UTF-16; low is the place of the low byte in each pair.
func decodeUTF16(data []byte, low int) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = uint16(data[2*i+low]) | uint16(data[2*i+1-low])<<8
	}
	return string(utf16.Decode(units))
}

// Tidy trims cells, leaves out what is empty, makes all rows equally long and checks the limits. The
// error is a *Problem.
func (t Table) Tidy() (Table, error) {
	if err := checkCount(len(t.Rows)); err != nil {
		return Table{}, err
	}
	var kept []Row
	width, size := 0, 0
	for _, row := range t.Rows {
		last := 0
		for i, cell := range row.Cells {
			cell = strings.TrimSpace(lineEnds.Replace(cell)) // JSON has its own
			row.Cells[i] = cell
			if cell == "" {
				continue
			}
			last = i + 1
			if strings.ContainsRune(cell, 0) {
				return Table{}, &Problem{Code: NoText, Row: row.Number, Column: i + 1}
			}
			long := utf8.RuneCountInString(cell)
			if long > MaxCell {
				return Table{}, &Problem{Code: TooLong, Row: row.Number, Column: i + 1, Max: MaxCell}
			}
			if size += long; size > MaxText {
				return Table{}, &Problem{Code: TooLarge, Max: MaxText}
			}
		}
		if last > MaxColumns {
			return Table{}, &Problem{Code: TooManyColumns, Row: row.Number, Max: MaxColumns}
		}
		if last > 0 {
			kept = append(kept, row)
			width = max(width, last)
		}
	}
	if len(kept) == 0 || t.Named && len(kept) == 1 {
		return Table{}, &Problem{Code: Empty}
	}
	for i, row := range kept {
		cells := make([]string, width)
		copy(cells, row.Cells)
		kept[i].Cells = cells
	}
	t.Rows = kept
	return t, nil
}

// checkCount refuses more rows than are allowed, of which the first may have the heads.
func checkCount(n int) error {
	if n > MaxRows+1 {
		return &Problem{Code: TooManyRows, Max: MaxRows}
	}
	return nil
}
