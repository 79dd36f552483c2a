package middleware

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// Base is the path below which norn is served, such as "/norn"; "" at the root of its host. Inside
// norn, addresses have no base: Guard removes it from requests and adds it to redirects.
type Base string

// Of returns the address of a path of norn.
func (b Base) Of(path string) string { return string(b) + path }

// addresses matches attributes with a path of norn. Text by users can't match, since quotes in it
// are escaped.
var addresses = regexp.MustCompile(` (?:(?:href|src|action|formaction|hx-get|hx-post|data-(?:complete|embeds|engine|guide|link|live|png|values|worker))|name="later" content)="/`)

// Pages adds the base to each address in HTML.
func (b Base) Pages(drawn []byte) []byte {
	if b == "" {
		return drawn
	}
	return addresses.ReplaceAll(drawn, []byte("${0}"+string(b)[1:]+"/"))
}

// lead adds the base to the addresses in response headers.
func (b Base) lead(h http.Header) {
	if b == "" {
		return
	}
	for _, name := range []string{"Location", "HX-Redirect"} {
		if to := h.Get(name); strings.HasPrefix(to, "/") {
			h.Set(name, b.Of(to))
		}
	}
}

// strip removes the base from a request's path; false if the path isn't below it.
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
