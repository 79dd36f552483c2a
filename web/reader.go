package web

import (
	"net/http"
	"strings"
	"time"

	"norn/web/html"

	"norn/lang"
)

// The cookies that a reader's browser keeps.
const (
	langCookie  = "lang"
	themeCookie = "theme"
	zoneCookie  = "zone" // set by script: the name of the reader's time zone
	keepFor     = 365 * 24 * time.Hour
)

func (s *server) reader(r *http.Request) html.Reader {
	l, ok := lang.Parse(cookie(r, langCookie))
	if !ok {
		l = lang.Match(r.Header.Get("Accept-Language"))
	}
	reader := html.Reader{Speaker: s.Words.In(l), Theme: html.Themes[0], Zone: time.Local}
	for _, theme := range html.Themes {
		if cookie(r, themeCookie) == theme {
			reader.Theme = theme
		}
	}
	if name := cookie(r, zoneCookie); name != "" && len(name) < 64 {
		if zone, err := time.LoadLocation(strings.ReplaceAll(name, "%2F", "/")); err == nil {
			reader.Zone = zone
		}
	}
	return reader
}

func cookie(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

// look takes the reader's choice of language or theme and goes back to where
// it was made.
func (s *server) look(w http.ResponseWriter, r *http.Request) {
	if !s.parse(w, r) {
		return
	}
	if l, ok := lang.Parse(r.PostForm.Get(html.Own + "lang")); ok {
		s.keep(w, r, langCookie, string(l), "/", false)
	}
	for _, theme := range html.Themes {
		if r.PostForm.Get(html.Own+"theme") == theme {
			s.keep(w, r, themeCookie, theme, "/", false)
		}
	}
	http.Redirect(w, r, local(r.PostForm.Get(html.Own+"back")), http.StatusSeeOther)
}

// local is a path of this server, whatever was sent.
func local(back string) string {
	odd := func(r rune) bool { return r < ' ' || r == '\\' } // browsers leave tabs out, and turn backslashes round
	if !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") || strings.ContainsFunc(back, odd) {
		return "/"
	}
	return back
}

// keep sets a cookie for a year.
func (s *server) keep(w http.ResponseWriter, r *http.Request, name, value, path string, secret bool) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: path, MaxAge: int(keepFor / time.Second),
		HttpOnly: secret, Secure: secure(r), SameSite: http.SameSiteLaxMode,
	})
}
