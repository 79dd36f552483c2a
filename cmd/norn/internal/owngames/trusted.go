package owngames

import (
	"context"
	"slices"
	"sync"

	"norn/game"
	"norn/journal"
	"norn/lang"
	"norn/table"
)

// Shelved holds the games of a server: those that it offers and, only for existing tables, those
// whose texts somebody trusted when importing a table.
type Shelved struct {
	game.Library
	Words *lang.Words // the games' words are added here

	mu   sync.Mutex
	more []*game.Game
}

// Games implements game.Library.
func (s *Shelved) Games() []*game.Game {
	offered := s.Library.Games()
	s.mu.Lock()
	defer s.mu.Unlock()
	all := offered
	for _, g := range s.more {
		if _, known := game.Find(offered, g.ID); !known {
			all = append(slices.Clip(all), g)
		}
	}
	return all
}

// Tables reads tables.
type Tables interface {
	table.Entries
	Tables(ctx context.Context) ([]journal.Head, error)
}

// Take adds the games of all tables that can be played, and returns how many tables can't, by the
// ids of their games. The error is one of the journal; a table whose text can't be read counts as
// one that can't be played.
func (s *Shelved) Take(ctx context.Context, tables Tables) (missing map[string]int, err error) {
	heads, err := tables.Tables(ctx)
	if err != nil {
		return nil, err
	}
	missing = map[string]int{}
	for _, head := range heads {
		first, err := tables.Read(ctx, head.Table, 0, 1)
		if err != nil {
			return nil, err
		}
		if len(first) == 0 {
			continue
		}
		id := table.GameOf(first[0])
		if _, known := game.Find(s.Games(), id); known || id == "" {
			continue
		}
		source, err := table.TrustedText(ctx, tables, head.Table)
		if err != nil {
			return nil, err
		}
		if !s.take(id, source) {
			missing[id]++
		}
	}
	return missing, nil
}

// take adds the game of a text for existing tables. It returns false if there is no such game.
func (s *Shelved) take(id string, source []byte) bool {
	if source == nil || s.Words.Speaks(id) {
		return false
	}
	g, err := compile(source)
	if err != nil || g.ID != id {
		return false
	}
	game.Install(g, compile, nil)
	g.Texts.Withdraw(true)
	s.Words.Take(g.Words.(*lang.Own))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.more = append(s.more, g)
	return true
}
