package godbound

import (
	"slices"
	"strconv"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Aim is at whom a gift, a miracle or a foe's power is turned.
type Aim struct {
	Targets []form.Ref `json:"targets" form:"max=20"`
	Several bool       `json:"several"`                                      // everybody of a group, not the one in front
	Save    string     `json:"save" form:"choice=|hardiness|evasion|spirit"` // what lets them escape it
	Text    string     `json:"text" form:"prose"`
	Fight   form.Ref   `json:"fight"`
}

// working is one use of a power: what it is called, what it takes and what it
// does.
type working struct {
	kind    string // "gift", "miracle", "power"
	name    string // of the gift, the Word or the foe's power
	use     string // GB-23, for a miracle
	timing  string // "instant", "on-turn", "action"
	cost    Commitment
	free    bool // it costs no Effort
	harm    *blow
	hinders bool
	aim     Aim
}

var worked = []game.OutcomeKind{
	{ID: "works", Tone: game.Good},
	{ID: "dispelled", Tone: game.Bad},
	{ID: "resisted", Tone: game.Bad},
}

// allow refuses a working that the actor can't do now. GB-02, GB-18
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
		if err := mayCommit(s, w.cost); err != nil {
			return err
		}
	}
	return mayWork(s, w.aim.Fight, w.timing)
}

// mayWork refuses what can't be used now: an action that is gone, or in
// somebody else's turn what goes in one's own. An instant always may. GB-02
func mayWork(s game.Scene, fight form.Ref, timing string) error {
	switch timing {
	case "action":
		return mayAct(s, fight, takes{action: true})
	case "on-turn":
		return mayAct(s, fight, takes{turn: true})
	}
	return nil
}

// play is the whole of a working: what it costs, what those it's aimed at set
// against it, side by side, and what it does to the others.
func (w working) play(r *rule.Run, s game.Scene) rule.Outcome {
	c := on(r, s)
	c.tell(Invoked{Who: s.Actor, Kind: w.kind, Name: w.name, Use: w.use, Text: w.aim.Text, Targets: refs(w.aim.Targets)})
	c.spend(w.aim.Fight, takes{action: w.timing == "action"})
	if !w.free {
		c.commit(s.Actor, w.cost)
	}
	targets := refs(w.aim.Targets)
	parts := make([]func(*rule.Run) string, len(targets))
	for i, who := range targets {
		parts[i] = func(r *rule.Run) string { return c.part(r).meet(w, who) }
	}
	fates := rule.Together(r, parts...)
	result := rule.Outcome{ID: summary(fates)}
	r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
	if result.ID != "works" {
		return result
	}
	if w.harm != nil {
		w.strike(c, targets, fates)
	}
	if w.hinders {
		for i, who := range targets {
			if fates[i] == "works" {
				c.tell(Hindered{Who: who, By: w.name, Text: w.aim.Text})
			}
		}
	}
	return result
}

// strike throws a working's harm once, for all whom it reaches.
func (w working) strike(c cast, targets, fates []string) {
	points := c.roll(*w.harm, c.s.Actor, c.s.Actor)
	var parts []func(*rule.Run) bool
	for i, who := range targets {
		if fates[i] == "works" {
			parts = append(parts, func(r *rule.Run) bool {
				c.part(r).harm(who, points, w.aim.Several || len(targets) > 1)
				return true
			})
		}
	}
	rule.Together(c.r, parts...)
}

// summary is how a working came out over all: it works if it reaches anybody,
// or was aimed at nobody.
func summary(fates []string) string {
	switch {
	case len(fates) == 0 || slices.Contains(fates, "works"):
		return "works"
	case slices.Contains(fates, "dispelled"):
		return "dispelled"
	}
	return "resisted"
}

// meet is what one target sets against a working: a gift or a dispelling of
// the target's own, then a save. GB-07, GB-21, GB-22
func (c cast) meet(w working, who string) string {
	c.r.By(who)
	if options := c.defences(who); c.hostile(w, who) && len(options) > 1 {
		d := rule.Ask(c.r, rule.Question[Defend]{
			ID: "godbound.defend", To: who, Form: defendForm.With("with", options...),
			About: AboutWorking{Who: c.s.Actor, At: who, Kind: w.kind, Name: w.name, Use: w.use, Text: w.aim.Text},
			Check: func(d Defend) error {
				if d.With != "" && d.How == "" { // GB-22
					return game.Refuse("GB-22", "godbound.refusal.say-how")
				}
				return nil
			},
		})
		if d.With != "" {
			c.defend(who, d)
			return "dispelled"
		}
	}
	if w.aim.Save != "" && c.save(who, w.aim.Save, 0) {
		return "resisted"
	}
	return "works"
}

// hostile tells whether there's something for the target to be asked: between
// heroes only if the working does harm.
func (c cast) hostile(w working, who string) bool {
	_, foe := c.foe(c.s.Actor)
	_, atFoe := c.foe(who)
	return who != c.s.Actor && (foe || atFoe || w.harm != nil || w.hinders || w.aim.Save != "")
}

// Defend is what somebody sets against a gift or a miracle that is aimed at
// them. GB-21, GB-22
type Defend struct {
	With string `json:"with" form:"choice"` // "word:0", "gift:2", "own" for a foe; "" for nothing
	How  string `json:"how" form:"prose"`
}

var defendForm = form.Of[Defend]()

// defences are what somebody can set against a working: instant gifts, and
// Words to dispel it by while Effort is free. GB-02, GB-21, GB-22
func (c cast) defences(who string) []form.Option {
	options := []form.Option{{Value: ""}}
	effort, _ := c.effort(who)
	hero, ok := c.hero(who)
	if !ok {
		if effort.Free() > 0 {
			options = append(options, form.Option{Value: "own"})
		}
		return options
	}
	if hero.Helpless() || hero.Dead() {
		return options
	}
	for i, g := range hero.Gifts {
		if g.Action == "instant" && (g.Cost == "" || effort.Free() > 0 && !effort.holds("gift", g.Name)) {
			options = append(options, form.Option{Value: "gift:" + strconv.Itoa(i), Text: g.Name, Group: "godbound.with.gifts"})
		}
	}
	if effort.Free() > 0 {
		for i, w := range hero.Words {
			options = append(options, form.Option{Value: "word:" + strconv.Itoa(i), Text: w.Name, Group: "godbound.with.words"})
		}
	}
	return options
}

// defend pays for a defence and tells it. In a clash the defending gift wins
// over the attacking one. GB-21; a dispelling is a miracle of the defender's
// Word and costs Effort to the end of the day. GB-22
func (c cast) defend(who string, d Defend) {
	kind, place, _ := strings.Cut(d.With, ":")
	at, _ := strconv.Atoi(place)
	hero, _ := c.hero(who)
	e := Dispelled{Who: who, How: d.How}
	switch kind {
	case "gift":
		gift := hero.Gifts[at]
		if gift.Cost != "" {
			c.commit(who, Commitment{For: gift.Name, Purpose: "gift", Until: gift.Cost})
		}
		e.Gift = gift.Name
	case "word":
		c.commit(who, Commitment{For: hero.Words[at].Name, Purpose: "dispel", Until: "day"})
		e.Word = hero.Words[at].Name
	default:
		c.commit(who, Commitment{Purpose: "dispel", Until: "day"})
	}
	c.tell(e)
}

// UseGift uses a gift of the sheet. GB-02
type UseGift struct {
	Gift string `json:"gift" form:"choice,required"` // its place on the sheet
	Dice string `json:"dice" form:"text,dice"`       // if it does harm
	Harm string `json:"harm" form:"choice=chart|straight"`
	Aim
}

var giftMove = game.Define(game.Of[UseGift]{
	ID: "gift", AtTable: true, Kinds: []string{"hero"}, Outcomes: worked,
	Cast: func(_ game.Scene, a UseGift) []string { return a.cast() },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		gifts := make([]string, len(hero.Gifts))
		for i, g := range hero.Gifts {
			gifts[i] = g.Name
		}
		return fitFight(s, offer(f, "gift", gifts).With("targets", afoot(s, "foe", "hero")...))
	},
	Allow: func(s game.Scene, a UseGift) error {
		if a.Dice != "" {
			if _, err := readBlow(a.Dice, 0, a.Harm == "straight"); err != nil {
				return err
			}
		}
		return a.working(s).allow(s)
	},
	Play: func(r *rule.Run, s game.Scene, a UseGift) rule.Outcome { return a.working(s).play(r, s) },
})

// offer gives a field a choice of the places in a list; where there's but one,
// it's the usual.
func offer(f *form.Form, field string, names []string) *form.Form {
	options := places(names...)
	f = f.With(field, options...)
	if len(options) == 1 {
		return f.Default(field, options[0].Value)
	}
	return f
}

func wordsOf(hero Hero) []string {
	words := make([]string, len(hero.Words))
	for i, w := range hero.Words {
		words[i] = w.Name
	}
	return words
}

func (a Aim) cast() []string { return refs(a.Targets, []form.Ref{a.Fight}) }

func (a UseGift) working(s game.Scene) working {
	hero, _ := game.Sheet[Hero](s, s.Actor)
	at, _ := strconv.Atoi(a.Gift)
	gift := hero.Gifts[at]
	return working{
		kind: "gift", name: gift.Name, timing: gift.Action, aim: a.Aim, free: gift.Cost == "",
		cost: Commitment{For: gift.Name, Purpose: "gift", Until: gift.Cost},
		harm: harming(a.Dice, a.Harm),
	}
}

// harming reads a power's dice, nil for none.
func harming(text, how string) *blow {
	if text == "" {
		return nil
	}
	b := must(text, 0, how == "straight")
	return &b
}

// Miracle is a use of a Word without a gift. GB-23
type Miracle struct {
	Word  string `json:"word" form:"choice,required"` // its place on the sheet
	Use   string `json:"use" form:"choice=harm|guard|resist|hinder|make|gift|alter|wall|show"`
	Guard string `json:"protection" form:"choice=armour|immunity"`
	To    string `json:"to" form:"text"` // what an immunity is against
	Until string `json:"until" form:"choice=day|scene|sustained"`
	Aim
}

// Uses are the nine things that a miracle can do. GB-23
var Uses = []string{"harm", "guard", "resist", "hinder", "make", "gift", "alter", "wall", "show"}

var miracleMove = game.Define(game.Of[Miracle]{
	ID: "miracle", AtTable: true, Kinds: []string{"hero"}, Outcomes: worked,
	Cast: func(_ game.Scene, a Miracle) []string { return a.cast() },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		return fitFight(s, offer(f, "word", wordsOf(hero)).With("targets", afoot(s, "foe", "hero")...))
	},
	Allow: func(s game.Scene, a Miracle) error { // GB-23
		switch {
		case (a.Use == "harm" || a.Use == "hinder") && len(a.Targets) == 0:
			return game.Refuse("GB-23", "godbound.refusal.no-target")
		case a.Use == "guard" && a.Guard == "immunity" && a.To == "":
			return game.Refuse("GB-23", "godbound.refusal.immune-to")
		}
		return a.working(s).allow(s)
	},
	Play: func(r *rule.Run, s game.Scene, a Miracle) rule.Outcome {
		result := a.working(s).play(r, s)
		if a.Use == "guard" && result.ID == "works" {
			r.Tell(Guarded{Who: s.Actor, Protection: a.Guard, To: a.To})
		}
		return result
	},
})

// working is a miracle with its numbers: harm to one is a d8 a level, to
// several a d6 for every two levels, rounded up. What attacks or weakens is
// an action, the rest is instant. GB-03, GB-23
func (a Miracle) working(s game.Scene) working {
	hero, _ := game.Sheet[Hero](s, s.Actor)
	at, _ := strconv.Atoi(a.Word)
	word := hero.Words[at].Name
	w := working{
		kind: "miracle", name: word, use: a.Use, timing: "instant", aim: a.Aim,
		cost: Commitment{For: word, Purpose: "miracle", Until: a.Until},
	}
	if a.Use == "harm" || a.Use == "hinder" { // GB-03
		w.timing = "action"
	}
	if a.Use == "harm" {
		b := miracleHarm(hero.Level, a.Several || len(a.Targets) > 1)
		w.harm = &b
	}
	w.hinders = a.Use == "hinder"
	return w
}

// miracleHarm are the dice of a harming miracle. GB-23
func miracleHarm(level int, several bool) blow {
	if several {
		return blow{pool: dice.Pool{N: (level + 1) / 2, Sides: 6, For: "damage"}}
	}
	return blow{pool: dice.Pool{N: level, Sides: 8, For: "damage"}}
}

// Power is what a foe does beyond plain blows.
type Power struct {
	Name string `json:"name" form:"text,required"`
	Does string `json:"does" form:"choice=harm|hinder|else"`
	Dice string `json:"dice" form:"text,dice,default=1d8"`
	Harm string `json:"harm" form:"choice=chart|straight"`
	Aim
	Timing string `json:"timing" form:"choice=action|on-turn|instant"`
	Cost   string `json:"cost" form:"choice=|sustained|scene|day,set=until"`
}

var powerMove = game.Define(game.Of[Power]{
	ID: "power", GMOnly: true, AtTable: true, Kinds: []string{"foe"}, Outcomes: worked,
	Cast: func(_ game.Scene, a Power) []string { return a.cast() },
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		return fitFight(s, f.With("targets", afoot(s, "hero")...))
	},
	Allow: func(s game.Scene, a Power) error {
		if _, err := readBlow(a.Dice, 0, false); err != nil && a.Does == "harm" {
			return err
		}
		return a.working().allow(s)
	},
	Play: func(r *rule.Run, s game.Scene, a Power) rule.Outcome { return a.working().play(r, s) },
})

func (a Power) working() working {
	w := working{
		kind: "power", name: a.Name, timing: a.Timing, aim: a.Aim, free: a.Cost == "", hinders: a.Does == "hinder",
		cost: Commitment{For: a.Name, Purpose: "gift", Until: a.Cost},
	}
	if a.Does == "harm" {
		w.harm = harming(a.Dice, a.Harm)
	}
	return w
}

// Dispel is a defence against something that the GM only told of. GB-22
type Dispel struct {
	Threat string `json:"threat" form:"choice=gift|miracle|blow|hazard"`
	AtMe   bool   `json:"at-me" form:"default=true"`
	Word   string `json:"word" form:"choice,required"` // its place on the sheet
	How    string `json:"how" form:"prose"`
}

var dispelMove = game.Define(game.Of[Dispel]{
	ID: "dispel", AtTable: true, Kinds: []string{"hero"}, Outcomes: []game.OutcomeKind{{ID: "dispelled", Tone: game.Good}},
	Fit: func(s game.Scene, f *form.Form) *form.Form {
		hero, _ := game.Sheet[Hero](s, s.Actor)
		return offer(f, "word", wordsOf(hero))
	},
	Allow: func(s game.Scene, a Dispel) error { // GB-22
		if err := awake(s); err != nil {
			return err
		}
		switch {
		case a.Threat == "blow" || a.Threat == "hazard":
			return game.Refuse("GB-22", "godbound.refusal.not-dispelled", "Threat", game.Word("godbound.threat."+a.Threat))
		case !a.AtMe:
			return game.Refuse("GB-22", "godbound.refusal.not-aimed")
		case a.How == "":
			return game.Refuse("GB-22", "godbound.refusal.say-how")
		}
		return mayCommit(s, Commitment{Purpose: "dispel"})
	},
	Play: func(r *rule.Run, s game.Scene, a Dispel) rule.Outcome {
		result := rule.Outcome{ID: "dispelled"}
		on(r, s).defend(s.Actor, Defend{With: "word:" + a.Word, How: a.How})
		r.Tell(game.Resolved{Who: s.Actor, Outcome: result})
		return result
	},
})
