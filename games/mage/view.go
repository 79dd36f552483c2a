package mage

import (
	"math/big"

	"norn/game"
	"norn/rule"
)

// view says who sees what: of an NPC players see what the Storyteller shows. The game itself hides
// nothing else; fields with a secret tag and secret moves are hidden by game and table. MG-33
var view = game.View{Sheet: showSheet, Sees: game.SeesAll, Locked: lockedMembers, Event: showEvent}

// ShownAction is an extended action as it's shown: with the chance that the
// rolls left will do.
type ShownAction struct {
	Extended
	Left   *int   `json:"left,omitempty"`   // rolls, where there is a limit
	Chance string `json:"chance,omitempty"` // "117/1000", where it can be said
	chance *big.Rat
	large  bool // the chance takes longer than a glance
	task   task // what a roll is thrown against
	rival  task // and by the second side of a contest. MG-15
}

// ShownNPC is an NPC as players see it: what the Storyteller shows, the time, and
// what was declared for the turn. MG-33
type ShownNPC struct {
	Attributes   *Attributes `json:"attributes,omitempty"`
	Talents      []Talent    `json:"talents,omitempty"`
	Skills       []Skill     `json:"skills,omitempty"`
	Knowledges   []Knowledge `json:"knowledges,omitempty"`
	Arete        *int        `json:"arete,omitempty"`
	Willpower    *Willpower  `json:"willpower,omitempty"`
	Quintessence *int        `json:"quintessence,omitempty"`
	Paradox      *int        `json:"paradox,omitempty"`
	Clock        Clock       `json:"clock"`
	Actions      []Due       `json:"actions,omitempty"`
}

// publicView is what players see of an NPC. MG-33
func (n NPC) publicView() ShownNPC {
	s := ShownNPC{Clock: n.Clock, Actions: n.Actions}
	s.Clock.Bought = false
	if n.Shows.Attributes {
		s.Attributes = &n.Attributes
	}
	if n.Shows.Abilities {
		s.Talents, s.Skills, s.Knowledges = n.Talents, n.Skills, n.Knowledges
	}
	if n.Shows.Powers {
		s.Arete, s.Willpower, s.Quintessence, s.Paradox = &n.Arete, &n.Willpower, &n.Quintessence, &n.Paradox
	}
	return s
}

// character is a sheet with what is shown of it, as far as it's shown.
func (s ShownNPC) character() Character {
	c := Character{Talents: s.Talents, Skills: s.Skills, Knowledges: s.Knowledges, Clock: s.Clock, Actions: s.Actions}
	if s.Attributes != nil {
		c.Attributes = *s.Attributes
	}
	if s.Willpower != nil {
		c.Arete, c.Willpower, c.Quintessence, c.Paradox = *s.Arete, *s.Willpower, *s.Quintessence, *s.Paradox
	}
	return c
}

func showSheet(v game.Viewer, settings any, _ string, sheet any) any {
	switch sheet := sheet.(type) {
	case Character:
		return sheet
	case NPC:
		if !v.IsGM() {
			return sheet.publicView()
		}
		return sheet
	case Extended:
		rules, ok := settings.(Settings)
		if !ok {
			rules = standard
		}
		shown := ShownAction{
			Extended: sheet,
			task:     taskOf(rules, sheet.Pool, sheet.aim(false), false),
		}
		shown.rival = shown.task
		if sheet.First != "" {
			shown.rival = taskOf(rules, sheet.Pool, sheet.aim(true), false)
		}
		shown.chance, shown.large = forecast(sheet, rules)
		if left := sheet.RemainingRolls(); left >= 0 {
			shown.Left = &left
		}
		if shown.chance != nil {
			shown.Chance = shown.chance.RatString()
		}
		return shown
	}
	return nil
}

// storytellers is what only the Storyteller gives: Arete, what failures have
// cost, the clock, and what was declared. Whoever adds a character doesn't set
// it, and whoever plays one doesn't change it. MG-01, MG-10, MG-12, MG-30
var storytellers = []string{"arete", "retries", "clock", "actions"}

// lockedMembers keeps what is the Storyteller's out of the players' hands. The
// sides of a contest are nobody's to write: the first roll settles them. MG-15
func lockedMembers(v game.Viewer, _ any, kind string) []string {
	switch {
	case kind == "extended" && v.IsGM():
		return []string{"first", "second"}
	case kind == "extended":
		return []string{"first", "second", "state", "raised", "rival-raised"}
	case v.IsGM():
		return nil
	}
	return storytellers
}

func showEvent(_ game.Viewer, _ any, e rule.Event) (rule.Event, bool) {
	switch e := e.(type) {
	case Acted: // that a turn's only action is made shows by itself
		return e, e.At > 0
	case ClockSet:
		return nil, false
	}
	return e, true
}

// tracksOf are what matters at a glance: what a character can spend, how far
// an extended action has come.
func tracksOf(shown any) []game.Track {
	switch s := shown.(type) {
	case NPC:
		return tracksOf(s.Character)
	case ShownNPC:
		if s.Willpower != nil {
			return tracksOf(s.character())
		}
	case Character:
		return []game.Track{
			{
				ID: "willpower", Name: "mage.field.willpower", Now: s.Willpower.Temporary, Max: s.Willpower.Permanent,
				Field: "willpower.temporary", Grows: true,
			},
			{ID: "quintessence", Name: "mage.field.quintessence", Now: s.Quintessence, Field: "quintessence"},
			{ID: "paradox", Name: "mage.field.paradox", Now: s.Paradox, Field: "paradox"},
		}
	case ShownAction:
		tracks := []game.Track{{ID: "gathered", Name: "mage.sheet.gathered", Now: s.Gathered, Max: s.Target}}
		if s.First != "" {
			tracks[0].Name = "mage.field.first"
			tracks = append(tracks, game.Track{
				ID: "opposed", Name: "mage.field.second", Now: s.Opposed,
				Max: s.rivalTarget(),
			})
		}
		return tracks
	}
	return nil
}
