package refusal

import (
	"errors"
	"fmt"
	"strings"

	"norn/form"
)

// Codes of misfits, stable. Each is worded table.misfit.<code>.
const (
	MisfitUnreadable = "unreadable" // Problem
	MisfitSeat       = "seat"       // Seat isn't there or may not do this
	MisfitRefused    = "refused"    // Problem: the move, the change or the answer isn't allowed
	MisfitID         = "another"    // Have, Want
	MisfitMissing    = "missing"    // ID isn't there
	MisfitCast       = "cast"       // Have, Want
	MisfitRule       = "rule"       // Problem: the rule asks for other dice or answers
	MisfitHand       = "hand"       // Place: dice by hand where norn threw, or the other way round
	MisfitFace       = "face"       // Place, Die, Have, Want
	MisfitEvents     = "events"     // Have, Want
	MisfitQuestions  = "questions"
	MisfitOutcome    = "outcome" // Have, Want
	MisfitLuck       = "luck"    // Have, Want
	MisfitEnd        = "end"     // the move ends or goes on otherwise than told
	MisfitShares     = "shares"  // the session closes with other shares than were given
	MisfitHeader     = "header"  // the first line names another game, or no table of norn's
	MisfitEdition    = "edition" // Have, Want: it's made by another edition than the table is played by
)

// MisfitError names the first entry that doesn't fit those before it, the
// rules or the dice.
type MisfitError struct {
	Seq   uint64
	Code  string
	Data  map[string]any
	Rules string // version of norn that wrote the entry
	Err   error  // whence it is known, nil where the code says it all
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

// Misfit is a MisfitError of the entry at hand.
func Misfit(code string, about map[string]any) error { return &MisfitError{Code: code, Data: about} }

// AsMisfit is why the judge of an act doesn't take what a log says.
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

// Same holds an id or a name to the one that must come here.
func Same(have, want string) error {
	if have != want {
		return Misfit(MisfitID, map[string]any{"Have": have, "Want": want})
	}
	return nil
}

// SameNames holds a list of names to the one that must come here.
func SameNames(have, want []string) error {
	return Same(strings.Join(have, " "), strings.Join(want, " "))
}
