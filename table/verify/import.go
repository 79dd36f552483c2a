package verify

import (
	"io"

	"norn/game"
	"norn/journal/archive"
	"norn/lang"
	"norn/table/internal/ledger"
	"norn/table/internal/projection"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
)

// Importable is an exported table that was read whole and may be imported.
type Importable struct {
	Log     *TableLog
	Found   Result
	Trusted bool // who imports it trusts the table's own text: a server runs it from then on
}

// ReadImport reads an exported table; nothing is stored of it. checked holds it to
// what Verify does; unchecked, as for rules that have changed since, it's only
// held to what a table can be: every entry can be read, applied and shown.
//
// Errors are those of File.
func ReadImport(games []*game.Game, words *lang.Words, file io.Reader, checked bool) (*Importable, error) {
	in, err := archive.NewReader(file)
	if err != nil {
		return nil, err
	}
	log, found, err := readTable(games, words, in, checked)
	if err != nil {
		return nil, err
	}
	return &Importable{Log: log, Found: found}, nil
}

// readTable reads a table's log and holds it to what a table can be here.
func readTable(games []*game.Game, words *lang.Words, in *archive.Reader, checked bool) (*TableLog, Result, error) {
	log, found, err := readLog(games, in, checked)
	if err == nil {
		log.Ledger.OpenMoves.FindPending()
		err = checkShown(log, words)
	}
	switch {
	case err != nil:
		return nil, Result{}, err
	case !state.IsTableID(log.Ledger.ID):
		return nil, Result{}, &refusal.MisfitError{Seq: 1, Code: refusal.MisfitHeader}
	}
	return log, found, nil
}

// checkShown shows each entry of a log that nobody vouches for to every seat once.
func checkShown(log *TableLog, words *lang.Words) (err error) {
	seq := uint64(0)
	defer recoverMisfit(&err, &seq)
	defer ledger.Catch(&err)
	for _, s := range log.Ledger.Seats {
		e := visibility.Of(log.Ledger, s, log.Ledger.Speak(words.In(log.Ledger.Lang)))
		for r := range log.Ledger.After(0, ledger.PageOf) {
			seq = r.Seq
			projection.Entry(e, r)
		}
		projection.View(e, nil, nil)
	}
	return nil
}
