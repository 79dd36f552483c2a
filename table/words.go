package table

import (
	"embed"
)

// Words has the table's texts: words/en.toml and the other languages.
//
//go:embed words/*.toml
var Words embed.FS
