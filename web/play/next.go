package play

import (
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"norn/form"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/html"
)

// postNext says when people meet next, by the clock of who says so.
func postNext(w http.ResponseWriter, r *http.Request, v *visit) error {
	var at time.Time
	if text := r.PostForm.Get(html.Own + "when"); text != "" {
		var err error
		if at, err = time.ParseInLocation("2006-01-02T15:04", text, v.Zone); err != nil {
			return refusal.Invalid("when", form.Syntax, func(p *form.Problem) { p.Given = refusal.Brief(text) })
		}
	}
	entry, err := v.seat.Plan(r.Context(), at, r.PostForm.Get(html.Own+"key"))
	return mastered(w, r, v, entry, err)
}

// getCalendar is the next session as a calendar file.
func getCalendar(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.View.Next == nil {
		v.s.NotFound(w, r)
		return nil
	}
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+v.View.ID+`.ics"`)
	_, _ = w.Write([]byte(calendar(v.View.ID, v.View.Name, *v.View.Next)))
	return nil
}

// evening is how long people are taken to play.
const evening = "PT4H"

// calendar is RFC 5545. The time stands in UTC, which every calendar shows by its owner's clock; who saves a later date again moves
// the same event.
func calendar(table, name string, next view.Planned) string {
	const stamp = "20060102T150405Z"
	var b strings.Builder
	for _, line := range []string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//norn//table//EN", "BEGIN:VEVENT",
		"UID:" + table + "@norn", fmt.Sprintf("SEQUENCE:%d", next.Seq), "DTSTAMP:" + next.Said.UTC().Format(stamp),
		"DTSTART:" + next.At.UTC().Format(stamp), "DURATION:" + evening, "SUMMARY:" + escaped(name), "END:VEVENT", "END:VCALENDAR",
	} {
		folded(&b, line)
	}
	return b.String()
}

// escaped is a text as a property's value.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", "").Replace(text)
}

// folded writes a line in pieces of at most 75 octets, which end between characters.
func folded(b *strings.Builder, line string) {
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
