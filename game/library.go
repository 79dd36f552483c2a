package game

// Library holds the games of a server. Games that are texts can come and go while it runs.
type Library interface {
	// Games are all that can be played, in the order in which people are offered them. Nobody
	// changes the list.
	Games() []*Game
}

// Fixed is a library of games that never changes.
type Fixed []*Game

// Games implements Library.
func (f Fixed) Games() []*Game { return f }

// CurrentGames returns the games of which tables can be opened now.
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
