package odds

import (
	"encoding/json"
	"net/http"

	"norn/internal/lab"
	"norn/lang"
)

// rule shows the page where readers write a rule. The browser computes the odds; the text stays
// there.
func (all *Pages) rule(w http.ResponseWriter, r *http.Request) {
	read, tongue := all.reader(r)
	all.Show(w, r, http.StatusOK, all.rulePage(read, r, tongue))
}

// labWords returns the texts of the page's script, as JSON.
func labWords(l lang.Lang) string { return encodeJSON(lab.Texts(l)) }

// labExamples returns example rules, as JSON.
func labExamples(l lang.Lang) string { return encodeJSON(lab.Examples(l)) }

func encodeJSON(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // they're strings
	}
	return string(data)
}
