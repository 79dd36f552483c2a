package page

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"norn/form"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/request"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/middleware"
)

// draft is a move that somebody prepares on a page: all that its form posts.
type draft struct {
	request.Move
	sent  url.Values // as posted
	by    string     // the button that was pressed
	faces string     // typed dice
	about string     // words to the player who is asked for the move
	asks  bool       // the player is asked for the move
	added string     // path of a control whose item was just added to a list
	// what a refused move was prepared as
	prepared act.Prepared
	old      bool // the form is from before an update of norn, which doesn't say what was set
}

// readDraft reads what a move form sends, in an address or as a posted form.
func readDraft(v *visit, sent url.Values) draft {
	d := draft{
		sent: sent, by: sent.Get(html.Own + "by"), faces: sent.Get(html.Own + "dice"), about: sent.Get(html.Own + "about"),
	}
	d.Move = request.Move{
		Move: sent.Get(html.AtMove), Character: v.Acting(sent.Get(html.AtActor)), Values: fields.FormValues(sent),
		Nonce: sent.Get(html.Own + "nonce"), Key: sent.Get(html.Own + "key"), Call: sent.Get(html.AtCall),
		Secret: v.Master() && sent.Get(html.Own+"secret") != "", ByHand: d.by == "hand",
	}
	switch {
	case sent.Has(html.Touched):
		d.Touched = append([]string{}, strings.Fields(sent.Get(html.Touched))...)
		if len(d.Touched) > maxTouched {
			d.Touched = []string{request.TouchedAll}
		}
	case len(d.Values) == 0: // a link, not a form
		d.Touched = []string{}
	default:
		d.Touched, d.old = []string{request.TouchedAll}, true
	}
	return d
}

// maxTouched limits the names of fields that somebody has set, to more than any form has.
const maxTouched = 200

// resize adds an item to a list of the draft or removes one, if one of the form's buttons for that
// was pressed.
func (d *draft) resize(f *form.Form) {
	d.Values, d.added, _ = fields.Resize(f, d.sent, d.Values)
	if list, _, _ := strings.Cut(d.sent.Get(fields.AddItem)+d.sent.Get(fields.DropItem), "."); list != "" {
		d.Touched = append(d.Touched, list)
	}
}

// showDraft shows the move form again with everything that was filled in, and why it wasn't made;
// nil for nothing to say. It returns an error that nobody at the table can fix.
func showDraft(w http.ResponseWriter, r *http.Request, v *visit, d draft, why error) error {
	status := http.StatusOK
	if why != nil {
		var known bool
		if status, known = statusOf(why); !known {
			return why
		}
	}
	c, err := v.compose(r.Context(), d)
	if err != nil {
		return err
	}
	if why != nil {
		v.explain(&c, d, why)
	}
	return sendBack(w, r, v, status, html.ComposerPiece(v.Page, c, "innerHTML"), html.Extras{Composer: &c})
}

// explain puts into the composer why its move wasn't made.
func (v *visit) explain(c *html.Composer, d draft, why error) {
	problems, rest := refusal.Split(why, "args")
	c.Fields.Problems = v.Voice.ProblemsOf(c.Fields.Form, problems)
	faces, rest := refusal.Cut(rest, "dice")
	if len(faces) > 0 {
		c.Wrong = v.Look.FacesWrong(faces[0])
		// one more press, and norn asks for the rest
		if of, err := parseFaces(d.faces); err == nil && faces[0].Later {
			c.Dice = firstFaces(of, faces[0].Max)
		}
	}
	for _, p := range rest {
		c.Notes = append(c.Notes, v.Voice.Problem(c.Fields.Form, p))
	}
	if changed, ok := errors.AsType[*refusal.ChangedError](why); ok {
		c.Fields.Problems = map[string]string{}
		for _, name := range changed.Fields {
			c.Fields.Problems[name] = v.Say("web.compose.filled")
		}
	}
	if len(problems)+len(faces)+len(rest) == 0 {
		c.Notes = append(c.Notes, v.SayError(why))
	}
	c.Odds.Said = slices.Contains(c.Notes, c.Odds.Problem)
	if _, reused := errors.AsType[*refusal.KeyReusedError](why); reused {
		c.Key = html.NewKey()
	}
}

// pressed returns which of the composer's buttons to act on. Enter presses the first one, in any
// field. The script handles fields that have a button of their own, so an Enter that it passes on is
// a roll. Without script typed faces are used, a text to a player makes a call, and otherwise nothing
// is made.
func pressed(r *http.Request) string {
	switch by := r.PostForm.Get(html.Own + "by"); {
	case by != "enter":
		return by
	case middleware.HX(r):
		return "throw"
	case strings.TrimSpace(r.PostForm.Get(html.Own+"dice")) != "":
		return "hand"
	case strings.TrimSpace(r.PostForm.Get(html.Own+"about")) != "":
		return "call"
	}
	return "enter"
}
