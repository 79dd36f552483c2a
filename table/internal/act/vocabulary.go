package act

import (
	"norn/game"
	"norn/table/internal/ledger"
	"norn/table/view"
)

// of is a type of acts; upcasts read what was written of it before.
func of[A act](upcasts ...func(map[string]any) map[string]any) game.EventType {
	return game.EventOf[A](upcasts...)
}

// Vocabulary are the kinds of entries, but for moves and answers, whose events are the game's.
var Vocabulary = ledger.NewVocabulary(map[string]ledger.Kind{
	view.KindOpened:    {Acts: ledger.Types{of[opened]()}, With: ledger.Types{of[DiceSealed](), of[SeatAdded]()}},
	view.KindSeat:      {Acts: ledger.Types{of[SeatAdded](), of[seatRenamed](), of[seatRevoked](), of[SeatRenewed]()}},
	view.KindCharacter: {Acts: ledger.Types{of[characterAdded](), of[characterCopied](), of[CharacterChanged](), of[characterRemoved](asItIs), of[characterShown]()}, Apart: true, Story: true, Yields: true},
	view.KindSettings:  {Acts: ledger.Types{of[settingsChanged]()}, Story: true},
	view.KindShown:     {Acts: ledger.Types{of[moveShown]()}},
	view.KindShare:     {Acts: ledger.Types{of[ShareAdded]()}},
	view.KindSession:   {Acts: ledger.Types{of[SessionEnded]()}, With: ledger.Types{of[DiceSealed]()}},
	view.KindPlanned:   {Acts: ledger.Types{of[sessionPlanned]()}},
	view.KindCall:      {Acts: ledger.Types{of[moveCalled](), of[callWithdrawn]()}, Apart: true},
	view.KindNote:      {Acts: ledger.Types{of[noteKept]()}},
	view.KindStar:      {Acts: ledger.Types{of[moveStarred]()}, Apart: true},
	view.KindImported:  {Acts: ledger.Types{of[tableImported]()}, With: ledger.Types{of[DiceSealed]()}, Nobody: true},
	view.KindRestored:  {Acts: ledger.Types{of[SeatRestored]()}, Nobody: true},
	view.KindUndone:    {Acts: ledger.Types{of[moveUndone](), of[changeUndone]()}, Yields: true},
	view.KindCancelled: {Acts: ledger.Types{of[moveCancelled]()}},
	view.KindTalk:      {Acts: ledger.Types{of[talkSaid]()}, Whisper: true, Story: true},
	view.KindAttached:  {Acts: ledger.Types{of[attached]()}, Silent: true},
	view.KindPortrait:  {Acts: ledger.Types{of[portraitSet]()}, Apart: true},
	view.KindPicture:   {Acts: ledger.Types{of[pictureShown](), of[pictureTaken]()}, Apart: true, Story: true},
	view.KindHandout:   {Acts: ledger.Types{of[noteShared](), of[noteHidden]()}, Apart: true},
	view.KindX:         {Acts: ledger.Types{of[xRaised]()}, Nobody: true},
	view.KindXAway:     {Acts: ledger.Types{of[xPutAway]()}},
	view.KindEdition:   {Acts: ledger.Types{of[editionTaken]()}, Yields: true},
})

func asItIs(old map[string]any) map[string]any { return old }
