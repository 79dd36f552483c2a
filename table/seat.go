package table

import (
	"context"
	"crypto/sha256"
	"sync/atomic"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// Seat is somebody at a table. Every operation is made as that seat and shows
// only what it may see. A Seat holds no resources; it may be kept as long as
// its link is good and used from any goroutine.
//
// Enter finds all that stands in the journal at that moment; what comes after is
// found as this node hears of it, Config.Poll late at most where somebody watches. Whoever
// must find what another node has just written enters again, as each request does.
//
// Besides the errors named at each method, all return *NotFoundError once the
// seat's link is no longer good, *UnavailableError and *UnreadableError.
// Those that write also return *KeyReusedError and *ConflictError, and
// *ForbiddenError where the seat's role may not do it.
type Seat struct {
	host    *Host
	table   string
	id      string
	role    game.Role
	game    *game.Game
	secret  func() string     // behind a function, so that printing a Seat can't show it
	key     [sha256.Size]byte // the secret's hash
	speaker lang.Speaker

	shown *atomic.Pointer[string] // who was online in its last View, so that Watch goes on from there
}

// ID is the seat's id, "s1".
func (s *Seat) ID() string { return s.id }

// Table is the table's id.
func (s *Seat) Table() string { return s.table }

// Role is what the seat may do.
func (s *Seat) Role() game.Role { return s.role }

// Game is what is played at the table.
func (s *Seat) Game() *game.Game { return s.game }

// Beside are the ids of the seats that secrets of this table open, as many as
// secrets; "" for one that opens nothing. Who asks has a seat, so this tells
// nobody whether there is such a table.
func (s *Seat) Beside(ctx context.Context, secrets []string) ([]string, error) {
	ids := make([]string, len(secrets))
	err := s.look(ctx, func(e eye) error {
		for i, secret := range secrets {
			if found := e.st.opened(sha256.Sum256([]byte(secret))); found != nil {
				ids[i] = found.id
			}
		}
		return nil
	})
	return ids, err
}

// Limits of a table.
const (
	MaxSeats      = 100
	MaxCharacters = 200
	MaxSheet      = 128 << 10 // bytes of one in JSON: each change keeps the whole sheet
	MaxSheets     = 2 << 20   // of all together, as far as somebody adds to a large one: who looks at the table is shown all
)

// large is how many bytes a sheet may have whatever the others have.
const large = 8 << 10

// newSeat is the form by which a NewSeatRequest is checked.
type newSeat struct {
	Name string `json:"name" form:"required"`
	Role string `json:"role" form:"choice=player|gm|spectator,required"`
}

var newSeatForm = form.Of[newSeat]()

// AddSeat invites somebody; only a GM may. Errors are *InvalidError and
// *TooManyError. A repeated request gives the same secret, unless a link
// was renewed in between.
func (s *Seat) AddSeat(ctx context.Context, r NewSeatRequest) (Invitation, error) {
	rec, err := s.write(ctx, r.Key, "seat", []string{r.Name, string(r.Role)}, func(e eye) (draft, error) {
		if !e.viewer.IsGM() {
			return draft{}, &ForbiddenError{}
		}
		var wanted newSeat
		if err := newSeatForm.Texts(map[string]string{"name": r.Name, "role": string(r.Role)}, &wanted); err != nil {
			return draft{}, &InvalidError{Problems: err.(form.Problems)}
		}
		if len(e.st.seated()) >= MaxSeats {
			return draft{}, &TooManyError{What: "seats", Max: MaxSeats}
		}
		_, lock, err := invite(s.secret(), s.host.Entropy)
		if err != nil {
			return draft{}, &UnavailableError{err}
		}
		return own(KindSeat, seatAdded{ID: e.st.nextSeat(), Name: wanted.Name, Role: game.Role(wanted.Role), Lock: lock})
	})
	if err != nil {
		return Invitation{}, err
	}
	added := rec.events[0].(seatAdded)
	return Invitation{ID: added.ID, Role: added.Role, Name: added.Name, Secret: added.Lock.again(s.secret())}, nil
}

// RenewSeat gives a seat a new secret; the old link opens nothing from then
// on. Only a GM may. A GM who renews their own must go on with the new one.
func (s *Seat) RenewSeat(ctx context.Context, id, key string) (Invitation, error) {
	rec, err := s.write(ctx, key, "renew", id, func(e eye) (draft, error) {
		target, err := e.target(id)
		if err != nil {
			return draft{}, err
		}
		_, lock, err := invite(s.secret(), s.host.Entropy)
		if err != nil {
			return draft{}, &UnavailableError{err}
		}
		return own(KindSeat, seatRenewed{ID: id, Name: target.name, Role: target.role, Lock: lock})
	})
	if err != nil {
		return Invitation{}, err
	}
	renewed := rec.events[0].(seatRenewed)
	return Invitation{ID: renewed.ID, Role: renewed.Role, Name: renewed.Name, Secret: renewed.Lock.again(s.secret())}, nil
}

// RenameSeat gives a seat another name; a GM may, and everybody their own.
func (s *Seat) RenameSeat(ctx context.Context, id, name, key string) (Entry, error) {
	return s.entry(ctx, key, "rename", []string{id, name}, func(e eye) (draft, error) {
		target := e.seat
		if id != e.seat.id {
			var err error
			if target, err = e.target(id); err != nil {
				return draft{}, err
			}
		}
		name, err := checkName(name)
		if err != nil {
			return draft{}, err
		}
		return own(KindSeat, seatRenamed{ID: id, Was: target.name, Name: name})
	})
}

// RevokeSeat takes a seat away; its link opens nothing from then on. Only a GM
// may; the last GM stays, which is a *RefusedError. Its characters stay, with
// nobody to play them.
func (s *Seat) RevokeSeat(ctx context.Context, id, key string) (Entry, error) {
	return s.entry(ctx, key, "revoke", id, func(e eye) (draft, error) {
		target, err := e.target(id)
		if err != nil {
			return draft{}, err
		}
		if target.role == game.Master && e.st.masters() == 1 {
			return draft{}, refused("last-gm", nil)
		}
		return own(KindSeat, seatRevoked{ID: id, Name: target.name})
	})
}

// target is the seat that a GM's request is about.
func (e eye) target(id string) (*seat, error) {
	if !e.viewer.IsGM() {
		return nil, &ForbiddenError{}
	}
	target := e.st.seat(id)
	if target == nil || target.revoked {
		var ids []string
		for _, seat := range e.st.seated() {
			ids = append(ids, seat.id)
		}
		return nil, noChoice("seat", id, ids)
	}
	return target, nil
}

// entry writes and shows what was written.
func (s *Seat) entry(ctx context.Context, key, op string, request any, plan func(eye) (draft, error)) (Entry, error) {
	r, err := s.write(ctx, key, op, request, plan)
	if err != nil {
		return Entry{}, err
	}
	var shown Entry
	told := false
	err = s.look(ctx, func(e eye) error {
		shown, told = e.entry(r)
		return nil
	})
	if isGone(err) || err == nil && !told { // the seat has just taken itself away, or nothing is told of what changed nothing
		return Entry{
			Seq: r.Seq, Time: r.Time, Kind: r.Kind, Seat: Author{ID: s.id}, Throws: []Throw{}, Lines: []Line{}, Questions: []Asked{}, Done: true, Rules: r.Rules, Edition: r.Edition,
		}, nil
	}
	return shown, err
}

// own is a draft of a table's own events.
func own(kind string, events ...rule.Event) (draft, error) {
	stored, err := encode(numbered(events...), ownEvents.Version)
	return draft{body: body{Kind: kind, Events: stored, Done: true}}, err
}
