package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// measured is the CPU time of norn and of the bare server, for the same moves by the same callers
// in turn.
type measured struct {
	game   string
	moves  [2]int // of norn and of the bare server
	cpu    [2]time.Duration
	ratios []float64 // of each round
}

// rounds is the number of turns of both, after a first one that isn't counted.
const rounds = 4

// yardstick plays flat at a norn and at a bare server in turn, each for a plan's time in all.
func yardstick(norn string, p plan) (m *measured, err error) {
	dir, err := os.MkdirTemp("", "norn-load-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	p.rate = 0
	var houses [2]*house
	for i := range houses {
		h := &house{plan: p}
		h.bare = i == 1
		houses[i] = h
		defer func() { err = errors.Join(err, h.leave()) }()
		below := filepath.Join(dir, strconv.Itoa(i))
		if err := os.Mkdir(below, 0o700); err != nil {
			return nil, err
		}
		if err := h.open(norn, below); err != nil {
			return nil, err
		}
		if err := h.sit(&result{}); err != nil {
			return nil, err
		}
		if err := h.listen(); err != nil {
			return nil, err
		}
	}
	m = &measured{game: p.game}
	for round := -1; round < rounds; round++ {
		var each [2]float64
		for i, h := range houses {
			r, before := &result{}, h.cpu()
			if err := h.play(p.time/rounds, &tally{}, r); err != nil {
				return nil, err
			}
			busy := h.cpu() - before
			each[i] = float64(busy) / float64(max(1, r.made))
			if round >= 0 {
				m.moves[i] += r.made
				m.cpu[i] += busy
			}
		}
		if round >= 0 {
			m.ratios = append(m.ratios, each[0]/each[1])
		}
	}
	return m, nil
}

var bareMove = bytes.Repeat([]byte("m"), bareBody)

// bareParty returns a table of the bare server, which needs no request to create it, with a number
// of live streams.
func bareParty(n, live int) *party {
	id := strconv.Itoa(n)
	return &party{
		bare: true, base: "/move/" + id, live: "/live/" + id, secrets: make([]string, max(live, 2)), seq: 1,
		heard: make([]uint64, live), waiting: map[uint64]*flight{},
	}
}

func (m *measured) markdown() string {
	var b strings.Builder
	b.WriteString("| game | moves | norn's CPU µs a move | bare server's | ratio | of each round |\n|---:|---:|---:|---:|---:|---:|\n")
	var all []string
	for _, ratio := range m.ratios {
		all = append(all, strconv.FormatFloat(ratio, 'f', 2, 64))
	}
	norn, bare := float64(m.cpu[0])/float64(max(1, m.moves[0])), float64(m.cpu[1])/float64(max(1, m.moves[1]))
	fmt.Fprintf(&b, "| %s | %s + %s | %s | %s | %.2f | %s |\n", m.game, groupThousands(m.moves[0]),
		groupThousands(m.moves[1]),
		each(m.cpu[0], m.moves[0]), each(m.cpu[1], m.moves[1]), norn/bare, strings.Join(all, ", "))
	return b.String()
}
