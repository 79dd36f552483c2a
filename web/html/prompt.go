package html

import (
	"slices"

	"norn/table/view"
	"norn/web/fields"
)

// Prompt is the line of talk and commands under the log.
type LineDraft struct {
	Text string
	As   string // a character's id, AsGM, or "" for the seat itself
	Key  string
	Note LineNote
}

// HTMLPrompt is the line as it was left, or an empty one.
func (l *Look) Line(left *LineDraft) Prompt {
	if left == nil {
		left = &LineDraft{Key: NewKey()}
	}
	return Prompt{
		Text: left.Text, Key: left.Key, Note: left.Note, Speakers: l.Speakers(left.As),
		Kept: l.SelectionFields(),
	}
}

// Speakers are whom the reader may speak for, and to.
func (l *Look) Speakers(as string) []fields.Option {
	all := []fields.Option{Option("", l.SeatName(l.View.Seat), as == "")}
	for _, c := range l.Voices() {
		all = append(all, Option(c.ID, c.Name, as == c.ID))
	}
	all = append(all, Option(AsGM, l.Say("web.line.to-gm"), as == AsGM))
	for _, s := range l.WhisperTargets() {
		all = append(all, Option(AsTo+s.ID, l.Say("web.line.to-seat", "Name", s.Name), as == AsTo+s.ID))
	}
	return all
}

// WhisperTargets are the seats to which the reader may whisper.
func (l *Look) WhisperTargets() []view.SeatShown {
	return slices.DeleteFunc(slices.Clone(l.View.Seats), func(s view.SeatShown) bool { return s.You })
}

// AsTo, before a seat's id, whispers to it.
const AsTo = "to:"

// AsGM speaks to game masters only.
const AsGM = "gm"
