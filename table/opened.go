package table

import (
	"cmp"
	"context"
	"encoding/base32"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/journal"
	"norn/lang"
	"norn/relay"
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

// newTable is the form by which a NewTable is checked.
type newTable struct {
	Game string `json:"game" form:"choice,required"`
	Name string `json:"name" form:"required"`
	Lang string `json:"lang" form:"choice=en|ru|uk,required"`
}

// Create opens a table and gives its first seat, a game master's. Errors are
// *InvalidError and *UnavailableError.
func (h *Host) Create(ctx context.Context, n NewTable) (Created, error) {
	options := make([]form.Option, len(h.Games))
	for i, g := range h.Games {
		options[i].Value = g.ID
	}
	var wanted newTable
	texts := map[string]string{"game": n.Game, "name": n.Name, "lang": string(n.Lang)}
	if err := form.Of[newTable]().With("game", options...).Texts(texts, &wanted); err != nil {
		return Created{}, &InvalidError{Problems: err.(form.Problems)}
	}
	created, err := h.create(ctx, wanted)
	if conflict := (*journal.ConflictError)(nil); errors.As(err, &conflict) { // the same 80 random bits twice
		return Created{}, &ConflictError{}
	}
	return created, err
}

func (h *Host) create(ctx context.Context, n newTable) (Created, error) {
	id, err := draw(h.Entropy, 10)
	if err != nil {
		return Created{}, err
	}
	secret, lock, err := newSecret(h.Entropy)
	if err != nil {
		return Created{}, err
	}
	sealed, err := seal(h.Entropy)
	if err != nil {
		return Created{}, err
	}
	g, language := h.Games[slices.IndexFunc(h.Games, func(g *game.Game) bool { return g.ID == n.Game })], lang.Lang(n.Lang)
	settings, err := json.Marshal(g.Settings.Default)
	if err != nil {
		return Created{}, err
	}
	table := strings.ToLower(base32.StdEncoding.EncodeToString(id))
	master := seatAdded{ID: "s1", Name: h.Words.In(language).Of(g.ID).Say("table.role.gm"), Role: game.Master, Lock: lock}
	nobody := newLedger(table, h.Games).eye(&seat{id: master.ID}, lang.Speaker{})
	d, err := nobody.acts(KindOpened, opened{Game: g.ID, Name: n.Name, Lang: language, Settings: settings, game: g, settings: g.Settings.Default}, sealed, master)
	if err != nil {
		return Created{}, err
	}
	entry, err := h.entry(nobody, d, g.EditionID())
	if err != nil {
		return Created{}, err
	}
	_, err = h.append(ctx, table, 0, entry)
	if conflict := (*journal.ConflictError)(nil); errors.As(err, &conflict) {
		return Created{}, err
	}
	if err != nil {
		return Created{}, unavailable(table, 0, err)
	}
	h.Meter.Wrote(KindOpened)
	h.Relay.Publish(relay.Message{Table: table, Seq: 1})
	return Created{ID: table, Seat: Invitation{ID: master.ID, Role: master.Role, Name: master.Name, Secret: secret}}, nil
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

func (ev opened) lines(e eye) []Line {
	return e.line(ev, "opened", data{"Name": ev.Name, "Game": e.word("game", "name")}, data{"name": ev.Name, "game": ev.Game})
}

// entry is a draft of acts as it's stored, by an edition, once it's judged.
func (h *Host) entry(e eye, d draft, edition string) (journal.Entry, error) {
	d.body.sign(edition, h.Version)
	if err := e.judge(d); err != nil {
		return journal.Entry{}, err
	}
	data, err := json.Marshal(d.body)
	return journal.Entry{Time: h.Now(), Seat: e.seat.id, Body: data}, err
}

// sign says by which edition and which norn a body is made.
func (b *body) sign(edition, norn string) {
	b.made(edition)
	b.V, b.Rules = b.version(), norn
}
