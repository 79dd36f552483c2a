package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/table/request"
)

// calling is the body that asks a player for a move, beside its arguments.
type calling struct {
	Move      string   `json:"move" form:"text,required"`
	Character form.Ref `json:"character" form:"required"`
	Text      string   `json:"text" form:"text"`
	Key       string   `json:"key" form:"text"`
}

// withdrawing is the body that takes a call back.
type withdrawing struct {
	Call string `json:"call" form:"text,required"`
	Key  string `json:"key" form:"text"`
}

func registerCalls(s *server, api huma.API) {
	act(s, api, http.MethodPost, "/api/v1/tables/{id}/calls", "call-move", doc{
		summary: "Ask a player for a move",
		text: "Only a game master may. The arguments given are fixed, such as a difficulty; who plays the character chooses the rest " +
			"and makes the move. Open calls stand in the view and bind: a move that leaves these arguments out gets them, a player's with " +
			"others is refused, and the character's next move with them meets the call.",
		tag: "moves",
		example: map[string]any{
			"move": "check", "character": "c1", "args": map[string]any{"difficulty": 1}, "text": "Over the wet roof", "key": "77c1",
		},
	}, bodyOf[calling]("CallRequest", members{
		"args": members{"type": "object", "default": members{}, "description": "any of the move's arguments: these are fixed"},
	}), func(ctx context.Context, r sent[atTable, calling]) (*entryAnswer, error) {
		return answered(r.seat.Call(ctx, request.Call{
			Move: r.body.Move, Character: string(r.body.Character), Args: r.parts.object("args"), Text: r.body.Text, Key: r.body.Key,
		}))
	})

	act(s, api, http.MethodPost, "/api/v1/tables/{id}/withdraw", "withdraw-call", doc{
		summary: "Take back what a player was asked for", text: "Only a game master may.", tag: "moves",
		example: map[string]any{"call": "call1", "key": "1f08"},
	}, bodyOf[withdrawing]("WithdrawRequest", nil), func(ctx context.Context, r sent[atTable, withdrawing]) (*entryAnswer, error) {
		return answered(r.seat.WithdrawCall(ctx, r.body.Call, r.body.Key))
	})
}
