package present

import (
	"slices"

	"norn/chat"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
)

// Prompt is the line of talk and commands under the log.
type Prompt struct {
	Text string
	As   string // a character's id, AsGM, or "" for the seat itself
	Key  string
	Note html.LineNote
}

// HTMLPrompt is the line as it was left, or an empty one.
func HTMLPrompt(l *Look, left *Prompt) html.Prompt {
	if left == nil {
		left = &Prompt{Key: html.NewKey()}
	}
	return html.Prompt{Text: left.Text, Key: left.Key, Note: left.Note, Speakers: Speakers(l, left.As), Kept: SelectionFields(l)}
}

// Speakers are whom the reader may speak for, and to.
func Speakers(l *Look, as string) []fields.Option {
	all := []fields.Option{Option("", l.SeatName(l.View.Seat), as == "")}
	for _, c := range l.Voices() {
		all = append(all, Option(c.ID, c.Name, as == c.ID))
	}
	all = append(all, Option(AsGM, l.Say("web.line.to-gm"), as == AsGM))
	for _, s := range WhisperTargets(l) {
		all = append(all, Option(AsTo+s.ID, l.Say("web.line.to-seat", "Name", s.Name), as == AsTo+s.ID))
	}
	return all
}

// WhisperTargets are the seats to which the reader may whisper.
func WhisperTargets(l *Look) []view.SeatShown {
	return slices.DeleteFunc(slices.Clone(l.View.Seats), func(s view.SeatShown) bool { return s.You })
}

// AsTo, before a seat's id, whispers to it.
const AsTo = "to:"

// AsGM speaks to game masters only.
const AsGM = "gm"

// Understood says what a command was taken for.
func Understood(l *Look, c chat.Command) []string {
	var texts []string
	if c.Move != "" {
		name := l.Voice.Word("move", c.Move)
		if c.Actor != "" {
			name = l.Voice.Name(c.Actor) + ": " + name
		}
		texts = append(texts, name)
	}
	return append(texts, c.Given...)
}
