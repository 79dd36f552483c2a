package foreign

import "embed"

// Words holds the texts of proposals by language.
//
//go:embed words/*.toml
var Words embed.FS
