package foreign

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"norn/internal/nesting"
)

// node is a value of JSON at a place of a file. What isn't there is a node without a value.
type node struct {
	is   any
	at   string
	seen map[string]bool // places of the file that a reader has read; what it hasn't is kept by unread
}

// decode reads JSON whose nesting is bounded before anything is made of it.
func decode(data []byte) (node, error) {
	if err := checkDepth(data); err != nil {
		return node{}, err
	}
	var is any
	if json.Unmarshal(data, &is) != nil {
		return node{}, &Problem{Code: Broken}
	}
	return node{is: is, seen: map[string]bool{}}, nil
}

// checkDepth refuses JSON that is nested too deeply.
func checkDepth(data []byte) error {
	if nesting.TooDeep(data) {
		return &Problem{Code: Deep, Max: nesting.Max}
	}
	return nil
}

// get returns the value at a dotted path.
func (n node) get(path string) node {
	for name := range strings.SplitSeq(path, ".") {
		members, _ := n.is.(map[string]any)
		n = node{members[name], n.under(name), n.seen}
	}
	return n
}

func (n node) under(name string) string {
	if n.at == "" {
		return name
	}
	return n.at + "." + name
}

func (n node) there() bool { return n.is != nil }

// skip notes that a place of the file has been read, with all that it holds.
func (n node) skip() {
	if n.seen != nil && n.there() {
		n.seen[n.at] = true
	}
}

// items returns the items of a list, or the members of an object in the order of their names.
func (n node) items() []node {
	var all []node
	switch is := n.is.(type) {
	case []any:
		for i, item := range is {
			all = append(all, node{item, n.under(strconv.Itoa(i)), n.seen})
		}
	case map[string]any:
		for _, name := range slices.SortedFunc(maps.Keys(is), byNumber) {
			all = append(all, node{is[name], n.under(name), n.seen})
		}
	}
	return all
}

// byNumber compares names, numbers by their value.
func byNumber(a, b string) int {
	m, failed := strconv.Atoi(a)
	n, also := strconv.Atoi(b)
	if failed == nil && also == nil {
		return m - n
	}
	return strings.Compare(a, b)
}

// names returns the names of an object's members.
func (n node) names() []string {
	is, _ := n.is.(map[string]any)
	return slices.Sorted(maps.Keys(is))
}

// text returns a text, "" for anything else.
func (n node) text() string {
	text, is := n.is.(string)
	if is {
		n.skip()
	}
	return strings.TrimSpace(text)
}

// choice returns a text that is one of some, or "". Another one isn't read by this.
func (n node) choice(of ...string) string {
	if text, _ := n.is.(string); slices.Contains(of, text) {
		return n.text()
	}
	return ""
}

// on reports whether a value is true.
func (n node) on() bool {
	on := n.is == true || n.is == "true" || n.is == "TRUE"
	if on {
		n.skip()
	}
	return on
}

// maxNumber bounds numbers that are read, so that sums of them are never wrong.
const maxNumber = 1_000_000

// number returns a whole number, also one that is written as a text.
func (n node) number() (int, bool) {
	switch is := n.is.(type) {
	case float64:
		if is == math.Trunc(is) && math.Abs(is) <= maxNumber {
			n.skip()
			return int(is), true
		}
	case string:
		m, err := strconv.Atoi(strings.TrimSpace(is))
		if err == nil && m <= maxNumber && m >= -maxNumber {
			n.skip()
			return m, true
		}
	}
	return 0, false
}

// short returns a value as people read it, shortened.
func (n node) short() string {
	text, is := n.is.(string)
	if !is {
		data, _ := json.Marshal(n.is)
		text = string(data)
	}
	return brief(text)
}

// brief shortens a text.
func brief(text string) string {
	const most = 60
	text = strings.Join(strings.Fields(printable(text)), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// value returns the node's number, text or truth as a value.
func (n node) value() Value {
	if m, ok := n.number(); ok {
		return Value{Is: m, From: n.at}
	}
	switch is := n.is.(type) {
	case bool:
		n.skip()
		return Value{Is: is, From: n.at}
	case string:
		n.skip()
		return Value{Is: strings.TrimSpace(is), From: n.at}
	}
	return Value{}
}

// read notes a number of the file, and a doubt where it has something else.
func (h *Hero) read(name string, n node) {
	if !n.there() {
		return
	}
	if m, ok := h.int(name, n); ok {
		h.set(name, Value{Is: m, From: n.at})
	}
}

// int returns a number of the file, and notes a doubt where it has something else.
func (h *Hero) int(name string, n node) (int, bool) {
	m, ok := n.number()
	if !ok && n.there() {
		h.doubt(Doubt{Code: NoNumber, Name: name, From: n.at, Given: n.short()})
	}
	return m, ok
}

// count is int without the second result.
func (h *Hero) count(name string, n node) int {
	m, _ := h.int(name, n)
	return m
}

func itoa(n int) string { return strconv.Itoa(n) }
