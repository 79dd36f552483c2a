package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A form through a proxy that drops the Host header is refused with the header's name, and logged
// once; another site's form is refused without that.
func TestProxyThatDropsTheHostHeaderIsExplained(t *testing.T) {
	h := open(t)
	gm := h.sits("gm")
	for range 2 {
		for _, c := range []struct{ lang, site, origin, want string }{
			{"en", "", "http://norn.home", "proxy_set_header Host"},
			{"ru", "", "http://norn.home", "передавать заголовок Host"},
			{"uk", "", "http://norn.home", "передавати заголовок Host"},
			{"en", "cross-site", "https://evil.example", "only taken from norn’s own pages"},
		} {
			for _, b := range []*browser{gm, gm.script()} {
				b.lang, b.extra = c.lang, http.Header{"Sec-Fetch-Site": {c.site}, "Origin": {c.origin}}
				got := b.post(b.at("/say"), url.Values{"_line": {"Hello"}})
				want(t, "status", got.status, http.StatusForbidden)
				if !b.hx || c.site == "" {
					contains(t, c.origin, got.body, c.want)
				}
			}
		}
	}
	logged := h.logged.String()
	want(t, "times logged", strings.Count(logged, "must pass on the Host header"), 1)
	contains(t, "log", logged, "origin=http://norn.home host=127.0.0.1:")
}
