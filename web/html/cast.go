package html

import (
	"slices"
	"strconv"
	"strings"

	"norn/game"
	"norn/table/view"
	"norn/web/fields"
)

// Cast returns the characters, one line each.
func (l *Look) Cast() []Character {
	return game.Each(l.View.Characters, func(c view.CharacterShown) Character { return l.CastLine(c) })
}

// alike is the number of similar NPCs that share a row of the cast.
const alike = 3

// CastRows returns the rows of the cast: heroes, then NPCs, then things, each in the order in which
// they were added. NPCs of one kind whose names differ only in their number share a row.
func (l *Look) CastRows() []CastRow {
	shown := slices.Clone(l.View.Characters)
	slices.SortStableFunc(shown, func(a, b view.CharacterShown) int { return l.castRank(a) - l.castRank(b) })
	type group struct {
		kind, name string
		hidden     bool
	}
	of := func(c view.CharacterShown) group { return group{c.Kind, trimNumber(c.Name), c.Hidden} }
	like := map[group][]Character{}
	for _, c := range shown {
		if l.castRank(c) == 1 {
			like[of(c)] = append(like[of(c)], l.CastLine(c))
		}
	}
	var rows []CastRow
	for _, c := range shown {
		all := like[of(c)]
		switch {
		case l.castRank(c) != 1 || len(all) < alike:
			rows = append(rows, CastRow{All: []Character{l.CastLine(c)}})
		case all[0].ID == c.ID:
			rows = append(rows, CastRow{Name: of(c).name, All: all})
		}
	}
	return rows
}

// castRank orders characters: 0 for heroes and others with a player, 1 for NPCs, 2 for things.
func (l *Look) castRank(c view.CharacterShown) int {
	kind, _ := l.Voice.Game.Kind(c.Kind)
	switch {
	case kind.Thing:
		return 2
	case kind.Player || l.SeatName(c.Owner) != "":
		return 0
	}
	return 1
}

// trimNumber returns a name without the number that distinguishes similar characters: "Guard" for
// "Guard 2".
func trimNumber(name string) string {
	base, number, ok := cutLast(name, " ")
	if _, err := strconv.ParseUint(number, 10, 32); ok && err == nil {
		return base
	}
	return name
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i > 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// CastLine returns a character's line.
func (l *Look) CastLine(c view.CharacterShown) Character {
	at := l.At.WithCharacter(c.ID)
	return Character{
		ID: c.ID, Name: c.Name, State: c.State, Out: c.Out, Waits: c.Waits, Whose: l.whose(c), Tracks: c.Tracks,
		Chosen: c.ID == l.At.Character, Face: Face{l.PictureAt(c.Portrait), monogram(c.Name)}, Unseen: c.Hidden,
		Link: l.Link(at.WithTab("sheet")), Pick: l.To("/character" + at.Query()),
		Alone: l.Link(Selection{Character: c.ID, Tab: "sheet"}),
	}
}

// faceOf returns a character's portrait, or its monogram if it has none.
func faceOf(p Page, all []view.CharacterShown, id string) Face {
	for _, c := range all {
		if c.ID == id && c.Portrait != "" {
			return Face{Portrait: p.PictureAt(c.Portrait)}
		}
	}
	return Face{Letters: monogram(p.Voice.Name(id))}
}

// monogram returns the first letters of a name's first and last words, in capitals.
func monogram(name string) string {
	words := strings.Fields(name)
	letters := ""
	for i, word := range words {
		if i == 0 || i == len(words)-1 {
			letters += initial(word)
		}
	}
	return letters
}

// whose returns a character's owner, or its kind if it has none.
func (l *Look) whose(c view.CharacterShown) string {
	if c.Mine {
		return l.Say("web.cast.yours")
	}
	if name := l.SeatName(c.Owner); name != "" {
		return name
	}
	return l.Voice.Word("kind", c.Kind)
}

// Owners returns the seats that may own a character, as options.
func (l *Look) Owners(owner string) []fields.Option {
	owners := []fields.Option{Option("", l.Say("web.sheet.nobody"), false)}
	for _, seat := range l.View.Seats {
		owners = append(owners, Option(seat.ID, seat.Name, seat.ID == owner))
	}
	return owners
}

// NewOwners returns the seats that may own a new character, as options; nil unless a game master has
// a choice.
func (l *Look) NewOwners(owner string) []fields.Option {
	if !l.Master() || len(l.View.Seats) < 2 {
		return nil
	}
	return l.Owners(owner)
}

// Adding returns the form that adds a character.
func (l *Look) Adding() NewCharacter {
	n := NewCharacter{Open: len(l.Actors()) == 0, Master: l.Master(), Owners: l.NewOwners("")}
	if len(l.Kinds()) > 0 {
		n.Heroes = l.To("/hero")
	}
	for _, k := range l.Voice.Game.Kinds {
		if l.Master() || l.View.Role == game.Player && k.Player {
			n.Kinds = append(n.Kinds, Option(k.ID, l.Voice.Word("kind", k.ID), len(n.Kinds) == 0))
		}
	}
	return n
}
