package script

import (
	"embed"
	"io/fs"
)

//go:embed first/game.star first/words.toml first/look.toml first/cases/*.txt
var first embed.FS

// First is the folder of a small game that plays, to begin with.
func First() fs.FS {
	folder, err := fs.Sub(first, "first")
	if err != nil {
		panic(err) // it's embedded
	}
	return folder
}
