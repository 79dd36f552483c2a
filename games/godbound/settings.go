package godbound

// Settings are the table's choices.
type Settings struct {
	AskDie bool `json:"ask-die" form:"default=true"` // GB-10: the roller chooses; otherwise the best die is taken
}

var standard = Settings{AskDie: true}
