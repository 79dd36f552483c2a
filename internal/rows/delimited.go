package rows

import "strings"

// readDelimited reads CSV and the like. Which sign is between the cells is found by the first rows.
func readDelimited(text string) (Table, error) {
	all, err := split(text, separatorOf(text))
	return Table{Format: Delimited, Rows: all}, err
}

// separators lists the signs that may be between cells, the surest first.
const separators = "\t;,|"

// sample is the number of rows by which the separator is found.
const sample = 50

// separatorOf returns the sign with which most of the first rows have more than one cell, and the
// same number of them as far as possible; but first of all the one with which the fewest rows have
// something behind a quote that ends, since with others the cells of many lines fall apart into rows.
// It's 0 for one text a line.
func separatorOf(text string) rune {
	best, most, fewest := rune(0), 0, 0
	for _, by := range separators {
		counts, n, several, loose := map[int]int{}, 0, 0, 0
		for row, wrong := range cellsOf(text, by) {
			if row.Number > 10*sample { // nearly all are empty
				break
			}
			if row.isBlank() {
				continue
			}
			switch {
			case wrong.loose:
				loose++
			case len(row.Cells) > 1:
				counts[len(row.Cells)]++
				several++
			}
			if n++; n == sample {
				break
			}
		}
		for _, rows := range counts {
			if 2*several > n && (best == 0 || loose < fewest || loose == fewest && rows > most) {
				best, most, fewest = by, rows, loose
			}
		}
	}
	return best
}

func (r Row) isBlank() bool { return strings.TrimSpace(strings.Join(r.Cells, "")) == "" }

func split(text string, by rune) (all []Row, err error) {
	for row, wrong := range cellsOf(text, by) {
		if wrong.open > 0 {
			return nil, &Problem{Code: OpenQuote, Row: row.Number, Column: wrong.open}
		}
		switch {
		case row.Number > maxLines:
			return nil, &Problem{Code: TooManyRows, Max: MaxRows}
		case len(row.Cells) > maxCells:
			return nil, &Problem{Code: TooManyColumns, Row: row.Number, Max: MaxColumns}
		case row.isBlank():
			continue
		}
		for i, cell := range row.Cells {
			row.Cells[i] = plain(cell)
		}
		all = append(all, row)
		if err := checkCount(len(all)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// quotes says what is wrong with the quotes of a row.
type quotes struct {
	open  int  // column of one that never ends, 0 for none
	loose bool // behind one that ends stands more: cells are divided by another sign
}

// cellsOf yields the rows of a text, and what is wrong with their quotes. A
// cell in quotes may have the separator and line breaks; a quote in it is written twice. Quotes
// inside of other cells are text. A row with more than maxCells is the last.
func cellsOf(text string, by rune) func(yield func(Row, quotes) bool) {
	return func(yield func(Row, quotes) bool) {
		for number := 1; text != ""; number++ {
			row := Row{Number: number}
			var wrong quotes
			for more := true; more; {
				var cell string
				var closed, loose bool
				cell, text, more, closed, loose = nextCell(text, by)
				row.Cells = append(row.Cells, cell)
				wrong.loose = wrong.loose || loose
				if !closed {
					wrong.open = len(row.Cells)
				}
				if len(row.Cells) > maxCells {
					more, text = false, ""
				}
			}
			if !yield(row, wrong) {
				return
			}
		}
	}
}

// nextCell returns the first cell of a text and the rest. more says that the row has another cell,
// closed that its quotes end, loose that something follows them.
func nextCell(text string, by rune) (cell, rest string, more, closed, loose bool) {
	inner, quoted := strings.CutPrefix(strings.TrimLeft(text, " "), `"`)
	closed = true
	var b strings.Builder
	if quoted {
		text, closed = inner, false
		for !closed {
			before, after, found := strings.Cut(text, `"`)
			b.WriteString(before)
			if !found {
				return b.String(), "", false, false, false
			}
			if text = after; strings.HasPrefix(text, `"`) {
				b.WriteByte('"')
				text = text[1:]
				continue
			}
			closed = true
		}
	}
	end := strings.IndexByte(text, '\n')
	if by != 0 {
		line := text
		if end >= 0 {
			line = text[:end]
		}
		if at := strings.IndexRune(line, by); at >= 0 {
			end = at
		}
	}
	if end < 0 {
		b.WriteString(text)
		return b.String(), "", false, true, quoted && strings.TrimSpace(text) != ""
	}
	b.WriteString(text[:end])
	return b.String(), text[end+1:], text[end] != '\n', true, quoted && strings.TrimSpace(text[:end]) != ""
}
