package page

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"norn/game"
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
	all, err := v.suggestions(r.Context())
	if err != nil {
		return err
	}
	b := v.Look.Between(all, posted)
	if change != nil {
		change(&b)
	}
	return show(w, r, v, status, html.BetweenPage(frame(r, v, "web.between.head", "/between"), v.Page, b))
}

// suggestions returns what the rules suggest, at the gate to odds, since it runs the rule of each.
func (v *visit) suggestions(ctx context.Context) (all []view.Suggestion, err error) {
	err = v.dear(ctx, func() (err error) {
		all, err = v.now.Between(ctx)
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
		return betweenResized(w, r, v)
	}
	all, err := v.suggestions(r.Context())
	if err != nil {
		return err
	}
	fresh, err := v.currentLines(r.Context(), all, r.PostForm)
	if err != nil {
		return err
	}
	posted, wrong := r.PostForm, map[string]error{}
	var done []html.BetweenDone
	for _, id := range slices.Compact(posted[html.BetweenTick]) {
		if !fresh[id] {
			wrong[id] = game.Refuse("", "web.between.changed")
			continue
		}
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
	return v.looking(r, func() error {
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

// currentLines returns which ticked lines still offer what the page showed, or were done by the
// same form before.
func (v *visit) currentLines(ctx context.Context, all []view.Suggestion, posted url.Values) (map[string]bool, error) {
	fresh := map[string]bool{}
	for _, s := range all {
		id := html.BetweenID(s)
		fresh[id] = v.Look.BetweenMarkOf(s) == posted.Get(html.BetweenMark+id)
	}
	for _, id := range posted[html.BetweenTick] {
		if !fresh[id] {
			used, err := v.now.KeyUsed(ctx, lineKey(posted, id))
			if err != nil {
				return nil, err
			}
			fresh[id] = used
		}
	}
	return fresh, nil
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
	asked := map[string]string{} // the prefix of an answer by the mark of its question
	for i := 0; posted.Has(html.BetweenAnswer(id, i) + html.BetweenAsked); i++ {
		asked[posted.Get(html.BetweenAnswer(id, i)+html.BetweenAsked)] = html.BetweenAnswer(id, i)
	}
	first := made.Entry
	for i, q := range made.Open {
		under, known := asked[v.Look.BetweenAskMark(q)]
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

// lineDone says what was made of a line.
func (v *visit) lineDone(id string, made view.Made, err error) html.BetweenDone {
	d := html.BetweenDone{
		Said: v.Look.BetweenSaid(id), Outcome: made.Entry.Outcome,
		Link: v.Link(v.At.WithTab("log")) + "#" + made.Entry.Move,
	}
	if len(made.Open)+len(made.Waiting) > 0 {
		d.Open = v.Say("web.between.open")
	}
	if err != nil {
		d.Open = strings.Join([]string{d.Open, v.SayError(err)}, " ")
	}
	return d
}

// blame shows why a line was refused.
func (v *visit) blame(b *html.Between, id string, err error) {
	b.Wrong = true
	line := b.Line(id)
	if line == nil { // it isn't suggested any more
		b.Gone = append(b.Gone, v.Look.BetweenSaid(id)+": "+v.SayError(err))
		return
	}
	problems, rest := refusal.Split(err, "args")
	line.Fields.Problems = v.Voice.ProblemsOf(line.Fields.Form, problems)
	if line.Problem = v.SayError(err); len(problems) > 0 && len(rest) == 0 {
		line.Problem = ""
	}
	line.On = true
}

// betweenResized shows the page with an item added to a list of a line or removed.
func betweenResized(w http.ResponseWriter, r *http.Request, v *visit) error {
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
