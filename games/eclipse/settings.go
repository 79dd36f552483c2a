package eclipse

// Settings are the house rules and the table's choices.
type Settings struct {
	Deadlock string `json:"deadlock" form:"choice=stands|higher"` // EP-18
	Effects  bool   `json:"ask-effects" form:"default=true"`      // EP-13, EP-14: whether the table asks for them
}

var standard = Settings{Deadlock: "stands", Effects: true}
