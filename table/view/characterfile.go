package view

import "encoding/json"

// What the first members of a character's file say.
const (
	CharacterFormat  = "norn character"
	CharacterVersion = 1
)

// CharacterFile is a character as a file, which another table can take.
type CharacterFile struct {
	Format  string          `json:"format" doc:"always \"norn character\""`
	Version int             `json:"version" doc:"of the format: 1"`
	Norn    string          `json:"norn" doc:"the version of norn that wrote the file"`
	Game    string          `json:"game" doc:"the game's id"`
	Edition string          `json:"edition" doc:"of the game's rules, by which the table was played"`
	Kind    string          `json:"kind" doc:"of character, by its id"`
	Name    string          `json:"name"`
	Seen    string          `json:"seen" enum:"gm,player" doc:"whose file it is: a player's is without what that player doesn't see"`
	Sheet   json.RawMessage `json:"sheet" doc:"as its kind's schema says, without references to other characters"`
	// The file contains the picture.
	Portrait *Portrait `json:"portrait,omitempty"`
}

// Portrait is a picture in a character's file.
type Portrait struct {
	Media string `json:"media" enum:"image/jpeg,image/png"`
	Data  []byte `json:"data" doc:"the picture in Base64, at most 512 KiB of it, neither wider nor higher than 1600 pixels"`
}
