package view

import (
	"slices"
	"strings"

	"norn/lang"
)

// ListShown is a list of the table's own as a seat sees it, without its rows.
type ListShown struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Kind   string   `json:"kind,omitempty"`   // of character that takes rows; none for a list that is only read
	Field  string   `json:"field,omitempty"`  // list of a sheet that a row is added to; none if a row is a character
	Hash   string   `json:"hash"`             // of its rows: another after they changed
	Rows   int      `json:"rows"`             // how many
	Hidden bool     `json:"hidden,omitempty"` // only game masters see it
	To     []string `json:"to,omitempty"`     // ids of the only seats that see it, for GMs
}

// List is a list of the table's own with its rows.
type List struct {
	ListShown
	Columns []string   `json:"columns" doc:"paths of fields, where characters take rows; _name is that of a character, _group that of the row’s group"`
	Texts   [][]string `json:"texts" doc:"rows, each with a text for each column"`
	Keys    []string   `json:"-"` // of the rows, by lang.Key, as Find compares them
}

// ListName is the column that has the name of a character.
const ListName = "_name"

// ListGroup is the column that has the group of a row, such as its folder. It's on no
// sheet.
const ListGroup = "_group"

// ListFormat identifies the file of a list.
const ListFormat = "norn list"

// ListFile is a list as a file, which another table can take.
type ListFile struct {
	Format string              `json:"format" doc:"always \"norn list\""`
	Norn   string              `json:"norn" doc:"the version of norn that wrote the file"`
	Game   string              `json:"game" doc:"the game's id"`
	Name   string              `json:"name"`
	Kind   string              `json:"kind,omitempty"`
	Field  string              `json:"field,omitempty"`
	Rows   []map[string]string `json:"rows"`
}

// Find returns the indices of the rows that have all words of a text, whatever their case; all rows
// for none.
func (l List) Find(text string) (found []int) {
	words := strings.Fields(lang.Key(text))
	for i, row := range l.Keys {
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(row, word) }) {
			found = append(found, i)
		}
	}
	return found
}
