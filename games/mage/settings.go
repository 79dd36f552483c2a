package mage

import "norn/game"

// Settings are the house rules. MG-40
type Settings struct {
	RuleOfOne  bool `json:"rule-of-one" form:"default=true"`       // MG-05
	Thresholds bool `json:"thresholds" form:"default=true"`        // MG-20
	Automatic  bool `json:"automatic-success" form:"default=true"` // MG-07
	Retries    bool `json:"retry-penalty" form:"default=true"`     // MG-12
}

var standard = Settings{RuleOfOne: true, Thresholds: true, Automatic: true, Retries: true}

// houseRules are the settings of a scene.
func houseRules(s game.Scene) Settings {
	if rules, ok := s.Settings.(Settings); ok {
		return rules
	}
	return standard
}
