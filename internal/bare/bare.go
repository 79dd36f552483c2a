// Package bare describes moves made without a table, by a command, an address or a request, with
// every number given as an argument instead of read from a sheet. Plain dice in notation are such a
// move, too, of a game called Dice.
//
// A Throw has passed the checks of its form and its game, so its odds can always be computed. Query
// and Texts are inverses. The package has no state and starts no goroutine. It imports dice, form,
// lang, distribution, rule, odds and game, but no single game.
package bare

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/odds"
	"norn/rule"
)

// Words holds the texts of notation, and of the differences between throws.
//
//go:embed words/*.toml
var Words embed.FS

// MostCompared is the largest number of throws that can be compared.
const MostCompared = 6

// Throw is a bare move with its arguments.
type Throw struct {
	Game *game.Game
	Move *game.Move
	Form *form.Form // the form of the bare move
	Args any
}

// Moves returns a game's moves whose odds can be computed without a table.
func Moves(g *game.Game) []*game.Move {
	var moves []*game.Move
	for i := range g.Moves {
		if m := &g.Moves[i]; m.Bare && m.Price != nil {
			moves = append(moves, m)
		}
	}
	return moves
}

// Move returns one of the moves that Moves returns.
func Move(g *game.Game, id string) (*game.Move, bool) {
	m, ok := g.FindMove(id)
	return m, ok && m.Bare && m.Price != nil && m != &game.Plain // Dice has that one
}

// Texts makes a throw from one text for each field; missing fields get their default. Errors are
// form.Problems and *game.Refusal.
func Texts(g *game.Game, m *game.Move, texts map[string]string) (Throw, error) {
	f := m.Form.For(form.Bare)
	args, err := m.Texts(f, texts)
	return checkThrow(g, m, f, args, err)
}

// Values makes a throw from a posted HTML form: a box that wasn't sent is off.
func Values(g *game.Game, m *game.Move, values url.Values) (Throw, error) {
	f := m.Form.For(form.Bare)
	args, err := m.Values(f, values)
	return checkThrow(g, m, f, args, err)
}

// Decode makes a throw from JSON.
func Decode(g *game.Game, m *game.Move, data []byte) (Throw, error) {
	f := m.Form.For(form.Bare)
	args, err := m.Decode(f, data)
	return checkThrow(g, m, f, args, err)
}

// Newest adds the newest reading of notation to the arguments of plain dice that name none, for what
// somebody writes now; links and logs without a reading are older than readings.
func Newest(g *game.Game, args json.RawMessage) json.RawMessage {
	var given map[string]json.RawMessage
	if g != Dice || json.Unmarshal(args, &given) != nil || given == nil || given["as"] != nil {
		return args
	}
	given["as"] = json.RawMessage(`"` + dice.Newest + `"`)
	with, err := json.Marshal(given)
	if err != nil {
		return args
	}
	return with
}

// Strip returns the bare throw that corresponds to a move's arguments at a table, as Move.Strip
// does. It returns an error of Texts if the bare form can't express them.
func Strip(g *game.Game, m *game.Move, args any) (Throw, error) {
	t := Throw{Game: g, Move: m, Form: m.Form.For(form.Bare), Args: args}
	return Texts(g, m, t.texts())
}

func checkThrow(g *game.Game, m *game.Move, f *form.Form, args any, err error) (Throw, error) {
	if err == nil {
		err = m.Allow(scene(g), args)
	}
	if err != nil {
		return Throw{}, err
	}
	return Throw{Game: g, Move: m, Form: f, Args: args}, nil
}

// scene returns the scene without a table: an empty cast and the default settings.
func scene(g *game.Game) game.Scene { return game.Scene{Settings: g.Settings.Default} }

// Rule returns the rule for computing odds.
func (t Throw) Rule() func(*rule.Run) rule.Outcome { return t.Move.Price(scene(t.Game), t.Args) }

// Live returns the rule for throwing. It passes a text to tell that explains the value of plain
// dice, if the faces alone don't explain it.
func (t Throw) Live(tell func(text string)) func(*rule.Run) rule.Outcome {
	if n, plain := t.Args.(game.Notation); plain {
		return rule.ExplainNotation(n.Expr(), tell)
	}
	return t.Rule()
}

// Kinds returns the move's outcomes in the order of the rows.
func (t Throw) Kinds() []odds.Kind {
	kinds := make([]odds.Kind, len(t.Move.Outcomes))
	for i, o := range t.Move.Outcomes {
		kinds[i] = odds.Kind{ID: o.ID, Counts: o.Counts}
	}
	return kinds
}

// Quote returns the throw's odds for a person who is waiting: see odds.Quote.
func (t Throw) Quote(ctx context.Context) (*odds.Odds, error) {
	return t.Best(ctx, "", nil)
}

// Query returns the fields of the throw that differ from their defaults, as texts by name. Texts
// parses them.
func (t Throw) Query() url.Values {
	usual := t.usual()
	query := url.Values{}
	for name, text := range t.texts() {
		if text != usual[name] {
			query.Set(name, text)
		}
	}
	return query
}

// String returns the fields of Query on one line, the same in every language: "difficulty=1
// skill=yes".
func (t Throw) String() string {
	query := t.Query()
	var parts []string
	for _, field := range t.Form.Fields {
		if query.Has(field.Name) && query.Get(field.Name) != dice.Newest {
			parts = append(parts, field.Name+"="+query.Get(field.Name))
		}
	}
	if parts == nil {
		return "default"
	}
	return strings.Join(parts, " ")
}

// Pairs returns the fields of Query as parts of an address, in the order of the form:
// "difficulty=1", "skill=on".
func (t Throw) Pairs() (pairs []string) {
	query := t.Query()
	for _, field := range t.Form.Fields {
		if query.Has(field.Name) {
			pairs = append(pairs, field.Name+"="+url.QueryEscape(query.Get(field.Name)))
		}
	}
	return pairs
}

// Text returns the throw on one line that Parse reads: "mage/roll,pool=5", "dice,notation=3d6". The
// name is left out if the throw is of the move that it's read for.
func (t Throw) Text(of *game.Move) string {
	name := []string{t.Game.ID + "/" + t.Move.ID}
	switch {
	case t.Move == of:
		name = nil
	case t.Game == Dice:
		name[0] = Dice.ID
	}
	return strings.Join(append(name, t.Pairs()...), ",")
}

// Parse reads what Text wrote, for a move of a game. find returns a game by its id, or nil. Errors are
// those of Texts, of url.QueryUnescape, and ErrUnknown.
func Parse(text string, g *game.Game, m *game.Move, find func(id string) *game.Game) (Throw, error) {
	if first, rest, _ := strings.Cut(text, ","); first != "" && !strings.Contains(first, "=") {
		of, id, _ := strings.Cut(first, "/")
		if text, m = rest, nil; of == Dice.ID {
			g, m = Dice, &Dice.Moves[0]
		} else if g = find(of); g != nil {
			m, _ = Move(g, id)
		}
		if m == nil {
			return Throw{}, ErrUnknown
		}
	}
	texts := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		value, err := url.QueryUnescape(value)
		if err != nil {
			return Throw{}, err
		}
		if name != "" {
			texts[name] = value
		}
	}
	return Texts(g, m, texts)
}

// ErrUnknown reports a move that doesn't exist, or has no odds without a table.
var ErrUnknown = errors.New("bare: there is no such move")

// texts returns every field as a text.
func (t Throw) texts() map[string]string {
	inputs := t.Form.Inputs(t.Args)
	texts := map[string]string{}
	for _, field := range t.Form.Fields {
		text := inputs.Get(field.Name)
		switch {
		case field.Kind == form.KindBool && text == "":
			text = "off"
		case field.Kind == form.KindTrait && text == string(form.Yes):
			text = "on"
		}
		texts[field.Name] = text
	}
	return texts
}

// usual returns every field's default as a text.
func (t Throw) usual() map[string]string {
	texts := map[string]string{}
	for _, field := range t.Form.Fields {
		// a required field has no default
		if args, err := t.Move.Texts(t.Form.Only(field.Name), nil); err == nil {
			texts[field.Name] = Throw{Form: t.Form.Only(field.Name), Args: args}.texts()[field.Name]
		}
	}
	return texts
}

// Same reports whether two throws are of one move and have the same arguments.
func (t Throw) Same(other Throw) bool {
	return t.sameMove(other) && string(t.Form.JSON(t.Args)) == string(other.Form.JSON(other.Args))
}

func (t Throw) sameMove(other Throw) bool {
	return t.Game.ID == other.Game.ID && t.Game.Text == other.Game.Text && t.Move.ID == other.Move.ID
}

// Set returns a copy of the throw with some fields changed, given as texts.
func (t Throw) Set(texts map[string]string) (Throw, error) {
	all := t.texts()
	for name, text := range texts {
		all[name] = text
	}
	return Texts(t.Game, t.Move, all)
}

// Each returns the throws that differ from this one in a field with few values: one for each value
// that the game allows. It returns none for other fields.
func (t Throw) Each(name string) []Throw {
	field, ok := t.Form.Field(name)
	if !ok {
		return nil
	}
	var values []string
	switch field.Kind {
	case form.KindBool, form.KindTrait:
		values = []string{"", "on"}
	case form.KindInt:
		from := max(field.Min, 0) // smaller numbers are for special cases
		for n := from; n <= field.Max && n < from+MostCompared; n++ {
			values = append(values, strconv.Itoa(n))
		}
		if field.Max-field.Min >= MostCompared {
			values = t.around(field)
		}
	case form.KindChoice:
		for _, o := range field.Options {
			values = append(values, o.Value)
		}
	}
	if len(values) < 2 || len(values) > MostCompared {
		return nil
	}
	var throws []Throw
	for _, value := range values {
		if other, err := t.Set(map[string]string{name: value}); err == nil {
			throws = append(throws, other)
		}
	}
	if len(throws) < 2 {
		return nil
	}
	return throws
}

// around returns numbers around the value of a field.
func (t Throw) around(field form.Field) []string {
	now, given := t.Form.Fill(t.Args)[field.Name].(int)
	if !given {
		now, _ = field.Usual.(int)
	}
	from := min(max(now-2, field.Min), field.Max-4)
	var values []string
	for n := from; n < from+5; n++ {
		values = append(values, strconv.Itoa(n))
	}
	return values
}

// Compare computes the odds of throws, each for the aim as Best does, and aligns them. A throw of a
// move that doesn't have the aim gets its usual answers. In a context of odds.WithSharedBudget all
// of them are one question.
func Compare(ctx context.Context, throws []Throw, aim string, given rule.Policy) (*odds.Comparison, error) {
	sides := make([]*odds.Odds, len(throws))
	var kinds []odds.Kind
	for i, t := range throws {
		wanted := aim
		if !t.aims(aim) && slices.ContainsFunc(throws, func(t Throw) bool { return t.aims(aim) }) {
			wanted = ""
		}
		var err error
		if sides[i], err = t.Best(odds.Share(ctx, len(throws)-i), wanted, given); err != nil {
			return nil, err
		}
		for _, kind := range t.Kinds() {
			if !slices.ContainsFunc(kinds, func(k odds.Kind) bool { return k.ID == kind.ID }) {
				kinds = append(kinds, kind)
			}
		}
	}
	return odds.Compare(kinds, sides...), nil
}

// aims reports whether the throw's move has an aim.
func (t Throw) aims(id string) bool {
	_, ok := t.Move.Aim(id)
	return ok
}

// OneMove reports whether all throws are of the same move.
func OneMove(throws []Throw) bool {
	return !slices.ContainsFunc(throws, func(t Throw) bool { return !t.sameMove(throws[0]) })
}

// Problems returns the form.Problems in an error, or nil.
func Problems(err error) form.Problems {
	var problems form.Problems
	errors.As(err, &problems)
	return problems
}

// Unlike returns the throws without repetitions.
func Unlike(throws []Throw) []Throw {
	var kept []Throw
	for _, t := range throws {
		if !slices.ContainsFunc(kept, t.Same) {
			kept = append(kept, t)
		}
	}
	return kept
}
