package act

import (
	"net/url"

	"norn/form"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// roomLinked sets the link to a voice or video room; "" removes it. It's undone like a change of
// the settings.
type roomLinked struct {
	byMasters
	Link string `json:"link"`
}

func (roomLinked) Type() string { return "table.room-linked" }

var checkRoom = checking("link", func(sent struct {
	Link string `json:"link" form:"text"`
},
) string {
	return sent.Link
})

// RoomRequest asks to set the link to a voice or video room, "" for none.
type RoomRequest struct {
	Link string `json:"link" form:"text,look=url" doc:"https://…; none takes it away"`
}

// LinkRoom sets the link to a voice or video room, which all seats see.
var LinkRoom = Define(Spec[RoomRequest, view.Entry]{
	Name: "link-room", Op: "room",
	Route: Route{
		Method: "POST", Path: "/room", Tag: "tables", Tool: "link_room", Body: "RoomRequest",
		Summary: "Link a voice or video room",
		Text:    "Only a game master may. All seats see it; it begins with https://.",
		Example: map[string]any{"link": "https://meet.example/friday", "key": "70ab"},
	},
	Key:  func(r RoomRequest) any { return r.Link },
	Now:  func(v view.Values) RoomRequest { return RoomRequest{v.Room} },
	Link: func(v view.Values) string { return v.Room },
	Build: func(c Call, r RoomRequest) (ledger.Draft, error) {
		return draft(c.Eye, view.KindSettings, roomLinked{Link: checkRoom.keep(r.Link)})
	},
})

func (ev roomLinked) judge(*Proposal) error {
	at, err := url.Parse(ev.Link)
	if ev.Link != "" && (err != nil || at.Scheme != "https" || at.Hostname() == "" || at.User != nil) {
		return refusal.Invalid("link", form.Syntax, func(p *form.Problem) {
			p.Given, p.Allowed = refusal.Brief(ev.Link), []string{"https://…"}
		})
	}
	return checkRoom.hold(ev.Link)
}

func (ev roomLinked) Fold(st *state.State, r *state.Record) {
	st.NoteSettings(r)
	st.Values.Room = ev.Link
}

func (ev roomLinked) Lines(e *visibility.Eye) []view.Line {
	if ev.Link == "" {
		return e.Line(ev, "room-unlinked", nil, view.Data{"link": ""})
	}
	return e.Line(ev, "room-linked", view.Data{"Link": ev.Link}, view.Data{"link": ev.Link})
}
