// Package verify checks untrusted logs by the rules: whole tables, and what one seat sees. The
// validators of package act, which check live requests, check the entries; dice are derived and
// rules run again.
//
// It serves no table and writes to no journal. It also writes the file of a seat's own log, because
// the code that checks that file is here.
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

// File checks a table's exported log: the file is complete; each die that norn rolled follows from
// the opened secret, the shares, the table, the move and the nonce; and each rule, run again over
// the move's trail, asks, records and results in what is recorded. It stops at the first entry that
// doesn't fit.
//
// Errors are *archive.FaultError for the file, *MisfitError for its contents, and those of the
// reader.
//
// In a file that table.Reader.ExportSeen wrote it checks as much as that seat sees. It refuses a
// whole table exactly where ReadImport does.
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

// TableLog is a log that was read, and the table that it makes.
type TableLog struct {
	Ledger  ledger.Ledger // can read older entries again
	Entries []journal.Entry
}

// readLog reads an exported log and folds it. With replay it also runs rules and derives dice
// again.
func readLog(games []*game.Game, in *archive.Reader, replay bool) (*TableLog, Result, error) {
	if in.Header().Seat != "" {
		return nil, Result{}, &archive.FaultError{Line: 1, Code: archive.OfSeat}
	}
	v := &verifier{
		st: ledger.New(in.Header().Table, games, act.Vocabulary), replay: replay,
		found: Result{Header: in.Header()},
	}
	v.st.WholeBefore = math.MaxUint64 // older norns may have undone entries that are too old for this one
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

// take checks an entry and applies it.
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

// plain checks that an entry is written as norn writes it, so that all readers read the same.
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

// contains reports whether everything in the JSON value have is also in want.
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

// judge returns why an entry can't follow those before it.
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
