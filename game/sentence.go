package game

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Sentence is an event, or a question's subject, that consists of a word and its data, for games
// whose events aren't Go types. Every game has it.
type Sentence struct {
	Word   string           `json:"word"`
	Text   string           `json:"text"` // used if a later version lacks the word; with places such as {{.Name}}
	Data   map[string]Datum `json:"data,omitempty"`
	Secret bool             `json:"secret,omitempty" secret:"whole"`
}

// Datum is a value in a sentence: a number, a text, a character or a word of the game. In JSON it
// is 3, "text", {"who": "c1"} or {"word": "id"}.
type Datum struct {
	N    int
	Text string
	Who  string
	Word Word
}

type datum struct {
	Who  string `json:"who,omitempty"`
	Word Word   `json:"word,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (d Datum) MarshalJSON() ([]byte, error) {
	switch {
	case d.Who != "" || d.Word != "":
		return json.Marshal(datum{d.Who, d.Word})
	case d.Text != "":
		return json.Marshal(d.Text)
	}
	return json.Marshal(d.N)
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *Datum) UnmarshalJSON(data []byte) error {
	*d = Datum{}
	switch {
	case len(data) == 0:
		return fmt.Errorf("a datum is a number, a text or a name")
	case data[0] == '"':
		return json.Unmarshal(data, &d.Text)
	case data[0] == '{':
		var named datum
		err := json.Unmarshal(data, &named)
		d.Who, d.Word = named.Who, named.Word
		return err
	}
	return json.Unmarshal(data, &d.N)
}

func (d Datum) in(v Voice) any {
	switch {
	case d.Who != "":
		return v.Name(d.Who)
	case d.Word != "":
		return v.Say(string(d.Word))
	case d.Text != "":
		return d.Text
	}
	return d.N
}

// Spoken implements Spoken.
func (s Sentence) Spoken(v Voice) string {
	data := make(map[string]any, len(s.Data))
	for name, d := range s.Data {
		data[name] = d.in(v)
	}
	if v.Has(s.Word) {
		return v.Say(s.Word, data)
	}
	text := s.Text
	for _, name := range slices.Sorted(maps.Keys(data)) {
		value, ok := data[name].(string)
		if !ok {
			value = strconv.Itoa(data[name].(int))
		}
		text = strings.ReplaceAll(text, "{{."+name+"}}", value)
	}
	return text
}
