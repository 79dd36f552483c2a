package rows

import (
	"errors"
	"slices"
	"strings"

	"norn/internal/workbook"
)

// readWorkbook reads the sheet with a name, or the first one that has rows.
func readWorkbook(data []byte, name string) (Table, error) {
	all, err := workbook.Read(data, workbook.Area{Rows: maxLines, Columns: maxCells})
	switch {
	case errors.Is(err, workbook.ErrUnpacked):
		return Table{}, &Problem{Code: Unpacked, Max: workbook.MaxUnpacked}
	case err != nil:
		return Table{}, &Problem{Code: BadWorkbook}
	}
	all = slices.DeleteFunc(all, func(s workbook.Sheet) bool { return len(s.Rows) == 0 })
	if len(all) == 0 {
		return Table{}, &Problem{Code: Empty}
	}
	t := Table{Format: Workbook}
	for _, s := range all {
		t.Sheets = append(t.Sheets, s.Name)
	}
	at := max(0, slices.Index(t.Sheets, name))
	if name != "" && t.Sheets[at] != name {
		return Table{}, &Problem{Code: NoSheet, What: strings.Join(t.Sheets, ", ")}
	}
	s := all[at]
	if s.Beyond {
		return Table{}, &Problem{Code: TooManyRows, Max: MaxRows}
	}
	t.Sheet = s.Name
	for _, row := range s.Rows {
		t.Rows = append(t.Rows, Row(row))
	}
	t.spread(s.Merged)
	return t, checkCount(len(t.Rows))
}

// spread gives the text of merged cells to each row that they're in: a spreadsheet keeps it in the first
// one alone. If heads of the first row are over several columns, the row below has their parts.
func (t *Table) spread(merged []workbook.Range) {
	at := map[int]int{}
	for i, row := range t.Rows {
		at[row.Number-1] = i
	}
	first, wide, left := t.Rows[0].Number-1, false, maxSpread
	for _, r := range merged {
		i, there := at[r.Row]
		if !there || r.Column >= min(len(t.Rows[i].Cells), MaxColumns) || t.Rows[i].Cells[r.Column] == "" {
			continue
		}
		from := t.Rows[i]
		wide = wide || r.Row == first && r.LastRow == first && r.LastColumn > r.Column
		for number := r.Row + 1; number <= r.LastRow && left > 0; number++ {
			left--
			if i, there := at[number]; there {
				t.Rows[i].fill(r.Column, from)
			}
		}
	}
	if wide && len(t.Rows) > 2 && t.Rows[1].Number == first+2 && !isTitle(t.Rows[0].Cells) {
		t.joinHeads(merged, first)
	}
}

// isTitle reports whether a row has no more than one text, in its first cell: a title of what is below.
func isTitle(cells []string) bool {
	return len(cells) > 0 && cells[0] != "" && !slices.ContainsFunc(cells[1:], func(cell string) bool { return cell != "" })
}

// maxSpread bounds the cells that merged ones reach: with all of them a list would be full.
const maxSpread = MaxRows * MaxColumns

// fill gives a cell without a text that of another row.
func (r *Row) fill(column int, from Row) {
	if grow := column + 1 - len(r.Cells); grow > 0 {
		r.Cells = append(r.Cells, make([]string, grow)...)
	}
	if r.Cells[column] == "" {
		r.Cells[column] = from.Cells[column]
		if slices.Contains(from.Dates, column) {
			r.Dates = append(r.Dates, column)
		}
	}
}

// joinHeads makes one row of two: below a head over several columns stand the heads of each.
func (t *Table) joinHeads(merged []workbook.Range, first int) {
	above, below := t.Rows[0].Cells, t.Rows[1].Cells
	over := make([]string, max(len(above), len(below)))
	copy(over, above)
	for _, r := range merged {
		if r.Row != first || r.LastRow != first || r.Column >= len(above) {
			continue
		}
		for i := r.Column; i <= r.LastColumn && i < len(over); i++ {
			over[i] = above[r.Column]
		}
	}
	heads := make([]string, len(over))
	for i := range heads {
		switch {
		case i >= len(below) || below[i] == "":
			heads[i] = over[i]
		case over[i] == "" || over[i] == below[i] || !repeated(below, below[i]):
			heads[i] = below[i]
		default:
			heads[i] = strings.TrimSpace(over[i]) + ": " + strings.TrimSpace(below[i])
		}
	}
	t.Rows = t.Rows[1:]
	t.Rows[0].Cells = heads
}

// repeated reports whether a text is in several cells.
func repeated(cells []string, text string) bool {
	i := slices.Index(cells, text)
	return i >= 0 && slices.Contains(cells[i+1:], text)
}
