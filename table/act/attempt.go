package act

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Attempt is a move before any roll.
type Attempt struct {
	Def    *game.Move
	Args   any
	Cast   []string // includes the actor
	secret bool
	Scene  game.Scene
	Known  game.Scene // the part of it that the seat sees, for its odds
	Form   *form.Form // that the seat was offered
	Offer  string     // id of the offer that the move takes
}

// anyAttempt reads a request, whether its arguments are allowed or not. Its errors are those of
// Make, without *BusyError.
func anyAttempt(e *visibility.Eye, r request.Move) (Attempt, error) {
	taken, err := takeOffer(e, &r)
	if err != nil {
		return Attempt{}, err
	}
	def, err := mayMake(e, r.Move, r.Character, taken != nil)
	if err != nil {
		return Attempt{}, err
	}
	if actor := e.Table.Characters.Of(r.Character); actor != nil {
		r.Character = actor.ID // the state's string: the request's shouldn't stay in memory as long as the table
	}
	seen, here := e.Characters(), publicCharacters(e.Table.State)
	scene := e.Table.Scene(r.Character, seen)
	scene.Ruled.All = e.Viewer.IsGM()
	f := offering(def, scene, seen)
	var args any
	switch {
	case taken != nil: // a rule has fixed it
		args = taken.Args
	case r.Values != nil:
		args, err = def.Values(f, r.Values)
	default:
		args, err = def.Decode(f, calledArgs(e, def, r, f))
	}
	if err != nil {
		return Attempt{}, refusal.Within("args", err)
	}
	if !e.Viewer.IsGM() && taken == nil {
		for _, c := range callsTo(e.Table.State, def, r.Character) {
			if completed, met := c.Completes(def, r.Character, args); met {
				args = completed
				break
			}
		}
	}
	if plain, ok := args.(game.Notation); ok && plain.As == "" {
		plain.As = e.Table.Values.Notation
		args = plain
	}
	a := Attempt{Def: def, Args: args, Form: f, Offer: r.Offer}
	whole := scene
	if whole.Ruled = (game.Ruled{}); len(seen) != len(here) {
		whole = e.Table.Scene(r.Character, here)
	}
	asked := append([]string{r.Character}, def.Cast(whole, args)...)
	if e.Viewer.IsGM() && (r.Secret || slices.ContainsFunc(asked, func(id string) bool {
		return isHidden(e.Table.State, id)
	})) {
		// the move will be secret, so hidden characters may take part
		whole = e.Table.Scene(r.Character, e.Table.Characters.Here())
		asked = append([]string{r.Character}, def.Cast(whole, args)...)
	}
	a.Cast = asked[:0]
	for _, id := range asked {
		if _, here := whole.Cast[id]; here && !slices.Contains(a.Cast, id) {
			a.Cast = append(a.Cast, id)
		}
	}

	a.Scene = whole // made for this attempt, so this may change it
	maps.DeleteFunc(a.Scene.Cast, func(id string, _ game.Member) bool { return !slices.Contains(a.Cast, id) })
	a.secret = r.Secret || e.Viewer.IsGM() && unseenByPlayers(e.Table.State, a.Cast)
	a.Scene.Secret = a.secret
	a.Scene.Ruled = e.Table.RuledArgs(def, r.Character, args, e.Viewer.IsGM())
	return a, nil
}

// AllowedAttempt returns an attempt that the rules allow by the current sheets.
func AllowedAttempt(e *visibility.Eye, r request.Move) (Attempt, error) {
	a, err := anyAttempt(e, r)
	if err == nil {
		err = checkCalled(e, a)
	}
	if err == nil {
		err = refusal.Within("args", a.Def.Allow(a.Scene, a.Args))
	}
	return a, err
}

// freeAttempt returns an attempt that the rules allow and whose characters no open move blocks. It
// also returns the secret moves that the attempt cancels, and the seat's view without them.
func freeAttempt(e *visibility.Eye, r request.Move) (Attempt, []*state.Move, *visibility.Eye, error) {
	var yields []*state.Move
	for {
		a, err := AllowedAttempt(e, r)
		if err != nil {
			return a, nil, e, err
		}
		free, gone, err := makeWayFor(e, inWayOf(e, isInstant(a)), a.Cast...)
		if err != nil || len(gone) == 0 {
			return a, yields, e, err
		}
		e, yields = free, append(yields, gone...) // again, because sheets are as before the cancelled moves
	}
}

// KnownAttempt returns an attempt that the rules allow by what the seat knows: asking for odds must
// not reveal sheets that the seat doesn't see.
func KnownAttempt(e *visibility.Eye, r request.Move) (Attempt, error) {
	a, err := anyAttempt(e, r)
	if err == nil {
		a.Known = e.SceneAhead(a.Def, e.KnownScene(a.Scene))
		err = refusal.Within("args", a.Def.Allow(a.Known, a.Args))
	}
	return a, err
}

// publicCharacters returns the characters that can take part in a public move: those at the table
// that aren't hidden.
func publicCharacters(st *state.State) state.Characters {
	return slices.DeleteFunc(st.Characters.Here(), func(c *state.Character) bool { return c.Hidden })
}

// unseenByPlayers reports whether a move must be secret: it's about a hidden character, or only
// about sheets of which even their own player would see nothing.
func unseenByPlayers(st *state.State, cast []string) bool {
	if slices.ContainsFunc(cast, func(id string) bool { return isHidden(st, id) }) {
		return true
	}
	for _, id := range cast {
		c := st.Characters.Of(id)
		if st.Game.View.SeesSheet(game.Viewer{Role: game.Player, Owns: map[string]bool{id: true}}, st.Settings, id,
			c.Sheet) {
			return false
		}
	}
	return len(cast) > 0
}

// calledArgs returns a request's arguments, completed by what a call fixes: the oldest call that
// doesn't contradict them. Without one they stay as they are.
func calledArgs(e *visibility.Eye, def *game.Move, r request.Move, f *form.Form) json.RawMessage {
	calls := callsTo(e.Table.State, def, r.Character)
	var given map[string]json.RawMessage
	if r.Secret || len(calls) == 0 || json.Unmarshal(OrNothing(r.Args), &given) != nil || given == nil {
		return OrNothing(r.Args)
	}
	for _, c := range calls {
		var fixed map[string]json.RawMessage
		if err := json.Unmarshal(c.Def.Form.Only(c.Fixed...).JSON(c.Args), &fixed); err != nil {
			continue
		}
		for name := range fixed {
			if _, offered := f.Field(name); !offered {
				delete(fixed, name)
			}
		}
		maps.Copy(fixed, given)
		data := state.JSON(fixed)
		if args, err := def.Decode(f, data); err == nil {
			if _, met := c.Completes(def, r.Character, args); met {
				return data
			}
		}
	}
	return OrNothing(r.Args)
}

// checkCalled refuses a player's move if the game master has called for it with other arguments.
func checkCalled(e *visibility.Eye, a Attempt) error {
	calls := callsTo(e.Table.State, a.Def, a.Scene.Actor)
	if e.Viewer.IsGM() || a.Offer != "" || len(calls) == 0 ||
		slices.ContainsFunc(calls, func(c *state.Call) bool { return c.MetBy(a.Def, a.Scene.Actor, a.Args) }) {
		return nil
	}
	args := e.WithoutUnseen(calls[0].Def.Form.Fields, calls[0].Def.Form.Fill(calls[0].Args))
	return refusal.Refuse("asked",
		view.Data{"Move": e.Word("move", a.Def.ID), "Asked": strings.Join(CallWords(e, calls[0], args), " · ")})
}

// callsTo returns the open calls that bind a character's move.
func callsTo(st *state.State, def *game.Move, actor string) []*state.Call {
	return slices.DeleteFunc(st.CallsOpen(), func(c *state.Call) bool {
		return !c.Binds || c.Def.ID != def.ID || c.Actor != actor
	})
}

// MoveForm returns the form of a move with the choices of this table: those of the game, and the
// characters that the seat sees.
func MoveForm(e *visibility.Eye, def *game.Move, actor string) *form.Form {
	seen := e.Characters()
	scene := e.Table.Scene(actor, seen)
	scene.Ruled.All = e.Viewer.IsGM()
	return Arrange(e, offering(def, scene, seen), actor)
}

// callForm returns the form of a call to a player: the choices are those that the player knows, and
// the fields for game masters only are in it.
func callForm(player *visibility.Eye, def *game.Move, actor string) *form.Form {
	seen := player.Characters()
	return Arrange(player, offeringAll(def, player.Table.Scene(actor, seen), seen), actor).WithoutAssumed()
}

// offering returns a move's form with the choices of a scene, for a game master if they make the
// move and for a player otherwise.
func offering(def *game.Move, s game.Scene, seen []*state.Character) *form.Form {
	f := offeringAll(def, s, seen)
	for _, field := range f.Fields {
		if field.GM && !s.Ruled.All {
			f = f.Without(field.Name)
		}
	}
	return f
}

func offeringAll(def *game.Move, s game.Scene, seen []*state.Character) *form.Form {
	options := make([]form.Option, len(seen))
	for i, c := range seen {
		options[i] = form.Option{Value: c.ID, Text: c.Name}
	}
	f := def.Fit(s, def.Form.For(form.AtTable))
	choices := form.Choices{}
	for path, field := range f.All() { // the game may have chosen the options already
		if (field.Kind == form.KindRef || field.Kind == form.KindRefs) && field.Options == nil {
			choices[path] = options
		}
	}
	if len(choices) == 0 {
		return f
	}
	return f.Offering(choices)
}

// Ahead returns the move as it would open, by what the seat knows, with the questions that its rule
// asks before any throw. KnownAttempt made the attempt.
func (a Attempt) Ahead(e *visibility.Eye) *state.OpenMove {
	m := &state.OpenMove{
		Scene: a.Known, EventCounts: map[string]int{}, Throws: map[string]int{},
		Move: &state.Move{
			ID: state.MoveID(e.Table.Seq + 1), Def: a.Def, Seat: e.Seat.ID, Actor: a.Scene.Actor, Cast: a.Cast,
			Args: a.Args, ByHand: true, Secret: a.secret, View: &e.Table.Game.View, Session: e.Table.Sessions.Now(),
		},
	}
	state.OpenMoves{m}.FindPending()
	return m
}
