package table

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// opening is what a move begins with. Sheets and settings are those that stand
// when it's folded in.
type opening struct {
	Move   string          `json:"move"`
	Actor  string          `json:"actor,omitempty"`
	Cast   []string        `json:"cast,omitempty"` // with the actor
	Args   json.RawMessage `json:"args"`
	Nonce  string          `json:"nonce,omitempty"`
	ByHand bool            `json:"byHand,omitempty"`
}

func (b ledger) decodeOpening(r *record) error {
	if r.Opening == nil {
		return errors.New("a move without an opening")
	}
	def, ok := b.game.Move(r.Opening.Move)
	if !ok {
		return unknown("the move %q is not known", r.Opening.Move)
	}
	if r.args == nil {
		args, err := def.Restore(r.Opening.Args)
		if err != nil {
			return fmt.Errorf("the arguments of %s: %w", def.ID, err)
		}
		r.args = args
	}
	r.move = &move{
		id: r.Move, seq: r.Seq, def: def, seat: r.Seat, actor: r.Opening.Actor, cast: r.Opening.Cast, args: r.args,
		nonce: r.Opening.Nonce, byHand: r.Opening.ByHand, secret: r.Secret, view: &b.game.View, session: b.sessions.at(r.Seq),
	}
	return nil
}

// attempt is a move before any dice.
type attempt struct {
	def    *game.Move
	args   any
	cast   []string // with the actor
	secret bool
	scene  game.Scene
	known  game.Scene // as far as the seat sees it, for who asks
}

// attempt reads a request. Its errors are those of Make, but for *BusyError.
func attempted(e eye, r Request) (attempt, error) {
	def, err := mayMake(e, r.Move, r.Character)
	if err != nil {
		return attempt{}, err
	}
	if actor := e.st.characters.of(r.Character); actor != nil {
		r.Character = actor.id // which is there as long as the table: what came with the request needn't stay
	}
	seen, here := e.seen(), e.st.characters.here()
	scene := e.st.scene(r.Character, seen)
	scene.Ruled.All = e.viewer.IsGM()
	f := offering(def, scene, seen)
	var args any
	switch {
	case r.Values != nil:
		args, err = def.Values(f, r.Values)
	default:
		args, err = def.Decode(f, calledArgs(e, def, r, f))
	}
	if err != nil {
		return attempt{}, within("args", err)
	}
	a := attempt{def: def, args: args}
	whole := scene
	if len(seen) < len(here) {
		whole = e.st.scene(r.Character, here)
	}
	asked := append([]string{r.Character}, def.Cast(whole, args)...)
	a.cast = asked[:0]
	for _, id := range asked {
		if _, here := whole.Cast[id]; here && !slices.Contains(a.cast, id) {
			a.cast = append(a.cast, id)
		}
	}

	a.scene = whole // which is this attempt's own
	maps.DeleteFunc(a.scene.Cast, func(id string, _ game.Member) bool { return !slices.Contains(a.cast, id) })
	a.secret = r.Secret || e.viewer.IsGM() && unseenByPlayers(e.st.state, a.cast)
	a.scene.Secret = a.secret
	a.scene.Ruled = e.st.ruled(def, r.Character, args, e.viewer.IsGM())
	return a, nil
}

// judged is an attempt that the rules allow, by the sheets as they are.
func judgedAttempt(e eye, r Request) (attempt, error) {
	a, err := attempted(e, r)
	if err == nil {
		err = asIsAsked(e, a)
	}
	if err == nil {
		err = within("args", a.def.Allow(a.scene, a.args))
	}
	return a, err
}

// taken is an attempt that the rules allow, with a cast that is in no open move,
// by the table as it is once secret moves have given way to it.
func takenAttempt(e eye, r Request) (attempt, []*move, eye, error) {
	var yields []*move
	for {
		a, err := judgedAttempt(e, r)
		if err != nil {
			return a, nil, e, err
		}
		free, gone, err := freedFor(e, a.cast...)
		if err != nil || len(gone) == 0 {
			return a, yields, e, err
		}
		e, yields = free, append(yields, gone...) // judged again: what they had changed is as it was
	}
}

// asked is an attempt that the rules allow as far as the seat can know: asking
// for odds tells nothing of sheets that it doesn't see.
func askedAttempt(e eye, r Request) (attempt, error) {
	a, err := attempted(e, r)
	if err == nil {
		a.known = e.known(a.scene)
		err = within("args", a.def.Allow(a.known, a.args))
	}
	return a, err
}

// mayMake finds a move that the seat may make with a character.
func mayMake(e eye, id, actor string) (*game.Move, error) {
	if e.seat.role == game.Spectator {
		return nil, &ForbiddenError{}
	}
	def, ok := e.st.game.Move(id)
	if !ok || !def.AtTable {
		var allowed []string
		for i := range e.st.game.Moves {
			if def := &e.st.game.Moves[i]; offersMove(e, def) && (len(def.Kinds) == 0 || len(actorsOf(e, def)) > 0) {
				allowed = append(allowed, def.ID)
			}
		}
		return nil, noChoice("move", id, allowed)
	}
	if def.GMOnly && !e.viewer.IsGM() {
		return nil, &ForbiddenError{}
	}
	if len(def.Kinds) == 0 {
		if actor != "" {
			return nil, noChoice("character", actor, nil)
		}
		return def, nil
	}
	if actor == "" {
		return nil, invalid("character", form.Missing)
	}
	c, err := own(e, "character", actor)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(def.Kinds, c.kind) {
		return nil, noChoice("character", actor, actorsOf(e, def))
	}
	return def, nil
}

// offers tells whether the seat may make a move, with whom it may be.
func offersMove(e eye, def *game.Move) bool {
	return def.AtTable && e.seat.role != game.Spectator && (!def.GMOnly || e.viewer.IsGM())
}

// fitted is a move's form with this table's choices: what the game offers,
// among the characters that are there for the seat.
func fittedForm(e eye, def *game.Move, actor string) *form.Form {
	seen := e.seen()
	scene := e.st.scene(actor, seen)
	scene.Ruled.All = e.viewer.IsGM()
	return offering(def, scene, seen)
}

func offering(def *game.Move, s game.Scene, seen []*character) *form.Form {
	options := make([]form.Option, len(seen))
	for i, c := range seen {
		options[i] = form.Option{Value: c.id, Text: c.name}
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
func openMove(e eye, r Request) (draft, error) {
	if err := cmp.Or(mayOpen(e, r.Secret, r.Nonce), currentEdition(e)); err != nil {
		return draft{}, err
	}
	a, yields, e, err := takenAttempt(e, r)
	if err != nil {
		return draft{}, err
	}
	m := &underway{scene: a.scene, move: &move{
		id: e.st.nextMove(), def: a.def, actor: r.Character, cast: a.cast, args: a.args,
		nonce: strings.Clone(r.Nonce), byHand: r.ByHand || len(r.Dice) > 0, secret: a.secret, session: e.st.sessions.now(), view: &e.st.game.View,
	}}
	source := m.dice(e.st.id, nil)
	hand := dice.NewHand(r.Dice)
	if m.byHand {
		source = rule.ByHandBut(hand, func(p dice.Pool, by string) bool { return !e.viewer.IsGM() && (by == game.GM || m.unseen(p)) })
	}
	result, err := m.play(nil, source)
	if err == nil {
		err = hand.Done()
	}
	if err != nil {
		return draft{}, badHand("dice", len(r.Dice), !result.Done, err)
	}
	args, err := json.Marshal(a.args)
	if err != nil {
		return draft{}, err
	}
	d, err := draftRun(e, KindMove, m, result)
	d.body.Opening = &opening{
		Move: a.def.ID, Actor: m.actor, Cast: m.cast, Args: args, Nonce: m.nonce, ByHand: m.byHand,
	}
	d.args, d.body.Yields = a.args, names(yields)
	return d, err
}

// unseen tells whether a move is about people and things of which no player sees anything, were they their own: it's a secret then,
// as they are.
func unseenByPlayers(st *state, cast []string) bool {
	for _, id := range cast {
		c := st.characters.of(id)
		if st.game.View.SeesSheet(game.Viewer{Role: game.Player, Owns: map[string]bool{id: true}}, st.settings, id, c.sheet) {
			return false
		}
	}
	return len(cast) > 0
}

// mayOpen refuses what a seat can't open any move with.
func mayOpen(e eye, secret bool, nonce string) error {
	if secret && !e.viewer.IsGM() {
		return &ForbiddenError{}
	}
	return checkKey("nonce", nonce)
}

// draft is what a run of a move's rule has added.
func draftRun(e eye, kind string, m *underway, result rule.Result[rule.Outcome]) (draft, error) {
	untold := m.untold(result.Told)
	events, err := encode(untold, e.st.game.Version)
	if err != nil {
		return draft{}, err
	}
	d := draft{move: m.id, events: make([]rule.Event, len(untold)), body: body{
		Kind: kind, Secret: m.secret, Steps: result.New, Events: events, Asks: m.asks(result.Open), Done: result.Done, LetGo: m.letsGo(result),
	}}
	if result.Done {
		outcome := result.Value // alone: a pointer into the result would keep all of it as long as the table
		d.body.Outcome = &outcome
	}
	for i, t := range untold {
		d.events[i] = t.Event
	}
	if standing, ok := standingIn(m, result, standingBranches); ok {
		d.body.Luck, d.luck = standing.String(), luckOf(standing)
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
		return invalid(path, form.TooFew, func(p *form.Problem) { p.Min, p.Given = given-few.Have+few.Need.N, count })
	case errors.As(err, &many):
		return invalid(path, form.TooMany, func(p *form.Problem) { p.Max, p.Given, p.Later = given-many.Left, count, later })
	case errors.As(err, &face):
		place := path + "." + strconv.Itoa(face.At-1)
		return invalid(place, form.Range, func(p *form.Problem) { p.Min, p.Max, p.Given = 1, face.Sides, strconv.Itoa(face.Face) })
	}
	return err
}

// actors are the characters with which the seat may make a move.
func actorsOf(e eye, def *game.Move) []string {
	var actors []string
	for _, c := range e.seen() {
		if slices.Contains(def.Kinds, c.kind) && e.plays(c.id) {
			actors = append(actors, c.id)
		}
	}
	return actors
}
