package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"norn/chat"
	"norn/internal/kvstore"
)

const (
	ofDrafts   = "chat.drafts"
	draftLasts = 15 * time.Minute
	maxDrafts  = 8 // of a person
)

// draft is a move whose dialog is open, or a line that a button offers.
type draft struct {
	By     string          `json:"by"`
	Tie    string          `json:"tie"`
	Spot   chat.Spot       `json:"spot"`
	Args   json.RawMessage `json:"args,omitempty"` // values from the line
	Secret bool            `json:"secret,omitempty"`
	Line   string          `json:"line,omitempty"`
	Place  string          `json:"place,omitempty"` // where the line was written
	Until  time.Time       `json:"until"`
}

// drafts are in the store, so that an open dialog survives a restart, and any node can receive it.
type drafts struct {
	store *kvstore.Store
	now   func() time.Time
}

// keep stores a draft, and deletes expired ones, and a person's oldest if they have too many.
func (ds drafts) keep(ctx context.Context, id string, d draft) error {
	all, err := ds.store.All(ctx, ofDrafts)
	if err != nil {
		return err
	}
	until := map[string]time.Time{} // of the person's own
	for _, item := range all {
		var old draft
		switch {
		case json.Unmarshal([]byte(item.Data), &old) != nil || ds.now().After(old.Until):
			err = errors.Join(err, ds.store.Drop(ctx, ofDrafts, item.ID))
		case old.By == d.By && item.ID != id:
			until[item.ID] = old.Until
		}
	}
	own := slices.SortedFunc(maps.Keys(until), func(a, b string) int { return until[a].Compare(until[b]) })
	for _, old := range own[:max(0, len(own)-maxDrafts+1)] {
		err = errors.Join(err, ds.store.Drop(ctx, ofDrafts, old))
	}
	d.Until = ds.now().Add(draftLasts)
	return errors.Join(err, ds.store.Put(ctx, kvstore.Item{Scope: ofDrafts, ID: id, Data: encodeJSON(d)}))
}

// of returns a person's draft, nil for none.
func (ds drafts) of(ctx context.Context, by, id string) (*draft, error) {
	all, err := ds.store.All(ctx, ofDrafts)
	if err != nil {
		return nil, err
	}
	for _, item := range all {
		var d draft
		if item.ID == id && json.Unmarshal([]byte(item.Data), &d) == nil && d.By == by && !ds.now().After(d.Until) {
			return &d, nil
		}
	}
	return nil, nil
}
