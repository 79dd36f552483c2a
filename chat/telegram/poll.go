package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
	"norn/internal/nesting"
	"norn/internal/rescue"
)

const (
	maxTries = 6                      // tries to do an update before it's given up
	soon     = 200 * time.Millisecond // interval of polling while updates are in progress
)

// received tracks updates. Telegram forgets all below an offset, so that must be the first
// unfinished one; repeated ones above it are recognised here. The library's own polling confirms an
// update when it's read, and a crash would lose it.
type received struct {
	mu   sync.Mutex
	done map[int64]bool // false while it's in progress
	next int64          // above all received ones
	more chan struct{}  // an update is done
}

// begin reports whether an update is new, and marks it as in progress.
func (h *received) begin(id int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, told := h.done[id]; told {
		return false
	}
	h.done[id], h.next = false, max(h.next, id+1)
	return true
}

func (h *received) end(id int64) {
	h.mu.Lock()
	h.done[id] = true
	h.mu.Unlock()
	select {
	case h.more <- struct{}{}:
	default:
	}
}

// offset returns the first unfinished update, 0 if there was none, and whether one is in progress.
func (h *received) offset() (first int64, busy bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	first = h.next
	for id, done := range h.done {
		if !done {
			first = min(first, id)
		}
	}
	maps.DeleteFunc(h.done, func(id int64, _ bool) bool { return id < first }) // these aren't repeated
	return first, first < h.next
}

// poll requests updates until ctx ends, and starts their work.
func (t *Chat) poll(ctx context.Context) {
	h := &received{done: map[int64]bool{}, more: make(chan struct{}, 1)}
	for ctx.Err() == nil {
		t.until(ctx, "getUpdates", func(context.Context) error {
			offset, busy := h.offset()
			wait := pollTime
			if busy { // Telegram would repeat unfinished updates at once
				wait = 0
				select {
				case <-h.more:
				case <-time.After(soon):
				case <-ctx.Done():
				}
				offset, _ = h.offset()
			}
			updates, err := t.updates(ctx, offset, wait)
			slices.SortFunc(updates, func(a, b *models.Update) int { return int(a.ID - b.ID) })
			for _, u := range updates {
				if ctx.Err() != nil || !h.begin(u.ID) {
					continue
				}
				t.lanes.run(laneOf(u), func() {
					if t.takeOn(ctx, u) {
						h.end(u.ID)
					}
				})
			}
			return err
		})
	}
	t.lanes.wait()
	// Confirm finished updates for the next node. If that fails, repeating them does no harm.
	if offset, _ := h.offset(); offset > 0 {
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), partTime)
		defer cancel()
		t.updates(limited, offset, 0)
	}
}

// takeOn does an update, with several tries if norn can't at once, and reports whether it's done.
// After too many tries it's given up, and the person is informed.
func (t *Chat) takeOn(ctx context.Context, u *models.Update) bool {
	for try := range bridge.Tries(ctx, firstPause, maxPause) {
		err := t.take(ctx, u)
		if err == nil {
			return true
		}
		if ctx.Err() != nil {
			break
		}
		t.log.Error("an update of telegram can't be done", "update", u.ID, "try", try, "error", t.hidden.fault(err))
		if try < maxTries {
			continue
		}
		t.giveUp(ctx, u, "failed")
		return true
	}
	return false
}

// giveUp informs a person that an update isn't done; why names the words.
func (t *Chat) giveUp(ctx context.Context, u *models.Update, why string) {
	_ = rescue.Run(t.log, "telegram update", func() error {
		switch {
		case u.Message != nil && u.Message.From != nil:
			done := incoming{message: u.Message.ID}
			done.By, done.Place = person(*u.Message.From), idOf(u.Message.Chat.ID)
			return logUndelivered(t.log, done, t.tell(ctx, done, done.Place, aside(say(t.words, done.By, why)), nil))
		case u.CallbackQuery != nil:
			return t.answerPress(ctx, incoming{query: u.CallbackQuery.ID},
				say(t.words, person(u.CallbackQuery.From), why), true)
		}
		return nil
	})
}

// updates requests updates from Telegram.
func (t *Chat) updates(ctx context.Context, offset int64, wait time.Duration) ([]*models.Update, error) {
	asked, err := json.Marshal(map[string]any{
		"offset": offset, "timeout": int(wait.Seconds()), "limit": 100,
		"allowed_updates": kinds,
	})
	if err != nil {
		panic(err) // can't happen: it consists of numbers and texts
	}
	ctx, cancel := context.WithTimeout(ctx, wait+answerTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.api+"/bot"+t.token+"/getUpdates",
		bytes.NewReader(asked))
	if err != nil {
		return nil, t.hidden.fault(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := t.client.Do(request)
	if err != nil {
		return nil, t.hidden.fault(err)
	}
	defer response.Body.Close()
	var answer struct {
		OK          bool
		Result      []*models.Update
		Description string
		Parameters  struct {
			RetryAfter int `json:"retry_after"`
		}
	}
	if err := json.NewDecoder(nesting.Reader(response.Body)).Decode(&answer); err != nil {
		return nil, t.hidden.fault(fmt.Errorf("%s: %w", response.Status, err))
	}
	switch {
	case answer.OK:
		return answer.Result, nil
	case answer.Parameters.RetryAfter > 0:
		return nil, t.hidden.fault(&bot.TooManyRequestsError{RetryAfter: answer.Parameters.RetryAfter})
	}
	return nil, t.hidden.fault(fmt.Errorf("%s: %s", response.Status, answer.Description))
}
