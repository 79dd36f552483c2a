package mage

import (
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Declare holds the arguments of the move that declares the number and kinds of actions in a turn.
// Each action is made by its own move later. MG-10, MG-11
type Declare struct {
	Intents []Intent `json:"intents" form:"min=1,max=9,required"`
	// MG-11: how many actions Time magic gives; 0 for as many as are declared. Older clients send it.
	Extra int `json:"extra" form:"max=8,beside=extra:1|2|3|4|5|6|7|8"`
}

// Intent is one declared action. MG-10, MG-11
type Intent struct {
	Text string `json:"text" form:"text"`
	Kind string `json:"kind" form:"choice=action|defence|extra,set=kind-of-action"`
}

// Due is a declared action that is still to be made, with the dice that its place in the turn
// costs. MG-10
type Due struct {
	Text string `json:"text" form:"text"`
	Kind string `json:"kind" form:"choice=action|defence|extra,set=kind-of-action"`
	Less int    `json:"less" form:"max=20"`
	Done bool   `json:"done"`
}

// Kinds of declared actions.
const (
	defence = "defence" // MG-10: may be made out of order, as an answer to somebody
	extra   = "extra"   // MG-11: given by Time magic
)

var declareMove = game.Define(game.MoveSpec[Declare]{
	ID: "declare", AtTable: true, Kinds: people,
	Outcomes: []game.OutcomeKind{{ID: "declared", Counts: true, Tone: game.Neutral}},
	Allow:    allowDeclare,
	Play: func(r *rule.Run, s game.Scene, a Declare) rule.Outcome { // MG-10
		hero, _ := sheetOf(s, s.Actor)
		declared := Declared{Who: s.Actor, Due: append(hero.kept(a.split() > 0), a.due()...)}
		for _, d := range declared.Due {
			if d.Kind != extra {
				declared.Split++
			}
		}
		r.Record(declared)
		return game.RecordOutcome(r, s, rule.Outcome{ID: "declared", N: len(a.Intents)})
	},
})

// kept returns the actions of this turn that a further declaration leaves as they are: the extra
// ones, which come on top of it, and without a split all others. MG-11
func (c Character) kept(split bool) []Due {
	return slices.DeleteFunc(slices.Clone(c.Actions), func(d Due) bool {
		return split && (d.Kind != extra || d.Done && !c.Clock.Counted)
	})
}

// split returns the number of actions that share the turn's one action. MG-11: extra actions don't
// count.
func (a Declare) split() int {
	k := 0
	for _, intent := range a.Intents {
		if intent.Kind != extra {
			k++
		}
	}
	return k
}

// due returns the actions with what their places cost: of k actions the first loses k dice, and
// each later one loses one more. A single action loses nothing, nor does an extra one. MG-10, MG-11
func (a Declare) due() []Due {
	var all []Due
	k, before := a.split(), 0
	for _, intent := range a.Intents {
		d := Due{Text: intent.Text, Kind: intent.Kind}
		if d.Kind != extra {
			d.Less = less(k, before)
			before++
		}
		all = append(all, d)
	}
	return all
}

// less returns how many dice the pool of one of k actions loses that follows that many others.
// MG-10
func less(k, before int) int {
	if k <= 1 {
		return 0
	}
	return k + before
}

// allowDeclare refuses a second declaration in a counted turn, one after an action, and more extra
// actions than Time magic gives. MG-10, MG-11, MG-30
func allowDeclare(s game.Scene, a Declare) error {
	hero, _ := sheetOf(s, s.Actor)
	switch k := a.split(); {
	case a.Extra > 0 && len(a.Intents)-k > a.Extra:
		return &game.Refusal{Rule: "MG-11", Word: "mage.refusal.extra", Data: data{"N": a.Extra}}
	case k == 0 || !hero.Clock.Counted:
		return nil
	case hero.splits() > 0:
		return spokenFor(hero)
	case hero.Clock.Acted:
		return game.Refuse("MG-10", "mage.refusal.declare-first")
	}
	return nil
}

// inTurn reports whether the character is in a turn: because turns are counted, or because declared
// actions are still to be made. MG-10, MG-30
func (c Character) inTurn() bool { return c.Clock.Counted || len(c.open()) > 0 }

// open returns the places, from 1, of the actions that may be made now: the next one in order, and
// all that may be made out of order. MG-10, MG-11
func (c Character) open() []int {
	var places []int
	next := false
	for i, d := range c.Actions {
		ordered := d.Kind != defence && d.Kind != extra
		if d.Done || ordered && next {
			continue
		}
		next = next || ordered
		places = append(places, i+1)
	}
	return places
}

// splits returns the number of declared actions that share the turn's one action. MG-11: extra ones
// don't.
func (c Character) splits() int {
	return len(slices.DeleteFunc(slices.Clone(c.Actions), func(d Due) bool { return d.Kind == extra }))
}

// hasOwn reports whether the one action of a counted turn is still to be made, undeclared. MG-10,
// MG-11
func (c Character) hasOwn() bool { return c.Clock.Counted && !c.Clock.Acted && c.splits() == 0 }

// isSpent reports whether a counted turn leaves no action. MG-10, MG-11
func (c Character) isSpent() bool { return c.Clock.Counted && !c.hasOwn() && len(c.open()) == 0 }

// next returns the place of a move for which none is chosen, 0 for none.
func (c Character) next() int { return Taking{}.turn(c, false).at }

// turn is the place of a move in its character's turn.
type turn struct {
	at   int // place of the declared action, 0 for none
	less int // MG-10: dice that the place costs
	text string
	free bool // MG-09: not an action

	reflex bool // MG-10: free because it's a reflex, which the log mentions
}

// Taking holds the choice of the declared action that a move is. Without a choice it's the next
// one. MG-10
type Taking struct {
	Action string `json:"action" form:"choice,table,set=due"`
}

// turn returns the place of a move. For one that answers another, defensive manoeuvres are chosen
// first. The turn's own action comes before extra ones. MG-10, MG-11
func (t Taking) turn(c Character, answers bool) turn {
	open := c.open()
	at := 0
	if len(open) > 0 && !c.hasOwn() {
		at = open[0]
	}
	for _, place := range slices.Backward(open) { // the first that fits
		if kind := c.Actions[place-1].Kind; answers && kind == defence || !answers && kind != defence && kind != extra {
			at = place
		}
	}
	if chosen, err := strconv.Atoi(t.Action); err == nil {
		at = chosen
	}
	if at < 1 || at > len(c.Actions) {
		return turn{}
	}
	d := c.Actions[at-1]
	return turn{at: at, less: d.Less, text: d.Text}
}

// allow refuses an action out of order, a second one in a turn without a declaration, and one
// beyond those declared. MG-10, MG-30
func (t Taking) allow(c Character) error {
	open := c.open()
	if c.untimed { // MG-13
		return nil
	}
	if t.Action != "" && !slices.ContainsFunc(open, func(at int) bool { return strconv.Itoa(at) == t.Action }) {
		return &game.Refusal{Rule: "MG-10", Word: "mage.refusal.out-of-order", Data: data{"At": t.Action}}
	}
	switch {
	case !c.isSpent():
		return nil
	case c.splits() > 0:
		return spokenFor(c)
	}
	return game.Refuse("MG-10", "mage.refusal.acted")
}

// allowTurn is like allow, but also checks the pool that the action's place leaves. MG-10
func (t Taking) allowTurn(c Character, traits Traits, answers bool) error {
	if err := t.allow(c); err != nil {
		return err
	}
	if at := t.turn(c, answers); c.Pool(traits) > 0 && c.Pool(traits) <= at.less {
		return &game.Refusal{
			Rule: "MG-10",
			Word: "mage.refusal.reduced",
			Data: data{"At": at.at, "N": c.Pool(traits) - at.less},
		}
	}
	return nil
}

func spokenFor(c Character) error {
	return &game.Refusal{Rule: "MG-10", Word: "mage.refusal.declared", Data: data{"N": len(c.Actions)}}
}

// pool returns the dice of a move in the turn. MG-02, MG-10
func (t turn) pool(c Character, traits Traits) int { return max(0, c.Pool(traits)-t.less) }

// begin records that an action of the turn is made. A free one doesn't count, and if turns aren't
// counted an undeclared one needs no record. MG-09, MG-10, MG-30
func (t turn) begin(r *rule.Run, who string, c Character) {
	if !t.free && (t.at > 0 || c.Clock.Counted) {
		r.Record(Acted{Who: who, At: t.at, Less: t.less, Text: t.text})
	}
}

// dues returns the options for the declared actions that may be made now, with the default first.
// MG-10
func dues(c Character, answers bool) []form.Option {
	usual := Taking{}.turn(c, answers).at
	options := []form.Option{{Value: ""}}
	if c.hasOwn() { // MG-11
		options[0].Word = "mage.due.own"
	}
	for _, place := range c.open() {
		o := form.Option{Value: strconv.Itoa(place), Text: c.Actions[place-1].placeText(place), Past: place == usual}
		if options = append(options, o); place == usual {
			options[0].Text = o.Text
		}
	}
	return options
}

// placeText describes a declared action by its place and the dice that costs.
func (d Due) placeText(place int) string {
	text := strconv.Itoa(place) + "."
	if d.Text != "" {
		text += " " + d.Text
	}
	if d.Less > 0 {
		text += " −" + strconv.Itoa(d.Less)
	}
	return text
}
