package playtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// from returns a client at an address of this machine.
func from(address string) *http.Client {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: 20 * time.Second}
	return &http.Client{
		Timeout:   60 * time.Second,
		Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 4},
	}
}

const stranger, player = "127.0.0.1", "127.0.0.2"

// besieged starts a demo server with the default limits and the number of files that a service
// usually has.
func besieged(t *testing.T) *server {
	s := &server{t: t, dir: t.TempDir(), files: 1024}
	s.more = []string{"--demo", "--limits", "usual"}
	s.begin()
	return s
}

// ask makes a request and reads the answer.
func ask(ctx context.Context, client *http.Client, method, at, secret string, body any) (status int, text []byte,
	err error,
) {
	var sent []byte
	if body != nil {
		if sent, err = json.Marshal(body); err != nil {
			return 0, nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, at, bytes.NewReader(sent))
	if err != nil {
		return 0, nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	text, err = io.ReadAll(answer.Body)
	return answer.StatusCode, text, err
}

// othersPlay makes moves and opens pages from another address while a stranger attacks. All of that
// must be answered. How long it takes, and how much memory, is measured by the play "flood" of
// playtest/load.
func (s *server) othersPlay(rounds int) {
	s.t.Helper()
	client := from(player)
	must := func(method, at, secret string, body any) []byte {
		s.t.Helper()
		status, text, err := ask(s.t.Context(), client, method, s.url(at), secret, body)
		if err != nil || status >= 300 {
			s.t.Fatalf("%s %s: %d %v %s", method, at, status, err, text)
		}
		return text
	}
	var made struct {
		ID   string
		Seat struct{ Secret string }
	}
	if err := json.Unmarshal(must("POST", "/api/v1/tables", "", body{"game": "spire", "name": "Siege", "lang": "en"}),
		&made); err != nil {
		s.t.Fatal(err)
	}
	table, secret := "/api/v1/tables/"+made.ID, made.Seat.Secret
	must("POST", table+"/characters", secret, body{"name": "Rhua", "kind": "character", "sheet": body{}})
	for n := range rounds {
		client.CloseIdleConnections() // a new client, which needs a new connection
		must("POST", table+"/moves", secret,
			body{"character": "c1", "move": "check", "args": body{}, "dice": []int{9}, "key": strconv.Itoa(n)})
		must("GET", "/", "", nil)
		must("GET", table, secret, nil)
	}
}

// connects opens n connections of a stranger, lets each send something, and holds them until the
// test ends.
func (s *server) connects(n int, say func(i int, conn net.Conn)) {
	s.t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(stranger)}, Timeout: 20 * time.Second}
	for i := range n {
		conn, err := dialer.Dial("tcp", s.address)
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { conn.Close() })
		say(i, conn)
	}
}

func TestOthersPlayBesideAThousandIdleConnections(t *testing.T) {
	s := besieged(t)
	s.connects(1100, func(int, net.Conn) {})
	s.othersPlay(30)
}

// The bodies go to addresses of all kinds.
func TestOthersPlayBesideAThousandUnfinishedBodies(t *testing.T) {
	s := besieged(t)
	at := []string{
		"PATCH /api/v1/tables/x/seats/live", "PATCH /api/v1/tables/x/characters/live", "POST /api/v1/odds/spire/live",
		"POST /api/v1/odds/dice", "POST /api/v1/tables", "POST /look", "POST /tables", "POST /assets/x/live",
	}
	part := bytes.Repeat([]byte(" "), 1000<<10)
	var sending sync.WaitGroup
	s.connects(1000, func(i int, conn net.Conn) {
		request := at[i%len(at)]
		media := "application/x-www-form-urlencoded"
		if strings.Contains(request, "/api/") {
			media = "application/json"
		}
		sending.Go(func() {
			_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
			_, _ = fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: norn\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
				request, media, 1<<20)
			_, _ = conn.Write(part) // fails when norn has closed the connection
		})
	})
	s.othersPlay(30)
	sending.Wait()
}

// dearest lists the most expensive known requests.
var dearest = []struct {
	method, at string
	body       any
}{
	{"GET", "/odds/dice?notation=100d1000", nil},
	{"GET", "/odds/dice?notation=100d1000&_with=notation%3D99d1000&_with=notation%3D98d1000", nil},
	{"GET", "/odds/dice/odds.csv?notation=1000d6&_fractions=1", nil},
	{"GET", "/odds/dice/odds.csv?notation=100d1000&_with=notation%3D99d1000&_with=notation%3D98d1000", nil},
	{"GET", "/odds/dice/odds.svg?notation=12d1000", nil},
	{"GET", "/odds/dice?notation=100d6%2B100d6&_with=notation%3D90d6%2B100d6&_with=notation%3D80d6%2B100d6&_with=notation%3D70d6%2B100d6", nil},
	{"GET", "/odds/dice?notation=1000d1000kh500", nil},
	{"GET", "/odds/dice/odds.csv?notation=1000d1000%3E%3D501%2B1000d999%3E%3D501", nil},
	{"GET", "/odds/dice?notation=1d1000!%3E%3D2", nil},
	{"GET", "/odds/dice?notation=100d1000!!%3E2", nil},
	{"GET", "/odds/dice?notation=100d1000!%3E2kh50", nil},
	{"GET", "/odds/dice?notation=%7B1d1000,2d1000,3d1000,4d1000%7Dkh2", nil},
	{"POST", "/api/v1/odds/dice", body{"args": body{"notation": "100d1000"}}},
	{
		"POST", "/api/v1/odds/dice/notation/compare",
		body{"settings": []any{
			body{"notation": "200d12"},
			body{"notation": "200d13"},
			body{"notation": "200d11"},
			body{"notation": "190d12"},
		}},
	},
	{
		"POST", "/api/v1/odds/edda/joint",
		body{"args": body{"complexity": 9, "others": []int{30, 30, 30, 30, 30, 30}}, "aim": "succeed"},
	},
}

// A question that is too large is refused with the largest possible one.
func TestTheMostExpensiveOddsAreAnsweredOrRefused(t *testing.T) {
	s := besieged(t)
	client := from(stranger)
	for _, c := range dearest {
		var (
			status int
			text   []byte
			err    error
		)
		for try := 0; try == 0 || status == 503 && try < 20; try++ { // too late on a busy machine: ask again
			status, text, err = ask(t.Context(), client, c.method, s.url(c.at), "", c.body)
		}
		if err != nil || status != 200 && status != 422 {
			t.Errorf("%s: %d %v %.200s", c.at, status, err, text)
		}
		if len(text) > 8<<20 {
			t.Errorf("%s: %d bytes", c.at, len(text))
		}
	}
	terms := url.QueryEscape(strings.Repeat("1000d1000+", 19) + "1000d999")
	for lang, says := range map[string]string{
		"en": "7980 would fit", "ru": "поместилось бы 7",
		"uk": "вмістилося б 7",
	} {
		status, text, err := ask(t.Context(), client, "GET", s.url("/odds/dice?notation="+terms+"&lang="+lang), "", nil)
		if err != nil || status != 422 || !strings.Contains(string(text), says) {
			t.Errorf("%s: %d, %v; nothing says what would fit", lang, status, err)
		}
	}
}

func TestOthersPlayDuringTheMostExpensiveOdds(t *testing.T) {
	s := besieged(t)
	asking, enough := context.WithCancel(t.Context())
	var loops sync.WaitGroup
	for i := range 10 {
		loops.Go(func() {
			client := from(stranger)
			for n := i; asking.Err() == nil && n < 2000; n++ {
				c := dearest[n%len(dearest)]
				if status, _, err := ask(asking, client, c.method, s.url(c.at), "", c.body); err != nil ||
					status == http.StatusTooManyRequests {
					time.Sleep(5 * time.Millisecond)
				}
			}
		})
	}
	defer loops.Wait()
	defer enough()
	s.othersPlay(50)
}

// A call of MCP with thousands of messages is refused as a whole, with a seat's secret and without.
func TestHugeBatchesOfMCPAreRefused(t *testing.T) {
	s := &server{t: t, dir: t.TempDir(), files: 1024}
	s.more = []string{"--limits", "usual", "--agents"}
	s.begin()
	table, opened := s.attackedTable()
	client := from(stranger)
	calls := make([]body, 19_500)
	for i := range calls {
		calls[i] = body{"jsonrpc": "2.0", "id": i + 1, "method": "tools/list"}
	}
	got, bytes := map[int]int{}, 0
	for i := range 100 {
		at, secret := "/mcp/aaaaaaaaaaaaaaaa", "nonsense"
		if i%2 == 1 {
			at, secret = "/mcp/"+strings.TrimPrefix(table, "/api/v1/tables/"), opened
		}
		status, text, err := ask(t.Context(), client, "POST", s.url(at), secret, calls)
		if err != nil {
			continue // norn closed the connection early
		}
		got[status]++
		bytes += len(text)
	}
	if got[200] > 0 || got[404] == 0 || bytes > 1<<20 {
		t.Errorf("%d bytes, answers %v", bytes, got)
	}
}

// attackedTable creates a table as the stranger, and returns its path in the API and its secret.
func (s *server) attackedTable() (at, secret string) {
	s.t.Helper()
	var made struct {
		ID   string
		Seat struct{ Secret string }
	}
	_, text, err := ask(s.t.Context(), from(stranger), "POST", s.url("/api/v1/tables"), "",
		body{"game": "spire", "name": "Flood", "lang": "en"})
	if err != nil || json.Unmarshal(text, &made) != nil || made.ID == "" {
		s.t.Fatalf("%v %s", err, text)
	}
	return "/api/v1/tables/" + made.ID, made.Seat.Secret
}

// Pictures beyond an address's limit are refused before they are decoded, so that nobody hears
// whether they could be.
func TestPicturesBeyondTheLimitAreRefusedUnread(t *testing.T) {
	s := besieged(t)
	at, secret := s.attackedTable()
	client := from(stranger)
	pixel := "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	for range 60 {
		if status, text, err := ask(t.Context(), client, "POST", s.url(at+"/pictures"), secret,
			body{"data": pixel}); err != nil || status != 201 {
			t.Fatalf("%d %v %s", status, err, text)
		}
	}
	large := body{"data": strings.Repeat("iVBO", 250_000)}
	got := map[int]int{}
	for range 300 {
		status, _, err := ask(t.Context(), client, "POST", s.url(at+"/pictures"), secret, large)
		if err != nil {
			continue // norn closed the connection early
		}
		got[status]++
	}
	if got[201]+got[422] > 1 || got[429] == 0 {
		t.Errorf("answers %v", got)
	}
}
