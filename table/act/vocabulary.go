package act

import (
	"norn/game"
	"norn/table/internal/ledger"
	"norn/table/view"
)

// typeOf returns the event type of an act; upcasts read its older versions.
func typeOf[A act](upcasts ...func(map[string]any) map[string]any) game.EventType {
	return game.EventOf[A](upcasts...)
}

// Vocabulary lists the kinds of entries, except moves and answers, whose events belong to the game.
var Vocabulary = ledger.NewVocabulary(map[string]ledger.Kind{
	view.KindOpened: {
		Acts: ledger.Types{typeOf[tableOpened]()},
		With: ledger.Types{typeOf[DiceSealed](), typeOf[SeatAdded]()},
	},
	view.KindSeat: {Acts: ledger.Types{
		typeOf[SeatAdded](), typeOf[seatRenamed](), typeOf[seatRevoked](),
		typeOf[SeatRenewed](),
	}},
	view.KindRecovery: {
		Acts:  ledger.Types{typeOf[codeMade](), typeOf[codeRemoved](), typeOf[SeatRecovered]()},
		Apart: true,
	},
	view.KindCharacter: {
		Acts: ledger.Types{
			typeOf[characterAdded](), typeOf[characterCopied](), typeOf[characterImported](),
			typeOf[CharacterChanged](), typeOf[characterRemoved](asItIs), typeOf[characterShown](),
		}, Apart: true,
		Story: true, Yields: true,
	},
	view.KindSettings: {
		Acts:  ledger.Types{typeOf[settingsChanged](), typeOf[roomLinked](), typeOf[readingChosen]()},
		Story: true,
	},
	view.KindShown:   {Acts: ledger.Types{typeOf[moveShown]()}},
	view.KindShare:   {Acts: ledger.Types{typeOf[ShareAdded]()}},
	view.KindSession: {Acts: ledger.Types{typeOf[SessionEnded]()}, With: ledger.Types{typeOf[DiceSealed]()}},
	view.KindPlanned: {Acts: ledger.Types{typeOf[sessionPlanned]()}},
	view.KindCall:    {Acts: ledger.Types{typeOf[moveCalled](), typeOf[callWithdrawn]()}, Apart: true},
	view.KindNote:    {Acts: ledger.Types{typeOf[noteKept]()}},
	view.KindClock: {
		Acts:  ledger.Types{typeOf[clockSet](), typeOf[clockTicked](), typeOf[clockRemoved]()},
		Apart: true,
	},
	view.KindScene: {
		Acts:  ledger.Types{typeOf[scenePrepared](), typeOf[sceneRemoved](), typeOf[sceneSet]()},
		Apart: true, Story: true,
	},
	view.KindList: {Acts: ledger.Types{typeOf[listSet](), typeOf[listRemoved]()}, Apart: true},
	view.KindStar: {Acts: ledger.Types{typeOf[moveStarred]()}, Apart: true},
	view.KindImported: {
		Acts: ledger.Types{typeOf[tableImported]()}, With: ledger.Types{typeOf[DiceSealed]()},
		Nobody: true,
	},
	view.KindRestored:  {Acts: ledger.Types{typeOf[SeatRestored]()}, Nobody: true},
	view.KindUndone:    {Acts: ledger.Types{typeOf[moveUndone](), typeOf[changeUndone]()}, Yields: true},
	view.KindCancelled: {Acts: ledger.Types{typeOf[moveCancelled]()}},
	view.KindTalk:      {Acts: ledger.Types{typeOf[talkSaid]()}, Whisper: true, Story: true},
	view.KindAttached:  {Acts: ledger.Types{typeOf[attachmentAdded]()}, Silent: true},
	view.KindPortrait:  {Acts: ledger.Types{typeOf[portraitSet]()}, Apart: true},
	view.KindPicture:   {Acts: ledger.Types{typeOf[pictureShown](), typeOf[pictureHidden]()}, Apart: true, Story: true},
	view.KindHandout:   {Acts: ledger.Types{typeOf[noteShared](), typeOf[noteHidden]()}, Apart: true, Story: true},
	view.KindX:         {Acts: ledger.Types{typeOf[xRaised]()}, Nobody: true},
	view.KindXSeconded: {Acts: ledger.Types{typeOf[xSeconded]()}, Nobody: true, Silent: true},
	view.KindXBack:     {Acts: ledger.Types{typeOf[xTakenBack]()}, Nobody: true},
	view.KindXAway:     {Acts: ledger.Types{typeOf[xPutAway]()}},
	view.KindDeletion:  {Acts: ledger.Types{typeOf[tableDeleted](), typeOf[tableCalledBack]()}},
	view.KindBlanked:   {Acts: ledger.Types{typeOf[seatBlanked]()}},
	view.KindEdition:   {Acts: ledger.Types{typeOf[editionTaken]()}, Yields: true},
})

func asItIs(old map[string]any) map[string]any { return old }
