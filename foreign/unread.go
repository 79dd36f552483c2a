package foreign

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// maxUnread bounds the bytes that are saved of the unread parts of a file, including their places in
// the file.
const maxUnread = 512 << 10

// silent lists members that say nothing to people in any system: ids, pictures, what Foundry keeps of
// its own. Ids of other documents end with "Id" or "Ids".
var silent = []string{
	"id", "uuid", "img", "icon", "sort", "folder", "label", "permission", "ownership", "token", "prototypeToken",
	"exportSource",
}

// unread collects what nobody has read.
type unread struct {
	silent []string
	flags  bool // also what is only true
	left   int  // bytes
	lines  []string
}

// keepUnread keeps what a reader has read nowhere: of an item in its description, of the hero as a text of
// its own. So a reader needs to know only what has a place, and a newer version of a system loses nothing.
func (h *Hero) keepUnread(d document, s system) {
	u := unread{silent: slices.Concat(silent, s.silent), left: maxUnread}
	items := map[string]Item{}
	for _, list := range h.lists {
		for _, item := range h.Lists[list] {
			if from := item["name"].From; from != "" && items[from] == nil {
				items[from] = item
			}
		}
	}
	u.walk(d.system, "")
	for _, path := range s.also {
		u.walk(d.get(path), "")
	}
	h.set("file rest", Value{Is: u.take(), From: d.system.at})
	u.flags = true
	for i, one := range d.items {
		if i == maxItems {
			break
		}
		name := brief(one.get("name").text())
		u.walk(itemSystem(one), "")
		rest := u.take()
		if item, there := items[one.at]; there {
			about, _ := item["about"].Is.(string)
			if rest != "" {
				item["about"] = Value{Is: strings.TrimSpace(about + "\n\n" + rest), From: one.at}
			}
		} else if rest != "" {
			h.add("rest", Item{
				"kind": {Is: one.get("type").text()}, "name": {Is: first(name, "—"), From: one.at}, "about": {Is: rest},
			})
		}
	}
	if u.left < 0 {
		h.doubt(Doubt{Code: TooMany, Name: "file rest"})
	}
}

// take returns what was collected as a list.
func (u *unread) take() string {
	if u.lines == nil {
		return ""
	}
	text := "- " + strings.Join(u.lines, "\n- ")
	u.lines = nil
	return text
}

// walk collects a line for each object that has values which nobody has read. label names the object.
func (u *unread) walk(n node, label string) {
	if u.left -= len(n.at); u.left < 0 || n.seen[n.at] || n.get("enabled").is == false {
		return
	}
	var names []string
	members, isObject := n.is.(map[string]any)
	if isObject {
		names = slices.SortedFunc(maps.Keys(members), byNumber)
	}
	var parts []string
	var deeper []func()
	for i, inner := range n.items() {
		name := ""
		if isObject {
			name = names[i]
		}
		if u.isSilent(name, inner.at) {
			continue
		}
		switch inner.is.(type) {
		case map[string]any, []any:
			deeper = append(deeper, func() { u.walk(inner, strings.Trim(label+", "+spaced(name), ", ")) })
		default:
			if text := u.textOf(inner); text != "" && !n.seen[inner.at] {
				part := strings.TrimSpace(spaced(name) + " " + text)
				if u.left -= len(part) + len(inner.at); u.left >= 0 {
					parts = append(parts, part)
				}
			}
		}
	}
	if parts != nil {
		line := strings.Join(parts, "; ")
		if label != "" {
			line = label + ": " + line
		}
		u.lines = append(u.lines, line)
	}
	for _, walk := range deeper {
		walk()
	}
}

func (u *unread) isSilent(name, at string) bool {
	return strings.HasPrefix(name, "_") || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "Ids") ||
		slices.ContainsFunc(u.silent, func(s string) bool { return name == s || strings.HasSuffix(at, "."+s) })
}

// textOf returns a value that says something, "" for none. What is only true is said by its name.
func (u *unread) textOf(n node) string {
	switch is := n.is.(type) {
	case string:
		if text := strings.Join(strings.Fields(plain(is)), " "); text != "none" && text != "null" {
			return text
		}
	case float64:
		if is != 0 {
			return n.short()
		}
	case bool:
		if is && u.flags {
			return "✓"
		}
	}
	return ""
}

// spaced writes the name of a member as words: "damageFormula" is "damage formula".
func spaced(name string) string {
	var b strings.Builder
	previous := ' '
	for _, r := range brief(name) {
		if unicode.IsUpper(r) && unicode.IsLower(previous) {
			b.WriteRune(' ')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
		previous = r
	}
	return b.String()
}
