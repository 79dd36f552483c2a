package game

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"norn/form"
	"norn/rule"
)

// A move touches the characters that its arguments name. Others may be named later, by the answer
// to a question such as "which clock ticks?", asked after the throw. A character named in this way
// joins the move with that answer and not before, so nobody is locked because of something that
// might happen.

// Name asks a question whose answer adds characters to the move, by its Refs, each tagged of=KIND.
// It returns the answer and the scene with them in the cast, as they were when the answer was
// given. The move lists the question in Joins; Price must not ask one.
func Name[A any](r *rule.Run, s Scene, q rule.Question[A]) (A, Scene) {
	q = q.WithForm()
	q.Names = true
	if s.offers {
		q.Form = Nameable(q.Form, slices.Collect(maps.Values(s.apart)), s.Cast)
	}
	a := rule.Ask(r, q)
	if ids := namedCharacters(reflect.ValueOf(a)); len(ids) > 0 {
		s.Cast = maps.Clone(s.Cast)
		for _, id := range ids {
			if m, ok := s.apart[id]; ok {
				s.Cast[id] = m
			}
		}
	}
	return a, s
}

// Nameable returns the form of a question whose answer adds characters to the move, with those it
// may name: of the kinds that each field accepts, and not yet in the move.
func Nameable(f *form.Form, here []Member, cast map[string]Member) *form.Form {
	slices.SortFunc(
		here,
		func(a, b Member) int { return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID)) },
	)
	choices := form.Choices{}
	for path, field := range f.All() {
		if !field.Kind.IsRef() {
			continue
		}
		options := []form.Option{}
		for _, m := range here {
			if _, in := cast[m.ID]; !in && slices.Contains(field.Of, m.Kind) {
				options = append(options, form.Option{Value: m.ID, Text: m.Name})
			}
		}
		choices[path] = options
	}
	return f.Offering(choices)
}

// Joining returns the characters that a step of the move's trail adds.
func (m *Move) Joining(step rule.Step) []string {
	if step.Answer == nil || m.Joins[step.Answer.Question] == nil {
		return nil
	}
	a := reflect.New(reflect.TypeOf(m.Joins[step.Answer.Question]))
	if json.Unmarshal(step.Answer.Value, a.Interface()) != nil {
		return nil // not an answer that the rule accepts
	}
	return namedCharacters(a.Elem())
}

// WithMembers returns the scene after answers by which these characters joined.
func (s Scene) WithMembers(members ...Member) Scene {
	s.apart = maps.Clone(s.apart)
	if s.apart == nil {
		s.apart = map[string]Member{}
	}
	for _, m := range members {
		if _, known := s.apart[m.ID]; !known {
			s.apart[m.ID] = m
		}
	}
	return s
}

// Nameable returns the scene for a lookahead, whose questions offer these members too.
func (s Scene) Nameable(members ...Member) Scene {
	s = s.WithMembers(members...)
	s.offers = true
	return s
}

// MapMembers returns the scene with each member replaced by see.
func (s Scene) MapMembers(see func(Member) Member) Scene {
	look := func(some map[string]Member) map[string]Member {
		seen := maps.Clone(some)
		for id, m := range some {
			seen[id] = see(m)
		}
		return seen
	}
	s.Cast, s.apart = look(s.Cast), look(s.apart)
	return s
}

// Apart returns the characters outside the cast: those who joined by an answer, or can.
func (s Scene) Apart() map[string]Member { return s.apart }

// Meets returns the part of a table that the move's rule may read: the characters that the move
// touches, and others as far as an answer may name them.
func (m *Move) Meets(whole Scene, args any) Scene {
	cast := append(m.Cast(whole, args), whole.Actor)
	met, others := whole, []Member{}
	met.Cast = map[string]Member{}
	for id, member := range whole.Cast {
		if slices.Contains(cast, id) {
			met.Cast[id] = member
		} else {
			others = append(others, member)
		}
	}
	if len(m.Joins) == 0 {
		return met
	}
	return met.Nameable(others...)
}
