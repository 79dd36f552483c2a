package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/game"
	"norn/lang"
)

// gamesCommand lists the games that norn plays.
func gamesCommand(p *cli.Program) *cobra.Command {
	c := p.Command("games "+p.Say("norn.metavar.flags"), "norn.about.games")
	asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
	c.RunE = func(*cobra.Command, []string) error {
		if *asJSON {
			return p.JSON(game.Each(p.Games, func(g *game.Game) listedGame { return describeGame(p, g) }))
		}
		for i, g := range p.Games {
			if i > 0 {
				fmt.Fprintln(p.Out)
			}
			showGame(p, g)
		}
		return nil
	}
	return c
}

// listedGame is a game in JSON.
type listedGame struct {
	ID    string       `json:"id"`
	Name  string       `json:"name"`
	About string       `json:"about"`
	Text  string       `json:"text,omitempty"` // the hash of an own game's text
	Moves []listedMove `json:"moves"`          // those that can be made without a table
}

type listedMove struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func describeGame(p *cli.Program, g *game.Game) listedGame {
	l := listedGame{
		ID: g.ID, Name: p.Say(g.Word("game", "name")), About: p.Say(g.Word("game", "tagline")), Text: g.Text,
		Moves: []listedMove{},
	}
	for _, m := range bareMoves(g) {
		l.Moves = append(l.Moves, listedMove{ID: m.ID, Name: p.Say(g.Word("move", m.ID))})
	}
	return l
}

// bareMoves returns the moves that can be made without a table.
func bareMoves(g *game.Game) []game.Move {
	return slices.DeleteFunc(slices.Clone(g.Moves), func(m game.Move) bool { return !m.Bare || m.Price == nil })
}

func showGame(p *cli.Program, g *game.Game) {
	fmt.Fprintln(p.Out, cli.Strong.Render(g.ID)+"  "+p.Say(g.Word("game", "name")))
	for _, line := range cli.Wrap(p.Say(g.Word("game", "tagline")), p.Out.Width-2) {
		fmt.Fprintln(p.Out, "  "+line)
	}
	var moves []cli.Entry
	for _, m := range bareMoves(g) {
		moves = append(moves, cli.Entry{Name: m.ID, About: p.Say(g.Word("move", m.ID))})
	}
	if len(moves) > 0 {
		fmt.Fprintln(p.Out)
		p.List(moves)
	}
}

// rulesCommand prints a game's rules, or one of them.
func rulesCommand(p *cli.Program) *cobra.Command {
	c := p.Command("rules "+p.Say("norn.metavar.game")+" ["+p.Say("norn.metavar.rule")+"]", "norn.about.rules")
	c.Example = p.Examples("rules")
	c.Args = cobra.ArbitraryArgs
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion,
		cobra.ShellCompDirective,
	) {
		return ruleCompletions(p, args), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		var names []string
		for _, g := range p.Games {
			names = append(names, g.ID)
		}
		switch {
		case len(args) == 0:
			return p.Wrong("norn.error.missing-game").Hinting(p.Say("norn.hint.names", "Names",
				strings.Join(names, ", ")))
		}
		g, ok := game.Find(p.Games, args[0])
		if !ok {
			return p.Wrong("norn.error.unknown-game", "Name", args[0]).Hinting(p.Suggest(args[0], names))
		}
		if len(args) == 1 {
			showRules(p, g, g.Rules)
			return nil
		}
		words := strings.Join(args[1:], " ")
		ids := g.FindRules(p.Speaker, words)
		if i := slices.IndexFunc(g.Rules, func(id string) bool { return lang.Key(id) == lang.Key(words) }); i >= 0 {
			ids = g.Rules[i : i+1]
		}
		if len(ids) == 0 {
			return unknownRule(p, g, words)
		}
		showRules(p, g, ids)
		return nil
	}
	return c
}

func unknownRule(p *cli.Program, g *game.Game, id string) error {
	f := p.Wrong("norn.error.unknown-rule", "Name", id, "Game", p.Say(g.Word("game", "name")))
	if len(g.Rules) == 0 {
		return f
	}
	return f.Hinting(p.Say("norn.hint.rules", "First", g.Rules[0], "Last", g.Rules[len(g.Rules)-1], "Command",
		"norn rules "+g.ID))
}

func showRules(p *cli.Program, g *game.Game, ids []string) {
	column := 0
	for _, id := range ids {
		column = max(column, len(id))
	}
	for _, id := range ids {
		lines := cli.Wrap(p.Say(g.Word("rule", id)), p.Out.Width-column-2)
		if title := g.RuleTitle(p.Speaker, id); title != "" {
			lines = append([]string{cli.Strong.Render(title)}, lines...)
		}
		for i, line := range lines {
			if i == 0 {
				fmt.Fprintln(p.Out, cli.Strong.Render(cli.Pad(id, column))+"  "+line)
			} else {
				fmt.Fprintln(p.Out, cli.Pad("", column+2)+line)
			}
		}
	}
}

func ruleCompletions(p *cli.Program, args []string) []cobra.Completion {
	var names []cobra.Completion
	switch len(args) {
	case 0:
		for _, g := range p.Games {
			names = append(names, cobra.CompletionWithDesc(g.ID, p.Say(g.Word("game", "name"))))
		}
	case 1:
		if g, ok := game.Find(p.Games, args[0]); ok {
			for _, id := range g.Rules {
				names = append(names, cobra.CompletionWithDesc(id, p.Say(g.Word("rule", id))))
			}
		}
	}
	return names
}
