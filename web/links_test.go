package web_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"norn/games"
	"norn/web"
)

// A seat's link has an address at which others reach the computer, or a warning that nobody else
// can open it.
func TestSeatLinksHaveAReachableAddressOrAWarning(t *testing.T) {
	h := open(t)
	for _, c := range []struct {
		name, host string
		reachable  []string
		origin     string // of the link
		others     []string
		local      bool
	}{
		{name: "loopback alone", host: "127.0.0.1:8080", origin: "http://127.0.0.1:8080", local: true},
		{name: "localhost alone", host: "localhost", origin: "http://localhost", local: true},
		{name: "IPv6 loopback", host: "[::1]:8080", origin: "http://[::1]:8080", local: true},
		{name: "every address", host: "0.0.0.0:8080", origin: "http://0.0.0.0:8080", local: true},
		{
			name: "loopback of a computer that others reach", host: "localhost:8080",
			reachable: []string{"http://192.168.1.5:8080", "http://172.17.0.1:8080"},
			origin:    "http://192.168.1.5:8080", others: []string{"http://172.17.0.1:8080"},
		},
		{
			name: "the address that others use", host: "172.17.0.1:8080", reachable: []string{"http://192.168.1.5:8080"},
			origin: "http://172.17.0.1:8080",
		},
		{name: "a name", host: "norn.example", origin: "http://norn.example"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := web.Config{Host: h.host, Words: spoken(), Games: games.All(), Log: h.log}
			if c.reachable != nil {
				config.Reachable = func() []string { return c.reachable }
			}
			server := httptest.NewServer(web.New(config))
			t.Cleanup(server.Close)
			site := *h
			site.t, site.url = t, "http://"+c.host
			gm := site.stranger()
			gm.http.Transport = &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn,
				error,
			) {
				return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
			}}
			gm.takes(h.links["gm"])
			got := gm.post(gm.at("/link"), nil)
			want(t, "link", got.the(t, "id", "own-link").attrs["value"], c.origin+h.links["gm"])
			want(t, "said to be local", strings.Contains(got.body, "opens on this computer only"), c.local)
			want(t, "has a code", len(got.all(func(n *node) bool { return n.is("qr") })) == 1, !c.local)
			for _, other := range c.others {
				contains(t, "other addresses", got.body, other+h.links["gm"])
			}
			server.CloseClientConnections()
		})
	}
}
