package notify

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"norn/internal/kvstore"
)

// Formats of a hook.
const (
	JSON    = "json"
	Discord = "discord"
)

// Events of a hook.
const (
	EventQuestion = "question"
	EventBegan    = "session-began"
	EventEnded    = "session-ended"
)

// Hook is an address that is notified of open questions at a table, and of the start and end of its
// sessions, as far as everybody at the table knows them.
type Hook struct {
	Address string    `json:"address"`
	Secret  string    `json:"secret"` // key for the signature of requests
	Format  string    `json:"format"`
	Failing time.Time `json:"failing,omitzero"` // when the current failures began
	Off     bool      `json:"off,omitempty"`    // turned off after failing for a day
}

// Named is a hook with the id for removing it.
type Named struct {
	ID string
	Hook
}

const givesUp = 24 * time.Hour

// Hooks returns a table's hooks, ordered by id.
func (n *Notifier) Hooks(table string) ([]Named, error) {
	kept, err := n.keptOf(table)
	var all []Named
	for _, id := range kept.ids {
		if hook, is := kept.hooks[id]; is {
			all = append(all, Named{strings.TrimPrefix(id, ofHook), hook})
		}
	}
	return all, err
}

// AddHook adds a hook to a table and creates its secret. A hook that exists already is turned on
// again. Errors are ErrMany, *ForbiddenError and those of the store.
func (n *Notifier) AddHook(ctx context.Context, table, address, format string) (Named, error) {
	if err := n.Targets.Check(address); err != nil {
		return Named{}, err
	}
	if format != Discord {
		format = JSON
	}
	kept, err := n.keptOf(table)
	if err != nil {
		return Named{}, err
	}
	for id, hook := range kept.hooks {
		if hook.Address == address && hook.Format == format {
			hook.Failing, hook.Off = time.Time{}, false
			return Named{strings.TrimPrefix(id, ofHook), hook}, put(ctx, n.Store, table, id, hook)
		}
	}
	if len(kept.hooks) >= MostHooks {
		return Named{}, ErrMany
	}
	hook := Named{strings.ToLower(rand.Text()[:8]), Hook{Address: address, Secret: rand.Text(), Format: format}}
	if err := put(ctx, n.Store, table, ofHook+hook.ID, hook.Hook); err != nil {
		return Named{}, err
	}
	n.knows(table)
	return hook, nil
}

// DropHook removes a hook.
func (n *Notifier) DropHook(ctx context.Context, table, id string) error {
	return n.Store.Drop(ctx, table, ofHook+id)
}

// session is the last state of a table's sessions that hooks were notified of.
type session struct {
	N     int  `json:"n"`
	Begun bool `json:"begun"`
}

// tellHooks adds the pending notifications of a table's hooks to due, and returns the new state of
// sessions.
func (k kept) tellHooks(table string, t *Table, due map[string]job) session {
	now := session{t.Session, t.Begun}
	for id, hook := range k.hooks {
		if hook.Off {
			continue
		}
		for _, a := range t.Asked {
			if a.Openly {
				due[table+"/"+a.ID+"/"+id] = job{Kind: "hook", Of: id, Asked: a.ID, Event: EventQuestion}
			}
		}
		if k.told.N == 0 { // the first state is only recorded
			continue
		}
		if now.N > k.told.N && k.told.Begun {
			due[table+"/ended/"+strconv.Itoa(k.told.N)+"/"+id] = job{
				Kind: "hook", Of: id, Event: EventEnded,
				N: k.told.N,
			}
		}
		if now.Begun && (now.N > k.told.N || !k.told.Begun) {
			due[table+"/began/"+strconv.Itoa(now.N)+"/"+id] = job{Kind: "hook", Of: id, Event: EventBegan, N: now.N}
		}
	}
	return now
}

// Heard is the message to a hook with the format JSON.
type Heard struct {
	ID    string   `json:"id"` // the same in repeated deliveries
	Event string   `json:"event"`
	Table string   `json:"table"`
	Name  string   `json:"name"`          // name of the table
	For   []string `json:"for,omitempty"` // seats that must answer a question
	N     int      `json:"session,omitempty"`
	Text  string   `json:"text"`
}

// callHook sends a notification to a hook.
func (n *Notifier) callHook(k kvstore.Job, j job, kept kept, t *Table) (host string) {
	hook, stands := kept.hooks[j.Of]
	if !stands || hook.Off || j.Event == EventQuestion && !t.asks(j.Asked, "") {
		n.ends(k)
		return ""
	}
	at, err := url.Parse(hook.Address)
	if err != nil {
		n.ends(k)
		return ""
	}
	if !n.enters(at.Host) {
		n.later(k, n.Now().Add(time.Second), 0)
		return ""
	}
	sum := sha256.Sum256([]byte(k.ID))
	heard := Heard{ID: hex.EncodeToString(sum[:12]), Event: j.Event, Table: k.Scope, Name: t.Name, N: j.N}
	if i := slices.IndexFunc(t.Asked, func(a Asked) bool { return a.ID == j.Asked }); i >= 0 {
		for _, id := range t.Asked[i].Seats {
			heard.For = append(heard.For, t.Seats[id].Name)
		}
	}
	heard.Text = n.Say(t.Lang, j.Event, "Table", t.Name, "Who", strings.Join(heard.For, ", "), "N", j.N)
	status, wait, err := n.post(hook, heard)
	switch {
	case forbidden(err):
		n.Meter.CountCall(j.Kind, "forbidden")
		hook.Off = true
		n.marks(k.Scope, j.Of, hook)
		n.ends(k)
	case err == nil && status < 300:
		n.Meter.CountCall(j.Kind, "sent")
		if !hook.Failing.IsZero() {
			hook.Failing = time.Time{}
			n.marks(k.Scope, j.Of, hook)
		}
		n.ends(k)
	default:
		now := n.Now()
		if hook.Failing.IsZero() {
			hook.Failing = now
			n.marks(k.Scope, j.Of, hook)
		} else if now.Sub(hook.Failing) >= givesUp {
			hook.Off = true
			n.marks(k.Scope, j.Of, hook)
		}
		if hook.Off || !n.again(k, j, status, wait, err) {
			n.ends(k)
		}
	}
	return at.Host
}

// marks stores the result of a delivery, if the hook still exists.
func (n *Notifier) marks(table, id string, hook Hook) {
	data, err := json.Marshal(hook)
	if err == nil {
		err = n.Store.Alter(n.ctx, kvstore.Item{Scope: table, ID: id, Data: string(data)})
	}
	if err != nil {
		n.logFailure("a hook can't be kept", err)
	}
}

// post sends a message to a hook. With the format JSON, the header Norn-Signature contains the time
// and the HMAC-SHA256 of "TIME.BODY" under the hook's secret.
func (n *Notifier) post(hook Hook, heard Heard) (status int, wait time.Duration, err error) {
	var value any = heard
	if hook.Format == Discord {
		text := heard.Text
		for utf8.RuneCountInString(text) > 1900 { // Discord accepts 2000
			text = string([]rune(text)[:1900])
		}
		value = map[string]any{"content": text, "allowed_mentions": map[string]any{"parse": []string{}}}
	}
	data, err := json.Marshal(value)
	if err != nil {
		return 0, 0, err
	}
	ctx, cancel := context.WithTimeout(n.ctx, n.Patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, hook.Address, strings.NewReader(string(data)))
	if err != nil {
		return 0, 0, errors.New("notify: this is no address")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "norn")
	if hook.Format == JSON {
		stamp := strconv.FormatInt(n.Now().Unix(), 10)
		r.Header.Set("Norn-Event", heard.Event)
		r.Header.Set("Norn-Signature", "t="+stamp+",v1="+Sign(hook.Secret, stamp, data))
	}
	answer, err := n.sends.client.Do(r)
	status, wait = readAnswer(answer)
	return status, wait, err
}

// Sign returns the signature of a message to a hook, at a time in seconds.
func Sign(secret, stamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
