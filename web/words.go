package web

import "embed"

// Words are the texts of the pages.
//
//go:embed words/*.toml
var Words embed.FS
