package page

import (
	"encoding/json"
	"net/http"
	"slices"

	"norn/form"
	"norn/game"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/html"
	"norn/web/middleware"
)

// sentCharacter is the file of a character that was sent, or was sent before and is sent again with its form.
func sentCharacter(r *http.Request) []byte {
	if file := middleware.FileOf(r); len(file) > 0 {
		return file
	}
	return []byte(r.PostForm.Get(html.Own + "kept"))
}

// readCharacterFile reads a character's file. A hero from another program isn't taken at once: fileAgain
// shows first what it becomes.
func readCharacterFile(r *http.Request, _ *visit, in act.Input) error {
	data := sentCharacter(r)
	if !act.IsCharacterFile(data) {
		return refusal.Refuse("file-foreign", nil)
	}
	return in.Part("file", data)
}

// fileAgain says what of a file doesn't fit, and offers to take the rest.
func fileAgain(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	m, ok := v.Look.Making("", "")
	if !ok {
		return &refusal.ForbiddenError{}
	}
	data := sentCharacter(r)
	if !act.IsCharacterFile(data) {
		var read view.HeroRead
		if read, err = v.seat.ReadHero(r.Context(), data); err == nil {
			return showRead(w, r, http.StatusOK, v, html.HeroLookOf(v.Page, read, sentWith(r, v)))
		}
	}
	status, known := statusOf(err)
	if !known {
		return err
	}
	from := sentWith(r, v)
	var file view.CharacterFile
	_ = json.Unmarshal(data, &file) // what is no file is refused as that
	from.Foreign = file.Game == v.Voice.Game.ID && file.Edition != "" && file.Edition != v.View.Edition
	problems, _ := refusal.Split(err, "file.sheet")
	if kind, known := v.Voice.Game.Kind(file.Kind); known {
		from.Misfits = game.Each(problems, func(p form.Problem) string { return v.Voice.Problem(kind.Form, p) })
	}
	if len(from.Misfits) == 0 {
		from.Problem = v.SayError(err)
	}
	if from.Rest = len(from.Misfits) > 0 || refusesPart(err); from.Rest {
		from.Name, from.Kept = file.Name, string(data)
	}
	return showHeroes(w, r, status, v, m, from)
}

// portraitRefusals are the words of refusals of a file's portrait.
var portraitRefusals = []string{"table.refusal.no-picture", "table.refusal.picture-large"}

// refusesPart reports whether only a part of a file is refused: its portrait, or what a rule of the game
// doesn't allow.
func refusesPart(err error) bool {
	refused, ok := game.AsRefusal(err)
	return ok && (refused.Rule != "" || slices.Contains(portraitRefusals, refused.Word))
}
