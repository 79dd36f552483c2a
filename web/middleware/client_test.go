package middleware

import (
	"strings"
	"testing"
)

func TestLogNamesClientsByAHashUnlessAddressesAreWanted(t *testing.T) {
	k := &Keeper{logKey: []byte("one start")}
	one, again, other := k.client("192.0.2.7:5000"), k.client("192.0.2.7:5001"), k.client("192.0.2.8:5000")
	if one != again || one == other || len(one) != 12 || strings.Contains(one, "192") {
		t.Errorf("the hashes are %q, %q and %q", one, again, other)
	}
	if restarted := (&Keeper{logKey: []byte("another")}).client("192.0.2.7:5000"); restarted == one {
		t.Error("a hash is the same after a restart")
	}
	k.LogAddresses = true
	if whole := k.client("192.0.2.7:5000"); whole != "192.0.2.7" {
		t.Errorf("the address is logged as %q", whole)
	}
	if whole := k.client("[2001:db8:1:2:3::4]:5000"); !strings.HasPrefix(whole, "2001:db8:1:2:") {
		t.Errorf("the address is logged as %q", whole)
	}
}
