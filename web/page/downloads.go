package page

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"norn/odds"
	"norn/table/request"
	"norn/table/view"
	"norn/web/stream"
)

// serveFile lets whole logs be made and sent, a few at a time to one address.
func (s *Server) serveFile(next handler) http.HandlerFunc {
	return s.enter(func(w http.ResponseWriter, r *http.Request, v *visit) error {
		leave, err := s.Limits.File(odds.Asker(r.RemoteAddr))
		if err != nil {
			return err
		}
		defer leave()
		return next(w, r, v)
	})
}

// getStory gives what happened as a text to read: what everybody at the table may
// see.
func getStory(w http.ResponseWriter, r *http.Request, v *visit) error {
	session, _ := strconv.Atoi(r.URL.Query().Get("session")) // what is no number asks for all
	var text bytes.Buffer
	if err := v.seat.Story(r.Context(), &text, request.Telling{Session: session, Zone: v.Zone}); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+v.seat.Table()+`.md"`)
	_, _ = w.Write(text.Bytes()) // who has gone needs no story
	return nil
}

// getExport gives the game master the whole table as a file.
func getExport(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := v.seat.MayExport(r.Context()); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Content-Disposition", `attachment; filename="`+v.seat.Table()+`.jsonl"`)
	stream.File(w, v.s.Slow, func(out io.Writer) error { return v.seat.Export(r.Context(), out) })
	return nil
}

// getSeen gives any seat what it sees of the log as a file that can be checked.
// Making it takes as much as a change does, so it counts as one.
func getSeen(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := v.seat.Spend(); err != nil {
		return err
	}
	var file bytes.Buffer
	if err := v.seat.ExportSeen(r.Context(), &file); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Content-Disposition", `attachment; filename="`+v.seat.Table()+"-"+v.seat.ID()+`.jsonl"`)
	_, _ = w.Write(file.Bytes()) // who has gone needs no file
	return nil
}

// getCalendar is the next session as a calendar file.
func getCalendar(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.View.Next == nil {
		return notFound(w, r, v)
	}
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+v.View.ID+`.ics"`)
	_, _ = w.Write([]byte(calendar(v.View.ID, v.View.Name, *v.View.Next)))
	return nil
}

// evening is how long people are taken to play.
const evening = "PT4H"

// calendar is RFC 5545. The time stands in UTC, which every calendar shows by its owner's clock;
// who saves a later date again moves the same event.
func calendar(table, name string, next view.Planned) string {
	const stamp = "20060102T150405Z"
	var b strings.Builder
	for _, line := range []string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//norn//table//EN", "BEGIN:VEVENT",
		"UID:" + table + "@norn", fmt.Sprintf("SEQUENCE:%d", next.Seq), "DTSTAMP:" + next.Said.UTC().Format(stamp),
		"DTSTART:" + next.At.UTC().Format(stamp), "DURATION:" + evening, "SUMMARY:" + escapeProperty(name),
		"END:VEVENT", "END:VCALENDAR",
	} {
		foldLine(&b, line)
	}
	return b.String()
}

// escapeProperty is a text as a property's value.
func escapeProperty(text string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", "").Replace(text)
}

// foldLine writes a line in pieces of at most 75 octets, which end between characters.
func foldLine(b *strings.Builder, line string) {
	for most := 75; len(line) > most; most = 74 {
		at := most
		for !utf8.RuneStart(line[at]) {
			at--
		}
		b.WriteString(line[:at] + "\r\n ")
		line = line[at:]
	}
	b.WriteString(line + "\r\n")
}
