package play

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"norn/game"
	"norn/lang"
	"norn/limit"
	"norn/odds"
	"norn/table"
	"norn/web/door"
	"norn/web/html"
)

// visit is one request by somebody who has a seat: what they see, in their
// language, and what they have chosen on the page.
type visit struct {
	html.Reader
	s     *Server
	seat  *table.Seat
	from  string // the address that asks
	view  *table.View
	voice html.Voice
	at    choice
	path  string    // of the page with its choices, to come back to
	base  string    // the address at which the seat is played
	held  []holding // all seats of the table that the browser holds, this one too

	secret func() string // of the seat; behind a function, so that printing a visit can't show it

	many    bool                       // what is drawn goes to all pages that see the same, by a stream
	forms   map[string]table.SheetForm // of sheets that will be drawn, where they're read beforehand
	secrets []card                     // what was done in secret, for a game master: see behind
	tallies []table.Tally              // what this session came to, likewise
}

// choice is what a reader has chosen on the table's page; it stands in the
// address, so that it needs no script.
type choice struct {
	Character string // whose sheet is shown
	Actor     string // who acts
	Move      string
	Tab       string
	Edit      bool
	Call      string     // the call that is taken up
	Part      table.Part // of the log
	Find      string     // what the log is searched for
	Entry     uint64     // that must be on the page
	Pages     int        // how much of the log is shown, in shownEntries
	Before    uint64     // only what began before this seq; 0 for all
}

var tabs = []string{"log", "sheet", "cast", "questions"}

// The parameters of choices.
const (
	atCharacter = html.Own + "c"
	atActor     = html.Own + "a"
	atMove      = html.Own + "m"
	atTab       = html.Own + "tab"
	atEdit      = html.Own + "edit"
	atPages     = html.Own + "log"
	atCall      = html.Own + "call"
	atAgain     = html.Own + "again" // the seq of a move to make again
	atPart      = html.Own + "part"
	atFind      = html.Own + "find"
	atEntry     = html.Own + "at"
	atBefore    = html.Own + "before"
	atCards     = html.Own + "cards" // only the log's cards again
)

// came marks the way from a seat's link to its table: who comes there without
// the cookie has a browser that keeps none.
const came = html.Own + "came"

// sit takes the seat that a secret opens, unless too many wrong ones came from
// the same address.
func (s *Server) sit(r *http.Request, id, secret string, l lang.Lang) (*table.Seat, error) {
	address, key := odds.Asker(r.RemoteAddr), limit.Seat(id, secret)
	if err := s.Limits.Knock(address, key); err != nil {
		return nil, err
	}
	seat, err := s.Host.Enter(r.Context(), id, secret, l)
	var missing *table.NotFoundError
	switch {
	case err == nil:
		s.Limits.Admitted(key)
	case errors.As(err, &missing):
		s.Limits.Missed(address)
	}
	return seat, err
}

// refuse answers to somebody who can't be seated, or comes too often.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if often := limit.As(err); often != nil {
		s.Often(w, r, often)
		return
	}
	var missing *table.NotFoundError
	var unreadable *table.UnreadableError
	switch {
	case r.Context().Err() != nil && errors.Is(err, context.Canceled):
		w.WriteHeader(door.StatusGone)
	case errors.As(err, &missing):
		s.NotFound(w, r)
	case errors.As(err, &unreadable):
		s.Log.ErrorContext(r.Context(), "table can't be read", "error", err)
		code := "damaged"
		if unreadable.Newer() {
			code = "newer"
		}
		s.Fail(w, r, http.StatusInternalServerError, code)
	case table.Unwritable(err): // the host logs outages
		s.Fail(w, r, http.StatusServiceUnavailable, "unwritable")
	default:
		s.Fail(w, r, http.StatusServiceUnavailable, "unavailable")
	}
}

// seated lets a handler run for who has a seat at the table.
func (s *Server) seated(next func(http.ResponseWriter, *http.Request, *visit) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store") // whatever it is: it's for this seat alone
		id := r.PathValue("table")
		read := s.ReaderOf(r)
		secret := door.Cookie(r, door.SeatCookie(id, door.Asked(r)))
		seat, err := s.sit(r, id, secret, read.Lang())
		if err == nil && door.Asked(r) != "" && door.Asked(r) != seat.ID() { // no cookie of ours
			err = &table.NotFoundError{}
		}
		if err == nil && r.Method == http.MethodPost {
			err = s.Limits.Write(limit.Seat(id, secret))
		}
		if _, missing := errors.AsType[*table.NotFoundError](err); missing {
			if to := s.elsewhere(r, id); to != "" {
				http.Redirect(w, r, to, http.StatusSeeOther)
				return
			}
			if secret == "" && r.URL.Query().Has(came) {
				s.Fail(w, r, http.StatusNotFound, "no-cookies") // whether there is such a table or not
				return
			}
		}
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		r = r.WithContext(table.Billed(r.Context(), func(bytes int) {
			s.Limits.Wrote(limit.Seat(id, secret), odds.Asker(r.RemoteAddr), bytes)
		}))
		if r.Method == http.MethodPost && !s.Parse(w, r) {
			return
		}
		v := &visit{
			Reader: read, s: s, seat: seat, from: odds.Asker(r.RemoteAddr), base: door.SeatAt(id, door.Asked(r)), secret: func() string { return secret },
		}
		v.Speaker = read.Of(seat.Game().ID)
		if err := v.look(r.Context()); err != nil {
			s.refuse(w, r, err)
			return
		}
		if v.held, err = holds(r, seat); err != nil {
			s.refuse(w, r, err)
			return
		}
		v.choose(r)
		if door.HX(r) {
			w.Header().Set(standsAt, html.SeqText(v.view.Told))
		}
		if err := next(w, r, v); err != nil {
			s.refused(w, r, v, err)
		}
	}
}

// refused answers with what a handler couldn't do: what a seat may not or can't is said on its page, to script as a short
// message.
func (s *Server) refused(w http.ResponseWriter, r *http.Request, v *visit, err error) {
	status, known := statusOf(err)
	switch {
	case !known:
		s.refuse(w, r, err)
	case door.HX(r):
		s.Show(w, r, status, html.Toast(v.sayError(err)))
	default:
		if failed := s.page(w, r, status, v, extras{note: v.sayError(err)}); failed != nil {
			s.refuse(w, r, failed)
		}
	}
}

// standsAt tells script the seq at which the table stands in an answer. What it has asked for it asks for again where its
// stream has told more; and where the stream hasn't told of a press, it opens that anew.
const standsAt = "Norn-Seq"

// done answers a press: script by the seq at which it is done, since a page changes by its stream alone, and with what is
// for its own form only; a page without script is led to where it shows.
func (s *Server) done(w http.ResponseWriter, r *http.Request, seq uint64, to string, own ...templ.Component) {
	if !door.HX(r) {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return
	}
	w.Header().Set(standsAt, html.SeqText(seq))
	if len(own) == 0 {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.Show(w, r, http.StatusOK, templ.Join(own...))
}

// within has f ask the seat at one revision.
func (v *visit) within(f func() error) func(*table.Seat) error {
	return func(at *table.Seat) error {
		seat := v.seat
		v.seat = at
		defer func() { v.seat = seat }()
		return f()
	}
}

// key is of a form that wasn't sent yet, "" where each page makes its own.
func (v *visit) key() string {
	if v.many {
		return ""
	}
	return door.Random(16)
}

// look takes a new view of the table.
func (v *visit) look(ctx context.Context) error {
	view, err := v.seat.View(ctx)
	if err != nil {
		return err
	}
	words, err := v.seat.Voice(ctx)
	if err != nil {
		return err
	}
	words.State = func(id string) (string, bool) {
		for _, c := range view.Characters {
			if c.ID == id {
				return c.State, c.Out
			}
		}
		return "", false
	}
	v.view, v.voice = view, html.Voice{Voice: words, Game: v.seat.Game(), Labels: "field"}
	return nil
}

// choose reads the reader's choices from the address or the form and fills in
// what wasn't chosen.
func (v *visit) choose(r *http.Request) {
	get := func(name string) string {
		if r.Form == nil {
			return r.URL.Query().Get(name)
		}
		return r.Form.Get(name)
	}
	v.at = choice{
		Character: get(atCharacter), Actor: get(atActor), Move: get(atMove),
		Call: get(atCall), Tab: get(atTab), Edit: get(atEdit) != "",
	}
	if n, err := strconv.Atoi(get(atPages)); err == nil {
		v.at.Pages = min(max(n, 0), mostPages)
	}
	if part := table.Part(get(atPart)); slices.Contains(parts, part) {
		v.at.Part = part
	}
	if find := strings.TrimSpace(get(atFind)); len(find) <= mostSought {
		v.at.Find = find
	}
	if seq, err := strconv.ParseUint(get(atEntry), 10, 64); err == nil {
		v.at.Entry = seq
	}
	if seq, err := strconv.ParseUint(get(atBefore), 10, 64); err == nil {
		v.at.Before = seq
	}
	if !slices.Contains(tabs, v.at.Tab) {
		v.at.Tab = tabs[0]
	}
	v.path = v.link(v.at)
	v.settle()
}

// settle fills in what wasn't chosen, or isn't there any more.
func (v *visit) settle() {
	if _, ok := v.character(v.at.Character); !ok {
		v.at.Character = ""
		for _, c := range v.view.Characters {
			if v.at.Character == "" || c.Mine && !v.owns(v.at.Character) {
				v.at.Character = c.ID
			}
		}
	}
	if _, ok := v.call(v.at.Call); !ok {
		v.at.Call = ""
		if calls := v.calledFor(); len(calls) > 0 && v.at.Move == "" && (v.at.Actor == "" || v.at.Actor == calls[0].Character) {
			v.at.Call = calls[0].ID
		}
	}
	if c, ok := v.call(v.at.Call); ok {
		v.at.Actor, v.at.Move = c.Character, c.Move
	}
	actors := v.actors()
	can := func(id string) bool {
		return slices.ContainsFunc(actors, func(c table.CharacterShown) bool { return c.ID == id })
	}
	if !can(v.at.Actor) {
		v.at.Actor = ""
		switch {
		case can(v.at.Character):
			v.at.Actor = v.at.Character
		case len(actors) > 0:
			v.at.Actor = actors[0].ID
		}
	}
	if moves := v.moves(); !slices.ContainsFunc(moves, func(m table.MoveShown) bool { return m.ID == v.at.Move }) {
		v.at.Move = ""
		if len(moves) > 0 {
			v.at.Move = moves[0].ID
		}
	}
	for _, c := range v.calledFor() { // who makes a move that was asked for takes that up
		if v.at.Call == "" && c.Character == v.at.Actor && c.Move == v.at.Move {
			v.at.Call = c.ID
		}
	}
}

func (v *visit) owns(id string) bool {
	c, ok := v.character(id)
	return ok && c.Mine
}

// character finds a character that the seat sees.
func (v *visit) character(id string) (table.CharacterShown, bool) {
	for _, c := range v.view.Characters {
		if c.ID == id {
			return c, true
		}
	}
	return table.CharacterShown{}, false
}

// actors are the characters with which the seat may make a move.
func (v *visit) actors() []table.CharacterShown {
	var actors []table.CharacterShown
	for _, c := range v.view.Characters {
		if slices.ContainsFunc(v.view.Moves, func(m table.MoveShown) bool { return slices.Contains(m.Characters, c.ID) }) {
			actors = append(actors, c)
		}
	}
	return v.byKind(actors)
}

// byKind sorts characters by what they are, in the game's order: heroes, their
// foes, and things last.
func (v *visit) byKind(all []table.CharacterShown) []table.CharacterShown {
	place := func(c table.CharacterShown) int {
		return slices.IndexFunc(v.voice.Game.Kinds, func(k game.Kind) bool { return k.ID == c.Kind })
	}
	slices.SortStableFunc(all, func(a, b table.CharacterShown) int { return cmp.Compare(place(a), place(b)) })
	return all
}

// moves are those that the acting character, or nobody in particular, may make.
func (v *visit) moves() []table.MoveShown {
	var moves []table.MoveShown
	for _, m := range v.view.Moves {
		if len(m.Characters) == 0 || slices.Contains(m.Characters, v.at.Actor) {
			moves = append(moves, m)
		}
	}
	slices.SortStableFunc(moves, func(a, b table.MoveShown) int { // favourites first
		switch x, y := v.starred(a.ID), v.starred(b.ID); {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	return moves
}

// acting is who makes the chosen move if somebody acts: "" for a move that
// nobody in particular makes.
func (v *visit) acting(actor string) string {
	if i := indexMove(v.view.Moves, v.at.Move); i >= 0 && len(v.view.Moves[i].Characters) == 0 {
		return ""
	}
	return actor
}

func (v *visit) master() bool { return v.view.Role == game.Master }

// to is an address of this table, as this seat.
func (v *visit) to(what string) string { return v.base + what }

// link is the address of the page with other choices.
func (v *visit) link(c choice) string { return v.to(c.query()) }

func (c choice) query() string {
	q := url.Values{}
	for name, value := range map[string]string{atCharacter: c.Character, atActor: c.Actor, atMove: c.Move, atCall: c.Call} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if c.Tab != "" && c.Tab != tabs[0] {
		q.Set(atTab, c.Tab)
	}
	if c.Edit {
		q.Set(atEdit, "1")
	}
	if c.Part != table.All {
		q.Set(atPart, string(c.Part))
	}
	if c.Find != "" {
		q.Set(atFind, c.Find)
	}
	if c.Entry > 0 {
		q.Set(atEntry, strconv.FormatUint(c.Entry, 10))
	}
	if c.Pages > 1 {
		q.Set(atPages, strconv.Itoa(c.Pages))
	}
	if c.Before > 0 {
		q.Set(atBefore, strconv.FormatUint(c.Before, 10))
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// cardsAgain is the address of the log's cards alone.
func (v *visit) cardsAgain() string {
	return v.to("?" + atCards + "=1&" + strings.TrimPrefix(v.at.query(), "?"))
}

// with is the same choices but for one.
func (c choice) character(id string) choice {
	c.Character, c.Edit = id, false
	c.Actor, c.Call = "", ""
	return c
}

func (c choice) tab(name string) choice {
	c.Tab = name
	return c
}

func (c choice) earlier() choice {
	c.Pages = max(c.Pages, 1) + 1
	return c
}

// further is the log before a seq, where a page can't show more or a search took long enough.
func (c choice) further(before uint64) choice {
	c.Before, c.Entry, c.Pages = before, 0, 0
	return c
}

// part is another part of the log, from its newest on; who looks for something
// there wants to see the log, and no sheet that is being changed.
func (c choice) part(p table.Part) choice {
	c.Part, c.Entry, c.Pages, c.Before, c.Tab, c.Edit = p, 0, 0, 0, tabs[0], false
	return c
}

// whole is the whole log.
func (c choice) whole() choice {
	c.Find = ""
	return c.part(table.All)
}

func (c choice) move(id string) choice {
	c.Move, c.Call = id, ""
	return c
}

// kindName is what a character's kind is called.
func (v *visit) kindName(kind string) string { return v.voice.Word("kind", kind) }

// seatName is a seat's name, "" for an unknown one.
func (v *visit) seatName(id string) string {
	for _, s := range v.view.Seats {
		if s.ID == id {
			return s.Name
		}
	}
	return ""
}

// whom names who must answer a question.
func (v *visit) whom(to string) string {
	if to == game.GM {
		return v.Say("web.question.gm")
	}
	return v.voice.Name(to)
}

// mine is how much waits for this seat: open questions, and moves that it was asked for.
func (v *visit) mine() int {
	n := len(v.calledFor())
	for _, q := range v.view.Questions {
		if q.Mine {
			n++
		}
	}
	return n
}

// hidden are the choices as a form keeps them, in one order, but for the search
// itself.
func (c choice) hidden() []kept {
	c.Find = ""
	query, _ := url.ParseQuery(strings.TrimPrefix(c.query(), "?")) // it's our own
	var all []kept
	for _, name := range slices.Sorted(maps.Keys(query)) {
		all = append(all, kept{name, query.Get(name)})
	}
	return all
}

// kept is one choice in a form.
type kept struct{ Name, Value string }
