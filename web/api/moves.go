package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/odds"
	"norn/table/request"
	"norn/table/view"
)

// move is the body that makes a move, beside its arguments and byHand.
type move struct {
	Move      string     `json:"move" form:"text,required"`
	Character form.Ref   `json:"character"`
	Dice      form.Faces `json:"dice"`
	Nonce     string     `json:"nonce" form:"text"`
	Secret    bool       `json:"secret"`
	Key       string     `json:"key" form:"text"`
}

// priced is the body that asks for a move's odds, beside its arguments and
// choices.
type priced struct {
	Move      string   `json:"move" form:"text,required"`
	Character form.Ref `json:"character"`
	Aim       string   `json:"aim" form:"text"`
}

// reply is the body that answers a question, beside the answer.
type reply struct {
	Question string `json:"question" form:"text,required"`
	Key      string `json:"key" form:"text"`
}

var (
	moveForm   = form.Of[move]()
	oddsForm   = form.Of[priced]()
	answerForm = form.Of[reply]()
)

// madeAnswer is what became of a move: 200 once it's done, 202 while questions are open.
type madeAnswer struct {
	Status int
	Body   Made
}

// Made is the entry of a move or of an answer, and what is open of that move now.
type Made struct {
	view.Entry
	Open    []view.Question `json:"open,omitempty" doc:"questions of this move that this seat may answer"`
	Waiting []view.Waiting  `json:"waiting,omitempty" doc:"questions of this move that others must answer"`
}

func answerOf(made view.Made) *madeAnswer {
	a := &madeAnswer{Status: http.StatusOK, Body: Made{made.Entry, made.Open, made.Waiting}}
	if len(made.Open)+len(made.Waiting) > 0 {
		a.Status = http.StatusAccepted
	}
	return a
}

// oddsAnswer holds what was asked for.
type oddsAnswer struct {
	Body Odds
}

// atMove is a move of a table.
type atMove struct {
	Table string `path:"id" doc:"the table's id" maxLength:"200"`
	Move  string `path:"mid" doc:"the move's id" maxLength:"200"`
}

// moves serves moves, their answers and their odds.
type moves struct{ *server }

func (s moves) register(api huma.API) {
	failures := []int{http.StatusForbidden, http.StatusConflict}
	waiting := map[int]string{http.StatusAccepted: "Questions are open: the move goes on when they're answered"}

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/moves", "make-move", doc{
		summary: "Make a move",
		text: "The arguments are those of the move's schema. Dice are faces thrown by hand, in the order in which the rule asks for " +
			"them; when they run out, the next throw becomes a question. Without dice and byHand the table throws.",
		tag: "moves", more: waiting, errors: failures,
		body: "MoveRequest", example: map[string]any{
			"move": "check", "character": "c1", "args": map[string]any{"difficulty": 1}, "nonce": "9f2c", "key": "e81a",
		},
	}), s.makeMove)

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/moves/{mid}/show", "show-move", doc{
		summary: "Show a secret move to everybody",
		text:    "A move that a game master made in secret, once it has ended. From then on all of it stands in everybody's log.",
		tag:     "moves", errors: failures,
		body: "KeyOnly", example: map[string]any{"key": "51c9"},
	}), s.showMove)

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/answers", "answer-question", doc{
		summary: "Answer an open question",
		text:    "Questions stand in the table's view and in the answer of the move that asked. One is answered once; who comes second is told by whom it was.",
		tag:     "moves", more: waiting, errors: failures,
		body: "AnswerRequest", example: map[string]any{
			"question": "m12::1", "answer": map[string]any{"die": "d6", "resistance": "blood"}, "key": "3b70",
		},
	}), s.answerQuestion)

	huma.Register(api, operation(http.MethodPost, oddsAt, "show-odds", doc{
		summary: "The exact odds of a move, with the character's own numbers",
		text: "Nothing is thrown and nothing is written. Rows are the joint distribution; p is a reduced fraction. With an aim, or with " +
			"choices, they are the odds of the whole move at this table: questions in its middle have the best answers for the aim, " +
			"those named in choices the answers given there.",
		tag: "moves", errors: []int{http.StatusForbidden, http.StatusTooManyRequests},
		body: "OddsRequest", example: map[string]any{
			"move": "check", "character": "c1", "args": map[string]any{"difficulty": 1},
		},
	}), s.showOdds)
}

func (s moves) makeMove(ctx context.Context, in *atTable) (*madeAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	body, kept, err := read[move](callOf(ctx).body, moveForm, "args", "byHand")
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	byHand, err := kept.flag("byHand")
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	made, err := seat.Make(ctx, request.Move{
		Move: body.Move, Character: string(body.Character), Args: kept.object("args"),
		Dice: body.Dice, ByHand: byHand, Nonce: body.Nonce, Secret: body.Secret, Key: body.Key,
	})
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	return answerOf(made), nil
}

func (s moves) showMove(ctx context.Context, in *atMove) (*entryAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	body, _, err := read[keyed](callOf(ctx).body, keyForm)
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	entry, err := seat.Show(ctx, in.Move, body.Key)
	if err != nil {
		return nil, s.notThere(ctx, seat, err, "move", "mid")
	}
	return &entryAnswer{entry}, nil
}

func (s moves) answerQuestion(ctx context.Context, in *atTable) (*madeAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	body, kept, err := read[reply](callOf(ctx).body, answerForm, "answer")
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	answer, err := kept.need("answer")
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	made, err := seat.Answer(ctx, request.Answer{Question: body.Question, Answer: answer, Key: body.Key})
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	return answerOf(made), nil
}

// oddsAt is where odds at a table are, which is asked with a body and writes nothing.
const oddsAt = "/api/v1/tables/{id}/odds"

func (s moves) showOdds(ctx context.Context, in *atTable) (*oddsAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	body, kept, err := read[priced](callOf(ctx).body, oddsForm, "args", "choices")
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	choices, err := kept.answers("choices")
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	wanted := request.Move{Move: body.Move, Character: string(body.Character), Args: kept.object("args")}
	var law *odds.Odds
	var told Odds
	if err := s.priced(ctx, "seat "+in.Table+" "+seat.ID(), func(ctx context.Context) (err error) {
		if body.Aim == "" && len(choices) == 0 {
			law, err = seat.Odds(ctx, wanted)
		} else {
			law, err = seat.Best(ctx, wanted, request.Choices{Aim: body.Aim, Answers: choices})
		}
		if err == nil {
			err = told.tell(law)
		}
		return err
	}); err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	s.counted(law)
	told, err = oddsOf(ctx, seat, wanted, told)
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	return &oddsAnswer{told}, nil
}
