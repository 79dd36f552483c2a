package edda

import (
	"cmp"
	"embed"
	"strings"

	"norn/game"
)

//go:embed emblem.svg
var emblem string

//go:embed words/*.toml ready.toml
var wordFiles embed.FS

// AboutAction is the subject of the question whether Fate agrees to an action, or to a miracle.
type AboutAction struct {
	Who   string   `json:"who"`
	Deed  string   `json:"deed,omitempty"`
	Pool  []Addend `json:"pool"`
	Left  []Addend `json:"left,omitempty"` // ED-13: conditions and difficulties that don't count
	Fades string   `json:"fades,omitempty"`
	Last  bool     `json:"last,omitempty"` // it's the hero's last strength
}

// AboutPlan is the subject of the question what somebody puts into an action that another began.
type AboutPlan struct {
	Who  string `json:"who"`
	By   string `json:"by"`
	Deed string `json:"deed,omitempty"`
}

// Spoken implements game.Spoken: who acts, and what they do.
func (a AboutPlan) Spoken(v game.Voice) string {
	return AboutAction{Who: a.By, Deed: a.Deed}.Spoken(v)
}

// AboutEffort is the subject of the question about a special effort: it shows the dice but not the
// result. ED-15
type AboutEffort struct {
	Who  string `json:"who"`
	Hits int    `json:"hits"`
	Left int    `json:"left" say:"N"` // number of dice to throw again
}

// AboutAttempt is the subject of the question about another attempt.
type AboutAttempt struct {
	Who        string `json:"who"`
	N          int    `json:"n"`
	Of         int    `json:"of"`
	Hits       int    `json:"hits"`
	Complexity int    `json:"complexity"`
	Time       string `json:"time,omitempty"`
	Dice       int    `json:"dice"` // of the next throw
}

// AboutFiasco is the subject of the question about a condition.
type AboutFiasco struct {
	Who string `json:"who"`
}

// AboutLost is the subject of the question about the winner's surplus of successes.
type AboutLost struct {
	Who string `json:"who"`
	By  string `json:"by" say:"name"`
	N   int    `json:"n"`
}

// AboutLast is the subject of the question about a hero who would otherwise leave the world.
type AboutLast struct {
	Who  string `json:"who"`
	Cost int    `json:"cost" say:"N"`
	Have int    `json:"have"`
}

// AboutMemory is the subject of a question about a memory.
type AboutMemory struct {
	Who    string `json:"who"`
	Memory string `json:"memory"`
	Have   int    `json:"have"` // the hero's experience, which the memory may add to
}

func (a AboutMemory) Data(game.Voice) data { return data{"Most": maxExperience} }

// AboutStrength is the subject of a question about a strength made from a memory.
type AboutStrength struct {
	Who      string `json:"who"`
	Memory   string `json:"memory"`
	Strength string `json:"strength"`
}

// AboutWords is the subject of a question about a new wording.
type AboutWords struct {
	Who  string `json:"who"`
	From string `json:"from"`
	To   string `json:"to"`
}

// data holds the values for a text.
type data = map[string]any

// SayIn returns a condition's name in words.
func (c Condition) SayIn(v game.Voice) string {
	if c.Name == fatigue {
		return v.Say("edda.condition.fatigue")
	}
	return c.Name.Name()
}

// pool lists the sources of dice: "Kindness +3, fatigue −1 and by Fate +1".
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

// Thrower implements game.DiceEvent.
func (e PoolCounted) Thrower() string { return e.Who }

// ThrowerName implements game.DiceEvent.
func (e PoolCounted) ThrowerName(v game.Voice) string { return v.Name(e.Who) }

// Thrower implements game.DiceEvent.
func (e Threw) Thrower() string { return e.Who }

// ThrowerName implements game.DiceEvent.
func (e Threw) ThrowerName(v game.Voice) string { return v.Name(e.Who) }

// Spoken implements game.Spoken.
func (e PoolCounted) Spoken(v game.Voice) string {
	d := data{"Name": v.Name(e.Who), "N": max(0, total(e.Pool)), "Pool": pool(v, e.Pool)}
	word := "edda.event.pool-counted"
	if len(e.Pool) == 0 {
		word = "edda.event.pool-empty"
	}
	return v.Tell(word, d) + leaving(v, e.Left)
}

// Spoken implements game.Spoken.
func (e FateSet) Spoken(v game.Voice) string {
	text := v.Tell("edda.event.fate-set", data{"Complexity": e.Complexity})
	if e.Each > 0 {
		text += v.Tell("edda.event.fate-each", data{"N": e.Each})
	}
	if e.Attempts > 0 {
		word := "edda.event.fate-attempts"
		if e.AddUp {
			word = "edda.event.fate-attempts-add-up"
		}
		text += v.Tell(word, data{"N": e.Attempts})
	}
	if e.Time != "" {
		text += v.Tell("edda.event.fate-time", data{"Time": e.Time})
	}
	return text
}

// leaving lists what is left out of a pool, "" for nothing. ED-13
func leaving(v game.Voice, left []Addend) string {
	if len(left) == 0 {
		return ""
	}
	return v.Tell("edda.event.left-out", data{"Left": pool(v, left)})
}

func (e Shared) Word() string { return game.When(e.Added < e.Hits, "edda.event.shared-fiasco") }

func (e Shared) Data(game.Voice) data { return data{"Cost": fiascoCost} }

func (e CircumstanceMade) Word() string {
	return cmp.Or(
		game.When(e.Circumstance.Lasts == "lasting", "edda.event.circumstance-made-lasting"),
		"edda.event.circumstance-made-once",
	)
}

func (e CircumstanceMade) Data(game.Voice) data { return e.Circumstance.data(e.Sort) }

func (e CircumstanceEnded) Data(game.Voice) data { return e.Circumstance.data(e.Sort) }

// data returns the name of a circumstance with the dice that it adds or subtracts.
func (c Circumstance) data(sort string) data {
	dice := sign(c.Size)
	if sort == "difficulty" {
		dice = sign(-c.Size)
	}
	return data{"What": c.Name, "Dice": dice}
}

// lasting returns how long a circumstance lasts; the default is one action.
func lasting(lasts string) string {
	if lasts == "" {
		return "once"
	}
	return lasts
}

func (e ConditionTaken) Word() string {
	return game.When(e.Why == "effort", "edda.event.effort-condition")
}

func (e ConditionTaken) Data(game.Voice) data { return data{"Size": e.Condition.Size} }

func (e MemoryCalled) Word() string { return "edda.event.effort-memory" }

func (e MemoryCalled) Data(game.Voice) data { return data{"Of": maxCalls} }

func (e WeaknessMarked) Data(game.Voice) data { return data{"Of": maxMarks} }

func (e ExperienceGained) Data(game.Voice) data { return data{"Most": maxExperience} }

// Spoken implements game.Spoken.
func (a AboutAction) Spoken(v game.Voice) string {
	d := data{
		"Name":  v.Name(a.Who),
		"Deed":  a.Deed,
		"N":     max(0, total(a.Pool)),
		"Pool":  pool(v, a.Pool),
		"Fades": a.Fades,
	}
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
func (a AboutAttempt) Spoken(v game.Voice) string {
	d := data{
		"Name":       v.Name(a.Who),
		"Attempt":    a.N,
		"Of":         a.Of,
		"Hits":       a.Hits,
		"Complexity": a.Complexity,
		"Time":       a.Time,
		"N":          a.Dice,
	}
	text := v.Tell("edda.about.attempt", d) + " " + v.Tell("edda.about.next", d)
	if a.Time != "" {
		text += " " + v.Tell("edda.about.time", d)
	}
	return text
}
