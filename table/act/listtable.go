package act

import (
	"regexp"
	"slices"

	"norn/form"
	"norn/game"
	"norn/internal/rows"
	"norn/internal/workbook"
	"norn/lang"
	"norn/table/view"
)

// ListTable returns a list as a spreadsheet shows it: the heads of its columns, and its rows in words.
func ListTable(g *game.Game, s lang.Speaker, of view.List) [][]string {
	columns := ListColumns(g, ListTarget{Kind: of.Kind, Field: of.Field})
	table := [][]string{game.Each(of.Columns, func(path string) string { return ColumnName(g, s, path) })}
	for _, cells := range of.Texts {
		table = append(table, CellsInWords(g, s, columns, of.Columns, cells))
	}
	return table
}

// Spreadsheets are the media types of the files that WriteList writes, by the ends of their names.
var Spreadsheets = map[string]string{
	"csv":  "text/csv; charset=utf-8",
	"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// WriteList writes a list as one of Spreadsheets, in the reader's language.
func WriteList(g *game.Game, s lang.Speaker, of view.List, as string) ([]byte, error) {
	table := ListTable(g, s, of)
	if as == "xlsx" {
		return workbook.Write(of.Name, table)
	}
	by := byte(';') // where a comma is in numbers, spreadsheets take semicolons
	if s.Lang() == lang.En {
		by = ','
	}
	return rows.CSV(table, by), nil
}

// ColumnName names a column: a field of a sheet, or what the list calls it.
func ColumnName(g *game.Game, s lang.Speaker, path string) string {
	switch {
	case path == view.ListName:
		return s.Say("table.list.name")
	case path == view.ListGroup:
		return s.Say("table.list.group")
	case dotted.MatchString(path):
		return ColumnLabel(g, s, path)
	case s.Has(g.Word("field", path)):
		return g.Label(s, path)
	}
	return path
}

// dotted matches the path of a field in a group.
var dotted = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+$`)

// CellsInWords puts the cells of a row into words. paths are those of its columns.
func CellsInWords(g *game.Game, s lang.Speaker, columns []ListColumn, paths, cells []string) []string {
	said := slices.Clone(cells)
	for i, path := range paths {
		at := slices.IndexFunc(columns, func(c ListColumn) bool { return c.Path == path })
		if at < 0 || cells[i] == "" {
			continue
		}
		f := columns[at].Field
		if f.Kind == form.KindBool {
			said[i] = s.Whether(cells[i] == "on")
		}
		for _, o := range f.Options {
			if o.Value == cells[i] {
				said[i] = g.Option(game.Voice{Speaker: s, Game: g.ID}, f, o)
			}
		}
		if f.Dice {
			said[i] = s.Notation(cells[i])
		}
	}
	return said
}
