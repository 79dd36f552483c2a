package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"norn/table"
	"norn/table/view"
)

// Handouts has the notes that were shared with a seat.
type Handouts struct {
	Handouts []view.Handout `json:"handouts" doc:"the one that was shared last at the end"`
}

func registerHandouts(s *server, api huma.API) {
	show(s, api, "/api/v1/tables/{id}/handouts", "list-handouts", doc{
		summary: "Notes that were shared with the seat", text: "A game master's are all that were shared.",
		tag: "pictures",
	}, func(ctx context.Context, seat *table.Seat, _ *atTable) (*answer[Handouts], error) {
		all, err := seat.Handouts(ctx)
		return answered(Handouts{all}, err)
	})
}
