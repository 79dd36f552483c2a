package throw

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/cmd/norn/internal/cli"
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
)

func RollCommand(p *cli.Program) *cobra.Command {
	c := p.Group("roll "+p.Say("norn.metavar.game")+" "+p.Say("norn.metavar.move")+" "+p.Say("norn.metavar.flags"),
		"norn.about.roll", "norn.error.missing-game", "norn.error.unknown-game")
	c.Example = p.Examples("roll", "norn roll 2d10+3")
	throwCommands(p, c, func(c *cobra.Command) func(*cobra.Command, *throw) error {
		faces := &cli.TextFlag{Metavar: p.Say("norn.metavar.faces")}
		if own := c.Flags().Lookup("dice"); own != nil { // the move has dice to name: 3d8
			own.Value = &eitherFlag{field: own.Value, faces: faces}
			own.Usage += "; " + p.Say("norn.flag.dice")
		} else {
			c.Flags().Var(faces, "dice", p.Say("norn.flag.dice"))
			cli.Complete(c, "dice", func() []cobra.Completion { return nil })
		}
		answers := &cli.ListFlag{Metavar: p.Say("norn.metavar.answer")}
		c.Flags().Var(answers, "choose", p.Say("norn.flag.choose"))
		cli.Complete(c, "choose", func() []cobra.Completion { return nil })
		asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
		return func(_ *cobra.Command, t *throw) error {
			rolled, err := roll(p, t, faces, answers.Values)
			if err != nil {
				return err
			}
			if *asJSON {
				return p.JSON(rolled)
			}
			showRoll(p, rolled)
			return nil
		}
	})
	return c
}

func OddsCommand(p *cli.Program) *cobra.Command {
	c := p.Group("odds "+p.Say("norn.metavar.game")+" "+p.Say("norn.metavar.move")+" "+p.Say("norn.metavar.flags"),
		"norn.about.odds", "norn.error.missing-game", "norn.error.unknown-game")
	c.Example = p.Examples("odds", "norn odds 4d6kh3 --compare 3d6")
	throwCommands(p, c, func(c *cobra.Command) func(*cobra.Command, *throw) error {
		runs := &cli.CountFlag{Metavar: p.Say("norn.metavar.number"), Least: 1, Most: maxRuns}
		c.Flags().Var(runs, "simulate", p.Say("norn.flag.simulate", "Max", maxRuns))
		cli.Complete(c, "simulate", func() []cobra.Completion { return nil })
		compared := &cli.ListFlag{Metavar: p.Say("norn.metavar.setting")}
		c.Flags().Var(compared, "compare", p.Say("norn.flag.compare"))
		cli.Complete(c, "compare", func() []cobra.Completion { return nil })
		choosing := choosingFlags(p, c)
		asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
		asCSV := c.Flags().Bool("csv", false, p.Say("norn.flag.csv"))
		return func(c *cobra.Command, t *throw) error {
			if *asJSON && *asCSV {
				return p.Wrong("norn.error.one-format")
			}
			if choosing.isGiven() && runs.Value > 0 {
				return p.Wrong("norn.error.choose-alone")
			}
			throws := []bare.Throw{t.bare}
			if len(compared.Values) > 0 {
				var err error
				if throws, err = settings(p, c, t, compared.Values); err != nil {
					return err
				}
			}
			report, err := answer(p, c, t, throws, choosing, runs.Value)
			switch {
			case err != nil:
				return err
			case *asCSV:
				return report.CSV(p.Out)
			case *asJSON && len(throws) > 1:
				return p.JSON(comparedJSON(p, report))
			case *asJSON:
				told := report.Sides[0].Document()
				told.Args = t.Args
				return p.JSON(told)
			case len(throws) > 1:
				showCompared(p, t, report)
			default:
				showOdds(p, t, &report.Sides[0])
			}
			return nil
		}
	})
	return c
}

// maxRuns limits the throws of a simulation.
const maxRuns = 10_000_000

// throwCommands builds the tree of "roll" or "odds": a command for each game with one for each move
// that can be rolled without a table, and one for plain notation. flags adds the flags that the
// whole tree shares and returns the function that does the work.
func throwCommands(p *cli.Program, root *cobra.Command, flags func(*cobra.Command) func(*cobra.Command, *throw) error) {
	for _, g := range p.Games {
		group := p.Group(g.ID+" "+p.Say("norn.metavar.move"), g.Word("game", "name"), "norn.error.missing-move",
			"norn.error.unknown-move")
		cli.SetWord(group, g.Word("game", "name"))
		for i := range g.Moves {
			if m := &g.Moves[i]; m.Bare && m.Price != nil {
				group.AddCommand(moveCommand(p, g, m, flags))
			}
		}
		otherwise := group.RunE
		group.RunE = func(c *cobra.Command, words []string) error {
			if m, ok := g.FindMove(p.Stray(c)); ok {
				return atTableOnly(p, g, m)
			}
			if !c.HasSubCommands() {
				return p.Wrong("norn.error.no-moves", "Game",
					p.Say(g.Word("game", "name"))).Hinting(p.Say("norn.hint.at-a-table"))
			}
			return otherwise(c, words)
		}
		root.AddCommand(group)
	}
	root.AddCommand(notationCommand(p, flags))
}

// atTableOnly says why a move can't be thrown without a table, or has no odds.
func atTableOnly(p *cli.Program, g *game.Game, m *game.Move) error {
	name := p.Say(g.Word("move", m.ID))
	if m.Price == nil {
		return p.Wrong("norn.error.no-odds", "Move", name).Hinting(p.Say("norn.hint.outcomes"))
	}
	return p.Wrong("norn.error.at-table", "Move", name).Hinting(p.Say("norn.hint.at-a-table"))
}

// moveCommand returns the command of one move. Its flags are the fields of its bare form.
func moveCommand(p *cli.Program, g *game.Game, m *game.Move,
	flags func(*cobra.Command) func(*cobra.Command, *throw) error,
) *cobra.Command {
	c := p.Command(m.ID+" "+p.Say("norn.metavar.flags"), g.Word("move", m.ID))
	cli.SetWord(c, g.Word("move", m.ID))
	c.Args = cobra.ArbitraryArgs
	c.Long = title(p, g, m)
	f := m.Form.For(form.Bare)
	texts := map[string]string{}
	fieldFlags(p, c.Flags(), g, f, texts)
	for path, field := range f.All() {
		if c.Flags().Lookup(path) != nil {
			cli.Complete(c, path, func() []cobra.Completion { return values(p, g, field) })
		}
	}
	do := flags(c)
	aliasFlags(c.Flags(), f)
	c.RunE = func(c *cobra.Command, words []string) error {
		b, err := readThrow(p, c, g, m, words, texts)
		if err != nil {
			return err
		}
		return do(c, throwOf(p, b))
	}
	return c
}

// aliasFlags lets a flag be called as a game's own text calls the field: --foe_two, or --foe where
// another field has that id.
func aliasFlags(flags *pflag.FlagSet, f *form.Form) {
	ids := map[string]string{}
	for path, field := range f.All() {
		for _, name := range field.Also {
			if flags.Lookup(name) == nil && ids[name] == "" {
				ids[name] = path
			}
		}
	}
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(cmp.Or(ids[name], name))
	})
}

// NameDice adds the word "dice" to a line such as "norn odds 4d6kh3", whose first word is notation. A
// command's name wins.
func NameDice(root *cobra.Command, args []string) []string {
	at := behindFlags(args, 0)
	if at >= len(args) || args[at] != "roll" && args[at] != "odds" {
		return args
	}
	group, rest, err := root.Find(args[at : at+1])
	if err != nil || len(rest) > 0 {
		return args
	}
	first := behindFlags(args, at+1)
	if first >= len(args) || slices.ContainsFunc(group.Commands(), func(c *cobra.Command) bool {
		return c.Name() == args[first]
	}) {
		return args
	}
	if !slices.ContainsFunc(args[first:], beginsDice.MatchString) {
		words := args[first:]
		if flags := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, "--") }); flags > 0 {
			words = words[:flags]
		}
		if _, err := dice.Parse(strings.Join(words, " ")); err != nil {
			return args
		}
	}
	return slices.Insert(slices.Clone(args), at+1, bare.Dice.ID)
}

// behindFlags returns the index of the first word from one on that is no flag that all commands have.
func behindFlags(args []string, from int) int {
	for from < len(args) && strings.HasPrefix(args[from], "-") && args[from] != "--" {
		if args[from] == "--lang" {
			from++
		}
		from++
	}
	return from
}

// beginsDice matches a word that begins with dice.
var beginsDice = regexp.MustCompile(`^[-+({\[\d]*(\d[bBxX#]|[dDдДкК][\d%fF({])`)

// notationCommand returns the command for plain dice.
func notationCommand(p *cli.Program, flags func(*cobra.Command) func(*cobra.Command, *throw) error) *cobra.Command {
	c := p.Command("dice "+p.Say("norn.metavar.notation")+" "+p.Say("norn.metavar.flags"), "norn.about.dice")
	c.Long = p.Say("norn.about.dice") + "\n\n" + p.Say("norn.about.notation")
	cli.SetWord(c, "dice.move.dice")
	as := &cli.TextFlag{Metavar: p.Say("norn.metavar.program")}
	var programs []cobra.Completion
	for _, d := range dice.Dialects() {
		programs = append(programs, d.Short)
	}
	c.Flags().Var(as, "as", p.Say("norn.flag.as", "Programs", strings.Join(programs, ", ")))
	cli.Complete(c, "as", func() []cobra.Completion { return programs })
	do := flags(c)
	c.Args = cobra.ArbitraryArgs
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok && unknown.GetSpecifiedShortnames() != "" &&
			strings.Contains("0123456789d", unknown.GetSpecifiedName()) {
			return p.UnknownFlag(c, "-"+unknown.GetSpecifiedShortnames()).Hinting(p.Say("norn.hint.dashes", "Command",
				c.CommandPath()+" -- -2d6"))
		}
		return p.FlagProblem(c, err)
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		text := strings.Join(args, " ")
		if strings.TrimSpace(text) == "" {
			return p.Wrong("norn.error.missing-notation").Hinting(p.Say("norn.hint.notation"))
		}
		b, err := bare.Texts(bare.Dice, &bare.Dice.Moves[0],
			map[string]string{"notation": text, "as": cmp.Or(as.Value, dice.Newest)})
		if err != nil {
			return unset(p, err)
		}
		return do(c, throwOf(p, b))
	}
	return c
}
