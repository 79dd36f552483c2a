package local_test

import (
	"testing"

	"norn/internal/relay"
	"norn/internal/relay/local"
	"norn/internal/relay/relaytest"
)

func TestConcurrentUseOfLocalKeepsTheContract(t *testing.T) {
	relaytest.Run(t, func(t *testing.T) (here, there relay.Relay) {
		r := local.New()
		t.Cleanup(func() { r.Close() })
		return r, r
	})
}
