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

	"norn/kvstore"
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

// Hook is an address that hears what waits at a table and when its sessions begin and end, as everybody there knows it.
type Hook struct {
	Address string    `json:"address"`
	Secret  string    `json:"secret"` // signs what is sent
	Format  string    `json:"format"`
	Failing time.Time `json:"failing,omitzero"` // since when nothing has come through
	Off     bool      `json:"off,omitempty"`    // it has failed for a day
}

// Named is a hook with the id by which it's taken away.
type Named struct {
	ID string
	Hook
}

const givesUp = 24 * time.Hour

// Hooks are a table's, by their ids.
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

// AddHook has an address hear of a table; its secret is made here. One that is there already is
// turned on again. Errors are ErrMany, *ForbiddenError and those of the store.
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

// DropHook takes a hook away.
func (n *Notifier) DropHook(ctx context.Context, table, id string) error {
	return n.Store.Drop(ctx, table, ofHook+id)
}

// session is what hooks were told of a table's sessions.
type session struct {
	N     int  `json:"n"`
	Begun bool `json:"begun"`
}

// tellHooks adds what a table's hooks have to hear, and gives what they know of its sessions then.
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
		if k.told.N == 0 { // it's known from here on
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

// Heard is what a hook of the format JSON hears.
type Heard struct {
	ID    string   `json:"id"` // the same when it's told again
	Event string   `json:"event"`
	Table string   `json:"table"`
	Name  string   `json:"name"`          // of the table
	For   []string `json:"for,omitempty"` // seats that a question waits for
	N     int      `json:"session,omitempty"`
	Text  string   `json:"text"`
}

// callHook tells a hook.
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
		n.Meter.Called(j.Kind, "forbidden")
		hook.Off = true
		n.marks(k.Scope, j.Of, hook)
		n.ends(k)
	case err == nil && status < 300:
		n.Meter.Called(j.Kind, "sent")
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

// marks keeps what became of a hook, if it's still there.
func (n *Notifier) marks(table, id string, hook Hook) {
	data, err := json.Marshal(hook)
	if err == nil {
		err = n.Store.Alter(n.ctx, kvstore.Item{Scope: table, ID: id, Data: string(data)})
	}
	if err != nil {
		n.logFailure("a hook can't be kept", err)
	}
}

// post sends what a hook hears. In the format JSON, Norn-Signature holds the time and the
// HMAC-SHA256 of "TIME.BODY" under the hook's secret.
func (n *Notifier) post(hook Hook, heard Heard) (status int, wait time.Duration, err error) {
	var value any = heard
	if hook.Format == Discord {
		text := heard.Text
		for utf8.RuneCountInString(text) > 1900 { // of the 2000 that are taken
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

// Sign is the signature of what a hook hears, at a time in seconds.
func Sign(secret, stamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
