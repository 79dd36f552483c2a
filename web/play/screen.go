package play

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"rsc.io/qr"

	"norn/form"
	"norn/game"
	"norn/page"
	"norn/table"
	"norn/web/html"
)

// screen is the game master's screen: all that stands in the drawer of the
// table's page, and the characters and questions that the page has elsewhere.
type screen struct {
	frame html.Frame
	*visit
	notes drawerNotes
}

// masterScreen is the screen as a page of its own.
func (s *Server) masterScreen(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !v.master() {
		s.Show(w, r, http.StatusForbidden, s.mastersOnly(v, r))
		return nil
	}
	return s.screen(w, r, http.StatusOK, v, drawerNotes{Role: game.Player})
}

func (s *Server) screen(w http.ResponseWriter, r *http.Request, status int, v *visit, notes drawerNotes) error {
	if err := v.behind(r.Context(), true, true); err != nil {
		return err
	}
	here := screen{frame: s.FrameOf(v.Reader, r, v.view.Name+" · "+v.Say("web.drawer.head"), v.view.Game), visit: v, notes: notes}
	here.frame.Path = v.to("/gm")
	s.Show(w, r, status, here.page())
	return nil
}

// secretsShown is how many of the newest secret moves the screen lists.
const secretsShown = 10

// behind reads what the screen shows besides the view: what was done in secret, and what this session came to.
func (v *visit) behind(ctx context.Context, secrets, session bool) (err error) {
	if v.master() && secrets {
		entries, err := v.seat.Secret(ctx, secretsShown)
		if err != nil {
			return err
		}
		v.secrets = v.cards(entries)
		slices.Reverse(v.secrets)
	}
	if v.master() && session {
		v.tallies, err = v.seat.Tally(ctx)
	}
	return err
}

// unplayed are the characters that nobody but the game master plays, or the
// things.
func (v *visit) unplayed(things bool) []table.CharacterShown {
	return slices.DeleteFunc(slices.Clone(v.view.Characters), func(c table.CharacterShown) bool {
		kind, _ := v.voice.Game.Kind(c.Kind)
		return kind.Thing != things || v.seatName(c.Owner) != ""
	})
}

// ready is the game's stock in the reader's language.
func (v *visit) ready() []game.Sample { return v.voice.Game.InStock(v.Speaker) }

// tallied says what somebody did in this session.
func (v *visit) tallied(t table.Tally) string {
	who := v.Say("web.screen.table")
	if t.Character != "" {
		who = v.voice.Name(t.Character)
	}
	parts := []string{v.Say("web.screen.moves", "N", t.Moves)}
	if t.Dice > 0 {
		parts = append(parts, v.Say("web.screen.dice", "N", t.Dice))
	}
	return who + ": " + strings.Join(parts, ", ")
}

// tones are how a session's throws of somebody came out, as a bar.
func (v *visit) tones(t table.Tally) []page.Bar {
	all := 0
	for n := range maps.Values(t.Tones) {
		all += n
	}
	var bars []page.Bar
	for _, tone := range []game.Tone{game.Triumph, game.Good, game.Mixed, game.Neutral, game.Bad, game.Disaster} {
		if n := t.Tones[tone]; n > 0 {
			bars = append(bars, page.Bar{
				Label: v.Say("web.tone." + string(tone)), Tone: string(tone), P: float64(n) / float64(all), Shown: v.Number(n), Exact: v.Number(n),
			})
		}
	}
	return bars
}

// houseRule is a setting that differs from the game's standard.
type houseRule struct{ Name, Label, Value, Usual string }

// houseRules are the settings that differ from the game's standard.
func (v *visit) houseRules() []houseRule {
	g, words := v.voice.Game, v.voice.Settings()
	now, usual := g.Settings.Form.Fill(v.view.Settings), g.Settings.Form.Fill(g.Settings.Default)
	var rules []houseRule
	for _, f := range g.Settings.Form.Fields {
		if !reflect.DeepEqual(now[f.Name], usual[f.Name]) {
			rules = append(rules, houseRule{f.Name, words.Field(f.Name), v.setting(f, now[f.Name]), v.setting(f, usual[f.Name])})
		}
	}
	return rules
}

// setting words the value of one setting.
func (v *visit) setting(f form.Field, value any) string {
	switch value := value.(type) {
	case bool:
		if value {
			return v.Say("web.settings.yes")
		}
		return v.Say("web.settings.no")
	case int:
		return v.Number(value)
	case string:
		for _, o := range f.Options {
			if o.Value == value {
				return v.voice.Option(f, o)
			}
		}
		if value != "" {
			return value
		}
	}
	return "…"
}

// stock puts a ready character into play, copies one, or takes one away.
func (s *Server) stock(w http.ResponseWriter, r *http.Request, v *visit) error {
	id, key := r.PostForm.Get(html.Own+"id"), r.PostForm.Get(html.Own+"key")
	var entry table.Entry
	var err error
	switch r.PostForm.Get(html.Own + "do") {
	case "copy":
		entry, err = v.seat.AddCharacter(r.Context(), table.NewCharacter{Like: id, Key: key})
	case "remove":
		entry, err = v.seat.RemoveCharacter(r.Context(), id, key)
	default:
		entry, err = v.seat.AddCharacter(r.Context(), table.NewCharacter{Stock: r.PostForm.Get(html.Own + "stock"), Key: key})
	}
	return s.mastered(w, r, v, entry, err)
}

// note keeps a note, or throws it away.
func (s *Server) note(w http.ResponseWriter, r *http.Request, v *visit) error {
	text := r.PostForm.Get(html.Own + "text")
	if r.PostForm.Get(html.Own+"do") == "drop" {
		text = ""
	}
	entry, err := v.seat.Note(r.Context(), r.PostForm.Get(html.Own+"id"), text, r.PostForm.Get(html.Own+"key"))
	return s.mastered(w, r, v, entry, err)
}

// withdraw takes back what a player was asked for.
func (s *Server) withdraw(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.Withdraw(r.Context(), r.PostForm.Get(html.Own+"call"), r.PostForm.Get(html.Own+"key"))
	return s.mastered(w, r, v, entry, err)
}

// mastered answers what was done on the game master's screen.
func (s *Server) mastered(w http.ResponseWriter, r *http.Request, v *visit, entry table.Entry, err error) error {
	if err != nil {
		return err
	}
	s.done(w, r, entry.Seq, v.to("/gm"))
	return nil
}

// star makes the chosen move a favourite of who acts, or no more.
func (s *Server) star(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.Star(r.Context(), v.at.Actor, v.at.Move, r.PostForm.Get(html.Own+"on") != "", r.PostForm.Get(html.Own+"key"))
	if err != nil {
		return err
	}
	s.done(w, r, entry.Seq, v.link(v.at)+"#composer")
	return nil
}

// starred tells whether a move is a favourite of who acts.
func (v *visit) starred(move string) bool {
	c, ok := v.character(v.at.Actor)
	return ok && slices.Contains(c.Starred, move)
}

// mayStar tells whether the chosen move is one that somebody makes.
func (v *visit) mayStar() bool { return v.acting(v.at.Actor) != "" }

// call finds an open call.
func (v *visit) call(id string) (table.CallShown, bool) {
	for _, c := range v.view.Calls {
		if c.ID == id {
			return c, true
		}
	}
	return table.CallShown{}, false
}

// called is where a call stands in the composer.
func (v *visit) called(c table.CallShown) choice {
	at := v.at.move(c.Move)
	at.Actor, at.Call = c.Character, c.ID
	return at
}

// calledFor are the calls to the characters that the reader plays.
func (v *visit) calledFor() []table.CallShown {
	return slices.DeleteFunc(slices.Clone(v.view.Calls), func(c table.CallShown) bool { return !v.owns(c.Character) })
}

// held puts what a call fixes over what was sent.
func held(values url.Values, c table.CallShown) url.Values {
	for name := range values {
		if top, _, _ := strings.Cut(name, "."); slices.Contains(c.Fixed, top) {
			values.Del(name)
		}
	}
	for name, texts := range c.Values {
		values[name] = texts
	}
	return values
}

// mayAsk names the player whom the game master may ask for the chosen move.
func (v *visit) mayAsk() string {
	m, ok := v.voice.Game.Move(v.at.Move)
	c, there := v.character(v.acting(v.at.Actor))
	if !ok || !there || !v.master() || m.GMOnly || c.Owner == "" || c.Mine {
		return ""
	}
	return v.seatName(c.Owner)
}

// ask asks a player for the move that stands in the composer.
func (s *Server) ask(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.Call(r.Context(), table.Call{
		Move: r.PostForm.Get(atMove), Character: v.acting(r.PostForm.Get(atActor)), Values: html.Sent(r.PostForm),
		Text: r.PostForm.Get(html.Own + "about"), Key: "call " + r.PostForm.Get(html.Own+"key"),
	})
	if err != nil {
		return s.moveRefused(w, r, v, err)
	}
	w.Header().Set("HX-Trigger", "asked")
	s.done(w, r, entry.Seq, v.link(v.at), html.Toast(v.Say("web.compose.asked", "Name", v.mayAsk())))
	return nil
}

// repeated are the choices and the values of a move that stands in the log, to
// be made again.
func (v *visit) repeated(ctx context.Context, seq uint64) (url.Values, bool) {
	if seq == 0 {
		return nil, false
	}
	entries, err := v.seat.Log(ctx, seq-1, 1)
	if err != nil || len(entries) == 0 || entries[0].Seq != seq || entries[0].Args == nil {
		return nil, false
	}
	e := entries[0]
	v.at = v.at.move(e.Name)
	if e.Character != "" {
		v.at.Actor = e.Character
	}
	v.settle()
	if v.at.Move != e.Name || e.Character != "" && v.at.Actor != e.Character {
		return nil, false
	}
	m, ok := v.voice.Game.Move(e.Name)
	if !ok {
		return nil, false
	}
	f, values := m.Form.For(form.AtTable), url.Values{}
	for _, field := range f.Fields {
		if field.Assumed { // no part of what was done
			html.Offer(values, []form.Field{field}, "")
		}
	}
	hold(values, f.Fields, e.Args, "")
	return v.staying(values), true
}

// hold gives what an entry's arguments are as the controls of a form hold them.
func hold(values url.Values, fs []form.Field, given map[string]any, prefix string) {
	for _, f := range fs {
		path := prefix + f.Name
		switch value := given[f.Name].(type) {
		case bool:
			if value {
				values.Set(path, "on")
			}
		case int:
			values.Set(path, html.Itoa(value))
		case string:
			values.Set(path, value)
		case form.Trait:
			values.Set(path, string(value))
		case []string:
			values[path] = value
		case []map[string]any:
			for i, item := range value {
				hold(values, f.Fields, item, path+"."+html.Itoa(i)+".")
			}
		case map[string]any:
			hold(values, f.Fields, value, path+".")
		}
	}
}

// staying are the values of a move that stay for the next one: not what was told,
// and not what is meant for one time.
func (v *visit) staying(values url.Values) url.Values {
	for path, field := range v.moveFields() {
		if field.Kind == form.KindProse || field.Once {
			values.Del(path)
		}
	}
	return values
}

// mayRepeat tells whether the reader could make a card's move again.
func (v *visit) mayRepeat(c card) bool {
	i := indexMove(v.view.Moves, c.Repeat)
	if c.Repeat == "" || i < 0 {
		return false
	}
	m := v.view.Moves[i]
	return c.Actor == "" && len(m.Characters) == 0 || slices.Contains(m.Characters, c.Actor)
}

// again is the address of the composer with a card's move in it.
func (v *visit) again(c card) string {
	query := url.Values{atAgain: {strconv.FormatUint(c.Seq, 10)}, atCharacter: {v.at.Character}}
	if c.Secret {
		query.Set(html.Own+"secret", "on")
	}
	return "?" + query.Encode()
}

// code draws a link as a QR code: one path of unit squares, and its size with a
// margin of four modules. A link too long for one gives none.
func code(link string) (path string, size int) {
	drawn, err := qr.Encode(link, qr.M)
	if err != nil {
		return "", 0
	}
	const margin = 4
	var b strings.Builder
	for y := range drawn.Size {
		for x := range drawn.Size {
			if drawn.Black(x, y) {
				b.WriteString("M" + html.Itoa(x+margin) + " " + html.Itoa(y+margin) + "h1v1h-1z")
			}
		}
	}
	return b.String(), drawn.Size + 2*margin
}
