package mage

import "norn/game"

// Settings are the house rules. MG-40
type Settings struct {
	RuleOfOne     bool `json:"rule-of-one" form:"default=true"`       // MG-05
	Thresholds    bool `json:"thresholds" form:"default=true"`        // MG-20: thresholds exist
	ThresholdRule bool `json:"threshold-rule" form:"default=true"`    // MG-20: modifiers may become a threshold
	Automatic     bool `json:"automatic-success" form:"default=true"` // MG-07
	Retries       bool `json:"retry-penalty" form:"default=true"`     // MG-12
	SingleTrait   bool `json:"single-trait" form:"default=true"`      // MG-02: an Attribute may be rolled alone
}

var standard = Settings{
	RuleOfOne:     true,
	Thresholds:    true,
	ThresholdRule: true,
	Automatic:     true,
	Retries:       true,
	SingleTrait:   true,
}

// houseRules returns the settings of a scene.
func houseRules(s game.Scene) Settings {
	if rules, ok := s.Settings.(Settings); ok {
		return rules
	}
	return standard
}

// bareRules returns the settings for a throw without a table, which itself says whether modifiers
// may become a threshold. MG-20
func bareRules(s game.Scene, thresholdRule bool) Settings {
	rules := houseRules(s)
	rules.ThresholdRule = thresholdRule
	return rules
}
