package notify

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"
)

// MostAddress bounds the address of an endpoint, in bytes.
const MostAddress = 1000

// Targets restricts the addresses that norn may call: public ones by https, and those in the given
// private networks, also by http. A name is checked when it's dialled, by the address that it has
// then.
type Targets struct {
	Private []netip.Prefix
}

// ForbiddenError reports an address that must not be called.
type ForbiddenError struct{ Reason string }

func (e *ForbiddenError) Error() string { return "notify: " + e.Reason }

// Check checks an address as far as possible before dialling it.
func (t Targets) Check(address string) error {
	at, err := url.Parse(address)
	switch {
	case len(address) > MostAddress:
		return &ForbiddenError{"the address is too long"}
	case err != nil || at.Host == "" || at.User != nil || at.Fragment != "":
		return &ForbiddenError{"this is no address"}
	case at.Scheme == "http" && len(t.Private) > 0: // the dialled address decides
	case at.Scheme != "https":
		return &ForbiddenError{"the address must begin with https://"}
	}
	if ip, err := netip.ParseAddr(at.Hostname()); err == nil {
		return t.allows(ip, at.Scheme == "https")
	}
	return nil
}

// global is the part of IPv6 whose addresses the public internet uses. What is outside of it is for one
// network, packs an IPv4 address that a router may unpack, or isn't assigned.
var global = netip.MustParsePrefix("2000::/3")

// notPublic are special networks that netip doesn't know and that aren't part of the public
// internet.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"),
}

func (t Targets) allows(ip netip.Addr, encrypted bool) error {
	ip = ip.Unmap().WithZone("")
	within := func(n netip.Prefix) bool { return n.Contains(ip) }
	switch {
	case slices.ContainsFunc(t.Private, within):
		return nil
	case !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Is6() && !within(global) || slices.ContainsFunc(notPublic, within):
		return &ForbiddenError{"the address is in a private network"}
	case !encrypted:
		return &ForbiddenError{"the address must begin with https://"}
	}
	return nil
}

// client returns the HTTP client for notifications. It dials only allowed addresses, whatever a
// name resolves to, follows no redirects, and uses no proxy, which would dial for it.
func (t Targets) client(patience time.Duration) *http.Client {
	dial := func(encrypted bool) func(ctx context.Context, network, address string) (net.Conn, error) {
		d := &net.Dialer{
			Timeout: patience,
			ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
				at, err := netip.ParseAddrPort(address)
				if err != nil {
					return &ForbiddenError{"this is no address"}
				}
				return t.allows(at.Addr(), encrypted)
			},
		}
		return d.DialContext
	}
	secure := &http.Transport{
		DialContext: dial(true), TLSHandshakeTimeout: patience, ResponseHeaderTimeout: patience, MaxIdleConns: 32,
		MaxIdleConnsPerHost: 2,
		IdleConnTimeout:     time.Minute, MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
	}
	open := secure.Clone()
	open.DialContext = dial(false)
	return &http.Client{
		Timeout: patience, Transport: byScheme{secure, open},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// byScheme uses different transports for http and https, since their dialling checks differ.
type byScheme struct{ secure, open *http.Transport }

func (b byScheme) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme == "https" {
		return b.secure.RoundTrip(r)
	}
	return b.open.RoundTrip(r)
}

func forbidden(err error) bool {
	_, is := errors.AsType[*ForbiddenError](err)
	return is
}

// cause returns an error without the address, which is a secret of its seat.
func cause(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("%s: %w", wrapped.Op, wrapped.Err)
	}
	return err
}
