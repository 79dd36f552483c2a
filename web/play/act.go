package play

import (
	"encoding/json"
	"net/http"
	"time"

	"norn/form"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/feed"
	"norn/web/html"
)

// pressed is how a page does an act: what its form says otherwise than the API, and where a page without script is led.
type pressed struct {
	read func(r *http.Request, v *visit, in act.Input) error // nil where the form's fields are those of the request
	to   func(v *visit, e view.Entry) string                 // nil for the page as it was
}

// presses are the acts that pages do by the address of their name.
var presses = map[string]pressed{
	act.KeepNote.Name:      {read: readNote, to: atScreen},
	act.PlanSession.Name:   {read: readPlan, to: atScreen},
	act.WithdrawCall.Name:  {to: atScreen},
	act.ShowCharacter.Name: {to: atScreen},
	act.ShowMove.Name:      {to: atCard},
	act.Undo.Name:          {to: atCard},
	act.Cancel.Name:        {to: atCard},
	act.StarMove.Name:      {to: func(v *visit, _ view.Entry) string { return v.Link(v.At) + "#composer" }},
	act.AddShare.Name:      {},
	act.TakeEdition.Name:   {},
	act.PutXAway.Name:      {},
}

// postAct does the act that the address names. Each field of a form has the name of the request's.
func postAct(w http.ResponseWriter, r *http.Request, v *visit) error {
	press, ok := presses[r.PathValue("name")]
	if !ok {
		return notFound(w, r, v)
	}
	d := act.Named(r.PathValue("name"))
	in := d.New()
	in.Typed(func(name string) []string { return r.PostForm[html.Own+name] })
	if press.read != nil {
		if err := press.read(r, v, in); err != nil {
			return err
		}
	}
	answer, err := table.DoAny(r.Context(), v.seat, d, in)
	if err != nil {
		return err
	}
	entry := answer.(view.Entry)
	to := v.Link(v.At)
	if press.to != nil {
		to = press.to(v, entry)
	}
	return done(w, r, v, entry.Seq, to)
}

// atScreen leads to the game master's screen.
func atScreen(v *visit, _ view.Entry) string { return v.To("/gm") }

// atCard leads to an entry's card.
func atCard(v *visit, e view.Entry) string {
	return v.Link(v.At.WithTab("log")) + "#" + feed.CardIDs(e)[0]
}

// readNote takes the text away where the note is thrown away.
func readNote(r *http.Request, _ *visit, in act.Input) error {
	if r.PostForm.Get(html.Own+"do") == "drop" {
		in.Typed(func(name string) []string { return map[string][]string{"text": {""}}[name] })
	}
	return nil
}

// readPlan reads the time by the clock of who says so.
func readPlan(r *http.Request, v *visit, in act.Input) error {
	text := r.PostForm.Get(html.Own + "when")
	if text == "" {
		return nil
	}
	at, err := time.ParseInLocation("2006-01-02T15:04", text, v.Zone)
	if err != nil {
		return refusal.Invalid("when", form.Syntax, func(p *form.Problem) { p.Given = refusal.Brief(text) })
	}
	in.Typed(func(name string) []string { return map[string][]string{"zone": {v.Zone.String()}}[name] })
	data, err := json.Marshal(at)
	if err != nil {
		return err
	}
	return in.Part("at", data)
}
