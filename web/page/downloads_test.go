package page

import (
	"strings"
	"testing"
	"time"

	"norn/table/view"
)

// A calendar file follows RFC 5545: lines of at most 75 octets that end in CRLF, texts escaped, and
// the right time around clock changes.
func TestCalendarFileFollowsRFC5545(t *testing.T) {
	kyiv, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Fatal(err)
	}
	for local, want := range map[string]string{
		"2026-11-27T19:00": "20261127T170000Z",
		"2026-06-27T19:00": "20260627T160000Z", "2026-12-31T00:30": "20261230T223000Z",
	} {
		at, err := time.ParseInLocation("2006-01-02T15:04", local, kyiv)
		if err != nil {
			t.Fatal(err)
		}
		name := "Міст, за яким; темно\\ і дуже-дуже довга назва цього столу, що не вміщається в рядок"
		file := calendar("abcdefgh234567ab", name,
			view.Planned{At: at.UTC(), Said: time.Date(2026, 5, 1, 20, 0, 0, 0, time.UTC), Seq: 41})
		for line := range strings.SplitSeq(strings.TrimSuffix(file, "\r\n"), "\r\n") {
			if len(line) > 75 || strings.ContainsAny(line, "\r\n") {
				t.Errorf("the line %q", line)
			}
		}
		whole := strings.ReplaceAll(file, "\r\n ", "")
		for _, line := range []string{
			"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "DTSTART:" + want + "\r\n", "DTSTAMP:20260501T200000Z\r\n",
			"UID:abcdefgh234567ab@norn\r\n", "SEQUENCE:41\r\n",
			`SUMMARY:Міст\, за яким\; темно\\ і дуже-дуже довга назва цього столу\, що не вміщається в рядок` + "\r\n",
			"END:VEVENT\r\nEND:VCALENDAR\r\n",
		} {
			if !strings.Contains(whole, line) {
				t.Errorf("there's no %q in\n%s", line, whole)
			}
		}
	}
}
