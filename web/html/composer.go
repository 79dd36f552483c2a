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
		Moves: l.Moves(), At: l.At, MayStar: l.Acting(l.At.Actor) != "", Master: l.Master(),
		Player: l.MayAsk(), Invite: l.Master() && len(l.View.Seats) == 1 && !l.View.Begun,
		Key: NewKey(),
	}
	actor, ok := l.View.Character(l.At.Actor)
	c.Starred = actor.Starred
	if actors := Actors(l.Voice.Game, l.View); len(actors) > 1 {
		c.Actors = actorGroups(l.Voice, actors, l.At.Actor)
	} else if ok {
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

// moveAbout says what a move is for, in a line.
func moveAbout(p Page, move string) string {
	if word := p.Voice.Game.Word("move-about", move); p.Has(word) {
		return p.Say(word)
	}
	return ""
}

// callValues returns the arguments that a call has fixed as fields of a form.
func callValues(c view.CallShown) (values []Hidden) {
	for _, name := range slices.Sorted(maps.Keys(c.Values)) {
		for _, text := range c.Values[name] {
			values = append(values, Hidden{Name: name, Value: text})
		}
	}
	return values
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
func (c Composer) head(p Page) string {
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
		case m.ID != c.At.Move:
		case who == "":
			return JoinTexts([]string{m.Name, moveAbout(p, m.ID)})
		default:
			return JoinTexts([]string{who + ": " + m.Name, moveAbout(p, m.ID)})
		}
	}
	return who
}
