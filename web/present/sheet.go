package present

import (
	"norn/table/view"
	"norn/web/html"
)

// Sheet is a character's sheet as it's drawn.
func Sheet(l *Look, c view.CharacterShown) html.Sheet {
	s := html.Sheet{ID: c.ID, Name: c.Name, Shown: c.Sheet, Unseen: c.Hidden}
	if kind, ok := l.Voice.Game.Kind(c.Kind); ok {
		s.Kind = &kind
	}
	if !c.Editable {
		return s
	}
	at := l.At
	at.Character, at.Edit, at.Tab = c.ID, true, "sheet"
	s.Edit, s.Pick = l.Link(at), l.To("/character"+at.Query())
	if f, ok := l.Forms[c.ID]; ok {
		s.Editor = &html.Editor{Voice: l.Voice, ID: c.ID, Name: c.Name, Form: f.Form, Values: f.Values, Among: f.Among}
	}
	return s
}

// SheetForm is a character's sheet while it is being changed.
type SheetForm struct {
	html.SheetForm
	Character view.CharacterShown
	Owner     string
}

// Drawn is the form as it's drawn.
func (f *SheetForm) Drawn(l *Look) html.SheetForm {
	at := l.At.WithCharacter(f.ID)
	f.Leave, f.Pick = l.Link(at.WithTab("sheet")), l.To("/character"+at.Query())
	if l.Master() {
		f.Owners = Owners(l, f.Owner)
	}
	return f.SheetForm
}

// Wrong puts a refusal where it belongs.
func (f *SheetForm) Wrong(l *Look, err error) {
	problems, rest := Split(err, "sheet")
	f.Fields.Problems = l.Voice.ProblemsOf(f.Fields.Form, problems)
	for _, p := range rest {
		id, data := p.Word()
		data["Field"] = l.Say("web.sheet.name")
		f.Notes = append(f.Notes, l.Say(id, data))
	}
	if len(problems)+len(rest) == 0 {
		f.Notes = append(f.Notes, l.SayError(err))
	}
}
