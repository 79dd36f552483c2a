package play

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"norn/form"
	"norn/game"
	"norn/table"
	"norn/web/door"
	"norn/web/html"
)

// drawerNotes is what the game master's drawer has to say after something was
// done in it.
type drawerNotes struct {
	Invitation *table.Invitation
	Link       string // of the invitation; "" where it can't be shown again
	Own        bool   // the link is the reader's own
	Name       string // of a seat that couldn't be added
	Role       game.Role
	Problem    string
	Settings   *html.Fields // settings that couldn't be taken
	Open       bool         // the drawer is what was asked for
}

var roles = []game.Role{game.Player, game.Spectator, game.Master}

// seats invites, renames, revokes and renews, and shows a game master's own link.
func (s *Server) seats(w http.ResponseWriter, r *http.Request, v *visit) error {
	id, key, name := r.PostForm.Get(html.Own+"seat"), r.PostForm.Get(html.Own+"key"), r.PostForm.Get(html.Own+"name")
	notes := drawerNotes{Open: true, Role: game.Player}
	invited := func(i table.Invitation, err error) error {
		if err != nil {
			return err
		}
		notes.Invitation = &i
		if i.Secret != "" {
			notes.Link = s.linkOf(r, v.view.ID, i.Secret)
		}
		return nil
	}
	var err error
	switch r.PostForm.Get(html.Own + "do") {
	case "invite":
		notes.Name, notes.Role = name, game.Role(r.PostForm.Get(html.Own+"role"))
		if err = invited(v.seat.AddSeat(r.Context(), table.NewSeatRequest{Name: name, Role: notes.Role, Key: key})); err == nil {
			notes.Name, notes.Role = "", game.Player
		}
	case "link": // the reader's own: others' aren't known
		me := v.me()
		notes.Own = true
		err = invited(table.Invitation{ID: me.ID, Role: me.Role, Name: me.Name, Secret: v.secret()}, nil)
	case "rename":
		_, err = v.seat.RenameSeat(r.Context(), id, name, key)
	case "revoke":
		_, err = v.seat.RevokeSeat(r.Context(), id, key)
	case "renew":
		err = invited(v.seat.RenewSeat(r.Context(), id, key))
		if err == nil && id == v.view.Seat && notes.Invitation.Secret != "" {
			s.keepSeat(w, r, v.view.ID, door.Asked(r), notes.Invitation.Secret)
		}
	default:
		err = &table.ForbiddenError{}
	}
	status := http.StatusOK
	if err != nil {
		known := false
		if status, known = statusOf(err); !known {
			return err
		}
		notes.Problem = refusal(v.Speaker, err)
	} else if notes.Invitation == nil || id != v.view.Seat {
		if err := v.look(r.Context()); err != nil {
			return err
		}
	}
	if door.HX(r) {
		w.Header().Set(standsAt, html.SeqText(v.view.Told))
		s.Show(w, r, status, v.seatsAgain(notes))
		return nil
	}
	return s.page(w, r, status, v, extras{drawer: notes})
}

// settingsForm is the form of the table's settings as they stand.
func (v *visit) settingsForm() html.Fields {
	f := v.voice.Game.Settings.Form
	return html.Fields{Form: f, ID: "settings", Values: f.Inputs(v.view.Settings), Voice: v.voice.Settings()}
}

// settings changes the table's settings.
func (s *Server) settings(w http.ResponseWriter, r *http.Request, v *visit) error {
	f := v.settingsForm()
	if name := r.PostForm.Get(html.Own + "reset"); name != "" {
		f.Values = usually(f, v.voice.Game.Settings.Default, name)
	} else {
		f.Values = html.Sent(r.PostForm)
	}
	data, err := readSettings(v.voice.Game, f.Values)
	var entry table.Entry
	if err == nil {
		entry, err = v.seat.Configure(r.Context(), data, r.PostForm.Get(html.Own+"key"))
	}
	if err != nil {
		status, known := statusOf(err)
		if !known {
			return err
		}
		problems, rest := split(err, "settings")
		f.Problems = f.Voice.ProblemsOf(f.Form, append(problems, rest...))
		if len(problems)+len(rest) == 0 {
			f.Problems[""] = v.sayError(err)
		}
		notes := drawerNotes{Open: true, Role: game.Player, Settings: &f}
		if door.HX(r) {
			s.Show(w, r, status, v.settingsAgain(notes))
			return nil
		}
		return s.page(w, r, status, v, extras{drawer: notes})
	}
	s.done(w, r, entry.Seq, v.link(v.at)+"#drawer", html.Toast(v.Say("web.settings.kept")))
	return nil
}

// usually are the values of a form with one field as it usually is.
func usually(f html.Fields, standard any, name string) url.Values {
	under := func(path string) bool {
		top, _, _ := strings.Cut(path, ".")
		return top == name
	}
	values := maps.Clone(f.Values)
	maps.DeleteFunc(values, func(path string, _ []string) bool { return under(path) })
	for path, texts := range f.Form.Inputs(standard) {
		if under(path) {
			values[path] = texts
		}
	}
	return values
}

// readSettings reads the form of a game's settings as JSON.
func readSettings(g *game.Game, values url.Values) (json.RawMessage, error) {
	settings := reflect.New(reflect.TypeOf(g.Settings.Default))
	if err := g.Settings.Form.Values(values, settings.Interface()); err != nil {
		if problems, ok := errors.AsType[form.Problems](err); ok {
			return nil, &table.InvalidError{Problems: problems}
		}
		return nil, err
	}
	return g.Settings.Form.JSON(settings.Elem().Interface()), nil
}
