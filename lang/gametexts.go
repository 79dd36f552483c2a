package lang

import (
	"io/fs"
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/text/feature/plural"
)

// Own are a game's own texts, made of its folder by norn itself. Each is made when it's first said:
// of two hundred games those that nobody plays cost next to nothing. As a folder it holds no files;
// Load takes its texts as they are.
type Own struct {
	game string
	ids  map[string]int
	make func(l Lang, n int) Forms
	said map[Lang][]atomic.Pointer[message]
	with sync.Map // tongues that say these texts before theirs, by the other's
}

// Forms are a text's plural forms, Other alone where it doesn't count.
type Forms struct {
	One, Few, Many, Other string
	Borrowed              bool // the language lacks the text: it's said in another
}

// OwnOf are the texts of a game, whose ids begin with its id. forms makes the nth of them in a
// language.
func OwnOf(game string, ids []string, forms func(l Lang, n int) Forms) *Own {
	o := &Own{game: game, ids: make(map[string]int, len(ids)), make: forms, said: map[Lang][]atomic.Pointer[message]{}}
	for n, id := range ids {
		o.ids[id] = n
	}
	for _, l := range All {
		o.said[l] = make([]atomic.Pointer[message], len(ids))
	}
	return o
}

// Has reports whether there is a text with an id.
func (o *Own) Has(id string) bool {
	_, ok := o.ids[id]
	return ok
}

// Open implements fs.FS.
func (o *Own) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (o *Own) message(l Lang, id string) *message {
	n, ok := o.ids[id]
	if !ok {
		return nil
	}
	said := &o.said[l][n]
	if known := said.Load(); known != nil {
		return known
	}
	forms := o.make(l, n)
	made := &message{borrowed: forms.Borrowed}
	for form, text := range map[plural.Form]string{
		plural.Other: forms.Other, plural.One: forms.One,
		plural.Few: forms.Few, plural.Many: forms.Many,
	} {
		if text == "" {
			continue
		}
		apart, err := takeApart(text)
		if err != nil { // whoever makes texts looks at their places before; as it is, it's seen
			apart = phrase{source: text}
		}
		made.forms[form] = &apart
		made.counts = made.counts || form != plural.Other
	}
	said.Store(made)
	return made
}

// owns are the games that have their own texts, by their ids; they change while others speak.
type owns struct {
	known atomic.Pointer[map[string]*Own]
	turn  sync.Mutex
}

func (o *owns) all() map[string]*Own {
	if known := o.known.Load(); known != nil {
		return *known
	}
	return nil
}

func (o *owns) message(l Lang, id string) *message {
	game, _, _ := strings.Cut(id, ".")
	if own := o.all()[game]; own != nil {
		return own.message(l, id)
	}
	return nil
}

// Apart are the same words; games' own texts that they take from then on are theirs alone.
func (w *Words) Apart() *Words {
	games := &owns{}
	games.known.Store(w.owns.known.Load())
	apart := &Words{owns: games, langs: map[Lang]func() *tongue{}}
	for l, read := range w.langs {
		apart.langs[l] = sync.OnceValue(func() *tongue { return read().with(games) })
	}
	return apart
}

// with returns the same language with other games' own texts behind all others.
func (t *tongue) with(games *owns) *tongue {
	here := *t
	here.owns, here.games = games, map[string]*tongue{}
	for game, of := range t.games {
		own := *of
		own.owns = games
		here.games[game] = &own
	}
	return &here
}

// Speaks reports whether norn's own texts have ids that begin like those of a game.
func (w *Words) Speaks(game string) bool {
	for id := range w.langs[En]().messages {
		if strings.HasPrefix(id, game+".") {
			return true
		}
	}
	return false
}

// Take has a game's own texts said where nobody speaks with others of it, in the place of those
// that were taken before.
func (w *Words) Take(own *Own) {
	w.owns.turn.Lock()
	defer w.owns.turn.Unlock()
	all := maps.Clone(w.owns.all())
	if all == nil {
		all = map[string]*Own{}
	}
	all[own.game] = own
	w.owns.known.Store(&all)
}
