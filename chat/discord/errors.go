package discord

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/disgoorg/disgo/rest"

	"norn/chat/bridge"
)

// usualPause is the wait when Discord asks for one without a time.
const usualPause = time.Second

// bridgeError returns an error for the bridge, without secrets.
func (b *Bot) bridgeError(err error) error {
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
		case rest.JSONErrorCodeUnknownChannel, rest.JSONErrorCodeUnknownUser, rest.JSONErrorCodeMissingAccess,
			rest.JSONErrorCodeLackPermissionsToPerformAction, rest.JSONErrorCodeThreadLocked,
			rest.JSONErrorCodeCannotSendMessagesToThisUser:
			return &bridge.Gone{What: told.Message}
		}
	}
	if errors.Is(err, context.Canceled) {
		return context.Canceled
	}
	return errors.New(b.hide(err.Error())) // not wrapped, because the inner error contains the address
}

// pauseOf returns how long Discord asks to wait.
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
	told, ok := errors.AsType[*rest.Error](err)
	return ok && slices.Contains(codes, told.Code)
}

func isStatus(err error, status int) bool {
	told, ok := errors.AsType[*rest.Error](err)
	return ok && told.Response.StatusCode == status
}

var inAddress = regexp.MustCompile(`((?:webhooks|interactions)/\d+/)[^/?\s"]+`)

const hidden = "***"

// hide removes tokens from a text: the bot's, and those of interactions in addresses.
func (b *Bot) hide(text string) string {
	return inAddress.ReplaceAllString(strings.ReplaceAll(text, b.config.Token, hidden), "${1}"+hidden)
}
