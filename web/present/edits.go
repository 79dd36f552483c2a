package present

import (
	"encoding/json"
	"strings"
	"time"

	"norn/web/html"
)

// edited is what a note tells of a sheet's change, as table gives it.
type edited struct {
	ID    string `json:"id"`
	Edits []struct {
		Path, Was, Is string
	} `json:"edits"`
}

// edited tells whether a card is about a changed sheet.
func (c Card) edited() (edited, bool) {
	for _, line := range c.Lines {
		var e edited
		if line.Type == "table.character-changed" && json.Unmarshal(line.Data, &e) == nil && len(e.Edits) > 0 {
			return e, true
		}
	}
	return edited{}, false
}

// quick is the longest time from one edit to the next that goes on it.
const quick = 2 * time.Minute

// MergeEdits makes one line of what one seat did to one value in quick turn: the last
// edit tells it from the first one's value. Script does the same as edits come. So it does of a group that joins.
func MergeEdits(cards []Card) {
	mergeJoins(cards)
	var first, last *Card
	for i := range cards {
		c := &cards[i]
		key, _, ok := c.editKey()
		if !ok {
			first, last = nil, nil
			continue
		}
		before := ""
		if last != nil {
			before, _, _ = last.editKey()
		}
		if key == before && c.When.Sub(last.When) <= quick {
			last.Gone = true
			_, c.Since, _ = first.editKey()
		} else {
			first = c
		}
		last = c
	}
}

// mergeJoins makes one line of like characters whom one seat puts into play in quick turn. Script does the same as they come.
func mergeJoins(cards []Card) {
	var last *Card
	for i := range cards {
		c := &cards[i]
		key, _, ok := c.joinKey()
		if !ok {
			last = nil
			continue
		}
		c.Joined = 1
		if last != nil {
			if before, _, _ := last.joinKey(); key == before && c.When.Sub(last.When) <= quick {
				last.Gone, c.Joined = true, last.Joined+1
			}
		}
		last = c
	}
}

// joinKey names the seat that put a character into play and what like ones are called; false for any other card.
func (c Card) joinKey() (key, name string, ok bool) {
	if len(c.Lines) != 1 || c.Lines[0].Type != "table.character-added" || c.Undone != nil {
		return "", "", false
	}
	var who struct{ Name, Kind string }
	if json.Unmarshal(c.Lines[0].Data, &who) != nil || who.Name == "" {
		return "", "", false
	}
	name = unnumbered(who.Name)
	return strings.Join([]string{c.Who, who.Kind, name}, " "), name, true
}

// join is what a card tells of a character who came into play, nil for nothing.
func (c Card) join(l *Look) *html.Join {
	key, name, ok := c.joinKey()
	if !ok {
		return nil
	}
	j := &html.Join{Key: key, Together: l.Say("web.log.joined", "Name", name, "N", "{n}"), Gone: c.Gone}
	if c.Joined > 1 {
		j.Whole = c.Lines[0].Text
	}
	return j
}

// editKey names the seat and the value that a card's edit is about, and what stood
// there; false for what isn't one edit.
func (c Card) editKey() (key, was string, ok bool) {
	e, edited := c.edited()
	if !edited || len(e.Edits) != 1 || len(c.Lines) != 1 || c.Undone != nil || e.Edits[0].Was == "" {
		return "", "", false
	}
	return strings.Join([]string{c.Who, e.ID, e.Edits[0].Path}, " "), e.Edits[0].Was, true
}

// told is an edit that goes on others as it's read: with what stood there first.
func (c Card) told() string {
	e, _ := c.edited()
	return strings.Replace(c.Lines[0].Text, e.Edits[0].Was+" → "+e.Edits[0].Is, c.Since+" → "+e.Edits[0].Is, 1)
}

// step is what taking back an edit takes back: its own step, not those that it goes on.
func (c Card) step() string {
	if _, _, ok := c.editKey(); !ok && c.Joined < 2 {
		return ""
	}
	return c.Lines[0].Text
}

// edit is what a card tells of a changed sheet, nil for nothing.
func (c Card) edit() *html.Edit {
	e, ok := c.edited()
	if !ok {
		return nil
	}
	edit := html.Edit{Gone: c.Gone}
	if key, was, ok := c.editKey(); ok {
		edit.Key, edit.Was, edit.Is = key, was, e.Edits[0].Is
	}
	if c.Since != "" {
		edit.Whole = c.Lines[0].Text
	}
	return &edit
}
