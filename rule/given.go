package rule

import (
	"encoding/json"
	"fmt"
)

// Given is an answer in a Policy as people write it, before its question is
// known: JSON, or words by the names of the form's fields. What isn't given is
// as in the standard answer; words under "" are those of the first field.
type Given struct {
	JSON  json.RawMessage
	Words map[string]string
	Met   *bool // set once its question has come up; may be nil
}

// GivenError reports an answer that its question refuses: Err is form.Problems
// or the question's own refusal.
type GivenError struct {
	Question string
	Err      error
}

func (e *GivenError) Error() string { return fmt.Sprintf("answer to %s: %v", e.Question, e.Err) }
func (e *GivenError) Unwrap() error { return e.Err }

// written reads a Given by its question.
func written[A any](given Given, q Question[A], fail func(error)) A {
	if given.Met != nil {
		*given.Met = true
	}
	a, f := q.Standard, q.form()
	var err error
	if given.JSON != nil {
		err = f.Decode(given.JSON, &a)
	} else {
		words := map[string]string{}
		for name, word := range given.Words {
			if name == "" && len(f.Fields) > 0 {
				name = f.Fields[0].Name
			}
			words[name] = word
		}
		err = f.Texts(words, &a)
	}
	if err == nil && q.Check != nil {
		err = q.Check(a)
	}
	if err != nil {
		fail(&GivenError{Question: q.ID, Err: err})
	}
	return a
}
