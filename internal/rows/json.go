package rows

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"norn/internal/nesting"
)

// isJSON reports whether a text looks like JSON.
func isJSON(text string) bool {
	return strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") ||
		strings.HasPrefix(text, "[") && (strings.HasSuffix(text, "]") || json.Valid([]byte(text)))
}

// part is a member of an object or an item of a list, as it was sent.
type part struct{ key, value []byte } // an item has no key

// name returns the name of a member.
func (p part) name() string { return textOf(p.key) }

// parts yields the members of an object in their order, or the items of a list. data is valid JSON
// without spaces around it. Nothing is copied.
func parts(data []byte) iter.Seq[part] {
	return func(yield func(part) bool) {
		var p part
		begin, depth := 1, 0
		end := func(at int) bool {
			p.value = bytes.TrimSpace(data[begin:at])
			begin = at + 1
			whole := p
			p = part{}
			return len(whole.value) == 0 || yield(whole) // an empty list has nothing between its brackets
		}
		for i := 1; i < len(data); i++ {
			switch data[i] {
			case '"':
				for i++; data[i] != '"'; i++ {
					if data[i] == '\\' {
						i++
					}
				}
			case ':':
				if depth == 0 {
					p.key, begin = bytes.TrimSpace(data[begin:i]), i+1
				}
			case ',':
				if depth == 0 && !end(i) {
					return
				}
			case '[', '{':
				depth++
			case ']', '}':
				if depth--; depth < 0 {
					end(i)
					return
				}
			}
		}
	}
}

// first yields the first n of some parts.
func first(all iter.Seq[part], n int) iter.Seq[part] {
	return func(yield func(part) bool) {
		for p := range all {
			if n == 0 || !yield(p) {
				return
			}
			n--
		}
	}
}

// readJSON reads a list of objects, of lists or of texts. The list may be a member of an object:
// "rows", or the only list.
func readJSON(text []byte) (Table, error) {
	if nesting.TooDeep(text) { // before anything decodes it
		return Table{}, &Problem{Code: TooDeep, Max: nesting.Max}
	}
	if !json.Valid(text) {
		return Table{}, &Problem{Code: BadJSON}
	}
	list, ok := listIn(text)
	if !ok {
		return Table{}, &Problem{Code: BadJSON}
	}
	items := slices.Collect(first(parts(list), MaxRows+2))
	if len(items) > MaxRows+1 {
		return Table{}, &Problem{Code: TooManyRows, Max: MaxRows}
	}
	t := Table{Format: JSON}
	var heads []string
	columns := map[string]int{}
	for i, item := range items {
		row := Row{Number: i + 1}
		switch item.value[0] {
		case '{':
			for m := range parts(item.value) {
				at, known := columns[m.name()]
				if !known {
					if at = len(heads); at == MaxColumns {
						return Table{}, &Problem{Code: TooManyColumns, Row: row.Number, Max: MaxColumns}
					}
					columns[m.name()] = at
					heads = append(heads, m.name())
				}
				row.Cells = append(row.Cells, make([]string, max(0, at+1-len(row.Cells)))...)
				var ok bool
				if row.Cells[at], ok = cellText(m.value); !ok {
					return Table{}, &Problem{Code: Nested, Row: row.Number, Column: at + 1}
				}
			}
		case '[':
			for cell := range parts(item.value) {
				if len(row.Cells) == maxCells {
					return Table{}, &Problem{Code: TooManyColumns, Row: row.Number, Max: MaxColumns}
				}
				text, ok := cellText(cell.value)
				if !ok {
					return Table{}, &Problem{Code: Nested, Row: row.Number, Column: len(row.Cells) + 1}
				}
				row.Cells = append(row.Cells, text)
			}
		default:
			text, _ := cellText(item.value)
			row.Cells = []string{text}
		}
		if kindOf(item.value) != kindOf(items[0].value) {
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
func listIn(value []byte) (list []byte, ok bool) {
	if value[0] == '[' {
		return value, true
	}
	lists := 0
	for m := range parts(value) {
		if m.value[0] != '[' {
			continue
		}
		if m.name() == "rows" {
			return m.value, true
		}
		list = m.value
		lists++
	}
	return list, lists == 1
}

// kindOf returns a byte that's the same for values of one sort: objects, lists, texts and others.
func kindOf(value []byte) byte {
	if c := value[0]; c == '{' || c == '[' || c == '"' {
		return c
	}
	return 0
}

// cellText returns a value as a text; false for an object. A list is joined by commas, and may have
// neither objects nor lists.
func cellText(value []byte) (string, bool) {
	if value[0] != '[' {
		return itemText(value)
	}
	var texts strings.Builder
	between := ""
	for item := range parts(value) {
		text, ok := itemText(item.value)
		if !ok {
			return "", false
		}
		texts.WriteString(between)
		texts.WriteString(text)
		between = ", "
	}
	return texts.String(), true
}

// itemText returns a text, a number or the like as a text; false for an object or a list.
func itemText(value []byte) (string, bool) {
	switch value[0] {
	case '{', '[':
		return "", false
	case '"':
		return textOf(value), true
	case 'n':
		return "", true
	}
	return string(value), true
}

// textOf returns the text of a JSON string.
func textOf(value []byte) string {
	var text string
	_ = json.Unmarshal(value, &text) // it is valid
	return text
}
