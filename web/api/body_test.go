package api

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"norn/internal/limit"
	"norn/odds"
)

// A long body waits while its address has an expensive request in progress, a short one doesn't.
func TestLongBodiesOfAnAddressAreReadOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{Config: Config{Gate: odds.NewGate(2, 1, time.Second)}}
		heard := func(from, key string) error {
			c := call{from: from, body: []byte(`{"key":"` + key + `"}`)}
			_, _, err := read(context.WithValue(t.Context(), callKey{}, c), s, keyBody)
			return err
		}
		leave, err := s.Gate.Enter(t.Context(), "192.0.2.7", "anna")
		if err != nil {
			t.Fatal(err)
		}
		long := strings.Repeat("k", longBody)
		if often := limit.As(heard("192.0.2.7", long)); often == nil || often.Limit != "dear" {
			t.Errorf("a long body is read beside odds: %v", often)
		}
		if often := limit.As(heard("192.0.2.7", "k")); often != nil {
			t.Errorf("a short body waits: %v", often)
		}
		if often := limit.As(heard("192.0.2.8", long)); often != nil {
			t.Errorf("a long body of another address waits: %v", often)
		}
		leave()
		if often := limit.As(heard("192.0.2.7", long)); often != nil {
			t.Errorf("the place isn't given back: %v", often)
		}
	})
}
