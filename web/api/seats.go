package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
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

var (
	newSeatForm    = form.Of[newSeat]()
	seatChangeForm = form.Of[seatChange]()
)

// atSeat is the address of a seat.
type atSeat struct {
	Table string `path:"id" doc:"the table's id" maxLength:"200"`
	Seat  string `path:"sid" doc:"the seat's id" maxLength:"200"`
}

type invitationAnswer struct {
	Body view.Invitation
}

// seats serves who sits there.
type seats struct{ *server }

func (s seats) register(api huma.API) {
	gm := []int{http.StatusForbidden, http.StatusConflict}

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/seats", "add-seat", doc{
		summary: "Invite somebody",
		text:    "Only a game master may. The secret is told this once, and again to a repeated request with the same key.",
		tag:     "seats", status: http.StatusCreated, errors: gm,
		body: "NewSeat", example: map[string]any{"name": "Olena", "role": "player", "key": "5c1e"},
	}), s.addSeat)

	huma.Register(api, operation(http.MethodPatch, "/api/v1/tables/{id}/seats/{sid}", "rename-seat", doc{
		summary: "Rename a seat", text: "A game master may rename any, everybody their own.", tag: "seats", errors: gm,
		body: "SeatChange", example: map[string]any{"name": "Olena K.", "key": "77aa"},
	}), s.renameSeat)

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/seats/{sid}/secret", "renew-seat", doc{
		summary: "Give a seat a new secret",
		text:    "The old one opens nothing any more, and its live streams end. Only a game master may.",
		tag:     "seats", status: http.StatusCreated, errors: gm,
		body: "KeyOnly", example: map[string]any{"key": "e0f3"},
	}), s.renewSeat)

	huma.Register(api, operation(http.MethodDelete, "/api/v1/tables/{id}/seats/{sid}", "revoke-seat", doc{
		summary: "Revoke a seat",
		text:    "Its secret opens nothing any more, and its live streams end. Only a game master may; the last one stays.",
		tag:     "seats", errors: gm,
	}), s.revokeSeat)
}

func (s seats) addSeat(ctx context.Context, in *atTable) (*invitationAnswer, error) {
	invitation, err := done(ctx, s.server, in.Table, newSeatForm, func(seat *table.Seat, body newSeat) (view.Invitation, error) {
		return seat.AddSeat(ctx, request.NewSeat{Name: body.Name, Role: game.Role(body.Role), Key: body.Key})
	})
	if err != nil {
		return nil, err
	}
	return &invitationAnswer{invitation}, nil
}

func (s seats) renameSeat(ctx context.Context, in *atSeat) (*entryAnswer, error) {
	return entryOf(ctx, s.server, in.Table, seatChangeForm, func(seat *table.Seat, body seatChange) (view.Entry, error) {
		entry, err := seat.RenameSeat(ctx, in.Seat, body.Name, body.Key)
		return entry, s.notThere(ctx, seat, err, "seat", "sid")
	})
}

func (s seats) renewSeat(ctx context.Context, in *atSeat) (*invitationAnswer, error) {
	invitation, err := done(ctx, s.server, in.Table, keyForm, func(seat *table.Seat, body keyed) (view.Invitation, error) {
		invitation, err := seat.RenewSeat(ctx, in.Seat, body.Key)
		return invitation, s.notThere(ctx, seat, err, "seat", "sid")
	})
	if err != nil {
		return nil, err
	}
	return &invitationAnswer{invitation}, nil
}

func (s seats) revokeSeat(ctx context.Context, in *atSeat) (*entryAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	entry, err := seat.RevokeSeat(ctx, in.Seat, "")
	if err != nil {
		return nil, s.notThere(ctx, seat, err, "seat", "sid")
	}
	return &entryAnswer{entry}, nil
}
