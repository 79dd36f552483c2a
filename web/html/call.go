package html

import (
	"norn/game"
	"norn/table/view"
	"norn/web/fields"
)

// Named has things of a view, and the names of the characters in them: a page gets them again when
// a name changes.
type Named[T any] struct {
	All   []T
	Names map[string]string // by the character's id
}

// CallsOf returns calls with the names of their characters.
func CallsOf(v fields.Voice, all []view.CallShown) Named[view.CallShown] {
	names := map[string]string{}
	for _, c := range all {
		names[c.Character] = v.Name(c.Character)
	}
	return Named[view.CallShown]{all, names}
}

// Called returns what is above a page's composer.
func (l *Look) Called() Called {
	c := Called{
		Newer: l.View.Newer, Edition: l.View.Edition, Takes: l.Master(), Stranded: l.View.Stranded,
		Calls: CallsOf(l.Voice, l.View.CallsToOwn()),
	}
	if len(c.Calls.All) > 0 {
		c.At = l.At.taking(view.CallShown{})
	}
	return c
}

// taking returns the selection with a call in the composer.
func (c Selection) taking(call view.CallShown) Selection {
	c = c.WithMove(call.Move)
	c.Actor, c.Call = call.Character, call.ID
	return c
}

// callText says which move a call asks for, with its fixed arguments.
func callText(c view.CallShown) string { return JoinTexts(append([]string{c.Name}, c.Said...)) }

// say returns a text about an edition of norn's rules, or about a text of an own game.
func (c Called) say(p Page, what string) string {
	if p.Voice.Game.Text != "" {
		what = "text-" + what
	}
	return p.Say("web.edition."+what, "Game", p.Voice.Word("game", "name"), "Was", c.Edition, "Is", c.Newer)
}

// cancels lists the moves that a switch to newer rules cancels.
func (c Called) cancels(p Page) string {
	return p.List(game.Each(c.Stranded, func(m view.Stranded) string { return m.Text }))
}
