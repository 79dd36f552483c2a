package table

import (
	"fmt"
	"io"

	"norn/game"
	"norn/journal/archive"
	"norn/lang"
)

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

// shows shows each entry of a log that nobody vouches for to every seat once.
func shows(log *logOf, words *lang.Words) (err error) {
	seq := uint64(0)
	defer bear(&err, &seq)
	defer recollected(&err)
	for _, s := range log.st.seats {
		e := eyeOf(log.st, s, words.In(log.st.lang).Of(log.st.game.ID))
		for r := range log.st.after(0, pageOf) {
			seq = r.Seq
			entryOf(e, r)
		}
		viewOf(e, nil)
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
