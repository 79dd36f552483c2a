package owngames

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/game"
	"norn/internal/rescue"
	"norn/lang"
	"norn/script"
)

// shelf holds norn's own games, and those in a folder, which can change.
type shelf struct {
	own      []*game.Game
	folder   string
	words    *lang.Words
	now      func() time.Time
	complain func(error)

	turn   sync.Mutex
	looked time.Time
	read   map[string]reading // by the folder's name
	known  []*game.Game       // their games, in the order of their first appearance
	all    []*game.Game
}

// reading is the result of reading a folder.
type reading struct {
	stamp string
	game  *game.Game // nil if it never could be read
	err   error
}

// Games implements game.Library.
func (s *shelf) Games() []*game.Game {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.now().Sub(s.looked) > lookAgain {
		s.look()
	}
	return s.all
}

// Folder returns the path of the folder that holds the games.
func (s *shelf) Folder() string { return s.folder }

// lookAgain is the time after which folders are examined again.
const lookAgain = time.Second

// look reads folders that are new or have changed, and updates the games. The caller holds turn.
func (s *shelf) look() {
	defer func() { s.looked = s.now() }()
	entries, err := os.ReadDir(s.folder)
	if err != nil { // it may be back in a moment
		if errors.Is(err, fs.ErrNotExist) {
			err = &script.Mistake{Word: "missing-folder"}
		}
		s.complain(&script.Problem{File: s.folder, What: err})
		return
	}
	there, changed := map[string]reading{}, []string(nil)
	for _, e := range entries {
		at := filepath.Join(s.folder, e.Name())
		if !isFolder(at) {
			continue
		}
		was := s.read[e.Name()]
		now := reading{stamp: stamp(at), game: was.game}
		if there[e.Name()] = now; now.stamp != was.stamp {
			changed = append(changed, e.Name())
		}
	}
	if s.read != nil && len(changed) == 0 && len(there) == len(s.read) {
		return
	}
	readAll(s.folder, changed, there)
	s.read = there
	s.offer(changed)
}

// offer offers the games of all folders by their newest texts, and no others. If two have the same
// id, the one that didn't change stays.
func (s *shelf) offer(changed []string) {
	var stay []string
	for _, name := range slices.Sorted(maps.Keys(s.read)) {
		if !slices.Contains(changed, name) {
			stay = append(stay, name)
		}
	}
	offered, from := slices.Clone(s.own), map[*game.Game]string{}
	for i, name := range append(stay, changed...) {
		r, at := s.read[name], filepath.Join(s.folder, name)
		var taken error
		if r.game != nil {
			taken = besides(cli.Wired{Games: offered, Words: s.words}, r.game, at)
		}
		if wrong := cmp.Or(taken, r.err); wrong != nil && i >= len(stay) {
			s.complain(wrong)
		}
		if r.game == nil || taken != nil {
			continue
		}
		g, known := game.Find(s.known, r.game.ID)
		if !known {
			g = r.game
			game.Install(g, compile, func() { s.Games() })
			s.known = append(s.known, g)
		}
		g.Texts.Renew(r.game)
		s.words.Take(r.game.Words.(*lang.Own))
		offered, from[g] = append(offered, g), name
	}
	slices.SortStableFunc(offered[len(s.own):], func(a, b *game.Game) int { return strings.Compare(from[a], from[b]) })
	s.all = slices.Clone(offered)
	for _, g := range s.known {
		_, here := from[g]
		if g.Texts.Withdraw(!here); !here {
			s.all = append(s.all, g) // for existing tables
		}
	}
}

// readAll reads folders in parallel, one per processor. If one can't be read, its previous game
// stays.
func readAll(folder string, names []string, into map[string]reading) {
	var turn sync.Mutex
	var next atomic.Int64
	var done sync.WaitGroup
	for range min(len(names), runtime.GOMAXPROCS(0)) {
		done.Go(rescue.Wrap(nil, "own games", func() {
			for i := next.Add(1) - 1; int(i) < len(names); i = next.Add(1) - 1 {
				g, err := gameIn(filepath.Join(folder, names[i]))
				turn.Lock()
				r := into[names[i]]
				if r.err = err; err == nil {
					r.game = g
				}
				into[names[i]] = r
				turn.Unlock()
			}
		}))
	}
	done.Wait()
}

// stamp returns a text that changes with the files of a game.
func stamp(folder string) string {
	var all strings.Builder
	for _, name := range script.Files {
		if about, err := os.Stat(filepath.Join(folder, name)); err == nil {
			fmt.Fprintln(&all, name, about.Size(), about.ModTime().UnixNano())
		}
	}
	return all.String()
}
