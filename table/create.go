package table

import (
	"context"
	"encoding/base32"
	"encoding/json"
	"errors"
	"strings"

	"norn/form"
	"norn/game"
	"norn/internal/relay"
	"norn/journal"
	"norn/lang"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// Create opens a table and returns its first seat, a game master's. Errors are *InvalidError and
// *UnavailableError.
func (h *Host) Create(ctx context.Context, n request.NewTable) (view.Created, error) {
	offered := game.CurrentGames(h.Games)
	options := make([]form.Option, len(offered))
	for i, g := range offered {
		options[i].Value = g.ID
	}
	var wanted newTable
	texts := map[string]string{"game": n.Game, "name": n.Name, "lang": string(n.Lang)}
	if err := form.Of[newTable]().With("game", options...).Texts(texts, &wanted); err != nil {
		return view.Created{}, &refusal.InvalidError{Problems: err.(form.Problems)}
	}
	g, _ := game.Find(offered, wanted.Game)
	created, err := h.create(ctx, g, wanted)
	if errors.As(err, new(*journal.ConflictError)) { // the random id is taken
		return view.Created{}, &refusal.ConflictError{}
	}
	if err != nil {
		return created, err
	}
	seat, err := h.Enter(ctx, created.ID, created.Seat.Secret, lang.Lang(wanted.Lang))
	if err == nil {
		err = attachText(Free(ctx), seat)
	}
	if err != nil { // the table is open, and can get its text later
		h.Log.WarnContext(ctx, "a table is without its game's text", "table", created.ID, "error", err)
	}
	return created, nil
}

func (h *Host) create(ctx context.Context, g *game.Game, n newTable) (view.Created, error) {
	drawn, err := state.RandomBytes(h.Entropy, 10)
	if err != nil {
		return view.Created{}, err
	}
	secret, lock, err := state.NewSecret(h.Entropy)
	if err != nil {
		return view.Created{}, err
	}
	id := strings.ToLower(base32.StdEncoding.EncodeToString(drawn))
	language := lang.Lang(n.Lang)
	master := act.SeatAdded{Seating: act.Seating{
		ID: "s1", Name: g.Speak(h.Words.In(language)).Say("table.role.gm"),
		Role: game.Master, Lock: lock,
	}}
	nobody := visibility.Of(ledger.New(id, h.Games.Games(), act.Vocabulary), &state.Seat{ID: master.ID}, lang.Speaker{})
	d, err := act.OpenTable(nobody, g, n.Name, language, master, h.Entropy)
	if err != nil {
		return view.Created{}, err
	}
	entry, err := h.judgedEntry(nobody, d, g.EditionID())
	if err != nil {
		return view.Created{}, err
	}
	_, err = h.append(ctx, id, 0, entry)
	if errors.As(err, new(*journal.ConflictError)) {
		return view.Created{}, err
	}
	if err != nil {
		return view.Created{}, refusal.Unavailable(id, 0, err)
	}
	h.Meter.CountEntry(view.KindOpened)
	h.Relay.Publish(relay.Message{Table: id, Seq: 1})
	return view.Created{ID: id, Seat: view.Invitation{
		ID: master.ID, Role: master.Role, Name: master.Name,
		Secret: secret,
	}}, nil
}

// judgedEntry checks a draft of acts and returns its entry, made by an edition.
func (h *Host) judgedEntry(e *visibility.Eye, d ledger.Draft, edition string) (journal.Entry, error) {
	d.Content.Sign(edition, h.Version)
	now := h.Now()
	if err := act.Judge(e, d, now); err != nil {
		return journal.Entry{}, err
	}
	data, err := json.Marshal(d.Content)
	return journal.Entry{Time: now, Seat: e.Seat.ID, Body: data}, err
}

// newTable is the form that checks a NewTable.
type newTable struct {
	Game string `json:"game" form:"choice,required"`
	Name string `json:"name" form:"required"`
	Lang string `json:"lang" form:"choice=en|ru|uk,required"`
}

// Restore gives a game master's seat a new secret, for an operator whose game master has lost the
// link. The old link stops working, and the log says so. id may be "" if the table has one game
// master. No seat can request it.
//
// Errors are *NotFoundError for an unknown table, *InvalidError for a seat that isn't a game
// master's or must be named, *ConflictError, *UnavailableError and *UnreadableError.
func (h *Host) Restore(ctx context.Context, tableID, id string) (view.Invitation, error) {
	var secret string
	r, err := h.write(ctx, tableID, nobody, func(e *visibility.Eye) (ledger.Draft, error) {
		drawn, lock, err := state.NewSecret(h.Entropy)
		if err != nil {
			return ledger.Draft{}, err
		}
		secret = drawn
		return act.RestoreSeat(e, id, lock)
	})
	if err != nil {
		return view.Invitation{}, err
	}
	restored := r.Decoded[0].(act.SeatRestored)
	return view.Invitation{ID: restored.ID, Role: restored.Role, Name: restored.Name, Secret: secret}, nil
}
