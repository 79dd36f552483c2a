//go:build e2e

package playtest

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"norn/internal/wait"
	"norn/journal"
	"norn/journal/sqlite"
)

// crashes is the number of kills; `make crash` uses fifty.
var crashes = flag.Int("crashes", 8, "how often TestAKilledServerLosesNothing kills norn, 1 to 500")

// The number of tables, and the pause of each person between two requests. It is longer at the
// first table, which a browser follows.
const (
	crashTables = 10
	restAtMost  = 12 * time.Millisecond
	restShown   = 150 * time.Millisecond
)

// sitting is a table whose people continue whatever happens to the server.
type sitting struct {
	id, secret string // the game master's
	game, kind string
	move       map[string]any // one that its rules always allow
	began      uint64         // seq of the last entry before the first crash
	question   string         // open all the time; "" for none
	rest       time.Duration
	people     []*mover // the game master first
	page       *pageStream
	cancelled  sync.Map // moves that somebody has begun to cancel
}

// mover is a person with a record of their requests and the answers.
type mover struct {
	*person
	*sitting
	seat string

	mu      sync.Mutex
	n       int
	begun   map[string]bool   // keys that were sent
	kept    map[string]uint64 // key to seq, as acknowledged
	refused map[string]bool   // keys that were answered with a refusal
	open    string            // the open move of the last acknowledged entry
}

// do makes one request. Without an answer it repeats the request with the same key, or gives up:
// then nobody knows whether it was written.
func (m *mover) do(h *crashing, path string, stubborn bool, request map[string]any) (status int,
	answer map[string]any,
) {
	m.mu.Lock()
	m.n++
	key := fmt.Sprint("k", m.n)
	m.begun[key] = true
	m.mu.Unlock()
	request["key"] = key
	for h.ctx.Err() == nil {
		h.gate.RLock()
		status, answer := m.try("POST", "/tables/"+m.id+path, request)
		m.mu.Lock()
		switch {
		case status >= 200 && status < 300:
			m.kept[key] = uint64(answer["seq"].(float64))
		case status == http.StatusConflict || status == http.StatusUnprocessableEntity:
			m.refused[key] = true
		}
		m.mu.Unlock()
		h.gate.RUnlock()
		switch status {
		case 0, http.StatusServiceUnavailable:
			if !stubborn && rand.IntN(2) == 0 {
				return 0, nil
			}
			time.Sleep(10 * time.Millisecond) // as a page waits before it tries again
		case http.StatusTooManyRequests:
			time.Sleep(time.Second) // as Retry-After says
		case http.StatusOK, http.StatusCreated, http.StatusAccepted, http.StatusConflict,
			http.StatusUnprocessableEntity:
			return status, answer
		default:
			m.t.Errorf("%s %v: %d %v", path, request, status, answer)
			return status, answer
		}
	}
	return 0, nil
}

// act makes one request: mostly a move, sometimes a question, a cancellation or an undo by the game
// master.
func (m *mover) act(h *crashing, n int) {
	request := map[string]any{"character": m.character}
	maps.Copy(request, m.move)
	master := m.person.secret == m.sitting.secret
	if master && m.question != "" && n%9 == 8 { // like the question that stays open, about another character
		request = map[string]any{"character": "c4", "move": "check", "args": falling, "dice": []int{2, 5, 1}}
	}
	status, made := m.do(h, "/moves", false, request)
	switch open, _ := made["open"].([]any); {
	case len(open) > 0:
		m.mu.Lock()
		m.open, _, _ = strings.Cut(open[0].(map[string]any)["id"].(string), ":")
		m.mu.Unlock()
		time.Sleep(5 * time.Millisecond) // a crash may come while it is open
		m.people[0].clear(h)
	case status == http.StatusAccepted || status == http.StatusConflict:
		m.people[0].clear(h)
	case master && n%7 == 6 && status == http.StatusOK:
		m.do(h, "/undo", false, map[string]any{"seq": made["seq"]})
	}
}

// clear cancels the open moves as game master, except for the question that stays open.
func (m *mover) clear(h *crashing) {
	h.gate.RLock()
	_, view := m.try("GET", "/tables/"+m.id, nil)
	h.gate.RUnlock()
	for _, move := range openMoves(view) {
		if !strings.HasPrefix(m.question, move+":") {
			m.cancelled.Store(move, true)
			m.do(h, "/cancel", true, map[string]any{"move": move})
		}
	}
}

// openMoves returns the open moves of a view.
func openMoves(view map[string]any) (moves []string) {
	for _, part := range []string{"questions", "waiting"} {
		list, _ := view[part].([]any)
		for _, one := range list {
			moves = append(moves, one.(map[string]any)["move"].(string))
		}
	}
	return moves
}

// falling is a check's choices that cause fallout with low dice: a question for the game master.
var falling = map[string]any{"difficulty": 0, "risk": "d6", "resistance": "shadow"}

// pageStream is the live connection of a page, without a browser.
type pageStream struct {
	mu    sync.Mutex
	ids   []uint64 // of the events with entries
	cards map[string]bool
}

var cardID = regexp.MustCompile(`<li id="([me]\d+)"`)

// follow reads a page's stream as live.js does until the test ends.
func (p *pageStream) follow(h *crashing, s *sitting) {
	last := s.began
	for h.ctx.Err() == nil {
		last = p.read(h, s, last)
		select {
		case <-time.After(50 * time.Millisecond):
		case <-h.ctx.Done():
		}
	}
}

func (p *pageStream) read(h *crashing, s *sitting, last uint64) uint64 {
	request, err := http.NewRequestWithContext(h.ctx, http.MethodGet, h.url("/t/"+s.id+"/live"), nil)
	if err != nil {
		h.t.Error(err)
		return last
	}
	request.AddCookie(&http.Cookie{Name: "seat_" + s.id, Value: s.secret})
	request.Header.Set("Last-Event-ID", strconv.FormatUint(last, 10))
	response, err := h.client.Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		return last
	}
	defer response.Body.Close()
	lines := bufio.NewReader(response.Body)
	var id uint64
	var entry bool
	var cards []string
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return last
		}
		switch {
		case strings.HasPrefix(line, "id: "):
			if id, err = strconv.ParseUint(strings.TrimSpace(line[4:]), 10, 64); err != nil {
				h.t.Error(err)
			}
		case strings.HasPrefix(line, "event: "):
			entry = strings.TrimSpace(line[7:]) == "entry"
		case strings.HasPrefix(line, "data: "):
			for _, found := range cardID.FindAllStringSubmatch(line, -1) {
				cards = append(cards, found[1])
			}
		case line == "\n":
			if id > 0 {
				last = id
			}
			if len(cards) > 0 {
				p.mu.Lock()
				// other events only update the cards or repeat what a reconnected page may have
				// missed
				if entry && id > 0 {
					p.ids = append(p.ids, id)
				}
				for _, card := range cards {
					p.cards[card] = true
				}
				p.mu.Unlock()
			}
			id, entry, cards = 0, false, nil
		}
	}
}

// crashing is a set of tables whose server is killed again and again.
type crashing struct {
	*server
	ctx                     context.Context
	client                  *http.Client
	tables                  []*sitting
	exports, backups, worns int
	// gate is held for reading during requests, and for writing while nothing may be written: then
	// the record of acknowledged entries is complete.
	gate sync.RWMutex
}

// open creates the tables and their seats.
func (h *crashing) open() {
	h.t.Helper()
	for i := range crashTables {
		s := &sitting{rest: restAtMost, page: &pageStream{cards: map[string]bool{}}}
		if i == 0 {
			s.rest = restShown
		}
		switch i % 6 {
		case 0, 1:
			s.game, s.kind, s.move = "spire", "character", map[string]any{"move": "check", "args": map[string]any{}}
		case 2:
			s.game, s.kind, s.move = "mage", "character",
				map[string]any{"move": "roll", "args": map[string]any{"alone": "willpower", "difficulty": 6}}
		case 3:
			s.game, s.kind, s.move = "eclipse", "character",
				map[string]any{"move": "test", "args": map[string]any{"on": "check:som"}}
		case 4:
			s.game, s.kind, s.move = "edda", "hero",
				map[string]any{"move": "act", "args": map[string]any{
					"deed": "Climb the wall", "effort": "never",
					"bonus": 3,
				}}
		case 5:
			s.game, s.kind, s.move = "godbound", "hero",
				map[string]any{"move": "check", "args": map[string]any{"tested": "strength"}}
		}
		created := h.must("POST", "/tables", "", body{"game": s.game, "name": "Friday", "lang": "en"})
		s.id, s.secret = created["id"].(string), created["seat"].(map[string]any)["secret"].(string)
		s.join(h, s.secret)
		for _, name := range []string{"Anna", "Boris"} {
			invited := h.must("POST", "/tables/"+s.id+"/seats", s.secret, body{"name": name, "role": "player"})
			s.join(h, invited["secret"].(string))
		}
		for n, p := range s.people {
			h.must("POST", "/tables/"+s.id+"/characters", p.person.secret,
				body{"name": fmt.Sprint("Hero ", n+1), "kind": s.kind, "sheet": body{}})
		}
		s.began = 6
		if s.game == "spire" {
			for _, name := range []string{"Nox", "Lira"} {
				h.must("POST", "/tables/"+s.id+"/characters", s.secret,
					body{"name": name, "kind": s.kind, "sheet": body{}})
			}
			asked := h.must("POST", "/tables/"+s.id+"/moves", s.secret,
				body{"character": "c5", "move": "check", "args": falling, "dice": []int{2, 5, 1}})
			s.question = asked["open"].([]any)[0].(map[string]any)["id"].(string)
			s.began = uint64(asked["seq"].(float64))
		}
		if i%2 == 0 { // long enough for snapshots: a start without any creates them, and is killed meanwhile
			for n := range 400 {
				said := h.must("POST", "/tables/"+s.id+"/talk", s.secret, body{"text": fmt.Sprint("Long ago ", n)})
				s.began = uint64(said["seq"].(float64))
			}
		}
		h.tables = append(h.tables, s)
	}
}

func (s *sitting) join(h *crashing, secret string) {
	n := len(s.people) + 1
	s.people = append(s.people, &mover{
		sitting: s, seat: fmt.Sprint("s", n),
		person: &person{
			t: h.t, at: h.server, table: s.id, secret: secret, character: fmt.Sprint("c", n),
			client: h.client,
		},
		begun: map[string]bool{}, kept: map[string]uint64{}, refused: map[string]bool{},
	})
}

// TestAKilledServerLosesNothing kills norn at random moments while people play at ten tables of all
// games. After each crash every acknowledged entry is there once, unanswered ones are complete or
// missing, open questions are open, a second restart gives the same state, streams continue without
// gaps or repeats, and exports and backups made meanwhile are complete.
func TestAKilledServerLosesNothing(t *testing.T) {
	t.Parallel()
	if *crashes < 1 || *crashes > 500 {
		t.Fatalf("-crashes is %d; 1 to 500 is allowed", *crashes)
	}
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	h := &crashing{
		server: serve(t, "--limits", "off"), ctx: ctx,
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}},
	}
	h.open()
	shown := h.tables[0]
	page := sit(t, "gm", 1440, 900)
	page.visit(h.url("/t/" + shown.id + "/" + shown.secret))
	page.sees("[data-question-kind='spire.fallout']", "")

	var following, moving sync.WaitGroup
	stop := make(chan struct{})
	for _, s := range h.tables {
		following.Go(func() { s.page.follow(h, s) })
		for _, m := range s.people {
			following.Go(func() { m.follow(ctx, s.began) })
			moving.Go(func() { m.actUntil(stop, h) })
		}
	}
	before := h.acknowledged()
	for round := 1; round <= *crashes && !t.Failed(); round++ {
		var saved *backup
		if round%4 == 0 {
			saved = h.backUp()
			h.backups++
		}
		time.Sleep(50*time.Millisecond + rand.N(600*time.Millisecond)) // the crash comes at a random moment
		wait.Until(h.t, "something is acknowledged", func() bool { return h.acknowledged() > before })
		h.kill()
		h.gate.Lock() // with the server down nobody waits for an answer
		if now := h.acknowledged(); now <= before {
			t.Errorf("crash %d: nobody was answered since the one before", round)
		} else {
			before = now
		}
		if strings.Contains(h.log.String(), "panic") {
			t.Errorf("crash %d: the server's log:\n%s", round, h.log)
		}
		comesBack(t, h, round, saved)
		h.gate.Unlock()
	}
	close(stop)
	moving.Wait()
	if t.Failed() {
		return
	}

	// The question that was open all the time is answered like any other; another new one may be
	// open too.
	for _, s := range h.tables {
		if s.question != "" {
			h.must("POST", "/tables/"+s.id+"/answers", s.secret,
				body{"question": s.question, "answer": body{"do": "take", "pick": "shadow.moderate.1"}})
			page.gone("[data-question='" + s.question + "']") // without another load of the page
		}
	}
	h.told(page)
	for _, s := range h.tables {
		s.question = ""
		s.people[0].clear(h)
	}
	views := h.views()
	for i := range h.tables {
		h.verified(views, h.tables[i:i+1])
	}
	h.kill()
	entries := h.stands(*crashes + 1)
	h.indexed()
	leave()
	following.Wait()
	h.sum(entries)
}

// actUntil acts and pauses in turn until stop is closed.
func (m *mover) actUntil(stop <-chan struct{}, h *crashing) {
	for n := 0; !h.t.Failed(); n++ {
		select {
		case <-stop:
			return
		case <-time.After(rand.N(m.rest)):
			m.act(h, n)
		}
	}
}

// comesBack compares the state after a crash with the state after two restarts.
func comesBack(t *testing.T, h *crashing, round int, saved *backup) {
	entries := h.stands(round)
	if saved != nil {
		saved.restored(h, entries)
	}
	if round%3 == 0 {
		h.unindexed()
		h.killStarting()
	}
	h.start()
	first := h.views()
	h.kill()
	h.worn(round)
	h.start()
	if again := h.views(); !reflect.DeepEqual(first, again) {
		t.Errorf("crash %d: two restarts made different tables of one journal", round)
	}
	h.verified(first, h.tables[round%len(h.tables):])
}

// acknowledged returns the number of acknowledged requests.
func (h *crashing) acknowledged() (n int) {
	for _, s := range h.tables {
		for _, m := range s.people {
			m.mu.Lock()
			n += len(m.kept)
			m.mu.Unlock()
		}
	}
	return n
}

// unindexed removes the journal's index of moves: the next start creates it, and may be killed
// meanwhile.
func (h *crashing) unindexed() {
	h.t.Helper()
	h.look(func(db *sql.DB) error {
		_, err := db.Exec(`DELETE FROM moves; DELETE FROM indexing; INSERT INTO indexing (upto, last) SELECT 0, max(id) FROM entries`)
		return err
	})
}

// indexed checks that the index of moves is complete.
func (h *crashing) indexed() {
	h.t.Helper()
	h.look(func(db *sql.DB) error {
		var lacks, left int
		err := db.QueryRow(`SELECT (SELECT count(*) FROM entries WHERE move <> '' AND NOT EXISTS
			(SELECT 1 FROM moves WHERE moves.table_id = entries.table_id AND moves.move = entries.move AND moves.seq = entries.seq)),
			(SELECT count(*) FROM indexing)`).Scan(&lacks, &left)
		if lacks+left > 0 {
			h.t.Errorf("the index of moves lacks %d entries, %d times to be made", lacks, left)
		}
		return err
	})
}

// look opens the database while no norn uses it.
func (h *crashing) look(do func(db *sql.DB) error) {
	h.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(h.dir, sqlite.File)+
		"?mode=rw&_journal_mode=WAL&_busy_timeout=5000")
	if err == nil {
		err = errors.Join(do(db), db.Close())
	}
	if err != nil {
		h.t.Error(err)
	}
}

// worn damages the snapshots as a power failure might: they are missing, truncated or have other
// content. Tables stay as they were.
func (h *crashing) worn(round int) {
	h.t.Helper()
	path := filepath.Join(h.dir, "norn.snapshots")
	data, err := os.ReadFile(path)
	if err != nil {
		return // there are none yet
	}
	h.worns++
	switch round % 4 {
	case 0:
		return
	case 1:
		data = nil
	case 2:
		data = data[:rand.IntN(len(data)+1)]
	case 3:
		for range 20 {
			if len(data) > 0 {
				data[rand.IntN(len(data))] ^= byte(1 + rand.IntN(255))
			}
		}
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		h.t.Error(err)
	}
}

// killStarting kills norn while it starts.
func (h *crashing) killStarting() {
	h.t.Helper()
	starting := exec.Command(binary, "serve", "--listen", h.address, "--data", h.dir)
	if err := starting.Start(); err != nil {
		h.t.Fatal(err)
	}
	time.Sleep(rand.N(120 * time.Millisecond)) // at a random moment of its start
	_ = starting.Process.Kill()                // it can't have ended by itself
	_ = starting.Wait()                        // reports the kill
}

// stands reads the data after a crash, from a copy without the WAL's index, which a power failure
// would remove too. It compares the data with the acknowledged entries, and returns each table's
// entries.
func (h *crashing) stands(round int) map[string][]journal.Entry {
	h.t.Helper()
	dir := h.t.TempDir()
	defer os.RemoveAll(dir)
	for _, name := range []string{"norn.db", "norn.db-wal", "norn.position"} {
		data, err := os.ReadFile(filepath.Join(h.dir, name))
		if err != nil {
			h.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			h.t.Fatal(err)
		}
	}
	return h.compared(fmt.Sprint("crash ", round), dir)
}

// compared opens a folder's journal and compares it with the acknowledged entries.
func (h *crashing) compared(when, dir string) map[string][]journal.Entry {
	h.t.Helper()
	tables := h.entries(dir)
	for _, s := range h.tables {
		entries := tables[s.id]
		wrong := func(format string, more ...any) {
			h.t.Helper()
			h.t.Errorf("%s: table %s of %s: "+format, append([]any{when, s.id, s.game}, more...)...)
		}
		type use struct{ seat, key string }
		stands := map[use]uint64{}
		for i, e := range entries {
			if e.Seq != uint64(i+1) {
				wrong("entry %d stands at place %d", e.Seq, i+1)
			}
			if !json.Valid(e.Body) {
				wrong("entry %d isn't whole", e.Seq)
			}
			if e.Key == "" {
				continue
			}
			if was, twice := stands[use{e.Seat, e.Key}]; twice {
				wrong("%s of %s stands at %d and at %d", e.Key, e.Seat, was, e.Seq)
			}
			stands[use{e.Seat, e.Key}] = e.Seq
		}
		for _, m := range s.people {
			m.mu.Lock()
			for key, seq := range m.kept {
				if stands[use{m.seat, key}] != seq {
					wrong("%s of %s was acknowledged as entry %d and stands at %d", key, m.seat, seq,
						stands[use{m.seat, key}])
				}
			}
			for key := range m.refused {
				if seq := stands[use{m.seat, key}]; seq > 0 {
					wrong("%s of %s was refused, yet it's entry %d", key, m.seat, seq)
				}
			}
			for u := range stands {
				ours := strings.HasPrefix(u.key, "k") // the browser's page uses hexadecimal keys
				if u.seat == m.seat && ours && !m.begun[u.key] {
					wrong("nobody has sent %s of %s", u.key, u.seat)
				}
			}
			m.mu.Unlock()
			m.person.mu.Lock()
			for i, seq := range m.seen {
				if seq > uint64(len(entries)) || !entries[seq-1].Time.Equal(m.written[i]) {
					wrong("%s was told of an entry %d that isn't there", m.seat, seq)
				}
			}
			m.person.mu.Unlock()
		}
	}
	return tables
}

// entries returns the entries of all tables of a folder, and checks that its database is intact.
func (h *crashing) entries(dir string) map[string][]journal.Entry {
	h.t.Helper()
	j, err := sqlite.Open(h.ctx, dir)
	if err != nil {
		h.t.Fatal(err)
	}
	heads, err := j.Tables(h.ctx)
	if err != nil {
		h.t.Fatal(err)
	}
	tables := map[string][]journal.Entry{}
	for _, head := range heads {
		if tables[head.Table], err = j.Read(h.ctx, head.Table, 0, 0); err != nil {
			h.t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		h.t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, sqlite.File))
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close()
	var found string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&found); err != nil || found != "ok" {
		h.t.Errorf("integrity_check: %q, %v", found, err)
	}
	return tables
}

// views returns the view of every seat, without who is online; the questions that stay open must be
// in it.
func (h *crashing) views() map[string]any {
	h.t.Helper()
	views := map[string]any{}
	for _, s := range h.tables {
		for _, m := range s.people {
			view := h.must("GET", "/tables/"+s.id, m.person.secret, nil)
			for _, seat := range view["seats"].([]any) {
				delete(seat.(map[string]any), "online")
			}
			views[s.id+" "+m.seat] = view
			if m != s.people[0] {
				continue
			}
			open := openMoves(view)
			wanted := []string{}
			if s.question != "" {
				wanted = append(wanted, strings.Split(s.question, ":")[0])
			}
			for _, p := range s.people {
				if _, cancelled := s.cancelled.Load(p.open); p.open != "" && !cancelled {
					wanted = append(wanted, p.open)
				}
			}
			for _, move := range wanted {
				if !slices.Contains(open, move) {
					h.t.Errorf("table %s of %s: %s isn't open any more; %v are", s.id, s.game, move, open)
				}
			}
		}
	}
	return views
}

// run runs a command of norn that must succeed.
func (h *crashing) run(args ...string) {
	h.t.Helper()
	if said, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
		h.t.Errorf("norn %s: %v\n%s", strings.Join(args, " "), err, said)
	}
}

// verified exports and verifies a table while norn runs: the first one without open moves, since
// only such a table can be exported.
func (h *crashing) verified(views map[string]any, tables []*sitting) {
	h.t.Helper()
	for _, s := range tables {
		if len(openMoves(views[s.id+" s1"].(map[string]any))) > 0 {
			continue
		}
		file := filepath.Join(h.t.TempDir(), "table.jsonl")
		h.run("export", "--data", h.dir, "--table", s.id, "--out", file)
		h.run("verify", file)
		h.exports++
		return
	}
}

// backup is a copy made while everybody played.
type backup struct {
	dir  string
	kept map[*mover]map[string]uint64 // the entries acknowledged before it began
}

func (h *crashing) backUp() *backup {
	h.t.Helper()
	b := &backup{dir: filepath.Join(h.t.TempDir(), "backup"), kept: map[*mover]map[string]uint64{}}
	for _, s := range h.tables {
		for _, m := range s.people {
			m.mu.Lock()
			b.kept[m] = maps.Clone(m.kept)
			m.mu.Unlock()
		}
	}
	h.run("backup", b.dir, "--data", h.dir)
	return b
}

// restored opens a backup: each table has its state of one moment, no earlier than the beginning of
// the backup.
func (b *backup) restored(h *crashing, entries map[string][]journal.Entry) {
	h.t.Helper()
	tables := h.entries(b.dir)
	for _, s := range h.tables {
		saved, now := tables[s.id], entries[s.id]
		if len(saved) > len(now) || !reflect.DeepEqual(saved, now[:len(saved)]) {
			h.t.Errorf("the backup of table %s isn't what its %d entries begin with: %d entries", s.id, len(now),
				len(saved))
		}
		for _, m := range s.people {
			for key, seq := range b.kept[m] {
				if seq > uint64(len(saved)) || saved[seq-1].Key != key {
					h.t.Errorf("the backup of table %s lacks entry %d, acknowledged before it was begun", s.id, seq)
				}
			}
		}
	}
}

// told compares the streams with the log: each entry once and in order.
func (h *crashing) told(page *seat) {
	h.t.Helper()
	for i, s := range h.tables {
		log := wholeLog(h.server, s.id, s.secret)
		var want []uint64
		var cards []string
		for _, one := range log {
			e := one.(map[string]any)
			seq := uint64(e["seq"].(float64))
			if seq <= s.began {
				continue
			}
			want = append(want, seq)
			card := fmt.Sprint("e", seq)
			if move, _ := e["move"].(string); move != "" {
				card = move
			}
			// the page's own shares for the dice have no card
			if e["kind"] != "share" && !slices.Contains(cards, card) {
				cards = append(cards, card)
			}
		}
		for _, m := range s.people {
			var seen []uint64
			streams := 0
			wait.Until(h.t, fmt.Sprintf("the stream of %s at table %s brings %d entries", m.seat, s.id, len(want)),
				func() bool {
					seen, streams = m.told()
					return len(seen) >= len(want)
				})
			if !slices.Equal(seen, want) {
				h.t.Errorf("table %s of %s: the stream of %s told %d entries, want %d: %v", s.id, s.game, m.seat,
					len(seen), len(want), seen)
			}
			if streams < *crashes {
				h.t.Errorf("table %s: the stream of %s was opened %d times", s.id, m.seat, streams)
			}
		}
		for _, card := range cards {
			wait.Until(h.t, fmt.Sprintf("the page's stream at table %s of %s brings card %s", s.id, s.game, card),
				func() bool {
					s.page.mu.Lock()
					defer s.page.mu.Unlock()
					return s.page.cards[card]
				})
		}
		s.page.mu.Lock()
		for n := 1; n < len(s.page.ids); n++ {
			if s.page.ids[n] <= s.page.ids[n-1] {
				h.t.Errorf("table %s of %s: the page's stream told %d after %d", s.id, s.game, s.page.ids[n],
					s.page.ids[n-1])
			}
		}
		s.page.mu.Unlock()
		if i > 0 {
			continue
		}
		// The browser's page was opened before the first crash and shows each card once, in order:
		// all of the newest, which a page retains, and those older ones that it hasn't removed.
		shows := func() string {
			return page.ask(fmt.Sprintf("[...document.querySelectorAll('#log > li[id]')].filter(e => e.dataset.seq > %d).map(e => e.id).join(' ')", s.began))
		}
		standing, _, _ := strings.Cut(s.question, ":") // it was on the page before
		cards = slices.DeleteFunc(cards, func(card string) bool { return card == standing })
		page.until("show every card once", func() bool { return showsNewest(strings.Fields(shows()), cards) },
			func() string { return shows() + "\nwant " + strings.Join(cards, " ") })
	}
}

// cardsKept is the minimum number of newest cards that an open page retains
// (web/assets/table/log.js).
const cardsKept = 60

// showsNewest reports whether a page's cards are the newest of all, each once and in order, after
// some older ones.
func showsNewest(shown, all []string) bool {
	newest := all[max(0, len(all)-cardsKept):]
	if len(shown) < len(newest) || !slices.Equal(shown[len(shown)-len(newest):], newest) {
		return false
	}
	older := all[:len(all)-len(newest)]
	for _, card := range shown[:len(shown)-len(newest)] {
		at := slices.Index(older, card)
		if at < 0 {
			return false
		}
		older = older[at+1:]
	}
	return true
}

// sum logs the number of attempts.
func (h *crashing) sum(entries map[string][]journal.Entry) {
	written, kept, lost, unknown := 0, 0, 0, 0
	for _, s := range h.tables {
		written += len(entries[s.id])
		for _, m := range s.people {
			kept += len(m.kept)
			for key := range m.begun {
				if _, ok := m.kept[key]; ok || m.refused[key] {
					continue
				}
				if slices.ContainsFunc(entries[s.id], func(e journal.Entry) bool {
					return e.Seat == m.seat && e.Key == key
				}) {
					unknown++
				} else {
					lost++
				}
			}
		}
	}
	h.t.Logf("%d crashes, %d backups restored, %d exports verified, snapshots looked at %d times, %d entries; %d acknowledged, all there once; of those nobody was answered to %d stand whole and %d don't",
		*crashes, h.backups, h.exports, h.worns, written, kept, unknown, lost)
}
