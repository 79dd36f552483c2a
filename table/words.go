package table

import (
	"embed"
)

// Words are the table's texts: words/en.toml and its fellows.
//
//go:embed words/*.toml
var Words embed.FS
