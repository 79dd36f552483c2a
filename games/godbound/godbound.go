// Package godbound implements the rules of Godbound: checks and saves, fights in rounds, Effort,
// gifts and miracles, Dominion and changes to the world. Code is marked with the id of its rule,
// GB-01 … GB-30.
//
// The rules are pure: they read their arguments, the sheets of their cast and the settings, throw
// and ask through a rule.Run, and record what changed. The package imports no other game and has no
// access to clock, files, network, context or its own randomness.
package godbound

import (
	"norn/form"
	"norn/game"
)

// New returns the game Godbound.
func New() *game.Game {
	return game.Ready(&game.Game{
		ID: "godbound", Edition: 4,
		Rules: game.RuleIDs("GB", 30),
		Chapters: []game.Chapter{
			game.ChapterOf("rounds", "GB", 1, 2, 3, 4, 5),
			game.ChapterOf("checks", "GB", 6, 7, 8, 29),
			game.ChapterOf("fight", "GB", 9, 10, 11, 12, 13, 14, 27, 30),
			game.ChapterOf("down", "GB", 15, 16, 17),
			game.ChapterOf("rest", "GB", 18, 19, 20, 28),
			game.ChapterOf("gifts", "GB", 21, 22, 23),
			game.ChapterOf("world", "GB", 24, 25, 26),
		},
		Kinds: []game.Kind{
			game.KindOf(
				"hero",
				true,
				form.Blank[Hero](),
				checkHero,
			).With(
				game.Kind{Tracks: tracksOf, Sheet: heroSheet, State: stateOf},
			),
			mortalKind(),
			game.KindOf(
				"foe",
				false,
				form.Blank[Foe](),
				checkFoe,
			).With(
				game.Kind{Tracks: tracksOf, Sheet: foeSheet, State: stateOf},
			),
			game.KindOf(
				"fight",
				false,
				form.Blank[Fight](),
				nil,
			).With(
				game.Kind{Thing: true, Scene: true, Tracks: tracksOf, Sheet: fightSheet},
			),
			game.KindOf("project", true, form.Blank[Project](), nil).With(game.Kind{
				Thing: true, Scene: true, Tracks: tracksOf, Sheet: projectSheet, Reserved: mastered,
				Frees: freesInfluence,
			}),
		},
		Moves: []game.Move{
			checkMove, saveMove, attackMove, frayMove, giftMove, miracleMove, zoneMove, dispelMove, furyMove, actMove,
			strikeMove, powerMove, moraleMove, damageMove, forecastMove,
			beginMove, joinMove, nextMove, endMove, doomMove,
			commitMove, releaseMove, healMove, askMove, restMove, sceneMove, dawnMove,
			sessionMove, adventureMove, levelMove, monthMove, workMove, closeMove,
		},
		Events:   eventTypes,
		Settings: game.SettingsOf(standard),
		View:     view,
		Going:    fightsOn,
		Words:    wordFiles,
		Emblem:   emblem,
		Between:  between,
	})
}

// mortalKind returns the kind of heroes without Effort, who have the same sheet without what only a
// Godbound has. GB-19
func mortalKind() game.Kind {
	mortal := form.Blank[Hero]()
	mortal.Fray = ""
	k := game.KindOf("mortal", true, mortal, checkMortal)
	k.Form = k.Form.Without(
		"fray",
		"words",
		"gifts",
		"effort",
		"fury-level",
		"guard",
		"guard-point",
		"works",
		"influence",
		"dominion",
		"divinity",
		"cult",
	)
	k.Tracks, k.Sheet, k.State = mortalTracks, mortalSheet, stateOf
	return k
}
