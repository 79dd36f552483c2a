// Package refusal is why something can't be done at a table, or why a log can't be one: typed
// errors that name the field, the range and the rule, each worded for people by Say.
//
// It imports nothing of the table's.
package refusal

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/form"
	"norn/game"
	"norn/journal"
)

// Codes of refusals, stable for every face of norn.
const (
	CodeNotFound    = "not-found"
	CodeForbidden   = "forbidden"
	CodeRefused     = "refused"
	CodeInvalid     = "invalid"
	CodeBusy        = "busy"
	CodeAnswered    = "answered"
	CodeKeyReused   = "key-reused"
	CodeConflict    = "conflict"
	CodeUnavailable = "unavailable"
	CodeUnreadable  = "unreadable"
	CodeTooMany     = "too-many"
	CodeLater       = "later"
	CodeTooOften    = "too-often"
)

// Codes are all codes of refusals.
func Codes() []string {
	return []string{
		CodeNotFound, CodeForbidden, CodeRefused, CodeInvalid, CodeBusy, CodeAnswered, CodeKeyReused, CodeConflict,
		CodeUnavailable, CodeUnreadable, CodeTooMany, CodeLater, CodeTooOften,
	}
}

// Error is an error of this package. Nothing was written, but for an
// *UnavailableError, which doesn't know. Each is worded table.error.<code>; see
// Say.
type Error interface {
	error
	Code() string
}

// NotFoundError is the one answer for a table that isn't there, a wrong secret
// and a seat that was revoked.
type NotFoundError struct{}

func (*NotFoundError) Code() string { return CodeNotFound }

func (*NotFoundError) Error() string {
	return "table: there is no such table, or the link to it is not valid"
}

// ForbiddenError says that the seat may not do this.
type ForbiddenError struct{}

func (*ForbiddenError) Code() string { return CodeForbidden }

func (*ForbiddenError) Error() string { return "table: this seat may not do that" }

// RefusedError says that a rule of the game or of the table forbids it.
type RefusedError struct{ Refusal *game.Refusal }

func (*RefusedError) Code() string { return CodeRefused }

func (e *RefusedError) Error() string { return "table: refused: " + e.Refusal.Error() }

func (e *RefusedError) Unwrap() error { return e.Refusal }

// InvalidError says what is wrong with a request. Paths begin with the member
// of the request: "args.difficulty", "sheet.stress.blood", "dice.0", "name".
type InvalidError struct {
	Problems form.Problems
	Err      error // that says more, such as a *game.NotationError; may be nil
}

func (*InvalidError) Code() string { return CodeInvalid }

func (e *InvalidError) Error() string { return "table: " + e.Problems.Error() }

func (e *InvalidError) Unwrap() []error { return []error{e.Problems, e.Err} }

// BusyError says that a character is in a move that isn't finished.
type BusyError struct {
	Character string
	Move      string   // id of the move, "" where the seat may not know it
	Name      string   // the move's name in the rules, "check"; "" likewise
	Waits     []string // whom it waits for, as a question's To: nobody where the seat itself has to answer
	Stranded  bool     // these rules can't go on with the move
}

func (*BusyError) Code() string { return CodeBusy }

func (e *BusyError) Error() string {
	if e.Move == "" {
		return "table: " + e.Character + " is busy"
	}
	return "table: " + e.Character + " is in the open move " + e.Move
}

// AnsweredError says that somebody answered the question before.
type AnsweredError struct {
	Question string
	By       string // id of the seat
	Name     string // its name
}

func (*AnsweredError) Code() string { return CodeAnswered }

func (e *AnsweredError) Error() string { return "table: " + e.Question + " was answered by " + e.By }

// KeyReusedError says that the seat has used the key for something else.
type KeyReusedError struct {
	Key string
	Seq uint64 // of the entry that stands under it
}

func (*KeyReusedError) Code() string { return CodeKeyReused }

func (e *KeyReusedError) Error() string {
	return "table: the key " + strconv.Quote(e.Key) + " was used for another request, entry " +
		strconv.FormatUint(e.Seq, 10)
}

// ConflictError says that others wrote at the same time, again and again. Trying
// once more helps.
type ConflictError struct{}

func (*ConflictError) Code() string { return CodeConflict }

func (*ConflictError) Error() string { return "table: others keep writing at the same time" }

// UnavailableError says that the journal couldn't be reached or was given up
// on. Whether the entry was written is not known: the same key tells.
type UnavailableError struct{ Err error }

func (*UnavailableError) Code() string { return CodeUnavailable }

func (e *UnavailableError) Error() string { return "table: not available now: " + e.Err.Error() }

func (e *UnavailableError) Unwrap() error { return e.Err }

// Unwritable tells whether an *UnavailableError stands until somebody sees to the
// store: it's full, or may only be read.
func Unwritable(err error) bool {
	gone, ok := errors.AsType[*journal.UnavailableError](err)
	return ok && gone.Unwritable
}

// UnreadableError says that an entry of the table can't be read by this norn.
// The table stays closed, whole as it is.
type UnreadableError struct {
	Table string
	Seq   uint64
	Err   error // such as a *game.UnknownEventError
}

func (*UnreadableError) Code() string { return CodeUnreadable }

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("table: entry %d of table %s can't be read: %v", e.Seq, e.Table, e.Err)
}

func (e *UnreadableError) Unwrap() error { return e.Err }

// Newer tells whether the entry is of a newer norn, or of one with other games;
// else it's damaged.
func (e *UnreadableError) Newer() bool {
	return errors.As(e.Err, new(*game.UnknownEventError)) || errors.As(e.Err, new(*unknownError))
}

// Game is the id of the table's game where that isn't here, else "".
func (e *UnreadableError) Game() string {
	unknown, ok := errors.AsType[*unknownError](e.Err)
	if !ok {
		return ""
	}
	return unknown.game
}

// unknownError is about what a newer norn may know, or one with another game.
type unknownError struct{ text, game string }

func (e *unknownError) Error() string { return e.text }

// Unknown says that something isn't known here.
func Unknown(text string, about ...any) error {
	return &unknownError{text: fmt.Sprintf(text, about...)}
}

// UnknownGame says that a table's game isn't here.
func UnknownGame(id string) error {
	return &unknownError{fmt.Sprintf("the game %q is not known", id), id}
}

// TooManyError says that a table can't hold more.
type TooManyError struct {
	// "seats", "characters", "calls", "notes", "attachments", "attached-bytes" of all, "bytes" of
	// one entry or sheet, "sheet-bytes" of all
	What string
	Max  int
}

func (*TooManyError) Code() string { return CodeTooMany }

func (e *TooManyError) Error() string {
	return "table: at most " + strconv.Itoa(e.Max) + " " + e.What
}

// TooOftenError says that the seat has asked for more in a short time than it may.
type TooOftenError struct{ After time.Duration } // when to come again, above zero

func (*TooOftenError) Code() string { return CodeTooOften }

func (e *TooOftenError) Error() string { return "table: too often; again in " + e.After.String() }

// Seconds is After in whole seconds, rounded up.
func (e *TooOftenError) Seconds() int { return int((e.After + time.Second - 1) / time.Second) }

// LaterError says that something can't be undone because later entries stand on
// it. Those that the seat may not know of aren't among them.
type LaterError struct{ Later []Later }

// Later is an entry that stands on another.
type Later struct {
	Seq  uint64 `json:"seq"`            // of its first entry, if it's a move
	Move string `json:"move,omitempty"` // the move's id
	Text string `json:"text"`           // what it is, in the reader's language
}

func (*LaterError) Code() string { return CodeLater }

func (e *LaterError) Error() string {
	seqs := game.Each(e.Later, func(l Later) string { return strconv.FormatUint(l.Seq, 10) })
	return "table: later entries stand on it: " + strings.Join(seqs, ", ")
}

// Refuse is a refusal of the table's own.
func Refuse(word string, about map[string]any) error {
	return &RefusedError{&game.Refusal{Word: "table.refusal." + word, Data: about}}
}

// Unavailable is what a failure of the journal means for a table that was read
// up to seq.
func Unavailable(table string, seq uint64, err error) error {
	if errors.As(err, new(*journal.CorruptError)) {
		return &UnreadableError{Table: table, Seq: seq, Err: err}
	}
	return &UnavailableError{err}
}

// Invalid is one problem as an error.
func Invalid(path, code string, change ...func(*form.Problem)) error {
	p := form.Problem{Path: path, Code: code}
	for _, f := range change {
		f(&p)
	}
	return &InvalidError{Problems: form.Problems{p}}
}

// Within turns what a form or a rule says about a part of a request into an
// error of this package; paths get the part's name in front.
func Within(part string, err error) error {
	if problems, ok := errors.AsType[form.Problems](err); ok {
		placed := make(form.Problems, len(problems))
		for i, p := range problems {
			if p.Path == "" {
				p.Path = part
			} else {
				p.Path = part + "." + p.Path
			}
			placed[i] = p
		}
		return &InvalidError{Problems: placed}
	}
	if notation, ok := errors.AsType[*game.NotationError](err); ok {
		p := notation.Problem()
		p.Path = part + "." + p.Path
		return &InvalidError{Problems: form.Problems{p}, Err: notation}
	}
	if r, ok := game.AsRefusal(err); ok {
		return &RefusedError{r}
	}
	return err
}

// NoChoice is the problem of a value that isn't among those allowed.
func NoChoice(path, given string, allowed []string) error {
	return Invalid(path, form.NoChoice, func(p *form.Problem) { p.Given, p.Allowed = Brief(given), allowed })
}

// Brief shortens what was sent to what a message can show.
func Brief(text string) string {
	const shown = 60
	runes := []rune(text)
	if len(runes) > shown {
		runes = append(runes[:shown], '…')
	}
	for i, r := range runes {
		if r < ' ' || r == 0x7F {
			runes[i] = '\uFFFD'
		}
	}
	return string(runes)
}

// Split takes the problems of one part of a request apart from the rest; their paths lose the part's name.
func Split(err error, part string) (own, rest form.Problems) {
	invalid, ok := errors.AsType[*InvalidError](err)
	if !ok {
		return nil, nil
	}
	return Cut(invalid.Problems, part)
}

// Cut is Split of problems.
func Cut(problems form.Problems, part string) (own, rest form.Problems) {
	for _, p := range problems {
		if path, ok := strings.CutPrefix(p.Path, part+"."); ok {
			p.Path = path
			own = append(own, p)
		} else if p.Path == part {
			p.Path = ""
			own = append(own, p)
		} else {
			rest = append(rest, p)
		}
	}
	return own, rest
}

// IsRefusal tells whether somebody asked for what can't be done: an error that isn't norn's own,
// and a seat that is still good.
func IsRefusal(err error) bool {
	why, ok := errors.AsType[Error](err)
	return ok && !slices.Contains([]string{CodeNotFound, CodeUnavailable, CodeUnreadable}, why.Code())
}

// IsGone tells whether there is no such table, or no such seat any more.
func IsGone(err error) bool {
	return errors.As(err, new(*NotFoundError))
}
