package middleware

import (
	"context"
	"net/http"
	"regexp"
)

// A browser may hold several seats of one table, each at its own address: the first at /t/ID, the
// others below it, such as /t/ID/as/s2. So the address says whose page it is, two tabs can play two
// seats, and no seat replaces another. Their cookies are sent only to that table's addresses.

type asKey struct{}

var asSeat = regexp.MustCompile(`^(/t/[^/]+)/as/(s[0-9]{1,6})(/.*)?$`)

// as removes the seat from an address, so that the routes are the same for every seat.
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

// AskedSeat returns the seat in the address, "" for the first one.
func AskedSeat(r *http.Request) string {
	id, _ := r.Context().Value(asKey{}).(string)
	return id
}

// SeatAt returns the address of a seat's page.
func SeatAt(table, as string) string {
	if as == "" {
		return "/t/" + table
	}
	return "/t/" + table + "/as/" + as
}

// SeatCookie returns the name of the cookie of a seat's page.
func SeatCookie(table, as string) string {
	if as == "" {
		return "seat_" + table
	}
	return "seat_" + table + "_" + as
}
