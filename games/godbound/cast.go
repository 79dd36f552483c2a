package godbound

import (
	"maps"
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// cast holds a rule's own copy of the sheets that may change: events change it, and what others do
// while a question is open, so that later steps see their effects. A rule reads sheets from it anew
// after each question. GB-02
type cast struct {
	r      *rule.Run
	s      game.Scene
	sheets map[string]any
	felled map[string]bool // brought to 0 HP by another's move whose questions are open. GB-17
}

// on returns the scene's cast for a run.
func on(r *rule.Run, s game.Scene) cast {
	c := cast{r: r, s: s, sheets: make(map[string]any, len(s.Cast)), felled: map[string]bool{}}
	for id, m := range s.Cast {
		c.sheets[id] = m.Sheet
	}
	if r != nil {
		r.Lend(c.take)
	}
	return c
}

// take takes in what another's move has changed.
func (c cast) take(e rule.Event) {
	if change, ok := game.AsChange(e); ok {
		who := change.Whose()
		if sheet, here := c.sheets[who]; here {
			c.sheets[who] = change.Apply(sheet)
			hero, _ := c.hero(who)
			_, struck := e.(HPLost)
			c.felled[who] = hero.State == "" && hero.RemainingHP() == 0 && (struck || c.felled[who])
		}
	}
}

// now returns the scene with the current sheets.
func (c cast) now() game.Scene {
	s := c.s
	s.Cast = maps.Clone(s.Cast)
	for id, m := range s.Cast {
		m.Sheet = c.sheets[id]
		s.Cast[id] = m
	}
	return s
}

// part returns a cast for a part of the rule, whose changes don't affect the original.
func (c cast) part(r *rule.Run) cast {
	own := cast{r: r, s: c.s, sheets: maps.Clone(c.sheets), felled: maps.Clone(c.felled)}
	r.Lend(own.take)
	return own
}

// tell records events and applies them to the rule's own copy.
func (c cast) tell(events ...rule.Event) {
	for _, e := range events {
		c.r.Record(e)
		if change, ok := game.AsChange(e); ok {
			c.sheets[change.Whose()] = change.Apply(c.sheets[change.Whose()])
		}
	}
}

func (c cast) hero(who string) (Hero, bool) {
	h, ok := c.sheets[who].(Hero)
	return h, ok
}

func (c cast) foe(who string) (Foe, bool) {
	f, ok := c.sheets[who].(Foe)
	return f, ok
}

// effort returns a character's Effort, and whether it's a foe's.
func (c cast) effort(who string) (e Effort, foe bool) {
	_, foe = c.sheets[who].(Foe)
	return effortOf(c.sheets[who]), foe
}

// commit binds a point of Effort and returns its number. GB-18
func (c cast) commit(who string, commitment Commitment) int {
	effort, foe := c.effort(who)
	commitment.N = effort.next()
	c.tell(EffortCommitted{Who: who, Commitment: commitment, Foe: foe})
	return commitment.N
}

// mortal reports whether a character is a hero without Effort. GB-19
func (c cast) mortal(who string) bool { return c.s.Cast[who].Kind == "mortal" }

// Kinds of those who act: heroes with Effort and without, and all of them.
var (
	heroes = []string{"hero", "mortal"}
	people = []string{"hero", "mortal", "foe"}
)

// name returns a character's name at the table.
func name(s game.Scene, who string) string { return s.Cast[who].Name }

// alive refuses characters who are dead or out of the fight. GB-15, GB-16
func alive(s game.Scene, who string) error {
	switch sheet := s.Cast[who].Sheet.(type) {
	case Hero:
		if sheet.Dead() {
			return game.Refuse("GB-16", "godbound.refusal.dead", "Name", name(s, who))
		}
	case Foe:
		if !sheet.Stands() {
			return game.Refuse("GB-15", "godbound.refusal.fallen", "Name", name(s, who))
		}
	}
	return nil
}

// afoot returns the options for characters who are neither dead nor out of the fight. GB-15, GB-16
func afoot(s game.Scene, kinds ...string) []form.Option {
	others := s.Others(kinds...)
	for i := range others {
		others[i].Past = alive(s, others[i].Value) != nil
	}
	return others
}

// awake refuses an act by characters who are dead, out of the fight or helpless. GB-16, GB-17
func awake(s game.Scene) error {
	if err := alive(s, s.Actor); err != nil {
		return err
	}
	if hero, ok := game.Sheet[Hero](s, s.Actor); ok && hero.Helpless() {
		id := "GB-16"
		if hero.State == "spent" {
			id = "GB-17"
		}
		if hero.State == "out" {
			id = "GB-15"
		}
		return game.Refuse(id, "godbound.refusal.helpless", "Name", name(s, s.Actor))
	}
	return nil
}

// refs returns the ids in some groups.
func refs(groups ...[]form.Ref) []string { return form.IDs(slices.Concat(groups...)...) }
