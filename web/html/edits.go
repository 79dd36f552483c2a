package html

import (
	"encoding/json"
	"strings"
	"time"

	"norn/lang"
	"norn/table/view"
)

// mergeOf returns what a card about a changed sheet or an added character needs for joining, nil for
// another card.
func mergeOf(s lang.Speaker, e view.Entry) *Merge {
	for _, line := range e.Lines {
		var of struct {
			ID, Name string
			Edits    []struct{ Path, Was, Is string }
		}
		if json.Unmarshal(line.Data, &of) != nil {
			continue
		}
		alone := len(e.Lines) == 1 && e.Undone == nil
		switch {
		case line.Type == "table.character-changed" && len(of.Edits) > 0:
			one := of.Edits[0]
			if !alone || len(of.Edits) != 1 || one.Was == "" { // can't be joined
				return &Merge{}
			}
			return &Merge{Key: strings.Join([]string{e.Seat.Name, of.ID, one.Path}, " "), Was: one.Was, Is: one.Is}
		case line.Type == "table.character-added" && alone && of.Name != "":
			return &Merge{
				Key: e.Seat.Name, Name: of.Name, Like: trimNumber(of.Name),
				Together: s.Say("web.log.joined", "Names", "{names}"),
			}
		}
	}
	return nil
}

// quick is the longest time between items that are joined.
const quick = 2 * time.Minute

// mergeEdits joins a seat's edits of one value in quick succession: the last one shows the change
// from the first value. The script does the same with new edits.
func mergeEdits(cards []Card) {
	var first, last *Card
	for i := range cards {
		c := &cards[i]
		if !c.edits() || c.Merge.Key == "" {
			first, last = nil, nil
			continue
		}
		if last != nil && c.Merge.Key == last.Merge.Key && c.When.Sub(last.When) <= quick {
			last.Merge.Gone = true
			if len(c.Lines) == 1 {
				c.Merge.Whole = c.Lines[0].Text
				c.Lines[0].Text = strings.Replace(c.Merge.Whole, c.Merge.Was+" → "+c.Merge.Is,
					first.Merge.Was+" → "+c.Merge.Is, 1)
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
	var run []*Merge
	var last time.Time
	for i := range cards {
		c := &cards[i]
		if c.Merge == nil || c.edits() {
			run = nil
			continue
		}
		if len(run) > 0 && (c.Merge.Key != run[0].Key || c.When.Sub(last) > quick) {
			run = nil
		}
		if len(run) > 0 {
			run[len(run)-1].Gone = true
		}
		run, last = append(run, c.Merge), c.When
		if len(run) > 1 && len(c.Lines) == 1 {
			c.Merge.Whole = c.Lines[0].Text
			c.Step = c.Merge.Whole
			c.Lines[0].Text = strings.Replace(c.Merge.Together, "{names}", joinedNames(s, run), 1)
		}
	}
}

// joinedNames lists the names of joined characters, those that differ by a number together.
func joinedNames(s lang.Speaker, run []*Merge) string {
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
