//go:build e2e

package playtest

import (
	"testing"

	"norn/lang"
)

// A rule that the page names opens over it in the reader's language, with a link to the game's
// rules.
func TestNamedRuleOpensOverThePage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	table := s.sheets("mage", lang.Uk)
	gm := sit(t, "gm", 1366, 768)
	gm.visit(table.gm)
	gm.run("document.cookie = 'lang=uk; path=/'")
	gm.visit(gm.ask("location.href"))
	gm.choose("#composer-form [name=attribute]", "") // norn has filled it in
	gm.click("#odds a[data-rule=MG-02]")
	gm.sees(".rule-box", "MG-02")
	gm.sees(".rule-box dd", "Атрибут")
	gm.picture("rule")
	gm.run("document.querySelector('.rule-box').hidePopover()")
	gm.gone(".rule-box")
	gm.says("/правила складність") // a word and a press find a rule, the second press opens it
	gm.sees("#line-note .line-rules", "MG-")
	gm.picture("line")
	gm.click("#line-note a[data-rule]")
	gm.sees(".rule-box dd", "")
	gm.click(".rule-box > button")
	gm.gone(".rule-box")
	gm.arrives(s.url("/rules/mage#MG-02"))
	gm.sees(":target dd", "Атрибут")
	gm.picture("rules")
}
