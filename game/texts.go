package game

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"sync/atomic"
	"weak"

	"norn/lang"
)

// Texts holds the versions of a game read from a text: the installed one, and others that tables
// use. A table keeps its version, whatever is installed later. A version stays in memory as long as
// its game is in use.
type Texts struct {
	compile   func(source []byte) (*Game, error) // nil: there is only the installed one
	look      func()                             // checks whether the installed one has changed; may be nil
	withdrawn atomic.Bool

	mu      sync.Mutex
	now     *Game
	known   map[string]weak.Pointer[Game]
	renewed chan struct{} // closed when another text is installed
}

// TextOf returns the edition of a text.
func TextOf(source []byte) string {
	sum := sha256.Sum256(source)
	return hex.EncodeToString(sum[:])[:16]
}

// Install makes a game the installed version of its own Texts. compile makes a game of another
// text; look is called whenever the current game is requested, and may call Renew. Either may be
// nil.
func Install(g *Game, compile func(source []byte) (*Game, error), look func()) {
	t := &Texts{
		compile: compile,
		look:    look,
		now:     g,
		known:   map[string]weak.Pointer[Game]{},
		renewed: make(chan struct{}),
	}
	t.keep(g)
}

// Renew installs another text of the game, which tables opened from now on use.
func (t *Texts) Renew(newer *Game) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if newer.ID != t.now.ID || newer.Text == t.now.Text {
		return
	}
	if same := t.known[newer.Text].Value(); same != nil { // a table uses it
		newer = same
	}
	t.keep(newer)
	t.now = newer
	close(t.renewed)
	t.renewed = make(chan struct{})
}

// NextText returns a channel that is closed when the game has a newer text. It is nil for a
// compiled game.
func (g *Game) NextText() <-chan struct{} {
	t := g.Texts
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.renewed
}

// Withdraw sets whether the game is no longer offered. Its tables continue.
func (t *Texts) Withdraw(gone bool) { t.withdrawn.Store(gone) }

func (t *Texts) keep(g *Game) {
	g.Texts = t
	t.known[g.Text] = weak.Make(g)
}

// Now returns the current version of the game: another one if its text has been edited.
func (g *Game) Now() *Game {
	t := g.Texts
	if t == nil {
		return g
	}
	if t.look != nil {
		t.look()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

// ForEdition returns the game of an edition: this one, a known one, or one compiled from a source.
// It returns nil if there is none.
func (g *Game) ForEdition(edition string, sources ...[]byte) *Game {
	t := g.Texts
	if g.EditionID() == edition || t == nil {
		if g.EditionID() != edition {
			return nil
		}
		return g
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.known[edition].Value(); known != nil {
		return known
	}
	for _, source := range sources {
		if t.compile == nil || TextOf(source) != edition {
			continue
		}
		if made, err := t.compile(source); err == nil && made.ID == g.ID && made.Text == edition {
			t.keep(made)
			return made
		}
	}
	return nil
}

// Speak returns a speaker with the game's own terms, and with its own texts if it's read from a
// text.
func (g *Game) Speak(s lang.Speaker) lang.Speaker {
	own, _ := g.Words.(*lang.Own)
	return s.Of(g.ID).With(own)
}
