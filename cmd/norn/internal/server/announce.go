package server

import (
	"fmt"
	"net"

	"norn/cmd/norn/internal/cli"
)

// announce tells where the server is.
func announce(p *cli.Program, s serving, at net.Addr, place string) {
	links := links(s, at)
	fmt.Fprintln(p.Out, cli.Strong.Render(p.Say("norn.serve.open", "Link", links[0])))
	for _, link := range links[1:] {
		fmt.Fprintln(p.Out, "  "+link)
	}
	if s.demo {
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
	fmt.Fprintln(p.Out, cli.Quiet.Render(p.Say("norn.serve.data", "Path", place)))
	stop := "norn.serve.stop"
	if s.open {
		stop = "norn.serve.stop-window"
	}
	fmt.Fprintln(p.Out, cli.Quiet.Render(p.Say(stop)))
	if !s.lan {
		return
	}
	fmt.Fprintln(p.Out)
	if len(links) == 1 {
		fmt.Fprintln(p.Out, p.Say("norn.serve.alone"))
		return
	}
	if drawn, err := drawQR(links[0], p.Out.Styled()); err == nil { // a link too long for a code is still a link
		fmt.Fprint(p.Out, drawn)
	}
}

// links are the addresses at which people find the server: as it was asked to
// listen, or, where that is everywhere, those of this machine that others can
// reach, and its own last.
func links(s serving, at net.Addr) []string {
	_, port, _ := net.SplitHostPort(at.String())
	host, _, _ := net.SplitHostPort(s.listen)
	scheme := "http://"
	if s.tls() {
		scheme = "https://"
	}
	link := func(host string) string { return scheme + net.JoinHostPort(host, port) }
	if ip := net.ParseIP(host); !s.lan && host != "" && (ip == nil || !ip.IsUnspecified()) {
		return []string{link(host)}
	}
	var links []string
	addresses, _ := net.InterfaceAddrs() // without them there is still this machine
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok && network.IP.To4() != nil && network.IP.IsGlobalUnicast() {
			links = append(links, link(network.IP.String()))
		}
	}
	return append(links, link("localhost"))
}
