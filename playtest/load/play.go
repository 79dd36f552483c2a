package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// plan configures one run.
type plan struct {
	name    string
	tables  int
	live    int // seats of each table that follow its live stream
	seats   int
	rate    int // moves a second in all; 0 for as many as possible
	callers int
	warm    time.Duration // before the measurement
	time    time.Duration
	game    string
	flags   []string // for norn serve
	journal string   // sqlite or postgres
	nodes   int      // norns that share the journal
	bare    bool     // plays at the yardstick's bare server, not at norn
}

// result is the result of a run.
type result struct {
	plan
	tally
	made                  int // moves
	over                  time.Duration
	ready, opened         int64         // bytes of norn's memory before the tables, and with them
	listening, held, peak int64         // with their live seats, after the moves, and the maximum
	norn, generator       time.Duration // CPU time during the measurement
	database              time.Duration // the same for PostgreSQL
}

// house is one norn or several with their tables and live streams.
type house struct {
	plan
	servers   []*server // callers and the seats of each table are distributed over them
	ground    *ground
	callers   []*caller
	parties   []*party
	listeners []*listener
	hearing   sync.WaitGroup
	ended     atomic.Bool
	broken    atomic.Pointer[error] // the error of a stream that ended too early
}

// run runs a plan with norns of its own.
func run(norn string, p plan) (r *result, err error) {
	dir, err := os.MkdirTemp("", "norn-load-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	h := &house{plan: p}
	defer func() { err = errors.Join(err, h.leave()) }()
	if err := h.open(norn, dir); err != nil {
		return nil, err
	}
	r = &result{plan: p}
	r.ready, _ = h.memory()
	if err := h.sit(r); err != nil {
		return nil, err
	}
	r.opened, _ = h.memory()
	if err := h.listen(); err != nil {
		return nil, err
	}
	time.Sleep(p.warm)
	r.listening, _ = h.memory()
	if p.warm > 0 {
		if err := h.play(p.warm, &tally{}, &result{}); err != nil {
			return nil, err
		}
	}
	before, ours, theirs := h.cpu(), cpu(os.Getpid()), h.ground.cpu()
	if err := h.play(p.time, &r.tally, r); err != nil {
		return nil, err
	}
	r.norn, r.generator, r.database = h.cpu()-before, cpu(os.Getpid())-ours, h.ground.cpu()-theirs
	r.held, r.peak = h.memory()
	slices.Sort(r.took)
	slices.Sort(r.answered)
	return r, nil
}

// open starts the norns and the services that they share.
func (h *house) open(norn, dir string) (err error) {
	if h.bare {
		s, err := startBare(dir)
		h.servers = append(h.servers, s)
		return err
	}
	flags := h.flags
	if h.journal == "postgres" {
		if h.ground, err = lay(); err != nil {
			return err
		}
		flags = append(h.ground.flags(), flags...)
	}
	for n := range h.nodes {
		s, err := start(norn, filepath.Join(dir, strconv.Itoa(n)), flags)
		if err != nil {
			return err
		}
		h.servers = append(h.servers, s)
	}
	return nil
}

// memory returns the current and maximum memory of all norns.
func (h *house) memory() (now, peak int64) {
	for _, s := range h.servers {
		n, p := memory(s.process.Process.Pid)
		now, peak = now+n, peak+p
	}
	return now, peak
}

// cpu returns the CPU time of all norns.
func (h *house) cpu() (busy time.Duration) {
	for _, s := range h.servers {
		busy += cpu(s.process.Process.Pid)
	}
	return busy
}

// sit creates the tables.
func (h *house) sit(r *result) error {
	scripts, err := scriptsOf(h.game)
	if err != nil {
		return err
	}
	for n := range h.plan.callers {
		c, err := dial(h.servers[n%h.nodes].address)
		if err != nil {
			return err
		}
		h.callers = append(h.callers, c)
	}
	h.parties = make([]*party, h.tables)
	return h.each(func(n int, c *caller) error {
		for i := n; i < h.tables; i += len(h.callers) {
			if h.bare {
				h.parties[i] = bareParty(i, h.live)
				continue
			}
			p, err := sitDown(c, scripts[i%len(scripts)], h.seats)
			if err != nil {
				return err
			}
			p.heard = p.heard[:h.live]
			h.parties[i] = p
		}
		return nil
	})
}

// each lets every caller do its part, and returns the first error.
func (h *house) each(do func(n int, c *caller) error) error {
	errs := make([]error, len(h.callers))
	var all sync.WaitGroup
	for n, c := range h.callers {
		all.Go(func() { errs[n] = do(n, c) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// portsEach limits the connections from one address of this machine.
const portsEach = 20_000

// listen opens the live streams.
func (h *house) listen() error {
	h.listeners = make([]*listener, h.tables*h.live)
	err := h.each(func(n int, _ *caller) error {
		for i := n; i < len(h.listeners); i += len(h.callers) {
			from := ""
			if i >= portsEach {
				from = net.IPv4(127, 0, 0, byte(1+i/portsEach)).String()
			}
			p, seat := h.parties[i/h.live], i%h.live
			l, begin, err := listen(h.servers[seat%h.nodes].address, from, p.live, p.secrets[seat])
			if err != nil {
				return err
			}
			h.listeners[i], p.heard[seat] = l, begin
			l.hear = func(seq uint64, entry bool, at time.Time) { p.hear(seat, seq, entry, at) }
			if err := l.take(l.early, time.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return h.attend()
}

// noteEnd records the error of a stream that ended too early.
func (h *house) noteEnd(n int, err error) {
	if !h.ended.Load() {
		err = fmt.Errorf("the stream of seat %d at %s ended: %w", n%h.live+1, h.parties[n/h.live].base, err)
		h.broken.CompareAndSwap(nil, &err)
	}
}

// play makes moves for some time and waits until all frames have arrived.
func (h *house) play(length time.Duration, log *tally, r *result) error {
	for _, p := range h.parties {
		p.mu.Lock()
		p.log = log
		p.mu.Unlock()
	}
	begin := time.Now()
	end := begin.Add(length)
	makes := h.makePaced
	if h.rate == 0 {
		makes = h.flat
	}
	var made atomic.Int64
	err := h.each(func(n int, c *caller) error { return makes(n, c, begin, end, &made) })
	if err != nil {
		return err
	}
	r.made, r.over = int(made.Load()), time.Since(begin)
	return h.settle(log)
}

// makePaced makes a caller's share of the moves, each when it is due. The tables take turns, and
// each belongs to one caller.
func (h *house) makePaced(n int, c *caller, begin, end time.Time, made *atomic.Int64) error {
	for i := 0; ; i++ {
		due := begin.Add(time.Duration(i) * time.Second / time.Duration(h.rate))
		if due.After(end) {
			return nil
		}
		if i%h.tables%len(h.callers) != n {
			continue
		}
		time.Sleep(time.Until(due))
		if err := h.parties[i%h.tables].play(c, due); err != nil {
			return err
		}
		made.Add(1)
	}
}

// flat makes each of a caller's moves as soon as the one before is answered.
func (h *house) flat(n int, c *caller, _, end time.Time, made *atomic.Int64) error {
	for i := n; i < h.tables; i += len(h.callers) {
		now := time.Now()
		if now.After(end) {
			return nil
		}
		if err := h.parties[i].play(c, now); err != nil {
			return err
		}
		made.Add(1)
		if i+len(h.callers) >= h.tables {
			i = n - len(h.callers)
		}
	}
	return nil
}

// settle waits for frames in transit; missing ones are lost.
func (h *house) settle(log *tally) error {
	limit := time.Now().Add(patience)
	for {
		missing := 0
		for _, p := range h.parties {
			missing += p.missing()
		}
		if err := h.broken.Load(); err != nil {
			return *err
		}
		if missing == 0 {
			return nil
		}
		if time.Now().After(limit) {
			log.count(missing, 0)
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// leave closes all connections and stops the norns, then the services that they shared.
func (h *house) leave() (err error) {
	h.ended.Store(true)
	for _, l := range h.listeners {
		if l != nil && l.conn != nil {
			_ = l.conn.Close() // norn notices the closed connection
		}
	}
	h.hearing.Wait()
	for _, c := range h.callers {
		_ = c.conn.Close()
	}
	for _, s := range h.servers {
		err = errors.Join(err, s.stop())
	}
	if h.ground != nil {
		err = errors.Join(err, h.ground.clear())
	}
	return err
}
