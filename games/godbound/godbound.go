// Package godbound is the game Godbound by its rules: checks and saves,
// fights with rounds, Effort, gifts and miracles, Dominion and changes to the
// world. Every rule carries its id, GB-01 … GB-30, where it's written.
//
// The rules are pure: they read their arguments, the sheets of their cast and
// the settings, throw and ask through a rule.Run, and tell what changed. The
// package imports no other game and nothing that reaches outside: no clock,
// file, network, context or randomness of its own.
package godbound

import (
	"norn/form"
	"norn/game"
)

// New is Godbound.
func New() *game.Game {
	return game.Ready(&game.Game{
		ID: "godbound", Edition: 2,
		Rules: game.RuleIDs("GB", 30),
		Kinds: []game.Kind{heroKind(), mortalKind(), foeKind(), fightKind(), projectKind()},
		Moves: []game.Move{
			checkMove, saveMove, attackMove, frayMove, giftMove, miracleMove, zoneMove, dispelMove, furyMove, actMove,
			strikeMove, powerMove, moraleMove, damageMove, forecastMove,
			beginMove, joinMove, nextMove, endMove,
			commitMove, releaseMove, healMove, askMove, restMove, sceneMove, dawnMove,
			sessionMove, adventureMove, levelMove, monthMove, workMove, closeMove,
		},
		Events:   eventTypes,
		Settings: game.SettingsOf(standard),
		View:     view,
		Words:    wordFiles,
	})
}

func heroKind() game.Kind {
	k := game.KindOf("hero", true, blank[Hero](), checkHero)
	k.Tracks, k.Sheet, k.State = tracksOf, heroSheet, stateOf
	return k
}

// mortalKind are heroes without Effort: on the same sheet, without what only a
// Godbound has. GB-19
func mortalKind() game.Kind {
	mortal := blank[Hero]()
	mortal.Fray = ""
	k := game.KindOf("mortal", true, mortal, checkMortal)
	k.Form = k.Form.Without(
		"fray", "words", "gifts", "effort", "fury-level", "guard", "guard-point", "works", "influence", "dominion", "divinity", "cult",
	)
	k.Tracks, k.Sheet, k.State = mortalTracks, mortalSheet, stateOf
	return k
}

func foeKind() game.Kind {
	k := game.KindOf("foe", false, blank[Foe](), checkFoe)
	k.Tracks, k.Sheet, k.State = tracksOf, foeSheet, stateOf
	return k
}

func fightKind() game.Kind {
	k := game.KindOf("fight", false, blank[Fight](), nil)
	k.Thing, k.Tracks, k.Sheet = true, tracksOf, fightSheet
	return k
}

func projectKind() game.Kind {
	k := game.KindOf("project", true, blank[Project](), nil)
	k.Thing, k.Tracks, k.Sheet = true, tracksOf, projectSheet
	k.Reserved, k.Frees = mastered, freesInfluence
	return k
}

// blank is a sheet on which nothing was changed yet.
func blank[S any]() S {
	var s S
	form.Of[S]().Defaults(&s)
	return s
}
