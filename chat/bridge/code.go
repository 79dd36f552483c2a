package bridge

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"norn/internal/kvstore"
	"norn/lang"
)

// grant is the access that a code gives.
type grant struct {
	Table  string    `json:"table"`
	Secret string    `json:"secret"` // of the person's seat, or of the game master who made the code
	Whole  bool      `json:"whole"`  // it ties the table to a place
	Lang   lang.Lang `json:"lang"`
	Link   string    `json:"link"`
	Until  time.Time `json:"until"`
}

const (
	codeLasts         = 10 * time.Minute
	maxGuesses        = 5  // wrong codes of one account within codeLasts
	maxGuessesInPlace = 20 // by all accounts in one chat, so that a guesser alone can't block the others
	signs             = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
)

// codes has the valid codes and the failed tries.
type codes struct {
	store *kvstore.Store
	now   func() time.Time

	mu      sync.Mutex
	guesses map[string][]time.Time
}

// give makes a code and deletes expired ones.
func (cs *codes) give(ctx context.Context, c grant) (string, error) {
	all, err := cs.store.All(ctx, ofCodes)
	for _, t := range all {
		var old grant
		if json.Unmarshal([]byte(t.Data), &old) != nil || cs.now().After(old.Until) {
			err = errors.Join(err, cs.store.Drop(ctx, ofCodes, t.ID))
		}
	}
	if err != nil {
		return "", err
	}
	random := make([]byte, 8)
	rand.Read(random) // never fails
	for i := range random {
		random[i] = signs[int(random[i])%len(signs)]
	}
	shown := string(random[:4]) + "-" + string(random[4:])
	c.Until = cs.now().Add(codeLasts)
	return shown, cs.store.Put(ctx, kvstore.Item{Scope: ofCodes, ID: nameOf(shown), Data: encodeJSON(c)})
}

// nameOf returns the key of a code in the store, however it's written.
func nameOf(text string) string {
	return shortHash(32, strings.Map(func(r rune) rune {
		if strings.ContainsRune(signs, r) {
			return r
		}
		return -1
	}, strings.ToUpper(text)))
}

// take returns what a code gives access to, once, nil for nothing. It counts wrong codes by account
// and by chat; often reports that either has had too many, and then codes are refused for a while.
// Other accounts and chats aren't affected.
func (cs *codes) take(ctx context.Context, by, place, text string) (c *grant, often bool, err error) {
	now := cs.now()
	bounds := map[string]int{"by " + by: maxGuesses, "in " + place: maxGuessesInPlace}
	cs.mu.Lock()
	for of, at := range cs.guesses {
		at = slices.DeleteFunc(at, func(t time.Time) bool { return now.Sub(t) > codeLasts })
		if cs.guesses[of] = at; len(at) == 0 {
			delete(cs.guesses, of)
		}
	}
	for of, most := range bounds {
		often = often || len(cs.guesses[of]) >= most
	}
	cs.mu.Unlock()
	if often {
		return nil, true, nil
	}
	t, _, err := cs.store.Take(ctx, ofCodes, nameOf(text))
	if err != nil {
		return nil, false, err
	}
	if json.Unmarshal([]byte(t.Data), &c) == nil && now.Before(c.Until) {
		return c, false, nil
	}
	cs.mu.Lock()
	for of := range bounds {
		cs.guesses[of] = append(cs.guesses[of], now)
	}
	cs.mu.Unlock()
	return nil, false, nil
}

const ofCodes = "chat.codes"
