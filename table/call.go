package table

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
)

// MaxCalls is how many calls a table may have open.
const MaxCalls = 50

// Call asks for a move by a character. What its arguments name is fixed; who
// plays the character chooses the rest and makes the move.
type Call struct {
	Move      string
	Character string
	Args      json.RawMessage // any of the move's arguments
	Values    url.Values      // a plain form instead of Args: what differs from the defaults is fixed
	Text      string          // what it's about
	Key       string
}

// calls are a table's, oldest first.
type calls []*call

// call is a move that a GM has asked for.
type call struct {
	id, actor, text string
	def             *game.Move
	args            any
	fixed           []string // names of the arguments that count
	binds           bool     // a player's move must have them; older calls only ask
	withdrawn       bool
	met             uint64 // seq of the move that met it, unless that was undone
}

// moveCalled is a call. Args hold what is fixed and nothing else.
type moveCalled struct {
	ID    string          `json:"id"`
	Move  string          `json:"move"`
	Actor string          `json:"actor"`
	Args  json.RawMessage `json:"args"`
	Fixed []string        `json:"fixed"`
	Text  string          `json:"text,omitempty"`
	Binds bool            `json:"binds,omitempty"`
	args  any
}

type callWithdrawn struct {
	ID string `json:"id"`
}

func (moveCalled) Type() string    { return "table.move-called" }
func (callWithdrawn) Type() string { return "table.call-withdrawn" }

func (ev moveCalled) restore(st *state) (rule.Event, error) {
	def, ok := st.game.Move(ev.Move)
	if !ok {
		return nil, unknown("the move %q is not known", ev.Move)
	}
	for _, name := range ev.Fixed {
		if _, ok := def.Form.Field(name); !ok {
			return nil, fmt.Errorf("%s has no argument %q", ev.Move, name)
		}
	}
	var err error
	ev.args, err = def.Restore(ev.Args)
	return ev, err
}

// checkCall is the check of what a call says besides its move.
var checkCall = checking("text", func(about struct {
	Text string `json:"text" form:"text"`
},
) string {
	return about.Text
})

func callFor(e eye, c Call) (draft, error) {
	def, err := mayCall(e, c.Move, c.Character)
	if err != nil {
		return draft{}, err
	}
	player := e // of what the player doesn't know, nothing can be fixed
	if owner := e.st.seats.of(e.st.characters.of(c.Character).owner); owner != nil {
		player = eyeOf(e.st, owner, e.voice.Speaker)
	}
	f := fittedForm(player, def, c.Character).Stated()
	args, fixed, err := fixedArgs(c, def, f)
	if err != nil {
		return draft{}, within("args", err)
	}
	return draftActs(e, KindCall, moveCalled{
		ID: e.st.calls.next(), Move: def.ID, Actor: c.Character, Args: f.Only(fixed...).JSON(args), Fixed: fixed, Text: checkCall.kept(c.Text), Binds: true, args: args,
	})
}

// mayCall finds a move that the seat may ask a character's player for.
func mayCall(e eye, move, character string) (*game.Move, error) {
	if err := byGM(e); err != nil {
		return nil, err
	}
	def, err := mayMake(e, move, character)
	if err == nil && (def.GMOnly || character == "") {
		err = noChoice("move", move, nil)
	}
	return def, err
}

func (ev moveCalled) judge(p *proposal) error {
	if err := byGM(p.eye); err != nil {
		return err
	}
	if err := cmp.Or(same(ev.ID, p.st.calls.next()), checkCall.hold(ev.Text)); err != nil {
		return err
	}
	if len(p.st.callsOpen()) >= MaxCalls {
		return &TooManyError{What: "calls", Max: MaxCalls}
	}
	if !ev.Binds && !p.old() {
		return misfit(MisfitRefused, data{"Problem": ev.ID})
	}
	if _, err := own(p.eye, "character", ev.Actor); err != nil {
		return err
	}
	return p.rules(func() error {
		def, err := mayCall(p.eye, ev.Move, ev.Actor)
		if err != nil {
			return err
		}
		return bounded(def, def.Form.For(form.AtTable).Only(ev.Fixed...), ev.Args)
	})
}

func (ev moveCalled) fold(st *state, _ *record) {
	def, _ := st.game.Move(ev.Move)
	st.calls = append(slices.Clip(st.calls), &call{id: ev.ID, actor: ev.Actor, text: ev.Text, def: def, args: ev.args, fixed: ev.Fixed, binds: ev.Binds})
}

// lines tell of a call to those who see its character.
func (ev moveCalled) lines(e eye) []Line {
	c := e.st.calls.of(ev.ID)
	if c == nil || !e.sees(ev.Actor) {
		return nil
	}
	f := c.def.Form.Only(c.fixed...)
	args := e.without(f.Fields, f.Fill(c.args))
	what := e.word("move", c.def.ID)
	if said := saidOf(e, c, args); len(said) > 0 {
		what += " (" + strings.Join(said, " · ") + ")"
	}
	words := data{"Name": e.name(ev.Actor), "Move": what, "Text": ev.Text}
	word := "move-called"
	if ev.Text != "" {
		word = "move-called-for"
	}
	return e.line(ev, word, words, data{"id": ev.ID, "move": ev.Move, "character": ev.Actor, "args": args, "text": ev.Text})
}

// fixed reads which arguments are fixed, and to what.
func fixedArgs(c Call, def *game.Move, f *form.Form) (args any, fixed []string, err error) {
	if c.Values != nil {
		return differingArgs(c, def, f)
	}
	data := c.Args
	if data == nil {
		data = json.RawMessage("{}")
	}
	given := members(data)
	for _, field := range f.Fields {
		if given[field.Name] != nil {
			fixed = append(fixed, field.Name)
		}
	}
	args, err = def.Decode(f.Only(fixed...), data)
	return args, fixed, err
}

// differing reads what differs from the defaults in a plain form, and what is
// always said. What has to be given and isn't is left to the player.
func differingArgs(c Call, def *game.Move, f *form.Form) (any, []string, error) {
	chosen := url.Values{}
	var fixed []string
	for _, field := range f.Fields {
		one, sent := f.Only(field.Name), url.Values{}
		for name, texts := range c.Values {
			if name == field.Name || strings.HasPrefix(name, field.Name+".") {
				sent[name] = texts
			}
		}
		usual, err := def.Decode(one, []byte("{}"))
		given, wrong := def.Values(one, sent)
		if wrong != nil {
			if problems, ok := wrong.(form.Problems); ok && err != nil && problems[0].Code == form.Missing {
				continue
			}
			return nil, nil, wrong
		}
		if always := field.Said && len(sent) > 0; !always && err == nil && reflect.DeepEqual(one.Fill(given), one.Fill(usual)) {
			continue
		}
		fixed = append(fixed, field.Name)
		for name, texts := range sent {
			chosen[name] = texts
		}
	}
	args, err := def.Values(f.Only(fixed...), chosen)
	return args, fixed, err
}

func withdraw(e eye, id string) (draft, error) {
	return draftActs(e, KindCall, callWithdrawn{ID: id})
}

func (ev callWithdrawn) judge(p *proposal) error {
	if err := byGM(p.eye); err != nil {
		return err
	}
	if !slices.ContainsFunc(p.st.callsOpen(), func(c *call) bool { return c.id == ev.ID }) {
		return noChoice("call", ev.ID, nil)
	}
	return nil
}

func (ev callWithdrawn) fold(st *state, _ *record) {
	st.alterCall(ev.ID, func(c *call) { c.withdrawn = true })
}

func (ev callWithdrawn) lines(e eye) []Line {
	c := e.st.calls.of(ev.ID)
	if c == nil || !e.sees(c.actor) {
		return nil
	}
	return e.line(ev, "call-withdrawn", data{"Name": e.name(c.actor), "Move": e.word("move", c.def.ID)}, data{"id": ev.ID})
}

func (all calls) next() string { return "call" + strconv.Itoa(len(all)+1) }

// callsOpen are those that wait for their move, oldest first.
func (st *state) callsOpen() []*call {
	var open []*call
	for _, c := range st.calls {
		actor := st.characters.of(c.actor)
		if !c.withdrawn && (c.met == 0 || st.undone.by(c.met) > 0) && actor != nil && !actor.removed {
			open = append(open, c)
		}
	}
	return open
}

// of is the call with an id, open or not; nil for none.
func (all calls) of(id string) *call {
	if i := slices.IndexFunc(all, func(c *call) bool { return c.id == id }); i >= 0 {
		return all[i]
	}
	return nil
}

// alterCall changes a call, if there is such a one.
func (st *state) alterCall(id string, change func(*call)) {
	st.calls = altered(st.calls, slices.IndexFunc(st.calls, func(c *call) bool { return c.id == id }), change)
}

// meet takes a move for the oldest open call that it meets.
func (st *state) meet(m *move) {
	if m.secret {
		return
	}
	for _, c := range st.callsOpen() {
		if c.metBy(m.def, m.actor, m.args) {
			st.alterCall(c.id, func(c *call) { c.met = m.seq })
			return
		}
	}
}

func (c *call) metBy(def *game.Move, actor string, args any) bool {
	if def.ID != c.def.ID || actor != c.actor {
		return false
	}
	f := c.def.Form.Only(c.fixed...)
	return reflect.DeepEqual(f.Fill(args), f.Fill(c.args))
}

// ruled is what of a move's arguments stands by a game master's word, as it's opened.
func (st *state) ruled(def *game.Move, actor string, args any, own bool) game.Ruled {
	if own {
		return game.Ruled{All: true}
	}
	for _, c := range st.callsOpen() {
		if c.metBy(def, actor, args) {
			return game.Ruled{Asked: true, Fixed: c.fixed}
		}
	}
	return game.Ruled{}
}

// callsTo are the open calls that bind a move of a character.
func callsTo(st *state, def *game.Move, actor string) []*call {
	return slices.DeleteFunc(st.callsOpen(), func(c *call) bool { return !c.binds || c.def.ID != def.ID || c.actor != actor })
}

// called are a request's arguments with what is fixed by the call that they can
// meet, the oldest where they leave it open; who fits none has them as they came.
func calledArgs(e eye, def *game.Move, r Request, f *form.Form) json.RawMessage {
	var given map[string]json.RawMessage
	if r.Secret || json.Unmarshal(orNothing(r.Args), &given) != nil || given == nil {
		return orNothing(r.Args)
	}
	for _, c := range callsTo(e.st.state, def, r.Character) {
		var fixed map[string]json.RawMessage
		if err := json.Unmarshal(c.def.Form.Only(c.fixed...).JSON(c.args), &fixed); err != nil {
			continue
		}
		for name := range fixed {
			if _, offered := f.Field(name); !offered {
				delete(fixed, name)
			}
		}
		maps.Copy(fixed, given)
		data := encoded(fixed)
		if args, err := def.Decode(f, data); err == nil && c.metBy(def, r.Character, args) {
			return data
		}
	}
	return orNothing(r.Args)
}

// asIsAsked refuses a player's move that the game master has asked for otherwise.
func asIsAsked(e eye, a attempt) error {
	calls := callsTo(e.st.state, a.def, a.scene.Actor)
	if e.viewer.IsGM() || len(calls) == 0 ||
		slices.ContainsFunc(calls, func(c *call) bool { return c.metBy(a.def, a.scene.Actor, a.args) }) {
		return nil
	}
	args := e.without(calls[0].def.Form.Fields, calls[0].def.Form.Fill(calls[0].args))
	return refused("asked", data{"Move": e.word("move", a.def.ID), "Asked": strings.Join(saidOf(e, calls[0], args), " · ")})
}

// CallShown is a call as a seat sees it: GMs all that are open, a player those
// to the characters that they play.
type CallShown struct {
	ID        string         `json:"id"`
	Move      string         `json:"move"` // its id in the rules, "check"
	Name      string         `json:"name"` // in the reader's language
	Character string         `json:"character"`
	Text      string         `json:"text"`  // what it's about
	Args      map[string]any `json:"args"`  // what is fixed
	Fixed     []string       `json:"fixed"` // the same by name
	Said      []string       `json:"said"`  // the same in words
	Values    url.Values     `json:"-"`     // the same as a page holds it
}

func callsSeen(e eye) []CallShown {
	shown := []CallShown{}
	for _, c := range e.st.callsOpen() {
		if !e.sees(c.actor) || !e.plays(c.actor) {
			continue
		}
		f := c.def.Form.Only(c.fixed...)
		args := e.without(f.Fields, f.Fill(c.args))
		shown = append(shown, CallShown{
			ID: c.id, Move: c.def.ID, Name: e.word("move", c.def.ID), Character: c.actor, Text: c.text,
			Args: args, Fixed: append([]string{}, c.fixed...), Said: append([]string{}, saidOf(e, c, args)...), Values: f.Inputs(c.args),
		})
	}
	return shown
}

// said words what a call fixes. What is chosen off a sheet, such as a skill, is
// said to who plays the character, and to nobody else.
func saidOf(e eye, c *call, args map[string]any) []string {
	f := c.def.Form
	if e.plays(c.actor) {
		f = fittedForm(e, c.def, c.actor)
	}
	return e.st.game.Choices(e.voice, f.Only(c.fixed...).Told(), args)
}
