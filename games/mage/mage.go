// Package mage implements the Storyteller rules of Mage: pools of d10 against a difficulty,
// thresholds, several actions in a turn, retries, extended and resisted actions, teamwork and the
// clock. Code is marked with the id of its rule, MG-01 … MG-40.
//
// The rules are pure: they read their arguments, the sheets of their cast and the settings, throw
// and ask through a rule.Run, and record what changed. The package imports no other game and has no
// access to clock, files, network, context or its own randomness. The clock of MG-30 is part of the
// sheets and advances only by a move of the Storyteller's.
package mage

import (
	"norn/form"
	"norn/game"
)

// New returns the game Mage.
func New() *game.Game {
	return game.Ready(&game.Game{
		ID: "mage", Edition: 4,
		Rules: []string{
			"MG-01", "MG-02", "MG-03", "MG-04", "MG-05", "MG-06", "MG-07", "MG-08", "MG-09", "MG-10", "MG-11", "MG-12",
			"MG-13", "MG-14", "MG-15", "MG-16", "MG-20", "MG-21", "MG-30", "MG-31", "MG-32", "MG-33", "MG-40",
		},
		Chapters: []game.Chapter{
			game.ChapterOf("pools", "MG", 1, 2),
			game.ChapterOf("rolling", "MG", 3, 4, 5, 6, 7, 8, 31, 40, 32),
			game.ChapterOf("turns", "MG", 9, 10, 11, 30),
			game.ChapterOf("tries", "MG", 12, 13),
			game.ChapterOf("together", "MG", 14, 15, 16, 33),
			game.ChapterOf("threshold", "MG", 20, 21),
		},
		Kinds: []game.Kind{
			game.KindOf(
				"character",
				true,
				form.Blank[Character](),
				nil,
			).With(
				game.Kind{Tracks: tracksOf, Sheet: characterSheet, Reserved: storytellers},
			),
			game.KindOf("npc", false, form.Blank[NPC](), nil).With(game.Kind{Tracks: tracksOf, Sheet: npcSheet}),
			game.KindOf(
				"extended",
				true,
				form.Blank[Extended](),
				nil,
			).With(
				game.Kind{Thing: true, Scene: true, Tracks: tracksOf, Sheet: extendedSheet},
			),
		},
		Moves: []game.Move{
			rollMove, resistedMove, extendedMove, teamMove, declareMove, multiMove, automaticMove, recordMove,
			spendMove, gainMove, areteMove, retryMove, clockMove, recoverMove, waiveMove,
			forgiveMove,
		},
		Events:   eventTypes,
		Settings: game.SettingsOf(standard),
		View:     view,
		Going:    timeOf,
		Words:    wordFiles,
		Emblem:   emblem,
		Between:  between,
	})
}
