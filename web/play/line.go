package play

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf16"

	"norn/bare"
	"norn/chat"
	"norn/form"
	"norn/game"
	"norn/table"
	"norn/web/door"
	"norn/web/html"
	oddspages "norn/web/odds"
)

// writing is the line of talk and commands under the log.
type writing struct {
	Text string
	As   string // a character's id, asGM, or "" for the seat itself
	Key  string
	Note lineNote
}

// lineNote is what the line has to say to who wrote in it.
type lineNote struct {
	Problem string
	Texts   []string
	Odds    *oddspages.Chances
	Terms   []term // of the help
}

// term is a command with what it does.
type term struct{ Name, About string }

// asGM speaks to game masters only.
const asGM = "gm"

// book is what the reader can say at this table now.
func (v *visit) book(ctx context.Context) *chat.Book {
	b := &chat.Book{Words: v.s.Words, Lang: v.Lang(), Game: v.voice.Game}
	nobody := map[string]bool{} // moves that nobody in particular makes
	for _, m := range v.view.Moves {
		b.Moves = append(b.Moves, m.ID)
		nobody[m.ID] = len(m.Characters) == 0
	}
	for _, c := range v.voices() {
		b.Actors = append(b.Actors, chat.Person{ID: c.ID, Name: c.Name})
	}
	b.Actor = func(move string) string {
		if i := indexMove(v.view.Moves, move); i >= 0 && !nobody[move] {
			makers := v.view.Moves[i].Characters
			for _, id := range makers {
				if id == v.at.Actor {
					return id
				}
			}
			return makers[0]
		}
		return ""
	}
	b.Form = func(at chat.Spot) *form.Form {
		f, err := v.seat.MoveForm(ctx, at.Move, at.Actor)
		if err != nil {
			return nil
		}
		return f
	}
	for _, q := range v.view.Questions {
		if q.Mine {
			b.Asked = append(b.Asked, chat.Question{ID: q.ID, Move: q.Name, Text: strings.TrimSpace(q.Text + " " + q.AboutText), Form: q.Form})
		}
	}
	return b
}

// voices are the characters that the reader may speak for.
func (v *visit) voices() []table.CharacterShown {
	if v.view.Role == game.Spectator {
		return nil
	}
	var speakers []table.CharacterShown
	for _, c := range v.view.Characters {
		if v.master() || c.Mine {
			speakers = append(speakers, c)
		}
	}
	return v.byKind(speakers)
}

// say does what the line says. A spectator has none.
func (s *Server) say(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.view.Role == game.Spectator {
		return &table.ForbiddenError{}
	}
	l := writing{Text: r.PostForm.Get(html.Own + "line"), As: r.PostForm.Get(html.Own + "as"), Key: r.PostForm.Get(html.Own + "key")}
	if strings.TrimSpace(l.Text) == "" {
		return s.lineAnswer(w, r, v, http.StatusOK, l)
	}
	c, err := v.book(r.Context()).Read(l.Text)
	if err != nil {
		return s.lineRefused(w, r, v, l, c, err)
	}
	var seq uint64
	var id string
	switch c.Verb {
	case chat.Odds:
		at := *v
		at.at.Move, at.at.Actor = c.Move, c.Actor
		odds := at.chancesOf(r.Context(), c)
		l.Note = lineNote{Texts: v.understood(c), Odds: &odds}
		return s.lineAnswer(w, r, v, http.StatusOK, l)
	case chat.Help:
		if door.HX(r) {
			w.Header().Set("HX-Trigger", "said") // what was asked for is there: the line is free again
		}
		l.Note.Terms, l.Key = v.help(r.Context()), door.Random(16)
		return s.lineAnswer(w, r, v, http.StatusOK, l)
	case chat.Say, chat.Tell:
		said := table.Talk{Text: c.Text, Character: c.Actor, ToGM: c.Verb == chat.Tell || l.As == asGM, Key: l.Key}
		if said.Character == "" && l.As != asGM {
			said.Character = l.As
		}
		var e table.Entry
		e, err = v.seat.Talk(r.Context(), said)
		seq, id = e.Seq, "e"+html.SeqText(e.Seq)
	case chat.Make:
		var made table.Made
		made, err = v.seat.Make(r.Context(), table.Request{
			Move: c.Move, Character: c.Actor, Args: c.Args, Key: l.Key, Nonce: r.PostForm.Get(html.Own + "nonce"), Secret: v.master() && l.As == asGM,
		})
		seq, id = made.Entry.Seq, made.Entry.Move
	case chat.Answer:
		var made table.Made
		made, err = v.seat.Answer(r.Context(), table.Reply{Question: c.Asked, Answer: c.Args, Key: l.Key})
		seq, id = made.Entry.Seq, made.Entry.Move
	case chat.Undo:
		seq, id, err = v.undoNewest(r.Context(), l.Key)
	}
	if err != nil {
		return s.lineRefused(w, r, v, l, c, err)
	}
	w.Header().Set("HX-Trigger", "said") // script empties the line
	done := writing{As: l.As, Key: door.Random(16)}
	if c.Verb == chat.Make || c.Verb == chat.Answer {
		done.Note.Texts = v.understood(c)
	}
	s.done(w, r, seq, v.link(v.at.tab("log"))+"#"+id, v.lineNews(done))
	return nil
}

// understood says what a command was taken for.
func (v *visit) understood(c chat.Command) []string {
	var texts []string
	if c.Move != "" {
		name := v.voice.Word("move", c.Move)
		if c.Actor != "" {
			name = v.voice.Name(c.Actor) + ": " + name
		}
		texts = append(texts, name)
	}
	return append(texts, c.Given...)
}

// chancesOf are the odds of the move that a command names.
func (v *visit) chancesOf(ctx context.Context, c chat.Command) oddspages.Chances {
	return v.chancesFor(ctx, table.Request{Move: c.Move, Character: c.Actor, Args: c.Args}, nil)
}

// undoNewest takes back the newest entry that the reader may take back.
func (v *visit) undoNewest(ctx context.Context, key string) (seq uint64, id string, err error) {
	entries, err := v.seat.Last(ctx, shownEntries)
	if err != nil {
		return 0, "", err
	}
	for i := len(entries) - 1; i >= 0; i-- {
		e := entries[i]
		if !e.MayUndo {
			continue
		}
		undone, err := v.seat.Undo(ctx, e.Seq, key)
		if err != nil {
			return 0, "", err
		}
		return undone.Seq, cmp.Or(e.Move, "e"+html.SeqText(e.Seq)), nil
	}
	return 0, "", errNothingToUndo
}

var errNothingToUndo = errors.New("nothing can be undone")

// help lists what can be said.
func (v *visit) help(ctx context.Context) []term {
	var terms []term
	terms = append(terms,
		term{"/" + v.Say("web.line.example"), v.Say("web.line.example-what")},
		term{"@" + v.Say("web.line.name"), v.Say("web.line.as-what")})
	for _, s := range v.book(ctx).Help() {
		terms = append(terms, term{s.Label, s.About})
	}
	return terms
}

// lineRefused gives the line back as it was, with what is wrong with it.
func (s *Server) lineRefused(w http.ResponseWriter, r *http.Request, v *visit, l writing, c chat.Command, err error) error {
	status := http.StatusUnprocessableEntity
	wrong, unread := errors.AsType[*chat.Error](err)
	notation, unwritten := errors.AsType[*game.NotationError](err)
	problems, rest := split(err, "args")
	if c.Verb == chat.Answer {
		problems, rest = split(err, "answer")
	}
	switch {
	case unread:
		l.Note.Problem = wrong.Say(v.Speaker)
	case unwritten:
		l.Note.Problem = bare.Say(v.Speaker, notation)
	case errors.Is(err, errNothingToUndo):
		l.Note.Problem = v.Say("web.line.nothing-to-undo")
	case len(problems) > 0 && c.Form != nil:
		l.Note.Problem = v.voice.Problem(c.Form, problems[0])
	case len(rest) > 0 && rest[0].Path == "text":
		id, data := rest[0].Word()
		data["Field"] = v.Say("web.line.label")
		l.Note.Problem = v.Say(id, data)
	default:
		known := false
		if status, known = statusOf(err); !known {
			return err
		}
		l.Note.Problem = v.sayError(err)
	}
	if _, reused := errors.AsType[*table.KeyReusedError](err); reused {
		l.Key = door.Random(16)
	}
	return s.lineAnswer(w, r, v, status, l)
}

func (s *Server) lineAnswer(w http.ResponseWriter, r *http.Request, v *visit, status int, l writing) error {
	if l.Key == "" {
		l.Key = door.Random(16)
	}
	if door.HX(r) {
		s.Show(w, r, status, v.lineNews(l))
		return nil
	}
	return s.page(w, r, status, v, extras{line: &l})
}

// suggestion is one way to go on with the line: what the whole line would be,
// and where the cursor, in UTF-16 as browsers count.
type suggestion struct {
	Line         string
	Cursor       int
	Label, About string
}

// complete says how the line may go on, and what it's understood as so far.
func (s *Server) complete(w http.ResponseWriter, r *http.Request, v *visit) error {
	text := r.URL.Query().Get("line")
	b := v.book(r.Context())
	at := len(text)
	if units := utf16.Encode([]rune(text)); r.URL.Query().Has("at") {
		if n := atoi(r.URL.Query().Get("at")); n >= 0 && n <= len(units) {
			at = len(string(utf16.Decode(units[:n])))
		}
	}
	var found []suggestion
	for _, one := range b.Complete(text, min(at, len(text))) {
		head := text[:one.From] + one.Text
		found = append(found, suggestion{
			Line: head + strings.TrimPrefix(text[one.To:], " "), Cursor: len(utf16.Encode([]rune(head))), Label: one.Label, About: one.About,
		})
	}
	var note lineNote
	c, err := b.Read(text)
	if wrong, ok := errors.AsType[*chat.Error](err); ok && wrong.Near != "" && wrong.End < at { // a word that is finished
		note.Texts = []string{wrong.Say(v.Speaker)}
	}
	if err == nil && (c.Verb == chat.Make || c.Verb == chat.Odds) {
		note.Texts = v.understood(c)
		at := *v
		at.at.Move, at.at.Actor = c.Move, c.Actor
		if odds := at.chancesOf(r.Context(), c); odds.Problem == "" {
			note.Texts = append(note.Texts, odds.Heads...)
			if odds.Mean != "" { // of a throw that only counts
				note.Texts = append(note.Texts, odds.Mean)
			}
		}
	}
	s.Show(w, r, http.StatusOK, suggestions(found, note))
	return nil
}

// atoi is a number from an address; -1 for none.
func atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
