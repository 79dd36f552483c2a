package rows

import (
	"encoding/json"
	"slices"
	"strings"
)

// isJSON reports whether a text looks like JSON.
func isJSON(text string) bool {
	return strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") ||
		strings.HasPrefix(text, "[") && (json.Valid([]byte(text)) || strings.HasSuffix(text, "]"))
}

// member is a member of an object, in its order.
type member struct {
	name  string
	value json.RawMessage
}

// readJSON reads a list of objects, of lists or of texts. The list may be a member of an object:
// "rows", or the only list.
func readJSON(text string) (Table, error) {
	list, ok := listIn(json.RawMessage(text))
	if !ok {
		return Table{}, &Problem{Code: BadJSON}
	}
	var items []json.RawMessage
	if json.Unmarshal(list, &items) != nil {
		return Table{}, &Problem{Code: BadJSON}
	}
	if len(items) > MaxRows+1 {
		return Table{}, &Problem{Code: TooManyRows, Max: MaxRows}
	}
	t := Table{Format: JSON}
	var heads []string
	columns := map[string]int{}
	for i, item := range items {
		row := Row{Number: i + 1}
		switch kind := first(item); kind {
		case '{':
			members, ok := membersOf(item)
			if !ok {
				return Table{}, &Problem{Code: BadJSON, Row: row.Number}
			}
			for _, m := range members {
				at, known := columns[m.name]
				if !known {
					if at = len(heads); at == MaxColumns {
						return Table{}, &Problem{Code: TooManyColumns, Row: row.Number, Max: MaxColumns}
					}
					columns[m.name] = at
					heads = append(heads, m.name)
				}
				row.Cells = append(row.Cells, make([]string, max(0, at+1-len(row.Cells)))...)
				if row.Cells[at], ok = cellText(m.value); !ok {
					return Table{}, &Problem{Code: Nested, Row: row.Number, Column: at + 1}
				}
			}
		case '[':
			var cells []json.RawMessage
			if json.Unmarshal(item, &cells) != nil {
				return Table{}, &Problem{Code: BadJSON, Row: row.Number}
			}
			for at, cell := range cells {
				text, ok := cellText(cell)
				if !ok {
					return Table{}, &Problem{Code: Nested, Row: row.Number, Column: at + 1}
				}
				row.Cells = append(row.Cells, text)
			}
		default:
			text, _ := cellText(item)
			row.Cells = []string{text}
		}
		if first(item) != first(items[0]) {
			return Table{}, &Problem{Code: BadJSON, Row: row.Number}
		}
		t.Rows = append(t.Rows, row)
	}
	if heads != nil {
		t.Named, t.Rows = true, slices.Insert(t.Rows, 0, Row{Cells: heads})
	}
	return t, checkCount(len(t.Rows))
}

// listIn returns the list of rows in a value.
func listIn(value json.RawMessage) (json.RawMessage, bool) {
	if first(value) == '[' {
		return value, json.Valid(value)
	}
	members, ok := membersOf(value)
	var lists []json.RawMessage
	for _, m := range members {
		if first(m.value) == '[' {
			if m.name == "rows" {
				return m.value, ok
			}
			lists = append(lists, m.value)
		}
	}
	if !ok || len(lists) != 1 {
		return nil, false
	}
	return lists[0], true
}

// membersOf returns the members of an object in their order; false if it isn't one.
func membersOf(value json.RawMessage) (all []member, ok bool) {
	read := json.NewDecoder(strings.NewReader(string(value)))
	if begin, err := read.Token(); err != nil || begin != json.Delim('{') {
		return nil, false
	}
	for read.More() {
		name, err := read.Token()
		if err != nil {
			return nil, false
		}
		m := member{}
		if m.name, ok = name.(string); !ok || read.Decode(&m.value) != nil {
			return nil, false
		}
		all = append(all, m)
	}
	_, err := read.Token()
	return all, err == nil
}

// first returns the first byte of a value.
func first(value json.RawMessage) byte {
	for _, c := range value {
		if c > ' ' {
			return c
		}
	}
	return 0
}

// cellText returns a value as a text; false for an object. A list is joined by commas.
func cellText(value json.RawMessage) (string, bool) {
	switch first(value) {
	case '{':
		return "", false
	case '[':
		var items []json.RawMessage
		if json.Unmarshal(value, &items) != nil {
			return "", false
		}
		texts := make([]string, len(items))
		for i, item := range items {
			text, ok := cellText(item)
			if !ok || first(item) == '[' {
				return "", false
			}
			texts[i] = text
		}
		return strings.Join(texts, ", "), true
	case '"':
		var text string
		err := json.Unmarshal(value, &text)
		return text, err == nil
	case 'n':
		return "", true
	}
	return strings.TrimSpace(string(value)), true
}
