package editions

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"norn/lang"
	"norn/table"
	"norn/table/view"
)

// shown holds one seat's view of a table, without texts and layout.
type shown struct {
	View  map[string]any         `json:"view"`
	Log   []map[string]any       `json:"log"`
	Texts map[lang.Lang][]string `json:"texts"` // of the log's lines and outcomes
}

// drawn lists members that contain only texts, layout or next actions. They change with norn.
var drawn = map[string][]string{
	"view":      {"moves"},
	"character": {"tracks", "state", "out"},
	"question":  {"text", "aboutText", "guidance", "advice", "about", "schema", "standard"},
	"call":      {"name", "said"},
	"offer":     {"text"},
	"throw":     {"marks"},
	"outcome":   {"tone", "text"},
	"line":      {"text"},
	"asked":     {"open"},
}

// look returns what a seat sees now.
func look(t testing.TB, host *table.Host, id, secret string) shown {
	t.Helper()
	s := shown{Texts: map[lang.Lang][]string{}}
	for _, l := range lang.All {
		seat, err := host.Enter(t.Context(), id, secret, l)
		must(t, err)
		entries := whole(t, seat)
		for _, e := range entries {
			s.Texts[l] = append(s.Texts[l], texts(e)...)
		}
		if l != lang.En {
			continue
		}
		looked, err := seat.View(t.Context())
		must(t, err)
		s.View = plain(t, looked)
		without(s.View, "view")
		without(s.View["characters"], "character")
		without(s.View["questions"], "question")
		without(s.View["calls"], "call")
		without(s.View["offers"], "offer")
		for _, e := range entries {
			entry := plain(t, e)
			without(entry["throws"], "throw")
			without(entry["outcome"], "outcome")
			without(entry["lines"], "line")
			without(entry["questions"], "asked")
			lines, _ := entry["lines"].([]any)
			for _, line := range lines {
				without(line.(map[string]any)["outcome"], "outcome")
			}
			s.Log = append(s.Log, entry)
		}
	}
	return s
}

// whole returns the complete log that a seat sees.
func whole(t testing.TB, s *table.Seat) []view.Entry {
	t.Helper()
	var all []view.Entry
	for after := uint64(0); ; after = all[len(all)-1].Seq {
		entries, err := s.Log(t.Context(), after, 0)
		must(t, err)
		if len(entries) == 0 {
			return all
		}
		all = append(all, entries...)
	}
}

// texts returns an entry's texts for readers.
func texts(e view.Entry) []string {
	var all []string
	if e.Outcome != nil {
		all = append(all, e.Outcome.Text)
	}
	for _, line := range e.Lines {
		all = append(all, line.Text)
	}
	return all
}

// without removes layout from values, one or a list.
func without(value any, what string) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range drawn[what] {
			delete(value, name)
		}
	case []any:
		for _, each := range value {
			without(each, what)
		}
	}
}

func plain(t testing.TB, value any) map[string]any {
	t.Helper()
	data, err := json.Marshal(value)
	must(t, err)
	var members map[string]any
	must(t, json.Unmarshal(data, &members))
	return members
}

// lost returns the place where recorded content is missing or different, "" for none. New content
// is allowed.
func lost(at string, recorded, now any) string {
	switch recorded := recorded.(type) {
	case map[string]any:
		now, _ := now.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(recorded)) {
			if where := lost(at+"."+name, recorded[name], now[name]); where != "" {
				return where
			}
		}
		return ""
	case []any:
		now, _ := now.([]any)
		if strings.HasSuffix(at, ".throws") || strings.HasSuffix(at, ".offers") { // later, more may be shown
			kept := []any{}
			for _, one := range now {
				if len(kept) < len(recorded) && lost("", recorded[len(kept)], one) == "" {
					kept = append(kept, one)
				}
			}
			now = kept
		}
		if len(now) != len(recorded) {
			return fmt.Sprintf("%s: %d were recorded, now there are %d", at, len(recorded), len(now))
		}
		for i := range recorded {
			if where := lost(at+"."+strconv.Itoa(i), recorded[i], now[i]); where != "" {
				return where
			}
		}
		return ""
	}
	if recorded == now || now == nil && (recorded == "" || recorded == false || recorded == 0.0) {
		return ""
	}
	return fmt.Sprintf("%s: %v was recorded, now it's %v", at, recorded, now)
}
