package throw

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"norn/chat"
	"norn/cmd/norn/internal/cli"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
)

// readThrow parses a throw from words, as the command line of a table does, or from flags, which
// take precedence.
func readThrow(p *cli.Program, c *cobra.Command, g *game.Game, m *game.Move, words []string,
	flags map[string]string,
) (bare.Throw, error) {
	if len(words) == 0 {
		return bare.Texts(g, m, flags)
	}
	if p.FlagOf(c, words[0]) != "" {
		return bare.Throw{}, p.Extra(c, words[0])
	}
	f := m.Form.For(form.Bare)
	book := &chat.Book{
		Words: p.Words, Lang: p.Lang(), Game: g, Moves: []string{m.ID},
		Form: func(chat.Spot) *form.Form {
			return f
		},
	}
	command, err := book.Read("/" + m.ID + " " + strings.Join(words, " "))
	if wrong, ok := errors.AsType[*chat.Error](err); ok {
		extra := p.Extra(c, wrong.Given)
		if wrong.Code != chat.UnknownWord || wrong.Near != "" {
			extra.Texts = []string{wrong.Say(p.Speaker)}
		}
		return bare.Throw{}, extra
	}
	if err != nil {
		return bare.Throw{}, err
	}
	if command.Move != m.ID { // plain dice, where a game calls a move "roll"
		return bare.Throw{}, p.Extra(c, words[0])
	}
	b, err := bare.Decode(g, m, command.Args)
	if err != nil || len(flags) == 0 {
		return b, err
	}
	return b.Set(flags)
}
