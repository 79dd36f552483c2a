package odds

import (
	"encoding/json"
	"net/http"

	"norn/lab"
	"norn/lang"
)

// rule is the page on which a reader writes a rule. The browser works its odds out; the text never comes here.
func (all *Pages) rule(w http.ResponseWriter, r *http.Request) {
	read, tongue := all.reader(r)
	all.Show(w, r, http.StatusOK, all.rulePage(read, r, tongue))
}

// labWords are the words that the page's script says, as JSON.
func labWords(l lang.Lang) string { return encodeJSON(lab.Texts(l)) }

// labExamples are the rules to begin with, as JSON.
func labExamples(l lang.Lang) string { return encodeJSON(lab.Examples(l)) }

func encodeJSON(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // it's texts
	}
	return string(data)
}
