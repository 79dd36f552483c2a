package web

import (
	"encoding/json"
	"strings"

	"github.com/a-h/templ"
)

// edited is what a note tells of a sheet's change, as table gives it.
type edited struct {
	ID    string `json:"id"`
	Edits []struct {
		Path, Was, Is string
	} `json:"edits"`
}

// edited tells whether a card is about a changed sheet.
func (c card) edited() (edited, bool) {
	for _, line := range c.Lines {
		var e edited
		if line.Type == "table.character-changed" && json.Unmarshal(line.Data, &e) == nil && len(e.Edits) > 0 {
			return e, true
		}
	}
	return edited{}, false
}

// editMarks let script show what one seat did to one value in quick turn as
// one line, "3 → 7" for "3 → 5" and "5 → 7".
func (c card) editMarks() templ.Attributes {
	e, ok := c.edited()
	if !ok || len(e.Edits) != 1 || len(c.Lines) != 1 || c.Undone != nil || e.Edits[0].Was == "" {
		return nil
	}
	one := e.Edits[0]
	return templ.Attributes{
		"data-edited": strings.Join([]string{c.Who, e.ID, one.Path}, " "), "data-was": one.Was, "data-is": one.Is,
	}
}
