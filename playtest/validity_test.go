//go:build e2e

package playtest

import "testing"

// A missing field of a form is reported in the page's language, not the browser's, until it is
// filled in.
func TestMissingFieldIsReportedInThePagesLanguage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	reader := sit(t, "reader", 1366, 768)
	reader.visit(s.url("/"))
	reader.click(".looks button[name=_lang][value=uk]")
	reader.sees("html[lang=uk] h1", "norn")
	reader.choose("#name", "")
	said := func() string { return reader.ask("document.getElementById('name').validationMessage") }
	reader.until("hear what is missing", func() bool { // as soon as the script that says so is there
		reader.run("document.querySelector('[data-form=open] button').click()")
		return said() == "Заповніть це поле"
	}, said)
	reader.choose("#name", "Вечори")
	if got := said(); got != "" {
		t.Errorf("with a name there is still said %q", got)
	}
	reader.click("[data-form=open] button")
	reader.sees("[data-live-state=open]", "")
}
