package refusal

import (
	"errors"

	"norn/form"
	"norn/game"
)

// Say puts an error of this package into words; any other error reads as "unavailable". Seat.Voice
// and VoiceOf return voices.
func Say(v game.Voice, err error) string {
	// first, because a misfit may wrap any of the others
	if misfit, ok := errors.AsType[*MisfitError](err); ok {
		return v.Say("table.error.misfit", "Seq", int(misfit.Seq), "Text", misfit.text(v))
	}
	if r, ok := game.AsRefusal(err); ok {
		return v.Refusal(r)
	}
	if invalid, ok := errors.AsType[*InvalidError](err); ok {
		return v.Say("table.error.invalid", "Problems", v.List(game.Each(invalid.Problems, func(p form.Problem) string {
			id, data := p.Word()
			return v.Say(id, data)
		})))
	}
	if forbidden, ok := errors.AsType[*ForbiddenError](err); ok && len(forbidden.Makers) > 0 {
		if forbidden.Makers[0] == game.GM {
			return v.Say("table.error.forbidden-gm")
		}
		return v.Say("table.error.forbidden-kinds", "Kinds", v.List(game.Each(forbidden.Makers, func(kind string) string {
			return v.Say(kind)
		})))
	}
	if busy, ok := errors.AsType[*BusyError](err); ok {
		return busy.say(v)
	}
	if answered, ok := errors.AsType[*AnsweredError](err); ok {
		return v.Say("table.error.answered", "Name", answered.Name)
	}
	if many, ok := errors.AsType[*TooManyError](err); ok {
		return v.Say("table.error.too-many-"+many.What, "N", many.Max)
	}
	if later, ok := errors.AsType[*LaterError](err); ok {
		if len(later.Later) == 0 {
			return v.Say("table.error.later-unseen")
		}
		return v.Say("table.error.later", "Later", v.List(game.Each(later.Later, func(l Later) string {
			return l.Text
		})))
	}
	if changed, ok := errors.AsType[*ChangedError](err); ok {
		if changed.Called {
			return v.Say("table.error.changed-called")
		}
		return v.Say("table.error.changed")
	}
	if often, ok := errors.AsType[*TooOftenError](err); ok {
		return v.Say("table.error.too-often", "N", often.Seconds())
	}
	if Unwritable(err) {
		return v.Say("table.error.unwritable")
	}
	if unreadable, ok := errors.AsType[*UnreadableError](err); ok {
		switch {
		case !unreadable.Newer():
			return v.Say("table.error.damaged")
		case unreadable.Game() != "":
			return v.Say("table.error.no-game", "Game", unreadable.Game())
		}
	}
	if refusal, ok := errors.AsType[Error](err); ok {
		return v.Say("table.error." + refusal.Code())
	}
	return v.Say("table.error." + CodeUnavailable)
}

// text puts into words what is wrong.
func (e *MisfitError) text(v game.Voice) string {
	if _, ok := errors.AsType[Error](e.Err); ok {
		return Say(v, e.Err)
	}
	if p, ok := errors.AsType[form.Problems](e.Err); ok {
		return Say(v, &InvalidError{Problems: p})
	}
	return v.Say("table.misfit."+e.Code, e.Data)
}

// say names the busy character, the move that waits and those who must answer.
func (e *BusyError) say(v game.Voice) string {
	if e.Stranded {
		return v.Say("table.error.busy-stranded", "Name", v.Name(e.Character))
	}
	what := ""
	if id := v.Game + ".move." + e.Name; e.Name != "" && v.Has(id) {
		what = v.Say(id)
	}
	if len(e.Waits) == 0 {
		if what == "" {
			return v.Say("table.error.busy", "Name", v.Name(e.Character))
		}
		return v.Say("table.error.busy-in", "Name", v.Name(e.Character), "What", what)
	}
	whom := make([]string, len(e.Waits))
	for i, to := range e.Waits {
		whom[i] = v.Name(to)
		if to == game.GM {
			whom[i] = v.Say("table.gm")
		}
	}
	if what == "" {
		return v.Say("table.error.busy-waits", "Name", v.Name(e.Character), "Whom", v.List(whom))
	}
	return v.Say("table.error.busy-in-waits", "Name", v.Name(e.Character), "What", what, "Whom", v.List(whom))
}
