package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// row returns a result for readers.
func (r *result) row() []string {
	wanted := "all it can"
	if r.rate > 0 {
		wanted = groupThousands(r.rate)
	}
	live := r.tables * r.live
	return []string{
		r.journal, strconv.Itoa(r.nodes), r.game, groupThousands(r.tables), groupThousands(live), wanted,
		groupThousands(int(float64(r.made)/r.over.Seconds() + 0.5)),
		millis(share(r.took, 50)), millis(share(r.took, 99)), millis(share(r.took, 100)), millis(share(r.answered, 99)),
		strconv.Itoa(r.lost + r.repeated),
		megabytes(r.peak), kilobytes(r.opened-r.ready, r.tables), kilobytes(r.listening-r.opened, live),
		each(r.norn, r.made) + " + " + each(r.generator, r.made) + " + " + each(r.database, r.made),
	}
}

var columns = []string{
	"journal", "nodes", "game", "tables", "live seats", "moves/s wanted", "made", "p50 ms", "p99 ms", "max ms",
	"answer p99 ms", "frames lost or twice",
	"RSS peak MiB", "kB a table", "kB a live seat", "CPU µs a move, norn + generator + PostgreSQL",
}

// markdown returns a table of results.
func markdown(results []*result) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(columns)
	line(strings.Split(strings.Repeat("---:", len(columns)), ":")[:len(columns)])
	for _, r := range results {
		line(r.row())
	}
	return b.String()
}

const (
	begins = "<!-- begin make load -->\n"
	ends   = "<!-- end make load -->\n"
)

// note writes the table of results into a file, between its two marks.
func note(path, table string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begun := strings.Cut(string(data), begins)
	_, after, ended := strings.Cut(rest, ends)
	if !begun || !ended {
		return fmt.Errorf("%s has no place between %q and %q", path, strings.TrimSpace(begins), strings.TrimSpace(ends))
	}
	return os.WriteFile(path, []byte(before+begins+"\n"+table+"\n"+ends+after), 0o644)
}

// share returns the percentile of sorted times.
func share(sorted []time.Duration, percent int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

func millis(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 1, 64)
}

func megabytes(n int64) string { return strconv.FormatInt(n>>20, 10) }

func kilobytes(n int64, among int) string {
	if among == 0 {
		return "–"
	}
	return strconv.FormatFloat(float64(n)/float64(among)/1000, 'f', 1, 64)
}

func each(busy time.Duration, moves int) string {
	return strconv.FormatInt(busy.Microseconds()/int64(max(1, moves)), 10)
}

// groupThousands formats a number with separators.
func groupThousands(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
