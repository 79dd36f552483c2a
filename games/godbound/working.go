package godbound

import (
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Aim holds the arguments about the targets of a gift, a miracle or a foe's power.
type Aim struct {
	Targets []form.Ref `json:"targets" form:"max=20"`
	Several bool       `json:"several"`                                      // everybody in a group, not only the one in front
	Save    string     `json:"save" form:"choice=|hardiness|evasion|spirit"` // the save by which targets escape
	SaveMod int        `json:"save-modifier,omitempty" form:"min=-20,max=20,beside=save"`
	Of      string     `json:"of,omitempty" form:"text"` // GB-23: the kind of harm that immunities are checked for
	Text    string     `json:"text" form:"prose"`
	Fight   form.Ref   `json:"fight"`
}

// Unseen holds what odds assume of foes whose sheets aren't visible. GB-30
type Unseen struct {
	AC   int `json:"foe-ac" form:"min=-20,max=20,default=9,assumed"`
	Save int `json:"foe-save" form:"min=2,max=20,default=15,assumed"`
}

// working is one use of a power: its name, its cost and its effects.
type working struct {
	kind    string // "gift", "miracle", "power"
	name    string // name of the gift, the Word or the foe's power
	use     string // GB-23, for a miracle
	timing  string // "instant", "on-turn", "action"
	cost    Commitment
	free    bool // it costs no Effort, or is already paid for
	rolls   bool // it must hit
	bonus   int  // bonus of the attack roll
	harm    *blow
	hinders bool
	guard   string // GB-23: the protection that it gives
	to      string
	lasts   *Made // GB-23: what it makes, alters or raises
	aim     Aim
	unseen  Unseen
}

var (
	worked = []game.OutcomeKind{
		{ID: "damage", Counts: true, Tone: game.Good},
		{ID: "works", Tone: game.Good},
		{ID: "dispelled", Tone: game.Bad},
		{ID: "immune", Tone: game.Bad},
		{ID: "resisted", Tone: game.Bad},
		{ID: "missed", Tone: game.Bad},
	}
	workedHeadlines = []game.Headline{{ID: "works", Outcomes: []string{"damage", "works"}}}
)

// cast returns the characters that a working reads or changes.
func (a Aim) cast(s game.Scene) []string { return refs(a.Targets, []form.Ref{fightOf(s, a.Fight)}) }

// hostile reports whether a working attacks or weakens somebody: it does harm, hinders or requires
// a save, or has a target on the other side. GB-03
func (w working) hostile(s game.Scene) bool {
	if len(w.aim.Targets) == 0 {
		return false
	}
	return w.harm != nil || w.hinders || w.aim.Save != "" ||
		slices.ContainsFunc(refs(w.aim.Targets), func(who string) bool { return areOpponents(s, s.Actor, who) })
}

// allow refuses a working that the actor can't use now. GB-02, GB-18
func (w working) allow(s game.Scene) error {
	if err := awake(s); err != nil {
		return err
	}
	for _, who := range refs(w.aim.Targets) {
		if err := alive(s, who); err != nil {
			return err
		}
	}
	if !w.free {
		if err := mayCommit(s); err != nil {
			return err
		}
	}
	return mayWork(s, w.aim.Fight, w.timing)
}

// mayWork refuses what can't be used now: without an action left, or outside of one's own turn. An
// instant is always allowed. GB-02
func mayWork(s game.Scene, fight form.Ref, timing string) error {
	switch timing {
	case "action":
		return mayAct(s, fight, takes{action: true})
	case "on-turn":
		return mayAct(s, fight, takes{turn: true})
	}
	return nil
}

// price returns what odds show of a working: the targets that it affects, and its harm by the
// chart. GB-30
func (w working) price(r *rule.Run, s game.Scene) rule.Outcome {
	c := on(r, s)
	fates := w.fates(c)
	if id := summary(fates); id != "works" || w.harm == nil || len(fates) == 0 {
		return rule.Outcome{ID: id}
	}
	return rule.Outcome{ID: "damage", N: w.harm.points(r)}
}

// fates returns what the targets do against it, in parallel.
func (w working) fates(c cast) []string {
	targets := refs(w.aim.Targets)
	parts := make([]func(*rule.Run) string, len(targets))
	for i, who := range targets {
		parts[i] = func(r *rule.Run) string { return c.part(r).meet(w, who) }
	}
	return rule.Together(c.r, parts...)
}

// play plays a working: its cost, the defences against it, and its effects on its targets.
func (w working) play(r *rule.Run, s game.Scene) rule.Outcome {
	c := on(r, s)
	targets := refs(w.aim.Targets)
	c.tell(Invoked{Who: s.Actor, Kind: w.kind, Name: w.name, Use: w.use, Text: w.aim.Text, Targets: targets})
	c.spend(w.aim.Fight, takes{action: w.timing == "action"})
	point := 0
	if !w.free {
		w.cost.Use, w.cost.Note = w.use, shorten(w.aim.Text)
		point = c.commit(s.Actor, w.cost)
	} else if w.cost.Until == "sustained" {
		point = c.sustainedPoint(s.Actor, w.cost)
	}
	if w.use != "guard" && w.lasts == nil && !slices.Contains(targets, s.Actor) { // their own sheet may still change
		c.leave(w.aim.Fight)
	}
	fates := w.fates(c)
	lost := point > 0 && !c.holdsPoint(s.Actor, point) // GB-18: what its Effort pays for ended meanwhile
	result := rule.Outcome{ID: summary(fates)}
	if result.ID != "works" {
		if w.harm != nil { // thrown together with the attack, and not needed
			r.Discard(w.harm.pool)
		}
		return game.RecordOutcome(r, s, result)
	}
	if w.harm != nil && len(targets) > 0 {
		result = rule.Outcome{ID: "damage", N: c.roll(*w.harm, s.Actor, s.Actor)}
	}
	r.Record(game.Resolved{Who: s.Actor, Outcome: result})
	if result.ID == "damage" {
		w.strike(c, targets, fates, result.N)
	}
	if w.hinders {
		bound := Hindered{By: w.name, Text: w.aim.Text, Worker: s.Actor, Point: point}
		if point == 0 { // GB-18: it depends only on the scene
			bound.Ends = "scene"
		}
		for i, who := range targets {
			if fates[i] == "works" {
				hero, _ := c.hero(who)
				bound.Who, bound.Fury = who, hero.State == "fury"
				c.tell(bound)
			}
		}
	}
	if lost {
		return result
	}
	if w.use == "guard" {
		c.tell(Guarded{Who: s.Actor, Protection: w.guard, To: w.to, Point: point})
	}
	if w.lasts != nil { // GB-18: as long as its Effort
		w.lasts.Point = point
		c.tell(Raised{Who: s.Actor, Made: *w.lasts})
	}
	return result
}

// sustainedPoint returns the number of the point that already sustains something.
func (c cast) sustainedPoint(who string, cost Commitment) int {
	effort, _ := c.effort(who)
	for _, each := range effort.Committed {
		if each.Purpose == cost.Purpose && each.For == cost.For && each.Until == "sustained" {
			return each.N
		}
	}
	return 0
}

// holdsPoint reports whether a character's point of Effort is still committed.
func (c cast) holdsPoint(who string, point int) bool {
	effort, _ := c.effort(who)
	return c.sheets[who] == nil || slices.ContainsFunc(effort.Committed, func(each Commitment) bool { return each.N == point })
}

// isInstant reports whether the working can be used at any time: it takes no action, and harms no
// hero while another move asks whether that hero falls. GB-02, GB-17
func (w working) isInstant(s game.Scene) bool {
	return w.timing != "action" && (w.harm == nil || !slices.ContainsFunc(refs(w.aim.Targets), func(who string) bool {
		hero, ok := game.Sheet[Hero](s, who)
		return ok && hero.State == "" && hero.RemainingHP() == 0
	}))
}

// strike applies a working's harm, thrown once, to everybody affected.
func (w working) strike(c cast, targets, fates []string, points int) {
	var parts []func(*rule.Run) bool
	for i, who := range targets {
		if fates[i] == "works" {
			parts = append(parts, func(r *rule.Run) bool {
				c := c.part(r)
				if _, foe := c.foe(who); foe {
					c.harm(who, points, w.aim.Several || len(targets) > 1)
				} else {
					c.strikeDown(who, points) // GB-29
				}
				return true
			})
		}
	}
	rule.Together(c.r, parts...)
}

// summary returns the outcome of a working over all targets: it works if it affects anybody, or has
// no target.
func summary(fates []string) string {
	if len(fates) == 0 {
		return "works"
	}
	for _, fate := range []string{"works", "dispelled", "immune", "resisted"} {
		if slices.Contains(fates, fate) {
			return fate
		}
	}
	return "missed"
}

// meet returns what becomes of a working for one target: its AC, an immunity, a gift or a
// dispelling of its own, then a save, of which a mob throws one for all its heads. GB-07, GB-21,
// GB-22, GB-23, GB-29
func (c cast) meet(w working, who string) string {
	if w.rolls && !c.hits(w, who) {
		return "missed"
	}
	about := AboutWorking{
		Who:  c.s.Actor,
		At:   who,
		Kind: w.kind,
		Name: w.name,
		Use:  w.use,
		Text: w.aim.Text,
		Of:   w.aim.Of,
	}
	if c.hostile(w, who) {
		if c.isImmune(who, w.aim.Of, about) {
			return "immune"
		}
		if len(c.defences(who)) > 1 && c.defends(who, about) {
			return "dispelled"
		}
	}
	if w.aim.Save != "" && c.escapes(w, who, about) {
		return "resisted"
	}
	return "works"
}

// hits makes the roll to hit somebody. GB-09; a helpless target is hit. GB-16
func (c cast) hits(w working, who string) bool {
	ac, helpless := defenceOf(c.sheets[who])
	if c.sheets[who] == nil {
		ac = w.unseen.AC
	}
	if helpless {
		return true
	}
	pool := d20("attack")
	if c.s.Cast[c.s.Actor].Kind == "foe" {
		pool.For = "foe-attack"
	}
	return c.r.Count(pool, toHit(w.bonus, ac)) == 1
}

// escapes throws the save by which a target escapes. GB-07, GB-29
func (c cast) escapes(w working, who string, about AboutWorking) bool {
	game.NameRoller(c.r, c.s, who)
	if c.sheets[who] == nil {
		return c.r.Count(d20("save"), natural(w.unseen.Save-w.aim.SaveMod)) == 1
	}
	return c.save(who, w.aim.Save, -w.aim.SaveMod, &about)
}

// hostile reports whether the target must be asked: among characters of one side only if the
// working does harm.
func (c cast) hostile(w working, who string) bool {
	return who != c.s.Actor && (areOpponents(c.s, c.s.Actor, who) || w.harm != nil || w.hinders || w.aim.Save != "")
}

// Defend is the answer how somebody counters a gift or a miracle aimed at them. GB-21, GB-22
type Defend struct {
	With string `json:"with" form:"choice"` // "up:0", "gift:2", "word:1", "own"; "" for nothing
	How  string `json:"how" form:"prose,for=with"`
}

// defends asks a player how they counter a working, and the GM whether that works. GB-21, GB-22
func (c cast) defends(who string, about AboutWorking) bool {
	d := rule.AskAnew(c.r, func() rule.Question[Defend] {
		return rule.Question[Defend]{
			ID: "godbound.defend", To: who, Form: form.Of[Defend]().With("with", c.defences(who)...), About: about,
			Check: func(d Defend) error {
				if d.With != "" && !strings.HasPrefix(d.With, "up:") && d.How == "" { // GB-22
					return game.Refuse("GB-22", "godbound.refusal.say-how")
				}
				return nil
			},
		}
	})
	return d.With != "" && c.defend(who, d)
}

// nods asks the GM whether a hero's defence counters the threat; nothing is paid before. GB-22
func (c cast) nods(who string, with Dispelled) bool {
	rules, _ := c.s.Settings.(Settings)
	if _, foe := c.foe(who); foe || !rules.GMNods {
		return true
	}
	return rule.Ask(c.r, rule.Question[Verdict]{
		ID: "godbound.nod", To: game.GM, Standard: Verdict{true},
		About: AboutDefence{Who: who, Word: with.Word, Gift: with.Gift, How: with.How},
	}).Yes
}

// defences returns the options against a working: first gifts in effect, then instant gifts, Words
// and other abilities while Effort is free. GB-02, GB-21, GB-22
func (c cast) defences(who string) []form.Option {
	options := []form.Option{{Value: ""}}
	effort, foe := c.effort(who)
	hero, _ := c.hero(who)
	if hero.Dead() {
		return options
	}
	for i, e := range effort.Committed { // GB-21: isn't paid for again
		if e.Purpose == "gift" && e.Until == "sustained" {
			options = append(
				options,
				form.Option{Value: "up:" + strconv.Itoa(i), Text: e.For, Group: "godbound.with.up"},
			)
		}
	}
	if hero.Helpless() {
		return options
	}
	options = append(options, hero.giftOptions(func(g Gift) bool {
		return g.Action == "instant" && !effort.sustains("gift", g.Name) && (g.Cost == "" || effort.Free() > 0)
	})...)
	if effort.Free() == 0 {
		return options
	}
	if !foe {
		options = append(options, hero.wordOptions()...)
	}
	return append(options, form.Option{Value: "own"})
}

// giftOptions returns the options for a hero's gifts that want accepts.
func (h Hero) giftOptions(want func(Gift) bool) []form.Option {
	var options []form.Option
	for i, g := range h.Gifts {
		if want(g) {
			options = append(
				options,
				form.Option{Value: "gift:" + strconv.Itoa(i), Text: g.Name, Group: "godbound.with.gifts"},
			)
		}
	}
	return options
}

// wordOptions returns the options for a hero's Words.
func (h Hero) wordOptions() []form.Option {
	return game.EachAt(h.Words, func(i int, w Named) form.Option {
		return form.Option{Value: "word:" + strconv.Itoa(i), Text: w.Name, Group: "godbound.with.words"}
	})
}

// defence returns how a working is countered, and the cost: nothing for a gift in effect, a gift's
// own price, otherwise Effort until the end of the day. GB-21, GB-22
func (c cast) defence(who string, d Defend) (with Dispelled, cost Commitment) {
	kind, place, _ := strings.Cut(d.With, ":")
	at, _ := strconv.Atoi(place)
	hero, _ := c.hero(who)
	effort, _ := c.effort(who)
	with = Dispelled{Who: who, How: d.How}
	switch kind {
	case "up":
		with.Gift = effort.Committed[at].For
	case "gift":
		gift := hero.Gifts[at]
		with.Gift = gift.Name
		if price, free := gift.price(effort); !free {
			cost = price
		}
	case "word":
		with.Word = hero.Words[at].Name
		cost = Commitment{For: with.Word, Purpose: "dispel", Until: "day"}
	default:
		cost = Commitment{Purpose: "dispel", Until: "day"}
	}
	return with, cost
}

// defend pays for a defence and records it, and reports whether it works: if the GM nods and what it
// takes wasn't spent meanwhile. In a clash the defending gift wins over the attacking one. GB-21
func (c cast) defend(who string, d Defend) bool {
	with, cost := c.defence(who, d)
	up := strings.HasPrefix(d.With, "up:")
	if !c.nods(who, with) {
		return false
	}
	effort, _ := c.effort(who)
	if up && !effort.sustains("gift", with.Gift) || cost.Until != "" && effort.Free() == 0 {
		return false
	}
	if cost.Until != "" {
		c.commit(who, cost)
	}
	c.tell(with)
	return true
}

// Dispel holds the arguments of a defence against something that the GM only described: by a gift,
// a Word or another ability. GB-22
type Dispel struct {
	Threat string `json:"threat" form:"choice=gift|miracle|blow|hazard"`
	AtMe   bool   `json:"at-me" form:"default=true"`
	Word   string `json:"word" form:"choice,required"` // as in Defend: "word:0"; the first edition had only an index
	How    string `json:"how" form:"prose"`
}

var dispelMove = game.Define(game.MoveSpec[Dispel]{
	ID: "dispel", AtTable: true, Kinds: []string{"hero"},
	Instant:  func(game.Scene, Dispel) bool { return true }, // GB-02, GB-22
	Outcomes: []game.OutcomeKind{{ID: "dispelled", Tone: game.Good}, {ID: "unblocked", Tone: game.Bad}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		c := on(nil, s)
		options := c.defences(s.Actor)[1:]
		if hero.Effort.Free() == 0 { // if named, the rule refuses them with a reason
			for _, o := range append(hero.wordOptions(), form.Option{Value: "own"}) {
				o.Past = true
				options = append(options, o)
			}
		}
		return f.With("word", options...).Default("word", firstOf(options))
	},
	Allow: func(s game.Scene, a Dispel) error { // GB-22
		if err := awake(s); err != nil {
			return err
		}
		switch {
		case a.Threat == "blow" || a.Threat == "hazard":
			return game.Refuse(
				"GB-22",
				"godbound.refusal.not-dispelled",
				"Threat",
				game.Word("godbound.threat."+a.Threat),
			)
		case !a.AtMe:
			return game.Refuse("GB-22", "godbound.refusal.not-aimed")
		case a.How == "":
			return game.Refuse("GB-22", "godbound.refusal.say-how")
		}
		if _, cost := on(nil, s).defence(s.Actor, a.defend()); cost.Until == "" {
			return nil
		}
		return mayCommit(s)
	},
	Play: func(r *rule.Run, s game.Scene, a Dispel) rule.Outcome {
		c, result := on(r, s), rule.Outcome{ID: "dispelled"}
		if !c.defend(s.Actor, a.defend()) {
			result.ID = "unblocked"
		}
		return game.RecordOutcome(r, s, result)
	},
})

func (a Dispel) defend() Defend { return Defend{With: a.Word, How: a.How} }
