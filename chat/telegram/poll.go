package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

const (
	mostTries = 6                      // to do what an update says, before it's let go
	soon      = 200 * time.Millisecond // to ask for more while something is being done
	partTime  = 3 * time.Second        // to tell Telegram, at the end, what is done
)

// heard are updates that were told: those being done, and those done of which Telegram doesn't know yet. Telegram forgets all below an
// offset, so that is the first that isn't done; what comes again above it is known here. That is why norn asks by itself: the library
// counts an update as heard when it's read, and a crash would lose it.
type heardUpdates struct {
	mu   sync.Mutex
	done map[int64]bool // false: is being done
	more chan struct{}  // something is done
}

// begin tells whether an update is new, and counts it as being done.
func (h *heardUpdates) begin(id int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, told := h.done[id]; told {
		return false
	}
	h.done[id] = false
	return true
}

func (h *heardUpdates) end(id int64) {
	h.mu.Lock()
	h.done[id] = true
	h.mu.Unlock()
	select {
	case h.more <- struct{}{}:
	default:
	}
}

// drop forgets an update that is to be told again.
func (h *heardUpdates) drop(id int64) {
	h.mu.Lock()
	delete(h.done, id)
	h.mu.Unlock()
}

// offset is the first update that isn't done, 0 where nothing was told, and whether something is being done.
func (h *heardUpdates) offset() (first int64, busy bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	last := int64(0)
	for id, done := range h.done {
		last = max(last, id)
		if !done && (!busy || id < first) {
			first, busy = id, true
		}
	}
	if !busy && last > 0 {
		first = last + 1
	}
	return first, busy
}

// confirmed forgets what Telegram has been told.
func (h *heardUpdates) confirmed(offset int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id := range h.done {
		if id < offset {
			delete(h.done, id)
		}
	}
}

// poll asks what people did until ctx ends, and has it done.
func (t *Chat) poll(ctx context.Context) {
	h := &heardUpdates{done: map[int64]bool{}, more: make(chan struct{}, 1)}
	for pause := firstPause; ctx.Err() == nil; {
		offset, busy := h.offset()
		wait := pollTime
		if busy {
			wait = 0
			select {
			case <-h.more:
			case <-time.After(soon):
			case <-ctx.Done():
			}
			offset, busy = h.offset()
			if !busy {
				wait = pollTime
			}
		}
		updates, err := t.updates(ctx, offset, wait)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			t.log.Warn("telegram doesn't answer", "method", "getUpdates", "error", err)
			if rest(ctx, max(pause, after(err))) != nil {
				break
			}
			pause = min(2*pause, mostPause)
			continue
		}
		pause = firstPause
		h.confirmed(offset)
		slices.SortFunc(updates, func(a, b *models.Update) int { return int(a.ID - b.ID) })
		for _, u := range updates {
			if !h.begin(u.ID) {
				continue
			}
			t.lanes.run(lane(u), func() {
				if t.takeOn(ctx, u) {
					h.end(u.ID)
				} else {
					h.drop(u.ID)
				}
			})
		}
	}
	t.lanes.wait()
	// What is done needn't be told again to whoever asks next. It does no harm if it is.
	if offset, _ := h.offset(); offset > 0 {
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), partTime)
		defer cancel()
		t.updates(limited, offset, 0)
	}
}

// takeOn does what an update says, again where norn can't at once; whether it's done. What can't be done for a while is let go, and whoever
// did it is told.
func (t *Chat) takeOn(ctx context.Context, u *models.Update) bool {
	for try, pause := 1, firstPause; ; try, pause = try+1, 2*pause {
		err := t.take(ctx, u)
		switch {
		case ctx.Err() != nil:
			return err == nil
		case err == nil:
			return true
		}
		t.log.Error("an update of telegram can't be done", "update", u.ID, "try", try, "error", t.redacted(err.Error()))
		if try == mostTries {
			t.sorry(ctx, u)
			return true
		}
		if rest(ctx, pause) != nil {
			return false
		}
	}
}

// sorry says that something couldn't be done.
func (t *Chat) sorry(ctx context.Context, u *models.Update) {
	switch {
	case u.Message != nil && u.Message.From != nil:
		by := t.person(*u.Message.From)
		_, err := t.post(ctx, t.place(spot{chat: u.Message.Chat.ID}), aside(t.say(by, "failed")), &models.ReplyParameters{MessageID: u.Message.ID, AllowSendingWithoutReply: true})
		t.undelivered(told{}, err)
	case u.CallbackQuery != nil:
		t.heardPress(ctx, told{query: u.CallbackQuery.ID}, t.say(t.person(u.CallbackQuery.From), "failed"), true)
	}
}

// updates asks Telegram what people did.
func (t *Chat) updates(ctx context.Context, offset int64, wait time.Duration) ([]*models.Update, error) {
	asked, err := json.Marshal(map[string]any{"offset": offset, "timeout": int(wait.Seconds()), "limit": 100, "allowed_updates": kinds})
	if err != nil {
		panic(err) // it's made of numbers and texts
	}
	ctx, cancel := context.WithTimeout(ctx, wait+answerTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, t.api+"/bot"+t.token+"/getUpdates", bytes.NewReader(asked))
	if err != nil {
		return nil, t.fault(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := t.client.Do(request)
	if err != nil {
		return nil, t.fault(err)
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
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, t.fault(fmt.Errorf("%s: %w", response.Status, err))
	}
	switch {
	case answer.OK:
		return answer.Result, nil
	case answer.Parameters.RetryAfter > 0:
		return nil, t.fault(&bot.TooManyRequestsError{RetryAfter: answer.Parameters.RetryAfter})
	}
	return nil, t.fault(fmt.Errorf("%s: %s", response.Status, answer.Description))
}
