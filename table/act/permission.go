package act

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/rule"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
)

// requireGM refuses seats that aren't game masters.
func requireGM(e *visibility.Eye) error {
	if !e.Viewer.IsGM() {
		return &refusal.ForbiddenError{}
	}
	return nil
}

// ownCharacter returns a character that the seat plays.
func ownCharacter(e *visibility.Eye, path, id string) (*state.Character, error) {
	c := e.Table.Characters.Of(id)
	if c == nil || c.Removed || !e.Sees(id) {
		var allowed []string
		for _, c := range e.Characters() {
			if e.Plays(c.ID) {
				allowed = append(allowed, c.ID)
			}
		}
		return nil, refusal.NoChoice(path, id, allowed)
	}
	if !e.Plays(id) {
		return nil, &refusal.ForbiddenError{}
	}
	return c, nil
}

// CheckFree refuses a character that an open move holds, whether it lends it or not.
func CheckFree(e *visibility.Eye, id string) error {
	if m := e.Table.OpenMoves.Holding(id); m != nil {
		return busyWith(e, id, m)
	}
	return nil
}

// CheckUnblocked refuses a move with a character that another open move holds. It refuses an instant
// move or an edit only if the other move doesn't lend the character.
func CheckUnblocked(e *visibility.Eye, instant bool, id string) error {
	if m := inWayOf(e, instant)(id); m != nil {
		return busyWith(e, id, m)
	}
	return nil
}

func inWayOf(e *visibility.Eye, instant bool) func(id string) *state.OpenMove {
	if instant {
		return e.Table.OpenMoves.Blocking
	}
	return e.Table.OpenMoves.Holding
}

// isInstant reports whether a move is made while others' questions about its characters are open. A
// secret one waits: what it changes must not show in what others are asked.
func isInstant(a Attempt) bool { return !a.secret && a.Def.Instant(a.Scene, a.Args) }

// CheckOthers refuses to go on with a move while another one blocks a character that it may still change.
func CheckOthers(e *visibility.Eye, m *state.OpenMove) error {
	if other, id := e.Table.OpenMoves.BlockingOther(m); other != nil {
		return busyWith(e, id, other)
	}
	return nil
}

// mayOwn returns why the seat can't give a character to an owner; "" is nobody.
func mayOwn(e *visibility.Eye, owner string) error {
	if !e.Viewer.IsGM() {
		if owner != e.Seat.ID {
			return &refusal.ForbiddenError{}
		}
		return nil
	}
	allowed := []string{""}
	for _, seat := range e.Table.Seats.Here() {
		if seat.Role != game.Spectator {
			allowed = append(allowed, seat.ID)
		}
	}
	if !slices.Contains(allowed, owner) {
		return refusal.NoChoice("owner", owner, allowed)
	}
	return nil
}

// kindToAdd returns a kind of sheet that the seat may add.
func kindToAdd(e *visibility.Eye, id string) (game.Kind, error) {
	var allowed []string
	for _, k := range e.Table.Game.Kinds {
		if e.Viewer.IsGM() || k.Player {
			allowed = append(allowed, k.ID)
		}
	}
	kind, ok := e.Table.Game.FindKind(id)
	if ok && !slices.Contains(allowed, kind.ID) {
		return game.Kind{}, &refusal.ForbiddenError{}
	}
	if !ok {
		return game.Kind{}, refusal.NoChoice("kind", id, allowed)
	}
	return kind, nil
}

// reservedFrom returns the members of a new sheet that the seat can't set.
func reservedFrom(e *visibility.Eye, kind game.Kind) []string {
	if e.Viewer.IsGM() {
		return nil
	}
	return kind.Reserved
}

// OffersMove reports whether the seat may make a move, with any character.
func OffersMove(e *visibility.Eye, def *game.Move) bool {
	return def.AtTable && !def.ByOffer && e.Seat.Role != game.Spectator && (!def.GMOnly || e.Viewer.IsGM())
}

// ActorsOf returns the characters with which the seat may make a move.
func ActorsOf(e *visibility.Eye, def *game.Move) []string {
	var actors []string
	for _, c := range e.Characters() {
		if slices.Contains(def.Kinds, c.Kind) && e.ActsWith(c) {
			actors = append(actors, c.ID)
		}
	}
	return actors
}

// MayMake returns a move that the seat may make with a character.
func MayMake(e *visibility.Eye, id, actor string) (*game.Move, error) {
	return mayMake(e, id, actor, false)
}

// mayMake is MayMake; with offered it also allows moves that need an offer.
func mayMake(e *visibility.Eye, id, actor string, offered bool) (*game.Move, error) {
	if e.Seat.Role == game.Spectator {
		return nil, &refusal.ForbiddenError{}
	}
	def, ok := e.Table.Game.FindMove(id)
	if !ok || !def.AtTable || def.ByOffer && !offered {
		var allowed []string
		for i := range e.Table.Game.Moves {
			if def := &e.Table.Game.Moves[i]; OffersMove(e, def) && (len(def.Kinds) == 0 || len(ActorsOf(e, def)) > 0) {
				allowed = append(allowed, def.ID)
			}
		}
		return nil, refusal.NoChoice("move", id, allowed)
	}
	if makers := makersBesides(e, def); makers != nil {
		return nil, &refusal.ForbiddenError{Makers: makers}
	}
	if len(def.Kinds) == 0 {
		if actor != "" {
			return nil, refusal.NoChoice("character", actor, nil)
		}
		return def, nil
	}
	if actor == "" {
		return nil, refusal.Invalid("character", form.Missing)
	}
	c := e.Table.Characters.Of(actor)
	if c == nil || c.Removed || !e.ActsWith(c) {
		var err error
		if c, err = ownCharacter(e, "character", actor); err != nil {
			return nil, err
		}
	}
	if !slices.Contains(def.Kinds, c.Kind) {
		return nil, refusal.NoChoice("character", actor, ActorsOf(e, def))
	}
	return def, nil
}

// makersBesides returns who may make a move that the seat can never make; nil if it can.
func makersBesides(e *visibility.Eye, def *game.Move) []string {
	switch {
	case e.Viewer.IsGM():
		return nil
	case def.GMOnly:
		return []string{game.GM}
	case len(def.Kinds) > 0 && !slices.ContainsFunc(def.Kinds, func(id string) bool {
		kind, _ := e.Table.Game.Kind(id)
		return kind.Player
	}) && len(ActorsOf(e, def)) == 0:
		return game.Each(def.Kinds, func(id string) string { return e.Table.Game.Word("kind", id) })
	}
	return nil
}

// MayOpen returns why a seat can't open a move that is secret or has this nonce.
func MayOpen(e *visibility.Eye, secret bool, nonce string) error {
	if secret && !e.Viewer.IsGM() {
		return &refusal.ForbiddenError{}
	}
	return CheckKey("nonce", nonce)
}

// An open move holds its cast. A secret move would reveal itself by that: a player would find their
// character busy without a reason. So a player's entry cancels the secret moves that block it. It
// lists them, and only game masters see the list.

// makeWayFor returns the seat's view of the table without the secret moves that are in the way of
// these characters, and those moves. The table itself doesn't change. inWay finds the move in the
// way of a character. The error is a *BusyError: one isn't secret from the seat.
func makeWayFor(
	e *visibility.Eye,
	inWay func(id string) *state.OpenMove,
	characters ...string,
) (*visibility.Eye, []*state.Move, error) {
	var gone []*state.Move
	for _, id := range characters {
		m := inWay(id)
		if m == nil || slices.ContainsFunc(gone, func(other *state.Move) bool { return other.ID == m.ID }) {
			continue
		}
		if !m.Secret || e.Viewer.IsGM() {
			return e, nil, busyWith(e, id, m)
		}
		gone = append(gone, m.Move)
	}
	if len(gone) == 0 {
		return e, nil, nil
	}
	return visibility.Of(e.Table.Without(gone), e.Seat, e.Voice.Speaker), gone, nil
}

// busyWith returns the error for a character in an open move. It names who must answer, unless the
// seat itself must.
func busyWith(e *visibility.Eye, id string, m *state.OpenMove) *refusal.BusyError {
	err := &refusal.BusyError{Character: id, Move: m.ID, Name: m.Def.ID, Stranded: m.Fault != nil}
	for _, o := range m.Pending {
		if e.Mine(m.Move, o.To) {
			err.Waits = nil
			return err
		}
		if to := e.Addressee(o.To); !slices.Contains(err.Waits, to) {
			err.Waits = append(err.Waits, to)
		}
	}
	return err
}

// givesWay reports whether undoing a player's own change cancels a record's move, which is open and
// secret.
func givesWay(e *visibility.Eye, r *state.Record) bool {
	return !e.Viewer.IsGM() && r.Of != nil && r.Of.Secret && e.Table.OpenMoves.Of(r.Of.ID) != nil
}

// MoveYielded is the type of a line about a cancelled secret move. It's never stored.
type MoveYielded struct{}

func (MoveYielded) Type() string { return "table.move-yielded" }

var _ rule.Event = MoveYielded{}
