package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/internal/lab"
	"norn/odds"
)

// atBare is the address of a move without a table.
type atBare struct {
	Game string `path:"game" doc:"the game's id" maxLength:"200"`
	Move string `path:"move" doc:"the move's id" maxLength:"200"`
}

// aimed names the aim for which questions in the middle get their best answers.
type aimed struct {
	Aim string `json:"aim" form:"text"`
}

// questioned is the body that asks for one throw's odds, without its arguments.
type questioned struct {
	Aim       string `json:"aim" form:"text"`
	Fractions bool   `json:"fractions" doc:"exact fractions, however long; odds that can't have them are refused"`
}

func registerBare(s *server, api huma.API) {
	serve := bareOdds{
		s, bodyOf[questioned]("BareOdds", members{"args": s.schemas.bare}),
		bodyOf[aimed]("BareComparison", members{
			"settings": members{"type": "array", "items": s.schemas.bare, "minItems": 2, "maxItems": bare.MostCompared},
		}, "settings"),
	}
	crowded := []int{http.StatusNotFound, http.StatusTooManyRequests, http.StatusServiceUnavailable}
	args := map[string]any{"difficulty": 1, "skill": true}
	dice := map[string]any{"notation": "4d6kh3"}
	const text = "Nothing needs a table or a seat. Rows are the joint distribution; p is a reduced fraction. What is too large to work out " +
		"exactly is simulated: runs says with how many throws, and each row has its standardError. In notation, 3d6! throws a die again for " +
		"its highest face, at most ten times a die, and 2d6+1 10+ is reached or unreached."
	const best = text + " With an aim, questions in the middle get the best answers for it, which policy lists; that is exact or refused."

	for _, op := range []struct {
		path, of string
		example  map[string]any
	}{{"/api/v1/odds/{game}/{move}", "bare-odds", args}, {"/api/v1/odds/dice", "dice-odds", dice}} {
		get := operation(http.MethodGet, op.path, "show-"+op.of+"-of-query", doc{
			summary: "The exact odds of a move without a table, by its address", tag: "odds", open: true,
			errors: crowded,
			text:   text + " The parameters are the members of the move's arguments, such as ?difficulty=1&skill=yes.",
		})
		get.Metadata = map[string]any{anyQuery: true}
		get.Parameters = []*huma.Param{{
			Name: "args", In: "query", Style: "form", Explode: new(true), Example: op.example,
			Description: "the arguments, one parameter for each", Schema: &huma.Schema{Type: huma.TypeObject},
		}}
		post := serve.throw.operation(api, http.MethodPost, op.path, "show-"+op.of, doc{
			summary: "The exact odds of a move without a table", tag: "odds", open: true, errors: crowded, text: best,
			example: map[string]any{"args": op.example},
		})
		if op.of == "dice-odds" {
			huma.Register(api, get, func(ctx context.Context, _ *struct{}) (*answer[lab.Odds], error) {
				return serve.answerQuery(ctx, diceAt)
			})
			huma.Register(api, post, func(ctx context.Context, _ *struct{}) (*answer[lab.Odds], error) {
				return serve.answerBody(ctx, diceAt)
			})
			continue
		}
		huma.Register(api, get, func(ctx context.Context, at *atBare) (*answer[lab.Odds], error) {
			return serve.answerQuery(ctx, *at)
		})
		huma.Register(api, post, func(ctx context.Context, at *atBare) (*answer[lab.Odds], error) {
			return serve.answerBody(ctx, *at)
		})
	}

	huma.Register(api, serve.compare.operation(api, http.MethodPost, "/api/v1/odds/{game}/{move}/compare",
		"compare-bare-odds", doc{
			summary: "Settings of a move side by side", tag: "odds", open: true, errors: crowded,
			text: "Two to " + strconv.Itoa(bare.MostCompared) +
				" settings, each with its own arguments. For dice in notation the move is dice/notation.",
			example: map[string]any{"settings": []any{
				map[string]any{"difficulty": 0}, map[string]any{"difficulty": 1}, map[string]any{"difficulty": 2},
			}},
		}), func(ctx context.Context, at *atBare) (*answer[lab.Comparison], error) {
		return answered(serve.compareSettings(ctx, *at))
	})
}

// bareOdds serves odds and throws without a table.
type bareOdds struct {
	*server
	throw   body[questioned]
	compare body[aimed]
}

// diceAt is the address of plain dice.
var diceAt = atBare{Game: bare.Dice.ID, Move: bare.Dice.Moves[0].ID}

// bareMove returns a move whose odds can be computed without a table.
func (s bareOdds) bareMove(ctx context.Context, at atBare) (*game.Game, *game.Move, error) {
	for _, g := range append(game.CurrentGames(s.Games), bare.Dice) {
		if m, ok := bare.Move(g, at.Move); ok && g.ID == at.Game {
			return g, m, nil
		}
	}
	say := callOf(ctx).speaker
	return nil, nil, problem(say, NotFound, say.Say("api.detail.no-bare-move"))
}

// answerQuery responds to arguments in the address.
func (s bareOdds) answerQuery(ctx context.Context, at atBare) (*answer[lab.Odds], error) {
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
	if g == bare.Dice && texts["as"] == "" {
		texts["as"] = dice.Newest
	}
	throw, err := bare.Texts(g, m, texts)
	if err != nil {
		return nil, s.unread(ctx, "query", err)
	}
	return answered(s.quoteThrow(ctx, throw, questioned{}))
}

// answerBody responds to arguments in a body.
func (s bareOdds) answerBody(ctx context.Context, at atBare) (*answer[lab.Odds], error) {
	g, m, err := s.bareMove(ctx, at)
	if err != nil {
		return nil, err
	}
	body, kept, err := read(ctx, s.server, s.throw)
	if err != nil {
		return nil, s.unread(ctx, "body", err)
	}
	throw, err := bare.Decode(g, m, bare.Newest(g, kept.object("args")))
	if err != nil {
		return nil, s.unread(ctx, "body.args", err)
	}
	return answered(s.quoteThrow(ctx, throw, body))
}

func (s bareOdds) quoteThrow(ctx context.Context, throw bare.Throw, asked questioned) (told lab.Odds, err error) {
	q := lab.Question{Throws: []bare.Throw{throw}, Aim: asked.Aim}
	err = s.report(odds.WithFractions(ctx, asked.Fractions), q, func(r *lab.Report) { told = r.Sides[0].Document() })
	return told, err
}

// report answers a question and passes the answer to tell, within the client's limits. Programs get every row,
// so none is put into words.
func (s bareOdds) report(ctx context.Context, q lab.Question, tell func(*lab.Report)) error {
	q.Rows = -1
	var report *lab.Report
	if err := s.withPlace(ctx, "", func(ctx context.Context) (err error) {
		if report, err = lab.Answer(ctx, callOf(ctx).speaker, q); err == nil {
			tell(report)
		}
		return err
	}); err != nil {
		return s.unread(ctx, "body", err)
	}
	s.Gate.CountFound(report.Compared.Sides...)
	return nil
}

// compareSettings responds to settings in a body.
func (s bareOdds) compareSettings(ctx context.Context, at atBare) (answer lab.Comparison, err error) {
	g, m, err := s.bareMove(ctx, at)
	if err != nil {
		return answer, err
	}
	body, kept, err := read(ctx, s.server, s.compare)
	if err != nil {
		return answer, s.unread(ctx, "body", err)
	}
	var settings []json.RawMessage
	if err := json.Unmarshal(kept["settings"], &settings); err != nil {
		return answer, s.unread(ctx, "body",
			form.Problems{{Path: "settings", Code: form.Type, Given: "…", Allowed: []string{string(form.KindList)}}})
	}
	size := form.Problem{Path: "settings", Min: 2, Max: bare.MostCompared, Given: strconv.Itoa(len(settings))}
	switch {
	case len(settings) < 2:
		size.Code = form.TooFew
	case len(settings) > bare.MostCompared:
		size.Code = form.TooMany
	}
	if size.Code != "" {
		return answer, s.unread(ctx, "body", form.Problems{size})
	}
	throws := make([]bare.Throw, len(settings))
	for i, setting := range settings {
		if throws[i], err = bare.Decode(g, m, bare.Newest(g, setting)); err != nil {
			return answer, s.unread(ctx, "body.settings."+strconv.Itoa(i), err)
		}
	}
	err = s.report(ctx, lab.Question{Throws: throws, Aim: body.Aim}, func(r *lab.Report) { answer = r.Document() })
	return answer, err
}

// unread returns the Problem of invalid arguments; prefix is their place.
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
	return s.problemOf(ctx, nil, err)
}
