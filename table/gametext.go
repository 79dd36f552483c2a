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

// GameOf returns the game's id from the entry that opens a table, "" for another entry. This norn
// needn't have the game.
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

// TrustedText returns the newest text that a table with an own game plays by, if the importer
// trusted it; otherwise nil. This norn needn't have the game. Errors are those of the journal.
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

// seatsWithoutGame has the seats of a table whose game this norn lacks, as far as its entries were
// read.
type seatsWithoutGame struct {
	seq   uint64
	locks map[string]state.Lock
}

// opens reports whether a key opens a seat of a table whose game this norn lacks: entries about
// seats don't depend on the game. The caller holds the table's turn.
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
