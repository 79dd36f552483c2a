//go:build e2e

package playtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	chromium "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// A game master who is away from the table is notified of a question after one press, and the
// service worker shows exactly what it received. A headless Chromium has no push service: the test
// acts as one, and replaces the browser's own part.
func TestAbsentGameMasterIsNotifiedOfAQuestion(t *testing.T) {
	t.Parallel()
	got := make(chan http.Header, 10)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		got <- r.Header
		w.WriteHeader(http.StatusCreated)
	}))
	defer service.Close()
	s := serve(t, "--calls", "127.0.0.0/8")
	made := s.must("POST", "/tables", "", body{"game": "spire", "name": "Thursday", "lang": "en"})
	id, secret := made["id"].(string), made["seat"].(map[string]any)["secret"].(string)
	path := "/tables/" + id
	anna := s.must("POST", path+"/seats", secret, body{"name": "Anna", "role": "player"})["secret"].(string)
	s.must("POST", path+"/characters", anna, body{"name": "Ivo", "kind": "character", "sheet": body{}})

	phone := sit(t, "gm", 390, 800)
	origin := s.url("")
	target := chromedp.FromContext(phone.ctx)
	if _, err := cdp.Call(phone.ctx, target.Browser, chromium.SetPermission, chromium.SetPermissionParams{
		Permission: &chromium.PermissionDescriptor{Name: "notifications"}, Setting: chromium.PermissionSettingGranted,
		Origin: origin, BrowserContextID: target.BrowserContextID,
	}); err != nil {
		t.Fatal(err)
	}
	phone.visit(s.url("/t/" + id + "/" + secret))
	phone.sees("[data-live-state=open]", "")
	phone.run(`PushManager.prototype.getSubscription = async () => null
		PushManager.prototype.subscribe = async ({applicationServerKey}) => {
			const pair = await crypto.subtle.generateKey({name: "ECDH", namedCurve: "P-256"}, true, ["deriveBits"])
			const pack = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
			const p256dh = pack(await crypto.subtle.exportKey("raw", pair.publicKey)), auth = pack(crypto.getRandomValues(new Uint8Array(16)))
			return {options: {applicationServerKey}, toJSON: () => ({endpoint: "` + service.URL + `/gm", keys: {p256dh, auth}})}
		}`)
	phone.click(".menu:has([data-call]) > summary")
	phone.click(".menu [data-call]")
	phone.sees("#toasts", "will notify you")

	// Active readers aren't notified. Quiet hours are respected, and can be removed.
	s.must("POST", path+"/moves", anna, body{"move": "check", "character": "c1", "args": falling, "dice": []int{2, 5}})
	phone.sees(".question[data-mine]", "")
	phone.click(".menu [data-call]") // the menu shows that this browser is notified
	phone.sees("main.calling", "You’re notified in 1 browser.")
	phone.run(`for (const [id, at] of [["quiet-from", "22:30"], ["quiet-to", "08:00"]]) document.getElementById(id).value = at`)
	phone.click("[data-form=quiet] button")
	phone.sees("#quiet-from[value='22:30']", "")
	phone.run(`for (const id of ["quiet-from", "quiet-to"]) document.getElementById(id).value = ""`)
	phone.click("[data-form=quiet] button")
	phone.sees("#quiet-from[value='']", "")

	// The page of notifications isn't a page of the table: its reader is away and notified.
	head := <-got
	if head.Get("Content-Encoding") != "aes128gcm" || !strings.HasPrefix(head.Get("Authorization"), "vapid t=") {
		t.Errorf("called with %v", head)
	}

	phone.click("[data-form=uncalled] button")
	phone.gone("[data-form=uncalled]")
}
