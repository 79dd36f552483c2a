package middleware

import (
	"net/http"
	"strings"

	"norn/lang"
	"norn/web/html"
)

// Look stores the reader's choice of language or theme and returns to the page with the choice.
func (k *Keeper) Look(w http.ResponseWriter, r *http.Request) {
	if !k.Parse(w, r) {
		return
	}
	if l, ok := lang.Parse(r.PostForm.Get(html.Own + "lang")); ok {
		k.Keep(w, r, langCookie, string(l), "/", false)
	}
	for _, theme := range html.Themes {
		if r.PostForm.Get(html.Own+"theme") == theme {
			k.Keep(w, r, themeCookie, theme, "/", false)
		}
	}
	http.Redirect(w, r, Local(r.PostForm.Get(html.Own+"back")), http.StatusSeeOther)
}

// Local returns a posted path if it's one of this server, otherwise "/".
func Local(back string) string {
	odd := func(r rune) bool { return r < ' ' || r == '\\' } // browsers ignore tabs and treat a backslash as a slash
	if !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") || strings.ContainsFunc(back, odd) {
		return "/"
	}
	return back
}
