package telegram

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-telegram/bot"

	"norn/chat/bridge"
)

// masked replaces secrets.
const masked = "***"

// secrets are texts that must not be shown.
type secrets []string

// secretsOf returns the token in all forms in which it can appear in an address, since Telegram
// puts it into every one, and another secret.
func secretsOf(token, other string) (s secrets) {
	_, behind, _ := strings.Cut(token, ":")
	for _, one := range []string{token, url.QueryEscape(token), url.PathEscape(token), behind, other} {
		if one != "" {
			s = append(s, one, masked)
		}
	}
	return s
}

// hide replaces the secrets in a text.
func (s secrets) hide(text string) string { return strings.NewReplacer(s...).Replace(text) }

// shut lists error texts about a place that norn can't write to.
var shut = []string{
	"chat not found", "user not found", "topic_closed", "topic_deleted", "thread not found", "not enough rights",
	"have no rights", "chat_write_forbidden",
	"group chat was deactivated", "user is deactivated", "peer_id_invalid", "need administrator rights",
}

// lost lists error texts about a message that can't be changed.
var lost = []string{
	"message to edit not found", "message can't be edited", "message_id_invalid",
	"there is no text in the message", "there is no caption",
}

// fault returns an error for the caller: one that the bridge can act on, or a text without the
// token. It isn't wrapped, because the inner error contains the address.
func (s secrets) fault(err error) error {
	if err == nil {
		return nil
	}
	if slow, ok := errors.AsType[*bot.TooManyRequestsError](err); ok {
		return &bridge.Later{After: max(time.Duration(slow.RetryAfter)*time.Second, time.Second)}
	}
	text := strings.ToLower(err.Error())
	says := func(any []string) bool {
		return slices.ContainsFunc(any, func(one string) bool { return strings.Contains(text, one) })
	}
	switch what := s.hide(err.Error()); {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return context.DeadlineExceeded
	case errors.Is(err, bot.ErrorForbidden):
		return &bridge.Gone{What: what}
	case errors.Is(err, bot.ErrorBadRequest) && says(shut):
		return &bridge.Gone{What: what}
	case errors.Is(err, bot.ErrorBadRequest) && says(lost):
		return &bridge.Gone{What: what, Message: true}
	default:
		return errors.New(what)
	}
}

// retryAfter returns how long Telegram asks to wait.
func retryAfter(err error) time.Duration {
	if later, ok := err.(*bridge.Later); ok {
		return later.After
	}
	return 0
}
