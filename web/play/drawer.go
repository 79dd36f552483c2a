package play

import (
	"context"
	"net/http"
	"slices"

	"norn/game"
	"norn/table/request"
	"norn/table/view"
	"norn/web/html"
	"norn/web/present"
)

// getScreen is the screen as a page of its own.
func getScreen(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !v.Master() {
		v.s.Show(w, r, http.StatusForbidden, html.MastersOnly(v.s.FrameOf(v.Reader, r, v.Say("web.screen.masters"), v.View.Game), v.Page))
		return nil
	}
	if err := v.behind(r.Context(), true, true); err != nil {
		return err
	}
	f := v.s.FrameOf(v.Reader, r, v.View.Name+" · "+v.Say("web.drawer.head"), v.View.Game)
	f.Path = v.To("/gm")
	l := &v.Look
	v.s.Show(w, r, http.StatusOK, html.ScreenPage(f, v.Page, html.Screen{
		Seat: l.View.Seat, Name: l.View.Name, Told: l.View.Told, Online: present.Online(l), Everyone: present.Cast(l), Questions: present.Questions(l), Drawer: present.Drawer(l, present.DrawerNotes{Role: game.Player}),
	}))
	return nil
}

// secretsShown is how many of the newest secret moves the screen lists.
const secretsShown = 10

// behind reads what the screen shows besides the view: what was done in secret, and what this session came to.
func (v *visit) behind(ctx context.Context, secrets, session bool) (err error) {
	if v.Master() && secrets {
		entries, err := v.now.Secret(ctx, secretsShown)
		if err != nil {
			return err
		}
		v.Secrets = present.Cards(&v.Look, entries)
		slices.Reverse(v.Secrets)
	}
	if v.Master() && session {
		v.Tallies, err = v.now.Tally(ctx)
	}
	return err
}

// postStock puts a ready character into play, copies one, or takes one away.
func postStock(w http.ResponseWriter, r *http.Request, v *visit) error {
	id, key := r.PostForm.Get(html.Own+"id"), r.PostForm.Get(html.Own+"key")
	var entry view.Entry
	var err error
	switch r.PostForm.Get(html.Own + "do") {
	case "copy":
		entry, err = v.seat.AddCharacter(r.Context(), request.NewCharacter{Like: id, Key: key})
	case "remove":
		entry, err = v.seat.RemoveCharacter(r.Context(), id, key)
	default:
		entry, err = v.seat.AddCharacter(r.Context(), request.NewCharacter{Stock: r.PostForm.Get(html.Own + "stock"), Key: key})
	}
	return mastered(w, r, v, entry, err)
}

// postNote keeps a note, or throws it away.
func postNote(w http.ResponseWriter, r *http.Request, v *visit) error {
	text := r.PostForm.Get(html.Own + "text")
	if r.PostForm.Get(html.Own+"do") == "drop" {
		text = ""
	}
	entry, err := v.seat.Note(r.Context(), r.PostForm.Get(html.Own+"id"), text, r.PostForm.Get(html.Own+"key"))
	return mastered(w, r, v, entry, err)
}

// mastered answers what was done on the game master's screen.
func mastered(w http.ResponseWriter, r *http.Request, v *visit, entry view.Entry, err error) error {
	if err != nil {
		return err
	}
	done(w, r, v, entry.Seq, v.To("/gm"))
	return nil
}
