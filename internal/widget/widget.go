// Package widget contains the components that games' sheets and norn's pages share: tracks, dice,
// outcomes, odds, values of a sheet. A widget is a value that a game or the table's page fills, and
// a component that draws it without knowing any game.
//
// Widgets have no style or script of their own, only classes. Sizes that depend on data are SVG
// attributes, so a page may forbid inline styles.
//
// Of norn it imports form, game, for the plain values that a game provides, and lang.
package widget

import (
	"embed"

	"github.com/a-h/templ"
)

// Words holds the texts of the widgets; their ids begin with “page.”.
//
//go:embed words/*.toml
var Words embed.FS

// Component is a piece of a page.
type Component = templ.Component
