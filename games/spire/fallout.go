package spire

import (
	"strconv"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// severities of fallout, mildest first.
var severities = []string{"minor", "moderate", "severe"}

// Fall holds the arguments of a fallout roll by itself: for a total, or for a character's sheet.
type Fall struct {
	Total      int    `json:"total" form:"max=99,bare"`
	Resistance string `json:"resistance" form:"choice=blood|mind|silver|shadow|reputation,table"`
}

var falloutMove = game.Define(game.MoveSpec[Fall]{
	ID: "fallout", GMOnly: true, Bare: true, AtTable: true, Kinds: []string{"character"},
	Outcomes: []game.OutcomeKind{
		{ID: "none", Tone: game.Good},
		{ID: "minor", Tone: game.Mixed},
		{ID: "moderate", Tone: game.Bad},
		{ID: "severe", Tone: game.Disaster},
	},
	Headlines: []game.Headline{{ID: "fallout", Outcomes: severities}},
	Price: func(r *rule.Run, s game.Scene, a Fall) rule.Outcome {
		return falloutOutcome(throwSeverity(r, a.total(s)))
	},
	Strip: func(s game.Scene, a Fall) Fall {
		a.Total = a.total(s)
		return a
	},
	Play: func(r *rule.Run, s game.Scene, a Fall) rule.Outcome {
		return falloutOutcome(fallout(r, game.Lend(r, s), s.Actor, Resistance(a.Resistance)).severity)
	},
})

// total returns the total of the sheet, or else the argument. SP-14
func (a Fall) total(s game.Scene) int {
	if hero, ok := game.Sheet[Character](s, s.Actor); ok {
		return hero.Total(Resistance(a.Resistance), s.Settings.(Settings))
	}
	return a.Total
}

func falloutOutcome(severity string) rule.Outcome {
	if severity == "" {
		return rule.Outcome{ID: "none"}
	}
	return rule.Outcome{ID: severity}
}

// throwFallout rolls for fallout: the d10 is rolled by the GM, or by the player if the table's
// setting says so. SP-14, SP-32
func throwFallout(r *rule.Run, s game.Scene, who string, total int) string {
	if s.Settings.(Settings).FalloutBy != "player" {
		r.SetRoller(game.GM)
	}
	severity := throwSeverity(r, total)
	r.SetRoller(who)
	return severity
}

// throwSeverity rolls the d10 against a total and returns the severity of the fallout, or "" if the
// die isn't lower than the total. SP-14
func throwSeverity(r *rule.Run, total int) string {
	if r.Count(dice.Pool{N: 1, Sides: 10, For: "fallout"}, dice.AtMost(total-1)) == 0 {
		return ""
	}
	return severityOf(total)
}

// severityOf returns the severity of a fallout from the total that caused it. SP-15
func severityOf(total int) string {
	switch {
	case total <= 4:
		return "minor"
	case total <= 8:
		return "moderate"
	}
	return "severe"
}

// clears returns how much stress a fallout removes from the sheet. SP-16
func clears(severity string) int {
	return map[string]int{"minor": 3, "moderate": 5, "severe": 7}[severity]
}

// Ruling is the GM's answer about a fallout. SP-17, SP-18
type Ruling struct {
	Do         string `json:"do" form:"choice=take|lesser|raise"`
	Pick       string `json:"pick" form:"choice"` // a suggestion, "own", or "" for the text or the default
	Kind       string `json:"kind" form:"choice=|blood|mind|silver|shadow|reputation,set=resistance"`
	Text       string `json:"text" form:"prose"`
	Second     string `json:"second" form:"choice,for=do:lesser"` // the second of two lesser ones
	SecondKind string `json:"second-kind" form:"choice=|blood|mind|silver|shadow|reputation,set=resistance,for=do:lesser"`
	SecondText string `json:"second-text" form:"prose,for=do:lesser"`
	Replaces   string `json:"replaces" form:"choice,for=do:raise"` // the carried one that grows
	Clear      Marks  `json:"clear"`                               // where stress is cleared; zero: as the rule says
}

// fallout rolls for fallout and asks the GM to rule on it, by what the sheet has then.
func fallout(r *rule.Run, s game.Scene, who string, kind Resistance) suffered {
	hero, _ := game.Sheet[Character](s, who)
	total := hero.Total(kind, s.Settings.(Settings)) // SP-13, SP-19
	severity := throwFallout(r, s, who, total)
	if severity == "" {
		r.Record(FalloutAvoided{Who: who, Total: total})
		return suffered{}
	}
	r.Record(FalloutStruck{Who: who, Resistance: kind, Severity: severity, Total: total})
	var c carrier
	ruling := rule.AskAnew(r, func() rule.Question[Ruling] {
		hero, _ = game.Sheet[Character](s, who)
		c = carrier{
			who:     who,
			kind:    string(kind),
			marked:  hero.Stress,
			counted: hero.countedStress(),
			carried: hero.Fallouts,
		}
		return c.question(severity, total)
	})
	for _, f := range c.rule(severity, ruling) {
		s.Record(r, f)
	}
	s.Record(r, StressCleared{Who: who, Cleared: c.stressToClear(severity, ruling), Why: "fallout"})
	return suffered{severity: severity}
}

// carrier is the target of a fallout: a character through one of the resistances, or a bond with
// its own track.
type carrier struct {
	who     string
	kind    string // the resistance that took the stress, or "bond"
	bond    string // name of the bond; "" for a character
	marked  Marks  // a bond's track is stored as Reputation
	counted Marks  // the part of marked that counts for fallout
	carried []Fallout
}

// question returns the question that asks the GM about a fallout.
func (c carrier) question(severity string, total int) rule.Question[Ruling] {
	lesser, raised := below(severity), above(severity)
	f := form.Of[Ruling]().Offering(form.Choices{
		"do": c.ways(severity), "replaces": c.growing(severity),
		"pick": append(
			c.defaultOptions(severity),
			c.suggestions(done{"take", severity}, done{"lesser", lesser}, done{"raise", raised})...),
		"second": append([]form.Option{{}}, c.suggestions(done{"lesser", lesser})...),
	})
	if c.bond != "" {
		f = f.Without("kind", "second-kind", "clear")
	}
	if lesser == "" {
		f = f.Without("second", "second-kind", "second-text")
	}
	if raised == "" {
		f = f.Without("replaces")
	}
	return rule.Question[Ruling]{
		ID: "spire.fallout", To: game.GM, Form: f,
		Standard: Ruling{Do: "take"}, // SP-17: only people pick suggestions
		About:    AboutFallout{Who: c.who, Bond: c.bond, Kind: c.kind, Severity: severity, Total: total},
		Check:    func(a Ruling) error { return c.check(severity, a) },
	}
}

// below and above return the neighbouring severities, "" past the ends. SP-18
func below(severity string) string {
	return map[string]string{"moderate": "minor", "severe": "moderate"}[severity]
}

func above(severity string) string {
	return map[string]string{"minor": "moderate", "moderate": "severe"}[severity]
}

// ways returns the options for what to do with a fallout. SP-18
func (c carrier) ways(severity string) []form.Option {
	ways := []form.Option{{Value: "take"}}
	if below(severity) != "" {
		ways = append(ways, form.Option{Value: "lesser"})
	}
	if above(severity) != "" && len(c.growing(severity)) > 1 {
		ways = append(ways, form.Option{Value: "raise"})
	}
	return ways
}

// perList is the number of suggestions for each kind and severity.
const perList = 3

// suggested maps each kind and severity to its options. SP-17
var suggested = func() map[string][]form.Option {
	all := map[string][]form.Option{}
	for _, severity := range severities {
		for _, kind := range append([]Resistance{"bond"}, Resistances...) {
			list := string(kind) + "." + severity
			for n := 1; n <= perList; n++ {
				id := list + "." + strconv.Itoa(n)
				all[list] = append(
					all[list],
					form.Option{
						Value: id,
						Word:  "spire.fallout." + id + ".name",
						About: "spire.fallout." + id + ".text",
						Group: "spire.list." + list,
					},
				)
			}
		}
	}
	return all
}()

// done is a way to rule on a fallout, with the severity of what is taken.
type done struct{ way, severity string }

// own is the pick for a fallout described only in the GM's words. SP-17
const own = "own"

// defaultOptions returns the options before the suggestions. The empty one shows what is taken if
// the GM takes one fallout and neither picks nor writes. SP-17
func (c carrier) defaultOptions(severity string) []form.Option {
	usual := "spire.fallout." + c.usual(severity)
	return []form.Option{
		{
			Word:  usual + ".name",
			About: usual + ".text",
			Group: "spire.list.unpicked",
			For:   &form.For{Field: "do", Values: []string{"take"}},
		},
		{Value: own, For: &form.For{Field: "do", Values: []string{"lesser", "raise"}}},
	}
}

// suggestions returns the options that the GM may pick, of the severities of the possible rulings;
// the kind that took the stress comes first. SP-17, SP-18
func (c carrier) suggestions(of ...done) []form.Option {
	kinds := []string{c.kind}
	for _, r := range Resistances {
		if c.bond == "" && string(r) != c.kind {
			kinds = append(kinds, string(r))
		}
	}
	options := make([]form.Option, 0, len(of)*len(kinds)*perList)
	for _, d := range of {
		way := &form.For{Field: "do", Values: []string{d.way}}
		for _, kind := range kinds {
			for _, o := range suggested[kind+"."+d.severity] { // there are none without a severity
				o.For = way
				options = append(options, o)
			}
		}
	}
	return options
}

// growing returns the carried fallouts that a repeated one may raise, of any resistance. SP-18
func (c carrier) growing(severity string) []form.Option {
	options := []form.Option{{Value: ""}}
	for i, f := range c.carried {
		if f.Severity == severity {
			options = append(options, f.option(strconv.Itoa(i), ""))
		}
	}
	return options
}

// check refuses a ruling that the form allows but the rules don't.
func (c carrier) check(severity string, a Ruling) error {
	a, want := c.chosen(severity, a), severity
	switch a.Do {
	case "lesser":
		want = below(severity)
		if a.Second == "" && a.SecondText == "" {
			return game.Refuse("SP-18", "spire.refusal.second-missing")
		}
		if a.Second != "" && a.Second == a.Pick {
			return game.Refuse("SP-18", "spire.refusal.same-twice")
		}
	case "raise":
		want = above(severity)
		if a.Replaces == "" {
			return game.Refuse("SP-18", "spire.refusal.nothing-to-raise")
		}
	}
	if a.Pick == "" && a.Text == "" {
		return game.Refuse("SP-17", "spire.refusal.no-fallout")
	}
	if a.Pick != "" && severityIn(a.Pick) != want {
		return &game.Refusal{
			Rule: "SP-18",
			Word: "spire.refusal.wrong-severity",
			Data: map[string]any{"Severity": severityWord(want)},
		}
	}
	if due := min(c.due(severity, a), c.marked.Sum()); a.Clear != (Marks{}) &&
		(a.Clear.Sum() != due || a.Clear != a.Clear.within(c.marked)) {
		return &game.Refusal{Rule: "SP-16", Word: "spire.refusal.clear", Data: map[string]any{"N": due}}
	}
	return nil
}

// chosen returns a ruling with its pick resolved: a suggestion that a person picked is combined
// with the GM's words; the default one is taken only without any. SP-17
func (c carrier) chosen(severity string, a Ruling) Ruling {
	switch {
	case a.Pick == own:
		a.Pick = ""
	case a.Do == "take" && a.Pick == "" && a.Text == "":
		a.Pick = c.usual(severity)
	}
	return a
}

// usual returns the id of the suggestion that is offered first. SP-17
func (c carrier) usual(severity string) string { return c.kind + "." + severity + ".1" }

// severityIn returns the severity in a suggestion's id.
func severityIn(suggestion string) string { return strings.Split(suggestion, ".")[1] }

// rule returns the fallouts taken by a ruling. SP-17, SP-18
func (c carrier) rule(severity string, a Ruling) []FalloutTaken {
	a = c.chosen(severity, a)
	taken := FalloutTaken{Who: c.who, Bond: c.bond, Replaces: -1}
	switch a.Do {
	case "lesser":
		first, second := taken, taken
		first.Fallout = c.newFallout(below(severity), a.Pick, a.Kind, a.Text)
		second.Fallout = c.newFallout(below(severity), a.Second, a.SecondKind, a.SecondText)
		return []FalloutTaken{first, second}
	case "raise":
		taken.Fallout = c.newFallout(above(severity), a.Pick, a.Kind, a.Text)
		taken.Replaces, _ = strconv.Atoi(a.Replaces)
		return []FalloutTaken{taken}
	}
	taken.Fallout = c.newFallout(severity, a.Pick, a.Kind, a.Text)
	return []FalloutTaken{taken}
}

// newFallout returns a fallout to carry. A text by the GM has the kind that the GM names, or else
// that of the resistance that took the stress. SP-17
func (c carrier) newFallout(severity, pick, kind, text string) Fallout {
	f := Fallout{Kind: c.kind, Severity: severity, Suggestion: pick, Text: text}
	switch {
	case pick != "":
		f.Kind, _, _ = strings.Cut(pick, ".")
	case kind != "":
		f.Kind = kind
	}
	return f
}

// due returns the stress that a ruling clears: each fallout taken clears its own amount. SP-16
func (c carrier) due(severity string, a Ruling) int {
	switch a.Do {
	case "lesser":
		return 2 * clears(below(severity))
	case "raise":
		return clears(above(severity))
	}
	return clears(severity)
}

// stressToClear returns where the stress is cleared: as the GM says, or else by the rule. SP-16
func (c carrier) stressToClear(severity string, a Ruling) Marks {
	if a.Clear != (Marks{}) {
		return a.Clear
	}
	return drain(c.marked, c.counted, Resistance(c.kind), c.due(severity, a))
}

// drain takes up to n marks: first those that count, then those in free slots. SP-16
func drain(marked, counted Marks, first Resistance, n int) Marks {
	taken := counted.drain(first, n)
	return taken.and(marked.less(taken).drain(first, n-taken.Sum()))
}

// drain takes up to n marks, from first and then from the fullest resistance. SP-16
func (m Marks) drain(first Resistance, n int) Marks {
	if first == "" {
		first = m.fullest()
	}
	var taken Marks
	for from := first; n > 0 && from != ""; from = m.less(taken).fullest() {
		k := min(n, m.Of(from)-taken.Of(from))
		taken = taken.Plus(from, k)
		n -= k
	}
	return taken
}

// fullest returns the resistance with most marks, or "" if there are none.
func (m Marks) fullest() Resistance {
	var best Resistance
	for _, r := range Resistances {
		if m.Of(r) > 0 && (best == "" || m.Of(r) > m.Of(best)) {
			best = r
		}
	}
	return best
}

// within limits marks to those that exist.
func (m Marks) within(marked Marks) Marks {
	for _, r := range Resistances {
		*m.at(r) = min(m.Of(r), marked.Of(r))
	}
	return m
}
