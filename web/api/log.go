package api

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/table"
	"norn/table/request"
	"norn/table/view"
)

// Entries of the log in one answer.
const (
	pageSize  = 100 // unless asked for otherwise
	pageMost  = 1000
	pageBytes = 1 << 20 // of all together, if it's more than one
)

type logQuestion struct {
	Table  string `path:"id" doc:"the table's id" maxLength:"200"`
	After  number `query:"after" doc:"entries after this seq; 0 unless given"`
	Limit  number `query:"limit" doc:"at most so many: 1 to 1000, 100 unless given"`
	Find   string `query:"find" doc:"words that must all be in what happened, whatever their case; a move is found with all that came of it" maxLength:"200"`
	Before number `query:"before" doc:"of a search: only what began before this seq, as the answer before said in further"`
	Part   string `query:"part" doc:"only a part of the log: mine, throws or talk" enum:"mine,throws,talk"`
}

// Log is a stretch of a table's log.
type Log struct {
	Entries []view.Entry `json:"entries" doc:"oldest first; ask again after the last one's seq until none come"`
	More    bool         `json:"more,omitempty" doc:"of a search: there may be older ones than it looked at, or than the limit allows"`
	Further uint64       `json:"further,omitempty" doc:"of a search with more: where to search on, as before; all from this seq on was looked at"`
}

type logAnswer struct {
	Body Log
}

// mostSought is how many characters a search may have.
const mostSought = 200

// search is what is searched for, nil for nothing, with what is wrong about it.
func (q logQuestion) search(most int, before uint64) (*request.Search, []*form.Problem) {
	var wrong []*form.Problem
	parts := []string{string(request.Mine), string(request.Throws), string(request.Talks)}
	if q.Part != "" && !slices.Contains(parts, q.Part) {
		wrong = append(wrong, &form.Problem{Path: "part", Code: form.NoChoice, Given: printable(q.Part), Allowed: parts})
	}
	if utf8.RuneCountInString(q.Find) > mostSought {
		wrong = append(wrong, &form.Problem{Path: "find", Code: form.TooLong, Max: mostSought, Given: printable(q.Find)})
	}
	if (q.Part != "" || q.Find != "") && q.After != "" {
		wrong = append(wrong, &form.Problem{Path: "after", Code: form.Unknown, Given: printable(string(q.After)), Allowed: []string{"find", "part", "limit"}})
	}
	if q.Before != "" && q.Part == "" && q.Find == "" {
		wrong = append(wrong, &form.Problem{Path: "before", Code: form.Unknown, Given: printable(string(q.Before)), Allowed: []string{"after", "limit"}})
	}
	if q.Part == "" && q.Find == "" || wrong != nil {
		return nil, wrong
	}
	return &request.Search{Part: request.Part(q.Part), Text: q.Find, Most: most, Before: before}, nil
}

func (s *server) registerLog(api huma.API) {
	huma.Register(api, operation(http.MethodGet, "/api/v1/tables/{id}/log", "read-log", doc{
		summary: "What happened, as this seat may know it",
		text: "With find or part it's the newest that was found, so many things that happened as the limit says; else what came after a seq. " +
			"Fewer come where they would be over 1 MiB.",
		tag: "log",
	}), func(ctx context.Context, in *logQuestion) (*logAnswer, error) {
		seat, err := s.enter(ctx, in.Table)
		if err != nil {
			return nil, err
		}
		after, late := in.After.whole("after", 0, 0, math.MaxInt64)
		limit, wide := in.Limit.whole("limit", pageSize, 1, pageMost)
		before, early := in.Before.whole("before", 0, 1, math.MaxInt64)
		if p := s.badQuery(ctx, late, wide, early); p != nil {
			return nil, p
		}
		search, p := in.search(int(limit), before)
		if p := s.badQuery(ctx, p...); p != nil {
			return nil, p
		}
		answer := &logAnswer{}
		if search != nil {
			found, err := newest(ctx, seat, *search)
			if err != nil {
				return nil, s.failed(ctx, seat, err)
			}
			answer.Body = Log{Entries: found.Entries, More: found.More}
			if found.More {
				answer.Body.Further = found.Looked
			}
			return answer, nil
		}
		if answer.Body.Entries, err = next(ctx, seat, after, int(limit)); err != nil {
			return nil, s.failed(ctx, seat, err)
		}
		return answer, nil
	})
}

// next are the entries after a seq, as many as are light. They are made a few at a time, since those that many ask for at
// once are in memory together.
func next(ctx context.Context, seat *table.Seat, after uint64, limit int) ([]view.Entry, error) {
	entries, room := []view.Entry{}, pageBytes
	for {
		wanted := min(limit-len(entries), pageSize)
		more, err := seat.Log(ctx, after, wanted)
		if err != nil {
			return nil, err
		}
		fit, left := light(more, room, len(entries) == 0)
		entries, room = append(entries, more[:fit]...), left
		if fit < wanted || len(entries) == limit {
			return entries, nil
		}
		after = entries[len(entries)-1].Seq
	}
}

// newest is what a search finds, the newest of it that are light; likewise.
func newest(ctx context.Context, seat *table.Seat, search request.Search) (view.Found, error) {
	most, room := search.Most, pageBytes
	all := view.Found{Entries: []view.Entry{}, Looked: search.Before}
	for began := time.Now(); ; {
		search.Most, search.Before = min(most-all.N, pageSize), all.Looked
		found, err := seat.Find(ctx, search)
		if err != nil {
			return view.Found{}, err
		}
		fit, left := light(found.Entries, room, all.N == 0)
		for fit < len(found.Entries) && (found.N > 1 || all.N > 0) { // fewer, so that all of each is there
			if search.Most = min(search.Most, found.N) / 2; search.Most == 0 {
				all.More = true
				return all, nil
			}
			if found, err = seat.Find(ctx, search); err != nil {
				return view.Found{}, err
			}
			fit, left = light(found.Entries, room, all.N == 0)
			most = 0
		}
		room = left
		all = view.Found{Entries: append(found.Entries, all.Entries...), N: all.N + found.N, More: found.More, Looked: found.Looked}
		if !found.More || found.N < search.Most || all.N >= most || time.Since(began) > request.Searches {
			return all, nil
		}
	}
}

// light is how many entries, from the first on, fit into so many bytes, and how many of these are left; begin says that one
// may go in however long it is.
func light(entries []view.Entry, room int, begin bool) (fit, left int) {
	var text []byte
	for i := range entries {
		text = entries[i].AppendJSON(text[:0])
		if len(text) > room && (i > 0 || !begin) {
			return i, room
		}
		room -= len(text)
	}
	return len(entries), room
}

type luckQuestion struct {
	Table   string `path:"id" doc:"the table's id" maxLength:"200"`
	Session number `query:"session" doc:"a session of dice, from 1; the one that lasts unless given"`
}

// SessionLuck is how lucky the seats were in a session.
type SessionLuck struct {
	Session int             `json:"session"`
	Seats   []view.SeatLuck `json:"seats" doc:"those whose moves had chances, as far as this seat may know their odds"`
}

type luckAnswer struct {
	Body SessionLuck
}

func (s *server) registerLuck(api huma.API) {
	huma.Register(api, operation(http.MethodGet, "/api/v1/tables/{id}/luck", "show-luck", doc{
		summary: "How lucky each seat was in a session of dice",
		text: "Each move with chances scores the percentage of its own exact odds that its outcome beats, what is as good counting half. " +
			"luckierThan is the share of all sessions with these same throws that score fewer points in all. Secret moves count for who sees them.",
		tag: "dice",
	}), func(ctx context.Context, in *luckQuestion) (*luckAnswer, error) {
		seat, err := s.enter(ctx, in.Table)
		if err != nil {
			return nil, err
		}
		shown, err := seat.View(ctx)
		if err != nil {
			return nil, s.failed(ctx, seat, err)
		}
		now := uint64(shown.Session.N)
		session, wrong := in.Session.whole("session", now, 1, now)
		if p := s.badQuery(ctx, wrong); p != nil {
			return nil, p
		}
		answer := &luckAnswer{SessionLuck{Session: int(session)}}
		if answer.Body.Seats, err = seat.Luck(ctx, int(session)); err != nil {
			return nil, s.failed(ctx, seat, err)
		}
		return answer, nil
	})
}

// number is a parameter that is a whole number, not below 0. It's read by whole.
type number string

// Schema implements huma.SchemaProvider.
func (number) Schema(huma.Registry) *huma.Schema {
	least := 0.0
	return &huma.Schema{Type: huma.TypeInteger, Minimum: &least}
}

// whole reads a parameter; standard is what it is when it isn't given.
func (n number) whole(name string, standard, least, most uint64) (uint64, *form.Problem) {
	if n == "" {
		return standard, nil
	}
	given, err := strconv.ParseUint(string(n), 10, 64)
	switch {
	case strings.HasPrefix(string(n), "-") && digits(string(n)[1:]):
		return 0, &form.Problem{Path: name, Code: form.Range, Min: int(least), Max: int(most), Given: printable(string(n))}
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, &form.Problem{Path: name, Code: form.Type, Given: printable(string(n)), Allowed: []string{string(form.KindInt)}}
	case err != nil || given < least || given > most:
		return 0, &form.Problem{Path: name, Code: form.Range, Min: int(least), Max: int(most), Given: printable(string(n))}
	}
	return given, nil
}

// digits tells whether a text is a number without a sign.
func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// badQuery is the Problem of parameters that are wrong, nil when none is.
func (s *server) badQuery(ctx context.Context, found ...*form.Problem) error {
	var problems form.Problems
	for _, p := range found {
		if p != nil {
			problems = append(problems, *p)
		}
	}
	if problems == nil {
		return nil
	}
	return wrong(callOf(ctx).speaker, "query", problems)
}
