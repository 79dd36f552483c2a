package game

// Library holds the games of a server. Games read from texts can be added and removed while it
// runs.
type Library interface {
	// Games returns all games, in the order in which they're offered. The list must not be changed.
	Games() []*Game
}

// Fixed is a library of games that never changes.
type Fixed []*Game

// Games implements Library.
func (f Fixed) Games() []*Game { return f }

// CurrentGames returns the games for which tables can be opened now.
func CurrentGames(l Library) []*Game {
	all := l.Games()
	offered := make([]*Game, 0, len(all))
	for _, g := range all {
		if g = g.Now(); g.Texts == nil || !g.Texts.withdrawn.Load() {
			offered = append(offered, g)
		}
	}
	return offered
}
