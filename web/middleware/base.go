package middleware

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Base is the path below which norn is served, such as "/norn"; "" at the root of its host. Inside
// norn, addresses have no base: Guard takes it from what is asked for, and puts it before what
// leads back.
type Base string

// Of is the address of a path of norn's.
func (b Base) Of(path string) string { return string(b) + path }

// addresses finds attributes that hold a path of norn's. What people write can't look like one,
// since quotes are escaped in texts and values.
var addresses = regexp.MustCompile(` (?:(?:href|src|action|formaction|hx-get|hx-post|data-(?:complete|engine|guide|link|live|png|values|worker))|name="later" content)="/`)

// Pages puts the base before each address in drawn HTML.
func (b Base) Pages(drawn []byte) []byte {
	if b == "" {
		return drawn
	}
	return addresses.ReplaceAll(drawn, []byte("${0}"+string(b)[1:]+"/"))
}

// lead puts the base before the addresses in the header of an answer.
func (b Base) lead(h http.Header) {
	for _, name := range []string{"Location", "HX-Redirect"} {
		if to := h.Get(name); b != "" && strings.HasPrefix(to, "/") {
			h.Set(name, b.Of(to))
		}
	}
}

// strip takes the base from what is asked for; false where it isn't below it.
func (b Base) strip(r *http.Request) (*http.Request, bool) {
	if b == "" {
		return r, true
	}
	path, below := strings.CutPrefix(r.URL.Path, string(b))
	raw, _ := strings.CutPrefix(r.URL.RawPath, string(b))
	if !below || path != "" && path[0] != '/' {
		return r, false
	}
	at := new(http.Request)
	*at, at.URL = *r, new(url.URL)
	*at.URL = *r.URL
	at.URL.Path, at.URL.RawPath = path, raw
	return at, true
}
