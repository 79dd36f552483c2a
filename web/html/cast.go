package html

import (
	"cmp"
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
func (l *Look) CastRows() [][]Character {
	const heroes, npcs, things = 0, 1, 2
	rank := func(c view.CharacterShown) int {
		kind, _ := l.Voice.Game.Kind(c.Kind)
		switch {
		case kind.Thing:
			return things
		case kind.Player || l.View.SeatName(c.Owner) != "":
			return heroes
		}
		return npcs
	}
	shown := slices.Clone(l.View.Characters)
	slices.SortStableFunc(shown, func(a, b view.CharacterShown) int { return rank(a) - rank(b) })
	type group struct {
		kind, name string
		hidden     bool
	}
	of := func(c view.CharacterShown) group { return group{c.Kind, trimNumber(c.Name), c.Hidden} }
	like := map[group][]Character{}
	for _, c := range shown {
		if rank(c) == npcs {
			like[of(c)] = append(like[of(c)], l.CastLine(c))
		}
	}
	var rows [][]Character
	for _, c := range shown {
		all := like[of(c)]
		switch {
		case rank(c) != npcs || len(all) < alike:
			rows = append(rows, []Character{l.CastLine(c)})
		case all[0].ID == c.ID:
			rows = append(rows, all)
		}
	}
	return rows
}

// RowName returns the common name of similar NPCs in a row of the cast, "" for a character alone.
func RowName(row []Character) string {
	if len(row) == 1 {
		return ""
	}
	return trimNumber(row[0].Name)
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
	portrait, letters := faceOf(l.Page, c.Portrait, c.Name)
	return Character{
		ID: c.ID, Name: c.Name, State: c.State, Out: c.Out, Waits: c.Waits, Tracks: c.Tracks,
		Whose:  whose(l.Voice, c, l.View.SeatName(c.Owner)),
		Chosen: c.ID == l.At.Character, Portrait: portrait, Letters: letters, Unseen: c.Hidden,
		Link: l.Link(at.WithTab("sheet")), Pick: l.To("/character" + at.Query()),
		Alone: l.Link(Selection{Character: c.ID, Tab: "sheet"}),
	}
}

// faceOf returns the address of a portrait, or the monogram of a name without one.
func faceOf(p Page, portrait, name string) (at, letters string) {
	if portrait != "" {
		return p.PictureAt(portrait), ""
	}
	return "", monogram(name)
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
func whose(v fields.Voice, c view.CharacterShown, owner string) string {
	if c.Mine {
		return v.Say("web.cast.yours")
	}
	return cmp.Or(owner, v.Word("kind", c.Kind))
}

// Owners returns the seats that may own a character, as options.
func Owners(p Page, seats []view.SeatShown, owner string) []fields.Option {
	owners := []fields.Option{Option("", p.Say("web.sheet.nobody"), false)}
	for _, seat := range seats {
		owners = append(owners, Option(seat.ID, seat.Name, seat.ID == owner))
	}
	return owners
}

// NewOwners returns the seats that may own a new character, as options; nil unless a game master has
// a choice.
func NewOwners(p Page, v *view.View, owner string) []fields.Option {
	if v.Role != game.Master || len(v.Seats) < 2 {
		return nil
	}
	return Owners(p, v.Seats, owner)
}

// kindsToAdd returns the kinds of characters that a role may add, as options.
func kindsToAdd(v fields.Voice, role game.Role) (kinds []fields.Option) {
	for _, k := range v.Game.Kinds {
		if role == game.Master || role == game.Player && k.Player {
			kinds = append(kinds, Option(k.ID, v.Word("kind", k.ID), len(kinds) == 0))
		}
	}
	return kinds
}
