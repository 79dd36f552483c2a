package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// Three tables of one norn, at which the same moves are made in turn through a page's forms: one
// without followers, one that all seats follow by the API, and one that all follow by their pages.
// The difference is the cost of the followers, in one run on one machine.

// inTurn is the number of moves at a table before the next table: enough for the resolution of the
// system's CPU clock.
const inTurn = 50

// followers lists the ways to follow a table.
var followers = []string{"nobody", "API", "pages"}

// compared holds the cost of playing a game, by kind of followers.
type compared struct {
	game  string
	moves int // at each table
	costs []*cost
}

type cost struct {
	how     string
	norn    time.Duration // CPU time
	entries int
	traffic
}

// followed is one of the three tables.
type followed struct {
	*party
	*cost
	pages []*page // one for each seat, which also makes moves
	ears  []*listener
	came  int64 // bytes of the API's streams
	n     int   // moves made
}

// compare plays a game at three tables until each has this number of moves.
func compare(norn string, s script, moves int) (c *compared, err error) {
	dir, err := os.MkdirTemp("", "norn-load-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	at, err := start(norn, dir, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, at.stop()) }()
	calls, err := dial(at.address)
	if err != nil {
		return nil, err
	}
	defer calls.conn.Close()
	c = &compared{game: s.game, moves: moves}
	var tables []*followed
	defer func() {
		for _, t := range tables {
			err = errors.Join(err, t.leave())
		}
	}()
	for _, how := range followers {
		t, err := gather(at, calls, s, how)
		if t != nil {
			tables = append(tables, t)
			c.costs = append(c.costs, t.cost)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", how, err)
		}
	}
	for made := -inTurn; made < moves; made += inTurn { // the first turn isn't counted
		for _, t := range tables {
			before, entries := cpu(at.process.Process.Pid), t.seq
			if err := t.plays(calls, inTurn); err != nil {
				return nil, fmt.Errorf("%s: %w", t.how, err)
			}
			busy, went := cpu(at.process.Process.Pid)-before, t.went()
			if made >= 0 {
				t.norn += busy
				t.entries += int(t.seq - entries)
				t.traffic.add(went)
			}
		}
	}
	return c, nil
}

// gather creates a table for a game master and three players, half of them in Russian.
func gather(s *server, calls *caller, script script, how string) (*followed, error) {
	p, err := sitDown(calls, script, 4)
	if err != nil {
		return nil, err
	}
	t := &followed{party: p, cost: &cost{how: how}}
	p.log = &tally{}
	_, id, _ := strings.Cut(p.base, "/tables/")
	for i, secret := range p.secrets {
		page, err := turn(s.address, id, secret, []string{"en", "ru"}[i%2])
		if err != nil {
			return t, err
		}
		t.pages = append(t.pages, page)
		switch how {
		case "nobody":
			continue
		case "pages":
			err = page.follow(s.address)
		case "API":
			var l *listener
			if l, p.heard[i], err = listen(s.address, "", p.base+"/live", secret); err == nil {
				t.ears = append(t.ears, l)
				l.hear = func(seq uint64, entry bool, at time.Time) { p.hear(i, seq, entry, at) }
				err = l.take(l.early, time.Now())
				go t.hears(l)
			}
		}
		if err != nil {
			return t, err
		}
	}
	_, err = t.look(calls)
	return t, err
}

// hears reads a stream of the API until it is closed.
func (t *followed) hears(l *listener) {
	piece := make([]byte, pieceSize)
	for {
		n, err := l.conn.Read(piece)
		t.mu.Lock()
		t.came += int64(n)
		t.mu.Unlock()
		if err == nil {
			err = l.take(piece[:n], time.Now())
		}
		if err != nil {
			return
		}
	}
}

// plays makes moves and answers their questions, each after all followers have received the one
// before.
func (t *followed) plays(calls *caller, moves int) error {
	for range moves {
		player := 1 + t.n%(len(t.secrets)-1)
		form, err := formOf(t.script.move(t.n / (len(t.secrets) - 1)))
		if err != nil {
			return err
		}
		for name, value := range map[string]string{
			"_a": "c" + strconv.Itoa(player), "_by": "throw",
			"_nonce": "n" + strconv.Itoa(t.n),
		} {
			form.Set(name, value)
		}
		t.n++
		status, err := t.pages[player].makes(form)
		if err := checkAccepted(status, err); err != nil {
			return fmt.Errorf("POST %s/move %v: %w", t.pages[player].base, form, err)
		}
		if err := t.answerAll(calls); err != nil {
			return err
		}
	}
	return nil
}

// answerAll answers the questions of a move as odds assume, each after all followers have received
// the one before.
func (t *followed) answerAll(calls *caller) error {
	for {
		questions, err := t.look(calls)
		if err != nil || len(questions) == 0 {
			return err
		}
		answer := url.Values{"_question": {questions[0]}, "_key": {"a" + questions[0]}}
		status, err := t.pages[0].press("/answer", answer)
		if err := checkAccepted(status, err); err != nil {
			return fmt.Errorf("POST %s/answer %v: %w", t.pages[0].base, answer, err)
		}
	}
}

// checkAccepted returns an error unless a page's press was accepted.
func checkAccepted(status int, err error) error {
	if err == nil && status != http.StatusOK && status != http.StatusNoContent {
		return fmt.Errorf("answered with %d", status)
	}
	return err
}

// look waits until all followers have received everything, and returns the open questions.
func (t *followed) look(calls *caller) (questions []string, err error) {
	status, answer, err := calls.do("GET", t.party.base, t.secrets[0], nil)
	if err != nil {
		return nil, err
	}
	var view struct {
		Seq       uint64
		Questions []struct{ ID string }
	}
	if status != 200 {
		return nil, fmt.Errorf("GET %s: %d %s", t.party.base, status, answer)
	}
	if err := json.Unmarshal(answer, &view); err != nil {
		return nil, err
	}
	t.seq = view.Seq
	for _, q := range view.Questions {
		questions = append(questions, q.ID)
	}
	for i, p := range t.pages {
		switch t.how {
		case "pages":
			err = p.up(t.seq)
		case "API":
			err = t.heardBy(i)
		}
		if err != nil {
			return nil, err
		}
	}
	return questions, nil
}

// heardBy waits until a seat has received the last entry by the API.
func (t *followed) heardBy(seat int) error {
	for limit := time.Now().Add(patience); ; time.Sleep(200 * time.Microsecond) {
		t.mu.Lock()
		heard := t.heard[seat]
		t.mu.Unlock()
		if heard >= t.seq {
			return nil
		}
		if time.Now().After(limit) {
			return fmt.Errorf("seat %d isn't told of entry %d", seat, t.seq)
		}
	}
}

// went returns the traffic since the last call.
func (t *followed) went() (sum traffic) {
	for _, p := range t.pages {
		sum.add(p.takes())
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	sum.streamed += t.came
	t.came = 0
	return sum
}

func (t *followed) leave() (err error) {
	for _, p := range t.pages {
		err = errors.Join(err, p.leave())
	}
	for _, l := range t.ears {
		err = errors.Join(err, l.conn.Close())
	}
	return err
}

// formOf returns a move of a script as a page's form sends it.
func formOf(move string) (url.Values, error) {
	var said struct {
		Move string
		Args map[string]any
	}
	if err := json.Unmarshal([]byte("{"+move+"}"), &said); err != nil {
		return nil, err
	}
	form := url.Values{"_m": {said.Move}}
	for name, value := range said.Args {
		form.Set(name, fmt.Sprint(value))
	}
	return form, nil
}

// markdown returns a comparison for readers. Bytes are those of bodies before compression; the CPU
// time of followers is the time above that without followers.
func (c *compared) markdown() string {
	var b strings.Builder
	b.WriteString("| game | followed by | entries | to all, B a move: answers + streams + what script asks for | requests of script a move | choosing another move, B a move | norn's CPU µs a move | of these for who follows |\n|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	per := func(n int64) string { return groupThousands(int(n) / c.moves) }
	for _, k := range c.costs {
		fmt.Fprintf(&b, "| %s | %s | %s | %s = %s + %s + %s | %.2f | %s | %s | %d |\n", c.game, k.how,
			groupThousands(k.entries),
			per(k.bytes()), per(k.answers), per(k.streamed), per(k.asked), float64(k.requests)/float64(c.moves),
			per(k.chosen),
			each(k.norn, c.moves), (k.norn-c.costs[0].norn).Microseconds()/int64(c.moves))
	}
	return b.String()
}
