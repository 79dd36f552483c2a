package rule

import (
	"encoding/json"
	"fmt"
)

// Policy maps question ids to answers for runs in which nobody is asked. A question without an
// entry gets its standard answer. Each answer must have the type that its question expects.
type Policy map[string]any

// Given is an answer in a Policy as people write it, before its question is known: JSON, or words
// by the names of the form's fields. Fields that are left out have their value from the standard
// answer; words under "" belong to the first field.
type Given struct {
	JSON  json.RawMessage
	Words map[string]string
	Met   *bool // set to true when its question comes up; may be nil
}

// GivenError reports an answer that its question refuses: Err is form.Problems
// or the question's own refusal.
type GivenError struct {
	Question string
	Err      error
}

func (e *GivenError) Error() string { return fmt.Sprintf("answer to %s: %v", e.Question, e.Err) }
func (e *GivenError) Unwrap() error { return e.Err }

// readGiven decodes a Given by the form of its question.
func readGiven[A any](given Given, q Question[A], fail func(error)) A {
	if given.Met != nil {
		*given.Met = true
	}
	f := q.WithForm().form()
	read := func(into any) error { return f.Decode(given.JSON, into) }
	if given.JSON == nil {
		words := map[string]string{}
		for name, word := range given.Words {
			if name == "" && len(f.Fields) > 0 {
				name = f.Fields[0].Name
			}
			words[name] = word
		}
		read = func(into any) error { return f.Texts(words, into) }
	}
	a, err := q.readOver(q.Standard, read)
	if err == nil && q.Check != nil {
		err = q.Check(a)
	}
	if err != nil {
		fail(&GivenError{Question: q.ID, Err: err})
	}
	return a
}
