package server

import (
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"norn/chat/discord"
	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/storage"
	"norn/internal/limit"
	"norn/odds"
)

// addressFlag is an address to listen on.
type addressFlag struct {
	p     *cli.Program
	value *string
	none  bool // "no" is allowed and sets ""

	socket bool // a socket file is allowed
}

func (f *addressFlag) String() string { return *f.value }
func (f *addressFlag) Type() string   { return f.p.Say("norn.metavar.address") }
func (f *addressFlag) Set(text string) error {
	if f.none && text == "no" {
		*f.value = ""
		return nil
	}
	if path := socketPath(text); f.socket && path != "" {
		if !filepath.IsAbs(path) {
			return cli.Unfit("norn.error.socket-syntax", "Given", text)
		}
		*f.value = text
		return nil
	}
	_, port, err := net.SplitHostPort(text)
	if _, wrong := strconv.ParseUint(port, 10, 16); err != nil || wrong != nil {
		return cli.Unfit("norn.error.listen-syntax", "Given", text)
	}
	*f.value = text
	return nil
}

// baseFlag is the path below which norn is served.
type baseFlag struct {
	p    *cli.Program
	text string
}

var basePath = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$`)

func (f *baseFlag) String() string { return f.text }
func (f *baseFlag) Type() string   { return f.p.Say("norn.metavar.path") }
func (f *baseFlag) Set(text string) error {
	path := strings.TrimSuffix(text, "/")
	if path != "" && !basePath.MatchString(path) {
		return cli.Unfit("norn.error.base-syntax", "Given", text)
	}
	f.text = path
	return nil
}

// limitsFlag limits how often people may do something.
type limitsFlag struct {
	p      *cli.Program
	text   string
	limits limit.Limits
}

func (f *limitsFlag) String() string { return f.text }
func (f *limitsFlag) Type() string   { return f.p.Say("norn.metavar.limits") }
func (f *limitsFlag) Set(text string) error {
	limits, err := limit.Parse(text)
	if err != nil {
		return cli.Unfit("norn.error.limits-syntax", "Given", text, "Names", strings.Join(limit.Names(), ", "))
	}
	f.text, f.limits = text, limits
	return nil
}

// private lists the networks that packets from outside never come from.
const private = "127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7,fe80::/10"

// networksFlag lists the networks of trusted proxies.
type networksFlag struct {
	p        *cli.Program
	text     string
	networks []netip.Prefix
}

func (f *networksFlag) String() string { return f.text }
func (f *networksFlag) Type() string   { return f.p.Say("norn.metavar.networks") }
func (f *networksFlag) Set(text string) error {
	var networks []netip.Prefix
	list := text
	switch text {
	case "private":
		list = private
	case "no":
		list = ""
	}
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		network, err := netip.ParsePrefix(part)
		if address, wrong := netip.ParseAddr(part); wrong == nil {
			network, err = address.Prefix(address.BitLen())
		}
		switch {
		case text == "no":
		case err != nil:
			return cli.Unfit("norn.error.networks-syntax", "Given", text)
		default:
			networks = append(networks, network.Masked())
		}
	}
	f.text, f.networks = text, networks
	return nil
}

// visitor returns the address at the other end of a connection as limits know it, or "" for a
// proxy.
func (f *networksFlag) visitor(at net.Addr) string {
	if _, ok := at.(*net.UnixAddr); ok {
		return ""
	}
	end, err := netip.ParseAddrPort(at.String())
	if err == nil && slices.ContainsFunc(f.networks, func(n netip.Prefix) bool {
		return n.Contains(end.Addr().Unmap().WithZone(""))
	}) {
		return ""
	}
	return odds.Asker(at.String())
}

// callsFlag lists where norn may send notifications: to the internet, to private networks too, or
// nowhere.
type callsFlag struct {
	networks networksFlag
	text     string
}

func (f *callsFlag) String() string { return f.text }
func (f *callsFlag) Type() string   { return f.networks.Type() }
func (f *callsFlag) Set(text string) error {
	networks := text
	if text == "public" {
		networks = "no"
	}
	if err := f.networks.Set(networks); err != nil {
		return err
	}
	f.text = text
	return nil
}

// keyFlag is the public key of an application.
type keyFlag struct {
	p    *cli.Program
	text string
}

func (f *keyFlag) String() string { return f.text }
func (f *keyFlag) Type() string   { return f.p.Say("norn.metavar.key") }
func (f *keyFlag) Set(text string) error {
	if text != "" && !discord.IsPublicKey(text) {
		return cli.Unfit("norn.error.discord-key") // a token that was entered by mistake isn't shown
	}
	f.text = text
	return nil
}

// webFlag is a web address.
type webFlag struct {
	p       *cli.Program
	text    string
	schemes string
	none    bool // "" is allowed
}

func (f *webFlag) String() string { return f.text }
func (f *webFlag) Type() string   { return f.p.Say("norn.metavar.web") }
func (f *webFlag) Set(text string) error {
	if f.none && text == "" {
		f.text = ""
		return nil
	}
	at, err := url.Parse(text)
	if err != nil || at.Host == "" || at.RawQuery != "" || at.Fragment != "" || at.User != nil ||
		!strings.Contains(" "+f.schemes+" ", " "+at.Scheme+" ") {
		return cli.Unfit("norn.error.web-syntax", "Given", storage.Redact(text), "Schemes",
			strings.ReplaceAll(f.schemes, " ", ", "))
	}
	f.text = text
	return nil
}

// path returns the path of the address.
func (f *webFlag) path() string {
	at, _ := url.Parse(f.text) // Set has checked it
	return at.Path
}
