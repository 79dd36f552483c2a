package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/game"
	"norn/herald"
	"norn/table/refusal"
)

// Hooks are the addresses that hear of a table.
type Hooks interface {
	Hooks(table string) ([]herald.Named, error)
	AddHook(ctx context.Context, table, address, format string) (herald.Named, error)
	DropHook(ctx context.Context, table, id string) error
}

// hooking is the body that has an address hear of a table.
type hooking struct {
	Address string `json:"address" form:"text,required"`
	Format  string `json:"format" form:"choice=json|discord"`
}

var hookForm = form.Of[hooking]()

// HookShown is an address that hears of a table.
type HookShown struct {
	ID      string `json:"id"`
	Host    string `json:"host" doc:"of the address; the rest of it may be its secret"`
	Format  string `json:"format" enum:"json,discord"`
	Secret  string `json:"secret,omitempty" doc:"signs what is sent as JSON: Norn-Signature is t=TIME,v1=HMAC, the HMAC-SHA256 of TIME, a dot and the body in hexadecimal"`
	Failing bool   `json:"failing" doc:"nothing has come through lately; it's tried again"`
	Off     bool   `json:"off" doc:"turned off after a day of failures; adding it anew turns it on"`
}

// HookList are all of a table.
type HookList struct {
	Hooks []HookShown `json:"hooks"`
}

type hooksAnswer struct{ Body HookList }

type hookAnswer struct{ Body HookShown }

// atHook is the address of a hook.
type atHook struct {
	Table string `path:"id" doc:"the table's id" maxLength:"200"`
	Hook  string `path:"hid" doc:"the hook's id" maxLength:"200"`
}

// hookDesk serves who is called.
type hookDesk struct{ *server }

func (s hookDesk) register(api huma.API) {
	failures := []int{http.StatusForbidden}
	huma.Register(api, operation(http.MethodGet, "/api/v1/tables/{id}/hooks", "list-hooks", doc{
		summary: "Addresses that hear of the table", text: "Only a game master may.", tag: "tables", errors: failures,
	}), s.listHooks)
	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/hooks", "add-hook", doc{
		summary: "Have an address hear of the table",
		text: "Only a game master may. It hears when a question waits for somebody (question) and when a session begins and ends (session-began, session-ended), " +
			"as everybody at the table may know it: nothing secret. What it hears has an id, the same when it's told again. An address begins with https:// and is in no private network. " +
			"The same address and format again are the same hook.",
		tag: "tables", status: http.StatusCreated, errors: append(failures, http.StatusConflict),
		body: "HookRequest", example: map[string]any{"address": "https://hooks.example/norn", "format": "json"},
	}), s.addHook)
	huma.Register(api, operation(http.MethodDelete, "/api/v1/tables/{id}/hooks/{hid}", "drop-hook", doc{
		summary: "Have an address hear no more of the table", text: "Only a game master may. It tells what is left.", tag: "tables", errors: failures,
	}), s.dropHook)
}

// hooked lets a game master on, where norn calls anybody.
func (s hookDesk) hooked(ctx context.Context, table string) error {
	seat, err := s.enter(ctx, table)
	switch {
	case err != nil:
		return err
	case seat.Role() != game.Master:
		return s.failed(ctx, seat, &refusal.ForbiddenError{})
	case s.Hooks == nil:
		say := callOf(ctx).speaker
		return problem(say, Refused, say.Say("api.detail.no-calls"))
	}
	return nil
}

func hookShown(h herald.Named) HookShown {
	shown := HookShown{ID: h.ID, Format: h.Format, Failing: !h.Failing.IsZero(), Off: h.Off}
	if at, err := url.Parse(h.Address); err == nil {
		shown.Host = at.Host
	}
	if h.Format == herald.JSON {
		shown.Secret = h.Secret
	}
	return shown
}

func (s hookDesk) listHooks(ctx context.Context, in *atTable) (*hooksAnswer, error) {
	if err := s.hooked(ctx, in.Table); err != nil {
		return nil, err
	}
	return s.hooksLeft(ctx, in.Table)
}

func (s hookDesk) hooksLeft(ctx context.Context, table string) (*hooksAnswer, error) {
	hooks, err := s.Hooks.Hooks(table)
	if err != nil {
		return nil, s.failed(ctx, nil, &refusal.UnavailableError{Err: err})
	}
	list := HookList{Hooks: []HookShown{}}
	for _, h := range hooks {
		list.Hooks = append(list.Hooks, hookShown(h))
	}
	return &hooksAnswer{list}, nil
}

func (s hookDesk) addHook(ctx context.Context, in *atTable) (*hookAnswer, error) {
	if err := s.hooked(ctx, in.Table); err != nil {
		return nil, err
	}
	c := callOf(ctx)
	body, _, err := read[hooking](c.body, hookForm)
	if err != nil {
		return nil, s.failed(ctx, nil, err)
	}
	hook, err := s.Hooks.AddHook(ctx, in.Table, body.Address, body.Format)
	var wrong *herald.ForbiddenError
	switch {
	case errors.As(err, &wrong):
		return nil, problem(c.speaker, Invalid, c.speaker.Say("api.detail.hook-address"))
	case errors.Is(err, herald.ErrMany):
		return nil, problem(c.speaker, TooMany, c.speaker.Say("api.detail.hook-many", "N", herald.MostHooks))
	case err != nil:
		return nil, s.failed(ctx, nil, &refusal.UnavailableError{Err: err})
	}
	return &hookAnswer{hookShown(hook)}, nil
}

func (s hookDesk) dropHook(ctx context.Context, in *atHook) (*hooksAnswer, error) {
	if err := s.hooked(ctx, in.Table); err != nil {
		return nil, err
	}
	if err := s.Hooks.DropHook(ctx, in.Table, in.Hook); err != nil {
		return nil, s.failed(ctx, nil, &refusal.UnavailableError{Err: err})
	}
	return s.hooksLeft(ctx, in.Table)
}
