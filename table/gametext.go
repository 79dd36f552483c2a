package table

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"

	"norn/game"
	"norn/journal"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/refusal"
	"norn/table/view"
)

// GameOf returns the id of the game of the table that an entry opens, "" if it opens none. The game needn't be here.
func GameOf(first journal.Entry) string {
	var body state.EntryBody
	if json.Unmarshal(first.Body, &body) != nil || body.Kind != view.KindOpened || len(body.Events) == 0 {
		return ""
	}
	var opened struct {
		Game string `json:"game"`
	}
	if json.Unmarshal(body.Events[0].Data, &opened) != nil {
		return ""
	}
	return opened.Game
}

// TrustedText returns the newest text by which a table is played, if the table was last imported by
// somebody who trusted it; else nil. The table's game needn't be here. Errors are those of the
// journal.
func TrustedText(ctx context.Context, entries Entries, id string) (source []byte, err error) {
	trusted, texts, played := false, [][]byte(nil), map[string]bool{}
	for after := uint64(0); ; {
		read, err := entries.Read(ctx, id, after, exportBatch)
		if err != nil {
			return nil, refusal.Unavailable(id, after, err)
		}
		if len(read) == 0 {
			break
		}
		for _, e := range read {
			after = e.Seq
			if a, text, err := act.ReadAttachment(e.Body); err == nil && a.Use == view.UseText {
				texts = append(texts, text)
			}
			var body struct {
				Kind    string `json:"kind"`
				Edition string `json:"edition"`
				Trusted bool   `json:"trusted"`
			}
			if json.Unmarshal(e.Body, &body) == nil {
				played[body.Edition] = true
				trusted = body.Trusted || trusted && body.Kind != view.KindImported
			}
		}
	}
	texts = slices.DeleteFunc(texts, func(text []byte) bool { return !played[game.TextOf(text)] })
	if !trusted || len(texts) == 0 {
		return nil, nil
	}
	return texts[len(texts)-1], nil
}

// seatsWithoutGame are the seats of a table whose game isn't here, as far as its entries were read.
type seatsWithoutGame struct {
	seq   uint64
	locks map[string]state.Lock
}

// opens tells whether a key opens a seat of a table whose game isn't here: what entries say of
// seats is norn's own. It's for who has the table's turn.
func (s *seatsWithoutGame) opens(ctx context.Context, entries Entries, id string, key [sha256.Size]byte) (bool, error) {
	if s.locks == nil {
		s.locks = map[string]state.Lock{}
	}
	for {
		read, err := entries.Read(ctx, id, s.seq, exportBatch)
		if err != nil {
			return false, refusal.Unavailable(id, s.seq, err)
		}
		if len(read) == 0 {
			break
		}
		for _, e := range read {
			s.seq = e.Seq
			act.ReadLocks(e.Body, s.locks)
		}
	}
	for _, lock := range s.locks {
		if lock.Fits(key) {
			return true, nil
		}
	}
	return false, nil
}
