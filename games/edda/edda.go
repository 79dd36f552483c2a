// Package edda implements the rules of the Christmas Edda: actions and contests with special
// efforts, help and joint work, conditions, memories, the weakness, experience, miracles and
// oblivion. Code is marked with the id of its rule, ED-01 … ED-23.
//
// The central part of the game is the question during a throw: the special effort is offered after
// the dice are thrown, and until it's answered the rules record nothing that reveals the verdict.
// ED-15
//
// The rules are pure: they read their arguments, the sheets of their cast and the settings, throw
// and ask through a rule.Run, and record what changed. The package imports no other game and has no
// access to clock, files, network, context or its own randomness.
package edda

import (
	"norn/game"
)

// New returns the game Christmas Edda.
func New() *game.Game {
	return game.Ready(&game.Game{
		ID: "edda", Edition: 4, Count: count,
		Rules: game.RuleIDs("ED", 23),
		Chapters: []game.Chapter{
			game.ChapterOf("action", "ED", 1, 2, 3, 4, 5, 6, 7),
			game.ChapterOf("together", "ED", 8, 9),
			game.ChapterOf("conditions", "ED", 10, 11, 12, 13),
			game.ChapterOf("memories", "ED", 14, 15, 16),
			game.ChapterOf("growth", "ED", 17, 18, 19, 20),
			game.ChapterOf("miracles", "ED", 21, 22, 23),
		},
		Kinds: []game.Kind{
			game.KindOf(
				"hero",
				true,
				Hero{Weakness: Weakness{Marks: 1}},
				checkHero,
			).With(
				game.Kind{Tracks: tracksOf, Sheet: heroSheet, State: stateOf},
			),
			game.KindOf(
				"fated",
				false,
				Fated{Dice: 3},
				nil,
			).With(
				game.Kind{Tracks: tracksOf, Sheet: fatedSheet, State: stateOf},
			),
		},
		Moves: []game.Move{
			actMove, contestMove, helpMove, jointMove, prepareMove, mendMove, rememberMove, rethinkMove, spendMove,
			setMove, endMove, afflictMove, liftMove,
		},
		Events:   eventTypes,
		Settings: game.SettingsOf(Settings{Stakes: "players"}),
		View:     view,
		Words:    wordFiles,
		Emblem:   emblem,
		Between:  between,
		Examples: []string{
			"odds edda act --complexity 2 --best succeed",
			"odds edda act --complexity 2 --choose effort=condition",
		},
	})
}
