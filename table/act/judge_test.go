package act_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"norn/journal"
	"norn/lang"
	"norn/table/act"
	"norn/table/internal/tabletest"
	"norn/table/refusal"
)

// judged returns the code of the refusal of an act's event, "" if a seat may write it, and "misfit"
// if no live request makes it.
func judged(t *testing.T, tb *tabletest.Table, kind, seat, event, data string, secret bool) string {
	t.Helper()
	body := fmt.Sprintf(`{"v":1,"kind":%q,"rules":"test","done":true,"secret":%v,`+
		`"events":[{"n":0,"type":%q,"v":1,"data":%s}]}`, kind, secret, event, data)
	e := journal.Entry{
		Table: tb.ID, Seq: tb.Seq + 1, Time: tb.Now.Add(time.Minute), Seat: seat, Body: json.RawMessage(body),
	}
	r, err := tb.Decode(e, nil)
	if err != nil {
		t.Fatalf("%s can't be read: %v", body, err)
	}
	p, err := act.Propose(tb.Ledger, r, lang.Speaker{})
	if err == nil {
		err = p.JudgeOwn()
	}
	var refused refusal.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refused):
		return refused.Code()
	}
	return "misfit"
}

func TestForbiddenAndInvalidActsAreRefused(t *testing.T) {
	const gm, anna, guest, gone = tabletest.GM, tabletest.Anna, tabletest.Guest, "s5"
	tb := tabletest.New(t)
	tabletest.Do(t, tb, gm, act.AddSeat, act.SeatRequest{Name: "Gone", Role: "player"})
	tabletest.Do(t, tb, gm, act.RevokeSeat, act.SeatNamed{Seat: gone})
	tabletest.Do(t, tb, gm, act.SetClock, act.ClockRequest{Name: "Watch", Max: 6, At: 6})
	clock := fmt.Sprintf(`"id":"k%d","name":"Watch","max":6,"number":false`, tb.Seq)
	next := fmt.Sprint(tb.Seq + 1)
	const forbidden, invalid, refused = refusal.CodeForbidden, refusal.CodeInvalid, refusal.CodeRefused
	for name, c := range map[string]struct {
		kind, seat, event, data string
		secret                  bool
		want                    string
	}{
		"a message":                   {"talk", anna, "talk-said", `{"text":"hm"}`, false, ""},
		"an empty message":            {"talk", anna, "talk-said", `{"text":""}`, false, invalid},
		"a message of a spectator":    {"talk", guest, "talk-said", `{"text":"hm"}`, false, forbidden},
		"a message of a revoked seat": {"talk", gone, "talk-said", `{"text":"hm"}`, false, "misfit"},
		"a message of nobody":         {"talk", "", "talk-said", `{"text":"hm"}`, false, "misfit"},
		"a whisper":                   {"talk", anna, "talk-said", `{"text":"hm","to":"s3"}`, true, ""},
		"a whisper that all hear":     {"talk", anna, "talk-said", `{"text":"hm","to":"s3"}`, false, forbidden},
		"a whisper to oneself":        {"talk", anna, "talk-said", `{"text":"hm","to":"s2"}`, true, invalid},
		"a message as a hero":         {"talk", anna, "talk-said", `{"text":"hm","character":"c2"}`, false, forbidden},
		"a message as a shade":        {"talk", anna, "talk-said", `{"text":"hm","character":"c3"}`, false, invalid},
		"a note":                      {"note", gm, "note-kept", `{"id":"n` + next + `","text":"x"}`, true, ""},
		"a note that all may see":     {"note", gm, "note-kept", `{"id":"n` + next + `","text":"x"}`, false, "misfit"},
		"a note of a player": {
			"note", anna, "note-kept", `{"id":"n` + next + `","text":"x"}`, true,
			forbidden,
		},
		"a note with another id":     {"note", gm, "note-kept", `{"id":"n1","text":"x"}`, true, invalid},
		"a link to a room":           {"settings", gm, "room-linked", `{"link":"https://meet.test"}`, false, ""},
		"a link that isn't safe":     {"settings", gm, "room-linked", `{"link":"http://meet.test"}`, false, invalid},
		"a link with a password":     {"settings", gm, "room-linked", `{"link":"https://a:b@x.test"}`, false, invalid},
		"a link of a player":         {"settings", anna, "room-linked", `{"link":""}`, false, forbidden},
		"a reading of dice":          {"settings", gm, "reading-chosen", `{"as":"roll20-3"}`, false, ""},
		"a reading by a short name":  {"settings", gm, "reading-chosen", `{"as":"roll20"}`, false, invalid},
		"a reading of nothing known": {"settings", gm, "reading-chosen", `{"as":""}`, false, invalid},
		"a reading of a player":      {"settings", anna, "reading-chosen", `{"as":"roll20-3"}`, false, forbidden},
		"a clock turned back":        {"clock", gm, "clock-ticked", `{` + clock + `,"at":5,"was":6}`, false, ""},
		"a clock past its end":       {"clock", gm, "clock-ticked", `{` + clock + `,"at":7,"was":6}`, false, invalid},
		"a clock that stays":         {"clock", gm, "clock-ticked", `{` + clock + `,"at":6,"was":6}`, false, refused},
		"a clock that was elsewhere": {"clock", gm, "clock-ticked", `{` + clock + `,"at":5,"was":4}`, false, "misfit"},
		"a clock of a player": {
			"clock", anna, "clock-ticked", `{` + clock + `,"at":5,"was":6}`, false,
			forbidden,
		},
		"a name of one's own": {"seat", anna, "seat-renamed", `{"id":"s2","was":"Anna","name":"O"}`, false, ""},
		"a name of another's seat": {
			"seat", anna, "seat-renamed", `{"id":"s3","was":"Boris","name":"B"}`, false,
			forbidden,
		},
		"a name that wasn't": {
			"seat", gm, "seat-renamed", `{"id":"s2","was":"Ann","name":"B"}`, false,
			"misfit",
		},
		"the last game master leaves": {"seat", gm, "seat-revoked", `{"id":"s1","name":"GM"}`, false, refused},
		"a player leaves":             {"seat", gm, "seat-revoked", `{"id":"s2","name":"Anna"}`, false, ""},
		"an X-card":                   {"x-card", "", "x-raised", `{}`, false, ""},
		"an X-card that says whose":   {"x-card", anna, "x-raised", `{}`, false, "misfit"},
		"a deletion":                  {"deletion", gm, "deleted", `{}`, false, ""},
		"a deletion by a player":      {"deletion", anna, "deleted", `{}`, false, forbidden},
		"a table called back":         {"deletion", gm, "called-back", `{}`, false, refused},
		"no X-card is put away":       {"x-away", anna, "x-put-away", `{}`, false, refused},
	} {
		if got := judged(t, tb, c.kind, c.seat, "table."+c.event, c.data, c.secret); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
