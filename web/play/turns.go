package play

import (
	"net/http"
	"strconv"

	"norn/game"
	"norn/table/refusal"
	"norn/table/request"
	"norn/web/html"
	"norn/web/present"
)

// passTurn makes the move by which a turn passes, unless it has passed since the page was drawn.
func passTurn(w http.ResponseWriter, r *http.Request, v *visit) error {
	if v.View.Role == game.Spectator {
		return &refusal.ForbiddenError{}
	}
	at, err := strconv.Atoi(r.PostForm.Get(html.Own + "at"))
	if said := present.TurnSaid(&v.Look, at); err != nil || said == "" || said != r.PostForm.Get(html.Own+"said") || v.View.Turns[at].Pass == nil {
		done(w, r, v, v.View.Seq, v.Link(v.At))
		return nil
	}
	pass := v.View.Turns[at].Pass
	made, err := v.seat.Make(r.Context(), request.Move{Move: pass.Move, Character: pass.Character, Args: pass.Args, Key: r.PostForm.Get(html.Own + "key")})
	if err != nil {
		return err
	}
	done(w, r, v, made.Entry.Seq, v.Link(v.At))
	return nil
}
