package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// asked holds the command's flags.
type asked struct {
	plan
	plays, norn, write, serve string
	p99                       time.Duration
	rss, flat, moves          int
}

func main() {
	if dir := os.Getenv(bareFolder); dir != "" {
		if err := serveBare(dir); err != nil {
			fmt.Fprintln(os.Stderr, "load:", err)
			os.Exit(1)
		}
		return
	}
	if text := os.Getenv(attackOrder); text != "" {
		if err := obey(text); err != nil {
			fmt.Fprintln(os.Stderr, "load:", err)
			os.Exit(1)
		}
		return
	}
	a := asked{plan: plan{}}
	flag.StringVar(&a.plays, "play", "paced,flat",
		"what is played: paced, flat, growth, pages, crowd, flood, yardstick; several with commas")
	flag.IntVar(&a.tables, "tables", 1000, "tables, 1 to 20,000")
	flag.IntVar(&a.seats, "seats", 4, "seats at each table, 2 to 20: a game master and players")
	flag.IntVar(&a.live, "live", 4, "of these, seats that follow the live stream")
	flag.IntVar(&a.rate, "rate", 1000, "moves a second in all, when paced")
	flag.IntVar(&a.callers, "callers", 0, "connections that make moves; unless given, 64 when paced and 256 when flat")
	flag.DurationVar(&a.warm, "warm", 3*time.Second, "time before measuring, at most 1m")
	flag.DurationVar(&a.time, "time", 20*time.Second, "time that each play is measured, at most 5m")
	flag.StringVar(&a.game, "game", "mix", "what is played at the tables: a game, or mix for all in turn")
	flag.StringVar(&a.journal, "journal", "sqlite",
		"where entries are kept: sqlite or postgres; postgres starts a server of its own")
	flag.IntVar(&a.nodes, "nodes", 1, "norns that share the journal, 1 to 8; more than one needs -journal postgres")
	flag.StringVar(&a.norn, "norn", "", "path of a norn to measure; built from these sources unless given")
	flag.StringVar(&a.serve, "serve", "", "more flags for norn serve, with spaces between")
	flag.StringVar(&a.write, "write", "", "file that takes the table of results, between its marks")
	flag.DurationVar(&a.p99, "want-p99", 0, "fail if the p99 of a paced play is above this")
	flag.IntVar(&a.rss, "want-rss", 0, "fail if norn holds more MiB than this in a paced play or a flood")
	flag.IntVar(&a.flat, "want-flat", 0, "fail if a flat play makes fewer moves a second than this")
	flag.IntVar(&a.moves, "moves", 2000, "moves at each table of pages and crowd, 50 to 20,000")
	flag.Parse()
	a.flags = strings.Fields(a.serve)
	if err := a.check(); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(2)
	}
	debug.SetGCPercent(400) // norn needs the cores
	runtime.GOMAXPROCS(1)   // and no thread should search for work
	if err := a.run(); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func (a *asked) check() error {
	within := func(name string, n, least, most int) error {
		if n < least || n > most {
			return fmt.Errorf("-%s is %d; %d to %d is allowed", name, n, least, most)
		}
		return nil
	}
	if _, err := scriptsOf(a.game); err != nil {
		return fmt.Errorf("-game: %w", err)
	}
	if a.journal != "sqlite" && a.journal != "postgres" {
		return fmt.Errorf("-journal is %q; sqlite or postgres is allowed", a.journal)
	}
	if a.nodes > 1 && a.journal == "sqlite" {
		return fmt.Errorf("-nodes is %d; several norns can't share SQLite: -journal postgres", a.nodes)
	}
	return errors.Join(
		within("nodes", a.nodes, 1, 8), within("tables", a.tables, 1, 20_000), within("seats", a.seats, 2, 20),
		within("live", a.live, 0, a.seats),
		within("moves", a.moves, inTurn, 20_000), within("rate", a.rate, 1, 100_000),
		within("callers", a.callers, 0, 4096),
		within("warm", int(a.warm.Seconds()), 0, 60), within("time", int(a.time.Seconds()), 1, 300),
	)
}

// plans returns the requested runs.
func (a *asked) plans() ([]plan, error) {
	var plans []plan
	for name := range strings.SplitSeq(a.plays, ",") {
		p := a.plan
		p.name = name
		if p.callers == 0 {
			p.callers = 64
			if name == "flat" { // enough to keep the cores busy while the disk syncs
				p.callers = 256
			}
		}
		switch name {
		case "paced":
			plans = append(plans, p)
		case "flat":
			p.rate = 0
			plans = append(plans, p)
		case "growth":
			for _, p.tables = range []int{10, 100, 1000, 10_000} {
				plans = append(plans, p)
			}
		case "pages", "crowd", "flood", "yardstick": // functions of these names run these; compare runs pages
		default:
			return nil, fmt.Errorf("-play: no play %q; paced, flat, growth, pages, crowd, flood and yardstick are there", name)
		}
	}
	// Both ends of a stream are a file of their process, and each has some more.
	for i := range plans {
		p := &plans[i]
		if most := (files() - p.callers - 200) / p.tables; p.live > most {
			fmt.Printf("%d tables: %d live seats of each, for a process may open %d files here\n", p.tables, most,
				files())
			p.live = most
		}
	}
	return plans, nil
}

func (a *asked) run() (err error) {
	plans, err := a.plans()
	if err != nil {
		return err
	}
	if a.norn == "" {
		dir, err := os.MkdirTemp("", "norn-load-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		if a.norn, err = build(dir); err != nil {
			return err
		}
	}
	var results []*result
	var missed []error
	for _, p := range plans {
		fmt.Printf("%s: %s tables, %s live seats, %v …\n", p.name, groupThousands(p.tables),
			groupThousands(p.tables*p.live), p.time)
		r, err := run(a.norn, p)
		if err != nil {
			return err
		}
		results = append(results, r)
		missed = append(missed, a.findMissed(r)...)
	}
	table := ""
	if len(results) > 0 {
		table = markdown(results)
	}
	if slices.Contains(strings.Split(a.plays, ","), "pages") {
		scripts, err := scriptsOf(a.game)
		if err != nil {
			return err
		}
		for _, s := range scripts {
			fmt.Printf("pages: %s, %s moves at each of three tables …\n", s.game, groupThousands(a.moves))
			c, err := compare(a.norn, s, a.moves)
			if err != nil {
				return err
			}
			table += "\n" + c.markdown()
		}
	}
	if slices.Contains(strings.Split(a.plays, ","), "crowd") {
		scripts, err := scriptsOf(a.game)
		if err != nil {
			return err
		}
		for _, s := range scripts {
			fmt.Printf("crowd: %s, %s throws before %d pages …\n", s.game, groupThousands(a.moves), onlookers*pagesEach)
			c, err := crowd(a.norn, s, a.moves)
			if err != nil {
				return err
			}
			table += "\n" + c.markdown()
		}
	}
	if slices.Contains(strings.Split(a.plays, ","), "yardstick") {
		p := a.plan
		p.callers = cmp.Or(p.callers, 256)
		scripts, err := scriptsOf(a.game)
		if err != nil {
			return err
		}
		for _, s := range scripts {
			p.game = s.game
			fmt.Printf("yardstick: %s and a bare server in turn, %v each …\n", s.game, a.time)
			m, err := yardstick(a.norn, p)
			if err != nil {
				return err
			}
			table += "\n" + m.markdown()
		}
	}
	if slices.Contains(strings.Split(a.plays, ","), "flood") {
		fmt.Printf("flood: each way in for %v …\n", a.time)
		all, err := flood(a.norn, a.game, a.time)
		if err != nil {
			return err
		}
		table += floods(all)
		for _, f := range all {
			if a.rss > 0 && f.peak > int64(a.rss)<<20 {
				missed = append(missed, fmt.Errorf("flood: norn held %s MiB until after %s, more than %d",
					megabytes(f.peak), f.way, a.rss))
			}
		}
	}
	fmt.Println()
	fmt.Print(table)
	if a.write != "" {
		if err := note(a.write, table); err != nil {
			return err
		}
	}
	return errors.Join(missed...)
}

// findMissed returns the targets that a run has missed.
func (a *asked) findMissed(r *result) (missed []error) {
	if r.lost+r.repeated > 0 {
		missed = append(missed, fmt.Errorf("%s: %d frames lost, %d told twice", r.name, r.lost, r.repeated))
	}
	if p99 := share(r.took, 99); r.name == "paced" && a.p99 > 0 && p99 > a.p99 {
		missed = append(missed, fmt.Errorf("paced: p99 is %s ms, more than %v", millis(p99), a.p99))
	}
	if r.name == "paced" && a.rss > 0 && r.peak > int64(a.rss)<<20 {
		missed = append(missed, fmt.Errorf("paced: norn held %s MiB, more than %d", megabytes(r.peak), a.rss))
	}
	if made := float64(r.made) / r.over.Seconds(); r.name == "flat" && made < float64(a.flat) {
		missed = append(missed, fmt.Errorf("flat: %.0f moves a second, fewer than %d", made, a.flat))
	}
	return missed
}
