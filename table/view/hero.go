package view

// HeroRead is what norn makes of a hero from another program, before anybody takes it.
type HeroRead struct {
	System  string         `json:"system" doc:"where the file is from, as people call it"`
	Version string         `json:"version,omitempty" doc:"of the system that wrote the file"`
	File    CharacterFile  `json:"file" doc:"the hero as import-character takes it, corrected or as it is"`
	Derived []DerivedValue `json:"derived" doc:"values that were computed, and how"`
	Misfits []HeroMisfit   `json:"misfits" doc:"values that the sheet doesn't take; they're kept as text"`
	Doubts  []string       `json:"doubts" doc:"what is odd in the file, and what was taken instead"`
	Kept    []string       `json:"kept" doc:"what has no place on the sheet: names of its other things"`
	Ask     []string       `json:"ask" doc:"fields of the sheet that no such file has"`
}

// DerivedValue is a value that was computed.
type DerivedValue struct {
	Path  string `json:"path" doc:"in the sheet"`
	Label string `json:"label"`
	Value int    `json:"value"`
	How   string `json:"how" doc:"the sum"`
	From  string `json:"from" doc:"where the file has its parts"`
}

// HeroMisfit is a value that the sheet doesn't take.
type HeroMisfit struct {
	Path  string `json:"path" doc:"in the sheet"`
	Label string `json:"label"`
	Given string `json:"given"`
	Why   string `json:"why"`
	Rule  string `json:"rule,omitempty" doc:"the rule that refuses it"`
	From  string `json:"from,omitempty" doc:"where the file has it"`
}
