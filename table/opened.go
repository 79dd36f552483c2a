package table

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"norn/game"
	"norn/lang"
	"norn/rule"
)

// opened is the first thing that is said of a table; dice are sealed and a game master seated with it.
type opened struct {
	Game     string          `json:"game"`
	Name     string          `json:"name"`
	Lang     lang.Lang       `json:"lang"`
	Settings json.RawMessage `json:"settings"` // the game's own at that time
	game     *game.Game
	settings any
}

func (opened) Type() string { return "table.opened" }

func (ev opened) restore(st *state) (rule.Event, error) {
	i := slices.IndexFunc(st.games, func(g *game.Game) bool { return g.ID == ev.Game })
	if i < 0 {
		return nil, unknown("the game %q is not known", ev.Game)
	}
	ev.game = st.games[i]
	var err error
	ev.settings, err = ev.game.Settings.Restore(ev.Settings)
	return ev, err
}

// openTable begins a table of a game with its first seat, a game master's.
func openTable(nobody eye, g *game.Game, name string, l lang.Lang, master seatAdded, entropy io.Reader) (draft, error) {
	sealed, err := seal(entropy)
	if err != nil {
		return draft{}, err
	}
	settings, err := json.Marshal(g.Settings.Default)
	if err != nil {
		return draft{}, err
	}
	return draftActs(nobody, KindOpened, opened{Game: g.ID, Name: name, Lang: l, Settings: settings, game: g, settings: g.Settings.Default}, sealed, master)
}

func (ev opened) judge(p *proposal) error {
	first := p.r.events[2].(seatAdded)
	if first.Role != game.Master || first.ID != "s1" || p.r.Seat != "s1" {
		return misfit(MisfitID, data{"Have": first.ID + " " + p.r.Seat, "Want": "s1"})
	}
	if !slices.Contains(lang.All[:], ev.Lang) {
		return misfit(MisfitRefused, data{"Problem": string(ev.Lang)})
	}
	if _, err := ev.game.Settings.Decode(ev.Settings); err != nil {
		return within("settings", err)
	}
	return cmp.Or(checkName.hold(ev.Name), checkName.hold(first.Name), first.Lock.sound())
}

func (ev opened) fold(st *state, r *record) {
	st.game, st.name, st.lang, st.settings, st.edition = ev.game, ev.Name, ev.Lang, ev.settings, r.Edition
}

func (ev opened) plays() *game.Game { return ev.game }

func (ev opened) lines(e eye) []Line {
	return e.line(ev, "opened", data{"Name": ev.Name, "Game": e.word("game", "name")}, data{"name": ev.Name, "game": ev.Game})
}

// sign says by which edition and which norn a body is made.
func (b *body) sign(edition, norn string) {
	b.made(edition)
	b.V, b.Rules = b.version(), norn
}
