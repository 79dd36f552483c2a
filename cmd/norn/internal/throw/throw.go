// Package throw is norn roll and norn odds: throws with arguments from flags or words, rolled,
// entered by hand, priced, charted and compared.
package throw

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"

	"norn/cmd/norn/internal/cli"
	"norn/game"
	"norn/internal/bare"
	"norn/odds"
	"norn/rule"
)

// throw holds what roll and odds have in common: a rule with its arguments and the words for it.
type throw struct {
	Game string          `json:"game"`
	Move string          `json:"move"`
	Args json.RawMessage `json:"args"`

	bare      bare.Throw
	title     string   // "Spire · Check"
	details   []string // the arguments that differ from their defaults
	rule      func(*rule.Run) rule.Outcome
	live      func(*rule.Run) rule.Outcome // the rule for rolling, where it explains
	how       string                       // how a notation's value was computed
	aim       string                       // the aim of the choices
	outcomes  []game.OutcomeKind
	headlines []headline
	text      func(o rule.Outcome) string    // returns an outcome's text
	meaning   func(o rule.Outcome) string    // returns its meaning, "" for none
	mark      func(t rule.Throw) []game.Mark // returns how a throw's dice are drawn
}

// headline is a chance that people are most interested in.
type headline struct {
	outcomes []string
	text     func(percent string) string
}

func (t *throw) outcome(id string) game.OutcomeKind {
	m := game.Move{Outcomes: t.outcomes}
	return m.Outcome(id)
}

// kinds returns the outcomes in the order of their rows.
func (t *throw) kinds() []odds.Kind {
	kinds := make([]odds.Kind, len(t.outcomes))
	for i, o := range t.outcomes {
		kinds[i] = odds.Kind{ID: o.ID, Counts: o.Counts}
	}
	return kinds
}

func moveThrow(p *cli.Program, b bare.Throw) *throw {
	g, m, f, args := b.Game, b.Move, b.Form, b.Args
	t := &throw{
		Game: g.ID, Move: m.ID, Args: f.JSON(args), bare: b,
		title:   title(p, g, m),
		details: details(p, g, f, args),
		rule:    b.Rule(), live: b.Rule(), outcomes: m.Outcomes,
		text: func(o rule.Outcome) string { return p.Say(g.Word("outcome", o.ID), "N", o.N) },
		meaning: func(o rule.Outcome) string {
			if id := g.Word("meaning", o.ID); p.Has(id) {
				return p.Say(id, "N", o.N)
			}
			return ""
		},
		mark: func(thrown rule.Throw) []game.Mark { return m.Mark(args, thrown) },
	}
	for _, h := range m.Headlines {
		t.headlines = append(t.headlines, headline{
			outcomes: h.Outcomes,
			text:     func(percent string) string { return p.Say(g.Word("headline", h.ID), "P", percent) },
		})
	}
	return t
}

func title(p *cli.Program, g *game.Game, m *game.Move) string {
	return p.Say(g.Word("game", "name")) + " · " + p.Say(g.Word("move", m.ID))
}

// heading prints the throw's title and details.
func heading(p *cli.Program, t *throw) {
	fmt.Fprintln(p.Out, cli.Strong.Render(t.title))
	if len(t.details) > 0 {
		for _, line := range cli.Wrap(strings.Join(t.details, " · "), p.Out.Width) {
			fmt.Fprintln(p.Out, cli.Quiet.Render(line))
		}
	}
	fmt.Fprintln(p.Out)
}

// seed returns a seed from the system's random source, so that nobody can predict the dice.
func seed() (s [32]byte) {
	rand.Read(s[:]) // never fails
	return s
}
