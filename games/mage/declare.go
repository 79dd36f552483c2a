package mage

import (
	"slices"
	"strconv"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// Declare says how many actions a turn holds, and which. Each is made by a move
// of its own when its time comes. MG-10, MG-11
type Declare struct {
	Intents []Intent `json:"intents" form:"min=1,max=9,required"`
	Extra   int      `json:"extra" form:"max=8"` // MG-11: actions that Time magic gives
}

// Intent is one action that is declared. MG-10, MG-11
type Intent struct {
	Text string `json:"text" form:"text"`
	Kind string `json:"kind" form:"choice=action|defence|extra,set=kind-of-action"`
}

// Due is one of the actions declared for a turn, with what its place takes off
// its pool. MG-10
type Due struct {
	Text string `json:"text" form:"text"`
	Kind string `json:"kind" form:"choice=action|defence|extra,set=kind-of-action"`
	Less int    `json:"less" form:"max=20"`
	Done bool   `json:"done"`
}

// Kinds of actions in a declaration.
const (
	defence = "defence" // may come out of order, in answer to somebody. MG-10
	extra   = "extra"   // given by Time magic. MG-11
)

var declareMove = game.Define(game.MoveSpec[Declare]{
	ID: "declare", AtTable: true, Kinds: people,
	Outcomes: []game.OutcomeKind{{ID: "declared", Counts: true, Tone: game.Neutral}},
	Allow:    allowDeclare,
	Play: func(r *rule.Run, s game.Scene, a Declare) rule.Outcome { // MG-10
		hero, _ := sheetOf(s, s.Actor)
		declared := Declared{Who: s.Actor}
		if a.split() == 0 { // MG-11: beside what the turn holds already
			declared.Due = slices.Clone(hero.Actions)
		}
		declared.Due = append(declared.Due, a.due()...)
		for _, d := range declared.Due {
			if d.Kind != extra {
				declared.Split++
			}
		}
		r.Record(declared)
		return game.RecordOutcome(r, s, rule.Outcome{ID: "declared", N: len(a.Intents)})
	},
})

// split counts how many actions share the turn's one. MG-11: what Time gives
// isn't among them.
func (a Declare) split() int {
	k := 0
	for _, intent := range a.Intents {
		if intent.Kind != extra {
			k++
		}
	}
	return k
}

// due are the actions with what their places take: of k the first loses k dice,
// and each after it one more; one alone loses nothing, nor does an extra one.
// MG-10, MG-11
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

// less is what the pool of one of k actions loses that comes after so many
// others. MG-10
func less(k, before int) int {
	if k <= 1 {
		return 0
	}
	return k + before
}

// allowDeclare refuses a second declaration in a turn that is counted, one after
// an action, and more extra actions than Time gives. MG-10, MG-11, MG-30
func allowDeclare(s game.Scene, a Declare) error {
	hero, _ := sheetOf(s, s.Actor)
	switch k := a.split(); {
	case len(a.Intents)-k > a.Extra:
		return &game.Refusal{Rule: "MG-11", Word: "mage.refusal.extra", Data: data{"N": a.Extra}}
	case k == 0 || !hero.Clock.Counted:
		return nil
	case len(hero.Actions) > 0:
		return spokenFor(hero)
	case hero.Clock.Acted:
		return game.Refuse("MG-10", "mage.refusal.declare-first")
	}
	return nil
}

// inTurn tells whether a turn is under way for the character: turns are counted,
// or something that was declared is still to be done. MG-10, MG-30
func (c Character) inTurn() bool { return c.Clock.Counted || len(c.open()) > 0 }

// open are the places, from 1, of the actions that may be made now: of those
// declared the next one, and all that keep to no order. MG-10, MG-11
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

// next is the place that a move takes of which nothing is chosen, 0 for none.
func (c Character) next() int { return Taking{}.turn(c, false).at }

// turn is how a move stands in its character's turn.
type turn struct {
	at   int // the place of the declared action that it is, 0 for none
	less int // dice that its place takes. MG-10
	text string
	free bool // no action at all. MG-09

	reflex bool // since it's a reflex, which the log says. MG-10
}

// Taking names the action of a declaration that a move is; nothing chosen, it's
// the next one. MG-10
type Taking struct {
	Action string `json:"action" form:"choice,table,set=due"`
}

// turn finds the place of a move, or of what answers another's: defensive
// manoeuvres come first then. MG-10
func (t Taking) turn(c Character, answers bool) turn {
	open := c.open()
	at := 0
	if len(open) > 0 {
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

// allow refuses an action out of order, a second one in a turn for which none
// were declared, and one beyond those declared. MG-10, MG-30
func (t Taking) allow(c Character) error {
	open := c.open()
	if c.untimed { // MG-13
		return nil
	}
	if t.Action != "" && !slices.ContainsFunc(open, func(at int) bool { return strconv.Itoa(at) == t.Action }) {
		return &game.Refusal{Rule: "MG-10", Word: "mage.refusal.out-of-order", Data: data{"At": t.Action}}
	}
	switch {
	case len(open) > 0 || !c.Clock.Counted:
		return nil
	case len(c.Actions) > 0:
		return spokenFor(c)
	case c.Clock.Acted:
		return game.Refuse("MG-10", "mage.refusal.acted")
	}
	return nil
}

// allowTurn is allow, with the pool that the action's place leaves. MG-10
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

// pool is what a move of the turn rolls. MG-02, MG-10
func (t turn) pool(c Character, traits Traits) int { return max(0, c.Pool(traits)-t.less) }

// begin says that an action of the turn is under way; what is free takes none,
// and where turns aren't counted nothing needs to be kept of one that wasn't
// declared. MG-09, MG-10, MG-30
func (t turn) begin(r *rule.Run, who string, c Character) {
	if !t.free && (t.at > 0 || c.Clock.Counted) {
		r.Record(Acted{Who: who, At: t.at, Less: t.less, Text: t.text})
	}
}

// dues offers the declared actions that may be made now, first that which is
// taken where nothing is chosen. MG-10
func dues(c Character, answers bool) []form.Option {
	usual := Taking{}.turn(c, answers).at
	options := []form.Option{{Value: ""}}
	for _, place := range c.open() {
		o := form.Option{Value: strconv.Itoa(place), Text: c.Actions[place-1].placeText(place), Past: place == usual}
		if options = append(options, o); place == usual {
			options[0].Text = o.Text
		}
	}
	return options
}

// placeText names a declared action by its place and what that takes.
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
