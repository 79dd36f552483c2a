package mage

import (
	"math/big"

	"norn/game"
	"norn/rule"
)

// view decides what each viewer sees: of an NPC, players see what the Storyteller shows. The game
// hides nothing else; game and table hide fields with a secret tag and secret moves. MG-33
var view = game.View{Sheet: showSheet, Sees: game.SeesAll, Locked: lockedMembers, Event: showEvent}

// ShownAction is an extended action as viewers see it, with the chance that the rolls left are
// enough.
type ShownAction struct {
	Extended
	Left   *int   `json:"left,omitempty"`   // rolls left, if there is a limit
	Chance string `json:"chance,omitempty"` // "117/1000", if it's known
	chance *big.Rat
	large  bool // the chance takes too long to compute
	task   task // the task of a roll
	rival  task // MG-15: the task of the second side
}

// ShownNPC is an NPC as players see it: what the Storyteller shows, the time, and the declared
// actions. MG-33
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

// publicView returns an NPC as players see it. MG-33
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

// character returns a sheet with the visible parts.
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

// storytellers are the members that only the Storyteller changes: Arete, failed attempts, the
// clock, and declared actions. Players can't set them when they add a character or change a sheet.
// MG-01, MG-10, MG-12, MG-30
var storytellers = []string{"arete", "retries", "clock", "actions"}

// lockedMembers prevents players from changing the Storyteller's members. Nobody can change the
// sides of a contest: the first roll sets them. MG-15
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
	case Acted: // the turn's only action is visible anyway
		return e, e.At > 0
	case ClockSet:
		return nil, false
	case RetryMarked:
		return e, !e.Along
	case RetryCleared:
		return e, !e.Along
	case RetryClosed:
		return e, !e.Along
	}
	return e, true
}

// tracksOf returns the most important numbers: what a character can spend, and the progress of an
// extended action.
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
