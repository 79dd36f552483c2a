package present

import (
	"norn/game"
	"norn/table/view"
	"norn/web/fields"
	"norn/web/html"
)

// Cast are the characters in one line each.
func Cast(l *Look) []html.Character {
	return game.Each(l.View.Characters, func(c view.CharacterShown) html.Character { return CastLine(l, c) })
}

// CastLine is one of them.
func CastLine(l *Look, c view.CharacterShown) html.Character {
	at := l.At.WithCharacter(c.ID)
	return html.Character{
		ID: c.ID, Name: c.Name, State: c.State, Out: c.Out, Waits: c.Waits, Whose: whose(l, c), Tracks: c.Tracks, Chosen: c.ID == l.At.Character, Portrait: PictureAt(l, c.Portrait), Unseen: c.Hidden,
		Link: l.Link(at.WithTab("sheet")), Pick: l.To("/character" + at.Query()), Alone: l.Link(Selection{Character: c.ID, Tab: "sheet"}),
	}
}

// whose says whose a character is, or what it is where it is nobody's.
func whose(l *Look, c view.CharacterShown) string {
	if c.Mine {
		return l.Say("web.cast.yours")
	}
	if name := l.SeatName(c.Owner); name != "" {
		return name
	}
	return l.Voice.Word("kind", c.Kind)
}

// Owners are the seats that may own a character.
func Owners(l *Look, owner string) []fields.Option {
	owners := []fields.Option{Option("", l.Say("web.sheet.nobody"), false)}
	for _, seat := range l.View.Seats {
		owners = append(owners, Option(seat.ID, seat.Name, seat.ID == owner))
	}
	return owners
}

// Newcomer is a character to add, as it was sent.
type Newcomer struct {
	Name, Kind, Owner, Problem string
	Unseen                     bool
}

// Adding is the form that adds a character; sent is one that couldn't be added, nil for none.
func Adding(l *Look, sent *Newcomer) html.NewCharacter {
	n := html.NewCharacter{Open: sent != nil || len(l.Actors()) == 0}
	if sent == nil {
		sent = &Newcomer{}
	}
	n.Name, n.Wrong = sent.Name, sent.Problem
	if len(Kinds(l)) > 0 {
		n.Heroes = l.To("/hero")
	}
	for _, k := range l.Voice.Game.Kinds {
		if l.Master() || l.View.Role == game.Player && k.Player {
			n.Kinds = append(n.Kinds, Option(k.ID, l.Voice.Word("kind", k.ID), sent.Kind == k.ID || sent.Kind == "" && len(n.Kinds) == 0))
		}
	}
	if l.Master() && len(l.View.Seats) > 1 {
		n.Owners = Owners(l, sent.Owner)
	}
	if l.Master() {
		n.Unseen = &sent.Unseen
	}
	return n
}
