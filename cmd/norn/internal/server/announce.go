package server

import (
	"fmt"
	"net"
	"slices"

	"norn/cmd/norn/internal/cli"
)

// announce prints the server's addresses.
func announce(p *cli.Program, s serving, at net.Addr, place string) {
	reached := reachable(s, at)
	links := links(s, at)
	fmt.Fprintln(p.Out, cli.Strong.Render(p.Say("norn.serve.open", "Link", links[0])))
	if s.demo && socketPath(s.listen) == "" {
		fmt.Fprintln(p.Out)
		fmt.Fprintln(p.Out, p.Say("norn.serve.demos"))
		for _, g := range p.Games {
			if g.Demo != nil {
				fmt.Fprintln(p.Out)
				fmt.Fprintln(p.Out, p.Say(g.Word("game", "name")))
				fmt.Fprintln(p.Out, "  "+links[0]+"/demo/"+g.ID)
				fmt.Fprintln(p.Out, "  "+links[0]+"/demo/"+g.ID+"/player")
			}
		}
		fmt.Fprintln(p.Out)
	}
	if len(reached) == 0 && !s.lan && socketPath(s.listen) == "" {
		fmt.Fprintln(p.Out, p.Say("norn.serve.local"))
	}
	fmt.Fprintln(p.Out, cli.Quiet.Render(p.Say("norn.serve.data", "Path", place)))
	stop := "norn.serve.stop"
	if s.open {
		stop = "norn.serve.stop-window"
	}
	fmt.Fprintln(p.Out, cli.Quiet.Render(p.Say(stop)))
	if !s.lan {
		printLinks(p, links[1:])
		return
	}
	fmt.Fprintln(p.Out)
	if len(reached) == 0 {
		fmt.Fprintln(p.Out, p.Say("norn.serve.alone"))
		return
	}
	// a link that is too long for a code is printed all the same
	if drawn, err := drawQR(links[0], p.Out.HasStyles()); err == nil {
		fmt.Fprint(p.Out, drawn)
	}
	printLinks(p, links[1:])
}

// printLinks lists further addresses of the server.
func printLinks(p *cli.Program, links []string) {
	if len(links) == 0 {
		return
	}
	fmt.Fprintln(p.Out, p.Say("norn.serve.others"))
	for _, link := range links {
		fmt.Fprintln(p.Out, "  "+link)
	}
}

// links returns the server's addresses, the best first: the one it was asked to listen on or, if it
// listens on all, those that other devices can reach, and localhost last.
func links(s serving, at net.Addr) []string {
	if socketPath(s.listen) != "" {
		return []string{s.listen + s.base.text}
	}
	if name := s.domain.name.text; name != "" {
		return []string{linkTo(s, at, name)}
	}
	if host, everywhere := listensOn(s); !everywhere {
		return []string{linkTo(s, at, host)}
	}
	return append(reachable(s, at), linkTo(s, at, "localhost"))
}

// reachable returns the addresses at which other devices may reach the server. The one of the
// default route is first, since bridges and tunnels have addresses too.
func reachable(s serving, at net.Addr) []string {
	if socketPath(s.listen) != "" {
		return nil
	}
	if s.domain.name.text != "" {
		return links(s, at)
	}
	host, everywhere := listensOn(s)
	if !everywhere {
		if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
			return nil
		}
		return []string{linkTo(s, at, host)}
	}
	var links []string
	addresses, _ := net.InterfaceAddrs() // localhost works without them
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok && network.IP.To4() != nil && network.IP.IsGlobalUnicast() {
			links = append(links, linkTo(s, at, network.IP.String()))
		}
	}
	return defaultFirst(links, linkTo(s, at, defaultAddress()))
}

// defaultFirst moves the link of the default route to the front, if it is one of them.
func defaultFirst(links []string, usual string) []string {
	if i := slices.Index(links, usual); i > 0 {
		links = slices.Insert(slices.Delete(links, i, i+1), 0, usual)
	}
	return links
}

// defaultAddress returns the address of this computer's default route, "" for none. Dialling UDP
// asks the routing table and sends nothing; 192.0.2.0/24 is for documentation (RFC 5737).
func defaultAddress() string {
	conn, err := net.Dial("udp4", "192.0.2.1:9")
	if err != nil {
		return ""
	}
	defer conn.Close()
	return conn.LocalAddr().(*net.UDPAddr).IP.String()
}

// listensOn returns the host that the server listens on, or that it listens on every address.
func listensOn(s serving) (host string, everywhere bool) {
	host, _, _ = net.SplitHostPort(s.listen)
	ip := net.ParseIP(host)
	return host, s.lan || host == "" || ip != nil && ip.IsUnspecified()
}

func linkTo(s serving, at net.Addr, host string) string {
	_, port, _ := net.SplitHostPort(at.String())
	scheme := "http://"
	if s.tls() {
		scheme = "https://"
	}
	if s.tls() && port == "443" {
		return scheme + host + s.base.text
	}
	return scheme + net.JoinHostPort(host, port) + s.base.text
}
