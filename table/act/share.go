package act

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"norn/form"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// ShareGiven is a seat's share of a session's dice.
type ShareGiven struct {
	Seat  string `json:"seat"`
	Share string `json:"share"`
}

// givenShares returns the shares of a session as an entry has them.
func givenShares(s *state.Session) []ShareGiven {
	given := make([]ShareGiven, len(s.Shares))
	for i, share := range s.Shares {
		given[i] = ShareGiven{Seat: s.Seats[i], Share: share}
	}
	return given
}

// ShareAdded adds a seat's share to the dice of a session.
type ShareAdded struct {
	Session int    `json:"session"`
	Seat    string `json:"seat"`
	Share   string `json:"share"`
}

func (ShareAdded) Type() string { return "table.share-added" }

// ShareRequest asks to add the seat's share to the dice.
type ShareRequest struct {
	Share string `json:"share" form:"text,required"`
}

// AddShare adds the seat's share to the dice of the current session. Moves that are opened later
// use it. Any seat may, spectators too, once a session. Everybody sees it.
var AddShare = Define(Spec[ShareRequest, view.Entry]{
	Name: "add-share", Op: "share",
	Route: Route{
		Method: "POST", Path: "/shares", Tag: "dice", Body: "ShareRequest",
		Summary: "Add this seat's share to the dice",
		Text: "1 to 64 printable characters, best at random; once a session and seat. Everybody sees it. The dice of moves made from " +
			"then on depend on it, so that the people who run norn can't have chosen their secret to suit themselves.",
		Example: map[string]any{"share": "d1f09a6b37c24e58", "key": "02f7"},
	},
	Key: func(r ShareRequest) any { return r.Share },
	Build: func(c Call, r ShareRequest) (ledger.Draft, error) {
		return draft(c.Eye, view.KindShare,
			ShareAdded{Session: c.Table.Sessions.Now().N, Seat: c.Seat.ID, Share: r.Share})
	},
})

func (ev ShareAdded) judge(p *Proposal) error {
	if err := checkShare(ev.Share); err != nil {
		return err
	}
	now := p.Table.Sessions.Now()
	if ev.Seat != p.Seat.ID {
		return &refusal.ForbiddenError{}
	}
	if ev.Session != now.N || slices.Contains(now.Seats, ev.Seat) {
		return refusal.Refuse("shared", nil)
	}
	return nil
}

func (ev ShareAdded) Fold(st *state.State, r *state.Record) {
	st.Sessions = st.Sessions.With(func(s *state.Session) {
		s.Seats, s.Shares = append(slices.Clip(s.Seats), ev.Seat), append(slices.Clip(s.Shares), ev.Share)
		s.SharedAt = append(slices.Clip(s.SharedAt), r.Seq)
	})
}

func (ev ShareAdded) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "share-added", view.Data{"Name": e.Table.Seats.Name(ev.Seat)},
		view.Data{"session": ev.Session, "seat": ev.Seat, "share": ev.Share})
}

func checkShare(share string) error {
	switch {
	case !utf8.ValidString(share):
		return refusal.Invalid("share", form.UTF8)
	case share == "":
		return refusal.Invalid("share", form.Missing)
	case utf8.RuneCountInString(share) > request.MaxShare:
		return refusal.Invalid("share", form.TooLong, func(p *form.Problem) {
			p.Max, p.Given = request.MaxShare, refusal.Brief(share)
		})
	}
	for _, r := range share {
		if !unicode.IsPrint(r) {
			return refusal.Invalid("share", form.Control)
		}
	}
	return nil
}
