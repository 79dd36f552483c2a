package telegramtest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"
)

// Updates are the updates for norn. Its lock guards the whole Telegram.
type Updates struct {
	mu   sync.Mutex
	woke chan struct{} // closed when something happened

	pending []*update
	newest  *update
	nextID  int64
	polling int // generation of the newest getUpdates
	webhook struct{ url, secret string }
	closed  bool
}

type update struct {
	id    int64
	data  map[string]any
	twice bool
}

// CountUnconfirmed returns how many updates norn hasn't confirmed.
func (u *Updates) CountUnconfirmed() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.pending)
}

// Changed returns a channel that is closed with the next change.
func (u *Updates) Changed() <-chan struct{} {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.woke
}

// Until waits until is holds; false if that takes too long.
func (u *Updates) Until(within time.Duration, is func() bool) bool {
	end := time.Now().Add(within)
	for {
		woke := u.Changed()
		if is() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
		select {
		case <-woke:
		case <-time.After(20 * time.Millisecond): // not everything happens in this server
		}
	}
}

// wake wakes waiting goroutines.
func (u *Updates) wake() {
	close(u.woke)
	u.woke = make(chan struct{})
}

// get returns unconfirmed updates, or waits for one; a conflict says why it can't. A later call
// ends an earlier one.
func (u *Updates) get(ctx context.Context, offset int64, within time.Duration) (told []map[string]any,
	conflict string,
) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.webhook.url != "" {
		return nil, "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
	}
	u.polling++
	mine := u.polling
	u.wake()
	u.pending = slices.DeleteFunc(u.pending, func(one *update) bool { return one.id < offset })
	end := time.Now().Add(within)
	for {
		if u.polling != mine {
			return nil, "terminated by other getUpdates request; make sure that only one bot instance is running"
		}
		told := []map[string]any{}
		for _, one := range u.pending {
			told = append(told, one.data)
			if one.twice {
				told = append(told, one.data)
			}
			if len(told) >= 100 {
				break
			}
		}
		left := time.Until(end)
		if len(told) > 0 || left <= 0 || u.closed || ctx.Err() != nil {
			return told, ""
		}
		woke := u.woke
		u.mu.Unlock()
		select {
		case <-woke:
		case <-time.After(left):
		case <-ctx.Done():
		}
		u.mu.Lock()
	}
}

// tell adds an update, and calls the webhook if there's one.
func (u *Updates) tell(kind string, value map[string]any) {
	u.nextID++
	u.newest = &update{id: u.nextID, data: map[string]any{"update_id": u.nextID, kind: value}}
	u.pending = append(u.pending, u.newest)
	u.wake()
}

// Deliver calls the webhook with all unconfirmed updates, in order or backwards, and returns the
// statuses. Those without 200 stay. through handles the https address that norn registered.
func (u *Updates) Deliver(through http.Handler, secret string, backwards bool) (statuses []int) {
	u.mu.Lock()
	waiting := slices.Clone(u.pending)
	if secret == "" {
		secret = u.webhook.secret
	}
	at := u.webhook.url
	u.mu.Unlock()
	if backwards {
		slices.Reverse(waiting)
	}
	for _, one := range waiting {
		for range map[bool]int{false: 1, true: 2}[one.twice] {
			body, err := json.Marshal(one.data)
			if err != nil {
				panic(err)
			}
			r := httptest.NewRequest(http.MethodPost, at, bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
			w := httptest.NewRecorder()
			through.ServeHTTP(w, r)
			statuses = append(statuses, w.Code)
			if w.Code == http.StatusOK {
				u.mu.Lock()
				u.pending = slices.DeleteFunc(u.pending, func(p *update) bool { return p == one })
				u.wake()
				u.mu.Unlock()
			}
		}
	}
	return statuses
}

// Webhook returns the registered address, "" for none.
func (u *Updates) Webhook() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.webhook.url
}

// Twice makes all waiting updates be delivered twice.
func (u *Updates) Twice() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, one := range u.pending {
		one.twice = true
	}
}

// Shuffle makes the newest waiting update be delivered first.
func (u *Updates) Shuffle() {
	u.mu.Lock()
	defer u.mu.Unlock()
	slices.Reverse(u.pending)
}

// Again delivers the newest update once more, even if it was confirmed.
func (u *Updates) Again() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if newest := u.newest; newest != nil && !slices.Contains(u.pending, newest) {
		u.pending = append(u.pending, newest)
		u.wake()
	}
}
