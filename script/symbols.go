package script

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"norn/dice"
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
	for _, k := range b.decks { // which of the cards left it was says nothing: the rule names the card
		back := []string{cardBack}
		all[k.throwName()], all[secretThrow+k.throwName()] = back, back
	}
	return all
}

// cardBack is shown for a card drawn.
const cardBack = "▮"

// symbolPool is a number of dice of one kind.
type symbolPool struct {
	dice.Pool
	die *ownDie
}

// symbolPools parses the dice of symbols: a number and a die, or a dict with a number for each of
// several.
func (s *session) symbolPools(d *given) ([]symbolPool, error) {
	kinds, several := (*starlark.Dict)(nil), false
	if len(d.args) > 0 {
		kinds, several = d.args[0].(*starlark.Dict)
	}
	if !several {
		p, die, err := s.ownPool(d)
		if err == nil && die == nil {
			err = d.wrong("symbols-die")
		}
		return []symbolPool{{p, die}}, err
	}
	d.args = d.args[1:]
	pools := make([]symbolPool, 0, kinds.Len())
	for _, pair := range kinds.Items() {
		one := &given{name: d.name, pos: d.pos, args: starlark.Tuple{pair[1], pair[0]}, kwargs: slices.Clone(d.kwargs)}
		p, die, err := s.ownPool(one)
		if err == nil && die == nil {
			err = d.wrong("symbols-die")
		}
		if err != nil {
			return nil, err
		}
		pools = append(pools, symbolPool{p, die})
	}
	if len(pools) == 0 || len(pools) > maxOwnDice {
		return nil, d.wrong("symbols-die")
	}
	_, err := d.flag("secret")
	return pools, err
}

// symbols counts how often symbols occur: "★★" has "★" twice. Only the counts matter, so dice of
// several kinds are a part: an exact walk adds them up before it goes on.
func symbols(s *session, d *given) (starlark.Value, error) {
	pools, err := s.symbolPools(d)
	if err != nil {
		return nil, err
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
	type counts = [maxSymbols]int
	throw := func(r *rule.Run, p symbolPool, so counts) counts {
		return rule.Fold(r, p.Pool, so, func(so counts, face, n int) counts {
			for i, symbol := range wanted {
				so[i] += n * strings.Count(p.die.faces[face-1], symbol)
			}
			return so
		})
	}
	var fell counts
	if len(pools) == 1 {
		fell = throw(s.run, pools[0], fell)
	} else {
		fell = rule.Part(s.run, func(r *rule.Run) (so counts) {
			for _, p := range pools {
				so = throw(r, p, so)
			}
			return so
		})
	}
	values := make(starlark.Tuple, len(wanted))
	for i := range wanted {
		values[i] = starlark.MakeInt(fell[i])
	}
	if len(values) == 1 {
		return values[0], nil
	}
	return values, nil
}
