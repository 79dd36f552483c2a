package playtest

import "testing"

func TestEclipseLook(t *testing.T) {
	e := openEclipse(serve(t))
	e.must("POST", e.path+"/moves", e.gm, body{"move": "opposed", "character": e.lira, "dice": []int{71}, "args": body{"on": "skill:persuade", "against": e.tam, "difficulty": "easy", "situation": "moderate-hindrance"}})
	for _, c := range []struct {
		name, lang, theme string
		w, h              int64
	}{{"uk360dark", "uk", "dark", 360, 740}, {"en1440dark", "en", "dark", 1440, 900}, {"uk768light", "uk", "light", 768, 1024}} {
		s := e.sit(c.name, e.anna, c.w, c.h)
		s.run("const f=document.createElement('form');f.method='post';f.action='/look';for (const [k,v] of [['_lang','" + c.lang + "'],['_theme','" + c.theme + "'],['_back',location.pathname]]) {const i=document.createElement('input');i.name=k;i.value=v;f.append(i)};document.body.append(f);f.submit()")
		s.sees("[data-move]", "")
		s.visit(e.url("/t" + e.path[len("/tables"):]))
		s.sees("[data-move]", "")
		s.run("document.documentElement.dataset.theme='" + c.theme + "'")
		if c.w < 800 {
			s.run("document.querySelector('[data-question-kind]').scrollIntoView({block:'start',behavior:'instant'})")
		}
		s.picture("question")
		if c.w < 500 {
			s.click(".compose-open")
		}
		s.click("#move-test")
		s.sees("[data-composer=test]", "")
		s.fills("[data-form=move]", "on", "skill:perceive")
		s.fills("[data-form=move]", "difficulty", "hard")
		s.sees("#odds .odds-variants", "+20")
		s.run("document.querySelector('#odds').scrollIntoView({block:'center',behavior:'instant'})")
		s.picture("test")
	}
}
