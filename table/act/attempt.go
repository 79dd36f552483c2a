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

// basis holds what the attempts of one request share, whatever its arguments are. No attempt changes
// it.
type basis struct {
	def  *game.Move
	made *state.Offer // the offer that the request takes, nil for none
	// the characters that the seat sees, and those that can take part in a public move
	seen, public game.Scene
	form         *form.Form    // that the seat is offered
	calls        []*state.Call // that bind the move
}

// basisOf returns the basis of a request, and the request with what its offer says.
func basisOf(e *visibility.Eye, r request.Move) (basis, request.Move, error) {
	made, err := takeOffer(e, &r)
	if err != nil {
		return basis{}, r, err
	}
	def, err := mayMake(e, r.Move, r.Character, made != nil)
	if err != nil {
		return basis{}, r, err
	}
	if actor := e.Table.Characters.Of(r.Character); actor != nil {
		r.Character = actor.ID // the state's string: the request's shouldn't stay in memory as long as the table
	}
	seen, here := e.Characters(), publicCharacters(e.Table.State)
	b := basis{def: def, made: made, calls: callsTo(e.Table.State, def, r.Character)}
	b.seen = e.Table.Scene(r.Character, seen)
	if b.public = b.seen; len(seen) != len(here) {
		b.public = e.Table.Scene(r.Character, here)
	}
	b.seen.Ruled.All = e.Viewer.IsGM()
	b.form = offering(def, b.seen, seen)
	return b, r, nil
}

// anyAttempt reads a request, whether its arguments are allowed or not. Its errors are those of
// Make, without *BusyError.
func anyAttempt(e *visibility.Eye, r request.Move) (Attempt, error) {
	b, r, err := basisOf(e, r)
	if err != nil {
		return Attempt{}, err
	}
	return b.attempt(e, r)
}

// attempt reads a request that has this basis.
func (b basis) attempt(e *visibility.Eye, r request.Move) (a Attempt, err error) {
	var args any
	switch {
	case b.made != nil: // a rule has fixed it
		args = b.made.Args
	case r.Values != nil:
		args, err = b.def.Values(b.form, r.Values)
	default:
		args, err = b.def.Decode(b.form, b.calledArgs(r))
	}
	if err != nil {
		return Attempt{}, refusal.Within("args", err)
	}
	if !e.Viewer.IsGM() && b.made == nil {
		for _, c := range b.calls {
			if completed, met := c.Completes(b.def, r.Character, args); met {
				args = completed
				break
			}
		}
	}
	if plain, ok := args.(game.Notation); ok && plain.As == "" {
		plain.As = e.Table.Values.Notation
		args = plain
	}
	a = Attempt{Def: b.def, Args: args, Form: b.form, Offer: r.Offer, Scene: b.public}
	asked := slices.Concat([]string{r.Character}, b.def.Cast(b.public, args))
	if e.Viewer.IsGM() && (r.Secret || slices.ContainsFunc(asked, func(id string) bool {
		return isHidden(e.Table.State, id)
	})) {
		// the move will be secret, so hidden characters may take part
		a.Scene = e.Table.Scene(r.Character, e.Table.Characters.Here())
		asked = slices.Concat([]string{r.Character}, b.def.Cast(a.Scene, args))
	}
	whole := a.Scene.Cast
	a.Cast, a.Scene.Cast = asked[:0], make(map[string]game.Member, len(asked))
	for _, id := range asked {
		if member, here := whole[id]; here && !slices.Contains(a.Cast, id) {
			a.Cast, a.Scene.Cast[id] = append(a.Cast, id), member
		}
	}
	a.secret = r.Secret || e.Viewer.IsGM() && unseenByPlayers(e.Table.State, a.Cast)
	a.Scene.Secret = a.secret
	a.Scene.Ruled = e.Table.RuledArgs(b.def, r.Character, args, e.Viewer.IsGM())
	return a, nil
}

// AllowedAttempt returns an attempt that the rules allow by the current sheets.
func AllowedAttempt(e *visibility.Eye, r request.Move) (Attempt, error) {
	a, err := anyAttempt(e, r)
	if err == nil {
		err = checkAllowed(e, a)
	}
	return a, err
}

// checkAllowed refuses an attempt that the rules don't allow by the current sheets, or that isn't
// what the game master has called for.
func checkAllowed(e *visibility.Eye, a Attempt) error {
	if err := checkCalled(e, a); err != nil {
		return err
	}
	return refusal.Within("args", a.Def.Allow(a.Scene, a.Args))
}

// freeAttempt returns the attempt of what was prepared, if the rules allow it and no open move blocks
// its characters. It also returns the secret moves that the attempt cancels, and the seat's view
// without them.
func freeAttempt(e *visibility.Eye, p Prepared) (Attempt, []*state.Move, *visibility.Eye, error) {
	var yields []*state.Move
	a, err := p.attempt(e)
	for {
		if err == nil {
			err = checkAllowed(e, a)
		}
		if err != nil {
			return a, nil, e, err
		}
		free, gone, busy := makeWayFor(e, inWayOf(e, isInstant(a)), a.Cast...)
		if busy != nil || len(gone) == 0 {
			return a, yields, e, busy
		}
		e, yields = free, append(yields, gone...)
		a, err = anyAttempt(e, p.asked) // again, because sheets are as before the cancelled moves
	}
}

// KnownAttempt returns an attempt that the rules allow by what the seat knows: asking for odds must
// not reveal sheets that the seat doesn't see.
func KnownAttempt(e *visibility.Eye, r request.Move) (Attempt, error) {
	b, r, err := basisOf(e, r)
	if err != nil {
		return Attempt{}, err
	}
	return b.knownAttempt(e, r)
}

func (b basis) knownAttempt(e *visibility.Eye, r request.Move) (Attempt, error) {
	a, err := b.attempt(e, r)
	if err == nil {
		a.Known = e.SceneAhead(a.Def, e.KnownScene(a.Scene))
		err = refusal.Within("args", a.Def.Allow(a.Known, a.Args))
	}
	return a, err
}

// publicCharacters returns the characters that can take part in a public move: those at the table
// that aren't hidden.
func publicCharacters(st *state.State) state.Characters {
	return game.Without(st.Characters, func(c *state.Character) bool { return c.Removed || c.Hidden })
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
func (b basis) calledArgs(r request.Move) json.RawMessage {
	if r.Secret || len(b.calls) == 0 {
		return OrNothing(r.Args)
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(OrNothing(r.Args), &given) != nil || given == nil {
		return OrNothing(r.Args)
	}
	for _, c := range b.calls {
		var fixed map[string]json.RawMessage
		if err := json.Unmarshal(c.Def.Form.Only(c.Fixed...).JSON(c.Args), &fixed); err != nil {
			continue
		}
		for name := range fixed {
			if _, offered := b.form.Field(name); !offered {
				delete(fixed, name)
			}
		}
		maps.Copy(fixed, given)
		data := state.JSON(fixed)
		if args, err := b.def.Decode(b.form, data); err == nil {
			if _, met := c.Completes(b.def, r.Character, args); met {
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
	f := def.Form.For(form.AtTable)
	if !s.Ruled.All {
		f = withoutGM(f)
	}
	return fit(def, f, s, seen)
}

func offeringAll(def *game.Move, s game.Scene, seen []*state.Character) *form.Form {
	return fit(def, def.Form.For(form.AtTable), s, seen)
}

// withoutGM returns a form without the fields for game masters only.
func withoutGM(f *form.Form) *form.Form {
	var theirs []string
	for i := range f.Fields {
		if f.Fields[i].GM {
			theirs = append(theirs, f.Fields[i].Name)
		}
	}
	if theirs == nil {
		return f
	}
	return f.Without(theirs...)
}

// fit returns a move's form with the choices of a scene.
func fit(def *game.Move, f *form.Form, s game.Scene, seen []*state.Character) *form.Form {
	f = def.Fit(s, f)
	choices := form.Choices{}
	var options []form.Option
	for path, field := range f.All() { // the game may have chosen the options already
		if field.Kind.IsRef() && field.Options == nil {
			if options == nil {
				options = optionsOf(seen)
			}
			choices[path] = options
		}
	}
	if len(choices) == 0 {
		return f
	}
	return f.Offering(choices)
}

// optionsOf returns characters as options, never nil.
func optionsOf(seen []*state.Character) []form.Option {
	options := make([]form.Option, len(seen))
	for i, c := range seen {
		options[i] = form.Option{Value: c.ID, Text: c.Name}
	}
	return options
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
