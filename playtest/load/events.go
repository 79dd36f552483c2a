package main

import (
	"bytes"
	"fmt"
	"strconv"
	"time"
)

// ear parses the events of one live stream, however they are split. It skips the data of entries,
// which nobody needs.
type ear struct {
	hear func(seq uint64, entry bool, at time.Time)

	seq   uint64
	entry bool
	part  []byte // the beginning of an incomplete line
	data  bool   // the incomplete line is data
}

// take parses a piece that arrived at a time.
func (e *ear) take(piece []byte, at time.Time) error {
	for len(piece) > 0 {
		line, rest, whole := bytes.Cut(piece, []byte("\n"))
		piece = rest
		switch {
		case e.data:
			e.data = !whole
			continue
		case len(e.part) > 0:
			e.part = append(e.part, line...)
			line = e.part
		}
		if !whole {
			if e.data = bytes.HasPrefix(line, []byte("data: ")); e.data {
				e.part = e.part[:0]
			} else if len(e.part) == 0 {
				e.part = append(e.part, line...)
			}
			return nil
		}
		if err := e.line(line, at); err != nil {
			return err
		}
		e.part = e.part[:0]
	}
	return nil
}

// line parses a complete line of an event; an empty one ends it.
func (e *ear) line(line []byte, at time.Time) (err error) {
	switch {
	case len(line) == 0:
		if e.seq > 0 {
			e.hear(e.seq, e.entry, at)
		}
		e.seq, e.entry = 0, false
	case bytes.HasPrefix(line, []byte("id: ")):
		if e.seq, err = strconv.ParseUint(string(line[4:]), 10, 64); err != nil {
			return fmt.Errorf("an event begins with %q", line)
		}
	case bytes.HasPrefix(line, []byte("event: ")):
		e.entry = string(line[7:]) == "entry"
	}
	return nil
}
