package notify

import (
	"context"
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"

	"norn/internal/kvstore"
)

// Subscription is a browser in which a seat is notified.
type Subscription struct {
	Seat     string `json:"seat"`
	Pass     string `json:"pass"` // the seat's pass at that time
	Endpoint string `json:"endpoint"`
	P256dh   string `json:"p256dh"`
	Auth     string `json:"auth"`
	Lang     string `json:"lang"`
	Path     string `json:"path"` // path of the seat's page
	Site     string `json:"site"` // https:// address of the site: the contact for push services
}

// Errors of Subscribe.
var (
	ErrMany   = errors.New("notify: as many as there may be")
	ErrBroken = errors.New("notify: this is no subscription")
)

func idOf(s Subscription) string {
	sum := sha256.Sum256([]byte(s.Endpoint))
	return ofPush + s.Seat + "/" + hex.EncodeToString(sum[:12])
}

// Subscribe adds a browser of a seat; repeating it changes nothing. Errors are ErrMany, ErrBroken,
// *ForbiddenError and those of the store.
func (n *Notifier) Subscribe(ctx context.Context, table string, s Subscription) error {
	if err := n.Targets.Check(s.Endpoint); err != nil {
		return err
	}
	key, wrong := decodeKey(s.P256dh)
	auth, unreadable := decodeKey(s.Auth)
	if wrong == nil {
		_, wrong = ecdh.P256().NewPublicKey(key)
	}
	if wrong != nil || unreadable != nil || len(auth) != 16 {
		return ErrBroken
	}
	kept, err := n.keptOf(table)
	if err != nil {
		return err
	}
	own := 0
	for id, other := range kept.subs {
		if id == idOf(s) {
			return put(ctx, n.Store, table, id, s)
		}
		if other.Seat == s.Seat {
			own++
		}
	}
	if own >= MostOfSeat || len(kept.subs) >= MostOfTable {
		return ErrMany
	}
	if err := put(ctx, n.Store, table, idOf(s), s); err != nil {
		return err
	}
	n.knows(table)
	return nil
}

func decodeKey(text string) ([]byte, error) {
	for _, coding := range []*base64.Encoding{base64.RawURLEncoding, base64.URLEncoding, base64.StdEncoding} {
		if data, err := coding.DecodeString(text); err == nil {
			return data, nil
		}
	}
	return nil, ErrBroken
}

// Unsubscribe removes a seat's browser, or all of them if endpoint is "".
func (n *Notifier) Unsubscribe(ctx context.Context, table, seat, endpoint string) error {
	kept, err := n.keptOf(table)
	for id, s := range kept.subs {
		if s.Seat == seat && (endpoint == "" || s.Endpoint == endpoint) {
			err = errors.Join(err, n.Store.Drop(ctx, table, id))
		}
	}
	return err
}

// Of returns the number of a seat's browsers, and its quiet hours.
func (n *Notifier) Of(table, seat string) (browsers int, q Quiet, err error) {
	kept, err := n.keptOf(table)
	for _, s := range kept.subs {
		if s.Seat == seat {
			browsers++
		}
	}
	return browsers, kept.quiet[seat], err
}

// SetQuiet sets a seat's quiet hours.
func (n *Notifier) SetQuiet(ctx context.Context, table, seat string, q Quiet) error {
	if q == (Quiet{}) {
		return n.Store.Drop(ctx, table, ofQuiet+seat)
	}
	if err := q.Check(); err != nil {
		return err
	}
	return put(ctx, n.Store, table, ofQuiet+seat, q)
}

// keys are norn's own keys for VAPID, created once and shared by all nodes.
type keys struct {
	Public  string `json:"public"`
	Private string `json:"private"`
}

func vapidOf(ctx context.Context, store *kvstore.Store) (k keys, err error) {
	if k.Private, k.Public, err = webpush.GenerateVAPIDKeys(); err != nil {
		return keys{}, err
	}
	data, err := json.Marshal(k)
	if err != nil {
		return keys{}, err
	}
	stands, err := store.First(ctx, kvstore.Item{ID: "vapid", Data: string(data)})
	if err != nil {
		return keys{}, err
	}
	return k, json.Unmarshal([]byte(stands.Data), &k)
}

// sender sends one message.
type sender struct {
	keys   keys
	client *http.Client
}

// Message is the content of a push message, encrypted for its reader.
type Message struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Path  string `json:"path"`
	Tag   string `json:"tag"` // a newer one replaces an older one
}

// lives bounds the time for which a push service stores a message that it can't deliver yet.
const lives = 6 * 60 * 60 // in seconds

func (s sender) push(ctx context.Context, to Subscription, m Message) (*http.Response, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return webpush.SendNotificationWithContext(ctx, data,
		&webpush.Subscription{Endpoint: to.Endpoint, Keys: webpush.Keys{P256dh: to.P256dh, Auth: to.Auth}},
		&webpush.Options{
			HTTPClient: s.client, Subscriber: to.Site, VAPIDPublicKey: s.keys.Public, VAPIDPrivateKey: s.keys.Private,
			TTL: lives, Urgency: webpush.UrgencyHigh,
			RecordSize: 2048,
		})
}

// callSeat notifies a seat in one browser.
func (n *Notifier) callSeat(k kvstore.Job, j job, kept kept, t *Table) (host string) {
	sub, stands := kept.subs[j.Of]
	seat, here := t.Seats[j.Seat]
	now := n.Now()
	switch until, quiet := kept.quiet[j.Seat].Until(now); {
	case !stands || !t.asks(j.Asked, j.Seat):
		n.ends(k)
		return ""
	case !here || seat.Pass != sub.Pass: // the link may belong to somebody else now
		n.drop(k, j.Of)
		return ""
	case quiet:
		n.later(k, until, 0)
		return ""
	case seat.Looks:
		n.later(k, now.Add(looking), 0)
		return ""
	}
	at, err := url.Parse(sub.Endpoint)
	if err != nil {
		n.drop(k, j.Of)
		return ""
	}
	if !n.enters(at.Host) {
		n.later(k, now.Add(time.Second), 0)
		return ""
	}
	ctx, cancel := context.WithTimeout(n.ctx, n.Patience)
	defer cancel()
	answer, err := n.sends.push(ctx, sub, Message{
		Title: n.Say(sub.Lang, "waits"), Text: t.Name, Path: sub.Path, Tag: k.Scope,
	})
	status, wait := readAnswer(answer)
	switch {
	case forbidden(err):
		n.Meter.CountCall(j.Kind, "forbidden")
		n.logFailure("a subscription is given up", err)
		n.drop(k, j.Of)
	case err == nil && status < 300:
		n.Meter.CountCall(j.Kind, "sent")
		n.ends(k)
	case status == http.StatusNotFound || status == http.StatusGone || status == http.StatusUnauthorized ||
		status == http.StatusForbidden:
		n.Meter.CountCall(j.Kind, "gone")
		n.drop(k, j.Of)
	case n.again(k, j, status, wait, err):
	default:
		n.ends(k)
	}
	return at.Host
}

// readAnswer returns the status of a response, and when to try again. It discards the body.
func readAnswer(r *http.Response) (status int, wait time.Duration) {
	if r == nil {
		return 0, 0
	}
	_, _ = io.CopyN(io.Discard, r.Body, 4<<10) // so that the connection can be reused
	r.Body.Close()
	if seconds, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil && seconds > 0 {
		wait = min(time.Duration(seconds)*time.Second, time.Hour)
	}
	return r.StatusCode, wait
}

// again postpones a job whose failure may be temporary, and reports whether it did.
func (n *Notifier) again(k kvstore.Job, j job, status int, wait time.Duration, err error) bool {
	if err == nil && status != http.StatusTooManyRequests && status != http.StatusRequestTimeout && status < 500 ||
		k.Tries >= len(pauses) {
		n.Meter.CountCall(j.Kind, "failed")
		return false
	}
	n.Meter.CountCall(j.Kind, "retried")
	n.later(k, n.Now().Add(max(pauses[k.Tries], wait)), 1)
	return true
}

// drop removes a subscription and its jobs.
func (n *Notifier) drop(k kvstore.Job, id string) {
	if err := n.Store.Drop(n.ctx, k.Scope, id); err != nil {
		n.logFailure("a subscription can't be given up", err)
		return
	}
	n.ends(k)
}
