package play

import (
	"net/http"

	"norn/form"
	"norn/table"
	"norn/table/act"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/present"
)

// postCall asks a player for the move that stands in the composer.
func postCall(w http.ResponseWriter, r *http.Request, v *visit) error {
	values := fields.Sent(r.PostForm)
	if chosen, _, ok := v.withoutFilled(r.Context(), values); ok {
		values = chosen // what norn has filled in isn't the game master's word: it would bind the player
	}
	entry, err := table.Do(r.Context(), v.seat, act.CallMove, act.CallRequest{
		Move: r.PostForm.Get(present.AtMove), Character: form.Ref(v.Acting(r.PostForm.Get(present.AtActor))), Values: values,
		Text: r.PostForm.Get(html.Own + "about"),
	}, "call "+r.PostForm.Get(html.Own+"key"))
	if err != nil {
		return moveRefused(w, r, v, err)
	}
	w.Header().Set("HX-Trigger", "asked")
	return done(w, r, v, entry.Seq, v.Link(v.At), html.Toast(v.Say("web.compose.asked", "Name", present.MayAsk(&v.Look))))
}
