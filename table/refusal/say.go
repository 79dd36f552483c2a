package refusal

import (
	"errors"

	"norn/form"
	"norn/game"
)

// Say words an error of this package for people; one that isn't of this package
// is worded as unavailable. Seat.Voice and VoiceOf give voices.
func Say(v game.Voice, err error) string {
	var misfit *MisfitError
	if errors.As(err, &misfit) { // whatever it is for
		return v.Say("table.error.misfit", "Seq", int(misfit.Seq), "Text", misfit.text(v))
	}
	if r, ok := game.AsRefusal(err); ok {
		return v.Refusal(r)
	}
	var invalid *InvalidError
	if errors.As(err, &invalid) {
		texts := make([]string, len(invalid.Problems))
		for i, p := range invalid.Problems {
			id, data := p.Word()
			texts[i] = v.Say(id, data)
		}
		return v.Say("table.error.invalid", "Problems", v.List(texts))
	}
	var busy *BusyError
	if errors.As(err, &busy) {
		return busy.say(v)
	}
	var answered *AnsweredError
	if errors.As(err, &answered) {
		return v.Say("table.error.answered", "Name", answered.Name)
	}
	var many *TooManyError
	if errors.As(err, &many) {
		return v.Say("table.error.too-many-"+many.What, "N", many.Max)
	}
	var later *LaterError
	if errors.As(err, &later) {
		texts := make([]string, len(later.Later))
		for i, l := range later.Later {
			texts[i] = l.Text
		}
		if len(texts) == 0 {
			return v.Say("table.error.later-unseen")
		}
		return v.Say("table.error.later", "Later", v.List(texts))
	}
	if Unwritable(err) {
		return v.Say("table.error.unwritable")
	}
	var unreadable *UnreadableError
	if errors.As(err, &unreadable) && !unreadable.Newer() {
		return v.Say("table.error.damaged")
	}
	var refusal Error
	if errors.As(err, &refusal) {
		return v.Say("table.error." + refusal.Code())
	}
	return v.Say("table.error." + CodeUnavailable)
}

// text words what is wrong.
func (e *MisfitError) text(v game.Voice) string {
	if refusal := Error(nil); errors.As(e.Err, &refusal) {
		return Say(v, e.Err)
	}
	if p := form.Problems(nil); errors.As(e.Err, &p) {
		return Say(v, &InvalidError{Problems: p})
	}
	return v.Say("table.misfit."+e.Code, e.Data)
}

// say tells who is busy, and who is waited for.
func (e *BusyError) say(v game.Voice) string {
	if e.Stranded {
		return v.Say("table.error.busy-stranded", "Name", v.Name(e.Character))
	}
	if len(e.Waits) == 0 {
		return v.Say("table.error.busy", "Name", v.Name(e.Character))
	}
	whom := make([]string, len(e.Waits))
	for i, to := range e.Waits {
		whom[i] = v.Name(to)
		if to == game.GM {
			whom[i] = v.Say("table.gm")
		}
	}
	return v.Say("table.error.busy-waits", "Name", v.Name(e.Character), "Whom", v.List(whom))
}
