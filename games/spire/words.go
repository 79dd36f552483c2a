package spire

import (
	"embed"
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
)

//go:embed words/*.toml
var wordFiles embed.FS

// AboutWho is what a question about one character says.
type AboutWho struct {
	Who string `json:"who"`
}

// AboutRisk is what the GM needs to say how dangerous it is, and where it hits.
type AboutRisk struct {
	Who string `json:"who"`
	Die bool   `json:"die,omitempty"` // the die is asked for, too
}

// AboutStakes is a check whose stakes the GM confirms. SP-29
type AboutStakes struct {
	Who string `json:"who"`
}

// AboutFallout is what the GM needs to rule on a fallout.
type AboutFallout struct {
	Who      string `json:"who"`
	Bond     string `json:"bond,omitempty"`
	Kind     string `json:"kind"`
	Severity string `json:"severity"`
	Total    int    `json:"total"`
}

// AboutSplit is what a player needs to split a refresh.
type AboutSplit struct {
	Who    string `json:"who"`
	N      int    `json:"n"`
	Stress Marks  `json:"stress"`
}

// AboutCarried is a question about a fallout that somebody carries.
type AboutCarried struct {
	Who     string  `json:"who"`
	Fallout Fallout `json:"fallout"`
}

// data are the places of a text.
type data = map[string]any

func resistanceWord(r Resistance) game.Word { return game.Word("spire.resistance." + string(r)) }
func severityWord(s string) game.Word       { return game.Word("spire.severity-said." + s) }

// traitWord is a known trait's word, or the name that people gave.
func traitWord(set string, name form.Trait) any {
	if known(set, string(name)) {
		return game.Word("spire." + set + "." + string(name))
	}
	return name.Name()
}

func traitOption(set string, name form.Trait, mastery bool) form.Option {
	o := form.Option{Value: string(name)}
	if !known(set, o.Value) {
		o.Text = o.Value
	}
	o.Starred = mastery
	return o
}

// knownTraits holds the skills and domains that have a word.
var knownTraits = form.Of[Check]()

func known(set, value string) bool {
	f, ok := knownTraits.Field(set)
	return ok && slices.ContainsFunc(f.Options, func(o form.Option) bool { return o.Value == value })
}

// name is a fallout's name, text what it means.
func (f Fallout) name(v game.Voice) string {
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
	if f.Text != "" { // SP-17: what the GM writes stands
		return f.Text + " " + text
	}
	return text
}

// list names marks: "Blood 3, Mind 2".
func (m Marks) list(v game.Voice) string {
	var parts []string
	for _, r := range Resistances {
		if n := m.Of(r); n > 0 {
			parts = append(parts, v.Say("spire.resistance."+string(r))+" "+strconv.Itoa(n))
		}
	}
	return v.List(parts)
}

// Spoken implements game.Spoken.
func (e StressMarked) Spoken(v game.Voice) string {
	return v.Tell("spire.event.stress-marked", data{"Name": v.Name(e.Who), "Resistance": resistanceWord(e.Resistance), "Amount": e.Amount, "Now": e.Now})
}

// Spoken implements game.Spoken.
func (e StressFelt) Spoken(v game.Voice) string {
	return v.Tell("spire.event.stress-felt", data{"Name": v.Name(e.Who), "Band": game.Word("spire.band." + string(e.Resistance) + "." + e.Band)})
}

// Spoken implements game.Spoken.
func (e StressEased) Spoken(v game.Voice) string {
	return v.Tell("spire.event.stress-eased", data{"Name": v.Name(e.Who)})
}

// Spoken implements game.Spoken.
func (e StressCleared) Spoken(v game.Voice) string {
	if e.Cleared.Sum() == 0 {
		return v.Tell("spire.event.nothing-cleared", data{"Name": v.Name(e.Who)})
	}
	return v.Tell("spire.event.stress-cleared", data{"Name": v.Name(e.Who), "Cleared": e.Cleared.list(v)})
}

// Spoken implements game.Spoken.
func (e BonusStress) Spoken(v game.Voice) string {
	return v.Tell("spire.event.bonus-stress", data{"N": e.Amount})
}

// Spoken implements game.Spoken.
func (e Hindered) Spoken(v game.Voice) string {
	names := make([]string, len(e.Fallouts))
	for i, f := range e.Fallouts {
		names[i] = f.name(v)
	}
	return v.Tell("spire.event.hindered", data{"Name": v.Name(e.Who), "Fallouts": v.List(names), "N": len(names)})
}

// Spoken implements game.Spoken.
func (e FalloutAvoided) Spoken(v game.Voice) string {
	return v.Tell("spire.event.fallout-avoided", data{"Name": whose(v, e.Who, e.Bond), "N": e.Total})
}

// Spoken implements game.Spoken.
func (e FalloutStruck) Spoken(v game.Voice) string {
	id := "spire.event.fallout-struck"
	if e.Total == 0 {
		id = "spire.event.fallout-struck-unseen"
	}
	return v.Tell(id, data{"Name": whose(v, e.Who, e.Bond), "Severity": severityWord(e.Severity), "N": e.Total})
}

// Spoken implements game.Spoken.
func (e FalloutTaken) Spoken(v game.Voice) string {
	d := data{
		"Name": whose(v, e.Who, e.Bond), "Fallout": e.Fallout.name(v), "Text": e.Fallout.text(v),
		"Severity": severityWord(e.Fallout.Severity),
	}
	if e.Fallout.Suggestion == "" {
		return v.Tell("spire.event.fallout-own", d)
	}
	return v.Tell("spire.event.fallout-taken", d)
}

// Spoken implements game.Spoken.
func (e FalloutRemoved) Spoken(v game.Voice) string {
	return v.Tell("spire.event.fallout-removed", data{"Name": whose(v, e.Who, e.Bond), "Fallout": e.Fallout.name(v)})
}

// Spoken implements game.Spoken.
func (e FalloutStabilised) Spoken(v game.Voice) string {
	return v.Tell("spire.event.fallout-stabilised", data{"Name": v.Name(e.Who), "Fallout": e.Fallout.name(v)})
}

// Spoken implements game.Spoken.
func (e NPCHarmed) Spoken(v game.Voice) string {
	if e.Size == 0 {
		return v.Tell("spire.event.npc-harmed-unseen", data{"Name": v.Name(e.Who), "N": e.Amount})
	}
	return v.Tell("spire.event.npc-harmed", data{"Name": v.Name(e.Who), "N": e.Amount, "Now": e.Now, "Size": e.Size})
}

// Spoken implements game.Spoken.
func (e NPCBroken) Spoken(v game.Voice) string {
	return v.Tell("spire.event.npc-broken", data{"Name": v.Name(e.Who), "Ending": game.Word("spire.ending." + e.How)})
}

// Spoken implements game.Spoken.
func (e BondMarked) Spoken(v game.Voice) string {
	return v.Tell("spire.event.bond-marked", data{"Bond": whose(v, e.Who, e.Bond), "Amount": e.Amount, "Now": e.Now})
}

// Spoken implements game.Spoken.
func (e BondCleared) Spoken(v game.Voice) string {
	return v.Tell("spire.event.bond-cleared", data{"Bond": whose(v, e.Who, e.Bond), "N": e.Amount})
}

// Spoken implements game.Spoken.
func (e Happened) Spoken(game.Voice) string { return e.Text }

// Spoken implements game.Spoken.
func (e MovedOn) Spoken(v game.Voice) string {
	return v.Tell("spire.event.moved-on", data{"Name": v.Name(e.Who), "Text": e.Text})
}

// Spoken implements game.Spoken.
func (a AboutWho) Spoken(v game.Voice) string { return v.Name(a.Who) }

// Spoken implements game.Spoken.
func (a AboutRisk) Spoken(v game.Voice) string { return v.Name(a.Who) }

// Guidance gives the yardsticks of danger where its die is chosen. SP-11
func (a AboutRisk) Guidance(v game.Voice) []string {
	if !a.Die {
		return nil
	}
	return []string{v.Say("spire.guidance.danger")}
}

// Spoken implements game.Spoken.
func (a AboutStakes) Spoken(v game.Voice) string { return v.Name(a.Who) }

// Guidance gives the yardsticks of danger where its die is chosen. SP-11
func (AboutStakes) Guidance(v game.Voice) []string { return []string{v.Say("spire.guidance.danger")} }

// Spoken implements game.Spoken.
func (a AboutFallout) Spoken(v game.Voice) string {
	return v.Tell("spire.about.fallout", data{
		"Name": whose(v, a.Who, a.Bond), "Kind": game.Word("spire.kind-of-fallout." + a.Kind), "Severity": severityWord(a.Severity), "N": a.Total,
	})
}

// Guidance tells how a fallout of one's own is best made, and what is cleared. SP-16, SP-22
func (a AboutFallout) Guidance(v game.Voice) []string {
	lines := []string{v.Say("spire.guidance." + a.Severity), v.Say("spire.guidance.never")}
	if a.Bond == "" { // a bond's question clears nothing of the hero's
		lines = append(lines, v.Say("spire.guidance.clear"))
	}
	return lines
}

// Spoken implements game.Spoken.
func (a AboutSplit) Spoken(v game.Voice) string {
	return v.Tell("spire.about.split", data{"Name": v.Name(a.Who), "N": a.N, "Stress": a.Stress.list(v)})
}

// Spoken implements game.Spoken.
func (a AboutCarried) Spoken(v game.Voice) string {
	return v.Tell("spire.about.carried", data{"Name": v.Name(a.Who), "Fallout": a.Fallout.name(v)})
}

// whose names a character, or one of its bonds.
func whose(v game.Voice, who, bond string) string {
	if bond == "" {
		return v.Name(who)
	}
	return v.Tell("spire.event.bond-of", data{"Name": v.Name(who), "Bond": bond})
}

// castOf gathers the characters that a check can change.
func castOf(with []form.Ref, against form.Ref) []string {
	cast := form.IDs(with...)
	if against != "" {
		cast = append(cast, string(against))
	}
	return cast
}

func containsRef(rs []form.Ref, id form.Ref) bool { return slices.Contains(rs, id) }

// traitName words a skill or a domain.
func traitName(set string, name form.Trait, v game.Voice) string {
	if known(set, string(name)) {
		return v.Say("spire." + set + "." + string(name))
	}
	return name.Name()
}
