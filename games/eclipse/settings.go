package eclipse

import (
	"encoding/json"

	"norn/game"
)

// Settings are the house rules and the table's choices.
type Settings struct {
	Deadlock string `json:"deadlock" form:"choice=stands|higher"`         // EP-18
	Effects  string `json:"effects" form:"choice=offer|ask|off,set=when"` // EP-13, EP-14: how the table comes to them
}

var standard = Settings{Deadlock: "stands", Effects: "offer"}

// MarshalJSON says the effects by their older name as well, for who still reads that.
func (s Settings) MarshalJSON() ([]byte, error) {
	type plain Settings
	return json.Marshal(struct {
		plain
		Asks bool `json:"ask-effects"`
	}{plain(s), s.Effects == "ask"})
}

// askEffects is what the setting was until the third edition: whether the table asks.
var askEffects = game.Renamed{Was: "ask-effects", Is: "effects", Value: func(was json.RawMessage) json.RawMessage {
	switch string(was) {
	case "true":
		return json.RawMessage(`"ask"`)
	case "false":
		return json.RawMessage(`"off"`)
	}
	return was
}}
