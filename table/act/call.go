package act

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// moveCalled is a call. Args has only the fixed arguments.
type moveCalled struct {
	byMasters
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
	byMasters
	ID string `json:"id"`
}

func (moveCalled) Type() string { return "table.move-called" }

func (callWithdrawn) Type() string { return "table.call-withdrawn" }

func (ev moveCalled) Restore(st *state.State) (rule.Event, error) {
	def, ok := st.Game.Move(ev.Move)
	if !ok {
		return nil, refusal.Unknown("the move %q is not known", ev.Move)
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

// checkCall checks the text of a call.
var checkCall = checking("text", func(about struct {
	Text string `json:"text" form:"text"`
},
) string {
	return about.Text
})

// CallRequest asks for a move with a character. The arguments in it are fixed; the character's
// player chooses the rest and makes the move.
type CallRequest struct {
	Move      string          `json:"move" form:"text,required"`
	Character form.Ref        `json:"character" form:"required"`
	Text      string          `json:"text" form:"text"` // the reason, in the GM's words
	Args      json.RawMessage `json:"-" part:"args"`    // some of the move's arguments
	// a plain form instead of Args: what differs from the defaults is fixed
	Values url.Values `json:"-" part:"values"`
}

// CallMove asks a player for a move. A call binds: until it's met or withdrawn, that player's moves
// of the kind with that character have the fixed arguments, and a move without them gets them. The
// next such move meets the call; undoing that move opens it again.
var CallMove = Define(Spec[CallRequest, view.Entry]{
	Name: "call-move", Op: "call",
	Route: Route{
		Method: "POST", Path: "/calls", Tag: "moves", Body: "CallRequest",
		Parts: map[string]Part{"args": {
			Schema: map[string]any{
				"type": "object", "default": map[string]any{},
				"description": "any of the move's arguments: these are fixed",
			},
			Unsent: json.RawMessage("{}"),
		}},
		Summary: "Ask a player for a move",
		Text: "Only a game master may. The arguments given are fixed, such as a difficulty; who plays the character chooses the rest " +
			"and makes the move. Open calls stand in the view and bind: a move that leaves these arguments out gets them, a player's with " +
			"others is refused, and the character's next move with them meets the call.",
		Example: map[string]any{
			"move": "check", "character": "c1", "args": map[string]any{"difficulty": 1}, "text": "Over the wet roof",
			"key": "77c1",
		},
	},
	Key: func(r CallRequest) any {
		return struct {
			Move, Character string
			Args            json.RawMessage
			Values          url.Values
			Text, Key       string
		}{r.Move, string(r.Character), r.Args, r.Values, r.Text, ""}
	},
	Build: func(c Call, r CallRequest) (ledger.Draft, error) { return callMove(c.Eye, r) },
})

// callMove builds the entry of a call.
func callMove(e *visibility.Eye, c CallRequest) (ledger.Draft, error) {
	actor := string(c.Character)
	def, err := mayCall(e, c.Move, actor)
	if err != nil {
		return ledger.Draft{}, err
	}
	player := e // a call can't fix what the player doesn't know
	if owner := e.Table.Seats.Of(e.Table.Characters.Of(actor).Owner); owner != nil {
		player = visibility.Of(e.Table, owner, e.Voice.Speaker)
	}
	f := callForm(player, def, actor)
	args, fixed, err := fixedArgs(c, def, f)
	if err != nil {
		return ledger.Draft{}, refusal.Within("args", err)
	}
	return draft(e, view.KindCall, moveCalled{
		ID: e.Table.Calls.Next(), Move: def.ID, Actor: actor, Args: f.Only(fixed...).JSON(args), Fixed: fixed,
		Text: checkCall.keep(c.Text), Binds: true, args: args,
	})
}

// mayCall returns a move that the seat may ask a character's player for.
func mayCall(e *visibility.Eye, move, character string) (*game.Move, error) {
	if err := requireGM(e); err != nil {
		return nil, err
	}
	def, err := MayMake(e, move, character)
	if err == nil && (def.GMOnly || character == "") {
		err = refusal.NoChoice("move", move, nil)
	}
	if err == nil {
		err = refuseHidden(e.Table.Characters.Of(character))
	}
	return def, err
}

func (ev moveCalled) judge(p *Proposal) error {
	if err := cmp.Or(refusal.Same(ev.ID, p.Table.Calls.Next()), checkCall.hold(ev.Text)); err != nil {
		return err
	}
	if len(p.Table.CallsOpen()) >= request.MaxCalls {
		return &refusal.TooManyError{What: "calls", Max: request.MaxCalls}
	}
	if !ev.Binds && !p.old() {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": ev.ID})
	}
	if _, err := ownCharacter(p.Eye, "character", ev.Actor); err != nil {
		return err
	}
	return p.Rules(func() error {
		def, err := mayCall(p.Eye, ev.Move, ev.Actor)
		if err != nil {
			return err
		}
		return CheckBounds(def, def.Form.For(form.AtTable).Only(ev.Fixed...), ev.Args)
	})
}

func (ev moveCalled) Fold(st *state.State, _ *state.Record) {
	def, _ := st.Game.Move(ev.Move)
	st.Calls = append(slices.Clip(st.Calls),
		&state.Call{
			ID: ev.ID, Actor: ev.Actor, Text: ev.Text, Def: def, Args: ev.args, Fixed: ev.Fixed,
			Binds: ev.Binds,
		})
}

// Lines shows a call to the seats that see its character.
func (ev moveCalled) Lines(e *visibility.Eye) []view.Line {
	c := e.Table.Calls.Of(ev.ID)
	if c == nil || !e.Sees(ev.Actor) {
		return nil
	}
	f := c.Def.Form.Only(c.Shown(e.Viewer.IsGM())...)
	args := e.WithoutUnseen(f.Fields, f.Fill(c.Args))
	what := e.Word("move", c.Def.ID)
	if said := CallWords(e, c, args); len(said) > 0 {
		what += " (" + strings.Join(said, " · ") + ")"
	}
	words := view.Data{"Name": e.Name(ev.Actor), "Move": what, "Text": ev.Text}
	word := "move-called"
	if ev.Text != "" {
		word = "move-called-for"
	}
	return e.Line(ev, word, words,
		view.Data{"id": ev.ID, "move": ev.Move, "character": ev.Actor, "args": args, "text": ev.Text})
}

// fixedArgs reads which arguments a call fixes, and their values.
func fixedArgs(c CallRequest, def *game.Move, f *form.Form) (args any, fixed []string, err error) {
	if c.Values != nil {
		return differingArgs(c, def, f)
	}
	data := OrNothing(c.Args)
	given := state.Members(data)
	for _, field := range f.Fields {
		if given[field.Name] != nil {
			fixed = append(fixed, field.Name)
		}
	}
	args, err = def.Decode(f.Only(fixed...), data)
	return args, fixed, err
}

// differingArgs reads from a plain form the arguments that differ from the defaults, and those that
// must always be given. A required argument without a value is left to the player.
func differingArgs(c CallRequest, def *game.Move, f *form.Form) (any, []string, error) {
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
		if always := (field.Said || field.Fixed) && len(sent) > 0; !always && err == nil &&
			reflect.DeepEqual(one.Fill(given), one.Fill(usual)) {
			continue
		}
		fixed = append(fixed, field.Name)
		maps.Copy(chosen, sent)
	}
	args, err := def.Values(f.Only(fixed...), chosen)
	return args, fixed, err
}

// WithdrawRequest names an open call.
type WithdrawRequest struct {
	Call string `json:"call" form:"text,required"`
}

// WithdrawCall withdraws a call.
var WithdrawCall = Define(Spec[WithdrawRequest, view.Entry]{
	Name: "withdraw-call", Op: "withdraw",
	Route: Route{
		Method: "POST", Path: "/withdraw", Tag: "moves", Body: "WithdrawRequest",
		Summary: "Take back what a player was asked for", Text: "Only a game master may.",
		Example: map[string]any{"call": "call1", "key": "1f08"},
	},
	Key: func(r WithdrawRequest) any { return r.Call },
	Build: func(c Call, r WithdrawRequest) (ledger.Draft, error) {
		return draft(c.Eye, view.KindCall, callWithdrawn{ID: r.Call})
	},
})

func (ev callWithdrawn) judge(p *Proposal) error {
	if !slices.ContainsFunc(p.Table.CallsOpen(), func(c *state.Call) bool { return c.ID == ev.ID }) {
		return refusal.NoChoice("call", ev.ID, nil)
	}
	return nil
}

func (ev callWithdrawn) Fold(st *state.State, _ *state.Record) {
	st.Calls = st.Calls.With(ev.ID, func(c *state.Call) { c.Withdrawn = true })
}

func (ev callWithdrawn) Lines(e *visibility.Eye) []view.Line {
	c := e.Table.Calls.Of(ev.ID)
	if c == nil || !e.Sees(c.Actor) {
		return nil
	}
	return e.Line(ev, "call-withdrawn", view.Data{"Name": e.Name(c.Actor), "Move": e.Word("move", c.Def.ID)},
		view.Data{"id": ev.ID})
}

// CallWords puts into words what a call fixes. Choices from a sheet, such as a skill, are only
// shown to seats that play the character.
func CallWords(e *visibility.Eye, c *state.Call, args map[string]any) []string {
	f := c.Def.Form
	if e.Plays(c.Actor) {
		f = MoveForm(e, c.Def, c.Actor)
	}
	return e.Table.Game.Choices(e.Voice, f.Only(c.Shown(e.Viewer.IsGM())...).WithAllGiven(), args)
}
