package act

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"norn/dice"
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

// attempt is a move before any dice.
type Attempt struct {
	Def    *game.Move
	Args   any
	Cast   []string // with the actor
	secret bool
	Scene  game.Scene
	Known  game.Scene // as far as the seat sees it, for who asks
}

// attempt reads a request. Its errors are those of Make, but for *BusyError.
func attempted(e visibility.Eye, r request.Move) (Attempt, error) {
	def, err := MayMake(e, r.Move, r.Character)
	if err != nil {
		return Attempt{}, err
	}
	if actor := e.Table.Characters.Of(r.Character); actor != nil {
		r.Character = actor.ID // which is there as long as the table: what came with the request needn't stay
	}
	seen, here := e.Seen(), e.Table.Characters.Here()
	scene := e.Table.Scene(r.Character, seen)
	scene.Ruled.All = e.Viewer.IsGM()
	f := offering(def, scene, seen)
	var args any
	switch {
	case r.Values != nil:
		args, err = def.Values(f, r.Values)
	default:
		args, err = def.Decode(f, calledArgs(e, def, r, f))
	}
	if err != nil {
		return Attempt{}, refusal.Within("args", err)
	}
	a := Attempt{Def: def, Args: args}
	whole := scene
	if len(seen) < len(here) {
		whole = e.Table.Scene(r.Character, here)
	}
	asked := append([]string{r.Character}, def.Cast(whole, args)...)
	a.Cast = asked[:0]
	for _, id := range asked {
		if _, here := whole.Cast[id]; here && !slices.Contains(a.Cast, id) {
			a.Cast = append(a.Cast, id)
		}
	}

	a.Scene = whole // which is this attempt's own
	maps.DeleteFunc(a.Scene.Cast, func(id string, _ game.Member) bool { return !slices.Contains(a.Cast, id) })
	a.secret = r.Secret || e.Viewer.IsGM() && unseenByPlayers(e.Table.State, a.Cast)
	a.Scene.Secret = a.secret
	a.Scene.Ruled = e.Table.Ruled(def, r.Character, args, e.Viewer.IsGM())
	return a, nil
}

// judged is an attempt that the rules allow, by the sheets as they are.
func Allowed(e visibility.Eye, r request.Move) (Attempt, error) {
	a, err := attempted(e, r)
	if err == nil {
		err = asIsAsked(e, a)
	}
	if err == nil {
		err = refusal.Within("args", a.Def.Allow(a.Scene, a.Args))
	}
	return a, err
}

// taken is an attempt that the rules allow, with a cast that is in no open move,
// by the table as it is once secret moves have given way to it.
func takenAttempt(e visibility.Eye, r request.Move) (Attempt, []*state.Move, visibility.Eye, error) {
	var yields []*state.Move
	for {
		a, err := Allowed(e, r)
		if err != nil {
			return a, nil, e, err
		}
		free, gone, err := freedFor(e, a.Cast...)
		if err != nil || len(gone) == 0 {
			return a, yields, e, err
		}
		e, yields = free, append(yields, gone...) // judged again: what they had changed is as it was
	}
}

// asked is an attempt that the rules allow as far as the seat can know: asking
// for odds tells nothing of sheets that it doesn't see.
func Supposed(e visibility.Eye, r request.Move) (Attempt, error) {
	a, err := attempted(e, r)
	if err == nil {
		a.Known = e.Ahead(a.Def, e.Known(a.Scene))
		err = refusal.Within("args", a.Def.Allow(a.Known, a.Args))
	}
	return a, err
}

// mayMake finds a move that the seat may make with a character.
func MayMake(e visibility.Eye, id, actor string) (*game.Move, error) {
	if e.Seat.Role == game.Spectator {
		return nil, &refusal.ForbiddenError{}
	}
	def, ok := e.Table.Game.Move(id)
	if !ok || !def.AtTable {
		var allowed []string
		for i := range e.Table.Game.Moves {
			if def := &e.Table.Game.Moves[i]; OffersMove(e, def) && (len(def.Kinds) == 0 || len(ActorsOf(e, def)) > 0) {
				allowed = append(allowed, def.ID)
			}
		}
		return nil, refusal.NoChoice("move", id, allowed)
	}
	if def.GMOnly && !e.Viewer.IsGM() {
		return nil, &refusal.ForbiddenError{}
	}
	if len(def.Kinds) == 0 {
		if actor != "" {
			return nil, refusal.NoChoice("character", actor, nil)
		}
		return def, nil
	}
	if actor == "" {
		return nil, refusal.Invalid("character", form.Missing)
	}
	c, err := own(e, "character", actor)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(def.Kinds, c.Kind) {
		return nil, refusal.NoChoice("character", actor, ActorsOf(e, def))
	}
	return def, nil
}

// offers tells whether the seat may make a move, with whom it may be.
func OffersMove(e visibility.Eye, def *game.Move) bool {
	return def.AtTable && e.Seat.Role != game.Spectator && (!def.GMOnly || e.Viewer.IsGM())
}

// fitted is a move's form with this table's choices: what the game offers,
// among the characters that are there for the seat.
func MoveForm(e visibility.Eye, def *game.Move, actor string) *form.Form {
	seen := e.Seen()
	scene := e.Table.Scene(actor, seen)
	scene.Ruled.All = e.Viewer.IsGM()
	return offering(def, scene, seen)
}

func offering(def *game.Move, s game.Scene, seen []*state.Character) *form.Form {
	options := make([]form.Option, len(seen))
	for i, c := range seen {
		options[i] = form.Option{Value: c.ID, Text: c.Name}
	}
	f := def.Fit(s, def.Form.For(form.AtTable))
	choices := form.Choices{}
	for path, field := range f.All() { // a game may have said already who comes into question
		if (field.Kind == form.KindRef || field.Kind == form.KindRefs) && field.Options == nil {
			choices[path] = options
		}
	}
	if len(choices) == 0 {
		return f
	}
	return f.Offering(choices)
}

// open plays a new move until it ends or waits.
func Make(e visibility.Eye, r request.Move) (ledger.Draft, error) {
	if err := cmp.Or(MayOpen(e, r.Secret, r.Nonce), currentEdition(e)); err != nil {
		return ledger.Draft{}, err
	}
	a, yields, e, err := takenAttempt(e, r)
	if err != nil {
		return ledger.Draft{}, err
	}
	m := &state.Underway{Scene: a.Scene, Move: &state.Move{
		ID: e.Table.NextMove(), Def: a.Def, Actor: r.Character, Cast: a.Cast, Args: a.Args,
		Nonce: strings.Clone(r.Nonce), ByHand: r.ByHand || len(r.Dice) > 0, Secret: a.secret, Session: e.Table.Sessions.Now(), View: &e.Table.Game.View,
	}}
	source := m.Dice(e.Table.ID, nil)
	hand := dice.NewHand(r.Dice)
	if m.ByHand {
		source = rule.ByHandBut(hand, func(p dice.Pool, by string) bool { return !e.Viewer.IsGM() && (by == game.GM || m.Unseen(p)) })
	}
	result, err := m.Play(nil, source)
	if err == nil {
		err = hand.Done()
	}
	if err != nil {
		return ledger.Draft{}, badHand("dice", len(r.Dice), !result.Done, err)
	}
	args, err := json.Marshal(a.Args)
	if err != nil {
		return ledger.Draft{}, err
	}
	d, err := draftRun(e, view.KindMove, m, result)
	d.Content.Opening = &state.Opening{
		Move: a.Def.ID, Actor: m.Actor, Cast: m.Cast, Args: args, Nonce: m.Nonce, ByHand: m.ByHand,
	}
	d.Args, d.Content.Yields = a.Args, names(yields)
	return d, err
}

// unseen tells whether a move is about people and things of which no player sees anything, were they their own: it's a secret then,
// as they are.
func unseenByPlayers(st *state.State, cast []string) bool {
	for _, id := range cast {
		c := st.Characters.Of(id)
		if st.Game.View.SeesSheet(game.Viewer{Role: game.Player, Owns: map[string]bool{id: true}}, st.Settings, id, c.Sheet) {
			return false
		}
	}
	return len(cast) > 0
}

// mayOpen refuses what a seat can't open any move with.
func MayOpen(e visibility.Eye, secret bool, nonce string) error {
	if secret && !e.Viewer.IsGM() {
		return &refusal.ForbiddenError{}
	}
	return CheckKey("nonce", nonce)
}

// draft is what a run of a move's rule has added.
func draftRun(e visibility.Eye, kind string, m *state.Underway, result rule.Result[rule.Outcome]) (ledger.Draft, error) {
	untold := m.Untold(result.Told)
	events, err := state.EncodeEvents(untold, e.Table.Game.Version)
	if err != nil {
		return ledger.Draft{}, err
	}
	d := ledger.Draft{Move: m.ID, Events: make([]rule.Event, len(untold)), Content: state.Content{
		Kind: kind, Secret: m.Secret, Steps: result.New, Events: events, Asks: m.Asks(result.Open), Done: result.Done, LetGo: m.LetsGo(result),
	}}
	if result.Done {
		outcome := result.Value // alone: a pointer into the result would keep all of it as long as the table
		d.Content.Outcome = &outcome
	}
	for i, t := range untold {
		d.Events[i] = t.Event
	}
	if standing, ok := Standing(m, result, standingBranches); ok {
		d.Content.Luck, d.Luck = standing.String(), view.LuckOf(standing)
	}
	return d, nil
}

// badHand says what is wrong with the faces at path, so many as were given; more
// than are wanted may be asked for later. An error that isn't about them stays as
// it is.
func badHand(path string, given int, later bool, err error) error {
	var (
		few  *dice.TooFewError
		many *dice.TooManyError
		face *dice.FaceError
	)
	count := strconv.Itoa(given)
	switch {
	case errors.As(err, &few):
		return refusal.Invalid(path, form.TooFew, func(p *form.Problem) { p.Min, p.Given = given-few.Have+few.Need.N, count })
	case errors.As(err, &many):
		return refusal.Invalid(path, form.TooMany, func(p *form.Problem) { p.Max, p.Given, p.Later = given-many.Left, count, later })
	case errors.As(err, &face):
		place := path + "." + strconv.Itoa(face.At-1)
		return refusal.Invalid(place, form.Range, func(p *form.Problem) { p.Min, p.Max, p.Given = 1, face.Sides, strconv.Itoa(face.Face) })
	}
	return err
}

// actors are the characters with which the seat may make a move.
func ActorsOf(e visibility.Eye, def *game.Move) []string {
	var actors []string
	for _, c := range e.Seen() {
		if slices.Contains(def.Kinds, c.Kind) && e.Plays(c.ID) {
			actors = append(actors, c.ID)
		}
	}
	return actors
}
