package play

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"norn/game"
	"norn/page"
	"norn/table/request"
	"norn/table/view"
	"norn/web/html"
)

// drawerNotes is what the game master's drawer has to say after something was
// done in it.
type drawerNotes struct {
	Said     html.SeatsSaid
	Name     string // of a seat that couldn't be added
	Role     game.Role
	Settings *html.Fields // settings that couldn't be taken
}

// drawerOf is all that only a game master does.
func drawerOf(l *look, notes drawerNotes) html.Drawer {
	return html.Drawer{
		Calls: callsOpen(l), Stock: stockOf(l), Notes: notesOf(l), Secrets: secretMoves(l), Session: sessionNow(l),
		Settings: settingsOf(l, notes.Settings), Seats: seatsOf(l, notes),
	}
}

// getScreen is the screen as a page of its own.
func getScreen(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !v.master() {
		v.s.Show(w, r, http.StatusForbidden, html.MastersOnly(v.s.FrameOf(v.Reader, r, v.Say("web.screen.masters"), v.view.Game), v.Page))
		return nil
	}
	if err := v.behind(r.Context(), true, true); err != nil {
		return err
	}
	f := v.s.FrameOf(v.Reader, r, v.view.Name+" · "+v.Say("web.drawer.head"), v.view.Game)
	f.Path = v.To("/gm")
	l := &v.look
	v.s.Show(w, r, http.StatusOK, html.ScreenPage(f, v.Page, html.Screen{
		Seat: l.view.Seat, Name: l.view.Name, Told: l.view.Told, Online: onlineOf(l), Everyone: castOf(l), Questions: allQuestions(l), Drawer: drawerOf(l, drawerNotes{Role: game.Player}),
	}))
	return nil
}

// secretsShown is how many of the newest secret moves the screen lists.
const secretsShown = 10

// behind reads what the screen shows besides the view: what was done in secret, and what this session came to.
func (v *visit) behind(ctx context.Context, secrets, session bool) (err error) {
	if v.master() && secrets {
		entries, err := v.now.Secret(ctx, secretsShown)
		if err != nil {
			return err
		}
		v.secrets = cardsOf(&v.look, entries)
		slices.Reverse(v.secrets)
	}
	if v.master() && session {
		v.tallies, err = v.now.Tally(ctx)
	}
	return err
}

// allQuestions are the open questions of everybody.
func allQuestions(l *look) []html.AskedOf {
	var all []html.AskedOf
	for _, q := range l.view.Questions {
		all = append(all, html.AskedOf{Who: l.voice.Name(q.Character), Move: l.voice.Word("move", q.Name), Question: questionOf(l, q, nil)})
	}
	return all
}

// stockOf is the game's stock, and the characters that nobody but the game master plays, things apart.
func stockOf(l *look) html.Stock {
	var s html.Stock
	for _, one := range l.voice.Game.InStock(l.Speaker) {
		s.Ready = append(s.Ready, option(one.ID, one.Name, false))
	}
	for i, c := range castOf(l) {
		shown := l.view.Characters[i]
		if l.seatName(shown.Owner) != "" {
			continue
		}
		if kind, _ := l.voice.Game.Kind(shown.Kind); kind.Thing {
			s.Things = append(s.Things, c)
		} else {
			s.People = append(s.People, c)
		}
	}
	return s
}

// notesOf are the game master's notes.
func notesOf(l *look) []html.Note {
	var all []html.Note
	for _, n := range l.view.Notes {
		all = append(all, html.Note{ID: n.ID, Text: n.Text, Time: n.Time})
	}
	return all
}

// secretMoves are the newest that were made in secret.
func secretMoves(l *look) []html.SecretMove {
	var all []html.SecretMove
	for _, c := range l.secrets {
		m := html.SecretMove{Move: c.Move, Link: cardLink(l, c), Who: c.Who, Name: c.Name, When: c.When}
		if c.Outcome != nil {
			m.Outcome = outcome(c.Outcome)
		}
		all = append(all, m)
	}
	return all
}

// sessionNow is the session of dice that lasts.
func sessionNow(l *look) html.SessionNow {
	return html.SessionNow{N: l.view.Session.N, Began: l.view.Session.Began, Tallies: talliesOf(l)}
}

// talliesOf say what everybody did in it.
func talliesOf(l *look) []html.Tally {
	var all []html.Tally
	for _, t := range l.tallies {
		all = append(all, html.Tally{Said: tallied(l, t), Bars: tones(l, t)})
	}
	return all
}

// tallied says what somebody did in this session.
func tallied(l *look, t view.Tally) string {
	who := l.Say("web.screen.table")
	if t.Character != "" {
		who = l.voice.Name(t.Character)
	}
	parts := []string{l.Say("web.screen.moves", "N", t.Moves)}
	if t.Dice > 0 {
		parts = append(parts, l.Say("web.screen.dice", "N", t.Dice))
	}
	return who + ": " + strings.Join(parts, ", ")
}

// tones are how a session's throws of somebody came out, as a bar.
func tones(l *look, t view.Tally) []page.Bar {
	all := 0
	for n := range maps.Values(t.Tones) {
		all += n
	}
	var bars []page.Bar
	for _, tone := range []game.Tone{game.Triumph, game.Good, game.Mixed, game.Neutral, game.Bad, game.Disaster} {
		if n := t.Tones[tone]; n > 0 {
			bars = append(bars, page.Bar{
				Label: l.Say("web.tone." + string(tone)), Tone: string(tone), P: float64(n) / float64(all), Shown: l.Number(n), Exact: l.Number(n),
			})
		}
	}
	return bars
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
