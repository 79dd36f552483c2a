package game

import (
	"maps"
	"reflect"

	"norn/rule"
)

// TypeOf is what an event is called, in the journal too: by its package and its type, unless it has a Type of its own. A type that
// gets another name in the source keeps the old one by a Type.
func TypeOf(e rule.Event) string {
	if named, ok := e.(interface{ Type() string }); ok {
		return named.Type()
	}
	return tellingOf(reflect.TypeOf(e)).name
}

// AsChange is what an event does to a sheet; false for one that changes none. An event that has Whose and Apply is one itself; for
// others Who is whose sheet it is, and Apply gets a copy to change.
func AsChange(e rule.Event) (Change, bool) {
	if c, ok := e.(Change); ok || e == nil {
		return c, ok
	}
	if t := tellingOf(reflect.TypeOf(e)); t.sheet != nil && t.who != nil {
		return applied{reflect.ValueOf(e), t}, true
	}
	return nil, false
}

// applied changes a sheet as an event's Apply does.
type applied struct {
	event reflect.Value
	*telling
}

func (a applied) Whose() string { return a.event.FieldByIndex(a.who).String() }

// Apply changes a copy of a sheet of the type that the event is about, or of one that embeds it.
func (a applied) Apply(sheet any) any {
	if sheet == nil {
		return nil
	}
	if a.sheet.Kind() == reflect.Interface {
		return a.apply.Call([]reflect.Value{a.event, reflect.ValueOf(sheet)})[0].Interface()
	}
	whole := reflect.New(reflect.TypeOf(sheet))
	whole.Elem().Set(reflect.ValueOf(sheet))
	part := whole.Elem()
	if part.Type() != a.sheet {
		if part.Kind() != reflect.Struct {
			return sheet
		}
		if embedded, ok := part.Type().FieldByName(a.sheet.Name()); !ok || !embedded.Anonymous || embedded.Type != a.sheet {
			return sheet
		}
		part = part.FieldByName(a.sheet.Name())
	}
	a.apply.Call([]reflect.Value{a.event, part.Addr()})
	return whole.Elem().Interface()
}

// After is a sheet as it is after an event.
func After[S any](sheet S, e rule.Event) S {
	if own, ok := e.(interface{ Apply(sheet *S) }); ok {
		own.Apply(&sheet)
		return sheet
	}
	if c, ok := AsChange(e); ok {
		sheet, _ = c.Apply(sheet).(S)
	}
	return sheet
}

// RecordOn tells an event, and gives the sheet as it is then to a rule that goes on with it.
func RecordOn[S any](r *rule.Run, sheet S, e rule.Event) S {
	r.Record(e)
	return After(sheet, e)
}

// Tell tells events, and gives the scene as it is then to a rule that goes on with it.
func (s Scene) Tell(r *rule.Run, events ...rule.Event) Scene {
	r.Record(events...)
	return s.After(events...)
}

// After is the scene as it is after events.
func (s Scene) After(events ...rule.Event) Scene {
	s.Cast = maps.Clone(s.Cast)
	for _, e := range events {
		if c, ok := AsChange(e); ok {
			if m, there := s.Cast[c.Whose()]; there {
				m.Sheet = c.Apply(m.Sheet)
				s.Cast[c.Whose()] = m
			}
		}
	}
	return s
}

// Resolved is told by a rule as soon as it's settled how somebody's throw
// came out, so that people see it while questions about the consequences are
// still open. Every game has it.
type Resolved struct {
	Who     string       `json:"who,omitempty"` // id of the character; "" for nobody in particular
	Outcome rule.Outcome `json:"outcome"`
}

// common are the event types that every game has.
var common = []EventType{EventOf[Resolved](), EventOf[Changed](), EventOf[Sentence](), EventOf[OfferMade](), EventOf[Explained]()}

// AboutWho is what a question about one character says: their name.
type AboutWho struct {
	Who string `json:"who"`
}

// RecordOutcome tells how a move came out for who acts, and gives that.
func RecordOutcome(r *rule.Run, s Scene, outcome rule.Outcome) rule.Outcome {
	r.Record(Resolved{Who: s.Actor, Outcome: outcome})
	return outcome
}

// FaceTurner is an event by which a die counts as another face than it shows, such
// as a throw whose digits are flipped. Was is 0 where nothing is turned.
type FaceTurner interface{ TurnedFace() (was, is int) }

// DiceEvent is an event that says whose dice fall in its part of the run: those beside
// it, and those that follow until another says so.
type DiceEvent interface {
	Thrower() string            // "" for somebody without a sheet
	ThrowerName(v Voice) string // the thrower, for people
}

// Marked is an event that says how the dice of a throw count, where that can't be
// told from a move's arguments. Of the throws of one part in an entry the n-th is
// that of the n-th such event in it.
type Marked interface{ Marks(faces []int) []Mark }

// AddedLater is an event that older rules didn't tell, as the last one in its part of
// the run: a log that was written by them lacks it.
type AddedLater interface{ Later() }

// Spoken is what an event, or what a question is about, says to people.
type Spoken interface{ Spoken(v Voice) string }
