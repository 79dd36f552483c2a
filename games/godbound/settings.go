package godbound

// Settings are the choices of a table.
type Settings struct {
	AskDie bool `json:"ask-die" form:"default=true"` // GB-10: the roller chooses; otherwise the best die is used
	GMNods bool `json:"gm-nods" form:"default=true"` // GB-22: the GM must approve a defence

	HealingEffort string `json:"healing-effort" form:"choice=paid|ask|free"` // GB-20: whether magic costs the patient's Effort
}

var standard = Settings{AskDie: true, GMNods: true, HealingEffort: "paid"}
