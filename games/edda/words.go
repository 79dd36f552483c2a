package edda

import (
	"embed"
	"strings"

	"norn/game"
)

//go:embed words/*.toml
var wordFiles embed.FS

// AboutWho is what a question about one character says.
type AboutWho struct {
	Who string `json:"who"`
}

// AboutAction is what Fate needs to agree to an action, or to a miracle.
type AboutAction struct {
	Who   string   `json:"who"`
	Deed  string   `json:"deed,omitempty"`
	Pool  []Addend `json:"pool"`
	Left  []Addend `json:"left,omitempty"` // conditions and difficulties that don't count; ED-13
	Fades string   `json:"fades,omitempty"`
	Last  bool     `json:"last,omitempty"` // that is the hero's last strength
}

// AboutEffort is what a player needs to decide on a special effort: how the
// dice lie, not what they come to. ED-15
type AboutEffort struct {
	Who  string `json:"who"`
	Hits int    `json:"hits"`
	Left int    `json:"left"` // dice to throw again
}

// AboutAttempt is what a player needs to decide on another attempt.
type AboutAttempt struct {
	Who        string `json:"who"`
	N          int    `json:"n"`
	Of         int    `json:"of"`
	Hits       int    `json:"hits"`
	Complexity int    `json:"complexity"`
	Time       string `json:"time,omitempty"`
}

// AboutFiasco is what Fate needs to decide on a condition.
type AboutFiasco struct {
	Who string `json:"who"`
}

// AboutLost is what Fate needs to decide what becomes of the successes that the
// winner has left.
type AboutLost struct {
	Who string `json:"who"`
	By  string `json:"by"`
	N   int    `json:"n"`
}

// AboutLast is what a player needs to decide on who would else leave the world.
type AboutLast struct {
	Who  string `json:"who"`
	Cost int    `json:"cost"`
	Have int    `json:"have"`
}

// AboutMemory is a question about a memory.
type AboutMemory struct {
	Who    string `json:"who"`
	Memory string `json:"memory"`
}

// AboutStrength is a question about a strength that a memory becomes.
type AboutStrength struct {
	Who      string `json:"who"`
	Memory   string `json:"memory"`
	Strength string `json:"strength"`
}

// AboutWords is a question about a new wording.
type AboutWords struct {
	Who  string `json:"who"`
	From string `json:"from"`
	To   string `json:"to"`
}

// data are the places of a text.
type data = map[string]any

// name is a condition's name in words.
func (c Condition) name(v game.Voice) string {
	if c.Name == fatigue {
		return v.Say("edda.condition.fatigue")
	}
	return c.Name.Name()
}

// pool lists where dice come from: "Kindness +3, fatigue −1 and by Fate +1".
func pool(v game.Voice, all []Addend) string {
	parts := make([]string, len(all))
	for i, a := range all {
		name := a.Name
		if word := a.word(); word != "" {
			name = v.Say(word)
		}
		parts[i] = name + " " + sign(a.Dice)
	}
	return strings.Join(parts, ", ")
}

// Thrower implements game.Threw.
func (e PoolCounted) Thrower() string { return e.Who }

// Named implements game.Threw.
func (e PoolCounted) Named(v game.Voice) string { return v.Name(e.Who) }

// Thrower implements game.Threw.
func (e Threw) Thrower() string { return e.Who }

// Named implements game.Threw.
func (e Threw) Named(v game.Voice) string { return v.Name(e.Who) }

// Spoken implements game.Spoken.
func (e Threw) Spoken(v game.Voice) string {
	return v.Tell("edda.event.threw", data{"Name": v.Name(e.Who)})
}

// Spoken implements game.Spoken.
func (e PoolCounted) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(e.Who), "N": max(0, total(e.Pool)), "Pool": pool(v, e.Pool)}
	word := "edda.event.pool-counted"
	if len(e.Pool) == 0 {
		word = "edda.event.pool-empty"
	}
	return v.Tell(word, d) + leaving(v, e.Left)
}

// leaving says what is left out of a pool, "" for nothing. ED-13
func leaving(v game.Voice, left []Addend) string {
	if len(left) == 0 {
		return ""
	}
	return v.Tell("edda.event.left-out", data{"Left": pool(v, left)})
}

// Spoken implements game.Spoken.
func (e Attempted) Spoken(v game.Voice) string {
	d := data{"Attempt": e.N, "Of": e.Of, "N": e.Hits, "Time": e.Time}
	if e.Time == "" {
		return v.Tell("edda.event.attempted", d)
	}
	return v.Tell("edda.event.attempted-time", d)
}

// Spoken implements game.Spoken.
func (e Surplus) Spoken(v game.Voice) string { return v.Tell("edda.event.surplus", data{"N": e.N}) }

// Spoken implements game.Spoken.
func (e Opposed) Spoken(v game.Voice) string {
	return v.Tell("edda.event.opposed", data{"Name": v.Name(e.Who), "Hits": e.Hits, "Against": v.Name(e.Against), "AgainstHits": e.AgainstHits})
}

// Spoken implements game.Spoken.
func (e Shared) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(e.Who), "N": e.Hits, "Cost": fiascoCost}
	if e.Added < e.Hits {
		return v.Tell("edda.event.shared-fiasco", d)
	}
	return v.Tell("edda.event.shared", d)
}

// Spoken implements game.Spoken.
func (e Declined) Spoken(v game.Voice) string {
	return v.Tell("edda.event.declined", data{"Name": v.Name(e.Who), "What": game.Word("edda.declined." + e.What)})
}

// Spoken implements game.Spoken.
func (e CircumstanceMade) Spoken(v game.Voice) string {
	d := e.Circumstance.data(v, e.Who, e.Sort)
	if lasting(e.Circumstance.Lasts) == "lasting" {
		return v.Tell("edda.event.circumstance-made-lasting", d)
	}
	return v.Tell("edda.event.circumstance-made-once", d)
}

// Spoken implements game.Spoken.
func (e CircumstanceEnded) Spoken(v game.Voice) string {
	return v.Tell("edda.event.circumstance-ended", e.Circumstance.data(v, e.Who, e.Sort))
}

// data name a circumstance by the dice that it gives or takes.
func (c Circumstance) data(v game.Voice, who, sort string) data {
	dice := sign(c.Size)
	if sort == "difficulty" {
		dice = sign(-c.Size)
	}
	return data{"Name": v.Name(who), "What": c.Name, "Dice": dice}
}

// lasting is how long a circumstance lasts, for one action unless it's said.
func lasting(lasts string) string {
	if lasts == "" {
		return "once"
	}
	return lasts
}

// Spoken implements game.Spoken.
func (e ConditionTaken) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(e.Who), "Condition": e.Condition.name(v), "Size": e.Condition.Size, "Now": e.Now}
	if e.Why == "effort" {
		return v.Tell("edda.event.effort-condition", d)
	}
	return v.Tell("edda.event.condition-taken", d)
}

// Spoken implements game.Spoken.
func (e ConditionEased) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(e.Who), "Condition": e.Condition.name(v), "Steps": e.Steps, "Left": e.Left}
	if e.Left == 0 {
		return v.Tell("edda.event.condition-gone", d)
	}
	return v.Tell("edda.event.condition-eased", d)
}

// Spoken implements game.Spoken.
func (e LeftScene) Spoken(v game.Voice) string {
	return v.Tell("edda.event.left-scene", data{"Name": v.Name(e.Who)})
}

// Spoken implements game.Spoken.
func (e Returned) Spoken(v game.Voice) string {
	return v.Tell("edda.event.returned", data{"Name": v.Name(e.Who)})
}

// Spoken implements game.Spoken.
func (e MemoryWritten) Spoken(v game.Voice) string {
	return v.Tell("edda.event.memory-written", data{"Name": v.Name(e.Who), "Memory": e.Memory})
}

// Spoken implements game.Spoken.
func (e MemoryCalled) Spoken(v game.Voice) string {
	return v.Tell("edda.event.effort-memory", data{"Name": v.Name(e.Who), "Memory": e.Memory, "Calls": e.Calls, "Of": mostCalls})
}

// Spoken implements game.Spoken.
func (e MemoryErased) Spoken(v game.Voice) string {
	return v.Tell("edda.event.memory-erased", data{"Name": v.Name(e.Who), "Memory": e.Memory})
}

// Spoken implements game.Spoken.
func (e StrengthWritten) Spoken(v game.Voice) string {
	return v.Tell("edda.event.strength-written", data{"Name": v.Name(e.Who), "Strength": e.Strength})
}

// Spoken implements game.Spoken.
func (e StrengthFaded) Spoken(v game.Voice) string {
	return v.Tell("edda.event.strength-faded", data{"Name": v.Name(e.Who), "Strength": e.Strength})
}

// Spoken implements game.Spoken.
func (e Oblivion) Spoken(v game.Voice) string {
	return v.Tell("edda.event.oblivion", data{"Name": v.Name(e.Who)})
}

// Spoken implements game.Spoken.
func (e WeaknessMarked) Spoken(v game.Voice) string {
	return v.Tell("edda.event.weakness-marked", data{"Name": v.Name(e.Who), "Now": e.Now, "Of": mostMarks})
}

// Spoken implements game.Spoken.
func (e WeaknessWiped) Spoken(v game.Voice) string {
	return v.Tell("edda.event.weakness-wiped", data{"Name": v.Name(e.Who), "From": e.From})
}

// Spoken implements game.Spoken.
func (e ExperienceGained) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(e.Who), "Amount": e.Amount, "Lost": e.Lost, "Now": e.Now, "Most": mostExperience}
	if e.Lost > 0 { // ED-20
		return v.Tell("edda.event.experience-lost", d)
	}
	return v.Tell("edda.event.experience-gained", d)
}

// Spoken implements game.Spoken.
func (e ExperienceSpent) Spoken(v game.Voice) string {
	return v.Tell("edda.event.experience-spent", data{"Name": v.Name(e.Who), "Amount": e.Amount, "Now": e.Now})
}

// Spoken implements game.Spoken.
func (e StepGained) Spoken(v game.Voice) string {
	return v.Tell("edda.event.step-gained", data{"Name": v.Name(e.Who), "Strength": e.Strength, "Now": e.Now})
}

// Spoken implements game.Spoken.
func (e StrengthRestored) Spoken(v game.Voice) string {
	return v.Tell("edda.event.strength-restored", data{"Name": v.Name(e.Who), "Strength": e.Strength})
}

// Spoken implements game.Spoken.
func (e StrengthReworded) Spoken(v game.Voice) string {
	return v.Tell("edda.event.strength-reworded", data{"Name": v.Name(e.Who), "From": e.From, "To": e.To})
}

// Spoken implements game.Spoken.
func (e WeaknessReworded) Spoken(v game.Voice) string {
	return v.Tell("edda.event.weakness-reworded", data{"Name": v.Name(e.Who), "To": e.To})
}

// Spoken implements game.Spoken.
func (a AboutWho) Spoken(v game.Voice) string { return v.Name(a.Who) }

// Spoken implements game.Spoken.
func (a AboutAction) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(a.Who), "Deed": a.Deed, "N": max(0, total(a.Pool)), "Pool": pool(v, a.Pool), "Fades": a.Fades}
	text := v.Tell("edda.about.action", d)
	if a.Deed != "" {
		text = v.Tell("edda.about.deed", d)
	}
	if len(a.Pool) > 0 {
		text += " " + v.Tell("edda.about.pool", d)
	}
	if len(a.Left) > 0 {
		text += " " + v.Tell("edda.about.left-out", data{"Left": pool(v, a.Left)})
	}
	switch {
	case a.Last:
		text += " " + v.Tell("edda.about.fades-last", d)
	case a.Fades != "":
		text += " " + v.Tell("edda.about.fades", d)
	}
	return text
}

// Spoken implements game.Spoken.
func (a AboutEffort) Spoken(v game.Voice) string {
	return v.Tell("edda.about.effort", data{"Name": v.Name(a.Who), "Hits": a.Hits, "N": a.Left})
}

// Spoken implements game.Spoken.
func (a AboutAttempt) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(a.Who), "Attempt": a.N, "Of": a.Of, "Hits": a.Hits, "Complexity": a.Complexity, "Time": a.Time}
	text := v.Tell("edda.about.attempt", d)
	if a.Time != "" {
		text += " " + v.Tell("edda.about.time", d)
	}
	return text
}

// Spoken implements game.Spoken.
func (a AboutFiasco) Spoken(v game.Voice) string {
	return v.Tell("edda.about.fiasco", data{"Name": v.Name(a.Who)})
}

// Spoken implements game.Spoken.
func (a AboutLost) Spoken(v game.Voice) string {
	return v.Tell("edda.about.lost", data{"Name": v.Name(a.Who), "By": v.Name(a.By), "N": a.N})
}

// Spoken implements game.Spoken.
func (a AboutLast) Spoken(v game.Voice) string {
	return v.Tell("edda.about.last", data{"Name": v.Name(a.Who), "N": a.Cost, "Have": a.Have})
}

// Spoken implements game.Spoken.
func (a AboutMemory) Spoken(v game.Voice) string {
	return v.Tell("edda.about.memory", data{"Name": v.Name(a.Who), "Memory": a.Memory})
}

// Spoken implements game.Spoken.
func (a AboutStrength) Spoken(v game.Voice) string {
	return v.Tell("edda.about.strength", data{"Name": v.Name(a.Who), "Memory": a.Memory, "Strength": a.Strength})
}

// Spoken implements game.Spoken.
func (a AboutWords) Spoken(v game.Voice) string {
	return v.Tell("edda.about.words", data{"Name": v.Name(a.Who), "From": a.From, "To": a.To})
}
