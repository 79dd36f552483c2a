package script

import (
	"embed"
	"io/fs"
)

//go:embed first/game.star first/words.toml first/look.toml first/cases/*.txt
var first embed.FS

// First returns the folder of a small complete game to start from.
func First() fs.FS {
	folder, err := fs.Sub(first, "first")
	if err != nil {
		panic(err) // it's embedded
	}
	return folder
}
