package mage

import (
	"cmp"
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

// AboutJoining is the subject of the question for somebody's pool.
type AboutJoining struct {
	Who     string `json:"who"`
	Actor   string `json:"actor"`
	Against bool   `json:"against"` // to resist, not to help
	Traits         // the assumed pool
	Dice    int    `json:"dice,omitempty"`
	Spent   string `json:"spent,omitempty"` // why no action is left: "acted", "declared", "dice", "traits"
	// what this side must meet, as far as it's known before the answer
	Difficulty int  `json:"difficulty,omitempty"`
	Threshold  int  `json:"threshold,omitempty"`
	Everything bool `json:"everything,omitempty"` // MG-16: a botch ruins everything
}

// Spoken implements game.Spoken.
func (a AboutJoining) Spoken(v game.Voice) string {
	id := "mage.about.join"
	if a.Against {
		id = "mage.about.resist"
	}
	text := v.Tell(id, data{"Name": v.Name(a.Who), "Actor": v.Name(a.Actor)})
	switch {
	case a.Threshold > 0:
		text += " " + v.Say("mage.about.met-threshold", "Difficulty", a.Difficulty, "Threshold", a.Threshold)
	case a.Difficulty > 0:
		text += " " + v.Say("mage.about.met", "Difficulty", a.Difficulty)
	}
	if a.Everything {
		text += " " + v.Say("mage.about.everything")
	}
	switch {
	case a.Spent != "":
		return text + " " + v.Say("mage.about.spent-"+a.Spent)
	case !a.none():
		return text + " " + v.Say("mage.about.usual", "Traits", a.list(v), "N", a.Dice)
	}
	return text
}

// AboutAction is the subject of a question about an extended action.
type AboutAction struct {
	Who  string   `json:"who"`
	On   string   `json:"on" say:"Action,name"`
	Also []string `json:"also,omitempty"` // MG-16: who else botched
}

// Data returns those who botched.
func (a AboutAction) Data(v game.Voice) data {
	return data{"Name": names(append([]string{a.Who}, a.Also...), v)}
}

// names lists characters by their names.
func names(ids []string, v game.Voice) string { return v.List(game.Each(ids, v.Name)) }

// AboutLeave is the subject of the question whether somebody may resist without an action.
type AboutLeave struct {
	Who   string `json:"who"`
	Actor string `json:"actor" say:"name"`
}

// data holds the values for a text.
type data = map[string]any

// knownAbilities are the options for Abilities with a word.
var knownAbilities = func() []form.Option {
	f, _ := joiningForm.Field("ability")
	return f.Options
}()

func knownAbility(name string) bool {
	return slices.ContainsFunc(knownAbilities, func(o form.Option) bool { return o.Value == name })
}

func abilityOption(name form.Trait, group string) form.Option {
	o := form.Option{Value: string(name), Group: group}
	if !knownAbility(o.Value) {
		o.Text = o.Value
	}
	return o
}

// abilityName returns the name of an Ability.
func abilityName(name form.Trait, v game.Voice) string {
	if knownAbility(string(name)) {
		return v.Say("mage.ability." + string(name))
	}
	return name.Name()
}

// list names a pool: "Dexterity + Athletics", "Arete"; "" for a bare one.
func (t Traits) list(v game.Voice) string {
	var parts []string
	if t.Attribute != "" {
		parts = append(parts, v.Say("mage.attribute."+t.Attribute))
	}
	if name := abilityName(t.Ability, v); name != "" {
		parts = append(parts, name)
	}
	if t.Alone != "" {
		parts = append(parts, v.Say("mage.alone."+t.Alone))
	}
	return strings.Join(parts, " + ")
}

// difficultyName returns a difficulty with its name, if it has one. MG-03
func difficultyName(n int, v game.Voice) string {
	if n < easiestNamed || n > raised {
		return strconv.Itoa(n)
	}
	return v.Say("mage.event.named", "N", n, "Name", v.Say(string(difficultyWord(n))))
}

// easiestNamed is the lowest difficulty that has a name. MG-03
const easiestNamed = 3

func difficultyWord(n int) game.Word { return game.Word("mage.difficulty." + strconv.Itoa(n)) }

// degree returns the word for a number of successes. MG-04
func degree(n int, v game.Voice) string {
	return v.Say("mage.degree." + strconv.Itoa(max(1, min(n, 5))))
}

// Thrower implements game.DiceEvent.
func (e Rolled) Thrower() string { return e.Who }

// ThrowerName implements game.DiceEvent.
func (e Rolled) ThrowerName(v game.Voice) string {
	if e.Who == "" {
		return v.Say("mage.event.nobody")
	}
	return v.Name(e.Who)
}

// Spoken implements game.Spoken.
func (e Rolled) Spoken(v game.Voice) string {
	parts := []string{
		v.Say("mage.event.dice", "N", e.Dice),
		v.Say("mage.event.difficulty", "Difficulty", difficultyName(e.Difficulty, v)),
	}
	if e.Threshold > 0 {
		parts = append(parts, v.Say("mage.event.threshold", "N", e.Threshold))
	}
	if !succeeds(e.Outcome) || e.Hits != e.Outcome.N { // else the line ends with them
		parts = append(parts, v.Say("mage.event.hits", "N", e.Hits))
	}
	if e.Ones > 0 {
		parts = append(parts, v.Say("mage.event.ones", "N", e.Ones))
	}
	if e.Willpower {
		parts = append(parts, v.Say("mage.event.bought"))
	}
	if e.Gone {
		parts = append(parts, v.Say("mage.event.gone"))
	}
	if e.Reflexive {
		parts = append(parts, v.Say("mage.event.reflexive"))
	}
	rolled := strings.Join(parts, ", ")
	what := slices.DeleteFunc([]string{e.Text, e.list(v)}, func(s string) bool { return s == "" })
	if len(what) > 0 {
		rolled = strings.Join(what, ", ") + ": " + rolled
	}
	d := data{"Name": e.ThrowerName(v), "Rolled": rolled}
	switch e.Outcome.ID {
	case "success":
		d["N"], d["Degree"] = e.Outcome.N, degree(e.Outcome.N, v)
		return v.Tell("mage.event.rolled-success", d)
	case "botch":
		d["N"] = e.Ones
		return v.Tell("mage.event.rolled-botch", d)
	}
	return v.Tell("mage.event.rolled-failure", d)
}

func (e Unrolled) Data(v game.Voice) data {
	return data{"Traits": e.list(v), "Difficulty": difficultyName(e.Difficulty, v)}
}

func (e PointsChanged) Data(game.Voice) data { return data{"Points": pointsWord(e.Points)} }

// Spoken implements game.Spoken.
func (e Declared) Spoken(v game.Voice) string {
	parts := game.EachAt(e.Due, func(i int, d Due) string {
		return v.Say("mage.event.due", "At", i+1, "Action", d.name(v), "Less", d.penaltyText())
	})
	if e.Due != nil {
		return v.Tell("mage.event.declares", data{"Name": v.Name(e.Who), "Actions": strings.Join(parts, "; ")})
	}
	for _, a := range e.Actions { // made at once, in the first edition
		what := a.Text
		if what == "" {
			what = a.list(v)
		}
		parts = append(parts, v.Say("mage.event.planned", "Action", what, "Whole", a.Whole, "Dice", a.Dice))
	}
	return v.Tell("mage.event.declared", data{"Name": v.Name(e.Who), "Actions": strings.Join(parts, "; ")})
}

// name returns a declared action's own name, or else its kind.
func (d Due) name(v game.Voice) string {
	if d.Text != "" {
		return d.Text
	}
	return strings.ToLower(v.Say("mage.kind-of-action." + cmp.Or(d.Kind, "action")))
}

// penaltyText returns the dice that a place costs, as text.
func (d Due) penaltyText() string {
	if d.Less == 0 {
		return "±0"
	}
	return "−" + strconv.Itoa(d.Less)
}

func (e Acted) Data(v game.Voice) data {
	d := Due{Text: e.Text, Less: e.Less}
	return data{"Action": d.name(v), "Less": d.penaltyText()}
}

// Spoken implements game.Spoken.
func (e Gathered) Spoken(v game.Voice) string {
	rolls := v.Say("mage.event.roll", "Used", e.Used)
	if e.Limit > 0 {
		rolls = v.Say("mage.event.roll-of", "Used", e.Used, "Limit", e.Limit)
	}
	id, n := "mage.event.gathered", e.N
	switch {
	case e.Botch && len(e.By) > 0:
		id, n = "mage.event.all-lost-by", -n
	case e.Botch:
		id, n = "mage.event.all-lost", -n
	case n == 0:
		id = "mage.event.nothing-gathered"
	}
	return v.Tell(
		id,
		data{
			"Action": v.Name(e.Who), "Name": names(e.By, v), "N": n, "Now": e.Now, "Target": e.Target, "Rolls": rolls,
		},
	) + storyTime(
		e.Interval,
		e.Used,
		v,
	)
}

// storyTime describes how long an extended action has taken, with one interval for each roll; ""
// for older rules without intervals. MG-13
func storyTime(interval string, rolls int, v game.Voice) string {
	if interval == "" {
		return ""
	}
	return v.Say("mage.event.took-"+interval, "N", rolls)
}

// Spoken implements game.Spoken.
func (e Scored) Spoken(v game.Voice) string {
	first, second := v.Say("mage.event.total", "Name", v.Name(e.First), "Now", e.Gathered, "Target", e.Target), ""
	switch {
	case e.RivalTarget == nil:
		second = v.Say("mage.event.total", "Name", v.Name(e.Second), "Now", e.Opposed, "Target", e.Target)
	case *e.RivalTarget > 0:
		second = v.Say("mage.event.total", "Name", v.Name(e.Second), "Now", e.Opposed, "Target", *e.RivalTarget)
	default:
		second = v.Say("mage.event.no-target", "Name", v.Name(e.Second))
	}
	text := v.Tell("mage.event.scored", data{"Action": v.Name(e.Who), "First": first, "Second": second})
	for _, lost := range []struct {
		who string
		n   int
	}{{e.First, e.FirstLost}, {e.Second, e.SecondLost}} {
		if lost.n > 0 {
			text += v.Say("mage.event.lost", "Name", v.Name(lost.who), "N", lost.n)
		}
	}
	return text + storyTime(e.Interval, e.Used, v)
}

func (e Harder) Data(v game.Voice) data {
	threshold := ""
	if e.Threshold > 0 { // MG-20
		threshold = ", " + v.Say("mage.event.threshold", "N", e.Threshold)
	}
	return data{"Action": v.Name(e.Who), "Name": v.Name(e.Side), "Threshold": threshold}
}

func (e Closed) Data(v game.Voice) data { return data{"Name": v.Name(e.By)} }

// Spoken implements game.Spoken.
func (e TimePassed) Spoken(v game.Voice) string {
	numbers := map[string]int{
		"turn":      e.Clock.Turn,
		"scene":     e.Clock.Scene,
		"chapter":   e.Clock.Chapter,
		"story":     e.Clock.Story,
		"chronicle": e.Clock.Chronicle,
	}
	text := v.Tell("mage.event.begins-"+e.To, data{"Number": numbers[e.To]})
	if !e.Length.IsZero() {
		text += v.Say("mage.event.lasts-"+e.Unit, "N", e.Length.Or(0))
	}
	if e.Text != "" {
		text += ". " + e.Text
	}
	return text
}

func (e Happened) Spoken(game.Voice) string { return e.Text }

func (a AboutAction) Word() string {
	if len(a.Also) > 0 {
		return "mage.about.ruin-several"
	}
	return "mage.about.ruin"
}

// characters returns the ids of the people in a scene.
func characters(s game.Scene) []string {
	return slices.DeleteFunc(s.IDs(), func(id string) bool {
		_, ok := sheetOf(s, id)
		return !ok
	})
}

// running returns the options for extended actions. Those that have ended follow under their own
// heading.
func running(s game.Scene) []form.Option {
	open, over := []form.Option{}, []form.Option(nil)
	for _, id := range s.IDs() {
		switch e, ok := game.Sheet[Extended](s, id); {
		case ok && e.State == Running:
			open = append(open, form.Option{Value: id, Text: s.Cast[id].Name})
		case ok:
			over = append(over, form.Option{Value: id, Text: s.Cast[id].Name, Group: "mage.group.over"})
		}
	}
	return append(open, over...)
}

// onlyRunning returns the extended action in progress, if there is exactly one.
func onlyRunning(s game.Scene) (id string, ok bool) {
	running := slices.DeleteFunc(s.IDs(), func(id string) bool {
		e, ok := game.Sheet[Extended](s, id)
		return !ok || e.State != Running
	})
	if len(running) != 1 {
		return "", false
	}
	return running[0], true
}

// opposable returns the options for traits that each side may roll against. MG-14
func opposable() []form.Option {
	options := []form.Option{{Value: ""}}
	for _, name := range []string{"willpower", "arete"} {
		options = append(options, form.Option{Value: name, Word: "mage.alone." + name})
	}
	for _, g := range attributes {
		for _, name := range g.names {
			options = append(options, form.Option{Value: name, Word: "mage.attribute." + name})
		}
	}
	for _, a := range knownAbilities {
		options = append(options, form.Option{Value: a.Value, Word: "mage.ability." + a.Value})
	}
	return options
}
