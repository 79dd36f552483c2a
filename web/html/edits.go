package html

import (
	"encoding/json"
	"strings"
	"time"

	"norn/lang"
	"norn/table/view"
)

// edit returns what a card about a changed sheet needs for joining, nil for another card.
func edit(e view.Entry) *Edit {
	for _, line := range e.Lines {
		var of struct {
			ID    string
			Edits []struct{ Path, Was, Is string }
		}
		if line.Type != "table.character-changed" || json.Unmarshal(line.Data, &of) != nil || len(of.Edits) == 0 {
			continue
		}
		one := of.Edits[0]
		if len(of.Edits) != 1 || len(e.Lines) != 1 || e.Undone != nil || one.Was == "" { // can't be joined
			return &Edit{}
		}
		return &Edit{Key: strings.Join([]string{e.Seat.Name, of.ID, one.Path}, " "), Was: one.Was, Is: one.Is}
	}
	return nil
}

// join returns what a card about an added character needs for joining, nil for another card.
func join(s lang.Speaker, e view.Entry) *Join {
	if len(e.Lines) != 1 || e.Lines[0].Type != "table.character-added" || e.Undone != nil {
		return nil
	}
	var who struct{ Name string }
	if json.Unmarshal(e.Lines[0].Data, &who) != nil || who.Name == "" {
		return nil
	}
	return &Join{
		Key: e.Seat.Name, Name: who.Name, Like: trimNumber(who.Name),
		Together: s.Say("web.log.joined", "Names", "{names}"),
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

// mergeJoins joins the characters that a seat adds in quick succession in one line. The script does
// the same with new ones.
func mergeJoins(s lang.Speaker, cards []Card) {
	var run []*Join
	var last time.Time
	for i := range cards {
		c := &cards[i]
		if c.Join == nil {
			run = nil
			continue
		}
		if len(run) > 0 && (c.Join.Key != run[0].Key || c.When.Sub(last) > quick) {
			run = nil
		}
		if len(run) > 0 {
			run[len(run)-1].Gone = true
		}
		run, last = append(run, c.Join), c.When
		if len(run) > 1 && len(c.Lines) == 1 {
			c.Join.Whole = c.Lines[0].Text
			c.Step = c.Join.Whole
			c.Lines[0].Text = strings.Replace(c.Join.Together, "{names}", joinedNames(s, run), 1)
		}
	}
}

// joinedNames lists the names of joined characters, those that differ by a number together.
func joinedNames(s lang.Speaker, run []*Join) string {
	var names []string
	alike := map[string]int{}
	for _, j := range run {
		alike[j.Like]++
	}
	for _, j := range run {
		n, named := alike[j.Like]
		switch {
		case !named:
			continue
		case n > 1:
			names = append(names, s.Say("web.cast.alike", "Name", j.Like, "N", n))
		default:
			names = append(names, j.Name)
		}
		delete(alike, j.Like)
	}
	return strings.Join(names, ", ")
}

// mergeTalk groups a speaker's messages in quick succession. The script does the same with new
// ones.
func mergeTalk(cards []Card) {
	for i := 1; i < len(cards); i++ {
		was, c := &cards[i-1], &cards[i]
		c.GoesOn = c.Speaker != "" && c.Speaker == was.Speaker && c.When.Sub(was.When) <= quick
	}
}
