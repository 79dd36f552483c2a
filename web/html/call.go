package html

import (
	"norn/game"
	"norn/table/view"
)

// Calls returns calls for the page.
func (l *Look) Calls(all []view.CallShown) []Call {
	return game.Each(all, func(c view.CallShown) Call {
		at := l.At.WithMove(c.Move)
		at.Actor, at.Call = c.Character, c.ID
		return Call{
			ID: c.ID, Who: l.Voice.Name(c.Character), Said: JoinTexts(append([]string{c.Name}, c.Said...)), Text: c.Text,
			Link: l.Link(at) + "#composer", Pick: l.To("/move" + at.Query()),
		}
	})
}

// EditionOf returns what the page says about newer rules.
func EditionOf(p Page, v *view.View) Edition {
	return Edition{
		Is: v.Newer, Was: v.Edition, Game: p.Voice.Word("game", "name"), Text: p.Voice.Game.Text != "",
		Takes: v.Role == game.Master, Stranded: v.Stranded,
		Cancels: p.List(game.Each(v.Stranded, func(m view.Stranded) string { return m.Text })),
	}
}
