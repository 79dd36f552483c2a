package page

import (
	"net/http"
	"net/url"
	"slices"

	"norn/internal/widget"
	"norn/lang"
	"norn/table/act"
	"norn/table/refusal"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
	"norn/web/middleware"
)

// getHero shows the page for making a hero; for the script, the decisions that an own hero still
// lacks.
func getHero(w http.ResponseWriter, r *http.Request, v *visit) error {
	query := r.URL.Query()
	m, ok := v.Look.Making(query.Get(html.Own+"kind"), query.Get(html.Own+"from"))
	if !ok {
		return &refusal.ForbiddenError{}
	}
	if middleware.HX(r) && query.Has(html.Own+"open") {
		values := fields.MergePicked(m.Fields.Form, query, fields.FormValues(query))
		open := html.DescribeMaking(v.Voice, m.Kind, values, v.Master())
		return show(w, r, v, http.StatusOK, widget.Ruled(v.Page.Game, open))
	}
	return showHeroes(w, r, http.StatusOK, v, m, v.Look.FromFile())
}

// getGuide shows the page for making a hero step by step.
func getGuide(w http.ResponseWriter, r *http.Request, v *visit) error {
	query := r.URL.Query()
	m, ok := v.Look.Making(query.Get(html.Own+"kind"), query.Get(html.Own+"from"))
	if !ok {
		return &refusal.ForbiddenError{}
	}
	m.Guided = true
	return showHeroes(w, r, http.StatusOK, v, m, v.Look.FromFile())
}

func showHeroes(w http.ResponseWriter, r *http.Request, status int, v *visit, m html.Making, from html.FromFile,
) error {
	if m.Guided {
		v.s.Show(w, r, status, html.GuidePage(heroFrame(r, v, "web.guide.head", "/hero/guide", m), &v.Look, m))
		return nil
	}
	ready := html.ReadyHeroes(v.Voice, v.View.Role, v.takenHeroes())
	v.s.Show(w, r, status, html.HeroPage(heroFrame(r, v, "web.hero.head", "/hero", m), &v.Look, ready, m, from))
	return nil
}

func heroFrame(r *http.Request, v *visit, head, path string, m html.Making) html.Frame {
	return frame(r, v, head, path+"?"+html.Own+"kind="+url.QueryEscape(m.Kind.ID))
}

// takenHeroes returns the ids of the ready heroes that are already at the table, as far as the seat
// sees: by name, in any language.
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

// typedHero returns the form of an own hero as it was posted.
func typedHero(r *http.Request, v *visit) (html.Making, error) {
	m, ok := v.Look.Making(r.PostForm.Get(html.Own+"kind"), r.PostForm.Get(html.Own+"from"))
	if !ok {
		return m, &refusal.ForbiddenError{}
	}
	m.Guided = r.PostForm.Get(atForm) == "guide"
	m.Name, m.Key = r.PostForm.Get(html.Own+"name"), r.PostForm.Get(html.Own+"key")
	m.Owners = html.NewOwners(v.Page, v.View, r.PostForm.Get(html.Own+"owner"))
	m.Fields.Values = fields.MergePicked(m.Fields.Form, r.PostForm, fields.FormValues(r.PostForm))
	m.Open = html.DescribeMaking(v.Voice, m.Kind, m.Fields.Values, v.Master())
	return m, nil
}

// readHero reads an own hero from the posted form.
func readHero(r *http.Request, v *visit, in act.Input) error {
	m, err := typedHero(r, v)
	if err != nil {
		return err
	}
	sheet, err := patch(v.Voice.Game, m.Kind.ID, m.Fields.Form, "", m.Fields.Values)
	if err != nil {
		return err
	}
	setText(in, "kind", m.Kind.ID)
	return in.Part("sheet", sheet)
}

// heroAgain shows the form again, with everything that was typed.
func heroAgain(w http.ResponseWriter, r *http.Request, v *visit, err error) error {
	m, failed := typedHero(r, v)
	if failed != nil {
		return failed
	}
	status, f := http.StatusOK, m.Fields.Form
	if err == nil {
		m.Fields.Values, m.Fields.Added, _ = fields.Resize(f, r.PostForm, m.Fields.Values)
	} else {
		status, _ = statusOf(err)
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
	}
	if middleware.HX(r) {
		return show(w, r, v, status, html.MakingAgain(v.Page, m))
	}
	return showHeroes(w, r, status, v, m, v.Look.FromFile())
}

// showAdded redirects to the sheet of a new character, in editing mode if it's blank.
func showAdded(w http.ResponseWriter, r *http.Request, v *visit, made any) error {
	at := v.At.WithTab("sheet").WithCharacter(made.(view.Character).ID)
	at.Edit = r.PostForm.Get(atForm) == "" && !r.PostForm.Has(html.Own+"hero")
	return redirectPage(w, r, v.Link(at))
}
