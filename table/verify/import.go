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

// Importable is an exported table that was read completely and may be imported.
type Importable struct {
	Log     *TableLog
	Found   Result
	Trusted bool // the importer trusts the text of its own game, which the server runs from then on
}

// ReadImport reads an exported table and stores nothing. With checked it checks as much as File
// does. Without, for a table whose rules have changed since, it only checks that every entry can be
// read, applied and shown.
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

// readTable reads a table's log and checks that this norn can have such a table.
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

// checkShown builds the view of each entry of an untrusted log for every seat, so that one that
// can't be shown is found now.
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
