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

// Edition returns what the page says about newer rules.
func (l *Look) Edition() Edition {
	return Edition{
		Is: l.View.Newer, Was: l.View.Edition, Game: l.Voice.Word("game", "name"), Text: l.Voice.Game.Text != "",
		Takes: l.Master(), Stranded: l.View.Stranded,
		Cancels: l.List(game.Each(l.View.Stranded, func(m view.Stranded) string { return m.Text })),
	}
}
