package middleware

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// from returns the address of the client, and whether it came over TLS. It believes the forwarding
// headers of a trusted proxy, and of a proxy that can open norn's socket, but of nobody else.
func (k *Keeper) from(r *http.Request) (address string, encrypted bool) {
	_, socket := r.Context().Value(http.LocalAddrContextKey).(*net.UnixAddr)
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if !socket && (err != nil || !k.trusts(at.Addr())) {
		return r.RemoteAddr, r.TLS != nil
	}
	encrypted = r.TLS != nil || strings.EqualFold(last(r.Header["X-Forwarded-Proto"]), "https")
	// Each proxy appends the address of its client. The last one that isn't a trusted proxy is the
	// real client.
	named := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	found := at.Addr()
	for i := len(named) - 1; i >= 0 && (!found.IsValid() || k.trusts(found)); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(named[i]))
		if err != nil {
			break
		}
		found = next
	}
	if !found.IsValid() {
		return r.RemoteAddr, encrypted
	}
	return net.JoinHostPort(found.String(), "0"), encrypted
}

// last returns the last of a header's values, which the nearest proxy has added.
func last(values []string) string {
	all := strings.Split(strings.Join(values, ","), ",")
	return strings.TrimSpace(all[len(all)-1])
}

func (k *Keeper) trusts(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	for _, network := range k.Proxies {
		if network.Contains(a) {
			return true
		}
	}
	return false
}

// secureKey is the context key for whether a request came over TLS.
type secureKey struct{}

// Secure reports whether the request came over TLS.
func Secure(r *http.Request) bool {
	encrypted, _ := r.Context().Value(secureKey{}).(bool)
	return encrypted
}

// LinkOrigins returns the origins for seat links to other people, the most likely first. A reader
// at a loopback address gets the addresses at which other devices reach this computer. Without any,
// local is true: such a link works only on this computer.
func (k *Keeper) LinkOrigins(r *http.Request) (origins []string, local bool) {
	own := k.OriginOf(r)
	if k.Origin != "" || !isLoopback(r.Host) {
		return []string{own}, false
	}
	if k.Reachable != nil {
		if others := k.Reachable(); len(others) > 0 {
			return others, false
		}
	}
	return []string{own}, true
}

// isLoopback reports whether a host, with or without a port, is this computer's name for itself.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	ip, err := netip.ParseAddr(host)
	if err == nil {
		return ip.Unmap().IsLoopback() || ip.IsUnspecified()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// OriginOf returns the origin of links that people send.
func (k *Keeper) OriginOf(r *http.Request) string {
	if k.Origin != "" {
		return strings.TrimSuffix(k.Origin, "/") + string(k.Base)
	}
	if Secure(r) {
		return "https://" + r.Host + string(k.Base)
	}
	return "http://" + r.Host + string(k.Base)
}
