package html

import (
	"strings"

	"norn/game"
	"norn/lang"
	"norn/table/view"
)

// LineDraft is the content of the line of messages and commands under the log.
type LineDraft struct {
	Text string
	As   string // a character's id, AsGM, AsTo with a seat's id, or "" for the seat itself
	Key  string
	Note LineNote
}

// Speaker is a choice of the line's speaker and recipient.
type Speaker struct {
	Value string // a character's id, AsGM, AsTo with a seat's id, or "" for the seat itself
	Label string
	Reads string // names all who will read the message, "" if everybody will
	On    bool
}

// SpeakersOf returns the choices of speaker and recipient.
func SpeakersOf(p Page, v *view.View, as string) []Speaker {
	all := []Speaker{{Label: v.SeatName(v.Seat)}}
	for _, c := range byKind(p.Voice.Game, v.Characters) {
		if v.Role == game.Master || c.Mine && v.Role == game.Player {
			all = append(all, Speaker{Value: c.ID, Label: c.Name})
		}
	}
	var masters, others []string
	targets := v.WhisperTargets()
	for _, s := range targets {
		if s.Role == game.Master {
			masters = append(masters, s.Name)
		}
	}
	all = append(all, Speaker{Value: AsGM, Label: p.Say("web.line.to-gm"), Reads: readersText(p.Speaker, masters)})
	for _, s := range targets {
		if others = masters; s.Role != game.Master {
			others = append([]string{s.Name}, masters...)
		}
		all = append(all, Speaker{
			Value: AsTo + s.ID, Label: p.Say("web.line.to-seat", "Name", s.Name), Reads: readersText(p.Speaker, others),
		})
	}
	for i := range all {
		all[i].On = all[i].Value == as
	}
	return all
}

// readersText says who will read a message that isn't for all.
func readersText(s lang.Speaker, names []string) string {
	if len(names) == 0 {
		return s.Say("web.line.reads-you")
	}
	return s.Say("web.line.reads", "Names", strings.Join(names, ", "))
}

// AsTo is the prefix of a seat's id for a whisper to it.
const AsTo = "to:"

// AsGM means a message for game masters only.
const AsGM = "gm"
