package lang

import (
	"io/fs"
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/text/feature/plural"
)

// Own holds a game's own texts, which norn generates from the game's folder. Each text is made when
// it's first used, so a server with two hundred games spends almost nothing on those that nobody
// plays. As a file system it has no files; Load uses its texts directly.
type Own struct {
	game string
	ids  map[string]int
	make func(l Lang, n int) Forms
	said map[Lang][]atomic.Pointer[message]
	// ids that IDs leaves out: texts that a game works with, which people are never shown
	unsaid map[string]bool
	with   sync.Map // caches tongues that use these texts before their own, by the other tongue
}

// Forms are a text's plural forms; a text without plurals has only Other.
type Forms struct {
	One, Few, Many, Other string
	Borrowed              bool // the language lacks the text, so it's in another language
}

// OwnOf returns the texts of a game, whose ids begin with its id. forms makes the nth of them in a
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

// LeaveOut has Words.IDs leave out some texts, which people are never shown.
func (o *Own) LeaveOut(ids []string) {
	o.unsaid = make(map[string]bool, len(ids))
	for _, id := range ids {
		o.unsaid[id] = true
	}
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
		if err != nil { // texts are checked when they're made; should one be wrong, it's shown as it is
			apart = phrase{source: text}
		}
		made.forms[form] = &apart
		made.counts = made.counts || form != plural.Other
	}
	said.Store(made)
	return made
}

// owns holds the games with their own texts, by id. It changes while speakers are in use.
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

// Apart returns the same words with a separate set of games: texts added by Take on either one
// don't appear in the other.
func (w *Words) Apart() *Words {
	games := &owns{}
	games.known.Store(w.owns.known.Load())
	apart := &Words{owns: games, langs: map[Lang]func() *tongue{}}
	for l, read := range w.langs {
		apart.langs[l] = sync.OnceValue(func() *tongue { return read().with(games) })
	}
	return apart
}

// with returns the same language with another set of games, whose texts are used last.
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

// Take adds a game's own texts, or replaces the ones it took before. Speakers made by With keep
// using their own version.
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
