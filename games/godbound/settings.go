package godbound

// Settings are the table's choices.
type Settings struct {
	AskDie bool `json:"ask-die" form:"default=true"` // GB-10: the roller chooses; otherwise the best die is taken
	GMNods bool `json:"gm-nods" form:"default=true"` // GB-22: the GM agrees to how a defence works
}

var standard = Settings{AskDie: true, GMNods: true}
