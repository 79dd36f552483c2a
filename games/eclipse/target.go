package eclipse

import (
	"cmp"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
)

// Plain holds the arguments of a test without a sheet.
type Plain struct {
	Target   int  `json:"target" form:"min=-60,max=160,default=50,bare"`
	Modifier int  `json:"modifier" form:"min=-300,max=300,bare"` // the sum of all modifiers
	Default  bool `json:"default" form:"bare"`                   // EP-15
}

// Roll holds the arguments that all tests at a table have.
type Roll struct {
	On          string     `json:"on" form:"choice,required,table,at=skills|aptitudes|rep"` // "skill:guns", "check:cog", "rep:c", "lacking:cog"
	Difficulty  string     `json:"difficulty" form:"choice=very-easy|easy|slightly-easy|average|slightly-hard|hard|very-hard,default=average,table,fixed"`
	Situation   string     `json:"situation" form:"choice=major-boon|moderate-boon|minor-boon|even|minor-hindrance|moderate-hindrance|major-hindrance,default=even,table"`
	Carried     []form.Ref `json:"carried" form:"max=6,table"` // EP-13: lasting effects that apply
	Boost       bool       `json:"boost" form:"table,once"`    // EP-20: a point for +20
	Ignore      bool       `json:"ignore" form:"table,rare"`   // EP-20: a point to ignore all modifiers
	Pool        string     `json:"pool" form:"choice=|insight|moxie|vigor|flex,table,rare"`
	Specialised bool       `json:"specialised" form:"table,rare"`
	With        []form.Ref `json:"with" form:"max=9,table,rare"` // EP-17
	Retries     int        `json:"retries" form:"max=12,table,rare"`
	Missing     form.Trait `json:"missing" form:"choice=athletics|deceive|exotic|fray|free-fall|guns|hardware|infiltrate|infosec|interface|kinesics|medicine|melee|perceive|persuade|pilot|program|provoke|psi|research|survival|know,open,worded,set=skill,table,beside=on:lacking:cog|lacking:int|lacking:ref|lacking:sav|lacking:som|lacking:wil"` // EP-16: not on the sheet
	Defaulting  string     `json:"defaulting" form:"choice=|aptitude|related,table,rare"`
	Related     string     `json:"related" form:"choice,table,rare"` // EP-16: the skill used instead
	Distance    string     `json:"distance" form:"choice=close|loose|far,table,rare"`
	Trained     bool       `json:"trained,omitempty" form:"table,rare"`      // EP-16: defaults aren't allowed
	Health      string     `json:"health" form:"choice=|overall,table,rare"` // EP-05: or in the GM's one modifier
	Group       []form.Ref `json:"group" form:"max=9,table,rare"`            // EP-08
	Hindered    bool       `json:"hindered" form:"table,rare"`
	Also        []Modifier `json:"also" form:"max=6,table,rare"`

	late bool // EP-20: shows the effect of a point after the throw, only for comparing odds
}

// maxRetries is the most that Roll.Retries may be.
const maxRetries = 12

// Modifier is a modifier that the table has named. EP-05
type Modifier struct {
	Name  string `json:"name" form:"text,required,max=60"`
	Value int    `json:"value" form:"min=-100,max=100"`
}

// Part is one part of a target number.
type Part struct {
	Why     string `json:"why,omitempty"`
	Name    string `json:"name,omitempty"` // a name given by people
	Subject        // EP-13: the subject of an earlier result
	N       int    `json:"n"`
}

// named maps the modifiers with names in the game to their values. EP-05
var named = map[string]int{
	"very-easy": 30, "easy": 20, "slightly-easy": 10, "average": 0, "slightly-hard": -10, "hard": -20, "very-hard": -30,
	"major-boon": 30, "moderate-boon": 20, "minor-boon": 10, "even": 0, "minor-hindrance": -10,
	"moderate-hindrance": -20, "major-hindrance": -30,
	"close": -10, "loose": -20, "far": -30, // EP-16
}

// footing holds the values of a sheet that a test uses.
type footing struct {
	whose          string // "" for the acting character
	on             string
	instead        string // EP-16: what is tested, if on is a related skill
	missing        string // EP-16: the skill missing on the sheet, if it was named
	skill          bool
	kind           string // kind of the skill
	aptitude       string // "" for a rep score
	pool           string // EP-20: the pool that pays, in addition to Flex
	base           int
	specialisation string
	defaulted      bool // EP-15
	closed         bool // EP-16: doesn't allow defaulting
}

// stand returns what a test uses: a skill, an aptitude's check, a rep score, or an aptitude instead
// of a skill missing on the sheet. EP-04
func (c Character) stand(on string) (footing, bool) {
	what, name, _ := strings.Cut(on, ":")
	f := footing{on: on}
	switch what {
	case "skill":
		s, ok := c.skill(name)
		if !ok {
			return f, false
		}
		f.skill, f.kind, f.aptitude, f.base = true, s.Kind, s.Aptitude, s.Value
		if s.Value > 0 {
			f.base += c.boon(s.Aptitude) // EP-20
		}
		f.specialisation, f.closed = s.Specialisation, !s.Defaultable
	case "check":
		f.aptitude, f.base = name, 3*c.Aptitudes.Of(name) // EP-04
	case "lacking":
		f.aptitude, f.base, f.defaulted = name, c.Aptitudes.Of(name), true // EP-15
	case "rep":
		f.base = c.Rep.Of(name)
		f.pool = poolFor("")
		return f, slices.Contains(networks, name)
	}
	f.pool = poolFor(f.aptitude)
	return f, slices.Contains(aptitudes, f.aptitude)
}

// footing returns what one character's test uses. A skill of value 0 is missing, and defaults
// without being asked. EP-15, EP-16
func (a Roll) footing(c Character) (footing, error) {
	f, ok := c.stand(a.On)
	if !ok {
		return f, game.Refuse("EP-04", "eclipse.refusal.not-on-sheet")
	}
	if f.defaulted {
		f.missing = a.Missing.Name()
		if isKnownSkill(a.Missing) {
			f.missing = string(a.Missing)
		}
	}
	if a.Trained && f.defaulted { // EP-16
		return f, game.Refuse("EP-16", "eclipse.refusal.trained")
	}
	if a.Defaulting == "" && !f.lacks() {
		return f, nil
	}
	if !f.skill && !f.defaulted {
		return f, game.Refuse("EP-15", "eclipse.refusal.not-a-skill")
	}
	if f.closed {
		return f, game.Refuse("EP-16", "eclipse.refusal.no-default")
	}
	if a.Trained {
		return f, game.Refuse("EP-16", "eclipse.refusal.trained")
	}
	if a.Defaulting == "related" { // EP-16
		other, ok := c.stand(a.Related)
		if !ok || !other.skill || a.Related == a.On {
			return f, game.Refuse("EP-16", "eclipse.refusal.no-related")
		}
		other.instead, other.missing = f.on, f.missing
		return other, nil
	}
	f.base, f.defaulted, f.specialisation = c.Aptitudes.Of(f.aptitude), true, "" // EP-15
	return f, nil
}

// lesser reports whether a critical success counts only as a plain one: for defaults to an aptitude
// or to a related skill. EP-15, EP-16
func (f footing) lesser() bool { return f.defaulted || f.instead != "" }

// lacks reports whether a skill is on the sheet without a value. EP-15
func (f footing) lacks() bool { return f.skill && f.base <= 0 }

// stands returns what the test of a group uses: the best member's skill, or the worst if the group
// is hindered. A member without the skill is no help, but limits a hindered group to the aptitude.
// EP-08
func (a Roll) stands(s game.Scene) (footing, error) {
	hero, _ := sheetOf(s, s.Actor)
	chosen, err := a.footing(hero)
	if err != nil {
		return chosen, err
	}
	for _, who := range a.Group {
		c, ok := sheetOf(s, string(who))
		if !ok || string(who) == s.Actor {
			return chosen, refuseName("EP-08", "eclipse.refusal.twice", s, string(who))
		}
		f, err := a.footing(c)
		if err != nil {
			if !a.Hindered {
				continue
			}
			tested, _ := hero.stand(a.On)
			if tested.closed || a.Trained { // EP-16
				return chosen, refuseName("EP-16", "eclipse.refusal.member-no-default", s, string(who))
			}
			f, _ = c.stand("lacking:" + tested.aptitude) // EP-15
		}
		if f.base != chosen.base && a.Hindered == (f.base < chosen.base) {
			chosen = f
			chosen.whose = string(who)
		}
	}
	return chosen, nil
}

// aim is a test that is ready to be thrown.
type aim struct {
	footing
	parts   []Part
	overall bool // EP-05: the GM's one modifier includes health
	sum     int  // sum of all modifiers
	counts  int  // the part of the sum that counts
	ignored bool // EP-20
	next    bool // EP-13, EP-14: earlier results apply
	target  int
}

const (
	most  = 60 // EP-06: limit of all modifiers together
	boost = 20 // EP-20: value of a point before the throw
)

// aimAt returns the target from what a test uses and its modifiers. EP-04
func aimAt(f footing, ignored bool, parts []Part) aim {
	t := aim{footing: f, ignored: ignored}
	if len(parts) > 0 {
		t.parts = parts
	}
	for _, p := range parts {
		t.sum += p.N
	}
	t.counts = within(t.sum)
	if ignored { // EP-20
		t.counts = 0
	}
	t.target = t.base + t.counts
	return t
}

// within limits the sum of all modifiers. EP-06
func within(sum int) int { return min(most, max(-most, sum)) }

// aimPlain returns the target of a test without a sheet.
func aimPlain(a Plain, more ...Part) (aim, error) {
	t := aimAt(footing{base: a.Target, defaulted: a.Default}, false, append([]Part{{N: a.Modifier}}, more...))
	return t, tens(a.Modifier)
}

// plain returns the fields that express a target without a sheet; again holds modifiers that the
// move's own fields add anyway.
func (t aim) plain(again ...Part) Plain {
	p := Plain{Target: t.base, Modifier: t.sum, Default: t.lesser()}
	if t.ignored { // EP-20
		p.Modifier = 0
	}
	for _, part := range again {
		p.Modifier -= part.N
	}
	return p
}

// aimOf returns the target of a test by the actor's sheet. Modifiers of 0 aren't listed. The error
// is a refusal.
func aimOf(s game.Scene, a Roll, more ...Part) (aim, error) {
	f, err := a.stands(s)
	if err != nil {
		return aim{footing: f}, err
	}
	hero, _ := sheetOf(s, s.Actor)
	parts := []Part{
		{Why: "difficulty", N: named[a.Difficulty]}, // EP-05
		{Why: "situation", N: named[a.Situation]},
	}
	hurt := hero
	if f.whose != "" {
		hurt, _ = sheetOf(s, f.whose)
	}
	if a.Health == "" {
		parts = append(parts, hurt.health()...)
	}
	for _, m := range a.Also {
		parts = append(parts, Part{Name: m.Name, N: m.Value})
		if err := each(m.Value); err != nil {
			return aim{footing: f}, err
		}
	}
	if a.Specialised {
		parts = append(parts, Part{Why: "specialisation", N: 10})
	}
	parts = append(parts, Part{Why: "helpers", N: min(30, 10*len(a.With))}) // EP-17
	parts = append(parts, Part{Why: "retry", N: -10 * a.Retries})           // EP-19
	if a.Defaulting == "related" {
		parts = append(parts, Part{Why: "related", N: named[a.Distance]}) // EP-16
	}
	parts = append(parts, more...)
	for _, place := range a.Carried {
		e, ok := carriedOf(s, string(place))
		if !ok {
			return aim{footing: f}, game.Refuse("EP-13", "eclipse.refusal.not-carried")
		}
		if !e.fits(a, string(place), s) {
			refused := &game.Refusal{
				Rule: "EP-13",
				Word: "eclipse.refusal.other-subject",
				Data: data{"About": e.about()},
			}
			return aim{footing: f}, refused
		}
		parts = append(parts, e.part())
	}
	if !quiet(s, s.Actor) {
		parts = append(parts, Part{Why: "next", N: hero.next()}) // EP-13, EP-14
	}
	if a.Boost {
		parts = append(parts, Part{Why: "boost", N: boost})
	}
	t := aimAt(f, a.Ignore, slices.DeleteFunc(parts, func(p Part) bool { return p.N == 0 }))
	t.overall = a.Health != "" && len(hurt.health()) > 0
	t.next = !quiet(s, s.Actor) && slices.ContainsFunc(hero.Effects, func(e Effect) bool { return e.Kind == "next" })
	return t, nil
}

// health returns the modifiers for wounds and traumas, −10 each. EP-05
func (c Character) health() []Part {
	var parts []Part
	if c.Wounds > 0 {
		parts = append(parts, Part{Why: "wounds", N: -10 * c.Wounds})
	}
	if c.Traumas > 0 {
		parts = append(parts, Part{Why: "traumas", N: -10 * c.Traumas})
	}
	return parts
}

// allowRoll refuses tests that the rules forbid; more holds modifiers that the move adds.
func allowRoll(s game.Scene, a Roll, more ...Part) error {
	t, err := aimOf(s, a, more...)
	if err != nil {
		return err
	}
	if a.Specialised && t.specialisation == "" {
		return game.Refuse("EP-04", "eclipse.refusal.no-specialisation")
	}
	if err := allowHelpers(s, a, cmp.Or(t.whose, s.Actor)); err != nil {
		return err
	}
	if a.Boost && a.Ignore {
		return game.Refuse("EP-20", "eclipse.refusal.one-point")
	}
	switch without := t.sum - boost; { // EP-06
	case a.Boost && within(t.sum) == within(without):
		return &game.Refusal{
			Rule: "EP-20",
			Word: "eclipse.refusal.boost-lost",
			Data: data{"Sum": game.SignedNumber(without), "Most": game.SignedNumber(within(without))},
		}
	case a.Ignore && t.sum >= 0:
		return &game.Refusal{
			Rule: "EP-20",
			Word: "eclipse.refusal.ignore-lost",
			Data: data{"Sum": game.SignedNumber(t.sum)},
		}
	}
	if (a.Boost || a.Ignore) && quiet(s, s.Actor) {
		return game.Refuse("EP-09", "eclipse.refusal.secret-point")
	}
	if a.Boost || a.Ignore {
		hero, _ := sheetOf(s, s.Actor)
		_, err := hero.pays(t.footing, a.Pool)
		return err
	}
	return nil
}

// skillKindOf maps skills for which all who work together need training to their kinds, for skills
// that are on no sheet. EP-17
var skillKindOf = map[string]string{
	"hardware": "technical", "infosec": "technical", "interface": "technical", "medicine": "technical",
	"program": "technical", "research": "technical",
	"pilot": "vehicle", "know": "know",
}

// about returns the skill that a test is about, even if something else is thrown instead, and its
// kind; "" if there is none or it isn't named. EP-17
func (a Roll) about(s game.Scene) (key, kind string) {
	if key = skillOf(a.On); key == "" && strings.HasPrefix(a.On, "lacking:") {
		key = string(a.Missing)
	}
	for _, who := range append([]string{s.Actor}, form.IDs(append(slices.Clone(a.Group), a.With...)...)...) {
		c, _ := sheetOf(s, who)
		if known, ok := c.skill(key); ok && key != "" {
			return key, known.Kind
		}
	}
	return key, skillKindOf[key]
}

// untrained returns the skill that a test is about, and whether somebody lacks the training to work on
// it together with others. Whose sheet isn't visible is taken to have it. EP-17
func (a Roll) untrained(s game.Scene) (key string, lacks func(who string) bool) {
	key, kind := a.about(s)
	trained := kind == "know" || kind == "technical" || kind == "vehicle"
	return key, func(who string) bool {
		c, seen := sheetOf(s, who)
		known, _ := c.skill(key)
		return trained && seen && known.Value < professional
	}
}

// helpers returns those of the helpers who may help. EP-17
func (a Roll) helpers(s game.Scene) []form.Ref {
	_, untrained := a.untrained(s)
	if f, _ := a.stands(s); untrained(cmp.Or(f.whose, s.Actor)) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.With), func(who form.Ref) bool { return untrained(string(who)) })
}

// allowHelpers refuses helpers who can't help: if a skill needs training, all who work together
// need it, including the roller, even for a default. EP-17
func allowHelpers(s game.Scene, a Roll, roller string) error {
	key, untrained := a.untrained(s)
	for _, who := range a.With {
		if _, ok := sheetOf(s, string(who)); !ok || string(who) == s.Actor || slices.Contains(a.Group, who) {
			return refuseName("EP-17", "eclipse.refusal.twice", s, string(who))
		}
		if untrained(string(who)) {
			return refuseName("EP-17", "eclipse.refusal.helper-untrained", s, string(who))
		}
	}
	switch {
	case len(a.With) == 0:
		return nil
	case untrained(roller):
		return refuseName("EP-17", "eclipse.refusal.roller-untrained", s, roller)
	case key == "" && strings.HasPrefix(a.On, "lacking:"):
		return game.Refuse("EP-17", "eclipse.refusal.name-missing")
	}
	return nil
}

// tens refuses numbers that aren't multiples of ten. EP-05
func tens(n int) error {
	if n%10 != 0 {
		return &game.Refusal{Rule: "EP-05", Word: "eclipse.refusal.tens", Data: data{"N": n}}
	}
	return nil
}

// each refuses a single modifier that isn't a multiple of ten from −30 to +30. EP-05
func each(n int) error {
	if n < -30 || n > 30 {
		return &game.Refusal{Rule: "EP-05", Word: "eclipse.refusal.too-much", Data: data{"N": n}}
	}
	return tens(n)
}

func refuseName(id, word string, s game.Scene, who string) error {
	return &game.Refusal{Rule: id, Word: word, Data: data{"Name": s.Cast[who].Name}}
}
