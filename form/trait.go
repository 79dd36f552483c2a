package form

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"norn/dice"
)

// Trait is an ability or property that a character may have, with its name if it's known: "" means
// no, "*" yes without a name, anything else is the name of the trait. In JSON it is false, true or
// the name.
type Trait string

// Yes is a trait without a name.
const Yes Trait = "*"

// Has reports whether the trait is there, with or without a name.
func (t Trait) Has() bool { return t != "" }

// Name returns the trait's name, or "" if it has none.
func (t Trait) Name() string {
	if t == Yes {
		return ""
	}
	return string(t)
}

// MarshalJSON prints false, true or the name.
func (t Trait) MarshalJSON() ([]byte, error) {
	switch t {
	case "":
		return []byte("false"), nil
	case Yes:
		return []byte("true"), nil
	}
	return json.Marshal(string(t))
}

// UnmarshalJSON reads false, true or a name.
func (t *Trait) UnmarshalJSON(data []byte) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	switch value := value.(type) {
	case bool:
		*t = ""
		if value {
			*t = Yes
		}
	case string:
		*t = traitOf(value)
	default:
		return fmt.Errorf("form: a trait is true, false or a name, not %s", data)
	}
	return nil
}

// traitOf converts a text to a trait. The words for yes and no aren't names.
func traitOf(text string) Trait {
	switch strings.TrimSpace(text) {
	case "", "false", "no", "off":
		return ""
	case "*", "true", "yes", "on":
		return Yes
	}
	return Trait(clean(text))
}

// A Ref is the id of a character at the table, "" for none.
type Ref string

// IDs returns the ids of the characters that refs name, without repetitions. Empty refs name
// nobody.
func IDs(refs ...Ref) []string {
	var ids []string
	for _, r := range refs {
		if r != "" && !slices.Contains(ids, string(r)) {
			ids = append(ids, string(r))
		}
	}
	return ids
}

// Faces is a list of the faces of dice thrown by hand, in order. Fate dice show "−" and "+", which
// dice.Hand accepts and JSON writes as texts; −1 may also be a number.
type Faces []int

// MarshalJSON writes faces as they were typed.
func (f Faces) MarshalJSON() ([]byte, error) {
	faces := make([]any, len(f))
	for i, face := range f {
		if faces[i] = face; face < 0 {
			faces[i] = dice.FaceText(face)
		}
	}
	if f == nil {
		faces = nil
	}
	return json.Marshal(faces)
}
