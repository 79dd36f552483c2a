package middleware

import (
	"context"
	"net/http"
	"regexp"
)

// A browser may hold several seats of one table, each at an address of its
// own: the first at the table's, /t/ID, each other one below it, /t/ID/as/s2. So
// an address says whose page it is, two tabs play two seats, and no seat ever
// takes another one's place. Their cookies are sent to that table alone.

type asKey struct{}

var asSeat = regexp.MustCompile(`^(/t/[^/]+)/as/(s[0-9]{1,6})(/.*)?$`)

// as takes the seat out of an address, so that all that comes after it is one for every seat.
func as(r *http.Request) *http.Request {
	parts := asSeat.FindStringSubmatch(r.URL.Path)
	if parts == nil {
		return r
	}
	at := *r.URL
	at.Path, at.RawPath = parts[1]+parts[3], ""
	r = r.WithContext(context.WithValue(r.Context(), asKey{}, parts[2]))
	r.URL = &at
	return r
}

// AskedSeat is the seat that stands in the address, "" for the first one.
func AskedSeat(r *http.Request) string {
	id, _ := r.Context().Value(asKey{}).(string)
	return id
}

// SeatAt is where a seat of a table is played.
func SeatAt(table, as string) string {
	if as == "" {
		return "/t/" + table
	}
	return "/t/" + table + "/as/" + as
}

// SeatCookie is the cookie of the seat that is played there.
func SeatCookie(table, as string) string {
	if as == "" {
		return "seat_" + table
	}
	return "seat_" + table + "_" + as
}
