package web

import (
	"net/http"
	"strings"
	"time"

	"norn/lang"
)

// reader is who reads a page: language, looks and clock, as cookies and
// headers tell.
type reader struct {
	lang.Speaker
	Theme string // "auto", "light", "dark"
	zone  *time.Location
}

// themes are what a page can look like, the default first.
var themes = []string{"auto", "light", "dark"}

// The cookies that a reader's browser keeps.
const (
	langCookie  = "lang"
	themeCookie = "theme"
	zoneCookie  = "zone" // set by script: the name of the reader's time zone
	keepFor     = 365 * 24 * time.Hour
)

func (s *server) reader(r *http.Request) reader {
	l, ok := lang.Parse(cookie(r, langCookie))
	if !ok {
		l = lang.Match(r.Header.Get("Accept-Language"))
	}
	reader := reader{Speaker: s.Words.In(l), Theme: themes[0], zone: time.Local}
	for _, theme := range themes {
		if cookie(r, themeCookie) == theme {
			reader.Theme = theme
		}
	}
	if name := cookie(r, zoneCookie); name != "" && len(name) < 64 {
		if zone, err := time.LoadLocation(strings.ReplaceAll(name, "%2F", "/")); err == nil {
			reader.zone = zone
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

// clock writes a time of day in the reader's zone, with the day where it isn't today.
func (r reader) clock(t time.Time) string { return r.Clock(t, r.zone) }

// date writes a day in the reader's zone.
func (r reader) date(t time.Time) string { return r.Date(t, r.zone) }

// day is the day in the reader's zone, for script: "2026-11-21".
func (r reader) day(t time.Time) string { return t.In(r.zone).Format(time.DateOnly) }

// moment writes day and time.
func (r reader) moment(t time.Time) string { return r.Time(t, r.zone) }

// look takes the reader's choice of language or theme and goes back to where
// it was made.
func (s *server) look(w http.ResponseWriter, r *http.Request) {
	if !s.parse(w, r) {
		return
	}
	if l, ok := lang.Parse(r.PostForm.Get(own + "lang")); ok {
		s.keep(w, r, langCookie, string(l), "/", false)
	}
	for _, theme := range themes {
		if r.PostForm.Get(own+"theme") == theme {
			s.keep(w, r, themeCookie, theme, "/", false)
		}
	}
	http.Redirect(w, r, local(r.PostForm.Get(own+"back")), http.StatusSeeOther)
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
