package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"

	"norn/game"
	"norn/internal/notify"
	"norn/table"
	"norn/table/refusal"
)

// hooking is the body that adds a webhook.
type hooking struct {
	Address string `json:"address" form:"text,required"`
	Format  string `json:"format" form:"choice=json|discord"`
}

// HookShown is a webhook of a table.
type HookShown struct {
	ID      string `json:"id"`
	Host    string `json:"host" doc:"of the address; the rest of it may be its secret"`
	Format  string `json:"format" enum:"json,discord"`
	Secret  string `json:"secret,omitempty" doc:"signs what is sent as JSON: Norn-Signature is t=TIME,v1=HMAC, the HMAC-SHA256 of TIME, a dot and the body in hexadecimal"`
	Failing bool   `json:"failing" doc:"nothing has come through lately; it's tried again"`
	Off     bool   `json:"off" doc:"turned off after a day of failures; adding it anew turns it on"`
}

// HookList has all webhooks of a table.
type HookList struct {
	Hooks []HookShown `json:"hooks"`
}

// atHook is the address of a webhook.
type atHook struct {
	Table string `path:"id" doc:"the table's id" maxLength:"200"`
	Hook  string `path:"hid" doc:"the hook's id" maxLength:"200"`
}

func registerHooks(s *server, api huma.API) {
	show(s, api, "/api/v1/tables/{id}/hooks", "list-hooks", doc{
		summary: "List the webhooks", text: "Only a game master may.", tag: "tables",
		errors: []int{http.StatusForbidden},
	}, func(ctx context.Context, seat *table.Seat, _ *atTable) (*answer[HookList], error) {
		if err := s.checkHooks(ctx, seat); err != nil {
			return nil, err
		}
		return answered(s.hooksLeft(seat))
	})

	hooking := bodyOf[hooking]("HookRequest", nil)
	huma.Register(api, hooking.operation(api, http.MethodPost, "/api/v1/tables/{id}/hooks", "add-hook", doc{
		summary: "Add a webhook",
		text: "Only a game master may. It gets a message when a question waits for somebody (question) and when a session begins and ends (session-began, session-ended), " +
			"as everybody at the table may know it: nothing secret. Each message has an id, the same when it's sent again. An address begins with https:// and is in no private network. " +
			"The same address and format again are the same hook.",
		tag: "tables", status: http.StatusCreated,
		example: map[string]any{"address": "https://hooks.example/norn", "format": "json"},
	}), seated(s, func(ctx context.Context, seat *table.Seat, _ *atTable) (*answer[HookShown], error) {
		if err := s.checkHooks(ctx, seat); err != nil { // before the body is read
			return nil, err
		}
		sent, _, err := read(ctx, s, hooking)
		if err != nil {
			return nil, err
		}
		if err := seat.Spend(); err != nil {
			return nil, err
		}
		hook, err := s.Hooks.AddHook(ctx, seat.Table(), sent.Address, sent.Format)
		var wrong *notify.ForbiddenError
		say := callOf(ctx).speaker
		switch {
		case errors.As(err, &wrong):
			return nil, problem(say, Invalid, say.Say("api.detail.hook-address"))
		case errors.Is(err, notify.ErrMany):
			return nil, problem(say, TooMany, say.Say("api.detail.hook-many", "N", notify.MostHooks))
		case err != nil:
			return nil, &refusal.UnavailableError{Err: err}
		}
		return answered(hookShown(hook), nil)
	}))

	remove(s, api, "/api/v1/tables/{id}/hooks/{hid}", "drop-hook", doc{
		summary: "Remove a webhook", text: "Only a game master may. It answers with those that are left.",
		tag: "tables", errors: []int{http.StatusForbidden},
	}, func(ctx context.Context, seat *table.Seat, at *atHook) (*answer[HookList], error) {
		if err := s.checkHooks(ctx, seat); err != nil {
			return nil, err
		}
		if err := seat.Spend(); err != nil {
			return nil, err
		}
		if err := s.Hooks.DropHook(ctx, at.Table, at.Hook); err != nil {
			return nil, &refusal.UnavailableError{Err: err}
		}
		return answered(s.hooksLeft(seat))
	})
}

// checkHooks refuses everybody but game masters, and everybody if this norn sends no notifications.
func (s *server) checkHooks(ctx context.Context, seat *table.Seat) error {
	switch {
	case seat.Role() != game.Master:
		return &refusal.ForbiddenError{}
	case s.Hooks == nil:
		say := callOf(ctx).speaker
		return problem(say, Refused, say.Say("api.detail.no-calls"))
	}
	return nil
}

func hookShown(h notify.Named) HookShown {
	shown := HookShown{ID: h.ID, Format: h.Format, Failing: !h.Failing.IsZero(), Off: h.Off}
	if at, err := url.Parse(h.Address); err == nil {
		shown.Host = at.Host
	}
	if h.Format == notify.JSON {
		shown.Secret = h.Secret
	}
	return shown
}

// hooksLeft returns the webhooks of the seat's table.
func (s *server) hooksLeft(seat *table.Seat) (HookList, error) {
	list := HookList{Hooks: []HookShown{}}
	hooks, err := s.Hooks.Hooks(seat.Table())
	if err != nil {
		return list, &refusal.UnavailableError{Err: err}
	}
	for _, h := range hooks {
		list.Hooks = append(list.Hooks, hookShown(h))
	}
	return list, nil
}
