package html

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/table/request"
)

// Selection is the reader's selection on the table's page. It's in the address, so it needs no
// script.
type Selection struct {
	Character string // whose sheet is shown
	Actor     string // who makes the move
	Move      string
	Assumed   bool // Move is the default move instead of the reader's choice; no link contains it
	Tab       string
	Edit      bool
	Change    bool         // the sheet is edited in place
	Use       string       // the place of the actor's sheet that the move uses
	Call      string       // the call that the composer answers
	Part      request.Part // of the log
	Find      string       // search in the log
	Entry     uint64       // must be on the page
	Pages     int          // length of the log, in ShownEntries
	Before    uint64       // only what began before this seq; 0 for all
}

var Tabs = []string{"log", "sheet", "cast", "questions"}

// Parameters of selections.
const (
	AtCharacter = Own + "c"
	AtActor     = Own + "a"
	AtMove      = Own + "m"
	AtTab       = Own + "tab"
	AtEdit      = Own + "edit"
	AtChange    = Own + "change"
	AtUse       = Own + "pressed"
	AtPages     = Own + "log"
	AtCall      = Own + "call"
	AtAgain     = Own + "again" // seq of a move to make again
	AtPart      = Own + "part"
	AtFind      = Own + "find"
	AtEntry     = Own + "at"
	AtBefore    = Own + "before"
	AtCards     = Own + "cards" // only the log's cards
)

// ReadSelection reads the selection from an address or a posted form.
func ReadSelection(sent url.Values) Selection {
	get := sent.Get
	number := func(name string) uint64 {
		n, _ := strconv.ParseUint(get(name), 10, 64) // anything but a number selects nothing
		return n
	}
	c := Selection{
		Character: get(AtCharacter), Actor: get(AtActor), Move: get(AtMove), Call: get(AtCall), Tab: get(AtTab),
		Edit:   get(AtEdit) != "",
		Change: get(AtChange) != "", Use: get(AtUse),
		Pages: int(min(number(AtPages), MostPages)), Entry: number(AtEntry), Before: number(AtBefore),
	}
	if part := request.Part(get(AtPart)); slices.Contains(parts, part) {
		c.Part = part
	}
	if find := strings.TrimSpace(get(AtFind)); len(find) <= maxSought {
		c.Find = find
	}
	if !slices.Contains(Tabs, c.Tab) {
		c.Tab = Tabs[0]
	}
	return c
}

func (c Selection) Query() string {
	q := url.Values{}
	chosen := map[string]string{AtCharacter: c.Character, AtActor: c.Actor, AtCall: c.Call, AtUse: c.Use}
	if !c.Assumed {
		chosen[AtMove] = c.Move
	}
	for name, value := range chosen {
		if value != "" {
			q.Set(name, value)
		}
	}
	if c.Tab != "" && c.Tab != Tabs[0] {
		q.Set(AtTab, c.Tab)
	}
	if c.Edit {
		q.Set(AtEdit, "1")
	}
	if c.Change {
		q.Set(AtChange, "1")
	}
	if c.Part != request.All {
		q.Set(AtPart, string(c.Part))
	}
	if c.Find != "" {
		q.Set(AtFind, c.Find)
	}
	if c.Entry > 0 {
		q.Set(AtEntry, strconv.FormatUint(c.Entry, 10))
	}
	if c.Pages > 1 {
		q.Set(AtPages, strconv.Itoa(c.Pages))
	}
	if c.Before > 0 {
		q.Set(AtBefore, strconv.FormatUint(c.Before, 10))
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// WithCharacter returns the selection with another sheet. It drops the move, which was chosen for
// the previous character.
func (c Selection) WithCharacter(id string) Selection {
	if id != c.Character {
		c.Move, c.Assumed = "", false
	}
	c.Character, c.Edit, c.Change, c.Use = id, false, false, ""
	c.Actor, c.Call = "", ""
	return c
}

func (c Selection) WithTab(name string) Selection {
	c.Tab, c.Use = name, ""
	return c
}

func (c Selection) Earlier() Selection {
	c.Pages = max(c.Pages, 1) + 1
	return c
}

// Further returns the selection with the log before a seq, for when a page can't show more or a
// search took long enough.
func (c Selection) Further(before uint64) Selection {
	c.Before, c.Entry, c.Pages = before, 0, MostPages
	return c
}

// Later returns the selection with the log after the one that it has, for a table at a seq.
func (c Selection) Later(seq uint64) Selection {
	before := c.Before + ShownEntries*MostPages
	if before > seq {
		before = 0
	}
	return c.Further(before)
}

// WithPart returns the selection with another part of the log, from the newest entry on, on the tab
// of the log and without editing.
func (c Selection) WithPart(p request.Part) Selection {
	c.Part, c.Entry, c.Pages, c.Before, c.Tab, c.Edit = p, 0, 0, 0, Tabs[0], false
	return c
}

// WholeLog returns the selection with the whole log.
func (c Selection) WholeLog() Selection {
	c.Find = ""
	return c.WithPart(request.All)
}

func (c Selection) WithMove(id string) Selection {
	c.Move, c.Assumed, c.Call, c.Use = id, false, "", ""
	return c
}

// Hidden returns the selection as hidden fields, in a fixed order, without the search itself.
func (c Selection) Hidden() []Hidden {
	c.Find = ""
	query, _ := url.ParseQuery(strings.TrimPrefix(c.Query(), "?")) // made by Query, so it's valid
	var all []Hidden
	for _, name := range slices.Sorted(maps.Keys(query)) {
		all = append(all, Hidden{Name: name, Value: query.Get(name)})
	}
	return all
}

// Fields returns what of the selection a form posts that leads back to the page.
func (c Selection) Fields() []Hidden {
	return []Hidden{
		{Name: AtCharacter, Value: c.Character},
		{Name: AtActor, Value: c.Actor},
		{Name: AtMove, Value: c.Move},
		{Name: AtTab, Value: c.Tab},
	}
}

// ShownEntries is the initial length of the log on a page. A reader can ask for more, MostPages
// times as much at most, for a slow phone draws a page of more in fits; what is older has pages of
// its own.
const (
	ShownEntries = 14
	MostPages    = 4
)

// parts lists the parts of the log that a reader may choose.
var parts = []request.Part{request.All, request.Mine, request.Throws, request.Talks}

// maxSought limits the bytes of a search.
const maxSought = 200
