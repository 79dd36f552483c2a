package odds

import (
	"net/http"
	"strings"

	"norn/internal/bare"
	"norn/odds"
	"norn/web/html"
)

// atOf names the move whose odds a frame shows: "dice" or "spire/check".
const atOf = html.Own + "odds"

// framePolicy lets other sites show the drawing in a frame. It has no script and no form, loads
// nothing, and its link opens outside of the frame.
const framePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *; " +
	"sandbox allow-popups allow-popups-to-escape-sandbox"

// frame responds with a drawing of odds that any site may show in a frame: the only page that may be
// framed. It reads no cookie, so it's the same for everybody who asks in a language.
func (all *Pages) frame(w http.ResponseWriter, r *http.Request) {
	r = r.Clone(r.Context())
	r.Header.Del("Cookie")
	g, m, _ := strings.Cut(r.URL.Query().Get(atOf), "/")
	if g != bare.Dice.ID {
		r.SetPathValue("game", g)
		r.SetPathValue("move", m)
	}
	p, ok := all.readQuery(r)
	if !ok || g == "" {
		all.NotFound(w, r)
		return
	}
	p.work(r.Context(), odds.Asker(r.RemoteAddr), "")
	h := w.Header()
	if p.status == http.StatusTooManyRequests || p.status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "2")
	}
	h.Set("Content-Security-Policy", framePolicy)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Del("Cross-Origin-Opener-Policy")
	all.Show(w, r, p.status, p.framePage())
}

// frameLink returns the address of the frame with what the page shows, in its language.
func (p *asked) frameLink() string {
	other := *p
	other.tongue = p.Lang()
	of := p.Game.ID
	if p.Game != bare.Dice {
		of += "/" + p.move.ID
	}
	_, query, _ := strings.Cut(other.link(p.throw, p.kept), "?")
	return "/odds/frame?" + atOf + "=" + of + "&" + query
}

// frameStyle is the style of a frame's page, in addition to that of the drawing.
const frameStyle = `<style>body{margin:0;background:#fcfaf6;font:15px system-ui,sans-serif;color:#1a2220}svg{max-width:100%;height:auto;display:block}
p{margin:.5rem 1.5rem}a{color:#1b6253}</style>`
