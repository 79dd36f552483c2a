package godbound

// Settings are the table's choices.
type Settings struct {
	AskDie bool `json:"ask-die" form:"default=true"` // GB-10: the roller chooses; otherwise the best die is taken
	GMNods bool `json:"gm-nods" form:"default=true"` // GB-22: the GM agrees to how a defence works

	HealingEffort string `json:"healing-effort" form:"choice=paid|ask|free"` // GB-20: whether healing by magic costs the healed Effort
}

var standard = Settings{AskDie: true, GMNods: true, HealingEffort: "paid"}
