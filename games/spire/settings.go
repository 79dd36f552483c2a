package spire

// Settings are the house rules and the table's choices.
type Settings struct {
	LessLethal  bool   `json:"less-lethal"`                                     // SP-19
	StressShown string `json:"stress-shown" form:"choice=numbers|words|hidden"` // SP-28
	Stakes      string `json:"stakes" form:"choice=players|gm"`                 // SP-29: who sets them
	FalloutBy   string `json:"fallout-by" form:"choice=gm|player"`              // SP-32: who rolls for fallout
	Helpers     int    `json:"helpers-most" form:"max=9,default=4"`             // SP-08: the GM's limit
	Asked       bool   `json:"helpers-asked" form:"default=true"`               // SP-08: before the roll
	Difficulty  int    `json:"max-difficulty" form:"min=2,max=6,default=2"`     // SP-04: limit of the sum
}

var standard = Settings{
	StressShown: "numbers",
	Stakes:      "players",
	FalloutBy:   "gm",
	Helpers:     4,
	Asked:       true,
	Difficulty:  2,
}
