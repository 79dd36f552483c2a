package notify_test

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"norn/internal/kvstore"
	"norn/internal/notify"
	"norn/internal/rescue"
	"norn/internal/wait"
)

// service is a push service and a target of hooks: it records requests and answers as the test
// sets.
type service struct {
	*httptest.Server
	got    chan sent
	answer atomic.Int64
	hold   chan struct{} // requests to /slow wait for it
}

type sent struct {
	path string
	head http.Header
	body []byte
}

func serve(t *testing.T) *service {
	s := &service{got: make(chan sent, 100), hold: make(chan struct{})}
	s.answer.Store(http.StatusCreated)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.HasPrefix(r.URL.Path, "/slow") {
			select {
			case <-s.hold:
			case <-r.Context().Done():
			}
		}
		answer := int(s.answer.Load()) // read before the test sees the request and sets the next answer
		s.got <- sent{r.URL.Path, r.Header, body}
		w.WriteHeader(answer)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *service) hears(t *testing.T) sent {
	t.Helper()
	select {
	case got := <-s.got:
		return got
	case <-time.After(10 * time.Second):
		t.Fatal("nothing is sent")
	}
	return sent{}
}

func (s *service) quiet(t *testing.T, why string) {
	t.Helper()
	select {
	case got := <-s.got:
		t.Fatalf("%s, and yet it's sent to %s", why, got.path)
	default:
	}
}

// browser is a subscribed browser.
type browser struct {
	key  *ecdh.PrivateKey
	auth []byte
}

func newBrowser(t *testing.T) browser {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	auth := make([]byte, 16)
	_, _ = rand.Read(auth)
	return browser{key, auth}
}

func (b browser) at(endpoint, seat string) notify.Subscription {
	return notify.Subscription{
		Seat: seat, Pass: "pass-" + seat, Endpoint: endpoint,
		P256dh: base64.RawURLEncoding.EncodeToString(b.key.PublicKey().Bytes()),
		Auth:   base64.RawURLEncoding.EncodeToString(b.auth),
		Lang:   "en", Path: "/t/x", Site: "https://norn.example",
	}
}

// reads decrypts a message.
func (b browser) reads(t *testing.T, body []byte) (m notify.Message) {
	t.Helper()
	if err := json.Unmarshal([]byte(b.decrypts(t, body)), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// decrypts returns the text of a body as RFC 8291 says.
func (b browser) decrypts(t *testing.T, body []byte) string {
	t.Helper()
	salt, size, length := body[:16], binary.BigEndian.Uint32(body[16:20]), int(body[20])
	theirs, sealed := body[21:21+length], body[21+length:]
	if len(sealed) > int(size) {
		t.Fatalf("a record of %d bytes, longer than %d", len(sealed), size)
	}
	public, err := ecdh.P256().NewPublicKey(theirs)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := b.key.ECDH(public)
	if err != nil {
		t.Fatal(err)
	}
	derive := func(secret, salt []byte, info string, length int) []byte {
		key, err := hkdf.Key(sha256.New, secret, salt, info, length)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	ikm := derive(shared, b.auth, "WebPush: info\x00"+string(b.key.PublicKey().Bytes())+string(theirs), 32)
	block, err := aes.NewCipher(derive(ikm, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gcm.Open(nil, derive(ikm, salt, "Content-Encoding: nonce\x00", 12), sealed, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, padding, ended := strings.Cut(string(plain), "\x02")
	if !ended || strings.Trim(padding, "\x00") != "" {
		t.Fatalf("a record that ends in %q", padding)
	}
	return text
}

// The example of RFC 8291, section 5 and appendix A: the tests' browser decrypts as browsers do, so what
// it reads from norn is encrypted right.
func TestBrowserOfTheseTestsDecryptsTheExampleOfTheRFC(t *testing.T) {
	decode := func(text string) []byte {
		data, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	key, err := ecdh.P256().NewPrivateKey(decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
	if err != nil {
		t.Fatal(err)
	}
	b := browser{key, decode("BTBZMqHH6r4Tts7J_aSIgg")}
	body := decode("DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w" +
		"EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
	if text := b.decrypts(t, body); text != "When I grow up, I want to be a watermelon" {
		t.Errorf("%q", text)
	}
}

// signed checks that norn signed a request for this push service, with the key that browsers were
// given.
func signed(t *testing.T, head http.Header, audience, key string) {
	t.Helper()
	var token, k string
	for part := range strings.SplitSeq(strings.TrimPrefix(head.Get("Authorization"), "vapid "), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			token = value
		case "k":
			k = value
		}
	}
	if k != key {
		t.Fatalf("signed with %q, browsers know %q", k, key)
	}
	parts := strings.Split(token, ".")
	point, _ := base64.RawURLEncoding.DecodeString(k)
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(public, digest[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		t.Fatal("the signature is wrong")
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	text, _ := base64.RawURLEncoding.DecodeString(parts[1])
	if err := json.Unmarshal(text, &claims); err != nil {
		t.Fatal(err)
	}
	if left := time.Until(time.Unix(claims.Exp, 0)); claims.Aud != audience || claims.Sub != "https://norn.example" ||
		left <= 0 || left > 24*time.Hour {
		t.Fatalf("the claims are %s", text)
	}
}

// world is a table that tests control, with its time, and notifiers on one store.
type world struct {
	t     *testing.T
	store *kvstore.Store
	dir   string

	mu    sync.Mutex
	table *notify.Table
	now   time.Time
	how   map[string]int
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, dir: t.TempDir(), now: time.Date(2026, 11, 23, 20, 0, 0, 0, time.UTC), how: map[string]int{}}
	w.table = &notify.Table{
		Name: "Thursday", Lang: "en", Session: 1,
		Seats: map[string]notify.Seat{"s1": {Name: "GM", Pass: "pass-s1"}, "s2": {Name: "Anna", Pass: "pass-s2"}},
	}
	w.open()
	return w
}

func (w *world) open() {
	store, err := kvstore.Open(w.t.Context(), w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	w.store = store
	w.t.Cleanup(func() { store.Close() })
}

func (w *world) CountCall(kind, how string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.how[kind+" "+how]++
}

func (w *world) count(what string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.how[what]
}

func (w *world) set(f func(t *notify.Table)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	next := *w.table
	next.Seats = map[string]notify.Seat{}
	for id, s := range w.table.Seats {
		next.Seats[id] = s
	}
	f(&next)
	w.table = &next
}

func (w *world) passes(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

var local = notify.Targets{Private: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

func (w *world) notifier(targets notify.Targets) *notify.Notifier {
	w.t.Helper()
	h, err := notify.New(w.t.Context(), notify.Config{
		Store: w.store, Targets: targets, Log: slog.New(slog.DiscardHandler), Meter: w, Grace: time.Nanosecond,
		Patience: 2 * time.Second,
		Look: func(context.Context, string) (*notify.Table, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.table, nil
		},
		Say: func(lang, word string, data ...any) string { return lang + " " + word + fmt.Sprint(data...) },
		Now: func() time.Time {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.now
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(h.Close)
	return h
}

func (w *world) asks(id string, seats ...string) {
	w.set(func(t *notify.Table) {
		t.Asked = append([]notify.Asked{{ID: id, Seats: seats, Openly: true}}, t.Asked...)
	})
}

func (w *world) until(what string, ok func() bool) {
	w.t.Helper()
	wait.Until(w.t, what, ok)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// settled waits until no job is due.
func (w *world) settled() {
	w.t.Helper()
	w.until("all calls are made or put off", func() bool {
		jobs, err := w.store.Due(w.t.Context(), 100)
		w.must(err)
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, j := range jobs {
			if !j.Due.After(w.now) {
				return false
			}
		}
		return true
	})
}

// passesAPutOff advances the time by a second if a job is postponed, as happens if its host has no
// place. It returns false.
func (w *world) passesAPutOff(h *notify.Notifier) bool {
	jobs, err := w.store.Due(w.t.Context(), 100)
	w.must(err)
	w.mu.Lock()
	now := w.now
	w.mu.Unlock()
	if slices.ContainsFunc(jobs, func(j kvstore.Job) bool {
		return j.Due.After(now) && j.Due.Sub(now) <= time.Second
	}) {
		w.passes(time.Second)
		h.Stir("x")
	}
	return false
}

func TestSeatIsNotifiedOnlyOnceByAllNodes(t *testing.T) {
	w, s, b := newWorld(t), serve(t), newBrowser(t)
	h, other := w.notifier(local), w.notifier(local) // two nodes
	w.must(h.Subscribe(t.Context(), "x", b.at(s.URL+"/anna", "s2")))
	w.must(h.Subscribe(t.Context(), "x", b.at(s.URL+"/anna", "s2"))) // a repeated subscription counts once
	w.asks("q1", "s2")
	// so that the other node knows of the table
	w.must(other.Subscribe(t.Context(), "x", newBrowser(t).at(s.URL+"/gm", "s1")))
	h.Stir("x")
	other.Stir("x")
	got := s.hears(t)
	if got.path != "/anna" || got.head.Get("Content-Encoding") != "aes128gcm" || got.head.Get("TTL") == "" {
		t.Errorf("sent to %s with %v", got.path, got.head)
	}
	if m := b.reads(t, got.body); m != (notify.Message{Title: "en waits", Text: "Thursday", Path: "/t/x", Tag: "x"}) {
		t.Errorf("it says %+v", m)
	}
	signed(t, got.head, s.URL, h.Key())
	if h.Key() != other.Key() {
		t.Error("two nodes have two keys")
	}
	w.until("the call is counted", func() bool { return w.count("push sent") == 1 })
	for _, h := range []*notify.Notifier{h, other, w.notifier(local)} { // also after a restart
		h.Stir("x")
	}
	w.settled()
	s.quiet(t, "it was sent already")

	// A question that is asked again is a new notification; an answered one is none.
	w.set(func(t *notify.Table) { t.Asked = nil })
	h.Stir("x")
	// A node that checked before may add its job again, until the next check.
	w.until("the call is forgotten", func() bool {
		h.Stir("x")
		jobs, _ := w.store.Jobs(t.Context(), "x")
		return len(jobs) == 0
	})
	w.asks("q1", "s2")
	h.Stir("x")
	s.hears(t)
}

func TestSeatThatIsLookingOrQuietIsNotNotified(t *testing.T) {
	w, s, b := newWorld(t), serve(t), newBrowser(t)
	h := w.notifier(local)
	w.must(h.Subscribe(t.Context(), "x", b.at(s.URL, "s2")))

	// A seat that is looking is notified once it doesn't look any more.
	w.set(func(t *notify.Table) { t.Seats["s2"] = notify.Seat{Name: "Anna", Pass: "pass-s2", Looks: true} })
	w.asks("q1", "s2")
	h.Stir("x")
	put := func() bool {
		jobs, _ := w.store.Due(t.Context(), 10)
		return len(jobs) == 1 && jobs[0].Due.Equal(w.now.Add(30*time.Second))
	}
	w.until("the call is put off", put)
	s.quiet(t, "Anna looks")
	w.set(func(t *notify.Table) { t.Seats["s2"] = notify.Seat{Name: "Anna", Pass: "pass-s2"} })

	// No notifications during quiet hours: 22:00 in Kyiv is 20:00 here.
	w.must(h.SetQuiet(t.Context(), "x", "s2", notify.Quiet{From: "22:00", To: "07:00", Zone: "Europe/Kyiv"}))
	w.passes(time.Minute)
	h.Stir("x")
	w.until("the call waits for the morning", func() bool {
		jobs, _ := w.store.Due(t.Context(), 10)
		return len(jobs) == 1 && jobs[0].Due.Equal(time.Date(2026, 11, 24, 5, 0, 0, 0, time.UTC))
	})
	s.quiet(t, "it's night in Kyiv")
	w.passes(9 * time.Hour)
	h.Stir("x")
	s.hears(t)

	// A seat with a new link isn't notified: its browser is forgotten.
	w.set(func(t *notify.Table) { t.Seats["s2"] = notify.Seat{Name: "Anna", Pass: "another"} })
	w.asks("q2", "s2")
	h.Stir("x")
	w.until("the browser is forgotten", func() bool { n, _, _ := h.Of("x", "s2"); return n == 0 })
	s.quiet(t, "the link is another")
}

func TestFailedNotificationsAreRetried(t *testing.T) {
	w, s, b := newWorld(t), serve(t), newBrowser(t)
	h := w.notifier(local)
	w.must(h.Subscribe(t.Context(), "x", b.at(s.URL, "s2")))
	s.answer.Store(http.StatusServiceUnavailable)
	w.asks("q1", "s2")
	h.Stir("x")
	s.hears(t)
	w.until("it's counted", func() bool { return w.count("push retried") == 1 })
	w.settled()
	s.quiet(t, "it's tried again after a pause")

	// After a restart norn continues where it stopped.
	h.Close()
	w.must(w.store.Close())
	w.open()
	s.answer.Store(http.StatusCreated)
	w.passes(time.Minute)
	key := h.Key()
	h = w.notifier(local)
	if b.reads(t, s.hears(t).body).Text != "Thursday" || h.Key() != key {
		t.Error("after a restart it isn't the same")
	}

	// A browser that no longer exists is forgotten.
	s.answer.Store(http.StatusGone)
	w.asks("q2", "s2")
	h.Stir("x")
	s.hears(t)
	w.until("the browser is forgotten", func() bool { n, _, _ := h.Of("x", "s2"); return n == 0 })
}

// A slow target must not delay the notifications of others, however many it has.
func TestConcurrentTargetsDontWaitForASlowOne(t *testing.T) {
	w, slow, s := newWorld(t), serve(t), serve(t)
	h := w.notifier(local)
	for i := range notify.MostOfSeat {
		w.must(h.Subscribe(t.Context(), "x", newBrowser(t).at(fmt.Sprintf("%s/slow%d", slow.URL, i), "s1")))
	}
	w.must(h.Subscribe(t.Context(), "x", newBrowser(t).at(s.URL, "s2")))
	w.asks("q1", "s1", "s2")
	h.Stir("x")
	s.hears(t)
	slow.quiet(t, "it's slow")
	close(slow.hold)
}

func TestForbiddenTargetsAreRefused(t *testing.T) {
	w, s, b := newWorld(t), serve(t), newBrowser(t)
	public := w.notifier(notify.Targets{})
	for _, address := range []string{
		s.URL, "http://push.example/x", "https://127.0.0.1/x", "https://[::1]/x", "https://10.1.2.3/",
		"https://169.254.169.254/latest", "https://[fd00::1]/", "https://[::ffff:10.0.0.1]/",
		"https://100.64.0.1/", "https://0.0.0.0/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/",
		"https://[::7f00:1]/", "https://[::a00:1]/", "https://[::ffff:0:7f00:1]/", "https://[fec0::1]/",
		"https://[feff::1]/", "https://[3fff::1]/", "https://[3fff:fff::1]/", "https://[5f00::1]/",
		"https://192.88.99.1/",
		"ftp://push.example/", "push.example", "https://user@push.example/", "https://push.example/#x",
		"https://push.example/" + strings.Repeat("x", notify.MostAddress),
	} {
		var wrong *notify.ForbiddenError
		if err := public.Subscribe(t.Context(), "x", b.at(address, "s2")); !errors.As(err, &wrong) {
			t.Errorf("%.60s: %v", address, err)
		}
		if _, err := public.AddHook(t.Context(), "x", address, notify.JSON); !errors.As(err, &wrong) {
			t.Errorf("hook %.60s: %v", address, err)
		}
	}
	broken := b.at("https://push.example/x", "s2")
	broken.P256dh = broken.Auth
	if err := public.Subscribe(t.Context(), "x", broken); !errors.Is(err, notify.ErrBroken) {
		t.Error(err)
	}

	// A name is checked when it's dialled, by the address that it has then.
	name := strings.Replace(s.URL, "http://127.0.0.1", "https://localhost", 1)
	w.must(public.Subscribe(t.Context(), "x", b.at(name, "s2")))
	w.asks("q1", "s2")
	public.Stir("x")
	w.until("the browser is forgotten", func() bool { n, _, _ := public.Of("x", "s2"); return n == 0 })
	if w.count("push forbidden") != 1 {
		t.Errorf("%v", w.how)
	}
	s.quiet(t, "it's this machine")

	// Bounds.
	for i := range notify.MostOfSeat {
		w.must(public.Subscribe(t.Context(), "x", b.at(fmt.Sprintf("https://push.example/%d", i), "s2")))
	}
	if err := public.Subscribe(t.Context(), "x", b.at("https://push.example/more", "s2")); !errors.Is(err,
		notify.ErrMany) {
		t.Error(err)
	}
	w.must(public.Unsubscribe(t.Context(), "x", "s2", "https://push.example/0"))
	if n, _, _ := public.Of("x", "s2"); n != notify.MostOfSeat-1 {
		t.Errorf("%d are left", n)
	}
	w.must(public.Unsubscribe(t.Context(), "x", "s2", ""))
	if n, _, _ := public.Of("x", "s2"); n != 0 {
		t.Errorf("%d are left", n)
	}
}

// hearBoth returns what the next calls of a signed hook and of one for Discord say.
func hearBoth(t *testing.T, w *world, s *service, h *notify.Notifier, secret string) (
	heard notify.Heard, said map[string]any,
) {
	t.Helper()
	for range 2 {
		w.until("a hook is called", func() bool { return len(s.got) > 0 || w.passesAPutOff(h) })
		got := s.hears(t)
		if got.path == "/discord" {
			w.must(json.Unmarshal(got.body, &said))
			continue
		}
		w.must(json.Unmarshal(got.body, &heard))
		stamp, signature, _ := strings.Cut(strings.TrimPrefix(got.head.Get("Norn-Signature"), "t="), ",v1=")
		if signature != notify.Sign(secret, stamp, got.body) || got.head.Get("Norn-Event") != heard.Event {
			t.Errorf("signed %v", got.head)
		}
	}
	return heard, said
}

// failForADay lets calls fail until both hooks of the table are turned off.
func failForADay(w *world, s *service, h *notify.Notifier) {
	s.answer.Store(http.StatusInternalServerError)
	off := func() bool {
		all, err := h.Hooks("x")
		w.must(err)
		return all[0].Off && all[1].Off
	}
	for i := 0; !off(); i++ {
		w.asks(fmt.Sprintf("again%d", i), "s2")
		h.Stir("x")
		// A hook may be turned off between a notification and the check, and then isn't tried any
		// more.
		w.until("a hook is tried, or both are off", func() bool {
			w.passes(time.Minute)
			h.Stir("x")
			return len(s.got) > 0 || off()
		})
		for len(s.got) > 0 {
			<-s.got
		}
		w.passes(2 * time.Hour)
	}
}

func TestHooksGetQuestionsAndTableEvents(t *testing.T) {
	w, s := newWorld(t), serve(t)
	h := w.notifier(local)
	hook, err := h.AddHook(t.Context(), "x", s.URL+"/json", notify.JSON)
	w.must(err)
	_, err = h.AddHook(t.Context(), "x", s.URL+"/discord", notify.Discord)
	w.must(err)
	w.until("it's known where the table stands", func() bool {
		all, _ := w.store.All(t.Context(), "x")
		return len(all) == 3
	})

	both := func() (notify.Heard, map[string]any) {
		t.Helper()
		return hearBoth(t, w, s, h, hook.Secret)
	}
	w.set(func(t *notify.Table) { t.Begun = true })
	h.Stir("x")
	if heard, _ := both(); heard.Event != notify.EventBegan || heard.N != 1 {
		t.Errorf("%+v", heard)
	}
	w.asks("q1", "s2")
	w.set(func(t *notify.Table) { t.Asked = append(t.Asked, notify.Asked{ID: "secret", Seats: []string{"s1"}}) })
	h.Stir("x")
	heard, said := both()
	if heard.Event != notify.EventQuestion || heard.Name != "Thursday" || len(heard.For) != 1 ||
		heard.For[0] != "Anna" || heard.ID == "" {
		t.Errorf("%+v", heard)
	}
	if said["content"] != heard.Text || fmt.Sprint(said["allowed_mentions"]) != "map[parse:[]]" {
		t.Errorf("Discord hears %v", said)
	}
	w.set(func(t *notify.Table) { t.Asked, t.Session, t.Begun = nil, 2, false })
	h.Stir("x")
	if heard, _ := both(); heard.Event != notify.EventEnded || heard.N != 1 {
		t.Errorf("%+v", heard)
	}
	w.settled()
	s.quiet(t, "a secret is nobody's")

	// After failing for a day a hook is turned off, which its table can see.
	failForADay(w, s, h)
	same, err := h.AddHook(t.Context(), "x", s.URL+"/json", notify.JSON)
	w.must(err)
	if all, _ := h.Hooks("x"); same.ID != hook.ID || same.Secret != hook.Secret || same.Off || len(all) != 2 {
		t.Errorf("added anew it's %+v of %v", same, all)
	}
	w.must(h.DropHook(t.Context(), "x", hook.ID))
	if all, _ := h.Hooks("x"); len(all) != 1 {
		t.Errorf("%v", all)
	}
}

func TestQuietHoursFollowTheirTimeZone(t *testing.T) {
	at := func(text string) time.Time {
		m, err := time.Parse("2006-01-02 15:04", text)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	night := notify.Quiet{From: "22:00", To: "07:30", Zone: "Europe/Berlin"}
	for _, c := range []struct {
		q          notify.Quiet
		now, until string
	}{
		{night, "2026-11-23 20:59", ""},
		{night, "2026-11-23 21:00", "2026-11-24 06:30"},
		{night, "2026-11-24 06:29", "2026-11-24 06:30"},
		{night, "2026-11-24 06:30", ""},
		{night, "2026-03-28 23:00", "2026-03-29 05:30"}, // clocks go forward in that night
		{notify.Quiet{From: "13:00", To: "14:00", Zone: "UTC"}, "2026-11-23 13:30", "2026-11-23 14:00"},
		{notify.Quiet{From: "13:00", To: "14:00", Zone: "UTC"}, "2026-11-23 12:30", ""},
		{notify.Quiet{}, "2026-11-23 12:30", ""},
	} {
		until, quiet := c.q.Until(at(c.now))
		if quiet != (c.until != "") || quiet && !until.Equal(at(c.until)) {
			t.Errorf("%v at %s: until %v, %v", c.q, c.now, until.UTC(), quiet)
		}
	}
	for _, wrong := range []notify.Quiet{
		{From: "25:00", To: "07:00", Zone: "UTC"},
		{From: "22:00", Zone: "UTC"},
		{From: "22:00", To: "07:00", Zone: "Nowhere/Else"},
	} {
		if wrong.Check() == nil {
			t.Errorf("%v can be kept", wrong)
		}
	}
}

// A panic about one table is counted, and other tables' notifications are sent.
func TestPanicAboutATableDelaysNoOther(t *testing.T) {
	w, s, b := newWorld(t), serve(t), newBrowser(t)
	h, err := notify.New(t.Context(), notify.Config{
		Store: w.store, Targets: local, Log: slog.New(slog.DiscardHandler), Meter: w, Grace: time.Nanosecond,
		Look: func(_ context.Context, table string) (*notify.Table, error) {
			if table == "broken" {
				panic("on purpose")
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.table, nil
		},
		Say: func(lang, word string, data ...any) string { return lang + " " + word + fmt.Sprint(data...) },
		Now: time.Now,
	})
	w.must(err)
	defer h.Close()
	before := rescue.Counts()["notifications"]
	w.must(h.Subscribe(t.Context(), "broken", b.at(s.URL, "s1")))
	w.until("a panic is counted", func() bool { return rescue.Counts()["notifications"] > before })
	w.must(h.Subscribe(t.Context(), "x", b.at(s.URL, "s2")))
	w.asks("q1", "s2")
	h.Stir("x")
	s.hears(t)
}
