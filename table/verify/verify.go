// Package verify holds logs that nobody vouches for to the rules: a whole table's, and a seat's
// own. Entries are judged by those who judge what is done live (package act), dice are derived and
// rules run again.
//
// It serves no table and writes to no journal. Besides, it writes the file of a seat's own log,
// which stands beside its judge.
package verify

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"

	"norn/game"
	"norn/journal"
	"norn/journal/archive"
	"norn/lang"
	"norn/table/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/refusal"
	"norn/table/view"
)

// File checks a table's exported log: that the file is whole, that each die
// that norn threw is the one that the opened secret, the shares, the table, the
// move and the nonce give, and that each rule, run again over what it met, asks,
// tells and comes to what is recorded. It stops at the first entry that doesn't
// fit.
//
// Errors are *archive.FaultError for the file, *MisfitError for what it says,
// and those of the reader.
//
// Of a file that table.Reader.ExportSeen wrote it checks as much as that seat sees. A whole table's it
// refuses wherever ReadImport would.
func File(games []*game.Game, words *lang.Words, file io.Reader) (Result, error) {
	in, err := archive.NewReader(file)
	if err != nil {
		return Result{}, err
	}
	if in.Header().Seat != "" {
		return verifySeat(games, in)
	}
	_, found, err := readTable(games, words, in, true)
	return found, err
}

// TableLog is a log that was read back, and the table that it makes.
type TableLog struct {
	Ledger  ledger.Ledger // which may look back
	Entries []journal.Entry
}

// readLog reads an exported log and folds it in. replay runs its rules and
// throws its dice again.
func readLog(games []*game.Game, in *archive.Reader, replay bool) (*TableLog, Result, error) {
	if in.Header().Seat != "" {
		return nil, Result{}, &archive.FaultError{Line: 1, Code: archive.OfSeat}
	}
	v := &verifier{
		st: ledger.New(in.Header().Table, games, act.Vocabulary), replay: replay,
		found: Result{Header: in.Header()},
	}
	v.st.WholeBefore = math.MaxUint64 // norns may have undone what is older than they do now
	var entries ledger.InMemory
	v.st = v.st.WithLookback(context.Background(), &entries)
	for {
		e, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, Result{}, err
		}
		if err := v.take(e); err != nil {
			return nil, Result{}, err
		}
		entries = append(entries, e)
	}
	if head := in.Header(); head.Game != v.st.Game.ID || head.Name != v.st.Name {
		return nil, Result{}, &refusal.MisfitError{Seq: 1, Code: refusal.MisfitHeader}
	}
	v.found.Sessions = len(v.st.Sessions)
	return &TableLog{v.st, entries}, v.found, nil
}

// take judges an entry and applies it.
func (v *verifier) take(e journal.Entry) (err error) {
	defer recoverMisfit(&err, &e.Seq)
	defer ledger.Catch(&err)
	r, err := v.st.Decode(e, nil)
	if err != nil {
		rules := ""
		if r != nil {
			rules = r.Rules
		}
		return &refusal.MisfitError{
			Seq: e.Seq, Code: refusal.MisfitUnreadable, Data: view.Data{"Problem": err.Error()},
			Rules: rules, Err: err,
		}
	}
	v.differs = false
	err = v.plain(e, r)
	if err == nil {
		err = v.judge(r)
	}
	if err != nil {
		var misfit *refusal.MisfitError
		if !errors.As(err, &misfit) {
			misfit = &refusal.MisfitError{
				Code: refusal.MisfitRefused, Data: view.Data{"Problem": err.Error()},
				Err: err,
			}
		}
		misfit.Seq, misfit.Rules = r.Seq, r.Rules
		return misfit
	}
	if v.differs {
		v.found.older(r.Edition)
	} else if r.Kind == view.KindMove {
		v.found.Moves++
	}
	v.st.Append(r)
	if v.replay {
		v.st.OpenMoves.FindPending()
	}
	return nil
}

// plain holds an entry to what norn writes, so that no reader finds more in it, or
// something else, than another.
func (v *verifier) plain(e journal.Entry, r *state.Record) error {
	if r.V != r.Version() || !contains(state.NonEmpty(state.Members(json.RawMessage(e.Body))),
		state.NonEmpty(state.Members(r.EntryBody))) {
		return refusal.Misfit(refusal.MisfitUnreadable, view.Data{"Problem": "it isn't written as norn writes"})
	}
	if r.Kind != view.KindOpened && r.Kind != view.KindEdition && r.Edition != v.st.Edition {
		return refusal.Misfit(refusal.MisfitEdition, view.Data{"Have": r.Edition, "Want": v.st.Edition})
	}
	return nil
}

// contains tells whether all that one JSON value says another says too.
func contains(have, want any) bool {
	switch have := have.(type) {
	case map[string]any:
		want, ok := want.(map[string]any)
		for name, value := range have {
			ok = ok && contains(value, want[name])
		}
		return ok
	case []any:
		want, ok := want.([]any)
		ok = ok && len(have) == len(want)
		for i := range have {
			ok = ok && contains(have[i], want[i])
		}
		return ok
	}
	return have == want
}

// judge says why an entry can't follow those before it.
func (v *verifier) judge(r *state.Record) error {
	if (r.Kind == view.KindOpened) != (r.Seq == 1) {
		return refusal.Misfit(refusal.MisfitUnreadable,
			view.Data{"Problem": "a table is opened once, by its first entry"})
	}
	p, err := act.Propose(v.st, r, lang.Speaker{})
	if err != nil {
		return err
	}
	p.Log = v
	switch r.Kind {
	case view.KindMove:
		return v.judgeOpening(p)
	case view.KindAnswer:
		return v.judgeAnswer(p)
	}
	return refusal.AsMisfit(r.Seat, p.JudgeOwn())
}
