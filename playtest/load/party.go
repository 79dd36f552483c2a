package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"
)

// party holds the people at one table: a game master and players with a character each.
type party struct {
	script  script
	base    string   // path of the table
	live    string   // path of its live stream
	bare    bool     // a table of the yardstick's bare server
	secrets []string // of the game master and the players
	moves   int      // made so far
	open    []string // bodies of the game master's next answers
	seq     uint64   // of the last entry; only the caller that makes moves here uses it

	mu      sync.Mutex
	heard   []uint64           // the last seq that each live seat has received
	waiting map[uint64]*flight // moves whose frames haven't all arrived
	log     *tally
}

// flight is a move in transit to all live seats.
type flight struct {
	due  time.Time
	left int
}

// tally holds the results of the moves of a run.
type tally struct {
	mu       sync.Mutex
	took     []time.Duration // from the moment a move was due to the last seat's frame
	answered []time.Duration // until its answer
	lost     int             // skipped frames
	repeated int             // repeated frames
}

// sitDown creates a table with a number of seats.
func sitDown(c *caller, s script, seats int) (*party, error) {
	var created struct {
		ID   string
		Seat struct{ Secret string }
	}
	if err := post(c, "/api/v1/tables", "", fmt.Sprintf(`{"game":%q,"name":"Load","lang":"en"}`, s.game),
		&created); err != nil {
		return nil, err
	}
	p := &party{
		script: s, base: "/api/v1/tables/" + created.ID, live: "/api/v1/tables/" + created.ID + "/live",
		secrets: []string{created.Seat.Secret}, seq: 1,
		heard: make([]uint64, seats), waiting: map[uint64]*flight{},
	}
	for i := 1; i < seats; i++ {
		var invited struct{ Secret string }
		if err := post(c, p.base+"/seats", p.secrets[0], fmt.Sprintf(`{"name":"Player %d","role":"player"}`, i),
			&invited); err != nil {
			return nil, err
		}
		p.secrets = append(p.secrets, invited.Secret)
		body := fmt.Sprintf(`{"name":"Hero %d","kind":%q,"sheet":%s}`, i, s.Kind, s.Sheet)
		if err := post(c, p.base+"/characters", invited.Secret, body, nil); err != nil {
			return nil, err
		}
		p.seq += 2
	}
	return p, nil
}

func post(c *caller, path, secret, body string, into any) error {
	status, answer, err := c.do("POST", path, secret, []byte(body))
	if err != nil {
		return err
	}
	if status >= 300 {
		return fmt.Errorf("POST %s %s: %d %s", path, body, status, answer)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer, into)
}

// play makes the next move or answer: one entry that was due at a time.
func (p *party) play(c *caller, due time.Time) error {
	path, secret, body := p.next()
	p.mu.Lock()
	if live := len(p.heard); live > 0 {
		p.waiting[p.seq+1] = &flight{due, live}
	}
	p.mu.Unlock()
	status, answer, err := c.do("POST", path, secret, body)
	if err != nil {
		return err
	}
	var made struct{ Seq uint64 }
	if status >= 300 {
		return fmt.Errorf("POST %s %s: %d %s", path, body, status, answer)
	}
	if made.Seq, err = seqOf(answer); err != nil {
		return err
	}
	if p.seq++; made.Seq != p.seq {
		return fmt.Errorf("POST %s %s: entry %d instead of %d", path, body, made.Seq, p.seq)
	}
	p.log.mu.Lock()
	p.log.answered = append(p.log.answered, time.Since(due))
	p.log.mu.Unlock()
	if status == 202 && len(p.open) == 0 {
		return p.ask(c)
	}
	return nil
}

// seqOf reads the seq at the beginning of an answer.
func seqOf(answer []byte) (uint64, error) {
	const begin = `{"seq":`
	if len(answer) > len(begin) && string(answer[:len(begin)]) == begin {
		end := len(begin)
		for end < len(answer) && answer[end] >= '0' && answer[end] <= '9' {
			end++
		}
		return strconv.ParseUint(string(answer[len(begin):end]), 10, 64)
	}
	var made struct{ Seq uint64 }
	err := json.Unmarshal(answer, &made)
	return made.Seq, err
}

// next returns the next request.
func (p *party) next() (path, secret string, body []byte) {
	if len(p.open) > 0 {
		answer := p.open[0]
		p.open = p.open[1:]
		return p.base + "/answers", p.secrets[0], []byte(answer)
	}
	n := p.moves
	p.moves++
	if p.bare {
		return p.base, "", bareMove
	}
	player := 1 + n%(len(p.secrets)-1)
	key := strconv.Itoa(n)
	body = fmt.Appendf(nil, `{%s,"character":"c%d","nonce":"n%s","key":"k%s"}`, p.script.move(n/(len(p.secrets)-1)),
		player, key, key)
	return p.base + "/moves", p.secrets[player], body
}

// ask reads the open questions and prepares the answers that odds assume.
func (p *party) ask(c *caller) error {
	status, answer, err := c.do("GET", p.base, p.secrets[0], nil)
	if err != nil {
		return err
	}
	if status != 200 {
		return fmt.Errorf("GET %s: %d %s", p.base, status, answer)
	}
	var view struct {
		Questions []struct {
			ID       string
			Standard json.RawMessage
		}
	}
	if err := json.Unmarshal(answer, &view); err != nil {
		return err
	}
	for _, q := range view.Questions {
		if q.Standard == nil {
			q.Standard = json.RawMessage("{}")
		}
		p.open = append(p.open, fmt.Sprintf(`{"question":%q,"answer":%s,"key":"a%s"}`, q.ID, q.Standard, q.ID))
	}
	return nil
}

// hear counts a frame that a live seat received.
func (p *party) hear(seat int, seq uint64, entry bool, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := p.heard[seat]
	switch {
	case entry && seq <= last:
		p.log.count(0, 1)
		return
	case seq <= last: // a change of who is online
		return
	case seq > last+1:
		p.log.count(int(seq-last-1), 0)
	}
	for n := last + 1; n <= seq; n++ {
		f := p.waiting[n]
		if f == nil {
			continue
		}
		if f.left--; f.left == 0 {
			delete(p.waiting, n)
			p.log.mu.Lock()
			p.log.took = append(p.log.took, at.Sub(f.due))
			p.log.mu.Unlock()
		}
	}
	p.heard[seat] = seq
}

func (l *tally) count(lost, repeated int) {
	l.mu.Lock()
	l.lost += lost
	l.repeated += repeated
	l.mu.Unlock()
}

// missing returns the number of frames that haven't arrived.
func (p *party) missing() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, f := range p.waiting {
		n += f.left
	}
	return n
}
