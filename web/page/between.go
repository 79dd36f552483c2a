package page

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"norn/game"
	"norn/table"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
)

// getBetween shows the page between sessions.
func getBetween(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.View.Role == game.Spectator {
		return &refusal.ForbiddenError{}
	}
	return showBetween(w, r, v, http.StatusOK, nil, nil)
}

// showBetween shows the page with what was posted; change adds to it, nil changes nothing.
func showBetween(w http.ResponseWriter, r *http.Request, v *visit, status int, posted url.Values,
	change func(*html.Between),
) error {
	all, err := v.suggestions(r.Context(), v.now)
	if err != nil {
		return err
	}
	b := html.BetweenOf(v.Page, v.View, all, posted)
	if change != nil {
		change(&b)
	}
	return show(w, r, v, status, html.BetweenPage(frame(r, v, "web.between.head", "/between"), v.Page, b))
}

// maxLines bounds the lines of one press.
const maxLines = 200

// suggestions returns what the rules suggest, at the gate to odds, since it runs the rule of each.
func (v *visit) suggestions(ctx context.Context, of *table.Reader) (all []view.Suggestion, err error) {
	err = v.dear(ctx, func() (err error) {
		all, err = of.Between(ctx)
		return err
	})
	return all, err
}

// postBetween makes the moves that are ticked, one after another. What is refused stays on the page
// with the reason. The key of each comes from the form's, so that posting it again makes nothing
// twice.
func postBetween(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.View.Role == game.Spectator {
		return &refusal.ForbiddenError{}
	}
	if r.PostForm.Has(fields.AddItem) || r.PostForm.Has(fields.DropItem) {
		return resizeBetween(w, r, v)
	}
	posted, wrong := r.PostForm, map[string]error{}
	if posted.Get(html.Own+"key") == "" {
		posted.Set(html.Own+"key", html.NewKey())
	}
	var done []html.MoveLine
	var offered []view.Suggestion // nil after each move, which may change what others are about
	ticked := posted[html.BetweenTick]
	for _, id := range ticked[:min(len(ticked), maxLines)] {
		var err error
		if offered == nil {
			if offered, err = v.suggestions(r.Context(), &v.seat.Reader); err != nil {
				return err
			}
		}
		current, err := v.isCurrent(r.Context(), offered, posted, id)
		if err != nil {
			return err
		}
		if !current {
			wrong[id] = game.Refuse("", "web.between.changed")
			continue
		}
		offered = nil
		made, err := v.makeLine(r.Context(), posted, id)
		if err != nil && !refusesLine(err) {
			return err
		}
		if err != nil && made.Entry.Move == "" {
			wrong[id] = err
			continue
		}
		done = append(done, v.lineDone(id, made, err))
		posted.Del(html.BetweenMark + id) // the line begins anew
	}
	status := http.StatusOK
	if len(wrong) > 0 {
		status = http.StatusUnprocessableEntity
	}
	posted.Del(html.Own + "key")
	return v.withTable(r, func() error {
		return showBetween(w, r, v, status, posted, func(b *html.Between) {
			b.Done = done
			for id, err := range wrong {
				v.blame(b, id, err)
			}
		})
	})
}

// refusesLine reports whether an error says that a line certainly wasn't done.
func refusesLine(err error) bool {
	_, known := statusOf(err)
	_, often := errors.AsType[*refusal.TooOftenError](err)
	return known || often
}

// isCurrent reports whether a line still offers what the page showed, or was done by the same form
// before.
func (v *visit) isCurrent(ctx context.Context, offered []view.Suggestion, posted url.Values, id string) (bool, error) {
	for _, s := range offered {
		if html.BetweenID(s) == id && html.BetweenMarkOf(s) == posted.Get(html.BetweenMark+id) {
			return true, nil
		}
	}
	return v.seat.KeyUsed(ctx, lineKey(posted, id))
}

// lineKey returns the key of a line's move.
func lineKey(posted url.Values, id string) string { return posted.Get(html.Own+"key") + " " + id }

// makeLine makes a line's move and answers the questions that the page showed with it. An error
// together with an entry is that of an answer.
func (v *visit) makeLine(ctx context.Context, posted url.Values, id string) (view.Made, error) {
	character, move := html.BetweenLineOf(id)
	key := lineKey(posted, id)
	made, err := v.seat.Make(ctx, request.Move{
		Move: move, Character: character, Key: key,
		Values: fields.FormValues(fields.Part(posted, html.BetweenFields(id))),
	})
	if err != nil {
		return made, err
	}
	first := made.Entry
	asked := map[string]bool{}
	for i, q := range made.Open {
		under, known := answerTo(posted, id, html.BetweenAskMark(q), asked)
		if !known {
			continue
		}
		after, failed := v.seat.Answer(ctx, request.Answer{
			Question: q.ID, Key: key + " " + strconv.Itoa(i), Values: fields.FormValues(fields.Part(posted, under)),
		})
		if failed != nil {
			err = failed
			continue
		}
		made = after
	}
	if made.Entry.Outcome == nil {
		made.Entry.Outcome = first.Outcome
	}
	return made, err
}

// answerTo returns the prefix of the answer to a question with a mark, each once.
func answerTo(posted url.Values, id, mark string, asked map[string]bool) (under string, ok bool) {
	for i := 0; posted.Has(html.BetweenAnswer(id, i) + html.BetweenAsked); i++ {
		under = html.BetweenAnswer(id, i)
		if posted.Get(under+html.BetweenAsked) == mark && !asked[under] {
			asked[under] = true
			return under, true
		}
	}
	return "", false
}

// lineDone says what was made of a line.
func (v *visit) lineDone(id string, made view.Made, err error) html.MoveLine {
	d := html.MoveLine{
		Said: html.BetweenSaid(v.Voice, id), Outcome: made.Entry.Outcome,
		Link: v.Link(v.At.WithTab("log")) + "#" + made.Entry.Move,
	}
	if len(made.Open)+len(made.Waiting) > 0 {
		d.Note = v.Say("web.between.open")
	}
	if err != nil {
		d.Note = strings.Join([]string{d.Note, v.SayError(err)}, " ")
	}
	return d
}

// blame shows why a line was refused.
func (v *visit) blame(b *html.Between, id string, err error) {
	b.Wrong = true
	line := b.Line(id)
	if line == nil { // it isn't suggested any more
		b.Gone = append(b.Gone, html.BetweenSaid(v.Voice, id)+": "+v.SayError(err))
		return
	}
	problems, rest := refusal.Split(err, "args")
	line.Fields.Problems = v.Voice.ProblemsOf(line.Fields.Form, problems)
	if line.Problem = v.SayError(err); len(problems) > 0 && len(rest) == 0 {
		line.Problem = ""
	}
	line.On = true
}

// resizeBetween shows the page with an item added to a list of a line or removed.
func resizeBetween(w http.ResponseWriter, r *http.Request, v *visit) error {
	return showBetween(w, r, v, http.StatusOK, r.PostForm, func(b *html.Between) {
		for _, part := range b.Parts {
			for i := range part.Lines {
				resizePart(&part.Lines[i].Fields, r.PostForm)
				for at := range part.Lines[i].Asks {
					resizePart(&part.Lines[i].Asks[at].Fields, r.PostForm)
				}
			}
		}
	})
}

func resizePart(f *fields.Form, posted url.Values) {
	own := fields.Part(posted, f.Under)
	if values, added, ok := fields.Resize(f.Form, own, f.Values); ok {
		f.Values, f.Added = values, added
	}
}
