package act

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"time"

	"norn/dice"
	"norn/game"
	"norn/lang"
	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// tableOpened is the first event of a table. Its entry also seals dice and adds a game master's
// seat.
type tableOpened struct {
	Game     string          `json:"game"`
	Name     string          `json:"name"`
	Lang     lang.Lang       `json:"lang"`
	Settings json.RawMessage `json:"settings"`           // the game's defaults at that time
	Notation string          `json:"notation,omitempty"` // how plain dice are read, "" as the editions before dice.Newest do
	game     *game.Game
	settings any
}

func (tableOpened) Type() string { return "table.opened" }

// ReadOpened returns the id of a table's game and the table's name from its first entry, without
// knowing the game.
func ReadOpened(body []byte) (game, name string, ok bool) {
	var entry struct {
		Events []struct {
			Type string          `json:"type"`
			Data json.RawMessage `json:"data"`
		} `json:"events"`
	}
	if json.Unmarshal(body, &entry) != nil {
		return "", "", false
	}
	for _, e := range entry.Events {
		var opened tableOpened
		if e.Type == opened.Type() && json.Unmarshal(e.Data, &opened) == nil {
			return opened.Game, opened.Name, true
		}
	}
	return "", "", false
}

func (ev tableOpened) Restore(st *state.State) (rule.Event, error) {
	i := slices.IndexFunc(st.Games, func(g *game.Game) bool { return g.ID == ev.Game })
	if i < 0 {
		return nil, refusal.UnknownGame(ev.Game)
	}
	ev.game = st.Games[i]
	var err error
	ev.settings, err = ev.game.Settings.Restore(ev.Settings)
	if err != nil && ev.game.Texts != nil { // settings of another text of the game
		ev.settings, err = ev.game.Settings.Default, nil
	}
	return ev, err
}

// OpenTable builds the first entry of a table, with its first seat, a game master's.
func OpenTable(nobody *visibility.Eye, g *game.Game, name string, l lang.Lang, master SeatAdded,
	entropy io.Reader,
) (ledger.Draft, error) {
	sealed, err := seal(entropy)
	if err != nil {
		return ledger.Draft{}, err
	}
	settings, err := json.Marshal(g.Settings.Default)
	if err != nil {
		return ledger.Draft{}, err
	}
	return draft(nobody, view.KindOpened,
		tableOpened{
			Game: g.ID, Name: name, Lang: l, Settings: settings, Notation: dice.Newest,
			game: g, settings: g.Settings.Default,
		}, sealed, master)
}

func (ev tableOpened) judge(p *Proposal) error {
	first := p.Record.Decoded[2].(SeatAdded)
	if first.Role != game.Master || first.ID != "s1" || p.Record.Seat != "s1" {
		return refusal.Misfit(refusal.MisfitID, view.Data{"Have": first.ID + " " + p.Record.Seat, "Want": "s1"})
	}
	if !slices.Contains(lang.All[:], ev.Lang) {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": string(ev.Lang)})
	}
	if _, err := dice.ParseAs("2d6", ev.Notation); err != nil {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": ev.Notation})
	}
	if _, err := ev.game.Settings.Decode(ev.Settings); err != nil {
		return refusal.Within("settings", err)
	}
	return cmp.Or(checkName.hold(ev.Name), checkName.hold(first.Name), first.Lock.Sound())
}

func (ev tableOpened) Fold(st *state.State, r *state.Record) {
	st.Game, st.Name, st.Lang, st.Settings, st.Edition = ev.game, ev.Name, ev.Lang, ev.settings, r.Edition
	st.Values.Notation = ev.Notation
	if st.IsOutdated() && st.Game.Texts != nil { // the entry of the text follows
		st.Unread = ev.Settings
	}
}

func (ev tableOpened) Plays() *game.Game { return ev.game }

func (ev tableOpened) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "opened", view.Data{"Name": ev.Name, "Game": e.Word("game", "name")},
		view.Data{"name": ev.Name, "game": ev.Game})
}

// tableImported says that all entries before it come from a file.
type tableImported struct {
	Exported time.Time `json:"exported"`
	Norn     string    `json:"norn"`
	Entries  int       `json:"entries"`
}

func (tableImported) Type() string { return "table.imported" }

// Import builds the entry that says where a table comes from, and seals new dice for its open
// moves. trusted says that the importer trusts the text of its own game.
func Import(nobody *visibility.Eye, exported time.Time, norn string, entries int, trusted bool,
	entropy io.Reader,
) (ledger.Draft, error) {
	sealed, err := seal(entropy)
	if err != nil {
		return ledger.Draft{}, err
	}
	d, err := draft(nobody, view.KindImported, tableImported{Exported: exported, Norn: norn, Entries: entries}, sealed)
	d.Content.Trusted = trusted && nobody.Table.Game.Text != ""
	d.Content.Reseals = len(nobody.Table.OpenMoves) > 0
	return d, err
}

func (ev tableImported) judge(p *Proposal) error {
	if p.Record.Reseals != (len(p.Table.OpenMoves) > 0) {
		return refusal.Misfit(refusal.MisfitUnreadable,
			view.Data{"Problem": "it doesn't say which dice the open moves go on with"})
	}
	return refusal.Same(strconv.Itoa(ev.Entries), strconv.FormatUint(p.Table.Seq, 10))
}

func (tableImported) Fold(st *state.State, r *state.Record) {
	st.Sessions = st.Sessions.With(func(s *state.Session) { s.To = r.Seq })
	st.Values.Deleted = nil // whoever imports it wants it
}

func (ev tableImported) Lines(e *visibility.Eye) []view.Line {
	return e.Line(ev, "imported", view.Data{"N": ev.Entries, "Norn": ev.Norn},
		view.Data{"exported": ev.Exported, "norn": ev.Norn, "entries": ev.Entries})
}
