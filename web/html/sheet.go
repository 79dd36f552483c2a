package html

import (
	"net/url"
	"slices"

	"norn/game"
	"norn/table/refusal"
	"norn/table/view"
)

// Sheet returns a character's sheet for display.
func (l *Look) Sheet(c view.CharacterShown) Sheet {
	s := Sheet{
		Portrait: l.PictureAt(c.Portrait), ID: c.ID, Name: c.Name, Kind: c.Kind, Shown: c.Sheet,
		Unseen: c.Hidden, Names: game.Each(l.View.Characters, func(c view.CharacterShown) string { return c.Name }),
	}
	if !c.Editable {
		return s
	}
	s.Lists = listsFor(l.Page, l.View.Lists, c)
	s.File = l.To("/hero.json" + Selection{Character: c.ID}.Query())
	if l.Master() {
		s.Like = l.Key()
	}
	at := l.At
	at.Character, at.Edit, at.Change, at.Use, at.Tab = c.ID, false, false, "", "sheet"
	s.Leave = l.Link(at)
	at.Edit = true
	s.Edit, s.Whole = l.Link(at), l.To("/character"+at.Query())
	s.Left, s.Pick = l.To("/character"+Selection{Character: c.ID}.Query()),
		l.To("/character"+Selection{Character: c.ID, Change: true}.Query())
	if f, ok := l.Forms[c.ID]; ok {
		s.Editor = &Editor{ID: c.ID, Name: c.Name, SheetForm: f}
		s.Uses, s.Changing = usesOf(l.Page, l.View.Moves, c.ID, f.Values), l.At.Change
		if kind, ok := l.Voice.Game.Kind(c.Kind); ok && c.Mine && kind.Player {
			s.Open = stillOpen(l.Voice, kind, f.Values, l.Master())
		}
	}
	return s
}

// usesOf says which moves can be made with values of a character's sheet: those whose games' forms
// choose something there. held has the values as a form posts them.
func usesOf(p Page, moves []view.MoveShown, character string, held url.Values) Uses {
	u := Uses{Held: held, Link: p.To(Selection{Character: character, Actor: character}.Query()) + "&" + AtUse + "="}
	for _, m := range moves {
		if def, ok := p.Voice.Game.Move(m.ID); ok && slices.Contains(m.Characters, character) {
			for _, f := range def.Form.All() {
				if f.At != nil {
					u.Fields = append(u.Fields, f)
				}
			}
		}
	}
	return u
}

// SheetDraft is a character's sheet in its editing form.
type SheetDraft struct {
	SheetForm
	Character view.CharacterShown
	Owner     string
}

// Form returns the form for display.
func (f *SheetDraft) Form(l *Look) SheetForm {
	at := l.At.WithCharacter(f.ID)
	f.Leave, f.Pick = l.Link(at.WithTab("sheet")), l.To("/character"+at.Query())
	if l.Master() {
		f.Owners = Owners(l.Page, l.View.Seats, f.Owner)
	}
	return f.SheetForm
}

// Wrong adds the messages of a refusal to their fields.
func (f *SheetDraft) Wrong(l *Look, err error) {
	problems, rest := refusal.Split(err, "sheet")
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
