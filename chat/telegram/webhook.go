package telegram

import (
	"crypto/subtle"
	"encoding/json"
	"net/http"

	"github.com/go-telegram/bot/models"

	"norn/internal/nesting"
)

const (
	maxBody = 1 << 20 // of an update
)

// ServeHTTP handles Telegram's calls of the webhook. It checks the secret first, since the
// library's own handler answers 200 to a wrong one. Status 200 means that an update is done; after
// any other Telegram calls again.
func (t *Chat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	given := r.Header.Get("X-Telegram-Bot-Api-Secret-Token")
	if subtle.ConstantTimeCompare([]byte(given), []byte(t.secret)) != 1 {
		http.Error(w, http.StatusText(http.StatusUnauthorized), http.StatusUnauthorized)
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	if linkOf(t.self()) == "" { // without the bot's name, commands for it can't be recognised
		http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
		return
	}
	var u models.Update
	if err := json.NewDecoder(nesting.Reader(http.MaxBytesReader(w, r.Body, maxBody))).Decode(&u); err != nil {
		http.Error(w, http.StatusText(http.StatusBadRequest), http.StatusBadRequest)
		return
	}
	select {
	case t.calls <- struct{}{}:
		defer func() { <-t.calls }()
	default:
		http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
		return
	}
	done := make(chan error, 1)
	t.lanes.run(laneOf(&u), func() { done <- t.take(r.Context(), &u) })
	if err := <-done; err != nil {
		t.log.Error("an update of telegram can't be done", "update", u.ID, "error", t.hidden.fault(err))
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
	}
}
