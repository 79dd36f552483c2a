package table

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"

	"norn/game"
	"norn/journal"
)

// Sum folds the entries of one table by its game and returns a checksum of what
// comes out: seats, characters, settings, sessions of dice, moves with what
// they still ask, keys. The same entries give the same sum on every machine of
// the same norn. An error is an *UnreadableError.
func Sum(games []*game.Game, id string, entries []journal.Entry) (sum [sha256.Size]byte, err error) {
	b, err := readBack(games, id, entries)
	if err != nil {
		return sum, err
	}
	b.settle()
	data, err := json.Marshal(b.picture())
	if err != nil {
		return sum, &UnreadableError{Table: id, Seq: b.seq, Err: err}
	}
	return sha256.Sum256(data), nil
}

// picture is a table as values that JSON writes in one way only.
func (b ledger) picture() any {
	type list = []any
	all := list{b.id, b.name, b.lang, b.edition, b.seq, b.settings, b.undone, b.shown}
	if b.game != nil {
		all = append(all, b.game.ID)
	}
	for _, s := range b.sessions {
		all = append(all, list{s.n, s.seal.Reveal(), s.from, s.to, s.seats, s.shares})
	}
	for _, s := range b.seats {
		all = append(all, list{s.id, s.name, s.role, s.lock, s.revoked})
	}
	for _, c := range b.characters {
		all = append(all, list{c.id, c.kind, c.name, c.owner, c.sheet, c.removed, c.starred})
	}
	for _, u := range b.open {
		asks := list{}
		for _, o := range u.open {
			asks = append(asks, o.Place())
		}
		all = append(all, list{u.id, u.def.ID, u.seat, u.actor, u.cast, u.args, u.nonce, u.byHand, u.secret, u.trail, u.told, asks})
	}
	for _, c := range b.calls {
		met := ""
		if c.met != nil {
			met = c.met.id
		}
		all = append(all, list{c.id, c.def.ID, c.actor, c.text, c.args, c.fixed, c.withdrawn, met})
	}
	for _, n := range b.notes {
		all = append(all, list{n.id, n.text})
	}
	byKey := func(x, y keyUse) int { return cmp.Or(cmp.Compare(x.seat, y.seat), cmp.Compare(x.key, y.key)) }
	for _, use := range slices.SortedFunc(maps.Keys(b.keys), byKey) {
		all = append(all, list{use.seat, use.key, b.keys[use].Seq})
	}
	return all
}
