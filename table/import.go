package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"norn/game"
	"norn/journal"
	"norn/journal/archive"
	"norn/lang"
	"norn/relay"
)

// tableImported says that all entries up to here are from a file.
type tableImported struct {
	Exported time.Time `json:"exported"`
	Norn     string    `json:"norn"`
	Entries  int       `json:"entries"`
}

func (tableImported) Type() string { return "table.imported" }

func (ev tableImported) judge(p *proposal) error {
	return same(strconv.Itoa(ev.Entries), strconv.FormatUint(p.st.seq, 10))
}

func (tableImported) fold(st *state, r *record) { st.alterNow(func(s *session) { s.to = r.Seq }) }

func (ev tableImported) lines(e eye) []Line {
	return e.line(ev, "imported", data{"N": ev.Entries, "Norn": ev.Norn}, data{"exported": ev.Exported, "norn": ev.Norn, "entries": ev.Entries})
}

// ExistsError says that a table of this id is here already.
type ExistsError struct {
	Table string
	Same  bool   // all that the file holds stands here too
	Seq   uint64 // of the last entry here
}

func (e *ExistsError) Error() string {
	return "table: " + e.Table + " is here already, up to entry " + strconv.FormatUint(e.Seq, 10)
}

// Arriving is an exported table that was read whole and may be imported.
type Arriving struct {
	log   *logOf
	found Verified
}

// Arrive reads an exported table; nothing is stored of it. checked holds it to
// what Verify does; unchecked, as for rules that have changed since, it's only
// held to what a table can be: every entry can be read, applied and shown.
//
// Errors are those of Verify.
func Arrive(games []*game.Game, words *lang.Words, file io.Reader, checked bool) (*Arriving, error) {
	in, err := archive.NewReader(file)
	if err != nil {
		return nil, err
	}
	log, found, err := readLog(games, in, checked)
	if err == nil {
		err = shows(log, words)
	}
	switch {
	case err != nil:
		return nil, err
	case !isTableID(log.st.id):
		return nil, &MisfitError{Seq: 1, Code: MisfitHeader}
	case len(log.st.open) > 0:
		return nil, &MisfitError{Seq: log.st.seq, Code: MisfitOpen, Data: data{"Move": log.st.open[0].id}}
	}
	return &Arriving{log, found}, nil
}

// Import brings an exported table here, whole or not at all: all its entries
// and one that says where they are from and seals new dice, in one append. The
// links to its seats work again, here.
//
// Errors are *ExistsError and *UnavailableError.
func (h *Host) Import(ctx context.Context, a *Arriving) (Verified, error) {
	log, found := a.log, a.found
	id := log.st.id
	if here, err := h.Journal.Read(ctx, id, 0, 0); err != nil {
		return Verified{}, unavailable(id, 0, err)
	} else if len(here) > 0 {
		return Verified{}, exists(id, here, log.entries)
	}
	arrival, err := h.arrival(log, found)
	if err != nil {
		return Verified{}, err
	}
	entries := log.entries
	sealed := &entries[log.st.now().from-1]
	if sealed.Body, err = closed(sealed.Body); err != nil { // a file may hold what no export does
		return Verified{}, err
	}
	_, err = h.Journal.Append(ctx, id, 0, append(entries, arrival)...)
	if conflict := (*journal.ConflictError)(nil); errors.As(err, &conflict) {
		return Verified{}, &ExistsError{Table: id, Seq: conflict.Have}
	}
	if err != nil {
		return Verified{}, unavailable(id, 0, err)
	}
	h.Relay.Publish(relay.Message{Table: id, Seq: log.st.seq + 1})
	return found, nil
}

// arrival is the entry that an import adds.
func (h *Host) arrival(log *logOf, found Verified) (journal.Entry, error) {
	sealed, err := seal(h.Entropy)
	if err != nil {
		return journal.Entry{}, err
	}
	nobody := log.st.eye(&seat{}, lang.Speaker{})
	d, err := nobody.acts(KindImported, tableImported{Exported: found.Exported, Norn: found.Norn, Entries: found.Entries}, sealed)
	if err != nil {
		return journal.Entry{}, err
	}
	return h.entry(nobody, d, log.st.edition)
}

// shows shows each entry of a log that nobody vouches for to every seat once.
func shows(log *logOf, words *lang.Words) (err error) {
	seq := uint64(0)
	defer bear(&err, &seq)
	defer recollected(&err)
	for _, s := range log.st.seats {
		e := log.st.eye(s, words.In(log.st.lang).Of(log.st.game.ID))
		for r := range log.st.after(0, pageOf) {
			seq = r.Seq
			e.entry(r)
		}
		e.view(nil)
	}
	return nil
}

// bear turns a panic over what a hostile file says into a misfit: games may rely
// on what their own rules have told, and here somebody else may have.
func bear(err *error, seq *uint64) {
	if p := recover(); p != nil {
		*err = &MisfitError{Seq: *seq, Code: MisfitUnreadable, Data: data{"Problem": fmt.Sprint(p)}}
	}
}

// exists compares what is here with a file.
func exists(id string, here, file []journal.Entry) error {
	err := &ExistsError{Table: id, Same: len(here) >= len(file), Seq: here[len(here)-1].Seq}
	for i := range min(len(here), len(file)) {
		a, b := here[i], file[i]
		left, wrong := closed(a.Body)
		right, odd := closed(b.Body)
		err.Same = err.Same && wrong == nil && odd == nil && bytes.Equal(left, right) &&
			a.Time.Equal(b.Time) && a.Seat == b.Seat && a.Move == b.Move && a.Key == b.Key
	}
	return err
}
