package undertow

import (
	"testing"

	"norn/form"
	"norn/game/gametest"
)

func TestUndertowPassesAllGameChecks(t *testing.T) { gametest.Run(t, New()) }

func TestWordsAreComplete(t *testing.T) {
	g := New()
	gametest.Words(t, g, gametest.Wording{
		Asked: map[string]*form.Form{
			"Consequence": consequenceForm, "Resistance": resistanceForm,
			"Trauma": traumaForm,
		},
		IDs: []string{
			"undertow.throw.action", "undertow.throw.resist", "undertow.throw.rest",
			"undertow.about.harm", "undertow.about.threat", "undertow.about.trauma", "undertow.action.skulk",
		},
	})
	gametest.Outcomes(t, g)
}
