package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/internal/lab"
	"norn/table/request"
	"norn/table/view"
)

// moving is the body that makes a move, without its arguments and byHand.
type moving struct {
	Move      string     `json:"move" form:"text,required" doc:"its id"`
	Character form.Ref   `json:"character" doc:"id of who makes it"`
	Dice      form.Faces `json:"dice" doc:"faces of dice thrown by hand, in order; \"=11\" is their total, where a rule needs no more"`
	Nonce     string     `json:"nonce" form:"text" doc:"any text of yours that goes into the dice"`
	Secret    bool       `json:"secret" doc:"a game master's: only game masters see it"`
	Key       string     `json:"key" form:"text" doc:"the same key acts once"`
}

// taking is the body that takes an offer, without byHand.
type taking struct {
	Offer string     `json:"offer" form:"text,required" doc:"its id"`
	Dice  form.Faces `json:"dice" doc:"faces of dice thrown by hand, in order; \"=11\" is their total, where a rule needs no more"`
	Nonce string     `json:"nonce" form:"text" doc:"any text of yours that goes into the dice"`
	Key   string     `json:"key" form:"text" doc:"the same key acts once"`
}

// pricing is the body that requests a move's odds, without its arguments and choices.
type pricing struct {
	Move      string   `json:"move" form:"text,required" doc:"its id"`
	Character form.Ref `json:"character" doc:"id of who makes it"`
	Aim       string   `json:"aim" form:"text" doc:"id of an outcome to aim for"`
}

// replying is the body that answers a question, without the answer.
type replying struct {
	Question string `json:"question" form:"text,required" doc:"its id"`
	Key      string `json:"key" form:"text" doc:"the same key acts once"`
}

// madeAnswer is the response to a move: 200 once it has ended, 202 while questions are open.
type madeAnswer struct {
	Status int
	Body   Made
}

// Made is the entry of a move or of an answer, and the move's open questions.
type Made struct {
	view.Entry
	Open    []view.Question `json:"open,omitempty" doc:"questions of this move that this seat may answer"`
	Waiting []view.Waiting  `json:"waiting,omitempty" doc:"questions of this move that others must answer"`
}

func madeOf(made view.Made, err error) (*madeAnswer, error) {
	if err != nil {
		return nil, err
	}
	a := &madeAnswer{Status: http.StatusOK, Body: Made{made.Entry, made.Open, made.Waiting}}
	if len(made.Open)+len(made.Waiting) > 0 {
		a.Status = http.StatusAccepted
	}
	return a, nil
}

// byHandPart is the part that says that people type in a move's dice.
var byHandPart = members{
	"type": "boolean", "default": false,
	"description": "ask for the faces of every throw, to be typed in as answers",
}

func registerMoves(s *server, api huma.API) {
	waiting := map[int]string{http.StatusAccepted: "Questions are open: the move goes on when they're answered"}
	args := members{"type": "object", "default": members{}, "description": "as the move's schema says"}

	operate(s, api, http.MethodPost, "/api/v1/tables/{id}/moves", "make-move", doc{
		summary: "Make a move",
		text: "The arguments are those of the move's schema. Dice are faces thrown by hand, in the order in which the rule asks for " +
			"them; when they run out, the next throw becomes a question: who is asked types faces or has norn throw. Without dice and byHand the table throws.",
		tag: "moves", tool: "make_move", more: waiting,
		example: map[string]any{
			"move": "check", "character": "c1", "args": map[string]any{"difficulty": 1}, "nonce": "9f2c", "key": "e81a",
		},
	}, bodyOf[moving]("MoveRequest", members{
		"args":   args,
		"byHand": byHandPart,
	}).among(s.schemas.moves), func(ctx context.Context, r sent[atTable, moving]) (*madeAnswer, error) {
		byHand, err := r.parts.flag("byHand")
		if err != nil {
			return nil, err
		}
		return madeOf(r.seat.Make(ctx, request.Move{
			Move: r.body.Move, Character: string(r.body.Character), Args: r.parts.object("args"),
			Dice: r.body.Dice, ByHand: byHand, Nonce: r.body.Nonce, Secret: r.body.Secret, Key: r.body.Key,
		}))
	})

	operate(s, api, http.MethodPost, "/api/v1/tables/{id}/offers", "take-offer", doc{
		summary: "Take an offer",
		text: "Offers stand in the table's view: moves that the rules leave to somebody, and that nobody waits for. Taking one makes its " +
			"move with the arguments that it says. One is taken once; undone, it's open again.",
		tag: "moves", tool: "take_offer", more: waiting,
		example: map[string]any{"offer": "m12:#3", "key": "77d2"},
	}, bodyOf[taking]("OfferRequest", members{"byHand": byHandPart}),
		func(ctx context.Context, r sent[atTable, taking]) (*madeAnswer, error) {
			byHand, err := r.parts.flag("byHand")
			if err != nil {
				return nil, err
			}
			return madeOf(r.seat.Make(ctx,
				request.Move{
					Offer: r.body.Offer, Dice: r.body.Dice, ByHand: byHand, Nonce: r.body.Nonce,
					Key: r.body.Key,
				}))
		})

	operate(s, api, http.MethodPost, "/api/v1/tables/{id}/answers", "answer-question", doc{
		summary: "Answer an open question",
		text:    "Questions stand in the table's view and in the answer of the move that asked. One is answered once; a second answer names who gave the first.",
		tag:     "moves", tool: "answer", more: waiting,
		example: map[string]any{
			"question": "m12::1", "answer": map[string]any{"die": "d6", "resistance": "blood"}, "key": "3b70",
		},
	}, bodyOf[replying]("AnswerRequest", members{
		"answer": members{
			"type": "object", "additionalProperties": true, "description": "as the question's own schema says; for dice thrown by hand {\"faces\": [3, 10]}, or {\"roll\": true} to have norn throw them",
		},
	}, "answer"), func(ctx context.Context, r sent[atTable, replying]) (*madeAnswer, error) {
		return madeOf(r.seat.Answer(ctx,
			request.Answer{Question: r.body.Question, Answer: r.parts["answer"], Key: r.body.Key}))
	})

	operate(s, api, http.MethodPost, "/api/v1/tables/{id}/odds", "show-odds", doc{
		summary: "The exact odds of a move, with the character's own numbers",
		text: "Nothing is thrown and nothing is written. Rows are the joint distribution; p is a reduced fraction. With an aim, or with " +
			"choices, they are the odds of the whole move at this table: questions in its middle have the best answers for the aim, " +
			"those named in choices the answers given there.",
		tag: "moves", tool: "odds", errors: []int{http.StatusForbidden, http.StatusTooManyRequests},
		example: map[string]any{
			"move": "check", "character": "c1", "args": map[string]any{"difficulty": 1},
		},
	}, bodyOf[pricing]("OddsRequest", members{
		"args": args,
		"choices": members{
			"type": "object", "default": members{}, "additionalProperties": members{"type": "object"},
			"description": "answers by the question's id, as its own schema says",
		},
	}).among(s.schemas.priced), func(ctx context.Context, r sent[atTable, pricing]) (*answer[lab.Odds], error) {
		choices, err := r.parts.answers("choices")
		if err != nil {
			return nil, err
		}
		return answered(s.oddsOf(ctx, r.seat, request.Move{
			Move: r.body.Move, Character: string(r.body.Character), Args: r.parts.object("args"),
		}, request.Choices{Aim: r.body.Aim, Answers: choices}))
	})
}
