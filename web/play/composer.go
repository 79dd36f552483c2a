package play

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/chat"
	"norn/form"
	"norn/game"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
)

// openFields is how many of a move's fields lie open; the rest stand under
// "more", so that the composer stays low.
const openFields = 6

// compose makes the composer for the chosen character and move. values is nil
// for an untouched form.
func (v *visit) compose(ctx context.Context, values, before url.Values) (html.Composer, error) {
	l := &v.look
	c := html.Composer{
		Moves: moveLinks(l), Actor: l.at.Actor, Shown: l.at.Character, Move: l.at.Move, Master: l.master(), Player: mayAsk(l),
		Star: html.Star{May: l.acting(l.at.Actor) != "", Is: l.starred(l.at.Move)}, Plain: plainCommand(l), Key: html.NewKey(),
	}
	if actors := l.actors(); len(actors) > 1 {
		c.Actors = actorGroups(l, actors)
	} else if actor, ok := l.character(l.at.Actor); ok {
		c.Who = actor.Name
	}
	var f *form.Form
	if l.at.Move != "" {
		var err error
		f, err = v.now.MoveForm(ctx, l.at.Move, l.acting(l.at.Actor))
		if _, known := statusOf(err); known { // nobody may make it any more
			c.Moves = nil
		} else if err != nil {
			return c, err
		}
	}
	nobody(l, &c)
	if len(c.Moves) == 0 || f == nil {
		return c, nil
	}
	if l.master() { // who sees all sheets assumes nothing
		f = f.Stated()
	}
	if values == nil {
		values = html.Offered(f)
	}
	values, _ = opened(f, values, before)
	c.Fields = html.Fields{Form: f, ID: "move", Values: values, Voice: l.voice, First: openFields}
	if call, ok := l.call(l.at.Call); ok {
		values = held(values, call)
		c.Fields.Form, c.Fields.Values, c.Call = f.Without(call.Fixed...), values, takenOf(l, call)
	}
	c.Odds = v.chances(ctx, values)
	return c, nil
}

// nobody says why there is nothing to do, and where somebody is added who could.
func nobody(l *look, c *html.Composer) {
	switch {
	case len(c.Moves) > 0:
		if l.master() && len(l.view.Characters) == 0 {
			c.Nobody = l.Say("web.compose.nobody")
		}
	case l.view.Role == game.Spectator:
		c.Nobody = l.Say("web.compose.spectator")
	case l.view.Role == game.Player:
		c.Nobody, c.Adding = l.Say("web.compose.no-character"), l.link(l.at.tab("cast"))+"#add-name"
	default:
		c.Nobody, c.Adding = l.Say("web.compose.nobody"), l.link(l.at.tab("cast"))+"#add-name"
	}
}

// moveLinks are the moves to choose from.
func moveLinks(l *look) []html.MoveLink {
	var links []html.MoveLink
	for _, m := range l.moves() {
		at := l.at.move(m.ID)
		link := html.MoveLink{ID: m.ID, Name: m.Name, Starred: l.starred(m.ID), Chosen: m.ID == l.at.Move, Link: l.link(at) + "#composer", Pick: l.To("/move" + at.query())}
		if word := l.voice.Game.Word("move-about", m.ID); l.Has(word) {
			link.About = l.Say(word)
		}
		links = append(links, link)
	}
	return links
}

// plainCommand begins a throw of plain dice in the line.
func plainCommand(l *look) string {
	return "/" + strings.Fields(l.Say("chat.verb." + string(chat.Roll)))[0] + " "
}

// takenOf is a call as the composer takes it up.
func takenOf(l *look, call view.CallShown) *html.Taken {
	t := html.Taken{ID: call.ID, Who: l.voice.Name(call.Character), Name: call.Name, Said: call.Said, Text: call.Text}
	for _, name := range slices.Sorted(maps.Keys(call.Values)) {
		for _, text := range call.Values[name] {
			t.Values = append(t.Values, html.Hidden{Name: name, Value: text})
		}
	}
	return &t
}

// opened ticks what a form ticks when it opens, but for the boxes that who filled in the form before has seen. changed
// tells that there is such a box, or that one is gone.
func opened(f *form.Form, values, before url.Values) (ticks url.Values, changed bool) {
	for path, field := range f.All() {
		usual, some := field.Default.([]string)
		if field.Kind != form.KindRefs || !some && !before.Has(html.Ticked+path) {
			continue
		}
		seen, now := strings.Fields(before.Get(html.Ticked+path)), html.Marks(field)
		if slices.Equal(seen, now) {
			continue
		}
		if !changed {
			values, changed = maps.Clone(values), true
		}
		var chosen []string
		for i, o := range field.Options {
			from := values[path]
			if !slices.Contains(seen, now[i]) {
				from = usual
			}
			if slices.Contains(from, o.Value) {
				chosen = append(chosen, o.Value)
			}
		}
		values[path] = chosen
	}
	return values, changed
}

// actorGroups are those who can act, by what they are; of who is out of it, with
// the reason.
func actorGroups(l *look, actors []view.CharacterShown) []html.Group {
	var groups []html.Group
	for _, a := range actors {
		label := l.voice.Word("kind", a.Kind)
		if n := len(groups); n == 0 || groups[n-1].Label != label {
			groups = append(groups, html.Group{Label: label})
		}
		last, said := &groups[len(groups)-1], a.Name
		if a.Out {
			said = html.Joined([]string{a.Name, a.State})
		}
		last.Options = append(last.Options, option(a.ID, said, a.ID == l.at.Actor))
	}
	return groups
}

// mayAsk names the player whom the game master may ask for the chosen move.
func mayAsk(l *look) string {
	m, ok := l.rule()
	c, there := l.character(l.acting(l.at.Actor))
	if !ok || !there || !l.master() || m.GMOnly || c.Owner == "" || c.Mine {
		return ""
	}
	return l.seatName(c.Owner)
}

// held puts what a call fixes over what was sent.
func held(values url.Values, c view.CallShown) url.Values {
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

// stays is what a page shows of the composer as it shall be, whose fields it has sent: all of it, or all but the odds.
func stays(ctx context.Context, p html.Page, c html.Composer, sent url.Values) (offer, odds bool) {
	if sent.Get(html.MarkOffer) == "" || sent.Get(html.Own+"dice") != c.Dice || sent.Get(html.Own+"about") != c.About || len(c.Notes) > 0 {
		return false, false
	}
	mark, err := html.OfferMark(ctx, p, c)
	if err != nil || mark != sent.Get(html.MarkOffer) {
		return false, false
	}
	mark, err = html.OddsMark(ctx, p, c.Odds)
	return true, err == nil && mark == sent.Get(html.MarkOdds)
}

// repeated are the choices and the values of a move that stands in the log, to
// be made again.
func (v *visit) repeated(ctx context.Context, seq uint64) (url.Values, bool) {
	if seq == 0 {
		return nil, false
	}
	entries, err := v.now.Log(ctx, seq-1, 1)
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
	return staying(m, values), true
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
func staying(m *game.Move, values url.Values) url.Values {
	for path, field := range m.Form.All() {
		if field.Kind == form.KindProse || field.Once {
			values.Del(path)
		}
	}
	return values
}

// getComposer answers with the composer for another character or move.
func getComposer(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !door.HX(r) {
		http.Redirect(w, r, v.link(v.at)+"#composer", http.StatusSeeOther)
		return nil
	}
	var values url.Values
	query := r.URL.Query()
	keep := query.Has(html.Own + "keep") // what was filled in stays
	if keep {
		values = html.Sent(query)
	} else {
		v.s.stands.drop(v, "")
	}
	if seq, err := strconv.ParseUint(query.Get(atAgain), 10, 64); err == nil {
		values, _ = v.repeated(r.Context(), seq)
	}
	c, err := v.compose(r.Context(), values, query)
	if err != nil {
		return err
	}
	c.Secret = query.Has(html.Own + "secret")
	if keep {
		c.Dice = query.Get(html.Own + "dice")
		c.Hand = c.Dice != ""
	}
	swap := "innerHTML"
	if keep && v.at.Actor == query.Get(atActor) && v.at.Move == query.Get(atMove) {
		swap = "innerMorph"
	}
	if offer, odds := stays(r.Context(), v.Page, c, query); keep && offer {
		if odds {
			v.s.stands.note(v, c, query)
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
		v.s.Show(w, r, http.StatusOK, html.OddsPiece(v.Page, c.Odds))
		return nil
	}
	v.s.Show(w, r, http.StatusOK, html.ComposerPiece(v.Page, c, swap))
	return nil
}
