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
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/door"
	"norn/web/html"
	"norn/web/present"
)

// book is what the reader can say at this table now.
func (v *visit) book(ctx context.Context) *chat.Book {
	b := &chat.Book{Words: v.s.Words, Lang: v.Lang(), Game: v.Voice.Game}
	nobody := map[string]bool{} // moves that nobody in particular makes
	for _, m := range v.View.Moves {
		b.Moves = append(b.Moves, m.ID)
		nobody[m.ID] = len(m.Characters) == 0
	}
	for _, c := range v.Voices() {
		b.Actors = append(b.Actors, chat.Person{ID: c.ID, Name: c.Name})
	}
	b.Actor = func(move string) string {
		if m, ok := v.Move(move); ok && !nobody[move] {
			makers := m.Characters
			for _, id := range makers {
				if id == v.At.Actor {
					return id
				}
			}
			return makers[0]
		}
		return ""
	}
	b.Form = func(at chat.Spot) *form.Form {
		f, err := v.now.MoveForm(ctx, at.Move, at.Actor)
		if err != nil {
			return nil
		}
		return f
	}
	for _, s := range present.Beside(&v.Look) {
		b.Seats = append(b.Seats, chat.Person{ID: s.ID, Name: s.Name})
	}
	for _, q := range v.View.Questions {
		if q.Mine {
			b.Asked = append(b.Asked, chat.Question{ID: q.ID, Move: q.Name, Text: strings.TrimSpace(q.Text + " " + q.AboutText), Form: q.Form})
		}
	}
	return b
}

// postSay does what the line says. A spectator has none.
func postSay(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.View.Role == game.Spectator {
		return &refusal.ForbiddenError{}
	}
	l := present.Writing{Text: r.PostForm.Get(html.Own + "line"), As: r.PostForm.Get(html.Own + "as"), Key: r.PostForm.Get(html.Own + "key")}
	if strings.TrimSpace(l.Text) == "" {
		return lineAnswer(w, r, v, http.StatusOK, l)
	}
	c, err := v.book(r.Context()).Read(l.Text)
	if err != nil {
		return lineRefused(w, r, v, l, c, err)
	}
	var seq uint64
	var id string
	switch c.Verb {
	case chat.Odds:
		at := *v
		at.At.Move, at.At.Actor = c.Move, c.Actor
		odds := at.chancesSaid(r.Context(), c)
		l.Note = html.LineNote{Texts: present.Understood(&v.Look, c), Odds: &odds}
		return lineAnswer(w, r, v, http.StatusOK, l)
	case chat.Help:
		if door.HX(r) {
			w.Header().Set("HX-Trigger", "said") // what was asked for is there: the line is free again
		}
		l.Note.Terms, l.Key = v.help(r.Context()), html.NewKey()
		return lineAnswer(w, r, v, http.StatusOK, l)
	case chat.Say, chat.Tell, chat.Whisper:
		to, whispers := strings.CutPrefix(l.As, present.AsTo)
		said := request.Talk{Text: c.Text, Character: c.Actor, ToGM: c.Verb == chat.Tell || l.As == present.AsGM, To: c.To, Key: l.Key}
		switch {
		case whispers && c.Verb == chat.Say:
			said.To = to
		case said.Character == "" && l.As != present.AsGM && !whispers:
			said.Character = l.As
		}
		var e view.Entry
		e, err = v.seat.Talk(r.Context(), said)
		seq, id = e.Seq, "e"+html.SeqText(e.Seq)
	case chat.Make:
		var made view.Made
		made, err = v.seat.Make(r.Context(), request.Move{
			Move: c.Move, Character: c.Actor, Args: c.Args, Key: l.Key, Nonce: r.PostForm.Get(html.Own + "nonce"), Secret: v.Master() && l.As == present.AsGM,
		})
		seq, id = made.Entry.Seq, made.Entry.Move
	case chat.Answer:
		var made view.Made
		made, err = v.seat.Answer(r.Context(), request.Answer{Question: c.Asked, Answer: c.Args, Key: l.Key})
		seq, id = made.Entry.Seq, made.Entry.Move
	case chat.Undo:
		seq, id, err = v.undoNewest(r.Context(), l.Key)
	}
	if err != nil {
		return lineRefused(w, r, v, l, c, err)
	}
	w.Header().Set("HX-Trigger", "said") // script empties the line
	empty := present.Writing{As: l.As, Key: html.NewKey()}
	if c.Verb == chat.Make || c.Verb == chat.Answer {
		empty.Note.Texts = present.Understood(&v.Look, c)
	}
	done(w, r, v, seq, v.Link(v.At.WithTab("log"))+"#"+id, html.LineAgain(v.Page, present.Line(&v.Look, &empty)))
	return nil
}

// chancesSaid are the odds of the move that a command names.
func (v *visit) chancesSaid(ctx context.Context, c chat.Command) html.Chances {
	return v.chancesFor(ctx, request.Move{Move: c.Move, Character: c.Actor, Args: c.Args}, nil)
}

// undoNewest takes back the newest entry that the reader may take back.
func (v *visit) undoNewest(ctx context.Context, key string) (seq uint64, id string, err error) {
	entries, err := v.now.Last(ctx, present.ShownEntries)
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
func (v *visit) help(ctx context.Context) []html.Term {
	var terms []html.Term
	terms = append(terms,
		html.Term{Name: "/" + v.Say("web.line.example"), About: v.Say("web.line.example-what")},
		html.Term{Name: "@" + v.Say("web.line.name"), About: v.Say("web.line.as-what")})
	for _, s := range v.book(ctx).Help() {
		terms = append(terms, html.Term{Name: s.Label, About: s.About})
	}
	return terms
}

// lineRefused gives the line back as it was, with what is wrong with it.
func lineRefused(w http.ResponseWriter, r *http.Request, v *visit, l present.Writing, c chat.Command, err error) error {
	status := http.StatusUnprocessableEntity
	wrong, unread := errors.AsType[*chat.Error](err)
	notation, unwritten := errors.AsType[*game.NotationError](err)
	problems, rest := present.Split(err, "args")
	if c.Verb == chat.Answer {
		problems, rest = present.Split(err, "answer")
	}
	switch {
	case unread:
		l.Note.Problem = wrong.Say(v.Speaker)
	case unwritten:
		l.Note.Problem = bare.Say(v.Speaker, notation)
	case errors.Is(err, errNothingToUndo):
		l.Note.Problem = v.Say("web.line.nothing-to-undo")
	case len(problems) > 0 && c.Form != nil:
		l.Note.Problem = v.Voice.Problem(c.Form, problems[0])
	case len(rest) > 0 && rest[0].Path == "text":
		id, data := rest[0].Word()
		data["Field"] = v.Say("web.line.label")
		l.Note.Problem = v.Say(id, data)
	default:
		known := false
		if status, known = statusOf(err); !known {
			return err
		}
		l.Note.Problem = v.SayError(err)
	}
	if _, reused := errors.AsType[*refusal.KeyReusedError](err); reused {
		l.Key = html.NewKey()
	}
	return lineAnswer(w, r, v, status, l)
}

func lineAnswer(w http.ResponseWriter, r *http.Request, v *visit, status int, l present.Writing) error {
	if l.Key == "" {
		l.Key = html.NewKey()
	}
	if door.HX(r) {
		v.s.Show(w, r, status, html.LineAgain(v.Page, present.Line(&v.Look, &l)))
		return nil
	}
	return showPage(w, r, status, v, present.Extras{Line: &l})
}

// getComplete says how the line may go on, and what it's understood as so far.
func getComplete(w http.ResponseWriter, r *http.Request, v *visit) error {
	text := r.URL.Query().Get("line")
	b := v.book(r.Context())
	at := len(text)
	if units := utf16.Encode([]rune(text)); r.URL.Query().Has("at") {
		if n := atoi(r.URL.Query().Get("at")); n >= 0 && n <= len(units) {
			at = len(string(utf16.Decode(units[:n])))
		}
	}
	var found []html.Suggestion
	for _, one := range b.Complete(text, min(at, len(text))) {
		head := text[:one.From] + one.Text
		found = append(found, html.Suggestion{
			Line: head + strings.TrimPrefix(text[one.To:], " "), Cursor: len(utf16.Encode([]rune(head))), Label: one.Label, About: one.About,
		})
	}
	var texts []string
	c, err := b.Read(text)
	if wrong, ok := errors.AsType[*chat.Error](err); ok && wrong.Near != "" && wrong.End < at { // a word that is finished
		texts = []string{wrong.Say(v.Speaker)}
	}
	if err == nil && (c.Verb == chat.Make || c.Verb == chat.Odds) {
		texts = present.Understood(&v.Look, c)
		at := *v
		at.At.Move, at.At.Actor = c.Move, c.Actor
		if odds := at.chancesSaid(r.Context(), c); odds.Problem == "" {
			texts = append(texts, odds.Heads...)
			if odds.Mean != "" { // of a throw that only counts
				texts = append(texts, odds.Mean)
			}
		}
	}
	v.s.Show(w, r, http.StatusOK, html.Suggestions(found, texts))
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
