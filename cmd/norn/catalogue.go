package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"norn/game"
)

// gamesCommand lists the games that norn plays.
func (p *program) gamesCommand() *cobra.Command {
	c := p.command("games", "norn.about.games")
	c.RunE = func(*cobra.Command, []string) error {
		for i, g := range p.games {
			if i > 0 {
				fmt.Fprintln(p.out)
			}
			p.showGame(g)
		}
		return nil
	}
	return c
}

func (p *program) showGame(g *game.Game) {
	fmt.Fprintln(p.out, strong.Render(g.ID)+"  "+p.Say(g.Word("game", "name")))
	for _, line := range wrap(p.Say(g.Word("game", "tagline")), p.out.width-2) {
		fmt.Fprintln(p.out, "  "+line)
	}
	var moves []entry
	for _, m := range g.Moves {
		if m.Bare && m.Price != nil {
			moves = append(moves, entry{m.ID, p.Say(g.Word("move", m.ID))})
		}
	}
	if len(moves) > 0 {
		fmt.Fprintln(p.out)
		p.list(moves)
	}
}

// rulesCommand prints a game's rules, or one of them.
func (p *program) rulesCommand() *cobra.Command {
	c := p.command("rules "+p.Say("norn.metavar.game")+" ["+p.Say("norn.metavar.rule")+"]", "norn.about.rules")
	c.Example = p.examples("rules")
	c.Args = cobra.ArbitraryArgs
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return p.ruleCompletions(args), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		var names []string
		for _, g := range p.games {
			names = append(names, g.ID)
		}
		switch {
		case len(args) == 0:
			return p.wrong("norn.error.missing-game").hinting(p.Say("norn.hint.names", "Names", strings.Join(names, ", ")))
		case len(args) > 2:
			return p.extra(c, args[2])
		}
		g, ok := game.Find(p.games, args[0])
		if !ok {
			return p.wrong("norn.error.unknown-game", "Name", args[0]).hinting(p.meant(args[0], names))
		}
		if len(args) == 1 {
			p.showRules(g, g.Rules)
			return nil
		}
		i := slices.IndexFunc(g.Rules, func(id string) bool { return strings.EqualFold(id, args[1]) })
		if i < 0 {
			return p.unknownRule(g, args[1])
		}
		p.showRules(g, g.Rules[i:i+1])
		return nil
	}
	return c
}

func (p *program) unknownRule(g *game.Game, id string) error {
	f := p.wrong("norn.error.unknown-rule", "Name", id, "Game", p.Say(g.Word("game", "name")))
	if len(g.Rules) == 0 {
		return f
	}
	return f.hinting(p.Say("norn.hint.rules", "First", g.Rules[0], "Last", g.Rules[len(g.Rules)-1], "Command", "norn rules "+g.ID))
}

func (p *program) showRules(g *game.Game, ids []string) {
	column := 0
	for _, id := range ids {
		column = max(column, len(id))
	}
	for _, id := range ids {
		for i, line := range wrap(p.Say(g.Word("rule", id)), p.out.width-column-2) {
			if i == 0 {
				fmt.Fprintln(p.out, strong.Render(pad(id, column))+"  "+line)
			} else {
				fmt.Fprintln(p.out, pad("", column+2)+line)
			}
		}
	}
}

func (p *program) ruleCompletions(args []string) []cobra.Completion {
	var names []cobra.Completion
	switch len(args) {
	case 0:
		for _, g := range p.games {
			names = append(names, cobra.CompletionWithDesc(g.ID, p.Say(g.Word("game", "name"))))
		}
	case 1:
		if g, ok := game.Find(p.games, args[0]); ok {
			for _, id := range g.Rules {
				names = append(names, cobra.CompletionWithDesc(id, p.Say(g.Word("rule", id))))
			}
		}
	}
	return names
}
