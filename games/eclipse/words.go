package eclipse

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

// AboutPoint is the subject of the question about spending a point: the roll, and the result of
// each choice. EP-22
type AboutPoint struct {
	Who     string `json:"who"`
	Roll    int    `json:"roll"`
	Target  int    `json:"target"`
	Outcome string `json:"outcome"`
	Turns   []Turn `json:"turns"`
	Rival   *Rival `json:"rival,omitempty"` // EP-18
}

// AboutResult is the subject of a question about a result's effects.
type AboutResult struct {
	Who     string `json:"who"`
	Outcome string `json:"outcome" say:"outcome"`
}

// AboutOpposed is the subject of the question how the other side opposes a test.
type AboutOpposed struct {
	Who     string `json:"who"`
	By      string `json:"by" say:"name"`
	On      string `json:"on"`                // what the acting side tests
	Against string `json:"against,omitempty"` // what is preset for the other side
	N       int    `json:"n,omitempty"`       // in older rules, a number that it gave instead
}

// AboutSplit is the subject of the question how to distribute a recharge.
type AboutSplit struct {
	Who     string `json:"who"`
	N       int    `json:"n"`
	Missing Points `json:"missing"`
}

// data holds the values for a text.
type data = map[string]any

func poolWord(name string) game.Word     { return game.Word("eclipse.pool." + name) }
func aptitudeWord(name string) game.Word { return game.Word("eclipse.aptitude." + name) }
func outcomeWord(id string) game.Word    { return game.Word("eclipse.outcome." + id) }

// knownSkills is the form with the skills that have a word.
var knownSkills = form.Of[Skill]()

func isKnownSkill(name form.Trait) bool {
	f, _ := knownSkills.Field("name")
	return slices.ContainsFunc(f.Options, func(o form.Option) bool { return o.Value == string(name) })
}

// skillName returns a skill's name without its field.
func skillName(name form.Trait, v game.Voice) string {
	if isKnownSkill(name) {
		return v.Say("eclipse.skill." + string(name))
	}
	return name.Name()
}

// tests returns the name of what is tested: "Guns", "Know: Mars", "COG check".
func tests(on string, v game.Voice) string {
	what, name, _ := strings.Cut(on, ":")
	if what != "skill" {
		return v.Say("eclipse." + strings.ReplaceAll(on, ":", "."))
	}
	skill, field, _ := strings.Cut(name, "/")
	if field != "" {
		return skillName(form.Trait(skill), v) + ": " + field
	}
	return skillName(form.Trait(skill), v)
}

// missingSkillText returns the name of a skill that is missing on the sheet, if it was named. EP-16
func missingSkillText(on, missing string, v game.Voice) string {
	if missing == "" {
		return tests(on, v)
	}
	return skillName(form.Trait(missing), v)
}

// skillOptions returns the options for the skills of a sheet, grouped by kind.
func (c Character) skillOptions() []form.Option {
	options := []form.Option{}
	for _, kind := range skillKinds {
		for i, s := range c.Skills {
			if s.Kind != kind {
				continue
			}
			o := form.Option{
				Value:   "skill:" + s.key(),
				Text:    s.Field,
				At:      "skills." + strconv.Itoa(i),
				Worth:   strconv.Itoa(s.Value),
				Group:   "eclipse.skill-kind." + kind,
				Starred: s.Specialisation != "",
			}
			switch {
			case isKnownSkill(s.Name):
				o.Word = "eclipse.skill." + string(s.Name)
			case s.Field == "":
				o.Text = s.Name.Name()
			default:
				o.Text = s.Name.Name() + ": " + s.Field
			}
			options = append(options, o)
		}
	}
	return options
}

// checkOptions returns the options for checks of the aptitudes. EP-04
func checkOptions() []form.Option {
	return game.Each(aptitudes, func(name string) form.Option {
		return form.Option{
			Value: "check:" + name,
			Word:  "eclipse.check." + name,
			At:    "aptitudes." + name,
			Group: "eclipse.sheet.checks",
		}
	})
}

// testOptions returns the options for everything that a character can test. EP-04
func (c Character) testOptions() []form.Option {
	options := c.skillOptions()
	for _, o := range checkOptions() { // EP-04
		_, name, _ := strings.Cut(o.Value, ":")
		o.Worth = strconv.Itoa(3 * c.Aptitudes.Of(name))
		options = append(options, o)
	}
	for _, name := range networks {
		if c.Rep.Of(name) > 0 {
			options = append(
				options,
				form.Option{
					Value: "rep:" + name,
					Word:  "eclipse.rep." + name,
					At:    "rep." + name,
					Worth: strconv.Itoa(c.Rep.Of(name)),
					Group: "eclipse.field.rep",
				},
			)
		}
	}
	for _, name := range aptitudes {
		options = append(
			options,
			form.Option{Value: "lacking:" + name, Word: "eclipse.lacking." + name, Group: "eclipse.sheet.lacking"},
		)
	}
	return options
}

// option returns the option for an effect, by its index on the sheet.
func (e Effect) option(value string) form.Option {
	kind := "eclipse.effect-kind." + e.Kind
	o := form.Option{Value: value, Word: kind}
	switch about := e.About.Name(); {
	case about == "":
	case isKnownSkill(e.About):
		o.Word, o.Group = "eclipse.skill."+about, kind
	default:
		o.Word, o.Text, o.Group = "", about, kind
	}
	if e.N != 0 {
		o.After = game.SignedNumber(e.N)
	}
	return o
}

// name returns the name of an effect: "next test +10", "extra action", "quality: Hardware +10".
func (e Effect) name(v game.Voice) string {
	word := v.Say("eclipse.effect-kind." + e.Kind)
	if about := e.About.Name(); about != "" {
		word += ": " + skillName(e.About, v)
	}
	if e.N != 0 {
		return word + " " + game.SignedNumber(e.N)
	}
	return word
}

// SayIn returns an effect within a line: "next test +10", "an extra action".
func (e Effect) SayIn(v game.Voice) string {
	said := v.Say("eclipse.effect-said."+e.Kind, "Amount", game.SignedNumber(e.N))
	if about := e.About.Name(); about != "" {
		return said + " (" + skillName(e.About, v) + ")"
	}
	return said
}

// digits writes a roll with two digits: "07". EP-01
func digits(roll int) string {
	if roll < 10 {
		return "0" + strconv.Itoa(roll)
	}
	return strconv.Itoa(roll)
}

// span returns a time in minutes as text: "2 d 3 h".
func span(n int, v game.Voice) string {
	var parts []string
	for _, unit := range []string{"weeks", "days", "hours", "minutes"} {
		if k := n / minutes[unit]; k > 0 {
			parts = append(parts, v.Say("eclipse.span."+unit, "N", k))
			n -= k * minutes[unit]
		}
	}
	if len(parts) == 0 {
		return v.Say("eclipse.span.minutes", "N", 0)
	}
	return strings.Join(parts, " ")
}

// SayIn lists points: "Insight 2 and Flex 1".
func (p Points) SayIn(v game.Voice) string {
	var parts []string
	for _, name := range poolNames {
		if n := p.Of(name); n > 0 {
			parts = append(parts, v.Say(string(poolWord(name)))+" "+strconv.Itoa(n))
		}
	}
	return v.List(parts)
}

// somebody returns the name of the roller, or of the number to oppose.
func somebody(who string, v game.Voice) string {
	if who == "" {
		return v.Say("eclipse.sheet.other-side")
	}
	return v.Name(who)
}

// list returns the parts of a target number as text: "hard −20, helpers +10".
func (e TargetSet) list(v game.Voice) string {
	parts := make([]string, len(e.Parts))
	for i, p := range e.Parts {
		name := p.Name
		if p.Why != "" {
			name = v.Say("eclipse.modifier." + p.Why)
		}
		if p.About.Name() != "" {
			name += " (" + skillName(p.About, v) + ")"
		}
		parts[i] = name + " " + game.SignedNumber(p.N)
	}
	return strings.Join(parts, ", ")
}

// Spoken implements game.Spoken.
func (e TargetSet) Spoken(v game.Voice) string {
	on := tests(e.On, v)
	if e.Instead != "" { // EP-16
		on = v.Tell("eclipse.event.related", data{"Instead": missingSkillText(e.Instead, e.Missing, v), "On": on})
	} else if e.Missing != "" {
		on = v.Tell("eclipse.event.lacked", data{"Missing": skillName(form.Trait(e.Missing), v), "On": on})
	}
	if e.Whose != "" {
		on = v.Name(e.Whose) + ", " + on
	}
	if e.Defaulted && !strings.HasPrefix(e.On, "lacking:") {
		on = v.Tell("eclipse.event.defaulted", data{"On": on})
	}
	d := data{
		"Name":   somebody(e.Who, v),
		"On":     on,
		"Base":   e.Base,
		"Parts":  e.list(v),
		"Sum":    game.SignedNumber(e.Sum),
		"Counts": game.SignedNumber(e.Counts),
		"Target": e.Target,
	}
	word := "eclipse.event.target-modified"
	switch {
	case len(e.Parts) == 0:
		word = "eclipse.event.target"
	case e.Ignored:
		word = "eclipse.event.target-ignored"
	case e.Sum != e.Counts:
		word = "eclipse.event.target-capped"
	}
	text := v.Tell(word, d)
	if e.Overall { // EP-05
		text += ". " + v.Say("eclipse.event.overall")
	}
	return text
}

// Thrower implements game.DiceEvent. EP-18
func (e TargetSet) Thrower() string { return e.Who }

// ThrowerName implements game.DiceEvent.
func (e TargetSet) ThrowerName(v game.Voice) string { return somebody(e.Who, v) }

// Thrower implements game.DiceEvent: the dice of an effect are its roller's. EP-13
func (e DamageAdded) Thrower() string { return e.Who }

// ThrowerName implements game.DiceEvent.
func (e DamageAdded) ThrowerName(v game.Voice) string { return v.Name(e.Who) }

// TellsResult implements game.StoryEvent.
func (e DamageAdded) TellsResult() {}

func (e RollTurned) Data(game.Voice) data {
	return data{"Roll": digits(e.Roll), "Flipped": digits(flip(e.Roll))}
}

func (e SkillDecided) Data(v game.Voice) data {
	return data{"Name": somebody(e.Who, v), "Roll": digits(e.Roll)}
}

func (e CameOut) Data(v game.Voice) data {
	return data{"Name": somebody(e.Who, v), "Roll": digits(e.Roll)}
}

func (e PointSpent) Data(game.Voice) data {
	return data{"Roll": digits(e.Roll), "Flipped": digits(flip(e.Roll))}
}

// ending returns the suffix of the words for good or bad effects.
func ending(good bool) string {
	if good {
		return ".good"
	}
	return ".bad"
}

// Spoken implements game.Spoken.
func (e SuperiorTaken) Spoken(v game.Voice) string {
	id := "eclipse.event.superior-taken"
	if e.Times > 1 {
		id = "eclipse.event.superior-doubled"
	}
	about := skillName(e.About, v)
	if e.Effect == "nothing" {
		return v.Name(e.Who) + ": " + about
	}
	text := v.Tell(
		id,
		data{"Name": v.Name(e.Who), "Effect": game.Word("eclipse.superior." + e.Effect + ending(e.Good))},
	)
	if about != "" {
		text += ". " + about
	}
	return text
}

// Spoken implements game.Spoken.
func (e CriticalTaken) Spoken(v game.Voice) string {
	name := v.Name(e.Who)
	if e.Effect == "own" || e.Effect == "nothing" {
		return name + ": " + e.Text
	}
	text := v.Tell(
		"eclipse.event.critical-taken",
		data{"Name": name, "Effect": game.Word("eclipse.critical-effect." + e.Effect + ending(e.Good))},
	)
	if e.Text != "" {
		text += ". " + e.Text
	}
	return text
}

func (e BoonGained) Data(game.Voice) data {
	return data{"Aptitude": aptitudeWord(e.Boon.Aptitude), "Amount": game.SignedNumber(5 * e.Boon.Points)}
}

func (e Recharged) Data(v game.Voice) data { return data{"Span": span(e.Minutes, v)} }

// Spoken implements game.Spoken.
func (e Managed) Spoken(v game.Voice) string {
	text := v.Tell("eclipse.event.managed", data{"Name": v.Name(e.Who), "On": tests(e.On, v)})
	if e.Text != "" {
		text += ". " + e.Text
	}
	return text
}

func (e TaskBegun) Data(v game.Voice) data {
	return data{"Task": v.Name(e.Who), "Name": v.Name(e.By), "Span": span(e.Needs, v)}
}

func (e TaskFailed) Data(v game.Voice) data {
	return data{"Task": v.Name(e.Who), "Name": v.Name(e.By), "Span": span(e.Lost, v)}
}

func (e TryWaived) Data(v game.Voice) data {
	return data{"Task": v.Name(e.Who), "Name": v.Name(e.By)}
}

func (e TaskRetimed) Data(v game.Voice) data {
	return data{"Task": v.Name(e.Who), "Name": v.Name(e.By), "Span": span(e.Needs, v)}
}

func (e TaskRegained) Data(v game.Voice) data {
	return data{"Task": v.Name(e.Who), "Name": v.Name(e.By), "Span": span(e.Regained, v)}
}

func (e TaskInterrupted) Data(v game.Voice) data {
	return data{"Task": v.Name(e.Who), "Span": span(e.Spent, v)}
}

func (e TaskResumed) Data(v game.Voice) data {
	return data{"Task": v.Name(e.Who), "Span": span(e.Remaining, v)}
}

func (e TaskFinished) Data(v game.Voice) data {
	return data{"Task": v.Name(e.Who), "Span": span(e.Took, v)}
}

// Spoken implements game.Spoken.
func (a AboutPoint) Spoken(v game.Voice) string {
	text := v.Tell(
		"eclipse.about.point",
		data{"Name": v.Name(a.Who), "Roll": digits(a.Roll), "Target": a.Target, "Outcome": outcomeWord(a.Outcome)},
	)
	if a.Rival != nil { // EP-18
		text += ". " + v.Tell(
			"eclipse.event.came-out",
			data{
				"Name":    somebody(a.Rival.Who, v),
				"Roll":    digits(a.Rival.Roll),
				"Outcome": outcomeWord(a.Rival.Outcome),
			},
		)
	}
	return text
}

// Guidance returns the result of each choice as text. EP-22
func (a AboutPoint) Guidance(v game.Voice) []string {
	return game.Each(a.Turns, func(t Turn) string {
		return v.Tell(
			"eclipse.about.turn",
			data{"Use": game.Word("eclipse.use." + t.Use), "Roll": digits(t.Roll), "Outcome": outcomeWord(t.Outcome)},
		)
	})
}

// Spoken implements game.Spoken.
func (a AboutOpposed) Spoken(v game.Voice) string {
	text := v.Tell("eclipse.about.opposed", data{"Name": v.Name(a.Who), "By": v.Name(a.By), "On": tests(a.On, v)})
	if a.Against == "" {
		return text
	}
	return text + " " + v.Say("eclipse.about.usual", "Against", tests(a.Against, v))
}
