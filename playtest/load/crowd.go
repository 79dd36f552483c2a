package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A table at which one player rolls and many seats look on, each with several pages, whose streams
// are compressed.
const (
	onlookers = 50
	pagesEach = 10
)

// crowded holds the cost of rolls at a table without spectators, and at one with a crowd.
type crowded struct {
	game  string
	moves int
	norn  [2]time.Duration // CPU time
	press [2][]time.Duration
	bytes int64 // sent to the crowd, before compression
}

func crowd(norn string, s script, moves int) (c *crowded, err error) {
	dir, err := os.MkdirTemp("", "norn-load-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	at, err := start(norn, dir, []string{"--limits", "off"})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, at.stop()) }()
	calls, err := dial(at.address)
	if err != nil {
		return nil, err
	}
	defer calls.conn.Close()
	t, err := gather(at, calls, s, "nobody")
	if t != nil {
		defer func() { err = errors.Join(err, t.leave()) }()
	}
	if err != nil {
		return nil, err
	}
	c = &crowded{game: s.game, moves: moves}
	_, id, _ := strings.Cut(t.party.base, "/tables/")
	var looking []*page
	defer func() {
		for _, p := range looking {
			err = errors.Join(err, p.leave())
		}
	}()
	for turns := range c.norn {
		if turns == 1 {
			for i := range onlookers {
				var invited struct{ Secret string }
				if err := post(calls, t.party.base+"/seats", t.secrets[0],
					fmt.Sprintf(`{"name":"Onlooker %d","role":"spectator"}`, i), &invited); err != nil {
					return nil, err
				}
				for range pagesEach {
					p, err := turn(at.address, id, invited.Secret, []string{"en", "ru"}[i%2])
					if err != nil {
						return nil, err
					}
					p.calls.more += "Accept-Encoding: gzip\r\n"
					looking = append(looking, p)
					if err := p.follow(at.address); err != nil {
						return nil, err
					}
				}
			}
			time.Sleep(2 * time.Second) // online seats are announced after a while
		}
		for n := -20; n < moves; n++ { // the first aren't counted
			before := cpu(at.process.Process.Pid)
			began := time.Now()
			if err := t.throws(); err != nil {
				return nil, err
			}
			took := time.Since(began)
			if err := t.answerAll(calls); err != nil {
				return nil, err
			}
			for _, p := range looking {
				if err := p.up(t.seq); err != nil {
					return nil, err
				}
				if sum := p.takes(); n >= 0 {
					c.bytes += sum.bytes()
				}
			}
			if n >= 0 {
				c.norn[turns] += cpu(at.process.Process.Pid) - before
				c.press[turns] = append(c.press[turns], took)
			}
		}
	}
	return c, nil
}

// throws makes a move on the first player's page.
func (t *followed) throws() error {
	form, err := formOf(t.script.move(0))
	if err != nil {
		return err
	}
	for name, value := range map[string]string{"_a": "c1", "_by": "throw", "_nonce": "n" + strconv.Itoa(t.n)} {
		form.Set(name, value)
	}
	t.n++
	status, err := t.pages[1].makes(form)
	if err := checkAccepted(status, err); err != nil {
		return fmt.Errorf("POST %s/move: %w", t.pages[1].base, err)
	}
	return nil
}

func (c *crowded) markdown() string {
	var b strings.Builder
	b.WriteString("| game | pages | B a throw to them | norn's CPU µs a throw | press, ms: p50 | p99 |\n|---:|---:|---:|---:|---:|---:|\n")
	for turns, pages := range []int{0, onlookers * pagesEach} {
		slices.Sort(c.press[turns])
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %s |\n", c.game, pages, groupThousands(turns*int(c.bytes)/c.moves),
			each(c.norn[turns], c.moves),
			millis(share(c.press[turns], 50)), millis(share(c.press[turns], 99)))
	}
	return b.String()
}
