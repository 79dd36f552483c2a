package act

import (
	"strings"
	"unicode/utf8"

	"norn/form"
	"norn/journal"
	"norn/table/refusal"
)

// A check takes a text as its form does: what is kept of it, or why it can't be.
type check func(text string) (string, error)

// checking is the check of a form's one field.
func checking[F any](field string, kept func(F) string) check {
	f := form.Of[F]()
	return func(text string) (string, error) {
		var sent F
		if err := f.Texts(map[string]string{field: text}, &sent); err != nil {
			return "", &refusal.InvalidError{Problems: err.(form.Problems)}
		}
		return kept(sent), nil
	}
}

// kept is what a check keeps of a text; what it doesn't take stays, for a judge to say why.
func (c check) kept(text string) string {
	if clean, err := c(text); err == nil {
		return clean
	}
	return text
}

// hold holds a text to what the check keeps of it.
func (c check) hold(text string) error {
	clean, err := c(text)
	if err == nil {
		err = refusal.Same(text, clean)
	}
	return err
}

// checkName is the check of names.
var checkName = checking("name", func(n struct {
	Name string `json:"name" form:"required"`
},
) string {
	return n.Name
})

// checkKey holds a key or a nonce to what the journal takes.
func CheckKey(path, text string) error {
	switch {
	case len(text) > journal.MaxText:
		return refusal.Invalid(path, form.TooLong, func(p *form.Problem) { p.Max, p.Given = journal.MaxText, "…" })
	case !utf8.ValidString(text):
		return refusal.Invalid(path, form.UTF8)
	case strings.ContainsRune(text, 0):
		return refusal.Invalid(path, form.Control)
	}
	return nil
}
