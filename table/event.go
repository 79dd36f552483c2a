package table

import (
	"encoding/json"

	"norn/dice"
	"norn/game"
	"norn/lang"
)

// What a table's own entries say. Types and members are stable: the journal
// holds them. None of these is ever shown as it is; lines.go says what is.

type opened struct {
	Game     string          `json:"game"`
	Name     string          `json:"name"`
	Lang     lang.Lang       `json:"lang"`
	Settings json.RawMessage `json:"settings"` // the game's own at that time
	settings any
}

type seatAdded struct {
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Role game.Role `json:"role"`
	Lock lock      `json:"lock"`
}

type seatRenamed struct {
	ID   string `json:"id"`
	Was  string `json:"was"`
	Name string `json:"name"`
}

type seatRevoked struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type seatRenewed struct {
	ID   string    `json:"id"`
	Name string    `json:"name"`
	Role game.Role `json:"role"`
	Lock lock      `json:"lock"`
}

type characterAdded struct {
	ID    string          `json:"id"`
	Kind  string          `json:"kind"`
	Name  string          `json:"name"`
	Owner string          `json:"owner,omitempty"`
	Sheet json.RawMessage `json:"sheet"`
	sheet any
}

// characterChanged holds the new whole of what has changed and nothing of what
// hasn't.
type characterChanged struct {
	ID      string          `json:"id"`
	Kind    string          `json:"kind"`
	Was     string          `json:"was"` // its name before
	Name    *string         `json:"name,omitempty"`
	Owner   *string         `json:"owner,omitempty"`
	Sheet   json.RawMessage `json:"sheet,omitempty"`
	Changed []string        `json:"changed,omitempty"` // members of the sheet
	sheet   any
}

type characterRemoved struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type settingsChanged struct {
	Settings json.RawMessage `json:"settings"`
	Changed  []string        `json:"changed"`
	settings any
}

// moveShown opens a secret move that has ended to everybody.
type moveShown struct {
	Move string `json:"move"`
}

// diceSealed begins a session of dice.
type diceSealed struct {
	Secret     string `json:"secret"`
	Commitment string `json:"commitment"`
	seal       dice.Secret
}

func (e diceSealed) open() (dice.Secret, error) { return dice.ParseSecret(e.Secret) }

func (opened) Type() string           { return "table.opened" }
func (seatAdded) Type() string        { return "table.seat-added" }
func (seatRenamed) Type() string      { return "table.seat-renamed" }
func (seatRevoked) Type() string      { return "table.seat-revoked" }
func (seatRenewed) Type() string      { return "table.seat-renewed" }
func (characterAdded) Type() string   { return "table.character-added" }
func (characterChanged) Type() string { return "table.character-changed" }
func (characterRemoved) Type() string { return "table.character-removed" }
func (settingsChanged) Type() string  { return "table.settings-changed" }
func (moveShown) Type() string        { return "table.move-shown" }
func (diceSealed) Type() string       { return "table.dice-sealed" }

// ownEvents reads them back, as a game does its events.
var ownEvents = &game.Game{Events: []game.EventType{
	game.EventOf[opened](), game.EventOf[seatAdded](), game.EventOf[seatRenamed](), game.EventOf[seatRevoked](),
	game.EventOf[seatRenewed](), game.EventOf[characterAdded](), game.EventOf[characterChanged](),
	game.EventOf[characterRemoved](), game.EventOf[settingsChanged](), game.EventOf[diceSealed](), game.EventOf[moveShown](),
}}
