package bridge

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/internal/kvstore"
	"norn/table/view"
)

// The store records the deliveries to a place: the last entry, and the messages of the newest refs,
// so that after a restart posting continues there and messages can be edited.

const ofDeliveries = "chat.told"

// delivery records the messages that were sent to a tie's place.
type delivery struct {
	At       uint64              `json:"at"` // all entries up to it were delivered
	Messages []*deliveredMessage `json:"said"`
	Shut     bool                `json:"shut,omitempty"` // the person's private chat isn't open to norn
}

// deliveredMessage is a message in a place.
type deliveredMessage struct {
	ID   string   `json:"id"`            // the platform's; "" if it was shown elsewhere, or not at all
	Refs []string `json:"refs"`          // what it shows: "m12", "e15"
	Sum  string   `json:"sum"`           // hash of its text
	Try  int      `json:"try,omitempty"` // how often it had to be posted again
}

const maxDelivered = 80 // maxDelivered limits the messages that can still be edited.

const keepTime = 5 * time.Second

// about returns the message with a ref.
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
			_ = json.Unmarshal([]byte(kept.Data), d) // unreadable data starts over
		}
	}
	return d, nil
}

func saveDelivery(ctx context.Context, store *kvstore.Store, id string, d *delivery) error {
	if n := len(d.Messages) - maxDelivered; n > 0 {
		d.Messages = slices.Clone(d.Messages[n:])
	}
	// a posted message must be remembered even when norn stops
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTime)
	defer cancel()
	return store.Put(ctx, kvstore.Item{Scope: ofDeliveries, ID: id, Data: encodeJSON(d)})
}

// refOf returns the ref of an entry: its move, or itself.
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
	n, _ := strconv.ParseUint(strings.TrimLeft(ref, "meu"), 10, 64) // a ref consists of it
	return n
}
