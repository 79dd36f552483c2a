package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"norn/odds"
	"norn/table/request"
	"norn/table/view"
	"norn/web/stream"
)

// serveFile runs a handler that makes a whole log, a few at a time for each address.
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

// getStory returns the story as a text file: what everybody at the table may see.
func getStory(w http.ResponseWriter, r *http.Request, v *visit) error {
	session, _ := strconv.Atoi(r.URL.Query().Get("session")) // anything but a number asks for all
	var text bytes.Buffer
	if err := v.seat.Story(r.Context(), &text, request.Telling{Session: session, Zone: v.Zone}); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+v.seat.Table()+`.md"`)
	_, _ = w.Write(text.Bytes()) // the client may have disconnected
	return nil
}

// getExport returns the whole table as a file, for game masters.
func getExport(w http.ResponseWriter, r *http.Request, v *visit) error {
	if err := v.seat.MayExport(r.Context()); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Content-Disposition", `attachment; filename="`+v.seat.Table()+`.jsonl"`)
	stream.File(w, v.s.Slow, func(out io.Writer) error { return v.seat.Export(r.Context(), out) })
	return nil
}

// getSeen returns the part of the log that the seat sees, as a file that can be verified. It's as
// expensive as a change, so it counts as one.
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
	_, _ = w.Write(file.Bytes()) // the client may have disconnected
	return nil
}

// getCharacterFile gives a character to who plays it as a file, which another table can take.
func getCharacterFile(w http.ResponseWriter, r *http.Request, v *visit) error {
	file, err := v.seat.CharacterFile(r.Context(), v.At.Character)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(file, "", "\t")
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition",
		mime.FormatMediaType("attachment", map[string]string{"filename": fileName(file.Name) + ".json"}))
	_, _ = w.Write(data) // who has gone needs no file
	return nil
}

// fileName is a character's name without what names of files can't have.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || unicode.IsControl(r) {
			return '-'
		}
		return r
	}, name)
}

// getCalendar returns the next session as a calendar file.
func getCalendar(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.View.Next == nil {
		return notFound(w, r, v)
	}
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+v.View.ID+`.ics"`)
	_, _ = w.Write([]byte(calendar(v.View.ID, v.View.Name, *v.View.Next)))
	return nil
}

// evening is the assumed length of a session.
const evening = "PT4H"

// calendar returns RFC 5545. The time is in UTC, which every calendar shows in its owner's zone; a
// later download with another time moves the same event.
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

// escapeProperty returns a text as a property's value.
func escapeProperty(text string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", "").Replace(text)
}

// foldLine writes a line in pieces of at most 75 octets, without splitting characters.
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
