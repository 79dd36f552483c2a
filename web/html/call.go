package html

import (
	"norn/game"
	"norn/table/view"
)

// callOf returns a call for the page.
func (l *Look) callOf(c view.CallShown) Call {
	at := l.At.WithMove(c.Move)
	at.Actor, at.Call = c.Character, c.ID
	return Call{
		ID: c.ID, Who: l.Voice.Name(c.Character), Said: JoinTexts(append([]string{c.Name}, c.Said...)), Text: c.Text,
		Link: l.Link(at) + "#composer", Pick: l.To("/move" + at.Query()),
	}
}

// CallsOpen returns the open calls to players.
func (l *Look) CallsOpen() []Call {
	return game.Each(l.View.Calls, func(c view.CallShown) Call { return l.callOf(c) })
}

// Calls returns the calls to the reader.
func (l *Look) Calls() []Call {
	return game.Each(l.CalledFor(), func(c view.CallShown) Call { return l.callOf(c) })
}

// Edition returns what the page says about newer rules.
func (l *Look) Edition() Edition {
	return Edition{
		Is: l.View.Newer, Was: l.View.Edition, Game: l.Voice.Word("game", "name"), Text: l.Voice.Game.Text != "",
		Takes: l.Master(), Stranded: l.View.Stranded,
		Cancels: l.List(game.Each(l.View.Stranded, func(m view.Stranded) string { return m.Text })),
	}
}
