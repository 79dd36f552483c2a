package web

import (
	"embed"
	"io/fs"
)

// dist is what `make bundle` builds; without it there is only a placeholder,
// and pages are plain.
//
//go:embed dist
var dist embed.FS

// Notices are the licences of what is bundled, nothing without a bundle.
func Notices() []byte {
	text, _ := fs.ReadFile(dist, "dist/licences.txt")
	return text
}

//go:embed assets/favicon.svg
var favicon []byte
