// Package limit bounds how often and how much at a time clients may do things, and remembers those
// who exceed it.
//
// A Limiter never blocks, and its memory is bounded for any number of addresses. A person who has
// entered a table isn't refused because of strangers at the same address. A limit of zero means no
// limit. Seats are identified by hashes; secrets aren't stored.
//
// The package imports nothing of norn and starts no goroutine. It knows neither HTTP nor tables.
package limit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Rate is a rate limit: N at once, and N more in the course of each Per. The zero Rate is no limit.
type Rate struct {
	N   int
	Per time.Duration
}

// Limits holds all limits of a server.
type Limits struct {
	Tables   Rate // tables opened from one address
	Knocks   Rate // failed attempts from one address to enter a table
	Writes   Rate // changes by one seat: moves, answers, notes and others
	Uploads  Rate // pictures, lists and characters' files from one address
	Requests Rate // from one address, of any kind except bundled files

	AtOnce int // concurrent requests of one address, without live streams and bundled files
	Bodies int // total MiB of bodies in progress, of which one address may have a quarter
	Files  int // concurrent downloads of whole logs by one address

	SeatStreams    int // concurrent live streams of one seat
	AddressStreams int // concurrent live streams of one address
	Streams        int // live streams in total

	AddressConnections int // concurrent connections of one address
	Connections        int // connections in total
}

// Usual returns limits that a table of eight people in one house never reaches.
func Usual() Limits {
	return Limits{
		Tables: Rate{30, time.Hour}, Knocks: Rate{60, time.Minute}, Writes: Rate{300, time.Minute},
		Uploads: Rate{60, 10 * time.Minute}, Requests: Rate{6000, time.Minute},
		AtOnce: 60, Bodies: 40, Files: 4, SeatStreams: 12, AddressStreams: 200, Streams: 20_000,
		AddressConnections: 400, Connections: most, // Within lowers it to the number of open files
	}
}

// most is the largest value of a limit.
const most = 1_000_000

var units = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}

// Names returns the names of the limits, as Parse accepts them.
func Names() []string {
	return []string{
		"tables", "knocks", "writes", "uploads", "requests", "at-once", "bodies", "files",
		"seat-streams", "address-streams", "streams", "address-connections", "connections",
	}
}

func (l *Limits) rate(name string) *Rate {
	return map[string]*Rate{
		"tables": &l.Tables, "knocks": &l.Knocks, "writes": &l.Writes, "uploads": &l.Uploads,
		"requests": &l.Requests,
	}[name]
}

func (l *Limits) count(name string) *int {
	return map[string]*int{
		"at-once": &l.AtOnce, "bodies": &l.Bodies, "files": &l.Files,
		"seat-streams": &l.SeatStreams, "address-streams": &l.AddressStreams, "streams": &l.Streams,
		"address-connections": &l.AddressConnections, "connections": &l.Connections,
	}[name]
}

// ours is the number of files that norn may open in addition to connections: its journal, its log
// and exports.
const ours = 128

// Within returns limits for a process that can open only so many files, of which each connection is
// one. An address never gets more than a quarter of all connections. Limits that are off stay off.
func (l Limits) Within(files int) Limits {
	if l.Connections == 0 {
		return l
	}
	l.Connections = min(l.Connections, max(files-ours, files/2))
	if l.AddressConnections > 0 {
		l.AddressConnections = max(1, min(l.AddressConnections, l.Connections/4))
	}
	return l
}

// Parse parses limits: "usual", "off", or changes of the usual ones such as
// "writes=600/m,streams=50000,tables=off". A rate is N/s, N/m or N/h; a number is 1 to 1,000,000,
// since 0 means no limit.
func Parse(text string) (Limits, error) {
	switch text {
	case "usual", "":
		return Usual(), nil
	case "off":
		return Limits{}, nil
	}
	l := Usual()
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		rate, count := l.rate(name), l.count(name)
		if !ok || rate == nil && count == nil {
			return Limits{}, fmt.Errorf("limit: %q is none of %s", part, strings.Join(Names(), ", "))
		}
		number, unit, per := strings.Cut(value, "/")
		n, err := strconv.Atoi(number)
		switch {
		case value == "off":
			n, unit = 0, "s"
		case err != nil || n < 1 || n > most || per != (rate != nil) || per && units[unit] == 0:
			return Limits{}, fmt.Errorf("limit: %q is no value of %s", value, name)
		}
		if rate != nil {
			*rate = Rate{n, units[unit]}
		} else {
			*count = n
		}
	}
	return l, nil
}

// Error reports that a client has reached a limit.
type Error struct {
	Limit string        // name of the limit
	After time.Duration // when to try again, above zero
}

func (e *Error) Error() string { return "limit: too many " + e.Limit }

// Seconds returns After in whole seconds, for a Retry-After header.
func (e *Error) Seconds() int { return int((e.After + time.Second - 1) / time.Second) }

// As returns the *Error in an error, or nil. An error of another package is one if it has Limited.
func As(err error) *Error {
	if found, ok := errors.AsType[*Error](err); ok {
		return found
	}
	if found, ok := errors.AsType[interface {
		error
		Limited() (limit string, after time.Duration)
	}](err); ok {
		limit, after := found.Limited()
		return &Error{Limit: limit, After: after}
	}
	return nil
}
