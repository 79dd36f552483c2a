package eclipse

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Superior is the answer about a superior result: one effect, or two that may be the same. EP-13
type Superior struct {
	First  string `json:"effect" form:"choice=time|quality|quantity|detail|covertness|damage|nothing,set=effect"`
	Second string `json:"second" form:"choice=time|quality|quantity|detail|covertness|damage|nothing,set=effect"`
	Subject
}

// Critical is the GM's answer about a critical result. EP-14
type Critical struct {
	Effect string `json:"effect" form:"choice=next|double-damage|action|broken|own|nothing,set=critical"`
	Text   string `json:"text" form:"prose"`
}

// follow applies a superior or critical result of a test and records lasting effects. It returns
// how many superior effects reduce the time. A table may offer effects afterwards, or leave them to
// conversation; a task's superior effects then reduce the time until somebody chooses otherwise,
// because they determine when it's done. EP-13, EP-14, EP-24
func follow(r *rule.Run, s game.Scene, who string, of Effects, x result) int {
	if _, ok := sheetOf(s, who); !ok {
		return 0
	}
	effects := rulesOf(s).Effects
	switch {
	case quiet(s, who):
	case effects == "ask":
		return choose(r, s, who, of.On, x, of.Task != "")
	case effects == "offer":
		offerEffects(r, s, who, of, x)
	}
	if of.Task != "" {
		return x.superiors()
	}
	return 0
}

// choose asks for the effects of a result. EP-13, EP-14
func choose(r *rule.Run, s game.Scene, who, on string, x result, task bool) int {
	switch {
	case x.critical(): // EP-12: it has no superior effects
		turned := rule.Ask(r, criticalQuestion(who, x))
		critical(r, s, who, x, turned)
	case x.superiors() > 0:
		chosen := rule.Ask(r, superiorQuestion(who, on, x, task))
		return superior(r, s, who, on, x, chosen)
	}
	return 0
}

// superiorQuestion returns the question about a superior result: for the player after a success,
// for the GM after a failure. EP-13
func superiorQuestion(who, on string, x result, task bool) rule.Question[Superior] {
	var effects []form.Option
	if task { // EP-13: only tasks have time effects
		effects = append(effects, form.Option{Value: "time"})
	}
	for _, value := range []string{"quality", "quantity", "detail", "covertness"} {
		effects = append(effects, form.Option{Value: value})
	}
	if x.isSuccess() { // EP-13: only successes have damage
		effects = append(effects, form.Option{Value: "damage"})
	}
	effects = append(effects, form.Option{Value: "nothing"})
	q := rule.Question[Superior]{
		ID: "eclipse.superior", To: who,
		Form: form.Of[Superior]().With("effect", effects...).With("second", effects...).Default("about",
			subject(on).About),
		Standard: Superior{First: effects[0].Value, Second: effects[0].Value, Subject: subject(on)},
		About:    AboutResult{Who: who, Outcome: x.id()}, Weigh: []string{"effect", "second"},
	}
	if x.superiors() == 1 {
		q.Form, q.Standard.Second = q.Form.Without("second"), ""
	}
	if !x.isSuccess() {
		q.To = game.GM
	}
	return q
}

// superior records the chosen effects, including lasting ones. EP-13
func superior(r *rule.Run, s game.Scene, who, on string, x result, chosen Superior) (time int) {
	counts := []struct {
		effect string
		times  int
	}{{chosen.First, 1}, {chosen.Second, 1}}
	if chosen.First == chosen.Second { // EP-13: one effect, doubled
		counts[0].times, counts[1].effect = 2, ""
	}
	sign := -1
	if x.isSuccess() {
		sign = 1
	}
	var said Subject // written text is recorded with any effect
	if chosen.Subject != subject(on) {
		said = chosen.Subject
	}
	for _, c := range counts {
		if c.effect == "" || c.effect == "nothing" && said.About.Name() == "" {
			continue
		}
		r.Record(SuperiorTaken{Who: who, Effect: c.effect, Times: c.times, Good: x.isSuccess(), Subject: said})
		switch c.effect {
		case "time":
			time = c.times
		case "quality", "covertness": // EP-13: it lasts only for its subject
			r.Record(
				EffectGained{
					Who:    who,
					Effect: Effect{Kind: c.effect, N: 10 * sign * c.times, Subject: chosen.Subject},
					Hidden: unseen(s, who),
				},
			)
		case "damage":
			r.Record(DamageAdded{Who: who, N: r.Sum(dice.Pool{N: c.times, Sides: 6, For: "damage"})})
		}
	}
	return time
}

// criticalQuestion returns the question to the GM about a critical result. EP-14
func criticalQuestion(who string, x result) rule.Question[Critical] {
	next, action, own := Effect{Kind: "next", N: 20}, Effect{Kind: "extra-action"}, "double-damage"
	if !x.isSuccess() { // EP-14: things break only by a failure
		next, action, own = Effect{Kind: "next", N: -20}, Effect{Kind: "lost-action"}, "broken"
	}
	effects := []form.Option{next.option("next"), action.option("action"), {Value: own}}
	effects = append(effects, form.Option{Value: "own"}, form.Option{Value: "nothing"})
	return rule.Question[Critical]{
		ID: "eclipse.critical", To: game.GM, Form: form.Of[Critical]().With("effect", effects...),
		Standard: Critical{Effect: "next"}, About: AboutResult{Who: who, Outcome: x.id()},
		Check: func(a Critical) error {
			if a.Effect == "own" && a.Text == "" {
				return game.Refuse("EP-14", "eclipse.refusal.own-missing")
			}
			return nil
		},
	}
}

// critical records the GM's answer about a critical result, including lasting effects. EP-14
func critical(r *rule.Run, s game.Scene, who string, x result, turned Critical) {
	if turned.Effect != "nothing" || turned.Text != "" {
		r.Record(CriticalTaken{Who: who, Effect: turned.Effect, Good: x.isSuccess(), Text: turned.Text})
	}
	gained := EffectGained{Who: who, Hidden: unseen(s, who)}
	switch {
	case turned.Effect == "next" && x.isSuccess():
		gained.Effect = Effect{Kind: "next", N: 20}
	case turned.Effect == "next":
		gained.Effect = Effect{Kind: "next", N: -20}
	case turned.Effect == "action" && x.isSuccess():
		gained.Effect = Effect{Kind: "extra-action"}
	case turned.Effect == "action":
		gained.Effect = Effect{Kind: "lost-action"}
	default:
		return
	}
	r.Record(gained)
}

// carriedFor returns the options for lasting effects of earlier results: the character's own, those
// on the sheets of other players' characters, which everybody sees, and for the GM those on all
// sheets. EP-13
func carriedFor(s game.Scene) []form.Option {
	all := s.Ruled.All || unseen(s, s.Actor)
	bearers := []string{s.Actor}
	for _, who := range s.IDs() {
		if who != s.Actor && (all || s.Cast[who].Kind == "character") {
			bearers = append(bearers, who)
		}
	}
	options := []form.Option{}
	for _, who := range bearers {
		c, _ := sheetOf(s, who)
		for i := range c.Effects {
			place := who + "/" + strconv.Itoa(i)
			e, fits := carriedOf(s, place)
			if !fits {
				continue
			}
			o := e.option(place)
			if who != s.Actor {
				o.After += " · " + s.Cast[who].Name
			}
			options = append(options, o)
		}
	}
	return options
}

// carriedOf returns an effect by its place, "c1/0", as it applies to the actor: an effect that
// hides somebody else applies against those who search for them. EP-13
func carriedOf(s game.Scene, place string) (Effect, bool) {
	who, index, _ := strings.Cut(place, "/")
	c, _ := sheetOf(s, who)
	at, err := strconv.Atoi(index)
	if err != nil || at < 0 || at >= len(c.Effects) {
		return Effect{}, false
	}
	e := c.Effects[at]
	if e.Kind == "covertness" && who != s.Actor {
		e.N = -e.N
	}
	return e, e.Kind == "quality" || e.Kind == "covertness"
}

// fits reports whether an effect applies to a test: quality to the same subject, covertness to
// those who search for its owner. Whether subjects in people's own words match is left to the
// people. EP-13
func (e Effect) fits(a Roll, place string, s game.Scene) bool {
	who, _, _ := strings.Cut(place, "/")
	hero, _ := sheetOf(s, s.Actor)
	bearer, _ := sheetOf(s, who)
	field := slices.ContainsFunc(slices.Concat(hero.Skills, bearer.Skills), func(k Skill) bool {
		return k.Field != "" && k.Field == string(e.About)
	})
	if e.Kind == "covertness" && who != s.Actor || !isKnownSkill(e.About) && !field {
		return true
	}
	about := subject(a.On).About
	if strings.HasPrefix(a.On, "lacking:") {
		about = a.Missing
	}
	return e.About == about || skillOf(a.On) == string(e.About)
}

// about returns the name of an effect's subject.
func (e Effect) about() any {
	if isKnownSkill(e.About) {
		return game.Word("eclipse.skill." + string(e.About))
	}
	return e.About.Name()
}

// part returns an effect as a part of a target number. EP-13
func (e Effect) part() Part { return Part{Why: e.Kind, Subject: e.Subject, N: e.N} }

// bearers returns the owners of the effects that a roll uses.
func (a Roll) bearers() []string {
	var all []string
	for _, place := range a.Carried {
		who, _, _ := strings.Cut(string(place), "/")
		all = append(all, who)
	}
	return all
}

// subject returns the default subject of a test: its skill, or the field of a skill with fields.
// EP-13
func subject(on string) Subject {
	name, field, _ := strings.Cut(skillOf(on), "/")
	return Subject{form.Trait(cmp.Or(field, name))}
}

// Settle holds the arguments of the move that ends a lasting effect: an extra action taken, a lost
// one skipped, or a modifier that no longer matters. EP-14
type Settle struct {
	Effect string `json:"effect" form:"choice,set=carried,required"` // its index on the sheet: "0"
}

var settleMove = game.Define(game.MoveSpec[Settle]{
	ID: "settle", AtTable: true, Kinds: []string{"character", "npc"},
	Outcomes: []game.OutcomeKind{{ID: "settled", Tone: game.Neutral}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		options := []form.Option{}
		hero, _ := sheetOf(s, s.Actor)
		for i, e := range hero.Effects {
			options = append(options, e.option(strconv.Itoa(i)))
		}
		f = f.With("effect", options...)
		if len(options) == 1 {
			return f.Default("effect", options[0].Value)
		}
		return f
	},
	Allow: func(s game.Scene, a Settle) error {
		hero, _ := sheetOf(s, s.Actor)
		if at, err := strconv.Atoi(a.Effect); err != nil || at < 0 || at >= len(hero.Effects) {
			return game.Refuse("EP-14", "eclipse.refusal.no-effect")
		}
		return nil
	},
	Play: func(r *rule.Run, s game.Scene, a Settle) rule.Outcome {
		hero, _ := sheetOf(s, s.Actor)
		at, _ := strconv.Atoi(a.Effect)
		r.Record(EffectEnded{Who: s.Actor, At: at, Effect: hero.Effects[at], Hidden: unseen(s, s.Actor)})
		return rule.Outcome{ID: "settled"}
	},
})

// rulesOf returns the table's settings, or the defaults without a table.
func rulesOf(s game.Scene) Settings {
	rules, ok := s.Settings.(Settings)
	if !ok {
		return standard
	}
	return rules
}
