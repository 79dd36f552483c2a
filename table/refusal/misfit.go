package refusal

import (
	"errors"
	"fmt"
	"strings"

	"norn/form"
)

// Codes of misfits. They are stable; the text of each is the word table.misfit.<code>. The comments
// name the members of Data.
const (
	MisfitUnreadable = "unreadable" // Problem
	MisfitSeat       = "seat"       // the seat doesn't exist or may not do this
	MisfitRefused    = "refused"    // Problem: the move, the change or the answer isn't allowed
	MisfitID         = "another"    // Have, Want
	MisfitMissing    = "missing"    // ID, which doesn't exist
	MisfitCast       = "cast"       // Have, Want
	MisfitRule       = "rule"       // Problem: the rule asks for other dice or answers
	MisfitHand       = "hand"       // Place: dice typed in where norn rolled, or the other way round
	MisfitFace       = "face"       // Place, Die, Have, Want
	MisfitEvents     = "events"     // Have, Want
	MisfitQuestions  = "questions"
	MisfitOutcome    = "outcome" // Have, Want
	MisfitLuck       = "luck"    // Have, Want
	MisfitEnd        = "end"     // the entry ends the move where the rule goes on, or the other way round
	MisfitShares     = "shares"  // the session closes with other shares than were added to it
	MisfitHeader     = "header"  // the first line names another game, or isn't a table of norn
	MisfitEdition    = "edition" // Have, Want: another edition made the entry than the table plays by
)

// MisfitError names the first entry that contradicts the entries before it, the rules or the dice.
type MisfitError struct {
	Seq   uint64
	Code  string
	Data  map[string]any
	Rules string // version of norn that wrote the entry
	Err   error  // the cause, nil where the code says it all
}

func (e *MisfitError) Error() string {
	text := fmt.Sprintf("table: entry %d doesn't fit: %s", e.Seq, e.Code)
	if e.Err != nil {
		return text + ": " + e.Err.Error()
	}
	if len(e.Data) > 0 {
		return fmt.Sprint(text, " ", e.Data)
	}
	return text
}

func (e *MisfitError) Unwrap() error { return e.Err }

// Misfit returns a MisfitError without a number; the caller adds that of the entry.
func Misfit(code string, about map[string]any) error { return &MisfitError{Code: code, Data: about} }

// AsMisfit turns an error of the live checks of an act into a misfit of a log.
func AsMisfit(seat string, err error) error {
	wrong, invalid := errors.AsType[*InvalidError](err)
	switch {
	case err == nil || errors.As(err, new(*MisfitError)):
		return err
	case errors.As(err, new(*ForbiddenError)):
		return Misfit(MisfitSeat, map[string]any{"Seat": seat})
	case invalid && wrong.Problems[0].Code == form.NoChoice:
		return &MisfitError{Code: MisfitMissing, Data: map[string]any{"ID": wrong.Problems[0].Given}}
	}
	return &MisfitError{Code: MisfitRefused, Data: map[string]any{"Problem": err.Error()}, Err: err}
}

// Same returns a misfit unless an id or a name is the expected one.
func Same(have, want string) error {
	if have != want {
		return Misfit(MisfitID, map[string]any{"Have": have, "Want": want})
	}
	return nil
}

// SameNames returns a misfit unless a list of names is the expected one.
func SameNames(have, want []string) error {
	return Same(strings.Join(have, " "), strings.Join(want, " "))
}
