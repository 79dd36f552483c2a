package table

import (
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
)

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
	drawn, err := draw(h.Entropy, 10)
	if err != nil {
		return Created{}, err
	}
	secret, lock, err := newSecret(h.Entropy)
	if err != nil {
		return Created{}, err
	}
	id := strings.ToLower(base32.StdEncoding.EncodeToString(drawn))
	g, language := h.Games[slices.IndexFunc(h.Games, func(g *game.Game) bool { return g.ID == n.Game })], lang.Lang(n.Lang)
	master := seatAdded{ID: "s1", Name: h.Words.In(language).Of(g.ID).Say("table.role.gm"), Role: game.Master, Lock: lock}
	nobody := eyeOf(newLedger(id, h.Games, kinds), &seat{id: master.ID}, lang.Speaker{})
	d, err := openTable(nobody, g, n.Name, language, master, h.Entropy)
	if err != nil {
		return Created{}, err
	}
	entry, err := h.entry(nobody, d, g.EditionID())
	if err != nil {
		return Created{}, err
	}
	_, err = h.append(ctx, id, 0, entry)
	if conflict := (*journal.ConflictError)(nil); errors.As(err, &conflict) {
		return Created{}, err
	}
	if err != nil {
		return Created{}, unavailable(id, 0, err)
	}
	h.Meter.Wrote(KindOpened)
	h.Relay.Publish(relay.Message{Table: id, Seq: 1})
	return Created{ID: id, Seat: Invitation{ID: master.ID, Role: master.Role, Name: master.Name, Secret: secret}}, nil
}

// entry is a draft of acts as it's stored, by an edition, once it's judged.
func (h *Host) entry(e eye, d draft, edition string) (journal.Entry, error) {
	d.body.sign(edition, h.Version)
	if err := judge(e, d); err != nil {
		return journal.Entry{}, err
	}
	data, err := json.Marshal(d.body)
	return journal.Entry{Time: h.Now(), Seat: e.seat.id, Body: data}, err
}

// newTable is the form by which a NewTable is checked.
type newTable struct {
	Game string `json:"game" form:"choice,required"`
	Name string `json:"name" form:"required"`
	Lang string `json:"lang" form:"choice=en|ru|uk,required"`
}

// Restore gives a game master's seat a new secret, for whoever runs norn, when
// its link is lost; the old link opens nothing from then on, and the log says so.
// id may be "" where the table has one game master. No seat can ask for it.
//
// Errors are *NotFoundError for a table that isn't there, *InvalidError for a
// seat that is no game master's or must be named, *ConflictError,
// *UnavailableError and *UnreadableError.
func (h *Host) Restore(ctx context.Context, tableID, id string) (Invitation, error) {
	var secret string
	nobody := author{eye: func(b ledger) (eye, error) { return eyeOf(b, &seat{}, lang.Speaker{}), nil }}
	r, err := h.write(ctx, tableID, nobody, func(e eye) (draft, error) {
		drawn, lock, err := newSecret(h.Entropy)
		if err != nil {
			return draft{}, err
		}
		secret = drawn
		return restoreSeat(e, id, lock)
	})
	if err != nil {
		return Invitation{}, err
	}
	restored := r.events[0].(seatRestored)
	return Invitation{ID: restored.ID, Role: restored.Role, Name: restored.Name, Secret: secret}, nil
}
