package edda

// Settings are the choices of a table.
type Settings struct {
	Agree  bool   `json:"fate-agrees"`                       // ED-01: Fate is asked before the throw; else people talk
	Stakes string `json:"stakes" form:"choice=players|fate"` // ED-04: who sets the stakes
}
