package table

import "norn/rule"

// data is what a line of a table's own event shows. What isn't put into one
// here is never shown.
type data = map[string]any

// telling is what the log tells of: every act of the table's own.
type telling interface{ lines(e eye) []Line }

// ownLines are the lines of a table's own event for the seat; none for what it
// may not know.
func (e eye) ownLines(event rule.Event) []Line { return event.(telling).lines(e) }

func (e eye) line(event interface{ Type() string }, word string, words, shown data) []Line {
	return []Line{{Type: event.Type(), Text: e.voice.Tell("table.event."+word, words), Data: encoded(shown)}}
}

func (e eye) word(parts ...string) string { return e.voice.Say(e.st.game.Word(parts...)) }

// labels name fields, "Stress, Bonds"; a setting may have a word of its own.
func (e eye) labels(set string, names []string) []string {
	labels := make([]string, len(names))
	for i, name := range names {
		id := e.st.game.Word(set, name)
		if labels[i] = e.st.game.Label(e.voice.Speaker, name); e.voice.Has(id) {
			labels[i] = e.voice.Say(id)
		}
	}
	return labels
}
