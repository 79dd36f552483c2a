package game

import (
	"maps"
	"reflect"
	"strconv"

	"norn/rule"
)

// TypeOf returns the type of an event as journals have it: the package and the Go type, unless the
// event has a Type method. If you rename the Go type, give it a Type that returns the old name.
func TypeOf(e rule.Event) string {
	if named, ok := e.(interface{ Type() string }); ok {
		return named.Type()
	}
	return tellingOf(reflect.TypeOf(e)).name
}

// AsChange returns an event as the change it makes to a sheet, or false if it changes none. An
// event with Whose and Apply is a change itself. Otherwise its field Who names the character, and
// Apply gets a copy of the sheet.
func AsChange(e rule.Event) (Change, bool) {
	if c, ok := e.(Change); ok || e == nil {
		return c, ok
	}
	if t := tellingOf(reflect.TypeOf(e)); t.sheet != nil && t.who != nil {
		return applied{reflect.ValueOf(e), t}, true
	}
	return nil, false
}

// applied adapts an event with an Apply method to a Change.
type applied struct {
	event reflect.Value
	*telling
}

func (a applied) Whose() string { return a.event.FieldByIndex(a.who).String() }

// Apply changes a copy of a sheet of the event's type, or of a type that embeds it.
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
		if embedded, ok := part.Type().FieldByName(a.sheet.Name()); !ok || !embedded.Anonymous ||
			embedded.Type != a.sheet {
			return sheet
		}
		part = part.FieldByName(a.sheet.Name())
	}
	a.apply.Call([]reflect.Value{a.event, part.Addr()})
	return whole.Elem().Interface()
}

// After returns the sheet after an event.
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

// RecordOn records an event and returns the sheet after it, for a rule that continues with it.
func RecordOn[S any](r *rule.Run, sheet S, e rule.Event) S {
	r.Record(e)
	return After(sheet, e)
}

// Tell records events and returns the scene after them.
func (s Scene) Tell(r *rule.Run, events ...rule.Event) Scene {
	r.Record(events...)
	return s.After(events...)
}

// After returns the scene after events.
func (s Scene) After(events ...rule.Event) Scene {
	s.Cast = maps.Clone(s.Cast)
	s.Take(events...)
	return s
}

// Lend lends characters while questions of r are open, without names everybody, see rule.Run.Lend. It
// returns a scene that takes in what others change, so a rule that reads it after a question reads what
// is on the sheets by then.
func Lend(r *rule.Run, s Scene, who ...string) Scene {
	s.Cast = maps.Clone(s.Cast)
	r.Lend(func(e rule.Event) { s.Take(e) }, who...)
	return s
}

// Take applies events to a scene that Lend has returned.
func (s Scene) Take(events ...rule.Event) {
	for _, e := range events {
		if c, ok := AsChange(e); ok {
			if m, there := s.Cast[c.Whose()]; there {
				m.Sheet = c.Apply(m.Sheet)
				s.Cast[c.Whose()] = m
			}
		}
	}
}

// Record records events and applies them to a scene that Lend has returned.
func (s Scene) Record(r *rule.Run, events ...rule.Event) {
	r.Record(events...)
	s.Take(events...)
}

// Resolved records the outcome of a roll as soon as it is certain, so that people see it while
// questions about the consequences are open. Every game has it.
type Resolved struct {
	Who     string       `json:"who,omitempty"` // id of the character; "" for none
	Outcome rule.Outcome `json:"outcome"`
}

// ClockTicked advances the table's clock of a name, or turns it back. Without such a clock it
// changes nothing. Every game has it.
type ClockTicked struct {
	Clock string `json:"clock"`
	By    int    `json:"by"`
}

// Spoken implements Spoken: the clock's name and the change.
func (t ClockTicked) Spoken(Voice) string {
	if t.By < 0 {
		return t.Clock + " −" + strconv.Itoa(-t.By)
	}
	return t.Clock + " +" + strconv.Itoa(t.By)
}

// common lists the event types that every game has.
var common = []EventType{
	EventOf[Resolved](),
	EventOf[Changed](),
	EventOf[Sentence](),
	EventOf[OfferMade](),
	EventOf[Explained](),
	EventOf[ClockTicked](),
	EventOf[RolledBy](),
}

// AboutWho describes a question about one character by their name.
type AboutWho struct {
	Who string `json:"who"`
}

// RecordOutcome records the outcome of the actor's move and returns it.
func RecordOutcome(r *rule.Run, s Scene, outcome rule.Outcome) rule.Outcome {
	r.Record(Resolved{Who: s.Actor, Outcome: outcome})
	return outcome
}

// FaceTurner is an event that makes a die count as another face than it shows, such as a roll whose
// digits are flipped. Was is 0 if no die changes.
type FaceTurner interface{ TurnedFace() (was, is int) }

// DiceEvent is an event that names the roller of the dice in its part of the run: of those parallel
// to it, and of those that follow until the next such event.
type DiceEvent interface {
	Thrower() string            // "" for a roller without a sheet
	ThrowerName(v Voice) string // the roller's name
}

// SomeDice is a DiceEvent that names the roller of only some dice of its part. A later one in the
// part replaces it.
type SomeDice interface {
	NamesThrow(n int, purpose string) bool // n counts the throws of the part from 0
}

// RolledBy names the roller of the dice that follow in its part of the run. Every game has it.
type RolledBy struct {
	Who  string `json:"who"`
	From int    `json:"from,omitempty"` // number of earlier throws in the part
}

// NameRoller sets the character who rolls in this part from here on, and records them if they
// aren't the actor, so that the log names them next to their dice.
func NameRoller(r *rule.Run, s Scene, who string) {
	r.SetRoller(who)
	if who != s.Actor && r.KeepsEvents() {
		r.Record(RolledBy{Who: who, From: r.ThrowCount()})
	}
}

// Thrower implements DiceEvent.
func (e RolledBy) Thrower() string { return e.Who }

// ThrowerName implements DiceEvent.
func (e RolledBy) ThrowerName(v Voice) string { return v.Name(e.Who) }

// NamesThrow implements SomeDice.
func (e RolledBy) NamesThrow(n int, _ string) bool { return n >= e.From }

// Later implements AddedLater.
func (RolledBy) Later() {}

// Aside implements rule.Aside.
func (RolledBy) Aside() {}

// StoryEvent is a DiceEvent that stories include, because its dice are a result: damage, for
// example. They leave out others.
type StoryEvent interface{ TellsResult() }

// Marked is an event that determines how the dice of a roll are drawn, if the move's arguments
// alone don't. The n-th such event of a part belongs to the n-th roll of that part.
type Marked interface{ Marks(faces []int) []Mark }

// AddedLater is an event that older rules did not record. It's a rule.Aside, or the last one in its
// part of the run. Logs of older rules lack it and are still valid.
type AddedLater interface{ Later() }

// Spoken is an event or a question's subject with a text for people.
type Spoken interface{ Spoken(v Voice) string }
