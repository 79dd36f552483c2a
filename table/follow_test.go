package table_test

import (
	"context"
	"testing"
	"time"

	"norn/table"
	"norn/table/act"
)

// A follower for another service is woken by entries but isn't online.
func TestFollowerIsWokenButNotOnline(t *testing.T) {
	d := newDesk(t)
	gm, ada := d.gm, d.anna
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	woken := make(chan uint64, 10)
	go func() {
		for seq, err := range ada.Follow(ctx, d.view(ada).Seq) {
			if err != nil {
				return
			}
			woken <- seq
		}
	}()
	said, err := table.Do(t.Context(), gm, act.Talk, act.TalkRequest{Text: "Is anybody there?"}, "")
	if err != nil {
		t.Fatal(err)
	}
	select {
	case seq := <-woken:
		if seq != said.Seq {
			t.Errorf("woken at %d by %d", seq, said.Seq)
		}
	case <-time.After(patience):
		t.Fatal("a follower sleeps")
	}
	for _, seat := range d.view(gm).Seats {
		if seat.Online && !seat.You {
			t.Errorf("%s is there", seat.Name)
		}
	}
}
