package play

import (
	"net/http"
	"net/url"
	"slices"

	"norn/lang"
	"norn/table"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/door"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/present"
	"norn/widget"
)

// getHero is the page on which one comes to a hero; for script, what an own one still lacks.
func getHero(w http.ResponseWriter, r *http.Request, v *visit) error {
	query := r.URL.Query()
	m, ok := present.Making(&v.Look, query.Get(html.Own+"kind"))
	if !ok {
		return &refusal.ForbiddenError{}
	}
	if door.HX(r) && query.Has(html.Own+"open") {
		values := fields.Picked(m.Fields.Form, query, fields.Sent(query))
		return show(w, r, v, http.StatusOK, widget.Ruled(v.Page.Game, present.StillOpen(&v.Look, m.Of, values)))
	}
	return showHeroes(w, r, http.StatusOK, v, m)
}

func showHeroes(w http.ResponseWriter, r *http.Request, status int, v *visit, m present.HeroDraft) error {
	f := frame(r, v, "web.hero.head", "/hero?"+html.Own+"kind="+url.QueryEscape(m.Kind))
	v.s.Show(w, r, status, html.HeroPage(f, v.Page, html.Heroes{
		Seat: v.View.Seat, Name: v.View.Name, Game: v.Voice.Word("game", "name"), Ready: present.ReadyHeroes(&v.Look, v.takenHeroes()), Making: m.Making,
	}, present.XCardListener(&v.Look)))
	return nil
}

// takenHeroes returns the ids of the ready heroes who are at the table already, as far as the seat
// sees: by their names, in whatever language they were taken.
func (v *visit) takenHeroes() map[string]bool {
	g, taken := v.Voice.Game, map[string]bool{}
	for _, l := range lang.All {
		for _, hero := range g.ReadyHeroes(g.Speak(v.s.Words.In(l))) {
			if slices.ContainsFunc(v.View.Characters, func(c view.CharacterShown) bool { return c.Name == hero.Name }) {
				taken[hero.ID] = true
			}
		}
	}
	return taken
}

// postHero takes a ready hero, or makes an own one of what was decided.
func postHero(w http.ResponseWriter, r *http.Request, v *visit) error {
	key := r.PostForm.Get(html.Own + "key")
	if hero := r.PostForm.Get(html.Own + "hero"); hero != "" {
		entry, err := table.Do(r.Context(), v.seat, act.AddCharacter, act.CharacterRequest{Hero: hero}, key)
		if err != nil {
			return err
		}
		return added(w, r, v, entry, false)
	}
	m, ok := present.Making(&v.Look, r.PostForm.Get(html.Own+"kind"))
	if !ok {
		return &refusal.ForbiddenError{}
	}
	owner := r.PostForm.Get(html.Own + "owner")
	m.Name, m.Key = r.PostForm.Get(html.Own+"name"), key
	if m.Owners != nil {
		m.Owners = present.Owners(&v.Look, owner)
	}
	f := m.Fields.Form
	m.Fields.Values = fields.Picked(f, r.PostForm, fields.Sent(r.PostForm))
	m.Open = present.StillOpen(&v.Look, m.Of, m.Fields.Values)
	if changed, added, ok := fields.Resized(f, r.PostForm, m.Fields.Values); ok {
		m.Fields.Values, m.Fields.Added = changed, added
		return makingAgain(w, r, http.StatusOK, v, m)
	}
	sheet, err := patch(v.Voice.Game, m.Kind, f, "", m.Fields.Values)
	var entry view.Character
	if err == nil {
		entry, err = table.Do(r.Context(), v.seat, act.AddCharacter, act.CharacterRequest{Name: m.Name, Kind: m.Kind, Owner: owner, Sheet: sheet}, key)
	}
	if err == nil {
		return added(w, r, v, entry, false)
	}
	status, known := statusOf(err)
	if !known {
		return err
	}
	problems, rest := refusal.Split(err, "sheet")
	m.Fields.Problems = v.Voice.ProblemsOf(f, problems)
	for _, p := range rest {
		id, data := p.Word()
		data["Field"] = v.Say("web.sheet.name")
		m.Wrong = v.Say(id, data)
	}
	if len(problems)+len(rest) == 0 {
		m.Notes = append(m.Notes, v.SayError(err))
	}
	return makingAgain(w, r, status, v, m)
}

// makingAgain shows the form again, with all that was typed.
func makingAgain(w http.ResponseWriter, r *http.Request, status int, v *visit, m present.HeroDraft) error {
	if door.HX(r) {
		return show(w, r, v, status, html.MakingAgain(v.Page, m.Making))
	}
	return showHeroes(w, r, status, v, m)
}

// added leads to the sheet of a character that was just added, to be filled in where that is so.
func added(w http.ResponseWriter, r *http.Request, v *visit, entry view.Character, fill bool) error {
	at := v.At.WithTab("sheet")
	err := v.still(r.Context(), func() error {
		known := v.View.Characters
		if err := v.see(r.Context()); err != nil {
			return err
		}
		at = at.WithCharacter(entry.Entry.Character)
		for _, c := range v.View.Characters {
			if at.Character == "" && !slices.ContainsFunc(known, func(k view.CharacterShown) bool { return k.ID == c.ID }) {
				at = at.WithCharacter(c.ID)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	at.Edit = fill
	return redirectPage(w, r, v.Link(at))
}
