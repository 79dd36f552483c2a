package eclipse

import (
	"encoding/json"

	"norn/game"
)

// Settings are the house rules and the table's choices.
type Settings struct {
	Deadlock string `json:"deadlock" form:"choice=stands|higher"`          // EP-18
	Effects  string `json:"effects" form:"choice=offer|ask|off,set=when"`  // EP-13, EP-14: when effects are chosen
	Points   string `json:"points-after" form:"choice=offer|ask,set=when"` // EP-20: how a point after a test is spent
}

var standard = Settings{Deadlock: "stands", Effects: "offer", Points: "offer"}

// MarshalJSON also writes the effects under their older name, for clients that still read it.
func (s Settings) MarshalJSON() ([]byte, error) {
	type plain Settings
	return json.Marshal(struct {
		plain
		Asks bool `json:"ask-effects"`
	}{plain(s), s.Effects == "ask"})
}

// askEffects describes the setting before the third edition: whether the table asks.
var askEffects = game.Renamed{Was: "ask-effects", Is: "effects", Value: func(was json.RawMessage) json.RawMessage {
	switch string(was) {
	case "true":
		return json.RawMessage(`"ask"`)
	case "false":
		return json.RawMessage(`"off"`)
	}
	return was
}}
