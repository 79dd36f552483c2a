package middleware

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// from tells where a request comes from and whether it came over TLS. A proxy that is trusted is
// asked for both, and so is one that may open norn's socket; what anybody else says in the same
// headers counts for nothing.
func (k *Keeper) from(r *http.Request) (address string, encrypted bool) {
	_, socket := r.Context().Value(http.LocalAddrContextKey).(*net.UnixAddr)
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if !socket && (err != nil || !k.trusts(at.Addr())) {
		return r.RemoteAddr, r.TLS != nil
	}
	encrypted = r.TLS != nil || strings.EqualFold(last(r.Header["X-Forwarded-Proto"]), "https")
	// Each proxy adds on the right whom it heard; the first from there who is no proxy of ours asks.
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

// last is the last of a header's values: what the nearest proxy has said.
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

// secureKey is under what a request says whether it came over TLS.
type secureKey struct{}

// Secure tells whether the reader came over TLS.
func Secure(r *http.Request) bool {
	encrypted, _ := r.Context().Value(secureKey{}).(bool)
	return encrypted
}

// LinkOrigins returns where seat links for other people lead, the most likely first. A reader who came by a loopback
// address gets the addresses at which other devices reach this computer. Without any, local is
// true: such a link opens on this computer only.
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

// OriginOf is where links that people send lead to.
func (k *Keeper) OriginOf(r *http.Request) string {
	if k.Origin != "" {
		return strings.TrimSuffix(k.Origin, "/") + string(k.Base)
	}
	if Secure(r) {
		return "https://" + r.Host + string(k.Base)
	}
	return "http://" + r.Host + string(k.Base)
}
