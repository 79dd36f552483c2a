package spire

import (
	"embed"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
)

//go:embed emblem.svg
var emblem string

//go:embed words/*.toml ready.toml foreign.toml
var wordFiles embed.FS

// AboutRisk is the subject of the question how dangerous a check is, and for which resistance.
type AboutRisk struct {
	Who    string `json:"who"`
	Die    bool   `json:"die,omitempty"`    // the die is asked for, too
	Weapon string `json:"weapon,omitempty"` // the die of the opponent's weapon, which is filled in
	Amount int    `json:"amount,omitempty"` // of the stress, if it's known already
}

// AboutDanger is the subject of the question what threatens several at once. SP-09
type AboutDanger struct {
	Who    []string `json:"who"`
	Die    bool     `json:"die,omitempty"`
	Weapon string   `json:"weapon,omitempty"`
}

// AboutBonus is the subject of the question who takes bonus stress. SP-03
type AboutBonus struct {
	Amount int `json:"amount" say:"N"`
}

// AboutDay is the subject of the question which fallouts end. SP-30
type AboutDay struct {
	Who []string `json:"who"`
}

// AboutStakes is the subject of a question about stakes: the check that the GM confirms. SP-29
type AboutStakes struct {
	Who   string   `json:"who"`
	Group []string `json:"group,omitempty"` // all participants, if it's a group's
}

// AboutHelp is the subject of a request for help. SP-08
type AboutHelp struct {
	Who        string `json:"who"`
	Die        string `json:"die,omitempty"` // of the danger, if it's agreed
	Resistance string `json:"resistance,omitempty"`
	Bond       string `json:"bond,omitempty"` // the actor's, in place of a resistance
	Difficulty int    `json:"difficulty,omitempty"`
}

// AboutFallout is the subject of a question about a fallout.
type AboutFallout struct {
	Who      string `json:"who"`
	Bond     string `json:"bond,omitempty"`
	Kind     string `json:"kind" say:"kind-of-fallout"`
	Severity string `json:"severity" say:"severity-said"`
	Total    int    `json:"total" say:"N"`
}

// AboutSplit is the subject of the question how to split a refresh.
type AboutSplit struct {
	Who    string `json:"who"`
	N      int    `json:"n"`
	Stress Marks  `json:"stress"`
}

// AboutCarried is the subject of a question about a carried fallout.
type AboutCarried struct {
	Who     string  `json:"who"`
	Fallout Fallout `json:"fallout"`
}

// data holds the values for a text.
type data = map[string]any

func severityWord(s string) game.Word { return game.Word("spire.severity-said." + s) }

// traitWord returns a known trait's word, or the name that people gave.
func traitWord(set string, name form.Trait) any {
	if isKnownTrait(set, string(name)) {
		return game.Word("spire." + set + "." + string(name))
	}
	return name.Name()
}

func traitOption(set string, name form.Trait, mastery bool) form.Option {
	o := form.Option{Value: string(name)}
	if !isKnownTrait(set, o.Value) {
		o.Text = o.Value
	}
	o.Starred = mastery
	return o
}

// knownTraits is the form with the skills and domains that have a word.
var knownTraits = form.Of[Check]()

func isKnownTrait(set, value string) bool {
	f, ok := knownTraits.Field(set)
	return ok && slices.ContainsFunc(f.Options, func(o form.Option) bool { return o.Value == value })
}

// SayIn returns a fallout's name or text, with its meaning.
func (f Fallout) SayIn(v game.Voice) string {
	if f.Suggestion == "" {
		return f.Text
	}
	return v.Say("spire.fallout." + f.Suggestion + ".name")
}

func (f Fallout) text(v game.Voice) string {
	if f.Suggestion == "" {
		return ""
	}
	text := v.Say("spire.fallout." + f.Suggestion + ".text")
	if f.Text != "" { // SP-17: the GM's text replaces it
		own := strings.TrimSpace(f.Text)
		if !strings.ContainsAny(own[len(own)-1:], ".!?") && !strings.HasSuffix(own, "…") {
			own += "."
		}
		return own + " " + text
	}
	return text
}

// SayIn lists marks: "Blood 3, Mind 2".
func (m Marks) SayIn(v game.Voice) string {
	var parts []string
	for _, r := range Resistances {
		if n := m.Of(r); n > 0 {
			parts = append(parts, v.Say("spire.resistance."+string(r))+" "+strconv.Itoa(n))
		}
	}
	return v.List(parts)
}

func (e StressFelt) Data(game.Voice) data {
	return data{"Band": game.Word("spire.band." + string(e.Resistance) + "." + e.Band)}
}

func (e Hindered) Data(game.Voice) data { return data{"N": len(e.Fallouts)} }

func (e FalloutAvoided) Data(v game.Voice) data { return strikeData(v, e.Who, e.Bond) }

func (e FalloutStruck) Data(v game.Voice) data { return strikeData(v, e.Who, e.Bond) }

// Thrower implements game.DiceEvent: the die is about the character, even if others roll it. SP-14, SP-32
func (e FalloutAvoided) Thrower() string { return e.Who }

// ThrowerName implements game.DiceEvent.
func (e FalloutAvoided) ThrowerName(v game.Voice) string { return v.Name(e.Who) }

// NamesThrow implements game.SomeDice.
func (FalloutAvoided) NamesThrow(_ int, purpose string) bool { return purpose == "fallout" }

// TellsResult implements game.StoryEvent.
func (FalloutAvoided) TellsResult() {}

// Thrower implements game.DiceEvent, as FalloutAvoided does.
func (e FalloutStruck) Thrower() string { return e.Who }

// ThrowerName implements game.DiceEvent.
func (e FalloutStruck) ThrowerName(v game.Voice) string { return v.Name(e.Who) }

// NamesThrow implements game.SomeDice.
func (FalloutStruck) NamesThrow(_ int, purpose string) bool { return purpose == "fallout" }

// TellsResult implements game.StoryEvent.
func (FalloutStruck) TellsResult() {}

func (e FalloutTaken) Word() string {
	return game.When(e.Fallout.Suggestion == "", "spire.event.fallout-own")
}

func (e FalloutTaken) Data(v game.Voice) data {
	return data{
		"Name":     whose(v, e.Who, e.Bond),
		"Text":     e.Fallout.text(v),
		"Severity": severityWord(e.Fallout.Severity),
	}
}

func (e FalloutStabilised) Data(v game.Voice) data { return strikeData(v, e.Who, e.Bond) }

func (e FalloutRemoved) Data(v game.Voice) data { return strikeData(v, e.Who, e.Bond) }

func (e BondMarked) Data(v game.Voice) data { return data{"Bond": whose(v, e.Who, e.Bond)} }

func (e BondCleared) Data(v game.Voice) data { return data{"Bond": whose(v, e.Who, e.Bond)} }

func (e Happened) Spoken(game.Voice) string { return e.Text }

// Guidance returns the examples of danger, shown where its die is chosen. SP-11
func (a AboutRisk) Guidance(v game.Voice) []string { return dangerGuidance(v, a.Die, a.Weapon) }

// Guidance returns the examples of danger, shown where its die is chosen. SP-11
func (a AboutDanger) Guidance(v game.Voice) []string { return dangerGuidance(v, a.Die, a.Weapon) }

func dangerGuidance(v game.Voice, die bool, weapon string) []string {
	if !die {
		return nil
	}
	lines := []string{v.Say("spire.guidance.danger")}
	if weapon != "" {
		lines = append(lines, v.Tell("spire.guidance.weapon", data{"Die": game.Word("spire.die." + weapon)}))
	}
	return lines
}

// Spoken implements game.Spoken: whose stress it is, and how much.
func (a AboutRisk) Spoken(v game.Voice) string {
	if a.Amount == 0 {
		return v.Name(a.Who)
	}
	return v.Tell("spire.about.place", data{"Name": v.Name(a.Who), "N": a.Amount})
}

// Spoken implements game.Spoken.
func (a AboutDanger) Spoken(v game.Voice) string { return v.List(game.Each(a.Who, v.Name)) }

// Spoken implements game.Spoken.
func (a AboutDay) Spoken(v game.Voice) string { return v.List(game.Each(a.Who, v.Name)) }

// Spoken implements game.Spoken.
func (a AboutStakes) Spoken(v game.Voice) string {
	if len(a.Group) > 0 {
		return v.List(game.Each(a.Group, v.Name))
	}
	return v.Name(a.Who)
}

// Spoken implements game.Spoken: who asks for help, and what is at stake as far as it's agreed.
func (a AboutHelp) Spoken(v game.Voice) string {
	parts := []string{v.Name(a.Who)}
	if a.Difficulty > 0 {
		parts = append(parts, v.Tell("spire.about.difficulty", data{"N": a.Difficulty}))
	}
	where := a.Bond
	if a.Resistance != "" {
		where = v.Say("spire.resistance." + a.Resistance)
	}
	die := ""
	if a.Die != "" {
		die = v.Say("spire.die." + a.Die)
	}
	if at := strings.TrimSpace(where + " " + die); at != "" {
		parts = append(parts, v.Tell("spire.about.danger", data{"Danger": at}))
	}
	return strings.Join(parts, "; ")
}

// Guidance returns the examples of danger, shown where its die is chosen. SP-11
func (AboutStakes) Guidance(v game.Voice) []string { return []string{v.Say("spire.guidance.danger")} }

func (a AboutFallout) Data(v game.Voice) data { return strikeData(v, a.Who, a.Bond) }

// Guidance explains how to invent a fallout, and what is cleared. SP-16, SP-22
func (a AboutFallout) Guidance(v game.Voice) []string {
	lines := []string{v.Say("spire.guidance." + a.Severity), v.Say("spire.guidance.never")}
	if a.Bond == "" { // a bond's fallout clears nothing of the hero's
		lines = append(lines, v.Tell("spire.guidance.clear", data{"N": clears(a.Severity)}))
	}
	return lines
}

// whose returns the name of a character, or of one of its bonds.
func whose(v game.Voice, who, bond string) string {
	if bond == "" {
		return v.Name(who)
	}
	return v.Tell("spire.event.bond-of", data{"Name": v.Name(who), "Bond": bond})
}

// strikeData returns the data of a text about a character, or one of its bonds.
func strikeData(v game.Voice, who, bond string) data { return data{"Name": whose(v, who, bond)} }

// castOf returns the characters that a check can change.
func castOf(with []form.Ref, against form.Ref) []string {
	cast := form.IDs(with...)
	if against != "" {
		cast = append(cast, string(against))
	}
	return cast
}

func containsRef(rs []form.Ref, id form.Ref) bool { return slices.Contains(rs, id) }

// traitName returns the name of a skill or a domain.
func traitName(set string, name form.Trait, v game.Voice) string {
	if isKnownTrait(set, string(name)) {
		return v.Say("spire." + set + "." + string(name))
	}
	return name.Name()
}
