package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/limit"
	"norn/odds"
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

// keyed is a body that holds nothing but a key.
type keyed struct {
	Key string `json:"key" form:"text"`
}

var keyForm = form.Of[keyed]()

// atTable is the address of what belongs to a table.
type atTable struct {
	Table string `path:"id" doc:"the table's id" maxLength:"200"`
}

type createdAnswer struct {
	Body view.Created
}

type viewAnswer struct {
	Body *view.View
}

// entryAnswer is what became of a change: its entry in the log.
type entryAnswer struct {
	Body view.Entry
}

func (s *server) registerTables(api huma.API) {
	body := newTableForm(s.Games)
	huma.Register(api, operation(http.MethodPost, "/api/v1/tables", "open-table", doc{
		summary: "Open a table",
		text:    "The answer holds the game master's seat. Its secret is told this once; only a hash of it is kept.",
		tag:     "tables", open: true, status: http.StatusCreated,
		body: "NewTable", example: map[string]any{"game": s.Games[0].ID, "name": "Tuesday nights", "lang": "en"},
	}), func(ctx context.Context, _ *struct{}) (*createdAnswer, error) {
		c := callOf(ctx)
		wanted, _, err := read[newTable](c.body, body.Default("lang", string(c.speaker.Lang())))
		if err != nil {
			return nil, s.failed(ctx, nil, err)
		}
		if err := s.Door.Table(odds.Asker(c.from)); err != nil {
			return nil, s.failed(ctx, nil, err)
		}
		created, err := s.Host.Create(ctx, request.NewTable{Game: wanted.Game, Name: wanted.Name, Lang: lang.Lang(wanted.Lang)})
		if err != nil {
			return nil, s.failed(ctx, nil, err)
		}
		return &createdAnswer{created}, nil
	})

	huma.Register(api, operation(http.MethodGet, "/api/v1/tables/{id}", "show-table", doc{
		summary: "The table as this seat sees it", tag: "tables",
	}), s.showTable)

	huma.Register(api, operation(http.MethodPatch, "/api/v1/tables/{id}/settings", "change-settings", doc{
		summary: "Change house rules and settings",
		text:    "A JSON merge patch (RFC 7396) of the settings. Only a game master may.",
		tag:     "tables", body: "SettingsChange", errors: []int{http.StatusForbidden, http.StatusConflict},
		example: map[string]any{"settings": map[string]any{}, "key": "b7d0"},
	}), s.changeSettings)
}

func (s *server) showTable(ctx context.Context, in *atTable) (*viewAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	shown, err := seat.View(ctx)
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	return &viewAnswer{shown}, nil
}

func (s *server) changeSettings(ctx context.Context, in *atTable) (*entryAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	body, kept, err := read[keyed](callOf(ctx).body, keyForm, "settings")
	var settings json.RawMessage
	if err == nil {
		settings, err = kept.need("settings")
	}
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	entry, err := seat.Configure(ctx, settings, body.Key)
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	return &entryAnswer{entry}, nil
}

// entryOf does what a body says that holds nothing but a T, and answers with its entry.
func entryOf[T any](ctx context.Context, s *server, id string, f *form.Form, do func(*table.Seat, T) (view.Entry, error)) (*entryAnswer, error) {
	entry, err := done(ctx, s, id, f, do)
	if err != nil {
		return nil, err
	}
	return &entryAnswer{entry}, nil
}

// done does, as the seat that asks, what a body says that holds nothing but a T.
func done[T, A any](ctx context.Context, s *server, id string, f *form.Form, do func(*table.Seat, T) (A, error)) (A, error) {
	var answer A
	seat, err := s.enter(ctx, id)
	if err != nil {
		return answer, err
	}
	body, _, err := read[T](callOf(ctx).body, f)
	if err == nil {
		answer, err = do(seat, body)
	}
	if err != nil {
		return answer, s.failed(ctx, seat, err)
	}
	return answer, nil
}

// enter takes the seat that the request's secret opens.
func (s *server) enter(ctx context.Context, id string) (*table.Seat, error) {
	c := callOf(ctx)
	address, key := odds.Asker(c.from), limit.Seat(id, c.secret)
	if err := s.Door.Knock(address, key); err != nil {
		return nil, s.failed(ctx, nil, err)
	}
	seat, err := s.Host.Enter(ctx, id, c.secret, c.speaker.Lang())
	var missing *refusal.NotFoundError
	switch {
	case err == nil:
		s.Door.Admitted(key)
	case errors.As(err, &missing):
		s.Door.Missed(address)
	}
	if err == nil && c.writes {
		err = s.Door.Write(key)
	}
	if err != nil {
		return nil, s.failed(ctx, nil, err)
	}
	return seat, nil
}
