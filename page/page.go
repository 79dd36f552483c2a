// Package page holds the parts that pages of different games share: tracks,
// dice, outcomes, odds. A part is a value that a game or the table's page fills
// and a component that draws it, without knowing any game.
//
// Parts carry no style and no script of their own, only classes; sizes that
// depend on data are SVG attributes, so a page may forbid inline style.
//
// Of norn it imports game, for the plain values that a game gives, and lang.
package page

import (
	"embed"

	"github.com/a-h/templ"
)

// Words are the texts of the parts.
//
//go:embed words/*.toml
var Words embed.FS

// Component is a piece of a page.
type Component = templ.Component
