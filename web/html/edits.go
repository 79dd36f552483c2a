package html

import (
	"encoding/json"
	"strings"
	"time"

	"norn/table/view"
)

// edited is the data of a line about a changed sheet.
type edited struct {
	ID    string `json:"id"`
	Edits []struct {
		Path, Was, Is string
	} `json:"edits"`
}

// editOf reads an entry about a changed sheet.
func editOf(e view.Entry) (edited, bool) {
	for _, line := range e.Lines {
		var of edited
		if line.Type == "table.character-changed" && json.Unmarshal(line.Data, &of) == nil && len(of.Edits) > 0 {
			return of, true
		}
	}
	return edited{}, false
}

// edit returns what a card about a changed sheet needs for joining, nil for another card.
func edit(e view.Entry) *Edit {
	of, ok := editOf(e)
	switch {
	case !ok:
		return nil
	case len(of.Edits) != 1 || len(e.Lines) != 1 || e.Undone != nil || of.Edits[0].Was == "": // can't be joined
		return &Edit{}
	}
	return &Edit{
		Key: strings.Join([]string{e.Seat.Name, of.ID, of.Edits[0].Path}, " "), Was: of.Edits[0].Was,
		Is: of.Edits[0].Is,
	}
}

// join returns what a card about an added character needs for joining, nil for another card.
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

// quick is the longest time between items that are joined.
const quick = 2 * time.Minute

// mergeEdits joins a seat's edits of one value in quick succession: the last one shows the change
// from the first value. The script does the same with new edits.
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

// mergeJoins joins similar characters that a seat adds in quick succession in one line. The script
// does the same with new ones.
func (l *Look) mergeJoins(cards []Card) {
	var last *Card
	n := 0 // number of similar ones
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

// mergeTalk groups a speaker's messages in quick succession. The script does the same with new
// ones.
func mergeTalk(cards []Card) {
	for i := 1; i < len(cards); i++ {
		was, c := &cards[i-1], &cards[i]
		c.GoesOn = c.Speaker != "" && c.Speaker == was.Speaker && c.When.Sub(was.When) <= quick
	}
}
