package html

import (
	"slices"

	"norn/form"
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
		s.Values, s.Uses, s.Changing = &f, usesOf(l.Voice.Game, l.View.Moves, c.ID), l.At.Change
		if kind, ok := l.Voice.Game.Kind(c.Kind); ok && c.Mine && kind.Player {
			s.Open = stillOpen(l.Voice, kind, f.Values, l.Master())
		}
	}
	return s
}

// usesOf returns the fields of moves with a character that choose something on its sheet.
func usesOf(g *game.Game, moves []view.MoveShown, character string) (uses []form.Field) {
	for _, m := range moves {
		if def, ok := g.Move(m.ID); ok && slices.Contains(m.Characters, character) {
			for _, f := range def.Form.All() {
				if f.At != nil {
					uses = append(uses, f)
				}
			}
		}
	}
	return uses
}

// Wrong adds the messages of a refusal to their fields.
func (f *SheetForm) Wrong(l *Look, err error) {
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
