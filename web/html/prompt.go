package html

import (
	"slices"

	"norn/table/view"
	"norn/web/fields"
)

// LineDraft is the content of the line of messages and commands under the log.
type LineDraft struct {
	Text string
	As   string // a character's id, AsGM, AsTo with a seat's id, or "" for the seat itself
	Key  string
	Note LineNote
}

// Line returns the line as it was left, or an empty one.
func (l *Look) Line(left *LineDraft) Prompt {
	if left == nil {
		left = &LineDraft{Key: NewKey()}
	}
	return Prompt{
		Text: left.Text, Key: left.Key, Note: left.Note, Speakers: l.Speakers(left.As),
		Kept: l.SelectionFields(),
	}
}

// Speakers returns the options for the speaker and the recipients.
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

// WhisperTargets returns the seats that the reader may whisper to.
func (l *Look) WhisperTargets() []view.SeatShown {
	return slices.DeleteFunc(slices.Clone(l.View.Seats), func(s view.SeatShown) bool { return s.You })
}

// AsTo is the prefix of a seat's id for a whisper to it.
const AsTo = "to:"

// AsGM means a message for game masters only.
const AsGM = "gm"
