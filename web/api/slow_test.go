package api_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A reader that takes nothing any more is dropped, while others go on; with the id of the last whole event it goes on
// where it was, without gap or repeat.
func TestASlowReaderIsDroppedAndResumes(t *testing.T) {
	p := open(serve(t))
	address := strings.TrimPrefix(p.url, "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	request := "GET " + p.base + "/live HTTP/1.1\r\nHost: " + address + "\r\nAuthorization: Bearer " + p.player + "\r\n\r\n"
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	slow, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), nil)
	if err != nil || slow.StatusCode != 200 {
		t.Fatal(slow, err)
	}
	fast := p.follow(p.spectator, "", "")
	from, err := strconv.ParseUint(fast.next("view").id, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	online := func() bool {
		for _, seat := range p.get("", p.gm).want(200).at(t, "seats").([]any) {
			if seat := seat.(map[string]any); seat["id"] == p.playerSeat {
				return seat["online"].(bool)
			}
		}
		return false
	}
	for begun := time.Now(); !online(); {
		if time.Since(begun) > 10*time.Second {
			t.Fatal("the stream doesn't begin")
		}
	}

	const most = 3000
	text, made := strings.Repeat("Rain. ", 1600), uint64(0)
	for online() { // until the connection's buffers are full and the time is over
		if made < most {
			p.say(text)
			fast.next("entry")
			made++
		}
	}
	if made == most {
		t.Fatal("the connection takes everything")
	}

	last, seq, id := from, uint64(0), ""
	one := func(id string) {
		t.Helper()
		if seq, err = strconv.ParseUint(id, 10, 64); err != nil || seq != last+1 {
			t.Fatalf("event %q after %d", id, last)
		}
		last = seq
	}
	lines, entry := bufio.NewReader(slow.Body), false
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break // somewhere in an event
		}
		switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); {
		case name == "id":
			id = value
		case name == "event":
			entry = value == "entry"
		case line == "\n" && entry:
			one(id)
			entry = false
		}
	}
	if last == from+made {
		t.Fatal("nothing was cut off")
	}
	resumed := p.follow(p.player, "", strconv.FormatUint(last, 10))
	for last < from+made {
		one(resumed.next("entry").id)
	}
	p.say("on")
	one(resumed.next("entry").id)
}
