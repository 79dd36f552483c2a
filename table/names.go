package table

import (
	"norn/table/internal/ledger"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/verify"
	"norn/table/view"
)

const (
	All              = request.All
	CodeAnswered     = refusal.CodeAnswered
	CodeBusy         = refusal.CodeBusy
	CodeConflict     = refusal.CodeConflict
	CodeForbidden    = refusal.CodeForbidden
	CodeInvalid      = refusal.CodeInvalid
	CodeKeyReused    = refusal.CodeKeyReused
	CodeLater        = refusal.CodeLater
	CodeNotFound     = refusal.CodeNotFound
	CodeRefused      = refusal.CodeRefused
	CodeTooMany      = refusal.CodeTooMany
	CodeUnavailable  = refusal.CodeUnavailable
	CodeUnreadable   = refusal.CodeUnreadable
	KindAnswer       = view.KindAnswer
	KindCall         = view.KindCall
	KindCancelled    = view.KindCancelled
	KindCharacter    = view.KindCharacter
	KindEdition      = view.KindEdition
	KindImported     = view.KindImported
	KindMove         = view.KindMove
	KindNote         = view.KindNote
	KindOpened       = view.KindOpened
	KindRestored     = view.KindRestored
	KindSeat         = view.KindSeat
	KindSession      = view.KindSession
	KindSettings     = view.KindSettings
	KindShare        = view.KindShare
	KindShown        = view.KindShown
	KindStar         = view.KindStar
	KindTalk         = view.KindTalk
	KindUndone       = view.KindUndone
	MaxCalls         = request.MaxCalls
	MaxCharacters    = request.MaxCharacters
	MaxNote          = request.MaxNote
	MaxNotes         = request.MaxNotes
	MaxSeats         = request.MaxSeats
	MaxShare         = request.MaxShare
	MaxSheet         = request.MaxSheet
	MaxSheets        = request.MaxSheets
	MaxTalk          = request.MaxTalk
	Mine             = request.Mine
	MisfitCast       = refusal.MisfitCast
	MisfitEdition    = refusal.MisfitEdition
	MisfitEnd        = refusal.MisfitEnd
	MisfitEvents     = refusal.MisfitEvents
	MisfitFace       = refusal.MisfitFace
	MisfitHand       = refusal.MisfitHand
	MisfitHeader     = refusal.MisfitHeader
	MisfitID         = refusal.MisfitID
	MisfitLuck       = refusal.MisfitLuck
	MisfitMissing    = refusal.MisfitMissing
	MisfitOpen       = refusal.MisfitOpen
	MisfitOutcome    = refusal.MisfitOutcome
	MisfitQuestions  = refusal.MisfitQuestions
	MisfitRefused    = refusal.MisfitRefused
	MisfitRule       = refusal.MisfitRule
	MisfitSeat       = refusal.MisfitSeat
	MisfitShares     = refusal.MisfitShares
	MisfitUnreadable = refusal.MisfitUnreadable
	MostEntries      = request.MostEntries
	MostThrows       = view.MostThrows
	MostTouches      = view.MostTouches
	Searches         = request.Searches
	Talks            = request.Talks
	Throws           = request.Throws
)

type (
	Advice           = view.Advice
	AnsweredError    = refusal.AnsweredError
	Arriving         = verify.Arriving
	Asked            = view.Asked
	Author           = view.Author
	Before           = view.Before
	BusyError        = refusal.BusyError
	Call             = request.Call
	CallShown        = view.CallShown
	Change           = request.Change
	CharacterShown   = view.CharacterShown
	Check            = view.Check
	Choices          = request.Choices
	Compared         = view.Compared
	ConflictError    = refusal.ConflictError
	Created          = view.Created
	Entries          = ledger.Entries
	Entry            = view.Entry
	ForbiddenError   = refusal.ForbiddenError
	Found            = view.Found
	InvalidError     = refusal.InvalidError
	Invitation       = view.Invitation
	KeyReusedError   = refusal.KeyReusedError
	Later            = refusal.Later
	LaterError       = refusal.LaterError
	Line             = view.Line
	Luck             = view.Luck
	Made             = view.Made
	MisfitError      = refusal.MisfitError
	MoveLuck         = view.MoveLuck
	MoveShown        = view.MoveShown
	NewCharacter     = request.NewCharacter
	NewSeatRequest   = request.NewSeat
	NewTable         = request.NewTable
	NotFoundError    = refusal.NotFoundError
	NoteShown        = view.NoteShown
	Older            = verify.Older
	Outcome          = view.Outcome
	Part             = request.Part
	Put              = request.Put
	Question         = view.Question
	Refusal          = refusal.Error
	RefusedError     = refusal.RefusedError
	Reply            = request.Answer
	Request          = request.Move
	Search           = request.Search
	SeatLuck         = view.SeatLuck
	SeatShown        = view.SeatShown
	Session          = view.Session
	Share            = view.Share
	SheetForm        = view.SheetForm
	Stranded         = view.Stranded
	Talk             = request.Talk
	Tally            = view.Tally
	Telling          = request.Telling
	Throw            = view.Throw
	TooManyError     = refusal.TooManyError
	Turned           = view.Turned
	UnavailableError = refusal.UnavailableError
	Undone           = view.Undone
	UnreadableError  = refusal.UnreadableError
	Update           = view.Update
	Verified         = verify.Result
	View             = view.View
	Waiting          = view.Waiting
)

var (
	Arrive     = verify.Arrive
	Codes      = refusal.Codes
	Say        = refusal.Say
	Several    = view.Several
	Unwritable = refusal.Unwritable
	Verify     = verify.File
)
