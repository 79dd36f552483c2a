package html

import (
	"encoding/json"
	"strings"
	"time"

	"norn/table/view"
)

// edited is what a note tells of a sheet's change, as table gives it.
type edited struct {
	ID    string `json:"id"`
	Edits []struct {
		Path, Was, Is string
	} `json:"edits"`
}

// editOf reads what an entry tells of a changed sheet.
func editOf(e view.Entry) (edited, bool) {
	for _, line := range e.Lines {
		var of edited
		if line.Type == "table.character-changed" && json.Unmarshal(line.Data, &of) == nil && len(of.Edits) > 0 {
			return of, true
		}
	}
	return edited{}, false
}

// edit is what a card tells of a changed sheet, nil for nothing.
func edit(e view.Entry) *Edit {
	of, ok := editOf(e)
	switch {
	case !ok:
		return nil
	case len(of.Edits) != 1 || len(e.Lines) != 1 || e.Undone != nil || of.Edits[0].Was == "": // it goes on nothing
		return &Edit{}
	}
	return &Edit{
		Key: strings.Join([]string{e.Seat.Name, of.ID, of.Edits[0].Path}, " "), Was: of.Edits[0].Was,
		Is: of.Edits[0].Is,
	}
}

// join is what a card tells of a character who came into play, nil for nothing.
func (l *Look) join(e view.Entry) *Join {
	if len(e.Lines) != 1 || e.Lines[0].Type != "table.character-added" || e.Undone != nil {
		return nil
	}
	var who struct{ Name, Kind string }
	if json.Unmarshal(e.Lines[0].Data, &who) != nil || who.Name == "" {
		return nil
	}
	name := trimNumber(who.Name)
	return &Join{
		Key:      strings.Join([]string{e.Seat.Name, who.Kind, name}, " "),
		Together: l.Say("web.log.joined", "Name", name, "N", "{n}"),
	}
}

// quick is the longest time from one edit to the next that goes on it.
const quick = 2 * time.Minute

// mergeEdits makes one line of what one seat did to one value in quick turn: the last
// edit tells it from the first one's value. Script does the same as edits come.
func mergeEdits(cards []Card) {
	var first, last *Card
	for i := range cards {
		c := &cards[i]
		if c.Edit == nil || c.Edit.Key == "" {
			first, last = nil, nil
			continue
		}
		if last != nil && c.Edit.Key == last.Edit.Key && c.When.Sub(last.When) <= quick {
			last.Edit.Gone = true
			if len(c.Lines) == 1 {
				c.Edit.Whole = c.Lines[0].Text
				c.Lines[0].Text = strings.Replace(c.Edit.Whole, c.Edit.Was+" → "+c.Edit.Is,
					first.Edit.Was+" → "+c.Edit.Is, 1)
			}
		} else {
			first = c
		}
		last = c
	}
}

// mergeJoins makes one line of like characters whom one seat puts into play in quick turn. Script
// does the same as they come.
func (l *Look) mergeJoins(cards []Card) {
	var last *Card
	n := 0 // of those alike
	for i := range cards {
		c := &cards[i]
		switch {
		case c.Join == nil:
			last = nil
			continue
		case last == nil || c.Join.Key != last.Join.Key || c.When.Sub(last.When) > quick:
			n = 0
		default:
			last.Join.Gone = true
		}
		last = c
		if n++; n > 1 && len(c.Lines) == 1 {
			c.Join.Whole = c.Lines[0].Text
			c.Take.Step, c.Lines[0].Text = c.Join.Whole, strings.ReplaceAll(c.Join.Together, "{n}", l.Number(n))
		}
	}
}

// mergeTalk groups the lines of one speaker in quick turn. Script does the same as lines come.
func mergeTalk(cards []Card) {
	for i := 1; i < len(cards); i++ {
		was, c := &cards[i-1], &cards[i]
		c.GoesOn = c.Speaker != "" && c.Speaker == was.Speaker && c.When.Sub(was.When) <= quick
	}
}
