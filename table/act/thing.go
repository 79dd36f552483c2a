package act

import (
	"bytes"
	"slices"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// thingEvent changes one of the things that game masters keep: a clock, a list or a scene.
type thingEvent interface {
	ThingID() string
	ThingName() string
}

// audible is an event of a clock or a list, or one of those: some seats or all see it.
type audible interface {
	thingEvent
	WhoHears() state.Audience
}

// setter is an event that adds a thing or changes it. before returns what it was, nil for a new one.
type setter interface{ before() audible }

// before returns what a thing was before an event, if the event says so.
func before(event any) audible {
	if set, ok := event.(setter); ok {
		return set.before()
	}
	return nil
}

// subjectOf returns the move that an act is about, and whether only game masters may know of it;
// false for an act that doesn't say. Each change of a clock or a list is secret by itself, so that
// showing one later doesn't reveal its past.
func subjectOf(b ledger.Ledger, a act) (move string, secret, says bool) {
	switch a := a.(type) {
	case ledger.HasSubject:
		move, secret = a.Subject(b)
	case audible:
		was := before(a)
		secret = a.WhoHears().Hidden && (was == nil || was.WhoHears().Hidden)
	default:
		return "", false, false
	}
	return move, secret, true
}

// nameFor names a thing as the seat knows it: after a change that hid it, as it was called before.
func nameFor(e *visibility.Eye, ev thingEvent) string {
	if now, ok := ev.(audible); ok && !e.Hears(now.WhoHears()) && before(ev) != nil {
		return before(ev).ThingName()
	}
	return ev.ThingName()
}

// audienceOf returns the audience that a request asks for: seats, all, or only game masters. was is
// the one before, whose revoked seats need no error.
func audienceOf(st *state.State, to []string, hidden bool, was state.Audience) state.Audience {
	asked := seatsInOrder(st, to)
	left := slices.DeleteFunc(slices.Clone(asked), func(id string) bool {
		s := st.Seats.Of(id)
		return slices.Contains(was.To, id) && (s == nil || s.Revoked)
	})
	return state.Audience{To: left, Hidden: len(left) == 0 && (hidden || len(asked) > 0)}
}

// checkSet refuses to add or change a thing, if what it was isn't what it is now. next is the id of
// a new one, full the error if there's no room for it.
func checkSet[T any](id, next string, was, now *T, full error) error {
	switch {
	case now == nil && (was != nil || id != next):
		return refusal.NoChoice("id", id, nil)
	case now == nil:
		return full
	case was == nil:
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": id})
	}
	return checkNow("id", id, *was, now)
}

// checkNow refuses an event of a thing that there isn't, or that was another before.
func checkNow[T any](path, id string, was T, now *T) error {
	switch {
	case now == nil:
		return refusal.NoChoice(path, id, nil)
	case !bytes.Equal(state.JSON(was), state.JSON(*now)):
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": id})
	}
	return nil
}

// checkAudience refuses an audience that no request asks for, or seats that may not be named.
func checkAudience(p *Proposal, id string, a state.Audience) error {
	if a.Hidden && len(a.To) > 0 {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": id})
	}
	return mayHear(p, a.To)
}

// linesOfSet shows to a seat that a thing was added, changed or hidden. line shows one that it sees.
func linesOfSet(e *visibility.Eye, ev audibleAct, kind string, line func(word string) []view.Line) []view.Line {
	was := before(ev)
	switch seen, saw := e.Hears(ev.WhoHears()), was != nil && e.Hears(was.WhoHears()); {
	case !seen && !saw:
		return nil
	case !seen:
		return e.Line(ev, kind+"-hidden", view.Data{"Name": was.ThingName()}, view.Data{"id": ev.ThingID()})
	case !saw:
		return line(kind + "-set")
	}
	return line(kind + "-changed")
}

// audibleAct is an event of a clock or a list.
type audibleAct interface {
	act
	audible
}

// thingLine shows an event of a thing to a seat that sees it.
func thingLine(e *visibility.Eye, ev audibleAct, word string, words, data view.Data) []view.Line {
	if !e.Hears(ev.WhoHears()) {
		return nil
	}
	words["Name"], data["id"], data["name"] = ev.ThingName(), ev.ThingID(), ev.ThingName()
	if e.Viewer.IsGM() && ev.WhoHears().Hidden {
		data["hidden"] = true
	}
	return e.Line(ev, word, words, data)
}

// thingRemoved removes a thing; undoing that needs room for it.
type thingRemoved interface{ checkRoom(p *Proposal) error }

// roomFor refuses one more of what a table has n of.
func roomFor(what string, n, limit int) error {
	if n >= limit {
		return &refusal.TooManyError{What: what, Max: limit}
	}
	return nil
}

// ThingOf returns the id of the thing that a record is about, or "".
func ThingOf(r *state.Record) string {
	if len(r.Decoded) > 0 {
		if event, ok := r.Decoded[0].(thingEvent); ok {
			return event.ThingID()
		}
	}
	return ""
}
