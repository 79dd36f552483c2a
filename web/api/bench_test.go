package api_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// pipe is a live stream read by hand, so that a benchmark measures mostly the server.
type pipe struct {
	t    testing.TB
	conn net.Conn
	r    *bufio.Reader
}

func (p *party) pipe(secret, query string) *pipe {
	p.t.Helper()
	address := strings.TrimPrefix(p.url, "http://")
	conn, err := net.Dial("tcp", address)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.Close() })
	_, err = fmt.Fprintf(conn, "GET %s/live%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", p.base, query,
		address, secret)
	if err != nil {
		p.t.Fatal(err)
	}
	return &pipe{p.t, conn, bufio.NewReaderSize(conn, 64)}
}

// next reads up to the next entry's id.
func (l *pipe) next() {
	for {
		line, err := l.r.ReadSlice('\n')
		for err == bufio.ErrBufferFull {
			_, err = l.r.ReadSlice('\n')
		}
		if err != nil {
			l.t.Fatal(err)
		}
		if string(line) == "event: entry\n" {
			return
		}
	}
}

// fastMove posts a move, checks only the status, and returns the number of entries.
func (p *party) fastMove(n int) (entries int) {
	move := `"move":"check","args":{"risk":"d3","resistance":"blood"}`
	if n%2 == 1 { // clear the stress again
		move = `"move":"act","args":{"die":"d8","resistance":"blood"}`
	}
	body := bytes.NewBufferString(`{` + move + `,"character":"` + p.vex + `","key":"b` + strconv.Itoa(n) + `"}`)
	r, err := http.NewRequest(http.MethodPost, p.url+p.base+"/moves", body)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.gm)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		p.t.Fatal(answer.Status, string(text), err)
	}
	if answer.StatusCode != http.StatusAccepted {
		return 1
	}
	view := p.get("", p.gm).want(200) // fallout: the character would stay busy
	p.post("/answers", p.gm, answering(view.text(p.t, "questions", 0, "id"),
		view.at(p.t, "questions", 0, "standard"))).want(200)
	return 2
}

func answering(question string, answer any) body { return body{"question": question, "answer": answer} }

// BenchmarkMove makes a move over HTTP, durable in SQLite, until four live seats have the event.
func BenchmarkMove(b *testing.B) {
	p := open(serve(b))
	live := []*pipe{p.pipe(p.gm, ""), p.pipe(p.player, ""), p.pipe(p.spectator, ""), p.pipe(p.player, "")}
	n := 0
	once := func() {
		entries := p.fastMove(n)
		n++
		for _, l := range live {
			for range entries {
				l.next()
			}
		}
	}
	once()
	b.ReportAllocs()
	for b.Loop() {
		once()
	}
}

// BenchmarkCatchUp500 measures a stream that catches up over 500 entries.
func BenchmarkCatchUp500(b *testing.B) {
	const entries = 500
	p := open(serve(b))
	for range entries {
		p.post("/moves", p.gm, body{"move": "no-roll", "character": p.vex, "args": body{"text": "on"}}).want(200)
	}
	b.ReportAllocs()
	for b.Loop() {
		live := p.pipe(p.player, "?after=0")
		for range entries {
			live.next()
		}
		live.conn.Close()
	}
	b.ReportMetric(float64(entries*b.N)/b.Elapsed().Seconds(), "frames/s")
}

// BenchmarkIdleLiveSeat measures the memory of an idle live stream, including the client's end in this
// process: mostly the stacks of its two goroutines.
func BenchmarkIdleLiveSeat(b *testing.B) {
	p := open(serve(b))
	held := func() uint64 {
		var m runtime.MemStats
		for range 5 { // stacks shrink and pools empty after several collections
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	p.pipe(p.player, "?after=0").next()
	before, streams := held(), uint64(0)
	for b.Loop() {
		if streams++; streams > 90 {
			continue
		}
		p.pipe(p.player, "?after=0").next()
	}
	b.ReportMetric(float64(held()-before)/float64(min(streams, 90)), "B/seat")
}
