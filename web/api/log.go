package api

import (
	"context"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/table"
	"norn/table/request"
	"norn/table/view"
)

// Limits of the entries in one response.
const (
	pageSize  = 100 // unless requested otherwise
	pageMost  = 1000
	pageBytes = 1 << 20 // for all together, unless it's a single one
)

type logQuestion struct {
	Table  string `path:"id" doc:"the table's id" maxLength:"200"`
	After  number `query:"after" doc:"entries after this seq; 0 unless given"`
	Limit  number `query:"limit" doc:"at most so many: 1 to 1000, 100 unless given"`
	Find   string `query:"find" doc:"words that must all be in what happened, whatever their case; a move is found with all that came of it" maxLength:"200"`
	Before number `query:"before" doc:"of a search: only what began before this seq, as the answer before said in further"`
	Part   string `query:"part" doc:"only a part of the log: mine, throws or talk" enum:"mine,throws,talk"`
}

// Log is a part of a table's log.
type Log struct {
	Entries []view.Entry `json:"entries" doc:"oldest first; ask again after the last one's seq until none come"`
	More    bool         `json:"more,omitempty" doc:"of a search: there may be older ones than it looked at, or than the limit allows"`
	Further uint64       `json:"further,omitempty" doc:"of a search with more: where to search on, as before; all from this seq on was looked at"`
}

// maxSought limits the characters of a search.
const maxSought = 200

// search returns the search of a query, nil for none, and its errors.
func (q logQuestion) search(most int, before uint64) (*request.Search, []*form.Problem) {
	var wrong []*form.Problem
	parts := []string{string(request.Mine), string(request.Throws), string(request.Talks)}
	if q.Part != "" && !slices.Contains(parts, q.Part) {
		wrong = append(wrong, &form.Problem{
			Path: "part", Code: form.NoChoice, Given: printable(q.Part),
			Allowed: parts,
		})
	}
	if utf8.RuneCountInString(q.Find) > maxSought {
		wrong = append(wrong, &form.Problem{
			Path: "find", Code: form.TooLong, Max: maxSought,
			Given: printable(q.Find),
		})
	}
	if (q.Part != "" || q.Find != "") && q.After != "" {
		wrong = append(wrong, &form.Problem{
			Path: "after", Code: form.Unknown, Given: printable(string(q.After)),
			Allowed: []string{"find", "part", "limit"},
		})
	}
	if q.Before != "" && q.Part == "" && q.Find == "" {
		wrong = append(wrong, &form.Problem{
			Path: "before", Code: form.Unknown, Given: printable(string(q.Before)),
			Allowed: []string{"after", "limit"},
		})
	}
	if q.Part == "" && q.Find == "" || wrong != nil {
		return nil, wrong
	}
	return &request.Search{Part: request.Part(q.Part), Text: q.Find, Most: most, Before: before}, nil
}

func registerLog(s *server, api huma.API) {
	show(s, api, "/api/v1/tables/{id}/log", "read-log", doc{
		summary: "What happened, as this seat may know it",
		text: "With find or part it's the newest that was found, so many things that happened as the limit says; else what came after a seq. " +
			"Fewer come where they would be over 1 MiB.",
		tag: "log", tool: "log",
	}, func(ctx context.Context, seat *table.Seat, asked *logQuestion) (*answer[Log], error) {
		after, late := asked.After.parse("after", 0, 0, math.MaxInt64)
		limit, wide := asked.Limit.parse("limit", pageSize, 1, pageMost)
		before, early := asked.Before.parse("before", 0, 1, math.MaxInt64)
		if err := badQuery(ctx, late, wide, early); err != nil {
			return nil, err
		}
		search, bad := asked.search(int(limit), before)
		if err := badQuery(ctx, bad...); err != nil {
			return nil, err
		}
		if search == nil {
			entries, err := entriesAfter(ctx, seat, after, int(limit))
			return answered(Log{Entries: entries}, err)
		}
		var found view.Found
		err := s.dear(ctx, seat, func() (err error) {
			found, err = newest(ctx, seat, *search)
			return err
		})
		told := Log{Entries: found.Entries, More: found.More}
		if found.More {
			told.Further = found.Looked
		}
		return answered(told, err)
	})
}

// entriesAfter returns the entries after a seq, as many as fit into the size limit. It makes few at
// a time, since many concurrent requests need memory together.
func entriesAfter(ctx context.Context, seat *table.Seat, after uint64, limit int) ([]view.Entry, error) {
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

// newest returns the newest results of a search that fit into the size limit, likewise.
func newest(ctx context.Context, seat *table.Seat, search request.Search) (view.Found, error) {
	most, room := search.Most, pageBytes
	all := view.Found{Entries: []view.Entry{}, Looked: search.Before}
	for {
		search.Most, search.Before = min(most-all.N, pageSize), all.Looked
		found, err := seat.Find(ctx, search)
		if err != nil {
			return view.Found{}, err
		}
		fit, left := light(found.Entries, room, all.N == 0)
		for fit < len(found.Entries) && (found.N > 1 || all.N > 0) { // request fewer, so that each is complete
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
		all = view.Found{
			Entries: append(found.Entries, all.Entries...), N: all.N + found.N, More: found.More,
			Looked: found.Looked,
		}
		if !found.More || found.N < search.Most || all.N >= most {
			return all, nil
		}
	}
}

// light returns how many entries, from the first, fit into a number of bytes, and how many bytes
// remain; begin allows one entry of any size.
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
