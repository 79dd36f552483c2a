package middleware

import (
	"net/http"
	"strings"
	"time"

	"norn/lang"
	"norn/web/html"
)

// Cookies of a reader's browser.
const (
	langCookie  = "lang"
	themeCookie = "theme"
	zoneCookie  = "zone" // name of the reader's time zone, set by the script
	keepFor     = 365 * 24 * time.Hour
)

// ReaderOf returns the reader's language, theme and time zone, from cookies and headers.
func (k *Keeper) ReaderOf(r *http.Request) html.Reader {
	l, ok := lang.Parse(Cookie(r, langCookie))
	if !ok {
		l, _ = lang.Match(r.Header.Get("Accept-Language"))
	}
	reader := html.Reader{Speaker: k.Words.In(l), Theme: html.Themes[0], Zone: time.Local}
	for _, theme := range html.Themes {
		if Cookie(r, themeCookie) == theme {
			reader.Theme = theme
		}
	}
	if name := Cookie(r, zoneCookie); name != "" && len(name) < 64 {
		if zone, err := time.LoadLocation(strings.ReplaceAll(name, "%2F", "/")); err == nil {
			reader.Zone = zone
		}
	}
	return reader
}

// Cookie returns the value of a cookie, "" for none.
func Cookie(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

// Keep sets a cookie for a year.
func (k *Keeper) Keep(w http.ResponseWriter, r *http.Request, name, value, path string, secret bool) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: k.Base.Of(path), MaxAge: int(keepFor / time.Second),
		HttpOnly: secret, Secure: Secure(r), SameSite: http.SameSiteLaxMode,
	})
}
