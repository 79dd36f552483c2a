package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"norn/internal/limit"
	"norn/table"
	"norn/table/act"
	"norn/web"
)

// Without script: a player agrees to a code at arrival, loses the cookie, and comes back by the
// code, which works once. The page that takes it is the same whether the table exists or not.
func TestRecoveryCodeReturnsASeatOnceWithoutScript(t *testing.T) {
	h := open(t)
	anna := h.stranger()
	form := anna.get(h.links["anna"]).the(t, "data-form", "arrive")
	made := anna.presses(form, h.links["anna"], map[string]string{"_recovery": "on"})
	want(t, "where the arrival leads", made.url.Path, anna.at("/recovery"))
	if len(made.with("id", "recovery-code")) > 0 {
		t.Error("there's a code before anybody asked for it")
	}
	shown := anna.submit(made.the(t, "data-form", "make-code"), nil)
	code := shown.the(t, "id", "recovery-code").attrs["value"]
	want(t, "cache", shown.header.Get("Cache-Control"), "no-store")
	contains(t, "where it's entered", shown.says(), h.url+anna.at("/recover"))
	for _, path := range []string{"", "/recovery"} {
		if strings.Contains(anna.get(anna.at(path)).body, code) {
			t.Errorf("the code is in the page %q later", path)
		}
	}

	other := h.stranger()
	lost := other.get(other.at(""))
	want(t, "without a cookie", lost.status, http.StatusNotFound)
	entered := lost.the(t, "href", other.at("/recover")).attrs["href"]
	strip := func(page answer) string {
		key := page.the(t, "name", "_key").attrs["value"]
		return strings.NewReplacer(key, "", h.table, "", "aaaaaaaaaaaaaaaa", "").Replace(page.body)
	}
	ask := other.get(entered)
	want(t, "the page at no table", strip(other.get("/t/aaaaaaaaaaaaaaaa/recover")), strip(ask))
	wrong := other.presses(ask.the(t, "data-form", "recover"), entered, map[string]string{"_code": "AAAAA-AAAAA"})
	want(t, "a wrong code", wrong.status, http.StatusUnprocessableEntity)
	want(t, "what was typed", wrong.the(t, "id", "recovery").attrs["value"], "AAAAA-AAAAA")
	back := other.presses(wrong.the(t, "data-form", "recover"), entered, map[string]string{"_code": strings.ToLower(code)})
	want(t, "where the code leads", back.url.Path, other.at("/recovery"))
	contains(t, "what it says", back.says(), "used up")
	want(t, "who is back", other.get(other.at("")).the(t, "id", "seat-name").says(), "anna")

	want(t, "the old browser", anna.get(anna.at("")).status, http.StatusNotFound)
	want(t, "the old link", anna.get(h.links["anna"]).status, http.StatusNotFound)
	again := h.stranger()
	used := again.presses(again.get(entered).the(t, "data-form", "recover"), entered, map[string]string{"_code": code})
	want(t, "a used code", used.status, http.StatusUnprocessableEntity)
	contains(t, "the log", other.get(other.at("")).the(t, "id", "log").says(), "came back with a recovery code")
	if strings.Contains(h.logged.String(), code) {
		t.Error("the log of the server has the code")
	}
}

// A code may be removed, and a browser with another seat of the table keeps it.
func TestRecoveryReplacesNoSeatOfTheBrowser(t *testing.T) {
	h := open(t)
	anna, gm := h.sits("anna"), h.sits("gm")
	shown := anna.submit(anna.get(anna.at("/recovery")).the(t, "data-form", "make-code"), nil)
	code := shown.the(t, "id", "recovery-code").attrs["value"]
	ask := gm.get(gm.at("/recover"))
	back := gm.presses(ask.the(t, "data-form", "recover"), gm.at("/recover"), map[string]string{"_code": code})
	if back.status != http.StatusOK || back.url.Path == gm.at("/recovery") {
		t.Errorf("%d at %s", back.status, back.url.Path)
	}
	want(t, "the first seat", gm.get(gm.at("")).the(t, "id", "seat-name").says(), "GM")
	second := strings.TrimSuffix(back.url.Path, "/recovery")
	want(t, "the other", gm.get(second).the(t, "id", "seat-name").says(), "anna")

	made := gm.submit(back.the(t, "data-form", "make-code"), nil)
	code = made.the(t, "id", "recovery-code").attrs["value"]
	page := gm.get(second + "/recovery")
	contains(t, "a seat with a code", page.says(), "You have a code")
	gone := gm.presses(page.the(t, "data-form", "make-code"), second+"/act/remove-recovery-code", nil)
	want(t, "removed", gone.url.Path, second+"/recovery")
	used := h.stranger().post(gm.at("/recover"), map[string][]string{"_code": {code}})
	want(t, "a removed code", used.status, http.StatusUnprocessableEntity)
}

// Wrong codes and wrong links count together, on pages and in the API, also at tables that don't
// exist.
func TestWrongRecoveryCodesCountAsWrongLinks(t *testing.T) {
	h := open(t)
	made, err := table.Do(t.Context(), h.master, act.MakeCode, act.Nothing{}, "")
	must(t, err)
	at := "/t/" + h.table + "/recover"
	api := "/api/v1/tables/" + h.table + "/recover"
	still := func() time.Time { return time.Unix(0, 0) }
	server := h.guarded(func(c *web.Config) {
		c.Limiter = limit.New(limit.Limits{Knocks: limit.Rate{N: 3, Per: time.Hour}}, still, nil)
	})
	stranger := *h.stranger()
	house := *h
	house.url = server.URL
	stranger.house = &house
	want(t, "the first", stranger.post(at, map[string][]string{"_code": {"AAAAA"}}).status, http.StatusUnprocessableEntity)
	want(t, "no table", stranger.post("/t/aaaaaaaaaaaaaaaa/recover", nil).status, http.StatusUnprocessableEntity)
	asks := func(server *httptest.Server, body string) (int, string) {
		t.Helper()
		r, text := h.ask(server, "", "POST", api, body)
		return r.StatusCode, text
	}
	status, _ := asks(server, `{"code":"BBBBB"}`)
	want(t, "the API", status, http.StatusNotFound)
	want(t, "one too many", stranger.post(at, map[string][]string{"_code": {made.Code}}).status, http.StatusTooManyRequests)
	status, _ = asks(server, `{"code":"`+made.Code+`"}`)
	want(t, "one too many in the API", status, http.StatusTooManyRequests)
	want(t, "a link", stranger.get("/t/"+h.table+"/wrong").status, http.StatusTooManyRequests)

	roomy := h.guarded(func(c *web.Config) { c.Limiter = limit.New(limit.Limits{}, still, nil) })
	status, text := asks(roomy, `{"code":"`+made.Code+`","key":"a"}`)
	want(t, "the code", status, http.StatusCreated)
	_, again := asks(roomy, `{"code":"`+made.Code+`","key":"a"}`)
	want(t, "a retry", again, text)
	status, _ = asks(roomy, `{"code":"`+made.Code+`"}`)
	want(t, "a used code", status, http.StatusNotFound)
}
