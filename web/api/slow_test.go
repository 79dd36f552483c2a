package api_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"norn/internal/wait"
)

// stalled opens the player's stream over a connection with small buffers, and reads nothing.
func (p *party) stalled() io.Reader {
	p.t.Helper()
	address := strings.TrimPrefix(p.url, "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		p.t.Fatal(err)
	}
	request := "GET " + p.base + "/live HTTP/1.1\r\nHost: " + address + "\r\nAuthorization: Bearer " + p.player +
		"\r\n\r\n"
	if _, err := io.WriteString(conn, request); err != nil {
		p.t.Fatal(err)
	}
	slow, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), nil)
	if err != nil || slow.StatusCode != 200 {
		p.t.Fatal(slow, err)
	}
	return slow.Body
}

// online reports whether the player has a stream, as the game master sees it.
func (p *party) online() bool {
	p.t.Helper()
	for _, seat := range p.get("", p.gm).want(200).at(p.t, "seats").([]any) {
		if seat := seat.(map[string]any); seat["id"] == p.playerSeat {
			return seat["online"].(bool)
		}
	}
	return false
}

// fillUntilDropped sends messages until the player's connection is full and gets closed. Another
// client gets all of them.
func (p *party) fillUntilDropped(other *stream) (made uint64) {
	p.t.Helper()
	const most = 3000
	text := strings.Repeat("Rain. ", 1600)
	for p.online() && made < most {
		p.say(text)
		other.next("entry")
		made++
	}
	if made == most {
		p.t.Fatal("the connection takes everything")
	}
	return made
}

// readSeqs checks that the entries in the rest of a closed stream have consecutive numbers, and
// returns the last.
func readSeqs(t *testing.T, slow io.Reader, last uint64) uint64 {
	t.Helper()
	id, entry := "", false
	lines := bufio.NewReader(slow)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return last // in the middle of an event
		}
		switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); {
		case name == "id":
			id = value
		case name == "event":
			entry = value == "entry"
		case line == "\n" && entry:
			last = next(t, id, last)
			entry = false
		}
	}
}

// next checks that an event's id follows the last one.
func next(t *testing.T, id string, last uint64) uint64 {
	t.Helper()
	seq, err := strconv.ParseUint(id, 10, 64)
	if err != nil || seq != last+1 {
		t.Fatalf("event %q after %d", id, last)
	}
	return seq
}

// A client that takes nothing is disconnected, while others continue; with its last complete id it
// resumes without gap or repeat.
func TestConcurrentSlowReaderIsDroppedAndResumes(t *testing.T) {
	p := open(serve(t))
	slow := p.stalled()
	fast := p.follow(p.spectator, "", "")
	from, err := strconv.ParseUint(fast.next("view").id, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the stream begins", p.online)

	made := p.fillUntilDropped(fast)
	last := readSeqs(t, slow, from)
	if last == from+made {
		t.Fatal("nothing was cut off")
	}
	resumed := p.follow(p.player, "", strconv.FormatUint(last, 10))
	for last < from+made {
		last = next(t, resumed.next("entry").id, last)
	}
	p.say("on")
	next(t, resumed.next("entry").id, last)
}
