package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/table"
)

// XCard says whether an X-card is on the table.
type XCard struct {
	X        uint64 `json:"x" doc:"seq of the entry that laid it there, 0 for none"`
	TakeBack string `json:"takeBack,omitempty" doc:"for who has laid it there: a token that takes it back within ten seconds, once, on this node; nobody else has it"`
}

// takingBack is the body that takes an X-card back.
type takingBack struct {
	Token string `json:"token" form:"text,required"`
}

func registerXCard(s *server, api huma.API) {
	operate(s, api, http.MethodPost, "/api/v1/tables/{id}/x-card", "raise-x-card", doc{
		summary: "Raise an X-card",
		text: "Somebody wants something to stop, or to go another way. Everybody sees it at once; it stops nothing by itself. Anybody but spectators may. The entry is of no seat, and nothing is stored " +
			"of who it was. Where one is raised already, or was lowered within half a minute, nothing is added for others to see; a key isn't stored. The answer has a token with which it can be withdrawn.",
		tag:     "pictures",
		example: map[string]any{},
	}, keyBody, func(ctx context.Context, r sent[atTable, keyed]) (*answer[XCard], error) {
		token, err := r.seat.RaiseX(ctx)
		if err != nil {
			return nil, err
		}
		return xCardSeen(ctx, r.seat, token)
	})

	operate(s, api, http.MethodPost, "/api/v1/tables/{id}/x-card/back", "take-x-card-back", doc{
		summary: "Take an X-card back",
		text: "For a card that was raised by mistake: within ten seconds, at the node that answered and with the token of that answer, unless somebody else has raised it, too. The entry is of no seat, and " +
			"another card may follow at once. Refused, the card stays; then put-x-card-away is left, which has a name.",
		tag: "pictures", example: map[string]any{"token": "5b1e8c0e6f0d4d0f9a55c1f1d3f0a1b2"},
	}, bodyOf[takingBack]("XCardBack", nil),
		func(ctx context.Context, r sent[atTable, takingBack]) (*answer[XCard], error) {
			if err := r.seat.TakeXBack(ctx, r.body.Token); err != nil {
				return nil, err
			}
			return xCardSeen(ctx, r.seat, "")
		})
}

// xCardSeen responds with what a seat sees, and to the seat that raised the card with its token.
func xCardSeen(ctx context.Context, seat *table.Seat, token string) (*answer[XCard], error) {
	shown, err := seat.View(ctx)
	return answered(XCard{shown.X, token}, err)
}
