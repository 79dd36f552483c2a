package present

import (
	"errors"
	"strings"

	"norn/form"
	"norn/table/refusal"
)

// FacesWrong words what is wrong with faces typed in.
func FacesWrong(l *Look, p form.Problem) string {
	id, data := p.Word()
	data["Field"] = l.Say("web.compose.faces")
	return l.Say(id, data)
}

// Split takes the problems of one part of a request apart from the rest; their
// paths lose the part's name.
func Split(err error, part string) (own, rest form.Problems) {
	invalid, ok := errors.AsType[*refusal.InvalidError](err)
	if !ok {
		return nil, nil
	}
	return Cut(invalid.Problems, part)
}

func Cut(problems form.Problems, part string) (own, rest form.Problems) {
	for _, p := range problems {
		if path, ok := strings.CutPrefix(p.Path, part+"."); ok {
			p.Path = path
			own = append(own, p)
		} else if p.Path == part {
			p.Path = ""
			own = append(own, p)
		} else {
			rest = append(rest, p)
		}
	}
	return own, rest
}
