package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/game"
	"norn/table"
	"norn/table/request"
	"norn/table/view"
)

// newSeat is the body that invites somebody.
type newSeat struct {
	Name string `json:"name" form:"text,required"`
	Role string `json:"role" form:"choice=player|gm|spectator"`
	Key  string `json:"key" form:"text"`
}

// seatChange is the body that renames a seat.
type seatChange struct {
	Name string `json:"name" form:"text,required"`
	Key  string `json:"key" form:"text"`
}

// atSeat is the address of a seat.
type atSeat struct {
	Table string `path:"id" doc:"the table's id" maxLength:"200"`
	Seat  string `path:"sid" doc:"the seat's id" maxLength:"200"`
}

type invitationAnswer = answer[view.Invitation]

func registerSeats(s *server, api huma.API) {
	act(s, api, http.MethodPost, "/api/v1/tables/{id}/seats", "add-seat", doc{
		summary: "Invite somebody",
		text:    "Only a game master may. The secret is told this once, and again to a repeated request with the same key.",
		tag:     "seats", status: http.StatusCreated,
		example: map[string]any{"name": "Olena", "role": "player", "key": "5c1e"},
	}, bodyOf[newSeat]("NewSeat", nil), func(ctx context.Context, r sent[atTable, newSeat]) (*invitationAnswer, error) {
		return answered(r.seat.AddSeat(ctx, request.NewSeat{Name: r.body.Name, Role: game.Role(r.body.Role), Key: r.body.Key}))
	})

	act(s, api, http.MethodPatch, "/api/v1/tables/{id}/seats/{sid}", "rename-seat", doc{
		summary: "Rename a seat", text: "A game master may rename any, everybody their own.", tag: "seats",
		example: map[string]any{"name": "Olena K.", "key": "77aa"},
	}, bodyOf[seatChange]("SeatChange", nil), func(ctx context.Context, r sent[atSeat, seatChange]) (*entryAnswer, error) {
		return answered(addressed(r.seat.RenameSeat(ctx, r.at.Seat, r.body.Name, r.body.Key)))
	})

	act(s, api, http.MethodPost, "/api/v1/tables/{id}/seats/{sid}/secret", "renew-seat", doc{
		summary: "Give a seat a new secret",
		text:    "The old one opens nothing any more, and its live streams end. Only a game master may.",
		tag:     "seats", status: http.StatusCreated,
		example: map[string]any{"key": "e0f3"},
	}, keyBody, func(ctx context.Context, r sent[atSeat, keyed]) (*invitationAnswer, error) {
		return answered(addressed(r.seat.RenewSeat(ctx, r.at.Seat, r.body.Key)))
	})

	remove(s, api, "/api/v1/tables/{id}/seats/{sid}", "revoke-seat", doc{
		summary: "Revoke a seat",
		text:    "Its secret opens nothing any more, and its live streams end. Only a game master may; the last one stays.",
		tag:     "seats",
	}, func(ctx context.Context, seat *table.Seat, at *atSeat) (*entryAnswer, error) {
		return answered(addressed(seat.RevokeSeat(ctx, at.Seat, "")))
	})
}
