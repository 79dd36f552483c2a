package form

import "embed"

// Words holds the texts of the problems by language, from words/en.toml and the other files there.
//
//go:embed words/*.toml
var Words embed.FS
