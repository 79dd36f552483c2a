package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/table"
	"norn/table/request"
	"norn/table/view"
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

// noting is the body that keeps a note.
type noting struct {
	ID   string `json:"id" form:"text"`
	Text string `json:"text" form:"prose,max=10000"`
	Key  string `json:"key" form:"text"`
}

// starring is the body that makes a move a favourite, or no more.
type starring struct {
	Character form.Ref `json:"character" form:"required"`
	Move      string   `json:"move" form:"text,required"`
	On        bool     `json:"on" form:"default=true"`
	Key       string   `json:"key" form:"text"`
}

var (
	callForm     = form.Of[calling]()
	withdrawForm = form.Of[withdrawing]()
	noteForm     = form.Of[noting]()
	starForm     = form.Of[starring]()
)

// calls serves what is asked of players, noted and starred.
type calls struct{ *server }

func (s calls) register(api huma.API) {
	failures := []int{http.StatusForbidden, http.StatusConflict}

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/calls", "call-move", doc{
		summary: "Ask a player for a move",
		text: "Only a game master may. The arguments given are fixed, such as a difficulty; who plays the character chooses the rest " +
			"and makes the move. Open calls stand in the view and bind: a move that leaves these arguments out gets them, a player's with " +
			"others is refused, and the character's next move with them meets the call.",
		tag: "moves", errors: failures,
		body: "CallRequest", example: map[string]any{
			"move": "check", "character": "c1", "args": map[string]any{"difficulty": 1}, "text": "Over the wet roof", "key": "77c1",
		},
	}), s.callMove)

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/withdraw", "withdraw-call", doc{
		summary: "Take back what a player was asked for", text: "Only a game master may.", tag: "moves", errors: failures,
		body: "WithdrawRequest", example: map[string]any{"call": "call1", "key": "1f08"},
	}), s.withdrawCall)

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/notes", "keep-note", doc{
		summary: "Keep a note that only game masters see",
		text:    "A new one without an id, else another text for that one; an empty text throws it away. Notes stand in a game master's view.",
		tag:     "tables", errors: failures,
		body: "NoteRequest", example: map[string]any{"text": "The steward has the second key.", "key": "a3e5"},
	}), s.keepNote)

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/favourites", "star-move", doc{
		summary: "Make a move one of a character's favourites",
		text:    "Or with on false no more. Who plays the character may; only they and game masters see it.",
		tag:     "characters", errors: failures,
		body: "StarRequest", example: map[string]any{"character": "c1", "move": "check", "on": true, "key": "5d60"},
	}), s.starMove)
}

func (s calls) callMove(ctx context.Context, in *atTable) (*entryAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	body, kept, err := read[calling](callOf(ctx).body, callForm, "args")
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	entry, err := seat.Call(ctx, request.Call{
		Move: body.Move, Character: string(body.Character), Args: kept.object("args"), Text: body.Text, Key: body.Key,
	})
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	return &entryAnswer{entry}, nil
}

func (s calls) withdrawCall(ctx context.Context, in *atTable) (*entryAnswer, error) {
	return entryOf(ctx, s.server, in.Table, withdrawForm, func(seat *table.Seat, body withdrawing) (view.Entry, error) {
		return seat.Withdraw(ctx, body.Call, body.Key)
	})
}

func (s calls) keepNote(ctx context.Context, in *atTable) (*entryAnswer, error) {
	return entryOf(ctx, s.server, in.Table, noteForm, func(seat *table.Seat, body noting) (view.Entry, error) {
		return seat.Note(ctx, body.ID, body.Text, body.Key)
	})
}

func (s calls) starMove(ctx context.Context, in *atTable) (*entryAnswer, error) {
	return entryOf(ctx, s.server, in.Table, starForm, func(seat *table.Seat, body starring) (view.Entry, error) {
		return seat.Star(ctx, string(body.Character), body.Move, body.On, body.Key)
	})
}
