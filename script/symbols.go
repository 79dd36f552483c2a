package script

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"norn/game"
	"norn/rule"
)

// ownDie is a die with its own faces: symbols, words, or blanks.
type ownDie struct {
	thing
	id    string
	label string
	faces []string
}

const (
	maxOwnDice   = 20  // dice in a game
	maxOwnFaces  = 100 // faces of one die
	maxFaceRunes = 12
	maxSymbols   = 4 // symbols counted at once
)

func declareDie(b *book, d *given) (_ starlark.Value, err error) {
	die := &ownDie{thing: thing{what: "die", pos: d.pos}}
	if die.label, err = d.text(); err != nil {
		return nil, err
	}
	for _, arg := range d.args {
		face, ok := starlark.AsString(arg)
		if !ok || utf8.RuneCountInString(face) > maxFaceRunes {
			return nil, wrong("die-face", "Max", maxFaceRunes)
		}
		die.faces = append(die.faces, face)
	}
	d.args = nil
	if len(die.faces) < 2 || len(die.faces) > maxOwnFaces {
		return nil, wrong("die-faces", "Max", maxOwnFaces)
	}
	if len(b.dice) == maxOwnDice {
		return nil, wrong("too-many", "Max", maxOwnDice)
	}
	b.dice = append(b.dice, die)
	return die, d.checkEmpty()
}

// face returns what the die shows, for a face from 1.
func (die *ownDie) face(n int) starlark.String { return starlark.String(die.faces[n-1]) }

// throwName returns the purpose of its throws.
func (die *ownDie) throwName() string { return "die-" + die.id }

// shows returns the faces of the game's own dice, by the purpose of their throws.
func (b *book) shows() map[string][]string {
	all := map[string][]string{}
	for _, die := range b.dice {
		shown := game.Each(die.faces, func(face string) string { return cmp.Or(face, "·") })
		all[die.throwName()], all[secretThrow+die.throwName()] = shown, shown
	}
	return all
}

// symbols counts how often symbols occur: "★★" has "★" twice.
func symbols(s *session, d *given) (starlark.Value, error) {
	p, die, err := s.ownPool(d)
	if err != nil {
		return nil, err
	}
	if die == nil {
		return nil, d.wrong("symbols-die")
	}
	var wanted []string
	for _, arg := range d.args {
		symbol, ok := starlark.AsString(arg)
		if !ok || symbol == "" {
			return nil, wrong("symbol")
		}
		wanted = append(wanted, symbol)
	}
	d.args = nil
	if len(wanted) == 0 || len(wanted) > maxSymbols {
		return nil, d.wrong("symbols-count", "Max", maxSymbols)
	}
	if err := d.checkEmpty(); err != nil {
		return nil, err
	}
	fell := rule.Fold(s.run, p, [maxSymbols]int{}, func(so [maxSymbols]int, face, n int) [maxSymbols]int {
		for i, symbol := range wanted {
			so[i] += n * strings.Count(die.faces[face-1], symbol)
		}
		return so
	})
	values := make(starlark.Tuple, len(wanted))
	for i := range wanted {
		values[i] = starlark.MakeInt(fell[i])
	}
	if len(values) == 1 {
		return values[0], nil
	}
	return values, nil
}
