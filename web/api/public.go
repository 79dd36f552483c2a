package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"norn/bare"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/odds"
)

// Comparison is several settings of a move side by side.
type Comparison struct {
	Game     string    `json:"game"`
	Move     string    `json:"move"`
	Settings []Setting `json:"settings" doc:"in the order in which they were asked for"`
	Rows     []Aligned `json:"rows" doc:"every outcome that any setting has"`
}

// Setting is one of them, with odds of its own.
type Setting struct {
	Name     string          `json:"name" doc:"what differs from the others, in the reader's language"`
	Args     json.RawMessage `json:"args"`
	Rows     []Row           `json:"rows"`
	Expected Expected        `json:"expected"`
	Runs     int             `json:"runs,omitempty"`
	Policy   *Policy         `json:"policy,omitempty"`
}

// Aligned is one outcome, with a chance for each setting.
type Aligned struct {
	Outcome     string    `json:"outcome"`
	N           *int      `json:"n,omitempty"`
	P           []string  `json:"p" doc:"exact chances, reduced fractions"`
	Probability []float64 `json:"probability"`
	Difference  []float64 `json:"difference" doc:"to the first setting"`
}

// atBare is a move without a table.
type atBare struct {
	Game string `path:"game" doc:"the game's id" maxLength:"200"`
	Move string `path:"move" doc:"the move's id" maxLength:"200"`
}

type comparisonAnswer struct {
	Body Comparison
}

// aimed says for what questions in the middle get their best answers.
type aimed struct {
	Aim string `json:"aim" form:"text"`
}

var (
	throwForm   = form.Of[aimed]()
	compareForm = form.Of[aimed]()
)

// bareOdds serves odds and throws without a table.
type bareOdds struct{ *server }

func (s bareOdds) register(api huma.API) {
	crowded := []int{http.StatusNotFound, http.StatusTooManyRequests, http.StatusServiceUnavailable}
	args := map[string]any{"difficulty": 1, "skill": true}
	dice := map[string]any{"notation": "4d6kh3"}
	const text = "Nothing needs a table or a seat. Rows are the joint distribution; p is a reduced fraction. What is too large to work out " +
		"exactly is simulated: runs says with how many throws, and each row has its standardError. In notation, 3d6! throws a die again for " +
		"its highest face, at most ten times a die, and 2d6+1 10+ is reached or unreached."
	const best = text + " With an aim, questions in the middle get the best answers for it, and policy tells them; that is exact or refused."

	for _, op := range []struct {
		path, of string
		example  map[string]any
	}{{"/api/v1/odds/{game}/{move}", "bare-odds", args}, {"/api/v1/odds/dice", "dice-odds", dice}} {
		get := operation(http.MethodGet, op.path, "show-"+op.of+"-of-query", doc{
			summary: "The exact odds of a move without a table, by its address", tag: "odds", open: true, errors: crowded,
			text: text + " The parameters are the members of the move's arguments, such as ?difficulty=1&skill=yes.",
		})
		get.Metadata = map[string]any{anyQuery: true}
		get.Parameters = []*huma.Param{{
			Name: "args", In: "query", Style: "form", Explode: truth(true), Example: op.example,
			Description: "the arguments, one parameter for each", Schema: &huma.Schema{Type: huma.TypeObject},
		}}
		post := operation(http.MethodPost, op.path, "show-"+op.of, doc{
			summary: "The exact odds of a move without a table", tag: "odds", open: true, errors: crowded, text: best,
			body: "BareOdds", example: map[string]any{"args": op.example},
		})
		if op.of == "dice-odds" {
			huma.Register(api, get, func(ctx context.Context, _ *struct{}) (*oddsAnswer, error) {
				return s.asked(ctx, diceAt)
			})
			huma.Register(api, post, func(ctx context.Context, _ *struct{}) (*oddsAnswer, error) {
				return s.told(ctx, diceAt)
			})
			continue
		}
		huma.Register(api, get, func(ctx context.Context, in *atBare) (*oddsAnswer, error) { return s.asked(ctx, *in) })
		huma.Register(api, post, func(ctx context.Context, in *atBare) (*oddsAnswer, error) { return s.told(ctx, *in) })
	}

	huma.Register(api, operation(http.MethodPost, "/api/v1/odds/{game}/{move}/compare", "compare-bare-odds", doc{
		summary: "Settings of a move side by side", tag: "odds", open: true, errors: crowded,
		text: "Two to " + strconv.Itoa(bare.MostCompared) + " settings, each with its own arguments. For dice in notation the move is dice/notation.",
		body: "BareComparison", example: map[string]any{"settings": []any{
			map[string]any{"difficulty": 0}, map[string]any{"difficulty": 1}, map[string]any{"difficulty": 2},
		}},
	}), func(ctx context.Context, in *atBare) (*comparisonAnswer, error) {
		return s.compared(ctx, *in)
	})
}

func truth(b bool) *bool { return &b }

// diceAt is where plain dice stand among the moves.
var diceAt = atBare{Game: bare.Dice.ID, Move: bare.Dice.Moves[0].ID}

// bareMove finds a move that can be priced without a table.
func (s bareOdds) bareMove(ctx context.Context, at atBare) (*game.Game, *game.Move, error) {
	for _, g := range append(slices.Clone(s.Games), bare.Dice) {
		if m, ok := bare.Move(g, at.Move); ok && g.ID == at.Game {
			return g, m, nil
		}
	}
	say := callOf(ctx).speaker
	return nil, nil, problem(say, NotFound, say.Say("api.detail.no-bare-move"))
}

// asked answers for arguments in the address.
func (s bareOdds) asked(ctx context.Context, at atBare) (*oddsAnswer, error) {
	g, m, err := s.bareMove(ctx, at)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	var twice form.Problems
	for name, given := range callOf(ctx).query {
		if texts[name] = given[0]; len(given) > 1 {
			twice = append(twice, form.Problem{Path: printable(name), Code: form.Duplicate, Given: printable(given[1])})
		}
	}
	say := callOf(ctx).speaker
	if twice != nil {
		return nil, wrong(say, "query", twice)
	}
	throw, err := bare.Texts(g, m, texts)
	if err != nil {
		return nil, s.unread(ctx, "query", err)
	}
	return s.quoted(ctx, throw, "")
}

// told answers for arguments in a body.
func (s bareOdds) told(ctx context.Context, at atBare) (*oddsAnswer, error) {
	g, m, err := s.bareMove(ctx, at)
	if err != nil {
		return nil, err
	}
	body, kept, err := read[aimed](callOf(ctx).body, throwForm, "args")
	if err != nil {
		return nil, s.unread(ctx, "body", err)
	}
	throw, err := bare.Decode(g, m, kept.object("args"))
	if err != nil {
		return nil, s.unread(ctx, "body.args", err)
	}
	return s.quoted(ctx, throw, body.Aim)
}

func (s bareOdds) quoted(ctx context.Context, throw bare.Throw, aim string) (*oddsAnswer, error) {
	var law *odds.Odds
	answer := &oddsAnswer{Odds{Game: throw.Game.ID, Move: throw.Move.ID, Args: throw.Form.JSON(throw.Args)}}
	err := s.priced(ctx, "", func(ctx context.Context) (err error) {
		if law, err = throw.Best(ctx, aim); err == nil {
			err = answer.Body.tell(law)
		}
		return err
	})
	if err != nil {
		return nil, s.unread(ctx, "body", err)
	}
	s.counted(law)
	return answer, nil
}

// compared answers for settings in a body.
func (s bareOdds) compared(ctx context.Context, at atBare) (*comparisonAnswer, error) {
	g, m, err := s.bareMove(ctx, at)
	if err != nil {
		return nil, err
	}
	body, kept, err := read[aimed](callOf(ctx).body, compareForm, "settings")
	var given json.RawMessage
	if err == nil {
		given, err = kept.need("settings")
	}
	if err != nil {
		return nil, s.unread(ctx, "body", err)
	}
	var settings []json.RawMessage
	if err := json.Unmarshal(given, &settings); err != nil {
		return nil, s.unread(ctx, "body", form.Problems{{Path: "settings", Code: form.Type, Given: "…", Allowed: []string{string(form.KindList)}}})
	}
	size := form.Problem{Path: "settings", Min: 2, Max: bare.MostCompared, Given: strconv.Itoa(len(settings))}
	switch {
	case len(settings) < 2:
		size.Code = form.TooFew
	case len(settings) > bare.MostCompared:
		size.Code = form.TooMany
	}
	if size.Code != "" {
		return nil, s.unread(ctx, "body", form.Problems{size})
	}
	throws := make([]bare.Throw, len(settings))
	for i, setting := range settings {
		if throws[i], err = bare.Decode(g, m, setting); err != nil {
			return nil, s.unread(ctx, "body.settings."+strconv.Itoa(i), err)
		}
	}
	answer := &comparisonAnswer{Comparison{Game: at.Game, Move: at.Move}}
	var c *odds.Comparison
	if err := s.priced(ctx, "", func(ctx context.Context) (err error) {
		if c, err = bare.Compare(ctx, throws, body.Aim); err == nil {
			err = answer.Body.tell(c)
		}
		return err
	}); err != nil {
		return nil, s.unread(ctx, "body", err)
	}
	s.counted(c.Sides...)
	for i, name := range bare.Names(callOf(ctx).speaker, throws) {
		answer.Body.Settings[i].Name, answer.Body.Settings[i].Args = name, throws[i].Form.JSON(throws[i].Args)
	}
	return answer, nil
}

// tell puts laws side by side into what is told. Names and numbers are those that package odds gives.
func (c *Comparison) tell(of *odds.Comparison) error {
	for _, law := range of.Sides {
		policy, err := policyOf(law)
		if err != nil {
			return err
		}
		c.Settings = append(c.Settings, Setting{Rows: rowsOf(law), Expected: expectedOf(law), Runs: law.Runs, Policy: policy})
	}
	c.Rows = make([]Aligned, len(of.Rows))
	for i, r := range of.Rows {
		told := Aligned{Outcome: r.Outcome}
		if r.Counts {
			told.N = &of.Rows[i].N
		}
		for side, p := range r.P {
			told.P = append(told.P, p.RatString())
			told.Probability = append(told.Probability, odds.Float(p))
			told.Difference = append(told.Difference, odds.Float(r.Difference(side)))
		}
		c.Rows[i] = told
	}
	return nil
}

// priced lets odds be worked out, in a place of who asks, "" for the address alone,
// and in a time that somebody waits for.
func (s *server) priced(ctx context.Context, who string, work func(context.Context) error) error {
	from := odds.Asker(callOf(ctx).from)
	how, err := s.Gate.Work(ctx, from, cmp.Or(who, from), work)
	if err != nil {
		s.Meter.Odds(how)
	}
	return s.unpriced(ctx, err)
}

// counted tells the meter what odds were made of; nil odds weren't any.
func (s *server) counted(laws ...*odds.Odds) {
	for _, law := range laws {
		switch {
		case law == nil:
		case law.Runs > 0:
			s.Meter.Odds("simulated")
		default:
			s.Meter.Odds("exact")
		}
	}
}

// unpriced is the Problem of odds that can't be had now; other errors come back
// as they were.
func (s *server) unpriced(ctx context.Context, err error) error {
	say := callOf(ctx).speaker
	var (
		crowded *odds.CrowdedError
		large   *odds.LargeError
	)
	if errors.Is(err, context.DeadlineExceeded) { // what fits is late where the machine is busy
		crowded = &odds.CrowdedError{After: retryAfter * time.Second}
	}
	switch {
	case errors.As(err, &large):
		return problem(say, OddsLarge, bare.SayLarge(say, large))
	case crowded != nil || errors.As(err, &crowded):
		p := problem(say, OddsCrowded, say.Say("api.detail.odds-crowded"))
		if crowded.Own {
			p = problem(say, OddsMany, say.Say("api.detail.odds-many"))
		}
		p.header.Set("Retry-After", strconv.Itoa(int(crowded.After.Seconds())))
		return p
	}
	return err
}

// unread is the Problem of arguments that are wrong; prefix is where they stand.
func (s bareOdds) unread(ctx context.Context, prefix string, err error) error {
	say := callOf(ctx).speaker
	var notation *game.NotationError
	switch {
	case errors.As(err, &notation):
		return notationProblem(say, prefix, notation)
	case bare.Problems(err) != nil:
		return wrong(say, prefix, bare.Problems(err))
	}
	if refusal, ok := game.AsRefusal(err); ok {
		p := problem(say, Refused, game.Voice{Speaker: say}.Refusal(refusal))
		p.Rule = refusal.Rule
		return p
	}
	return s.failed(ctx, nil, err)
}

func notationProblem(say lang.Speaker, prefix string, err *game.NotationError) *Problem {
	found := err.Problem()
	f := fault(say, prefix, found)
	f.Message = bare.Say(say, err)
	p := problem(say, Invalid, f.Message)
	p.Errors = []Fault{f}
	return p
}

// anyQuery marks an operation whose query is its own to judge.
const anyQuery = "query"

func queryOf(text string) url.Values {
	if text == "" {
		return nil
	}
	values, err := url.ParseQuery(text)
	if err != nil {
		return nil // asked has refused it
	}
	return values
}
