package play

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/page"
	"norn/table"
	"norn/web/door"
	"norn/web/html"
	oddspages "norn/web/odds"
)

// composer is the form that makes a move.
type composer struct {
	Moves  []table.MoveShown
	Actors []table.CharacterShown
	Fields html.Fields
	Odds   oddspages.Chances
	Key    string
	Secret bool
	Hand   bool // faces are being typed in
	Dice   string
	Notes  []string // what is wrong with no field
	Wrong  string   // what is wrong with the faces
	About  string   // what a player is asked for
	Ask    bool     // that is being typed in
}

// openFields is how many of a move's fields lie open; the rest stand under
// "more", so that the composer stays low.
const openFields = 6

// compose makes the composer for the chosen character and move. values is nil
// for an untouched form.
func (v *visit) compose(ctx context.Context, values, before url.Values) (composer, error) {
	c := composer{Moves: v.moves(), Actors: v.actors(), Key: door.Random(16)}
	if v.at.Move == "" {
		return c, nil
	}
	f, err := v.seat.MoveForm(ctx, v.at.Move, v.acting(v.at.Actor))
	if _, known := statusOf(err); known { // the character went away at this very moment
		c.Moves = nil
		return c, nil
	}
	if err != nil {
		return c, err
	}
	if v.master() { // who sees all sheets assumes nothing
		f = f.Stated()
	}
	if values == nil {
		values = html.Offered(f)
	}
	values, _ = opened(f, values, before)
	c.Fields = html.Fields{Form: f, ID: "move", Values: values, Voice: v.voice, First: openFields}
	if call, ok := v.call(v.at.Call); ok {
		values = held(values, call)
		c.Fields.Form, c.Fields.Values = f.Without(call.Fixed...), values
	}
	c.Odds = v.chances(ctx, values)
	return c, nil
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
func (v *visit) actorGroups(actors []table.CharacterShown) []html.Group {
	var groups []html.Group
	for _, a := range actors {
		label := v.kindName(a.Kind)
		if n := len(groups); n == 0 || groups[n-1].Label != label {
			groups = append(groups, html.Group{Label: label})
		}
		last, said := &groups[len(groups)-1], a.Name
		if a.Out {
			said = html.Joined([]string{a.Name, a.State})
		}
		last.Options = append(last.Options, html.Option{Option: form.Option{Value: a.ID}, Label: said, On: a.ID == v.at.Actor})
	}
	return groups
}

// words say odds to the reader.
func (v *visit) words() oddspages.Words { return oddspages.Words{Voice: v.voice} }

// priced lets odds be worked out in a place of the seat's.
func (v *visit) priced(ctx context.Context, work func(context.Context) error) error {
	return v.s.Odds.Priced(ctx, v.from, "seat "+v.view.ID+" "+v.seat.ID(), work)
}

// chances asks for the odds of the chosen move with these values.
func (v *visit) chances(ctx context.Context, values url.Values) oddspages.Chances {
	return v.chancesFor(ctx, table.Request{Move: v.at.Move, Character: v.acting(v.at.Actor), Values: html.Sent(values)}, values)
}

// chancesFor asks for the odds of a request of the chosen move; values are
// those of the composer, nil for none.
func (v *visit) chancesFor(ctx context.Context, request table.Request, values url.Values) oddspages.Chances {
	i := indexMove(v.view.Moves, v.at.Move)
	if v.at.Move != game.PlainDice && (i < 0 || !v.view.Moves[i].Odds) {
		return oddspages.Chances{}
	}
	var before table.Before
	err := v.priced(ctx, func(ctx context.Context) (err error) {
		before, err = v.seat.Before(ctx, request)
		return err
	})
	if err != nil {
		return oddspages.Chances{Problem: v.unpriced(err)}
	}
	v.s.Counted(before.Odds)
	m, ok := v.voice.Game.Move(v.at.Move)
	var c oddspages.Chances
	if ok {
		c = v.words().Drawn(m, before.Odds)
	}
	c.Variants = v.compared(before)
	if values != nil {
		c.Public = v.publicLink(values)
	}
	if len(before.Assumed) > 0 {
		names := make([]string, len(before.Assumed))
		for i, id := range before.Assumed {
			names[i] = v.voice.Name(id)
		}
		c.Assumed = v.Say("web.odds.assumed", "Names", v.List(names))
	}
	if ok {
		if c.Course = v.course(m, before); len(c.Course) > 0 {
			c.Counts = v.words().Counts(m, before.Odds)
		}
	}
	for _, source := range before.Sources {
		name := source.Text
		if source.Word != "" {
			name = v.voice.Tell(source.Word, source.Data)
		}
		if source.N != 0 {
			name = v.Say("web.odds.source", "Name", name, "N", signed(source.N))
		}
		c.Sources = append(c.Sources, name)
	}
	if before.Pool != nil {
		c.Pool = make([]page.Die, min(before.Pool.N, mostEmpty))
		for i := range c.Pool {
			c.Pool[i].Sides = before.Pool.Sides
		}
		c.Number = v.diceName(*before.Pool)
	}
	return c
}

// unpriced says why there are no odds; what is wrong with a field, by the
// field's name.
func (v *visit) unpriced(err error) string {
	if text := oddspages.Hurried(v.Speaker, err); text != "" {
		return text
	}
	m, ok := v.voice.Game.Move(v.at.Move)
	if problems, _ := split(err, "args"); ok && len(problems) > 0 {
		if f, known := m.Form.Field(problems[0].Path); known && problems[0].Code == form.Missing {
			return v.Say("web.compose.first", "Field", v.voice.Field(f.Name)) // not yet is nothing wrong
		}
		return v.voice.Problem(m.Form, problems[0])
	}
	return v.sayError(err)
}

// compared are the other ways to make a move, each with what it changes.
func (v *visit) compared(before table.Before) []string {
	m, ok := v.voice.Game.Move(v.at.Move)
	if !ok || len(m.Headlines) == 0 {
		return nil
	}
	var lines []string
	for _, other := range before.Variants {
		if other.Step {
			continue
		}
		var heads []string
		for _, h := range m.Headlines {
			p := v.words().Percent(other.Odds.Any(h.Outcomes...))
			if plain := v.words().Percent(before.Odds.Any(h.Outcomes...)); plain != p {
				p = plain + " → " + p
			}
			heads = append(heads, v.Say(v.voice.Game.Word("headline", h.ID), "P", p))
		}
		lines = append(lines, v.Say("web.odds.variant", "Name", v.voice.Tell(other.Word, other.Data), "Chances", strings.Join(heads, " · ")))
	}
	return lines
}

// signed is a number with its sign: "+2", "−1".
func signed(n int) string {
	if n < 0 {
		return "−" + html.Itoa(-n)
	}
	return "+" + html.Itoa(n)
}

// mostEmpty is how many empty dice a pool is drawn with; the number beside
// them tells of the rest.
const mostEmpty = 20

// diceName names a pool as players write it: "3d10".
func (v *visit) diceName(p dice.Pool) string { return v.Number(p.N) + v.Speaker.Die(p.Sides) }

func indexMove(moves []table.MoveShown, id string) int {
	for i, m := range moves {
		if m.ID == id {
			return i
		}
	}
	return -1
}

// composer answers with the composer for another character or move.
func (s *Server) composer(w http.ResponseWriter, r *http.Request, v *visit) error {
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
		s.stands.drop(v, "")
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
	if offer, odds := v.stays(r.Context(), c, query); keep && offer {
		if odds {
			s.stands.note(v, c, query)
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
		s.Show(w, r, http.StatusOK, v.oddsPiece(c.Odds))
		return nil
	}
	s.Show(w, r, http.StatusOK, v.composerPiece(c, swap))
	return nil
}

// composerBox is the composer with the mark of what it offers, which the page sends back: what stays as it is isn't drawn again.
func (v *visit) composerBox(c composer) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := v.composerBody(c).Render(ctx, w); err != nil {
			return err
		}
		mark, err := markOf(ctx, v.unread().composerBody(c.untouched()))
		if err == nil {
			_, err = io.WriteString(w, `<input type="hidden" name="`+markOffer+`" form="composer-form" value="`+mark+`"/>`)
		}
		return err
	})
}

// oddsMarked are the odds with their mark.
func (v *visit) oddsMarked(c oddspages.Chances) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := v.words().Shown(c).Render(ctx, w); err != nil {
			return err
		}
		mark, err := markOf(ctx, v.words().Shown(c))
		if err == nil {
			_, err = io.WriteString(w, `<input type="hidden" name="`+markOdds+`" value="`+mark+`"/>`)
		}
		return err
	})
}

// The marks of what a page shows of the composer.
const (
	markOffer = html.Own + "offer"
	markOdds  = html.Own + "odds"
)

// untouched is the composer before anybody fills anything in.
func (c composer) untouched() composer {
	c = composer{Moves: c.Moves, Actors: c.Actors, Fields: c.Fields}
	c.Fields.Values, c.Fields.Problems = nil, nil
	if c.Fields.Form != nil {
		c.Fields.Values = html.Offered(c.Fields.Form)
	}
	return c
}

// unread is the visit without what the reader has chosen beside the composer, which stands in its links.
func (v *visit) unread() *visit {
	w := *v
	w.at = choice{Character: v.at.Character, Actor: v.at.Actor, Move: v.at.Move, Call: v.at.Call}
	return &w
}

// markOf is the same for all that looks the same, whatever keys it has.
func markOf(ctx context.Context, c templ.Component) (string, error) {
	var b bytes.Buffer
	if err := c.Render(ctx, &b); err != nil {
		return "", err
	}
	h := sha256.New()
	text := b.Bytes()
	for {
		before, after, more := bytes.Cut(text, keyed)
		_, _ = h.Write(before) // a hash takes everything
		if !more {
			return hex.EncodeToString(h.Sum(nil)[:12]), nil
		}
		_, text, _ = bytes.Cut(after, []byte{'>'})
	}
}

// keyed begins what is drawn anew each time.
var keyed = []byte(`name="_key"`)

// stays is what a page shows of the composer as it shall be, whose fields it has sent: all of it, or all but the odds.
func (v *visit) stays(ctx context.Context, c composer, sent url.Values) (offer, odds bool) {
	if sent.Get(markOffer) == "" || sent.Get(html.Own+"dice") != c.Dice || sent.Get(html.Own+"about") != c.About || len(c.Notes) > 0 {
		return false, false
	}
	mark, err := markOf(ctx, v.unread().composerBody(c.untouched()))
	if err != nil || mark != sent.Get(markOffer) {
		return false, false
	}
	mark, err = markOf(ctx, v.words().Shown(c.Odds))
	return true, err == nil && mark == sent.Get(markOdds)
}

// odds answers with the odds of what the composer holds. Without script that
// is the whole page again.
func (s *Server) odds(w http.ResponseWriter, r *http.Request, v *visit) error {
	values := html.Sent(r.URL.Query())
	if door.HX(r) {
		s.stands.drop(v, r.URL.Query().Get(markOffer))
		s.Show(w, r, http.StatusOK, oddsAgain(v, v.chances(r.Context(), values)))
		return nil
	}
	c, err := v.compose(r.Context(), values, r.URL.Query())
	if err != nil {
		return err
	}
	c.Secret = r.URL.Query().Has(html.Own + "secret")
	return s.page(w, r, http.StatusOK, v, extras{composer: &c})
}

// meant is which of the composer's buttons was meant. Enter presses the
// first, whatever field it's in. Script sees to those that have a button of
// their own, so what comes from it is a throw; without it faces that were typed
// are counted, what was written to a player is asked, and else nothing is made.
func meant(r *http.Request) string {
	switch by := r.PostForm.Get(html.Own + "by"); {
	case by != "enter":
		return by
	case door.HX(r):
		return "throw"
	case strings.TrimSpace(r.PostForm.Get(html.Own+"dice")) != "":
		return "hand"
	case strings.TrimSpace(r.PostForm.Get(html.Own+"about")) != "":
		return "call"
	}
	return "enter"
}

// move makes a move.
func (s *Server) move(w http.ResponseWriter, r *http.Request, v *visit) error {
	r.PostForm.Set(html.Own+"by", meant(r))
	if relisted, err := s.relisted(w, r, v); err != nil {
		return err
	} else if relisted {
		return nil
	}
	if r.PostForm.Get(html.Own+"by") == "call" {
		return s.ask(w, r, v)
	}
	byHand := r.PostForm.Get(html.Own+"by") == "hand"
	values := html.Sent(r.PostForm)
	taken := r.PostForm.Get(atCall)
	if call, ok := v.call(taken); ok {
		values = held(values, call)
	} else if taken == "" && v.at.Call != "" {
		again, err := v.seat.Used(r.Context(), r.PostForm.Get(html.Own+"key"))
		if err != nil {
			return err
		}
		if !again {
			return s.composedMeanwhile(w, r, v, "web.compose.called-meanwhile")
		}
	}
	if changed, err := v.changedMeanwhile(r); err != nil {
		return err
	} else if changed {
		return s.composedMeanwhile(w, r, v, "web.compose.changed-meanwhile")
	}
	request := table.Request{
		Move: r.PostForm.Get(atMove), Character: v.acting(r.PostForm.Get(atActor)), Values: values,
		Nonce: r.PostForm.Get(html.Own + "nonce"), Key: r.PostForm.Get(html.Own + "key"),
		Secret: v.master() && r.PostForm.Get(html.Own+"secret") != "",
	}
	var err error
	if byHand {
		request.ByHand = true
		request.Dice, err = typed(r.PostForm.Get(html.Own + "dice"))
	}
	var made table.Made
	if err == nil {
		made, err = v.seat.Make(r.Context(), request)
	}
	if err != nil {
		return s.moveRefused(w, r, v, err)
	}
	w.Header().Set("HX-Trigger", "made") // the composer stays as it is but for what was meant for one time (controls.js)
	s.done(w, r, made.Entry.Seq, v.link(v.at.tab("log"))+"#"+made.Entry.Move)
	return nil
}

// relisted shows the composer with an item more or less in a list, or only with
// the odds of what it holds, if that is what was asked for.
func (s *Server) relisted(w http.ResponseWriter, r *http.Request, v *visit) (bool, error) {
	if !r.PostForm.Has(html.AddItem) && !r.PostForm.Has(html.DropItem) && r.PostForm.Get(html.Own+"by") != "enter" {
		return false, nil
	}
	f, err := v.seat.MoveForm(r.Context(), v.at.Move, v.acting(v.at.Actor))
	if err != nil {
		return true, err
	}
	values, added, _ := html.Resized(f, r.PostForm, html.Sent(r.PostForm))
	c, err := v.compose(r.Context(), values, r.PostForm)
	if err != nil {
		return true, err
	}
	c.Fields.Added = added
	c.Key = r.PostForm.Get(html.Own + "key")
	c.Secret = r.PostForm.Get(html.Own+"secret") != ""
	c.Dice = r.PostForm.Get(html.Own + "dice")
	c.Hand = c.Dice != ""
	c.About = r.PostForm.Get(html.Own + "about")
	c.Ask = c.About != ""
	return true, s.composerAgain(w, r, http.StatusOK, v, c)
}

// moveRefused shows the composer again, with all that was typed and what is
// wrong with it.
func (s *Server) moveRefused(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	status, known := statusOf(err)
	if !known {
		return err
	}
	c, failed := v.compose(r.Context(), html.Sent(r.PostForm), r.PostForm)
	if failed != nil {
		return failed
	}
	c.Key = r.PostForm.Get(html.Own + "key")
	c.Secret = r.PostForm.Get(html.Own+"secret") != ""
	c.Hand = r.PostForm.Get(html.Own+"by") == "hand"
	c.Dice = r.PostForm.Get(html.Own + "dice")
	c.Ask, c.About = r.PostForm.Get(html.Own+"by") == "call", r.PostForm.Get(html.Own+"about")
	problems, rest := split(err, "args")
	c.Fields.Problems = v.voice.ProblemsOf(c.Fields.Form, problems)
	faces, rest := cut(rest, "dice")
	if len(faces) > 0 {
		c.Wrong = v.faces(faces[0])
		if of, err := typed(c.Dice); err == nil && faces[0].Later { // one more press, and the rest is asked for
			c.Dice = wanted(of, faces[0].Max)
		}
	}
	for _, p := range rest {
		c.Notes = append(c.Notes, v.voice.Problem(c.Fields.Form, p))
	}
	if len(problems)+len(faces)+len(rest) == 0 {
		c.Notes = append(c.Notes, v.sayError(err))
	}
	c.Odds.Said = slices.Contains(c.Notes, c.Odds.Problem)
	if _, reused := errors.AsType[*table.KeyReusedError](err); reused {
		c.Key = door.Random(16)
	}
	return s.composerAgain(w, r, status, v, c)
}

// changedMeanwhile tells that a new move comes from a composer that was made for other boxes than there are now.
func (v *visit) changedMeanwhile(r *http.Request) (bool, error) {
	if !r.PostForm.Has(html.Own + "nonce") { // it's no composer's
		return false, nil
	}
	f, err := v.seat.MoveForm(r.Context(), r.PostForm.Get(atMove), v.acting(r.PostForm.Get(atActor)))
	if _, known := statusOf(err); known {
		return false, nil // the move says so itself
	}
	if err != nil {
		return false, err
	}
	if call, ok := v.call(r.PostForm.Get(atCall)); ok {
		f = f.Without(call.Fixed...)
	}
	if _, changed := opened(f, html.Sent(r.PostForm), r.PostForm); !changed {
		return false, nil
	}
	again, err := v.seat.Used(r.Context(), r.PostForm.Get(html.Own+"key"))
	return !again, err
}

// composedMeanwhile shows the composer with what has come since the form was made, which the reader hasn't seen: what a game
// master has asked for, or set; a condition.
func (s *Server) composedMeanwhile(w http.ResponseWriter, r *http.Request, v *visit, word string) error {
	c, err := v.compose(r.Context(), html.Sent(r.PostForm), r.PostForm)
	if err != nil {
		return err
	}
	c.Secret = r.PostForm.Get(html.Own+"secret") != ""
	c.Hand, c.Dice = r.PostForm.Get(html.Own+"by") == "hand", r.PostForm.Get(html.Own+"dice")
	c.Notes = []string{v.Say(word)}
	return s.composerAgain(w, r, http.StatusConflict, v, c)
}

// composerAgain answers with the composer that has something to say.
func (s *Server) composerAgain(w http.ResponseWriter, r *http.Request, status int, v *visit, c composer) error {
	if door.HX(r) {
		s.Show(w, r, status, composerAgain(v, c))
		return nil
	}
	return s.page(w, r, status, v, extras{composer: &c})
}

// moveFields are the fields of the chosen move's form by their paths.
func (v *visit) moveFields() map[string]form.Field {
	all := map[string]form.Field{}
	if m, ok := v.voice.Game.Move(v.at.Move); ok {
		for path, f := range m.Form.All() {
			all[path] = f
		}
	}
	return all
}

// typed reads faces as people type them: "3 10 1" or "3, 10, 1".
func typed(text string) ([]int, error) {
	var holder struct {
		Faces form.Faces `json:"dice"`
	}
	err := facesForm.Values(url.Values{"dice": {text}}, &holder)
	if problems, ok := errors.AsType[form.Problems](err); ok {
		return nil, &table.InvalidError{Problems: problems}
	}
	return holder.Faces, err
}

// wanted are the first faces as people type them.
func wanted(faces []int, n int) string {
	texts := make([]string, min(n, len(faces)))
	for i := range texts {
		texts[i] = html.Itoa(faces[i])
	}
	return strings.Join(texts, " ")
}

var facesForm = form.Of[struct {
	Faces form.Faces `json:"dice"`
}]()

// faces words what is wrong with faces typed in.
func (v *visit) faces(p form.Problem) string {
	id, data := p.Word()
	data["Field"] = v.Say("web.compose.faces")
	return v.Say(id, data)
}

// split takes the problems of one part of a request apart from the rest; their
// paths lose the part's name.
func split(err error, part string) (own, rest form.Problems) {
	invalid, ok := errors.AsType[*table.InvalidError](err)
	if !ok {
		return nil, nil
	}
	return cut(invalid.Problems, part)
}

func cut(problems form.Problems, part string) (own, rest form.Problems) {
	for _, p := range problems {
		if path, ok := strings.CutPrefix(p.Path, part+"."); ok {
			p.Path = path
			own = append(own, p)
		} else if p.Path == part {
			p.Path = ""
			own = append(own, p)
		} else {
			rest = append(rest, p)
		}
	}
	return own, rest
}

// statusOf is the HTTP status of a refusal; not known is what is no refusal
// but a failure.
func statusOf(err error) (status int, known bool) {
	refusal, ok := errors.AsType[table.Refusal](err)
	if !ok {
		return 0, false
	}
	switch refusal.Code() {
	case table.CodeInvalid, table.CodeRefused, table.CodeTooMany:
		return http.StatusUnprocessableEntity, true
	case table.CodeForbidden:
		return http.StatusForbidden, true
	case table.CodeBusy, table.CodeAnswered, table.CodeKeyReused, table.CodeConflict, table.CodeLater:
		return http.StatusConflict, true
	}
	return 0, false
}

// sayError words a refusal for the reader.
func (v *visit) sayError(err error) string { return table.Say(v.voice.Voice, err) }
