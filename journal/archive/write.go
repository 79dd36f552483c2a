package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"norn/journal"
)

// Writer writes a file, line by line.
type Writer struct {
	w       io.Writer
	table   string
	gaps    bool
	entries int // number of entries still missing
	all     int
	seq     uint64
	bytes   int64
	chain   chain
}

// NewWriter starts a file by writing its header. The header's number of entries must follow.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	if h.Entries > MaxEntries {
		return nil, &FaultError{1, TooMany, number(MaxEntries)}
	}
	h.Exported = h.Exported.UTC().Truncate(time.Second)
	out := &Writer{w: w, table: h.Table, gaps: h.Seat != "", entries: h.Entries, all: h.Entries}
	return out, out.put(first{h.format(), Version, h})
}

// Write writes the next entry. Its body must be a JSON object.
func (w *Writer) Write(e journal.Entry) error {
	switch {
	case e.Table != w.table || e.Seq != w.seq+1 && (!w.gaps || e.Seq <= w.seq):
		return fmt.Errorf("archive: entry %d of %s where entry %d of %s is due", e.Seq, e.Table, w.seq+1, w.table)
	case w.entries == 0:
		return errors.New("archive: more entries than the header says")
	}
	w.seq = e.Seq
	w.entries--
	return w.put(line{Seq: e.Seq, Time: e.Time, Seat: e.Seat, Move: e.Move, Key: e.Key, Body: e.Body})
}

// Close writes the last line. The file is complete only if it returns no error.
func (w *Writer) Close() error {
	if w.entries > 0 {
		return errors.New("archive: fewer entries than the header says")
	}
	return w.put(last{End: true, Entries: w.all})
}

// put writes a line with its sum.
func (w *Writer) put(value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte("}\n"))
	w.chain = w.chain.next(text)
	whole := append(text, sumBefore...)
	whole = append(append(whole, w.chain...), sumAfter...)
	whole = append(whole, '\n')
	w.bytes += int64(len(whole))
	switch {
	case len(whole) > MaxLine:
		return &FaultError{w.all - w.entries + 1, LongLine, number(MaxLine)}
	case w.bytes > MaxBytes:
		return &FaultError{w.all - w.entries + 1, TooLarge, number(MaxBytes)}
	}
	_, err := w.w.Write(whole)
	return err
}

// The text around a line's sum.
const (
	sumBefore = `,"sum":"`
	sumAfter  = `"}`
)
