package present

import "norn/form"

// FacesWrong words what is wrong with faces typed in.
func FacesWrong(l *Look, p form.Problem) string {
	id, data := p.Word()
	data["Field"] = l.Say("web.compose.faces")
	return l.Say(id, data)
}
