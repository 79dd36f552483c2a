package game

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"weak"

	"norn/lang"
)

// Texts are those of one game that is a text: the one that is installed, and others that tables are played by. A table is played by
// the text that stands at it, whatever has become of the installed one since. A text is in memory as long as somebody holds its game.
type Texts struct {
	compile func(source []byte) (*Game, error) // nil: there are no others than the installed one
	read    func() *Game                       // the installed one as it is now, nil where it's as it was or can't be read; may be nil

	mu    sync.Mutex
	now   *Game
	known map[string]weak.Pointer[Game]
}

// TextOf is the edition that a text is.
func TextOf(source []byte) string {
	sum := sha256.Sum256(source)
	return hex.EncodeToString(sum[:])[:16]
}

// Install has a game among texts of its own. compile makes a game of another text, and read looks whether the installed one has changed;
// either may be nil. read is asked whenever somebody asks for the game as it is now, by one at a time.
func Install(g *Game, compile func(source []byte) (*Game, error), read func() *Game) {
	t := &Texts{compile: compile, read: read, now: g, known: map[string]weak.Pointer[Game]{}}
	t.keep(g)
}

func (t *Texts) keep(g *Game) {
	g.Texts = t
	t.known[g.Text] = weak.Make(g)
}

// Now is the game as it's offered now: another one where its text has been edited.
func (g *Game) Now() *Game {
	t := g.Texts
	if t == nil {
		return g
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.read == nil {
		return t.now
	}
	if newer := t.read(); newer != nil && newer.ID == g.ID && newer.Text != t.now.Text {
		if same := t.known[newer.Text].Value(); same != nil { // some table is played by it
			newer = same
		}
		t.keep(newer)
		t.now = newer
	}
	return t.now
}

// Played is the game of an edition: this one, one that is known, or one that is made of a source. It's nil for one that isn't to be had.
func (g *Game) Played(edition string, sources ...[]byte) *Game {
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

// Speak is a speaker in the game's own terms, and with its own texts where it's a text.
func (g *Game) Speak(s lang.Speaker) lang.Speaker { return s.Of(g.ID).With(g.Speech) }
