package act

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"norn/foreign"
	"norn/game"
	"norn/internal/rows"
	"norn/lang"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// bookRead holds a pack of another program as a table.
type bookRead struct {
	rows.Table
	of   ListTarget
	left []RowProblem // documents that are no rows
}

// readBook reads a pack of Foundry, nil for another file. Its shelves are like the sheets of a workbook:
// the one that is named is read, else the one for the target, or the first.
func readBook(e *visibility.Eye, r ListRequest, data []byte, tongues []lang.Speaker) (*bookRead, error) {
	g, s := e.Table.Game, tongues[0]
	if !foreign.Takes(g) || !foreign.IsBook(data) {
		return nil, nil
	}
	book, err := foreign.ReadBook(g, data, s)
	if problem, ok := errors.AsType[*foreign.Problem](err); ok {
		if problem.Max > 0 {
			return nil, refusal.Refuse("list-pack-large", view.Data{"KB": problem.Max >> 10})
		}
		return nil, refusal.Refuse("list-pack", nil)
	}
	if err != nil {
		return nil, err
	}
	if len(book.Shelves) == 0 {
		return nil, noShelf(book)
	}
	read := &bookRead{Table: rows.Table{Format: rows.JSON, Named: true}}
	chosen, found := 0, r.Sheet == ""
	for i, shelf := range book.Shelves {
		count := " (" + strconv.Itoa(len(shelf.Rows)) + ")"
		read.Sheets = append(read.Sheets, shelfLabel(g, s, shelf)+count)
		for _, t := range tongues {
			if label := shelfLabel(g, t, shelf); label == r.Sheet || label+count == r.Sheet {
				chosen, found = i, true
			}
		}
		if r.Sheet == "" && shelf.Kind == r.Kind && shelf.Field == r.Field {
			chosen = i
		}
	}
	if !found {
		return nil, refusal.Refuse("list-sheet", view.Data{"Names": strings.Join(read.Sheets, ", ")})
	}
	shelf := book.Shelves[chosen]
	read.Sheet, read.of = read.Sheets[chosen], ListTarget{shelf.Kind, shelf.Field}
	read.Rows = append(read.Rows, rows.Row{Cells: shelf.Heads})
	for _, row := range shelf.Rows {
		read.Rows = append(read.Rows, rows.Row{Number: row.Number, Cells: row.Cells})
	}
	for _, leaf := range book.Left {
		read.left = append(read.left, RowProblem{
			Row: leaf.Number, Refused: refusal.Refuse("list-document", view.Data{"Name": leaf.Name, "What": leaf.Type}),
		})
	}
	read.Table, err = read.Tidy()
	return read, err
}

// maxTypes bounds the types of documents that a refusal names.
const maxTypes = 5

// noShelf returns the refusal of a pack of which nothing is a row, nil for one without documents.
func noShelf(book *foreign.Book) error {
	var types []string
	for _, leaf := range book.Left {
		if what := cmp.Or(leaf.Type, leaf.Name); !slices.Contains(types, what) && len(types) < maxTypes {
			types = append(types, what)
		}
	}
	if len(book.Left) == 0 {
		return nil
	}
	return refusal.Refuse("list-pack-none", view.Data{"N": len(book.Left), "Names": strings.Join(types, ", ")})
}

// shelfLabel says what a shelf is for.
func shelfLabel(g *game.Game, s lang.Speaker, shelf foreign.Shelf) string {
	if shelf.Field != "" {
		return ColumnLabel(g, s, shelf.Field)
	}
	return s.Say(g.Word("kind", shelf.Kind))
}
