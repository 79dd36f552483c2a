package play

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/table/request"
	"norn/web/html"
)

// choice is what a reader has chosen on the table's page; it stands in the
// address, so that it needs no script.
type choice struct {
	Character string // whose sheet is shown
	Actor     string // who acts
	Move      string
	Tab       string
	Edit      bool
	Call      string       // the call that is taken up
	Part      request.Part // of the log
	Find      string       // what the log is searched for
	Entry     uint64       // that must be on the page
	Pages     int          // how much of the log is shown, in shownEntries
	Before    uint64       // only what began before this seq; 0 for all
}

var tabs = []string{"log", "sheet", "cast", "questions"}

// The parameters of choices.
const (
	atCharacter = html.Own + "c"
	atActor     = html.Own + "a"
	atMove      = html.Own + "m"
	atTab       = html.Own + "tab"
	atEdit      = html.Own + "edit"
	atPages     = html.Own + "log"
	atCall      = html.Own + "call"
	atAgain     = html.Own + "again" // the seq of a move to make again
	atPart      = html.Own + "part"
	atFind      = html.Own + "find"
	atEntry     = html.Own + "at"
	atBefore    = html.Own + "before"
	atCards     = html.Own + "cards" // only the log's cards again
)

// choices reads the reader's choices from the address or the form.
func choices(r *http.Request) choice {
	get := func(name string) string {
		if r.Form == nil {
			return r.URL.Query().Get(name)
		}
		return r.Form.Get(name)
	}
	number := func(name string) uint64 {
		n, _ := strconv.ParseUint(get(name), 10, 64) // what is none chooses nothing
		return n
	}
	c := choice{
		Character: get(atCharacter), Actor: get(atActor), Move: get(atMove), Call: get(atCall), Tab: get(atTab), Edit: get(atEdit) != "",
		Pages: int(min(number(atPages), mostPages)), Entry: number(atEntry), Before: number(atBefore),
	}
	if part := request.Part(get(atPart)); slices.Contains(parts, part) {
		c.Part = part
	}
	if find := strings.TrimSpace(get(atFind)); len(find) <= mostSought {
		c.Find = find
	}
	if !slices.Contains(tabs, c.Tab) {
		c.Tab = tabs[0]
	}
	return c
}

func (c choice) query() string {
	q := url.Values{}
	for name, value := range map[string]string{atCharacter: c.Character, atActor: c.Actor, atMove: c.Move, atCall: c.Call} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if c.Tab != "" && c.Tab != tabs[0] {
		q.Set(atTab, c.Tab)
	}
	if c.Edit {
		q.Set(atEdit, "1")
	}
	if c.Part != request.All {
		q.Set(atPart, string(c.Part))
	}
	if c.Find != "" {
		q.Set(atFind, c.Find)
	}
	if c.Entry > 0 {
		q.Set(atEntry, strconv.FormatUint(c.Entry, 10))
	}
	if c.Pages > 1 {
		q.Set(atPages, strconv.Itoa(c.Pages))
	}
	if c.Before > 0 {
		q.Set(atBefore, strconv.FormatUint(c.Before, 10))
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// character is the same choices but for the sheet that is shown.
func (c choice) character(id string) choice {
	c.Character, c.Edit = id, false
	c.Actor, c.Call = "", ""
	return c
}

func (c choice) tab(name string) choice {
	c.Tab = name
	return c
}

func (c choice) earlier() choice {
	c.Pages = max(c.Pages, 1) + 1
	return c
}

// further is the log before a seq, where a page can't show more or a search took long enough.
func (c choice) further(before uint64) choice {
	c.Before, c.Entry, c.Pages = before, 0, 0
	return c
}

// part is another part of the log, from its newest on; who looks for something
// there wants to see the log, and no sheet that is being changed.
func (c choice) part(p request.Part) choice {
	c.Part, c.Entry, c.Pages, c.Before, c.Tab, c.Edit = p, 0, 0, 0, tabs[0], false
	return c
}

// whole is the whole log.
func (c choice) whole() choice {
	c.Find = ""
	return c.part(request.All)
}

func (c choice) move(id string) choice {
	c.Move, c.Call = id, ""
	return c
}

// hidden are the choices as a form keeps them, in one order, but for the search
// itself.
func (c choice) hidden() []html.Hidden {
	c.Find = ""
	query, _ := url.ParseQuery(strings.TrimPrefix(c.query(), "?")) // it's our own
	var all []html.Hidden
	for _, name := range slices.Sorted(maps.Keys(query)) {
		all = append(all, html.Hidden{Name: name, Value: query.Get(name)})
	}
	return all
}
