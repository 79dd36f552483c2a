package page

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf16"

	"norn/chat"
	"norn/chat/dispatch"
	"norn/game"
	"norn/internal/limit"
	"norn/internal/widget"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/html"
	"norn/web/middleware"
)

// book returns what the reader can write in the line now.
func (v *visit) book(ctx context.Context) *chat.Book {
	return dispatch.Book(ctx, v.s.Words, v.Lang(), v.now, v.View, v.At.Actor)
}

// postSay does what the line says. Spectators have no line.
func postSay(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.View.Role == game.Spectator {
		return &refusal.ForbiddenError{}
	}
	l := html.LineDraft{
		Text: r.PostForm.Get(html.Own + "line"), As: r.PostForm.Get(html.Own + "as"),
		Key: r.PostForm.Get(html.Own + "key"),
	}
	if roll := r.PostForm.Get(html.Own + "roll"); roll != "" { // the offer under what was said
		l.Text = roll
	}
	if strings.TrimSpace(l.Text) == "" {
		return lineAnswer(w, r, v, http.StatusOK, l)
	}
	if query, ok := rulesQuery(v, l.Text); ok {
		return findRules(w, r, v, l, query)
	}
	book := v.book(r.Context())
	c, err := book.Read(l.Text)
	if err != nil {
		return lineRefused(w, r, v, l, c, err)
	}
	switch c.Verb {
	case chat.Odds:
		odds := chancesSaid(r.Context(), *v, c)
		l.Note = html.LineNote{Texts: understood(v, c), Odds: &odds}
		return lineAnswer(w, r, v, http.StatusOK, l)
	case chat.Help:
		if middleware.HX(r) {
			w.Header().Set("HX-Trigger", "said") // the script empties the line: it shows the result
		}
		l.Note.Terms, l.Key = help(r.Context(), v), html.NewKey()
		return lineAnswer(w, r, v, http.StatusOK, l)
	}
	toSeat, whispers := strings.CutPrefix(l.As, html.AsTo)
	if (c.Verb == chat.Make || c.Verb == chat.Take) && (whispers || l.As == html.AsGM && !v.Master()) {
		l.Note.Problem = v.Say("web.line.seen-by-all")
		return lineAnswer(w, r, v, http.StatusUnprocessableEntity, l)
	}
	how := dispatch.How{
		ToGM: l.As == html.AsGM, Secret: v.Master() && l.As == html.AsGM, Key: l.Key,
		Nonce: r.PostForm.Get(html.Own + "nonce"),
	}
	if whispers {
		how.To = toSeat
	} else if !how.ToGM {
		how.As = l.As
	}
	did, err := dispatch.Do(r.Context(), v.seat, c, how)
	if err != nil {
		return lineRefused(w, r, v, l, c, err)
	}
	id := cmp.Or(did.Undoes.Move, did.Entry.Move, "e"+html.SeqText(cmp.Or(did.Undoes.Seq, did.Entry.Seq)))
	w.Header().Set("HX-Trigger", "said,sent") // the script empties the line, and a whisper ends
	empty := html.LineDraft{Key: html.NewKey()}
	if c.Verb == chat.Make || c.Verb == chat.Take || c.Verb == chat.Answer {
		empty.Note.Texts = understood(v, c)
	} else if c.Verb == chat.Say && how.To == "" && !how.ToGM { // who hears of the roll is who read this
		empty.Note.Roll = book.DiceIn(c.Text)
	}
	return answerDone(w, r, v, did.Entry.Seq, v.Link(v.At.WithTab("log"))+"#"+id,
		html.LineAgain(v.Page, empty))
}

// chancesSaid returns the odds of the move in a command.
func chancesSaid(ctx context.Context, v visit, c chat.Command) html.Chances {
	v.At.Move, v.At.Actor = c.Move, c.Actor
	return v.chances(ctx, nil, func(ctx context.Context) (view.Preview, error) {
		return v.now.Preview(ctx, request.Move{Move: c.Move, Character: c.Actor, Args: c.Args})
	})
}

// rulesQuery returns what a line searches in the rules, such as "fallout" in "/rules fallout";
// false for any other line.
func rulesQuery(v *visit, line string) (query string, ok bool) {
	command, query, _ := strings.Cut(strings.TrimSpace(line), " ")
	return strings.TrimSpace(query), strings.EqualFold(command, rulesCommand(v)) || strings.EqualFold(command, "/rules")
}

func rulesCommand(v *visit) string { return "/" + v.Say("web.line.rules") }

// maxLineRules limits the rules that the line shows; the page of rules has all.
const maxLineRules = 8

// findRules shows the rules that match the words in the line.
func findRules(w http.ResponseWriter, r *http.Request, v *visit, l html.LineDraft, query string) error {
	g := v.Voice.Game
	found := g.FindRules(v.Speaker, query)
	l.Note.All = widget.RulesOf(g.ID)
	switch {
	case query == "":
	case len(found) == 0:
		l.Note.Texts = []string{v.Say("web.rules.found-none", "Words", query)}
	default:
		l.Note.Texts = []string{v.Say("web.rules.found", "N", len(found), "Words", query)}
		l.Note.All += "?q=" + url.QueryEscape(query)
		for _, id := range found[:min(len(found), maxLineRules)] {
			l.Note.Rules = append(l.Note.Rules, html.Term{Name: id, About: g.RuleTitle(v.Speaker, id)})
		}
	}
	if middleware.HX(r) {
		w.Header().Set("HX-Trigger", "said") // the script empties the line: it shows the result
	}
	l.Key = html.NewKey()
	return lineAnswer(w, r, v, http.StatusOK, l)
}

// help lists what can be written in the line.
func help(ctx context.Context, v *visit) []html.Term {
	terms := []html.Term{
		{Name: "/" + v.Say("web.line.example"), About: v.Say("web.line.example-what")},
		{Name: "@" + v.Say("web.line.name"), About: v.Say("web.line.as-what")},
		{Name: rulesCommand(v), About: v.Say("web.line.rules-what")},
	}
	for _, s := range v.book(ctx).Help() {
		terms = append(terms, html.Term{Name: s.Label, About: s.About})
	}
	return terms
}

// lineRefused returns the line as it was, with the error.
func lineRefused(w http.ResponseWriter, r *http.Request, v *visit, l html.LineDraft, c chat.Command, err error) error {
	status := http.StatusUnprocessableEntity
	if l.Note.Problem = dispatch.Problem(v.Voice.Voice, c, err, v.Voice.Problem); l.Note.Problem == "" ||
		limit.As(err) != nil {
		return err
	}
	if known, ok := statusOf(err); ok {
		status = known
	}
	if _, reused := errors.AsType[*refusal.KeyReusedError](err); reused {
		l.Key = html.NewKey()
	}
	return lineAnswer(w, r, v, status, l)
}

func lineAnswer(w http.ResponseWriter, r *http.Request, v *visit, status int, l html.LineDraft) error {
	if l.Key == "" {
		l.Key = html.NewKey()
	}
	return sendBack(w, r, v, status, html.LineAgain(v.Page, l), html.Extras{Line: l})
}

// getComplete returns how the line may continue, and how it's understood so far.
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
			Line: head + strings.TrimPrefix(text[one.To:], " "), Cursor: len(utf16.Encode([]rune(head))),
			Label: one.Label, About: one.About,
		})
	}
	if command := rulesCommand(v); text != command && strings.HasPrefix(command, text) {
		found = append(found, html.Suggestion{
			Line: command + " ", Cursor: len(utf16.Encode([]rune(command))) + 1,
			Label: command, About: v.Say("web.line.rules-what"),
		})
	}
	var texts []string
	c, err := b.Read(text)
	// the wrong word is complete
	if wrong, ok := errors.AsType[*chat.Error](err); ok && wrong.Near != "" && wrong.End < at {
		texts = []string{wrong.Say(v.Speaker)}
	}
	if err == nil && (c.Verb == chat.Make || c.Verb == chat.Odds) {
		texts = understood(v, c)
		if odds := chancesSaid(r.Context(), *v, c); odds.Problem == "" {
			texts = append(texts, odds.Texts()...)
		}
	}
	return show(w, r, v, http.StatusOK, html.Suggestions(found, texts))
}

// atoi returns a number in an address; -1 for none.
func atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// understood describes how a command was understood.
func understood(v *visit, c chat.Command) []string {
	var texts []string
	if c.Move != "" {
		name := v.Voice.Word("move", c.Move)
		if c.Actor != "" {
			name = v.Voice.Name(c.Actor) + ": " + name
		}
		texts = append(texts, name)
	}
	return append(texts, c.Given...)
}
