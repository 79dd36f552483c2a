package discord

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/disgoorg/disgo/rest"
	"github.com/gorilla/websocket"

	"norn/chat/bridge"
)

// usualPause is waited where Discord asks for patience without saying for how long.
const usualPause = time.Second

// worded is an error as the bridge knows it, without a secret.
func (b *Bot) worded(err error) error {
	var told *rest.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &told) && told.Response.StatusCode == http.StatusTooManyRequests:
		return &bridge.Later{After: pauseOf(told)}
	case errors.As(err, &told):
		switch told.Code {
		case rest.JSONErrorCodeUnknownMessage, rest.JSONErrorCodeMaximumEditsToMessagesOlderThan1HourReached:
			return &bridge.Gone{What: told.Message, Message: true}
		case rest.JSONErrorCodeUnknownChannel, rest.JSONErrorCodeUnknownUser, rest.JSONErrorCodeMissingAccess, rest.JSONErrorCodeLackPermissionsToPerformAction, rest.JSONErrorCodeThreadLocked,
			rest.JSONErrorCodeCannotSendMessagesToThisUser:
			return &bridge.Gone{What: told.Message}
		}
	}
	return &failure{b.secret.hide(err.Error()), err}
}

// failure says what went wrong, without a secret.
type failure struct {
	text  string
	cause error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { // what it says would hold what is hidden
	if errors.Is(f.cause, context.Canceled) {
		return context.Canceled
	}
	return nil
}

// pauseOf is how long Discord wants to be left alone.
func pauseOf(told *rest.Error) time.Duration {
	var body struct {
		After float64 `json:"retry_after"`
	}
	if json.Unmarshal(told.RsBody, &body) != nil || body.After <= 0 {
		return usualPause
	}
	return time.Duration(body.After * float64(time.Second))
}

func isCode(err error, codes ...rest.JSONErrorCode) bool {
	var told *rest.Error
	return errors.As(err, &told) && slices.Contains(codes, told.Code)
}

func isStatus(err error, status int) bool {
	var told *rest.Error
	return errors.As(err, &told) && told.Response.StatusCode == status
}

const refusedToken = 4004

// isRefusedToken tells whether the gateway has closed since it doesn't know the token.
func isRefusedToken(err error) bool {
	var closed *websocket.CloseError
	return errors.As(err, &closed) && closed.Code == refusedToken
}

// redactor hides tokens: the bot's, and those of interactions, which stand in addresses.
type redactor struct{ token string }

var inAddress = regexp.MustCompile(`((?:webhooks|interactions)/\d+/)[^/?\s"]+`)

const hidden = "***"

func (r *redactor) hide(text string) string {
	if r.token != "" {
		text = strings.ReplaceAll(text, r.token, hidden)
	}
	return inAddress.ReplaceAllString(text, "${1}"+hidden)
}

// handler writes no secret, and nothing of what a library says to those who look for its own faults.
func (r *redactor) handler(to slog.Handler) slog.Handler { return &redacting{to, r} }

type redacting struct {
	slog.Handler
	secret *redactor
}

func (h *redacting) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelInfo && h.Handler.Enabled(ctx, level)
}

func (h *redacting) Handle(ctx context.Context, r slog.Record) error {
	clean := slog.NewRecord(r.Time, r.Level, h.secret.hide(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(h.attr(a))
		return true
	})
	return h.Handler.Handle(ctx, clean)
}

func (h *redacting) WithAttrs(attrs []slog.Attr) slog.Handler {
	var clean []slog.Attr
	for _, a := range attrs {
		clean = append(clean, h.attr(a))
	}
	return &redacting{h.Handler.WithAttrs(clean), h.secret}
}

func (h *redacting) WithGroup(name string) slog.Handler {
	return &redacting{h.Handler.WithGroup(name), h.secret}
}

func (h *redacting) attr(a slog.Attr) slog.Attr {
	return slog.String(a.Key, h.secret.hide(a.Value.Resolve().String()))
}
