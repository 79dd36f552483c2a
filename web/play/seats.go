package play

import (
	"net/http"

	"norn/game"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
	"norn/web/present"
)

// postSeats invites, renames, revokes and renews, and shows a game master's own link.
func postSeats(w http.ResponseWriter, r *http.Request, v *visit) error {
	id, key, name := r.PostForm.Get(html.Own+"seat"), r.PostForm.Get(html.Own+"key"), r.PostForm.Get(html.Own+"name")
	notes := present.DrawerNotes{Role: game.Player}
	secret := "" // of a link that was made
	invited := func(i view.Invitation, err error) error {
		if err != nil {
			return err
		}
		notes.Said.Invited, notes.Said.Name, secret = i.ID, i.Name, i.Secret
		if secret != "" {
			notes.Said.Link = v.s.linkOf(r, v.View.ID, secret)
		}
		return nil
	}
	var err error
	switch r.PostForm.Get(html.Own + "do") {
	case "invite":
		notes.Name, notes.Role = name, game.Role(r.PostForm.Get(html.Own+"role"))
		if err = invited(table.Do(r.Context(), v.seat, act.AddSeat, act.SeatRequest{Name: name, Role: string(notes.Role)}, key)); err == nil {
			notes.Name, notes.Role = "", game.Player
		}
	case "link": // the reader's own: others' aren't known
		me := v.Me()
		notes.Said.Own = true
		err = invited(view.Invitation{ID: me.ID, Role: me.Role, Name: me.Name, Secret: v.secret()}, nil)
	case "rename":
		_, err = table.Do(r.Context(), v.seat, act.RenameSeat, act.RenameRequest{Seat: id, Name: name}, key)
	case "revoke":
		_, err = table.Do(r.Context(), v.seat, act.RevokeSeat, act.SeatNamed{Seat: id}, key)
	case "renew":
		err = invited(table.Do(r.Context(), v.seat, act.RenewSeat, act.SeatNamed{Seat: id}, key))
		if err == nil && id == v.View.Seat && secret != "" {
			v.s.keepSeat(w, r, v.View.ID, door.Asked(r), secret)
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
			w.Header().Set(standsAt, html.SeqText(v.View.Told))
			return show(w, r, v, status, html.SeatsAgain(v.Page, notes.Said))
		}
		return showPage(w, r, status, v, present.Extras{Drawer: notes})
	}
	if secret != "" && id == v.View.Seat { // the link by which the reader came is good no longer
		return answer()
	}
	return v.looking(r, answer)
}

// postSeat renames the reader's own seat, or shows its link.
func postSeat(w http.ResponseWriter, r *http.Request, v *visit) error {
	menu, status := present.OwnSeat{Open: true}, http.StatusOK
	if r.PostForm.Get(html.Own+"do") == "link" {
		menu.Link = v.s.linkOf(r, v.View.ID, v.secret())
		return sendBack(w, r, v, status, html.LinkAgain(v.Page, menu.Link), present.Extras{Seat: menu})
	}
	menu.Name = r.PostForm.Get(html.Own + "name")
	entry, err := table.Do(r.Context(), v.seat, act.RenameSeat, act.RenameRequest{Seat: v.View.Seat, Name: menu.Name}, r.PostForm.Get(html.Own+"key"))
	if err == nil && door.HX(r) {
		return done(w, r, v, entry.Seq, "")
	}
	if err != nil {
		known := false
		if status, known = statusOf(err); !known {
			return err
		}
		menu.Problem = why(v.Speaker, err)
	}
	if door.HX(r) {
		return show(w, r, v, status, html.Unnamed(menu.Problem))
	}
	return pageAgain(w, r, status, v, present.Extras{Seat: menu})
}
