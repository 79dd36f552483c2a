package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"norn/table"
	"norn/table/view"
)

// Between has the moves that the rules suggest between sessions.
type Between struct {
	Suggestions []view.Suggestion `json:"suggestions" doc:"first for everybody, then for each player character"`
}

func registerBetween(s *server, api huma.API) {
	show(s, api, "/api/v1/tables/{id}/between", "suggest-between", doc{
		summary: "Moves that the rules suggest between sessions",
		text: "Only those that the seat may make. The rules give a ticked one for the session, and it wasn't made in the " +
			"last twelve hours. Make it as any move, with its arguments or others.",
		tag: "moves",
	}, func(ctx context.Context, seat *table.Seat, _ *atTable) (*answer[Between], error) {
		var told Between
		err := s.dear(ctx, seat, func() (err error) {
			told.Suggestions, err = seat.Between(ctx)
			return err
		})
		return answered(told, err)
	})
}
