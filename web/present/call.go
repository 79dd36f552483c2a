package present

import (
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
	var all []html.Call
	for _, c := range l.View.Calls {
		all = append(all, callOf(l, c))
	}
	return all
}

// Called are the moves that the reader is asked for.
func Called(l *Look) []html.Call {
	var all []html.Call
	for _, c := range l.CalledFor() {
		all = append(all, callOf(l, c))
	}
	return all
}

// Edition is what is to be said of newer rules.
func Edition(l *Look) html.Edition {
	e := html.Edition{Is: l.View.Newer, Was: l.View.Edition, Game: l.Voice.Word("game", "name"), Takes: l.Master()}
	var texts []string
	for _, m := range l.View.Stranded {
		e.Stranded, texts = append(e.Stranded, html.Stranded{Move: m.Move, Text: m.Text}), append(texts, m.Text)
	}
	e.Cancels = l.List(texts)
	return e
}
