// Package refusal has the typed errors that say why something can't be done at a table, or why a
// log can't be a table's. They name the field, the allowed range and the rule, and Say puts each
// into words.
//
// It imports no other package of the table.
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

// Codes of refusals, which are stable in every front end.
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

// Codes lists all codes of refusals.
func Codes() []string {
	return []string{
		CodeNotFound, CodeForbidden, CodeRefused, CodeInvalid, CodeBusy, CodeAnswered, CodeKeyReused, CodeConflict,
		CodeUnavailable, CodeUnreadable, CodeTooMany, CodeLater, CodeTooOften,
	}
}

// Error is an error of this package. Nothing was written, except perhaps after an
// *UnavailableError. The text of each is the word table.error.<code>; see Say.
type Error interface {
	error
	Code() string
}

// NotFoundError answers alike for a table that doesn't exist, a wrong secret and a revoked seat.
type NotFoundError struct{}

func (*NotFoundError) Code() string { return CodeNotFound }

func (*NotFoundError) Error() string {
	return "table: there is no such table, or the link to it is not valid"
}

// ForbiddenError says that the seat may not do this.
type ForbiddenError struct {
	// who alone may make the move: game.GM, or the words of kinds of sheets; nil if it isn't about a move
	Makers []string
}

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
	Err      error // the cause in more detail, such as a *game.NotationError; may be nil
}

func (*InvalidError) Code() string { return CodeInvalid }

func (e *InvalidError) Error() string { return "table: " + e.Problems.Error() }

func (e *InvalidError) Unwrap() []error { return []error{e.Problems, e.Err} }

// BusyError says that a character is in an unfinished move.
type BusyError struct {
	Character string
	Move      string   // id of the move, "" where the seat may not know it
	Name      string   // the move's name in the rules, "check"; "" where Move is
	Waits     []string // who must answer, as in a question's To; empty where the seat itself must
	Stranded  bool     // the current rules can't finish the move
}

func (*BusyError) Code() string { return CodeBusy }

func (e *BusyError) Error() string {
	if e.Move == "" {
		return "table: " + e.Character + " is busy"
	}
	return "table: " + e.Character + " is in the open move " + e.Move
}

// AnsweredError says that somebody else has already answered the question.
type AnsweredError struct {
	Question string
	By       string // id of the seat
	Name     string // its name
}

func (*AnsweredError) Code() string { return CodeAnswered }

func (e *AnsweredError) Error() string { return "table: " + e.Question + " was answered by " + e.By }

// KeyReusedError says that the seat has already used the key for another request.
type KeyReusedError struct {
	Key string
	Seq uint64 // of the entry that was written with the key
}

func (*KeyReusedError) Code() string { return CodeKeyReused }

func (e *KeyReusedError) Error() string {
	return "table: the key " + strconv.Quote(e.Key) + " was used for another request, entry " +
		strconv.FormatUint(e.Seq, 10)
}

// ConflictError says that others wrote at the same time, again and again. The client can try again.
type ConflictError struct{}

func (*ConflictError) Code() string { return CodeConflict }

func (*ConflictError) Error() string { return "table: others keep writing at the same time" }

// ChangedError says that norn would fill in a move's form otherwise now than the page showed it.
type ChangedError struct {
	Fields []string // names of those fields
	Called bool     // because a game master has asked for the move, or no longer does
}

func (*ChangedError) Code() string { return CodeConflict }

func (e *ChangedError) Error() string {
	return "table: what norn fills in has changed: " + strings.Join(e.Fields, ", ")
}

// UnavailableError says that the journal couldn't be reached, or not in time. The entry may have
// been written or not: a request with the same key finds out.
type UnavailableError struct{ Err error }

func (*UnavailableError) Code() string { return CodeUnavailable }

func (e *UnavailableError) Error() string { return "table: not available now: " + e.Err.Error() }

func (e *UnavailableError) Unwrap() error { return e.Err }

// Unwritable reports whether an *UnavailableError lasts until an operator fixes the storage: it is
// full or read-only.
func Unwritable(err error) bool {
	gone, ok := errors.AsType[*journal.UnavailableError](err)
	return ok && gone.Unwritable
}

// UnreadableError says that this norn can't read an entry of the table. The table stays closed and
// unchanged.
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

// Newer reports whether the entry is of a newer norn or of one with other games; otherwise it's
// damaged.
func (e *UnreadableError) Newer() bool {
	return errors.As(e.Err, new(*game.UnknownEventError)) || errors.As(e.Err, new(*unknownError))
}

// Game returns the id of the table's game if this norn doesn't have it, otherwise "".
func (e *UnreadableError) Game() string {
	unknown, ok := errors.AsType[*unknownError](e.Err)
	if !ok {
		return ""
	}
	return unknown.game
}

// unknownError names something that a newer norn, or one with other games, may know.
type unknownError struct{ text, game string }

func (e *unknownError) Error() string { return e.text }

// Unknown returns an error about something that this norn doesn't know.
func Unknown(text string, about ...any) error {
	return &unknownError{text: fmt.Sprintf(text, about...)}
}

// UnknownGame returns an error about a table's game that this norn doesn't have.
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

// TooOftenError says that the seat has made too many requests in a short time.
type TooOftenError struct{ After time.Duration } // when to try again, above zero

func (*TooOftenError) Code() string { return CodeTooOften }

func (e *TooOftenError) Error() string { return "table: too often; again in " + e.After.String() }

// Limited returns the name of the limit and when to try again.
func (e *TooOftenError) Limited() (limit string, after time.Duration) { return "writes", e.After }

// Seconds returns After in whole seconds, rounded up.
func (e *TooOftenError) Seconds() int { return int((e.After + time.Second - 1) / time.Second) }

// LaterError says that something can't be undone because later entries depend on it. Entries that
// the seat may not see are left out.
type LaterError struct{ Later []Later }

// Later is an entry that depends on an earlier one.
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

// Refuse returns a refusal by a rule of the table itself.
func Refuse(word string, about map[string]any) error {
	return &RefusedError{&game.Refusal{Word: "table.refusal." + word, Data: about}}
}

// Unavailable turns an error of the journal into one of this package, for a table that was read up
// to seq.
func Unavailable(table string, seq uint64, err error) error {
	if errors.As(err, new(*journal.CorruptError)) {
		return &UnreadableError{Table: table, Seq: seq, Err: err}
	}
	return &UnavailableError{err}
}

// Invalid returns an error with one problem.
func Invalid(path, code string, change ...func(*form.Problem)) error {
	p := form.Problem{Path: path, Code: code}
	for _, f := range change {
		f(&p)
	}
	return &InvalidError{Problems: form.Problems{p}}
}

// Within turns an error of a form or a rule about one part of a request into an error of this
// package. Paths get the part's name as prefix.
func Within(part string, err error) error {
	if err == nil { // first, since AsRefusal allocates
		return nil
	}
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

// NoChoice returns the problem of a value that isn't among those allowed.
func NoChoice(path, given string, allowed []string) error {
	return Invalid(path, form.NoChoice, func(p *form.Problem) { p.Given, p.Allowed = Brief(given), allowed })
}

// Brief shortens what a client sent, so that a message can show it.
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

// Split separates the problems of one part of a request from the rest. Their paths lose the part's
// name.
func Split(err error, part string) (own, rest form.Problems) {
	invalid, ok := errors.AsType[*InvalidError](err)
	if !ok {
		return nil, nil
	}
	return Cut(invalid.Problems, part)
}

// Cut does the same as Split, for problems.
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

// IsRefusal reports whether the request itself couldn't be done: norn didn't fail, and the seat is
// still valid.
func IsRefusal(err error) bool {
	why, ok := errors.AsType[Error](err)
	return ok && !slices.Contains([]string{CodeNotFound, CodeUnavailable, CodeUnreadable}, why.Code())
}

// IsGone reports whether the table doesn't exist, or the seat was revoked.
func IsGone(err error) bool {
	return errors.As(err, new(*NotFoundError))
}
