package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/game"
	"norn/internal/limit"
	"norn/lang"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// newTable is the body that opens a table.
type newTable struct {
	Game string `json:"game" form:"choice,required"`
	Name string `json:"name" form:"text,required"`
	Lang string `json:"lang" form:"choice=en|ru|uk"`
}

func newTableForm(games []*game.Game) *form.Form {
	options := make([]form.Option, len(games))
	for i, g := range games {
		options[i] = form.Option{Value: g.ID}
	}
	return form.Of[newTable]().With("game", options...)
}

func registerTables(s *server, api huma.API) {
	opening := bodyOf[newTable]("NewTable", nil)
	opening.form = newTableForm(game.CurrentGames(s.Games))
	huma.Register(api, opening.operation(api, http.MethodPost, "/api/v1/tables", "open-table", doc{
		summary: "Open a table",
		text:    "The answer holds the game master's seat. Its secret is in this answer alone; only a hash of it is stored.",
		tag:     "tables", open: true, status: http.StatusCreated,
		example: map[string]any{"game": s.Games.Games()[0].ID, "name": "Tuesday nights", "lang": "en"},
	}), func(ctx context.Context, _ *struct{}) (*answer[view.Created], error) {
		created, err := s.open(ctx, opening)
		if err != nil {
			return nil, s.problemOf(ctx, nil, err)
		}
		return answered(created, nil)
	})

	recovering := bodyOf[recoverRequest]("RecoverRequest", nil)
	huma.Register(api, recovering.operation(api, http.MethodPost, "/api/v1/tables/{id}/recover", "recover-seat", doc{
		summary: "Get a seat back by its recovery code",
		text: "The seat gets a new secret; the old one opens nothing any more, and the code is used up. A repeated request with its key " +
			"gets the same secret. A missing table, a wrong code and a used one get the same answer, and count as failed tries.",
		tag: "seats", open: true, status: http.StatusCreated,
		errors:  []int{http.StatusNotFound, http.StatusConflict, http.StatusServiceUnavailable},
		example: map[string]any{"code": "7K2QF-9XW3M-BT5HC-R8ZPA", "key": "3c90"},
	}), func(ctx context.Context, _ *atTable) (*answer[view.Invitation], error) {
		invited, err := s.recover(ctx, recovering)
		if err != nil {
			return nil, s.problemOf(ctx, nil, err)
		}
		return answered(invited, nil)
	})

	show(s, api, "/api/v1/tables/{id}", "show-table", doc{
		summary: "The table as this seat sees it", tag: "tables", tool: "look",
		text: "Its characters with their sheets, the moves that the seat may make, open questions and offers, and who is there.",
	}, func(ctx context.Context, seat *table.Seat, _ *atTable) (*answer[*view.View], error) {
		return answered(seat.View(ctx))
	})
}

// open opens a table. The default language is that of the request.
func (s *server) open(ctx context.Context, opening body[newTable]) (none view.Created, err error) {
	c := callOf(ctx)
	opening.form = newTableForm(game.CurrentGames(s.Games)).Default("lang", string(c.speaker.Lang()))
	wanted, _, err := read(ctx, s, opening)
	if err != nil {
		return none, err
	}
	if err := s.Limiter.Table(c.from); err != nil {
		return none, err
	}
	created, err := s.Host.Create(ctx,
		request.NewTable{Game: wanted.Game, Name: wanted.Name, Lang: lang.Lang(wanted.Lang)})
	if err == nil {
		// so that failed tries by others at the address don't matter
		s.Limiter.RememberSeat(limit.Seat(created.ID, created.Seat.Secret))
	}
	return created, err
}

// recoverRequest is the body that gets a seat back.
type recoverRequest struct {
	Code string `json:"code" form:"text,required" doc:"a recovery code of the seat; spaces, dashes and case don't matter"`
	Key  string `json:"key" form:"text" doc:"the same key acts once"`
}

// recover gives a seat a new secret for its recovery code. Wrong codes count like wrong secrets.
func (s *server) recover(ctx context.Context, body body[recoverRequest]) (none view.Invitation, err error) {
	c := callOf(ctx)
	wanted, _, err := read(ctx, s, body)
	if err != nil {
		return none, err
	}
	address := c.from
	if err := s.Limiter.Knock(address, limit.Seat(c.table, wanted.Code)); err != nil {
		return none, err
	}
	invited, err := s.Host.Recover(ctx, c.table, wanted.Code, wanted.Key)
	if errors.As(err, new(*refusal.NotFoundError)) {
		s.Limiter.CountMiss(address)
	}
	return invited, err
}
