// Package edda is the Christmas Edda by its rules: actions and contests with
// special efforts, help and joint work, conditions, memories, the weakness,
// experience, miracles and oblivion. Every rule carries its id, ED-01 … ED-23,
// where it's written.
//
// The game lives from the question in the middle of a throw: the special
// effort is asked after the dice lie, and until it's answered the rules tell
// nothing that gives the verdict away. ED-15
//
// The rules are pure: they read their arguments, the sheets of their cast and
// the settings, throw and ask through a rule.Run, and tell what changed. The
// package imports no other game and nothing that reaches outside: no clock,
// file, network, context or randomness of its own.
package edda

import (
	"norn/game"
)

// New is the Christmas Edda.
func New() *game.Game {
	return game.Ready(&game.Game{
		ID: "edda", Edition: 3,
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
		Examples: []string{
			"odds edda act --complexity 2 --best succeed",
			"odds edda act --complexity 2 --choose effort=condition",
		},
	})
}
