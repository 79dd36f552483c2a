package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// XCard is what lies on a table.
type XCard struct {
	X uint64 `json:"x" doc:"seq of the entry that laid it there, 0 for none"`
}

func registerXCard(s *server, api huma.API) {
	act(s, api, http.MethodPost, "/api/v1/tables/{id}/x-card", "raise-x-card", doc{
		summary: "Lay an X-card on the table",
		text: "Somebody wants something to stop, or to be told otherwise. All see it at once; it stops nothing by itself. Anybody but spectators may. The entry is of no seat, and nothing is kept " +
			"of who it was. Where one lies there, or was put away within half a minute, nothing is added; a key isn't kept.",
		tag:     "pictures",
		example: map[string]any{},
	}, keyBody, func(ctx context.Context, r sent[atTable, keyed]) (*answer[XCard], error) {
		if err := r.seat.RaiseX(ctx); err != nil {
			return nil, err
		}
		shown, err := r.seat.View(ctx)
		if err != nil {
			return nil, err
		}
		return answered(XCard{shown.X}, nil)
	})

	act(s, api, http.MethodPost, "/api/v1/tables/{id}/x-card/away", "put-x-card-away", doc{
		summary: "Put the X-card away", text: "Once it was talked about. Anybody but spectators may.", tag: "pictures",
		example: map[string]any{"key": "52ae"},
	}, keyBody, func(ctx context.Context, r sent[atTable, keyed]) (*entryAnswer, error) {
		return answered(r.seat.PutXAway(ctx, r.body.Key))
	})
}
