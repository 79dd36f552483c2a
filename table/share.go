package table

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"norn/form"
)

// MaxShare is how many characters a share may have.
const MaxShare = 64

// shareAdded is what a seat gives to the dice of a session.
type shareAdded struct {
	Session int    `json:"session"`
	Seat    string `json:"seat"`
	Share   string `json:"share"`
}

func (shareAdded) Type() string { return "table.share-added" }

func addShare(e eye, share string) (draft, error) {
	return draftActs(e, KindShare, shareAdded{Session: e.st.sessions.now().n, Seat: e.seat.id, Share: share})
}

func (ev shareAdded) judge(p *proposal) error {
	if err := checkShare(ev.Share); err != nil {
		return err
	}
	now := p.st.sessions.now()
	if ev.Seat != p.seat.id {
		return &ForbiddenError{}
	}
	if ev.Session != now.n || slices.Contains(now.seats, ev.Seat) {
		return refused("shared", nil)
	}
	return nil
}

func (ev shareAdded) fold(st *state, r *record) {
	st.alterNow(func(s *session) {
		s.seats, s.shares = append(slices.Clip(s.seats), ev.Seat), append(slices.Clip(s.shares), ev.Share)
		s.at = append(slices.Clip(s.at), r.Seq)
	})
}

func (ev shareAdded) lines(e eye) []Line {
	name := ""
	if s := e.st.seats.of(ev.Seat); s != nil {
		name = s.name
	}
	return e.line(ev, "share-added", data{"Name": name}, data{"session": ev.Session, "seat": ev.Seat, "share": ev.Share})
}

func checkShare(share string) error {
	switch {
	case !utf8.ValidString(share):
		return invalid("share", form.UTF8)
	case share == "":
		return invalid("share", form.Missing)
	case utf8.RuneCountInString(share) > MaxShare:
		return invalid("share", form.TooLong, func(p *form.Problem) { p.Max, p.Given = MaxShare, brief(share) })
	}
	for _, r := range share {
		if !unicode.IsPrint(r) {
			return invalid("share", form.Control)
		}
	}
	return nil
}
