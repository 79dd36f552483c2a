package present

import (
	"norn/game"
	"norn/table/view"
	"norn/web/html"
)

// callOf is a move that a player is asked for.
func callOf(l *Look, c view.CallShown) html.Call {
	at := l.At.WithMove(c.Move)
	at.Actor, at.Call = c.Character, c.ID
	return html.Call{
		ID: c.ID, Who: l.Voice.Name(c.Character), Said: html.Joined(append([]string{c.Name}, c.Said...)), Text: c.Text,
		Link: l.Link(at) + "#composer", Pick: l.To("/move" + at.Query()),
	}
}

// CallsOpen are the moves that players were asked for.
func CallsOpen(l *Look) []html.Call {
	return game.Each(l.View.Calls, func(c view.CallShown) html.Call { return callOf(l, c) })
}

// Called are the moves that the reader is asked for.
func Called(l *Look) []html.Call {
	return game.Each(l.CalledFor(), func(c view.CallShown) html.Call { return callOf(l, c) })
}

// Edition is what is to be said of newer rules.
func Edition(l *Look) html.Edition {
	return html.Edition{
		Is: l.View.Newer, Was: l.View.Edition, Game: l.Voice.Word("game", "name"), Text: l.Voice.Game.Text != "", Takes: l.Master(), Stranded: l.View.Stranded,
		Cancels: l.List(game.Each(l.View.Stranded, func(m view.Stranded) string { return m.Text })),
	}
}
