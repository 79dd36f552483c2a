//go:build e2e

package playtest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"norn/internal/wait"
	"norn/journal"
	"norn/journal/postgres"
	"norn/journal/postgres/pgtest"
)

// proxy distributes connections over nodes and skips those that don't answer.
type proxy struct {
	listener net.Listener
	nodes    []string
	next     atomic.Int64
}

func balance(t *testing.T, nodes ...*server) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener}
	for _, n := range nodes {
		p.nodes = append(p.nodes, n.address)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go p.join(near)
		}
	}()
	return p
}

func (p *proxy) join(near net.Conn) {
	defer near.Close()
	for range p.nodes {
		far, err := net.DialTimeout("tcp", p.nodes[int(p.next.Add(1))%len(p.nodes)], time.Second)
		if err != nil {
			continue
		}
		go func() {
			_, _ = io.Copy(far, near)
			far.Close()
		}()
		_, _ = io.Copy(near, far)
		return
	}
}

func (p *proxy) url(path string) string { return "http://" + p.listener.Addr().String() + path }

// deafen cuts the nodes' relays off from PostgreSQL, again and again, until stop is called.
func deafen(t *testing.T, address string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	var ended sync.WaitGroup
	var cut atomic.Int64
	ended.Go(func() {
		for ctx.Err() == nil {
			did, err := conn.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE application_name = 'norn relay' AND datname = current_database()`)
			if err != nil && ctx.Err() == nil {
				t.Error(err)
				return
			}
			cut.Add(did.RowsAffected())
			time.Sleep(50 * time.Millisecond) // a relay tries again after 500
		}
	})
	return sync.OnceFunc(func() {
		cancel()
		ended.Wait()
		_ = conn.Close(context.Background()) // its last query was cancelled
		if cut.Load() == 0 {
			t.Error("no relay was cut off")
		}
	})
}

// host is a server, or a proxy in front of several.
type host interface{ url(path string) string }

// person is a human at a seat who acts through a server or a proxy and follows the table. Each
// request has a connection of its own and so, behind a proxy, mostly another node.
type person struct {
	t         testing.TB
	at        host
	table     string
	secret    string
	character string
	home      *server // the node of the first stream, nil for the proxy's choice
	client    *http.Client

	mu      sync.Mutex
	seen    []uint64      // entries received by the stream
	written []time.Time   // when each of them was
	streams int           // number of streams
	late    time.Duration // the longest time from an entry's write to its arrival
}

// try makes a request; a status of 0 means that nobody answered.
func (p *person) try(method, path string, body any) (status int, answer map[string]any) {
	data, err := json.Marshal(body)
	if err != nil {
		p.t.Error(err)
		return 0, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, p.at.url("/api/v1"+path), bytes.NewReader(data))
	if err != nil {
		p.t.Error(err)
		return 0, nil
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+p.secret)
	response, err := p.client.Do(request)
	if err != nil {
		return 0, nil
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return 0, nil
	}
	return response.StatusCode, answer
}

// must repeats a request until somebody answers, as a page does: with the same key and a pause.
func (p *person) must(method, path string, body any) map[string]any {
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		status, answer := p.try(method, path, body)
		switch {
		case status >= 200 && status < 300:
			return answer
		case status != 0 && status != http.StatusServiceUnavailable:
			p.t.Errorf("%s %s: %d %v", method, path, status, answer)
			return nil
		case time.Now().After(end):
			p.t.Errorf("%s %s: nobody answers: %d %v", method, path, status, answer)
			return nil
		}
	}
}

// follow reads the live stream until ctx ends, and reconnects elsewhere when it breaks.
func (p *person) follow(ctx context.Context, from uint64) {
	last, at := from, p.at
	if p.home != nil {
		at = p.home
	}
	for ; ctx.Err() == nil; at = p.at {
		p.mu.Lock()
		p.streams++
		p.mu.Unlock()
		last = p.stream(ctx, at, last)
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

func (p *person) stream(ctx context.Context, at host, last uint64) uint64 {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.url("/api/v1/tables/"+p.table+"/live"), nil)
	if err != nil {
		p.t.Error(err)
		return last
	}
	request.Header.Set("Authorization", "Bearer "+p.secret)
	request.Header.Set("Last-Event-ID", strconv.FormatUint(last, 10))
	response, err := p.client.Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		return last
	}
	defer response.Body.Close()
	event := ""
	lines := bufio.NewReader(response.Body)
	for {
		line, err := lines.ReadString('\n')
		if err != nil { // an incomplete event is sent again
			return last
		}
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			event = strings.TrimSpace(name)
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || event != "entry" {
			continue
		}
		var entry struct {
			Seq  uint64
			Time time.Time
		}
		if err := json.Unmarshal([]byte(data), &entry); err != nil {
			p.t.Error(err)
			return last
		}
		last = entry.Seq
		p.mu.Lock()
		p.seen = append(p.seen, entry.Seq)
		p.written = append(p.written, entry.Time)
		p.late = max(p.late, time.Since(entry.Time))
		p.mu.Unlock()
	}
}

// told returns the entries that the stream has sent.
func (p *person) told() (seen []uint64, streams int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.seen), p.streams
}

// latest returns the time of the slowest entry since the last call.
func (p *person) latest() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	late := p.late
	p.late = 0
	return late
}

// Three nodes share PostgreSQL. The seats of one table use any of them; while they move, a node is
// killed, PostgreSQL restarts, and for ten seconds no node hears the others. Streams continue at another
// node, nothing is lost or repeated, and a question stays open all the time.
func TestThreeNodesServeATableThroughFailures(t *testing.T) {
	t.Parallel()
	database := pgtest.Run(t)
	address, err := database.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	nodes := make([]*server, 3)
	for i := range nodes {
		nodes[i] = serve(t, "--journal", address)
	}
	s := &shared{t: t, nodes: nodes, front: balance(t, nodes...)}
	s.open()
	page := sit(t, "gm", 1440, 900)
	page.visit(s.front.url("/t/" + s.id + "/" + s.gm().secret))
	page.sees("[data-question-kind='spire.fallout']", "")

	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	var following sync.WaitGroup
	for i, p := range s.people {
		p.home = nodes[i%len(nodes)]
		following.Go(func() { p.follow(ctx, s.began) })
	}
	s.move()
	s.goesOn("in peace", 1500*time.Millisecond)
	s.together("in peace")
	nodes[0].kill()
	s.goesOn("a node killed", 2*time.Second)
	nodes[0].start()
	s.goesOn("it's back", time.Second)
	s.together("it's back")
	if err := database.Halt(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond) // PostgreSQL is down for this time
	if err := database.Run(); err != nil {
		t.Fatal(err)
	}
	s.goesOn("PostgreSQL restarted", 2500*time.Millisecond)
	s.pace.Store(int64(300 * time.Millisecond))
	hear := deafen(t, address)
	defer hear()
	s.goesOn("no wake-ups", 5*time.Second)
	s.goesOn("still no wake-ups", 5*time.Second)
	hear()
	s.goesOn("wake-ups again", 2*time.Second)
	s.stop.Store(true)
	s.moving.Wait()
	if t.Failed() {
		return
	}

	end := s.sameOnEveryNode()
	page.gone("[data-question]") // without another load of the page
	s.writtenOnce(address, end)
	s.toldOnce(end)
	hangUp()
	following.Wait()
}

// shared is a table that several nodes serve, and the people at it.
type shared struct {
	t        *testing.T
	nodes    []*server
	front    *proxy
	id       string
	people   []*person // the game master first
	question string    // stays open
	began    uint64    // the entry that asked it

	moving  sync.WaitGroup
	stop    atomic.Bool
	pace    atomic.Int64        // the pause of each between moves
	written []map[uint64]string // of each, seq to key, as acknowledged
}

func (s *shared) gm() *person { return s.people[0] }

func (s *shared) join(secret string) *person {
	p := &person{
		t: s.t, at: s.front, table: s.id, secret: secret,
		client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	}
	s.people = append(s.people, p)
	return p
}

// open creates the table with four people, their heroes, and a question for the game master.
func (s *shared) open() {
	s.t.Helper()
	first := &person{t: s.t, at: s.front, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	created := first.must("POST", "/tables", map[string]any{"game": "spire", "name": "Friday", "lang": "en"})
	s.id = created["id"].(string)
	gm := s.join(created["seat"].(map[string]any)["secret"].(string))
	for i, name := range []string{"Anna", "Boris", "Vira"} {
		seat := gm.must("POST", "/tables/"+s.id+"/seats",
			map[string]any{"name": name, "role": "player", "key": fmt.Sprint("seat", i)})
		s.join(seat["secret"].(string))
	}
	for i, p := range s.people {
		p.character = fmt.Sprint("c", i+1)
		p.must("POST", "/tables/"+s.id+"/characters",
			map[string]any{
				"name": fmt.Sprint("Hero ", i+1), "kind": "character", "sheet": map[string]any{},
				"key": "hero",
			})
	}
	gm.must("POST", "/tables/"+s.id+"/characters",
		map[string]any{"name": "Lira", "kind": "character", "sheet": map[string]any{}, "key": "lira"})
	asked := gm.must("POST", "/tables/"+s.id+"/moves", map[string]any{
		"move": "check", "character": "c5", "key": "question",
		"args": map[string]any{"difficulty": 0, "risk": "d6", "resistance": "shadow"}, "dice": []int{2, 5, 1},
	})
	open, _ := asked["open"].([]any)
	if len(open) != 1 {
		s.t.Fatalf("no question stands open: %v", asked)
	}
	s.question = open[0].(map[string]any)["id"].(string)
	s.began = uint64(asked["seq"].(float64))
}

// move lets everybody move, as fast as the table accepts it, until stop.
func (s *shared) move() {
	s.pace.Store(int64(20 * time.Millisecond))
	s.written = make([]map[uint64]string, len(s.people))
	for i, p := range s.people {
		s.written[i] = map[uint64]string{}
		s.moving.Go(func() {
			for n := 0; !s.stop.Load() && !s.t.Failed(); n++ {
				key := fmt.Sprint("move-", n)
				made := p.must("POST", "/tables/"+s.id+"/moves", map[string]any{
					"move": "check", "character": p.character, "args": map[string]any{}, "dice": []int{9}, "key": key,
				})
				if made == nil {
					return
				}
				seq := uint64(made["seq"].(float64))
				if before, twice := s.written[i][seq]; twice {
					s.t.Errorf("entry %d is %s and %s", seq, before, key)
				}
				s.written[i][seq] = key
				time.Sleep(time.Duration(s.pace.Load())) // people pause between moves
			}
		})
	}
}

// head returns the last entry of the game master's stream.
func (s *shared) head() uint64 {
	seen, _ := s.gm().told()
	if len(seen) == 0 {
		return 0
	}
	return seen[len(seen)-1]
}

// goesOn waits for the duration of a failure, and checks that people have moved meanwhile.
func (s *shared) goesOn(what string, d time.Duration) {
	s.t.Helper()
	before := s.head()
	time.Sleep(d)
	after := s.head()
	_, streams := s.gm().told()
	s.t.Logf("%s: entries %d to %d in %v, told at most %v late, stream %d", what, before, after, d,
		s.gm().latest().Round(time.Millisecond), streams)
	if after <= before {
		s.t.Errorf("%s: nothing goes on after entry %d", what, before)
	}
}

// together checks that everybody is online on every node.
func (s *shared) together(what string) {
	s.t.Helper()
	for i, n := range s.nodes {
		wait.Until(s.t, fmt.Sprintf("%s: on node %d all are online", what, i), func() bool {
			_, view := n.call("GET", "/tables/"+s.id, s.gm().secret, nil)
			seats, _ := view["seats"].([]any)
			online := 0
			for _, seat := range seats {
				if on, _ := seat.(map[string]any)["online"].(bool); on {
					online++
				}
			}
			return online == len(s.people)
		})
	}
}

// sameOnEveryNode checks that the question is open and the log the same on every node, answers it,
// and returns the last entry.
func (s *shared) sameOnEveryNode() (end uint64) {
	s.t.Helper()
	var first []any
	for i, n := range s.nodes {
		log := wholeLog(n, s.id, s.gm().secret)
		if i == 0 {
			first = log
		} else if len(log) != len(first) {
			s.t.Errorf("node %d has %d entries, node 0 has %d", i, len(log), len(first))
		}
		_, view := n.call("GET", "/tables/"+s.id, s.gm().secret, nil)
		if questions, _ := view["questions"].([]any); len(questions) != 1 ||
			questions[0].(map[string]any)["id"] != s.question {
			s.t.Errorf("node %d: the questions are %v", i, view["questions"])
		}
	}
	s.gm().must("POST", "/tables/"+s.id+"/answers",
		map[string]any{
			"question": s.question, "answer": map[string]any{"do": "take", "pick": "shadow.moderate.1"},
			"key": "answer",
		})
	return uint64(len(first)) + 1
}

// writtenOnce checks that every key is in the journal once, at the acknowledged seq.
func (s *shared) writtenOnce(address string, end uint64) {
	s.t.Helper()
	t := s.t
	j, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	entries, err := j.Read(t.Context(), s.id, 0, 0)
	if err != nil || uint64(len(entries)) != end {
		t.Fatalf("the journal has %d entries, want %d (%v)", len(entries), end, err)
	}
	type use struct{ seat, key string }
	stands := map[use]uint64{}
	for i, e := range entries {
		if e.Seq != uint64(i+1) {
			t.Fatalf("entry %d stands at place %d", e.Seq, i+1)
		}
		stands[use{e.Seat, e.Key}]++
	}
	moves := 0
	for i := range s.people {
		for seq, key := range s.written[i] {
			if e := entries[seq-1]; e.Key != key || e.Seat != fmt.Sprint("s", i+1) || stands[use{e.Seat, key}] != 1 {
				t.Errorf("%s of seat %d was told to be entry %d, which is %s of %s", key, i+1, seq, e.Key, e.Seat)
			}
			moves++
		}
	}
	want := int(end-s.began) - 1 // without the answer and the page's own shares for the dice
	for _, e := range entries[s.began:end] {
		if strings.Contains(string(e.Body), `"kind":"share"`) {
			want--
		}
	}
	if moves != want {
		t.Errorf("%d moves were acknowledged, %d were written", moves, want)
	}
}

// toldOnce checks that every stream sent each entry once and in order.
func (s *shared) toldOnce(end uint64) {
	s.t.Helper()
	var all []uint64
	for seq := s.began + 1; seq <= end; seq++ {
		all = append(all, seq)
	}
	for i, p := range s.people {
		var seen []uint64
		streams := 0
		wait.Until(s.t, fmt.Sprintf("the stream of seat %d brings %d entries", i+1, len(all)), func() bool {
			seen, streams = p.told()
			return len(seen) >= len(all)
		})
		if !slices.Equal(seen, all) {
			s.t.Errorf("the stream of seat %d told %v, want entries %d to %d", i+1, seen, s.began+1, end)
		}
		if p.home == s.nodes[0] && streams < 2 { // that node was killed
			s.t.Errorf("the stream of seat %d never moved to another node", i+1)
		}
	}
}

// wholeLog returns a table's log from a node.
func wholeLog(n *server, id, secret string) []any {
	n.t.Helper()
	var log []any
	for {
		page, _ := n.must("GET", fmt.Sprintf("/tables/%s/log?after=%d", id, len(log)), secret, nil)["entries"].([]any)
		if len(page) == 0 {
			return log
		}
		log = append(log, page...)
	}
}

// A newer norn has written something that an older one can't read: the older one closes that table
// with the reason, and loses nothing. Other tables continue.
func TestOlderNodeClosesTablesOfANewerNorn(t *testing.T) {
	t.Parallel()
	database := pgtest.Run(t, "fsync=off")
	address, err := database.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	older := serve(t, "--journal", address)
	newer, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer newer.Close()
	for name, body := range map[string]string{
		"a later version of entries": `{"v":99,"kind":"seat","rules":"newer","done":true}`,
		"an unknown kind":            `{"v":1,"kind":"dream","rules":"newer","done":true}`,
		"an unknown event":           `{"v":1,"kind":"move","rules":"newer","events":[{"n":0,"type":"spire.dream","v":1,"data":{}}],"done":true}`,
		"a later event":              `{"v":1,"kind":"move","rules":"newer","events":[{"n":0,"type":"spire.stress-marked","v":99,"data":{}}],"done":true}`,
	} {
		created := older.must("POST", "/tables", "", map[string]any{"game": "spire", "name": name, "lang": "en"})
		id, secret := created["id"].(string), created["seat"].(map[string]any)["secret"].(string)
		other := older.must("POST", "/tables", "", map[string]any{"game": "spire", "name": "beside", "lang": "en"})
		if _, err := newer.Append(t.Context(), id, 1,
			journal.Entry{Time: time.Now(), Seat: "s1", Key: "k", Body: []byte(body)}); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ method, path string }{
			{"GET", "/tables/" + id},
			{"POST", "/tables/" + id + "/seats"},
		} {
			var request any
			if c.method == "POST" {
				request = map[string]any{"name": "Anna", "role": "player"}
			}
			status, answer := older.call(c.method, c.path, secret, request)
			if status < 500 || answer["code"] != "unreadable" ||
				!strings.Contains(fmt.Sprint(answer), "written by a newer norn") {
				t.Errorf("%s: %s %s: %d %v", name, c.method, c.path, status, answer)
			}
		}
		if entries, err := newer.Read(t.Context(), id, 0, 0); err != nil || len(entries) != 2 ||
			string(entries[1].Body) != body {
			t.Errorf("%s: the journal holds %d entries, %v", name, len(entries), err)
		}
		older.must("GET", "/tables/"+other["id"].(string), other["seat"].(map[string]any)["secret"].(string), nil)
	}
}
