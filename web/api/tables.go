package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/limit"
	"norn/odds"
	"norn/table"
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
		text:    "The answer holds the game master's seat. Its secret is told this once; only a hash of it is kept.",
		tag:     "tables", open: true, status: http.StatusCreated,
		example: map[string]any{"game": s.Games.Games()[0].ID, "name": "Tuesday nights", "lang": "en"},
	}), func(ctx context.Context, _ *struct{}) (*answer[view.Created], error) {
		created, err := s.open(ctx, opening)
		if err != nil {
			return nil, s.problemOf(ctx, nil, err)
		}
		return answered(created, nil)
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
	wanted, _, err := opening.read(c.body)
	if err != nil {
		return none, err
	}
	if err := s.Limiter.Table(odds.Asker(c.from)); err != nil {
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
