package notify

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// No address of these is dialled, whether it's written or what a name resolves to.
func TestAddressesThatAreNotPublicAreNeitherAcceptedNorDialled(t *testing.T) {
	for kind, addresses := range map[string]string{
		"this machine":       "127.0.0.1 127.255.255.254 ::1 0.0.0.0 ::",
		"this network":       "0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 fd00::1 fc00::1 fec0::1",
		"link-local":         "169.254.169.254 fe80::1 fe80::1%25eth0",
		"a provider's NAT":   "100.64.0.1 100.127.255.254",
		"many receivers":     "224.0.0.1 239.255.255.250 255.255.255.255 ff02::1 ff0e::1",
		"reserved":           "240.0.0.1 192.0.0.8 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1",
		"IPv4 mapped":        "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:7f00:1 ::ffff:0:0",
		"IPv4 compatible":    "::127.0.0.1 ::a00:1",
		"IPv4 translated":    "::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::a00:1",
		"IPv4 in 6to4":       "2002:7f00:1:: 2002:a00:1::1 192.88.99.1",
		"Teredo and ORCHID":  "2001::1 2001:0:7f00:1:: 2001:20::1",
		"for examples":       "2001:db8::1 3fff::1 3fff:fff:ffff::1",
		"discard and dummy":  "100::1 100:0:0:1::1",
		"segments of a path": "5f00::1",
		"not assigned":       "1::1 200::1 4000::1 8000::1 e000::1",
	} {
		for address := range strings.FieldsSeq(addresses) {
			host := address
			if strings.Contains(address, ":") {
				host = "[" + address + "]"
			}
			for _, targets := range []Targets{{}, {Private: []netip.Prefix{netip.MustParsePrefix("10.99.0.0/16")}}} {
				for _, scheme := range []string{"https://", "http://"} {
					if err := targets.Check(scheme + host + "/"); !forbidden(err) {
						t.Errorf("%s: %s%s is accepted: %v", kind, scheme, host, err)
					}
					answer, err := targets.client(time.Second).Get(scheme + host + ":9/")
					if err == nil {
						answer.Body.Close()
					}
					if !forbidden(err) {
						t.Errorf("%s: %s%s is dialled: %v", kind, scheme, host, err)
					}
				}
			}
		}
	}
	for _, address := range []string{"https://1.1.1.1/", "https://[2606:4700:4700::1111]/", "https://[2a00:1450::1]/"} {
		if err := (Targets{}).Check(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// An operator who allows a network allows its addresses alone: nothing else that isn't public, and
// nothing public without encryption.
func TestAllowedNetworkAllowsNoOther(t *testing.T) {
	targets := Targets{Private: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
	for address, want := range map[string]bool{
		"http://10.1.2.3/": true, "https://10.1.2.3/": true, "http://[::ffff:10.1.2.3]/": true, "https://1.1.1.1/": true,
		"http://1.1.1.1/": false, "http://11.0.0.1/": false, "http://192.168.0.1/": false, "http://127.0.0.1/": false,
		"http://[64:ff9b::a01:203]/": false, "http://[::a01:203]/": false, "http://[2002:a01:203::]/": false,
	} {
		if err := targets.Check(address); forbidden(err) == want {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A redirect isn't followed, and no proxy is asked: both would dial an address that nobody checked.
func TestRedirectsAndProxiesAreNotUsed(t *testing.T) {
	var reached atomic.Bool
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	defer inside.Close()
	outside := httptest.NewServer(http.RedirectHandler(inside.URL, http.StatusTemporaryRedirect))
	defer outside.Close()
	client := Targets{Private: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}.client(10 * time.Second)
	answer, err := client.Post(outside.URL, "text/plain", strings.NewReader("a"))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusTemporaryRedirect || reached.Load() {
		t.Errorf("%s, followed: %v", answer.Status, reached.Load())
	}
	by := client.Transport.(byScheme)
	if by.secure.Proxy != nil || by.open.Proxy != nil {
		t.Error("a proxy dials for norn")
	}
}

// A name that has a public address when it's accepted, and another when it's dialled, isn't called; nor
// is one with both at once.
func TestNameIsCheckedByTheAddressThatIsDialled(t *testing.T) {
	var reached atomic.Bool
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	defer inside.Close()
	_, port, _ := net.SplitHostPort(inside.Listener.Addr().String())
	var addresses atomic.Value // [][4]byte: the server of names reads it
	resolve(t, func() [][4]byte { return addresses.Load().([][4]byte) })
	targets := Targets{}
	for name, later := range map[string][][4]byte{
		"rebinds.example": {{127, 0, 0, 1}}, "both.example": {{127, 0, 0, 1}, {10, 0, 0, 1}},
	} {
		addresses.Store([][4]byte{{1, 1, 1, 1}})
		at := "https://" + name + ":" + port + "/"
		if found, err := net.DefaultResolver.LookupHost(t.Context(), name); err != nil || found[0] != "1.1.1.1" {
			t.Fatalf("%v, %v", found, err)
		}
		if err := targets.Check(at); err != nil {
			t.Fatal(err)
		}
		addresses.Store(later)
		answer, err := targets.client(10 * time.Second).Get(at)
		if err == nil {
			answer.Body.Close()
		}
		if !forbidden(err) || reached.Load() {
			t.Errorf("%s: %v, reached %v", name, err, reached.Load())
		}
	}
}

// resolve lets every name have the addresses that of returns, until the test ends.
func resolve(t *testing.T, of func() [][4]byte) {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	usual := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
	ended := make(chan struct{})
	t.Cleanup(func() {
		net.DefaultResolver = usual
		server.Close()
		<-ended
	})
	go func() {
		defer close(ended)
		asked := make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(asked)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			var m dnsmessage.Message
			if err != nil || m.Unpack(asked[:n]) != nil || len(m.Questions) == 0 {
				continue
			}
			m.Response, m.Additionals = true, nil
			for _, a := range of() {
				if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
					m.Answers = append(m.Answers, dnsmessage.Resource{
						Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class},
						Body:   &dnsmessage.AResource{A: a},
					})
				}
			}
			if data, err := m.Pack(); err == nil {
				_, _ = server.WriteTo(data, from)
			}
		}
	}()
}
