package play

import (
	"net/http"

	"norn/table/view"
	"norn/web/html"
)

// callOf is a move that a player is asked for.
func callOf(l *look, c view.CallShown) html.Call {
	at := l.at.move(c.Move)
	at.Actor, at.Call = c.Character, c.ID
	return html.Call{
		ID: c.ID, Who: l.voice.Name(c.Character), Said: html.Joined(append([]string{c.Name}, c.Said...)), Text: c.Text,
		Link: l.link(at) + "#composer", Pick: l.To("/move" + at.query()),
	}
}

// callsOpen are the moves that players were asked for.
func callsOpen(l *look) []html.Call {
	var all []html.Call
	for _, c := range l.view.Calls {
		all = append(all, callOf(l, c))
	}
	return all
}

// called are the moves that the reader is asked for.
func called(l *look) []html.Call {
	var all []html.Call
	for _, c := range l.calledFor() {
		all = append(all, callOf(l, c))
	}
	return all
}

// withdraw takes back what a player was asked for.
func withdraw(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.Withdraw(r.Context(), r.PostForm.Get(html.Own+"call"), r.PostForm.Get(html.Own+"key"))
	return mastered(w, r, v, entry, err)
}

// editionOf is what is to be said of newer rules.
func editionOf(l *look) html.Edition {
	e := html.Edition{Is: l.view.Newer, Was: l.view.Edition, Game: l.voice.Word("game", "name"), Takes: l.master()}
	var texts []string
	for _, m := range l.view.Stranded {
		e.Stranded, texts = append(e.Stranded, html.Stranded{Move: m.Move, Text: m.Text}), append(texts, m.Text)
	}
	e.Cancels = l.List(texts)
	return e
}

// takeEdition has the table played by this norn's rules.
func takeEdition(w http.ResponseWriter, r *http.Request, v *visit) error {
	entry, err := v.seat.TakeEdition(r.Context(), r.PostForm.Get(html.Own+"key"))
	if err != nil {
		return err
	}
	done(w, r, v, entry.Seq, v.link(v.at))
	return nil
}
