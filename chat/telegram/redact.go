package telegram

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/go-telegram/bot"

	"norn/chat/bridge"
)

// masked stands for what nobody may read.
const masked = "***"

// redacted is a text without the token, which Telegram wants in the address of every request.
func (t *Chat) redacted(text string) string {
	_, secret, _ := strings.Cut(t.token, ":")
	for _, hidden := range []string{t.token, url.QueryEscape(t.token), url.PathEscape(t.token), secret, t.secret} {
		if hidden != "" {
			text = strings.ReplaceAll(text, hidden, masked)
		}
	}
	return text
}

// shut are words of Telegram for a place that norn can't write to.
var shut = []string{
	"chat not found", "user not found", "topic_closed", "topic_deleted", "thread not found", "not enough rights", "have no rights", "chat_write_forbidden",
	"group chat was deactivated", "user is deactivated", "peer_id_invalid", "need administrator rights",
}

// lost are those for a message that can't be changed.
var lost = []string{"message to edit not found", "message can't be edited", "message_id_invalid", "there is no text in the message", "there is no caption"}

// fault is an error as whoever called may see it: what the bridge can act on, or a text without the token. Nothing is wrapped, since
// what is inside knows the address.
func (t *Chat) fault(err error) error {
	if err == nil {
		return nil
	}
	if slow, ok := errors.AsType[*bot.TooManyRequestsError](err); ok {
		return &bridge.Later{After: max(time.Duration(slow.RetryAfter)*time.Second, time.Second)}
	}
	text := strings.ToLower(err.Error())
	says := func(any []string) bool {
		for _, one := range any {
			if strings.Contains(text, one) {
				return true
			}
		}
		return false
	}
	switch what := t.redacted(err.Error()); {
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
