package play

import (
	"net/http"

	"norn/game"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
)

// seatOf is a seat as it's called now.
func seatOf(l *look, s view.SeatShown) html.Seat {
	return html.Seat{ID: s.ID, Name: s.Name, Role: l.roleName(s.Role), You: s.You}
}

// everySeat are all of the table.
func everySeat(l *look) []html.Seat {
	all := make([]html.Seat, len(l.view.Seats))
	for i, s := range l.view.Seats {
		all[i] = seatOf(l, s)
	}
	return all
}

// seatsOf is where a game master invites people.
func seatsOf(l *look, notes drawerNotes) html.Seats {
	s := html.Seats{All: everySeat(l), Said: notes.Said, Name: notes.Name}
	for _, role := range roles {
		s.Roles = append(s.Roles, option(string(role), l.roleName(role), role == notes.Role))
	}
	return s
}

// onlineOf are the seats with who is here.
func onlineOf(l *look) []html.Online {
	all := make([]html.Online, len(l.view.Seats))
	for i, s := range l.view.Seats {
		all[i] = html.Online{Name: s.Name, Role: l.roleName(s.Role), Here: s.Online}
	}
	return all
}

// playable are held seats as they are called now, each with where it's played.
func playable(l *look, held []holding) []html.Seat {
	var found []html.Seat
	for _, h := range held {
		for _, shown := range l.view.Seats {
			if shown.ID == h.seat {
				seat := seatOf(l, shown)
				seat.At = h.at
				found = append(found, seat)
			}
		}
	}
	return found
}

// menuOf is that of the seat that the page plays, with what was done in it.
func menuOf(l *look, said ownSeat) html.SeatMenu {
	m := html.SeatMenu{Me: seatOf(l, l.me()), Several: len(l.held) > 1, Problem: said.Problem, Link: said.Link, Open: said.Open}
	m.Named = m.Me.Name
	if said.Problem != "" {
		m.Named = said.Name
	}
	for _, other := range playable(l, l.held) {
		if !other.You {
			m.Others = append(m.Others, other)
		}
	}
	return m
}

var roles = []game.Role{game.Player, game.Spectator, game.Master}

// postSeats invites, renames, revokes and renews, and shows a game master's own link.
func postSeats(w http.ResponseWriter, r *http.Request, v *visit) error {
	id, key, name := r.PostForm.Get(html.Own+"seat"), r.PostForm.Get(html.Own+"key"), r.PostForm.Get(html.Own+"name")
	notes := drawerNotes{Role: game.Player}
	secret := "" // of a link that was made
	invited := func(i view.Invitation, err error) error {
		if err != nil {
			return err
		}
		notes.Said.Invited, notes.Said.Name, secret = i.ID, i.Name, i.Secret
		if secret != "" {
			notes.Said.Link = v.s.linkOf(r, v.view.ID, secret)
		}
		return nil
	}
	var err error
	switch r.PostForm.Get(html.Own + "do") {
	case "invite":
		notes.Name, notes.Role = name, game.Role(r.PostForm.Get(html.Own+"role"))
		if err = invited(v.seat.AddSeat(r.Context(), request.NewSeat{Name: name, Role: notes.Role, Key: key})); err == nil {
			notes.Name, notes.Role = "", game.Player
		}
	case "link": // the reader's own: others' aren't known
		me := v.me()
		notes.Said.Own = true
		err = invited(view.Invitation{ID: me.ID, Role: me.Role, Name: me.Name, Secret: v.secret()}, nil)
	case "rename":
		_, err = v.seat.RenameSeat(r.Context(), id, name, key)
	case "revoke":
		_, err = v.seat.RevokeSeat(r.Context(), id, key)
	case "renew":
		err = invited(v.seat.RenewSeat(r.Context(), id, key))
		if err == nil && id == v.view.Seat && secret != "" {
			v.s.keepSeat(w, r, v.view.ID, door.Asked(r), secret)
		}
	default:
		err = &refusal.ForbiddenError{}
	}
	status := http.StatusOK
	if err != nil {
		known := false
		if status, known = statusOf(err); !known {
			return err
		}
		notes.Said.Problem = why(v.Speaker, err)
	}
	answer := func() error {
		if door.HX(r) {
			w.Header().Set(standsAt, html.SeqText(v.view.Told))
			v.s.Show(w, r, status, html.SeatsAgain(v.Page, notes.Said))
			return nil
		}
		return showPage(w, r, status, v, extras{drawer: notes})
	}
	if secret != "" && id == v.view.Seat { // the link by which the reader came is good no longer
		return answer()
	}
	return v.looking(r, answer)
}

// ownSeat is what the seat's menu has to say after something was done in it.
type ownSeat struct {
	Link    string // the seat's own, where it was asked for
	Name    string // that couldn't be given to it
	Problem string
	Open    bool
}

// postSeat renames the reader's own seat, or shows its link.
func postSeat(w http.ResponseWriter, r *http.Request, v *visit) error {
	menu, status := ownSeat{Open: true}, http.StatusOK
	if r.PostForm.Get(html.Own+"do") == "link" {
		menu.Link = v.s.linkOf(r, v.view.ID, v.secret())
		if door.HX(r) {
			v.s.Show(w, r, status, html.LinkAgain(v.Page, menu.Link))
			return nil
		}
		return showPage(w, r, status, v, extras{seat: menu})
	}
	menu.Name = r.PostForm.Get(html.Own + "name")
	entry, err := v.seat.RenameSeat(r.Context(), v.view.Seat, menu.Name, r.PostForm.Get(html.Own+"key"))
	if err == nil && door.HX(r) {
		done(w, r, v, entry.Seq, "")
		return nil
	}
	if err != nil {
		known := false
		if status, known = statusOf(err); !known {
			return err
		}
		menu.Problem = why(v.Speaker, err)
	}
	if door.HX(r) {
		v.s.Show(w, r, status, html.Unnamed(menu.Problem))
		return nil
	}
	return pageAgain(w, r, status, v, extras{seat: menu})
}
