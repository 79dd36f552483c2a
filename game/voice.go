package game

import (
	"maps"

	"norn/lang"
)

// Word among the data of a text is the id of a word to put there.
type Word string

// Voice words what a game says, in one reader's language.
type Voice struct {
	lang.Speaker
	Game  string                                  // id of the game, for what is called by its words
	Name  func(id string) string                  // name of a character
	State func(id string) (text string, out bool) // its state in words, "" for none; nil where none is known
}

// Tell returns a text with its data. Values of type Word are replaced by their words.
func (v Voice) Tell(id string, data map[string]any) string {
	var worded map[string]any // made where there is a Word
	for name, value := range data {
		if w, ok := value.(Word); ok {
			if worded == nil {
				worded = maps.Clone(data)
			}
			worded[name] = v.Say(string(w))
		}
	}
	if worded != nil {
		data = worded
	}
	return v.Say(id, data)
}

// Standing returns a character's state in words, "" for none, and whether they are out of action.
func (v Voice) Standing(id string) (text string, out bool) {
	if v.State == nil {
		return "", false
	}
	return v.State(id)
}

// Refusal words a refusal, with its rule in front.
func (v Voice) Refusal(r *Refusal) string {
	text := v.Tell(r.Word, r.Data)
	if r.Rule == "" {
		return text
	}
	return r.Rule + ": " + text
}
