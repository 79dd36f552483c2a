// Package throw is norn roll and norn odds: throws with arguments from flags or words, rolled,
// entered by hand, priced, charted and compared.
package throw

import (
	"encoding/json"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"norn/cmd/norn/internal/cli"
	"norn/dice"
	"norn/game"
	"norn/internal/bare"
	"norn/internal/lab"
)

// throw is what a line asks for, with the words for it.
type throw struct {
	Game string          `json:"game"`
	Move string          `json:"move"`
	Args json.RawMessage `json:"args"`

	bare    bare.Throw
	title   string   // "Spire · Check"
	details []string // the arguments that differ from their defaults
	words   lab.Wording
}

func throwOf(p *cli.Program, b bare.Throw) *throw {
	g, m := b.Game, b.Move
	voice := game.Voice{Speaker: g.Speak(p.Speaker), Game: g.ID, Name: func(id string) string { return id }}
	t := &throw{
		Game: g.ID, Move: m.ID, Args: b.Form.JSON(b.Args), bare: b, title: title(p, g, m), details: b.Details(p.Speaker),
		words: lab.WordingOf(voice, g, m, b.Args),
	}
	if n, plain := b.Args.(game.Notation); plain {
		n.Notation, t.details = n.Expr().String(), nil
		if words := n.Understood(p.Speaker); words != "" {
			t.details = []string{words}
		}
		n.As, t.title = dice.Newest, n.Notation
		t.Args = b.Form.JSON(n)
	}
	return t
}

func title(p *cli.Program, g *game.Game, m *game.Move) string {
	return p.Say(g.Word("game", "name")) + " · " + p.Say(g.Word("move", m.ID))
}

// heading prints the throw's title and details.
func heading(p *cli.Program, t *throw) {
	fmt.Fprintln(p.Out, cli.Strong.Render(t.title))
	write(p, strings.Join(t.details, " · "), cli.Quiet)
	fmt.Fprintln(p.Out)
}

// write prints a text in lines that fit, and reports whether there is any.
func write(p *cli.Program, text string, style lipgloss.Style) bool {
	if text == "" {
		return false
	}
	for _, line := range cli.Wrap(text, p.Out.Width) {
		fmt.Fprintln(p.Out, style.Render(line))
	}
	return true
}
