package html

import (
	"maps"
	"slices"

	"norn/game"
	"norn/table/view"
	"norn/web/fields"
)

// Composer returns the composer for the chosen character and move, without values.
func (l *Look) Composer() Composer {
	c := Composer{
		Moves: l.moveLinks(), Actor: l.At.Actor, Shown: l.At.Character, Move: l.At.Move, Master: l.Master(),
		Player: l.MayAsk(), Invite: l.Master() && len(l.View.Seats) == 1 && !l.View.Begun,
		Star: Star{May: l.Acting(l.At.Actor) != "", Is: l.IsFavourite(l.At.Move)}, Key: NewKey(),
	}
	if actors := Actors(l.Voice.Game, l.View); len(actors) > 1 {
		c.Actors = actorGroups(l.Voice, actors, l.At.Actor)
	} else if actor, ok := l.View.Character(l.At.Actor); ok {
		c.Who = actor.Name
	}
	return c
}

// Nobody explains why the reader can't make a move, with a link to add a character who could.
func (l *Look) Nobody(c *Composer) {
	switch {
	case len(c.Moves) > 0:
		if l.Master() && len(Actors(l.Voice.Game, l.View)) == 0 {
			l.nobodyActs(c)
		}
	case l.View.Role == game.Spectator:
		c.Nobody = l.Say("web.compose.spectator")
	case l.View.Role == game.Player:
		c.Nobody, c.Adding, c.Heroes = l.Say("web.compose.no-character"), l.To("/hero"), true
	default:
		l.nobodyActs(c)
	}
}

// nobodyActs shows a game master that there is no character who could act, with a link to the
// heroes, or to the cast in a game without heroes.
func (l *Look) nobodyActs(c *Composer) {
	if len(HeroKinds(l.Voice.Game, l.View.Role)) > 0 {
		c.Nobody, c.Adding, c.Heroes = l.Say("web.sheet.none"), l.To("/hero"), true
		return
	}
	c.Nobody, c.Adding = l.Say("web.compose.nobody"), l.Link(l.At.WithTab("cast"))+"#add-name"
}

// moveLinks returns the moves to choose from.
func (l *Look) moveLinks() []MoveLink {
	var links []MoveLink
	for _, m := range l.Moves() {
		at := l.At.WithMove(m.ID)
		link := MoveLink{
			ID: m.ID, Name: m.Name, Starred: l.IsFavourite(m.ID), Chosen: m.ID == l.At.Move,
			Link: l.Link(at) + "#composer", Pick: l.To("/move" + at.Query()),
		}
		if word := l.Voice.Game.Word("move-about", m.ID); l.Has(word) {
			link.About = l.Say(word)
		}
		links = append(links, link)
	}
	return links
}

// TakenCall returns a call for the composer.
func (l *Look) TakenCall(call view.CallShown) *Taken {
	t := Taken{ID: call.ID, Who: l.Voice.Name(call.Character), Name: call.Name, Said: call.Said, Text: call.Text}
	for _, name := range slices.Sorted(maps.Keys(call.Values)) {
		for _, text := range call.Values[name] {
			t.Values = append(t.Values, Hidden{Name: name, Value: text})
		}
	}
	return &t
}

// actorGroups returns the possible actors by kind. One that is out of play has the reason in its
// label.
func actorGroups(v fields.Voice, actors []view.CharacterShown, chosen string) []fields.Group {
	var groups []fields.Group
	for _, a := range actors {
		label := v.Word("kind", a.Kind)
		if n := len(groups); n == 0 || groups[n-1].Label != label {
			groups = append(groups, fields.Group{Label: label})
		}
		last, said := &groups[len(groups)-1], a.Name
		if a.Out {
			said = JoinTexts([]string{a.Name, a.State})
		}
		last.Options = append(last.Options, Option(a.ID, said, a.ID == chosen))
	}
	return groups
}

// MayAsk returns the player that the game master may ask for the chosen move.
func (l *Look) MayAsk() string {
	m, ok := l.Rule()
	c, there := l.View.Character(l.Acting(l.At.Actor))
	if !ok || !there || !l.Master() || m.GMOnly || c.Owner == "" || c.Mine {
		return ""
	}
	return l.View.SeatName(c.Owner)
}

// head returns the heading of the form: who makes which move, and what it's for.
func (c Composer) head() string {
	who := c.Who
	for _, g := range c.Actors {
		for _, o := range g.Options {
			if o.On {
				who = o.Label
			}
		}
	}
	for _, m := range c.Moves {
		switch {
		case m.ID != c.Move:
		case who == "":
			return JoinTexts([]string{m.Name, m.About})
		default:
			return JoinTexts([]string{who + ": " + m.Name, m.About})
		}
	}
	return who
}
