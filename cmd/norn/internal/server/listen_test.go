package server

import (
	"fmt"
	"net"
	"slices"
	"testing"

	"norn/cmd/norn/internal/cli"
)

// serve --open chooses another port if its port is taken.
func TestServeOpenFindsAnotherPortIfItsOwnIsTaken(t *testing.T) {
	if taken, err := net.Listen("tcp", usualListen); err == nil { // otherwise another process uses it
		defer taken.Close()
	}
	got, err := listenOn(&cli.Program{}, serving{open: true, listen: usualListen})
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if at := got.Addr().(*net.TCPAddr); !at.IP.IsLoopback() || got.Addr().String() == usualListen {
		t.Errorf("it listens on %s", at)
	}
}

// The address of the default route is the first, for that is the one of the computer's network.
func TestAddressOfTheDefaultRouteIsListedFirst(t *testing.T) {
	all := []string{"http://172.17.0.1:80", "http://10.8.0.2:80", "http://192.168.1.5:80"}
	for usual, want := range map[string]string{
		"http://192.168.1.5:80": "[http://192.168.1.5:80 http://172.17.0.1:80 http://10.8.0.2:80]",
		"http://172.17.0.1:80":  "[http://172.17.0.1:80 http://10.8.0.2:80 http://192.168.1.5:80]",
		"http://:80":            "[http://172.17.0.1:80 http://10.8.0.2:80 http://192.168.1.5:80]",
	} {
		if got := fmt.Sprint(defaultFirst(slices.Clone(all), usual)); got != want {
			t.Errorf("with %s: %s, want %s", usual, got, want)
		}
	}
}

// Only a server that listens on nothing but loopback is unreachable for others.
func TestOnlyLoopbackIsUnreachableForOthers(t *testing.T) {
	at := &net.TCPAddr{Port: 8080}
	for _, c := range []struct {
		s    serving
		want string
	}{
		{serving{listen: "127.0.0.1:8080"}, "[]"},
		{serving{listen: "[::1]:8080"}, "[]"},
		{serving{listen: "localhost:8080"}, "[]"},
		{serving{listen: "192.0.2.7:8080"}, "[http://192.0.2.7:8080]"},
		{serving{listen: "norn.example:8080"}, "[http://norn.example:8080]"},
	} {
		if got := fmt.Sprint(reachable(c.s, at)); got != c.want {
			t.Errorf("%s: %s, want %s", c.s.listen, got, c.want)
		}
	}
	all := reachable(serving{listen: "127.0.0.1:8080", lan: true}, at)
	if usual := defaultAddress(); usual != "" && (len(all) == 0 || all[0] != "http://"+usual+":8080") {
		t.Errorf("with --lan: %s, want %s first", all, usual)
	}
}
