package bridge

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/kvstore"
	"norn/table/view"
)

// What a place was told lies in the store: how far, and which messages say what of late, so that
// after a restart it goes on where it was, and what moves on is edited where it stands.

const ofDeliveries = "chat.told"

// delivery is what a tie's place was told.
type delivery struct {
	At       uint64              `json:"at"` // all entries up to it were
	Messages []*deliveredMessage `json:"said"`
	Shut     bool                `json:"shut,omitempty"` // the person's private place isn't open to us
}

// deliveredMessage is a message that stands in a place.
type deliveredMessage struct {
	ID   string   `json:"id"`            // of the platform; "" for what was told elsewhere, or not at all
	Refs []string `json:"refs"`          // what it's about: "m12", "e15"
	Sum  string   `json:"sum"`           // of what it says
	Try  int      `json:"try,omitempty"` // how often it had to be written anew
}

const maxDelivered = 80 // messages that may still be edited

const keepTime = 5 * time.Second

// about finds the message that is about something.
func (d *delivery) about(ref string) *deliveredMessage {
	for _, s := range slices.Backward(d.Messages) {
		if slices.Contains(s.Refs, ref) {
			return s
		}
	}
	return nil
}

func loadDelivery(ctx context.Context, store *kvstore.Store, id string) (*delivery, error) {
	all, err := store.All(ctx, ofDeliveries)
	if err != nil {
		return nil, err
	}
	d := &delivery{}
	for _, kept := range all {
		if kept.ID == id {
			_ = json.Unmarshal([]byte(kept.Data), d) // what can't be read begins anew
		}
	}
	return d, nil
}

func saveDelivery(ctx context.Context, store *kvstore.Store, id string, d *delivery) error {
	if n := len(d.Messages) - maxDelivered; n > 0 {
		d.Messages = slices.Clone(d.Messages[n:])
	}
	// what stands in a place is known after a stop, too
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	return store.Put(ctx, kvstore.Item{Scope: ofDeliveries, ID: id, Data: encodeJSON(d)})
}

// refOf names what an entry is about: a move with all that comes of it, or itself.
func refOf(e view.Entry) string {
	if e.Move != "" {
		return e.Move
	}
	if e.Undoes > 0 {
		return "e" + seqText(e.Undoes)
	}
	return "e" + seqText(e.Seq)
}

func seqText(n uint64) string { return strconv.FormatUint(n, 10) }

func seqOf(ref string) uint64 {
	n, _ := strconv.ParseUint(strings.TrimLeft(ref, "meu"), 10, 64) // refs are made of it
	return n
}
