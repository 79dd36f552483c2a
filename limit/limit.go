// Package limit says how often anybody may do something and how much at a time,
// and who has come too often for now.
//
// Promised: a Limiter never waits and never takes more memory than its bounds,
// however many addresses come. Who has been let in at a table is not turned
// away for what a stranger at the same address does there. A limit of zero is none.
// Keys of seats are hashes; no secret is kept.
//
// The package imports no other of norn's and starts no goroutine. It knows
// neither HTTP nor tables.
package limit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Rate is how much may be done: N at once, and N again in the course of each
// Per. The zero Rate is no limit.
type Rate struct {
	N   int
	Per time.Duration
}

// Limits are all limits of a server.
type Limits struct {
	Tables   Rate // tables opened from one address
	Knocks   Rate // tries from one address to enter a table by what opens none
	Writes   Rate // what one seat does: moves, answers, words, changes
	Uploads  Rate // pictures sent from one address
	Requests Rate // of one address, of any kind but bundled files

	AtOnce int // requests of one address under way at a time, live streams and bundled files aside
	Bodies int // MiB of bodies under way, of which one address may have a quarter
	Files  int // whole logs that are made and sent as files to one address at a time

	SeatStreams    int // live streams of one seat at a time
	AddressStreams int // of one address
	Streams        int // in all

	AddressConnections int // of one address at a time
	Connections        int // in all
}

// Usual are limits that a table of eight people in one house never meets.
func Usual() Limits {
	return Limits{
		Tables: Rate{30, time.Hour}, Knocks: Rate{60, time.Minute}, Writes: Rate{300, time.Minute},
		Uploads: Rate{60, 10 * time.Minute}, Requests: Rate{6000, time.Minute},
		AtOnce: 60, Bodies: 32, Files: 4, SeatStreams: 12, AddressStreams: 200, Streams: 20_000,
		AddressConnections: 400, Connections: most, // as files allow
	}
}

// most is the largest number in a limit.
const most = 1_000_000

var units = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}

// Names of the limits, as Parse takes them.
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

// ours is how many files norn itself may need besides connections: its journal, its log, the exports that it reads.
const ours = 128

// Within are the limits where no more than so many files can be open, each connection one of them: an address never has
// more than a quarter of all connections. Limits that are off stay so.
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

// Parse reads limits: "usual", "off", or changes of the usual ones such as
// "writes=600/m,streams=50000,tables=off". A rate is N/s, N/m or N/h; a number
// is 1 to 1,000,000, since 0 is no limit.
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

// Error says that somebody has come too often.
type Error struct {
	Limit string        // its name
	After time.Duration // when to come again, above zero
}

func (e *Error) Error() string { return "limit: too many " + e.Limit }

// Seconds is After in whole seconds, for a Retry-After.
func (e *Error) Seconds() int { return int((e.After + time.Second - 1) / time.Second) }

// As finds an *Error in an error, nil for none.
func As(err error) *Error {
	found, _ := errors.AsType[*Error](err)
	return found
}
