package script

import (
	"cmp"
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
	maxSymbols   = rule.MaxVector // symbols counted at once
)

func declareDie(b *book, d *given) (starlark.Value, error) {
	die := &ownDie{thing: d.thing("die"), label: d.text("label")}
	for _, arg := range d.many {
		face, ok := starlark.AsString(arg)
		if !ok || utf8.RuneCountInString(face) > maxFaceRunes {
			return nil, wrong("die-face", "Max", maxFaceRunes)
		}
		die.faces = append(die.faces, face)
	}
	if len(die.faces) < 2 || len(die.faces) > maxOwnFaces {
		return nil, wrong("die-faces", "Max", maxOwnFaces)
	}
	if len(b.dice) == maxOwnDice {
		return nil, wrong("too-many", "Max", maxOwnDice)
	}
	b.dice = append(b.dice, die)
	return die, nil
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
	kinds, several := d.value("n").(*starlark.Dict)
	if !several {
		kinds = starlark.NewDict(1)
		if err := kinds.SetKey(cmp.Or[starlark.Value](d.value("sides"), starlark.None), d.value("n")); err != nil {
			return nil, err
		}
	}
	if several && d.value("sides") != nil {
		return nil, d.wrong("symbols-die")
	}
	pools := make([]symbolPool, 0, kinds.Len())
	for _, pair := range kinds.Items() {
		if !isSmall(pair[1]) {
			return nil, wantNumber("n", pair[1])
		}
		p, die, err := s.poolOf(d, pair[1], pair[0])
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
	return pools, nil
}

// net is what symbols counts: how often a symbol occurs, and a symbol that cancels it, "" for none.
type net struct{ symbol, against string }

func (n net) in(face string) int {
	count := strings.Count(face, n.symbol)
	if n.against != "" {
		count -= strings.Count(face, n.against)
	}
	return count
}

// netOf parses a symbol, or a pair of two of which the second cancels the first.
func netOf(arg starlark.Value) (n net, ok bool) {
	pair, isPair := arg.(starlark.Tuple)
	if isPair && len(pair) != 2 {
		return n, false
	}
	if !isPair {
		n.symbol, ok = starlark.AsString(arg)
		return n, ok && n.symbol != ""
	}
	n.symbol, ok = starlark.AsString(pair[0])
	against, isText := starlark.AsString(pair[1])
	n.against = against
	return n, ok && isText && n.symbol != "" && against != ""
}

// symbols counts how often symbols occur: "★★" has "★" twice. Of a pair the second symbol cancels the
// first: ("success", "failure") counts below 0, too.
func symbols(s *session, d *given) (starlark.Value, error) {
	pools, err := s.symbolPools(d)
	if err != nil {
		return nil, err
	}
	var wanted []net
	for _, arg := range d.many {
		n, ok := netOf(arg)
		if !ok {
			return nil, wrong("symbol")
		}
		wanted = append(wanted, n)
	}
	if len(wanted) == 0 || len(wanted) > maxSymbols {
		return nil, d.wrong("symbols-count", "Max", maxSymbols)
	}
	kinds := make([]rule.VectorPool, len(pools))
	for i, p := range pools {
		kinds[i] = rule.VectorPool{Pool: p.Pool, Faces: make([]rule.Vector, len(p.die.faces))}
		for j, face := range p.die.faces {
			for k, n := range wanted {
				kinds[i].Faces[j][k] = n.in(face)
			}
		}
	}
	fell := rule.SumVectors(s.run, kinds)
	values := make(starlark.Tuple, len(wanted))
	for i := range wanted {
		values[i] = starlark.MakeInt(fell[i])
	}
	if len(values) == 1 {
		return values[0], nil
	}
	return values, nil
}
