package edda

import (
	"slices"
	"strconv"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
)

// Action is a hero's plan for an action: ticked places on the sheet. Nobody else sees it while
// others are still planning. ED-01, ED-02
type Action struct {
	Strengths    []form.Ref `json:"strengths" form:"max=40,table,sealed,at=strengths"`
	Weakness     bool       `json:"weakness" form:"table,sealed,at=weakness"`            // ED-18: it hinders
	Conditions   []form.Ref `json:"conditions" form:"max=20,table,sealed,at=conditions"` // ED-13: all by default
	Difficulties []form.Ref `json:"difficulties" form:"max=30,table,sealed,at=difficulties"`
	Advantages   []form.Ref `json:"advantages" form:"max=30,table,sealed,at=advantages"`
	Gear         []form.Ref `json:"gear" form:"max=30,table,sealed,at=gear"`
	Bonus        int        `json:"bonus" form:"min=-20,max=20,table,rare,sealed"` // ED-06: by Fate, for this action only
	Fade         string     `json:"fade" form:"choice,table,rare,sealed"`          // ED-21: index of the strength
	Miracle      string     `json:"miracle" form:"choice=none|dice|impossible|both,sealed,beside=fade"`
}

// Deed is the action in words. ED-01
type Deed struct {
	Text string `json:"deed" form:"text,table"`
}

// success is the faces that count as a success. ED-03
var success = dice.AtLeast(5)

// Addend is one line of a pool: a source of its dice.
type Addend struct {
	From string `json:"from"` // strength, gear, weakness, condition, difficulty, advantage, fate or miracle
	Name string `json:"name,omitempty"`
	Dice int    `json:"dice"`
}

// addends returns the lines of a pool: steps of the chosen strengths, minus conditions, weakness
// and difficulties, plus advantages and gear. ED-02
func (h Hero) addends(a Action) []Addend {
	all := []Addend{}
	add := func(from, name string, n int) { all = append(all, Addend{from, name, n}) }
	for _, ref := range a.Strengths {
		name, steps := h.strength(ref)
		add("strength", name, steps)
	}
	if a.Weakness { // ED-18
		add("weakness", h.Weakness.Text, -h.marks())
	}
	for _, c := range pick(h.Conditions, a.Conditions) { // ED-13
		add("condition", string(c.Name), -c.Size)
	}
	for _, d := range pick(h.Difficulties, a.Difficulties) { // ED-06
		add("difficulty", d.Name, -d.Size)
	}
	for _, d := range pick(h.Advantages, a.Advantages) { // ED-06
		add("advantage", d.Name, d.Size)
	}
	for _, g := range pick(h.Gear, a.Gear) { // ED-07
		add("gear", g.Name, g.Dice)
	}
	if a.Bonus != 0 {
		add("fate", "", a.Bonus)
	}
	if a.certain() > 0 { // ED-22
		add("miracle", h.fadingStrength(a).Name, miracleDice)
	}
	return all
}

// excludedAddends returns the conditions and difficulties that an action leaves out. ED-13
func (h Hero) excludedAddends(a Action) []Addend {
	var all []Addend
	for i, c := range h.Conditions {
		if !slices.Contains(a.Conditions, place(i)) {
			all = append(all, Addend{"condition", string(c.Name), -c.Size})
		}
	}
	for i, d := range h.Difficulties {
		if !slices.Contains(a.Difficulties, place(i)) {
			all = append(all, Addend{"difficulty", d.Name, -d.Size})
		}
	}
	return all
}

// place returns an item's index as forms name it.
func place(at int) form.Ref { return form.Ref(strconv.Itoa(at)) }

// places returns the places of a whole list.
func places(n int) []form.Ref {
	var all []form.Ref
	for at := range n {
		all = append(all, place(at))
	}
	return all
}

// total returns the pool as the sum of its addends. It may be 0 or less. ED-03
func total(all []Addend) int {
	return game.Total(all, func(a Addend) int { return a.Dice })
}

// strength returns a strength by its place in a form: "3" is the hero's own, "g0-1" the second of
// the first gear's. ED-07
func (h Hero) strength(ref form.Ref) (name string, steps int) {
	if place, ofGear := strings.CutPrefix(string(ref), "g"); ofGear {
		thing, nth, _ := strings.Cut(place, "-")
		for _, g := range pick(h.Gear, []form.Ref{form.Ref(thing)}) {
			for _, s := range pick(g.Strengths, []form.Ref{form.Ref(nth)}) {
				return s.Name, s.Steps
			}
		}
		return "", 0
	}
	for _, s := range pick(h.Strengths, []form.Ref{ref}) {
		return s.Name, s.Steps
	}
	return "", 0
}

// pick returns the items at the ticked places.
func pick[T any](all []T, places []form.Ref) []T {
	var chosen []T
	for _, place := range places {
		if at, err := strconv.Atoi(string(place)); err == nil && at >= 0 && at < len(all) {
			chosen = append(chosen, all[at])
		}
	}
	return chosen
}

// usual returns the default plan of a hero whose player is asked for it, which odds also assume:
// the best strength that hasn't faded, everything that hinders, and what helps for one action. It
// doesn't depend on the number of strengths that others use, since that would reveal their plans.
// ED-01, ED-13
func (h Hero) usual() Action {
	a := Action{
		Miracle:      "dice",
		Conditions:   places(len(h.Conditions)),
		Difficulties: places(len(h.Difficulties)),
		Advantages:   once(h.Advantages),
	}
	best := -1
	for i, s := range h.Strengths {
		if !s.Faded && (best < 0 || s.Steps > h.Strengths[best].Steps) {
			best = i
		}
	}
	if best >= 0 {
		a.Strengths = []form.Ref{place(best)}
	}
	return a
}

// once returns the places of circumstances that last for one action.
func once(all []Circumstance) []form.Ref {
	var of []form.Ref
	for i, c := range all {
		if c.Lasts != "lasting" {
			of = append(of, place(i))
		}
	}
	return of
}

// allowThere refuses heroes who have left the world. ED-23
func allowThere(s game.Scene, who string) error {
	if hero, ok := game.Sheet[Hero](s, who); ok && hero.Oblivion() {
		return &game.Refusal{
			Rule: "ED-23",
			Word: "edda.refusal.oblivion",
			Data: map[string]any{"Name": s.Cast[who].Name},
		}
	}
	return nil
}

// allowActing refuses those who can't act. ED-11, ED-23
func allowActing(s game.Scene, who string) error {
	if err := allowThere(s, who); err != nil {
		return err
	}
	if out(s.Cast[who].Sheet) {
		return &game.Refusal{Rule: "ED-11", Word: "edda.refusal.out", Data: map[string]any{"Name": s.Cast[who].Name}}
	}
	return nil
}

// allowAction refuses plans that the form allows but the rules don't.
func allowAction(s game.Scene, who string, a Action) error {
	if err := allowActing(s, who); err != nil {
		return err
	}
	hero, _ := game.Sheet[Hero](s, who)
	return hero.allow(a)
}

// allow refuses to use a faded strength or to fade it again. ED-22
func (h Hero) allow(a Action) error {
	own := a.Strengths
	if a.Fade != "" {
		own = append(slices.Clone(own), form.Ref(a.Fade))
		if slices.Contains(a.Strengths, form.Ref(a.Fade)) {
			return h.refuseFading("edda.refusal.fades-now", form.Ref(a.Fade))
		}
	}
	for _, ref := range own {
		for _, s := range pick(h.Strengths, []form.Ref{ref}) {
			if s.Faded {
				return h.refuseFading("edda.refusal.faded", ref)
			}
		}
	}
	return nil
}

func (h Hero) refuseFading(word string, ref form.Ref) error {
	name, _ := h.strength(ref)
	return &game.Refusal{Rule: "ED-22", Word: word, Data: map[string]any{"Strength": name}}
}

// fitAction offers what is on the acting character's sheet. What hinders is already ticked, and so
// is what helps for one action, since that applies to the next one. ED-08, ED-13
func fitAction(s game.Scene, f *form.Form) *form.Form {
	hero, ok := game.Sheet[Hero](s, s.Actor)
	if !ok {
		return f.Without(
			"strengths",
			"weakness",
			"conditions",
			"difficulties",
			"advantages",
			"gear",
			"bonus",
			"fade",
			"miracle",
		)
	}
	return hero.fit(f)
}

// fit returns the form with what is on the hero's sheet.
func (h Hero) fit(f *form.Form) *form.Form {
	strengths, faded, own := h.strengthOptions()
	fade := slices.Concat([]form.Option{{}}, strengths[:own], faded)
	if own == 1 { // ED-23
		fade[1].Word = "edda.sheet.last"
	}
	gear := game.EachAt(
		h.Gear,
		func(i int, g Gear) form.Option { return signedOption(strconv.Itoa(i), g.Name, g.Dice) },
	)
	strengths = slices.Concat([]form.Option{}, strengths, faded)
	conditions := game.EachAt(
		h.Conditions,
		func(i int, c Condition) form.Option { return c.option(strconv.Itoa(i), "") },
	)
	f = f.Offering(form.Choices{
		"strengths": strengths, "conditions": conditions, "difficulties": circumstanceOptions(h.Difficulties, -1),
		"advantages": circumstanceOptions(h.Advantages, 1),
		"gear":       gear, "fade": fade, "miracle": miracles,
	})
	return f.Default("conditions", places(len(h.Conditions))).Default("difficulties", places(len(h.Difficulties))).
		Default("advantages", once(h.Advantages)) // ED-13
}

// strengthOptions returns the options for the hero's strengths; the first own ones are the hero's,
// the others belong to gear. Faded ones are returned separately; they follow the others, so that
// the rule can explain its refusal. ED-22
func (h Hero) strengthOptions() (strengths, faded []form.Option, own int) {
	for i, s := range h.Strengths {
		o := signedOption(strconv.Itoa(i), s.Name, s.Steps)
		if s.Faded {
			o.Text, o.Word = s.Name, "edda.sheet.faded"
			faded = append(faded, o)
			continue
		}
		strengths = append(strengths, o)
	}
	own = len(strengths)
	for i, g := range h.Gear { // ED-07
		for j, s := range g.Strengths {
			strengths = append(
				strengths,
				signedOption("g"+strconv.Itoa(i)+"-"+strconv.Itoa(j), g.Name+", "+s.Name, s.Steps),
			)
		}
	}
	return strengths, faded, own
}

// miracles are the options for what a faded strength gives. ED-21
var miracles = []form.Option{{Value: "dice"}, {Value: "impossible"}, {Value: "both"}}

// circumstanceOptions returns the options for circumstances.
func circumstanceOptions(all []Circumstance, sign int) []form.Option {
	return game.EachAt(
		all,
		func(i int, c Circumstance) form.Option { return signedOption(strconv.Itoa(i), c.Name, sign*c.Size) },
	)
}

// only offers choices; a single one becomes the default.
func only(f *form.Form, name string, options []form.Option) *form.Form {
	f = f.With(name, options...)
	if len(options) == 1 {
		return f.Default(name, options[0].Value)
	}
	return f
}

// signedOption returns the option for something that adds or subtracts dice.
func signedOption(value, name string, n int) form.Option {
	return form.Option{Value: value, Text: name + " " + sign(n)}
}

// sign writes a number of dice with its sign.
func sign(n int) string {
	switch {
	case n > 0:
		return "+" + strconv.Itoa(n)
	case n < 0:
		return "−" + strconv.Itoa(-n)
	}
	return "0"
}

// option returns the option for a condition, with its owner if that isn't clear.
func (c Condition) option(value, whose string) form.Option {
	o := form.Option{Value: value, Text: whose, After: sign(-c.Size)}
	switch {
	case c.Name == fatigue:
		o.Word = "edda.condition.fatigue"
	case whose != "":
		o.Text += ": " + c.Name.Name()
	default:
		o.Text = c.Name.Name()
	}
	return o
}
