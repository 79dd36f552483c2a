package form

import "embed"

// Words are the texts of the problems, by language: words/en.toml and its fellows.
//
//go:embed words/*.toml
var Words embed.FS
