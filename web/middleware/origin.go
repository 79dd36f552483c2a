package middleware

import "net/http"

// maxLogged limits how much of a header the log quotes.
const maxLogged = 200

// Deny refuses a form that isn't from a page of this norn. If the browser doesn't say which site
// it's from, the cause may be a proxy that doesn't pass on the Host header: the page says so, and
// the log has both addresses, once.
func (k *Keeper) Deny(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Sec-Fetch-Site") != "" {
		k.Fail(w, r, http.StatusForbidden, "cross-origin")
		return
	}
	k.denied.Do(func() {
		k.Log.WarnContext(r.Context(),
			"a form was refused: its Origin isn't the Host; a proxy in front of norn must pass on the Host header",
			"origin", shorten(r.Header.Get("Origin")), "host", shorten(r.Host))
	})
	k.Fail(w, r, http.StatusForbidden, "other-host")
}

func shorten(text string) string { return text[:min(len(text), maxLogged)] }
