package game

import (
	"maps"

	"norn/lang"
)

// Word is the id of a word, as a value in the data of a text.
type Word string

// Voice words what happens in a game, in one reader's language.
type Voice struct {
	lang.Speaker
	Game  string                                  // id of the game whose words are used
	Name  func(id string) string                  // name of a character
	State func(id string) (text string, out bool) // the state in words, "" for none; nil if states are unknown
}

// Tell returns a text with its data. Values of type Word are replaced by their words.
func (v Voice) Tell(id string, data map[string]any) string {
	var worded map[string]any // made only if there is a Word
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

// Refusal returns the text of a refusal, preceded by its rule.
func (v Voice) Refusal(r *Refusal) string {
	text := v.Tell(r.Word, r.Data)
	if r.Rule == "" {
		return text
	}
	return r.Rule + ": " + text
}
