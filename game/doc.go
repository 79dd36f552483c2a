// Package game defines what a game is: kinds of sheets, moves, events, settings, refusals, and who
// may see what. A game is a value of type Game, built once at start-up from typed parts. The rest
// of norn knows games only through this type and none by name.
//
// Sheets, arguments and settings are values: a change returns a new sheet and leaves the old one
// unchanged. Applying an event can't fail. The game's View decides what a viewer may see; fields
// tagged secret are hidden without it.
//
// The package imports dice, form, lang and rule; never a game, the table or a driver.
// It starts no goroutine.
package game
