// Package spire implements the rules of Spire: checks, stress, fallout, NPCs and bonds. Code is
// marked with the id of its rule, SP-01 … SP-32.
//
// The rules are pure: they read their arguments, the sheets of their cast and the settings, throw
// and ask through a rule.Run, and record what changed. The package imports no other game and has no
// access to clock, files, network, context or its own randomness.
package spire

import (
	"norn/game"
)

// New returns the game Spire.
func New() *game.Game {
	return game.Ready(&game.Game{
		ID: "spire", Edition: 5,
		Rules: game.RuleIDs("SP", 32),
		Chapters: []game.Chapter{
			game.ChapterOf("check", "SP", 1, 2, 3, 4, 5, 6, 7, 29),
			game.ChapterOf("together", "SP", 8, 9),
			game.ChapterOf("stress", "SP", 10, 11, 12, 13, 28),
			game.ChapterOf("fallout", "SP", 14, 15, 16, 17, 18, 19, 20, 21, 22, 31, 32),
			game.ChapterOf("recovery", "SP", 23, 24, 25, 30),
			game.ChapterOf("others", "SP", 26, 27),
		},
		Kinds: []game.Kind{
			game.KindOf("character", true, Character{}, nil).With(game.Kind{Tracks: tracksOf, Sheet: characterSheet}),
			game.KindOf(
				"npc",
				false,
				NPC{Resistance: 5, Die: "d6"},
				nil,
			).With(
				game.Kind{Tracks: tracksOf, Sheet: npcSheet, State: npcState},
			),
		},
		Moves: []game.Move{
			checkMove, groupMove, noRollMove, stressMove, falloutMove, fixMove, healMove,
			careMove, lieLowMove, actMove, refreshMove, harmMove, bonusMove, endingMove, bondMove, dayMove,
		},
		Events:   eventTypes,
		Settings: game.SettingsOf(standard),
		View:     view,
		Words:    wordFiles,
		Emblem:   emblem,
		Between:  between,
		Examples: []string{
			"rules spire", "rules spire SP-05",
			"odds spire check --skill --domain --difficulty 1", "odds spire stress --die d8 --critical --json",
			"odds spire check --skill --compare difficulty=0,1,2",
			`odds spire check --compare "--skill --mastery" --compare "--skill --domain"`,
			"roll spire check --skill --difficulty 1", "roll spire check skill, difficulty 1",
			"roll spire check --skill --dice 3,10",
		},
	})
}
