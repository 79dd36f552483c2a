// Package game says what a game is: kinds of sheets, moves, events, settings,
// refusals, and who may see what. A game is a value of type Game, built once
// at start-up from typed parts; everything else in norn reads games only
// through it and knows none by name.
//
// Promised: sheets, arguments and settings are values; a change returns a new
// sheet and leaves the old one as it was. Applying an event can't fail. What a
// viewer may see is decided by the game's own view, and what it doesn't name
// isn't shown.
//
// The package imports dice, form, lang, rule and widget; never a game, the
// table or a driver. It starts no goroutine.
package game
