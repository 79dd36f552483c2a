package edda

// Settings are what a table agrees on.
type Settings struct {
	Agree  bool   `json:"fate-agrees"`                       // ED-01: Fate is asked before the dice; else people agree by talking
	Stakes string `json:"stakes" form:"choice=players|fate"` // ED-04: who enters what Fate sets
}
