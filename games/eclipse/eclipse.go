// Package eclipse implements the rules of the second edition of Eclipse Phase: tests by d100,
// pools, opposed tests, tasks and recharges. Code is marked with the id of its rule, EP-01 … EP-24.
//
// A percentile throw is one die of a hundred sides, typed as 1 to 100. 100 is the throw that dice
// show as 00, and counts as zero. EP-01
//
// The rules are pure: they read their arguments, the sheets of their cast and the settings, throw
// and ask through a rule.Run, and record what changed. The package imports no other game and has no
// access to clock, files, network, context or its own randomness.
package eclipse

import (
	"norn/game"
)

// New returns the game Eclipse Phase.
func New() *game.Game {
	return game.Ready(&game.Game{
		ID: "eclipse", Edition: 5,
		Rules: game.RuleIDs("EP", 24),
		Chapters: []game.Chapter{
			game.ChapterOf("dice", "EP", 1, 2, 3),
			game.ChapterOf("test", "EP", 4, 5, 6, 7, 8, 9, 19),
			game.ChapterOf("results", "EP", 10, 11, 12, 13, 14),
			game.ChapterOf("default", "EP", 15, 16),
			game.ChapterOf("together", "EP", 17, 18),
			game.ChapterOf("pools", "EP", 20, 21, 22, 23, 24),
		},
		Kinds: []game.Kind{
			game.KindOf(
				"character",
				true,
				Character{},
				Character.check,
			).With(
				game.Kind{Tracks: castTracks, Sheet: characterSheet},
			),
			game.KindOf("npc", false, NPC{}, NPC.check).With(game.Kind{Tracks: castTracks, Sheet: npcSheet}),
			game.KindOf(
				"task",
				true,
				Task{Timeframe: 1, Unit: "hours", State: "open"},
				nil,
			).With(
				game.Kind{Thing: true, Scene: true, Tracks: tracksOf, Sheet: taskSheet},
			),
		},
		Moves: []game.Move{
			testMove, opposedMove, routineMove, initiativeMove, turnMove, damageMove,
			taskMove, interruptMove, resumeMove, finishMove,
			boonMove, shortMove, longMove, newDayMove, settleMove, effectsMove, pointMove, waiveMove,
		},
		Events:   eventTypes,
		Settings: game.SettingsOf(standard).Renaming(askEffects),
		View:     view,
		Going:    turnOrder,
		Words:    wordFiles,
		Emblem:   emblem,
		Between:  between,
	})
}
