package web

import "embed"

// Words has the texts of the pages.
//
//go:embed words/*.toml
var Words embed.FS
