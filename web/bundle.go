package web

import (
	"embed"
	"io/fs"
)

// dist is built by `make bundle`; without it there is only a placeholder, and pages are unstyled.
//
//go:embed dist
var dist embed.FS

// Notices returns the licences of bundled software, nil without a bundle.
func Notices() []byte {
	text, _ := fs.ReadFile(dist, "dist/licences.txt")
	return text
}

//go:embed assets/favicon.svg
var favicon []byte
