package throw

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/cmd/norn/internal/cli"
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/internal/lab"
	"norn/odds"
)

// settings returns the throws that the line asks for. "difficulty=0,1,2" or "mastery" sets each of
// a field's values, and several of these for all combinations; then the line's own setting isn't
// one of them. What whole reads is one setting in addition to the line's own.
func settings(p *cli.Program, c *cobra.Command, t *throw, given []string) ([]bare.Throw, error) {
	throws, others := []bare.Throw{t.bare}, []bare.Throw(nil)
	for _, text := range given {
		other, is, err := whole(p, c, t, strings.TrimSpace(text))
		switch {
		case err != nil:
			return nil, unset(p, err)
		case is:
			others = append(others, other)
		default:
			var next []bare.Throw
			for _, throw := range throws {
				through, err := through(p, c, throw, text)
				if err != nil {
					return nil, unset(p, err)
				}
				next = append(next, through...)
			}
			throws = next
		}
		if len(throws)+len(others) > 4*bare.MostCompared {
			break
		}
	}
	throws = bare.Unlike(append(throws, others...))
	switch {
	case len(throws) < 2:
		return nil, p.Wrong("norn.error.compare-one")
	case len(throws) > bare.MostCompared:
		return nil, p.Wrong("norn.error.compare-many", "N", bare.MostCompared)
	}
	return throws, nil
}

// through returns the throws with each value of one field.
func through(p *cli.Program, c *cobra.Command, throw bare.Throw, text string) ([]bare.Throw, error) {
	name, list, given := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	field, ok := throw.Form.Field(name)
	switch {
	case !ok:
		return nil, p.UnknownFlag(c, "--"+name)
	case !given && !field.Kind.IsSwitch():
		return nil, p.Wrong("norn.error.compare-values", "Field", name)
	case !given:
		list = "no,yes"
	}
	var throws []bare.Throw
	for value := range strings.SplitSeq(list, ",") {
		other, err := throw.Set(map[string]string{name: strings.TrimSpace(value)})
		if err != nil {
			return nil, err
		}
		throws = append(throws, other)
	}
	return throws, nil
}

// whole reads a whole setting: "--difficulty 1 --mastery" of the line's move, "mage roll --pool 5" of
// another one, or notation. It returns false for the name of a field.
func whole(p *cli.Program, c *cobra.Command, t *throw, text string) (bare.Throw, bool, error) {
	g, m, set := t.bare.Game, t.bare.Move, t.bare.Set
	words := strings.Fields(text)
	if found, ok := game.Find(p.Games, words[0]); ok && len(words) > 1 {
		if m, ok = bare.Move(found, words[1]); !ok {
			return bare.Throw{}, true, p.Wrong("norn.error.unknown-move", "Name", words[1])
		}
		g, words = found, words[2:]
		set = func(texts map[string]string) (bare.Throw, error) { return bare.Texts(g, m, texts) }
	} else if g == bare.Dice {
		other, err := set(map[string]string{"notation": text})
		return other, true, err
	} else if beginsDice.MatchString(text) {
		other, err := bare.Texts(bare.Dice, &bare.Dice.Moves[0], map[string]string{"notation": text, "as": dice.Newest})
		return other, true, err
	} else if !strings.HasPrefix(text, "-") {
		return bare.Throw{}, false, nil
	}
	texts := map[string]string{}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	fieldFlags(p, flags, g, m.Form.For(form.Bare), texts)
	if err := flags.Parse(words); err != nil {
		return bare.Throw{}, true, p.FlagProblem(c, err)
	}
	if flags.NArg() > 0 {
		return bare.Throw{}, true, p.Wrong("norn.error.extra", "Arg", flags.Arg(0)).Hinting(p.Say("norn.hint.compare"))
	}
	other, err := set(texts)
	return other, true, err
}

// unset explains what is wrong with a setting.
func unset(p *cli.Program, err error) error {
	if notation, ok := err.(*game.NotationError); ok {
		return notationProblem(p, notation.Text, notation.Err)
	}
	return err
}

// comparedJSON returns a comparison for programs.
func comparedJSON(p *cli.Program, r *lab.Report) lab.Comparison {
	told := r.Document()
	for i, s := range r.Sides {
		told.Settings[i].Args = throwOf(p, s.Throw).Args
	}
	return told
}

// showCompared draws settings next to each other: for each question a bar for each setting.
func showCompared(p *cli.Program, t *throw, r *lab.Report) {
	if t.bare.Game == bare.Dice { // notation has no name of its own
		t.title = p.Say("dice.game.name")
	}
	if r.OneMove {
		write(p, t.title, cli.Strong)
		write(p, strings.Join(common(p, r.Sides), " · "), cli.Quiet)
	}
	for i := range r.Sides {
		if s := &r.Sides[i]; !r.OneMove { // what matters most of each
			write(p, s.Name+": "+strings.Join(s.Texts(), ", "), cli.Strong)
		}
	}
	if a := r.Sides[0].Advice; a != nil {
		write(p, a.Head, cli.Quiet)
	}
	write(p, r.Simulated, cli.Quiet)
	if r.Only {
		showNumbers(p, r)
	} else {
		for i := range r.Sides[0].Heads {
			if !r.OneMove {
				break
			}
			block(p, r, "", game.Good, func(s *lab.Side) (float64, string) { return s.Heads[i].P, s.Heads[i].FineText })
		}
		for _, kind := range r.Kinds {
			block(p, r, kind.Label, kind.Tone, func(s *lab.Side) (float64, string) {
				for _, part := range s.Parts {
					if part.ID == kind.ID {
						return part.P, part.Fine
					}
				}
				return 0, p.Tenths(0, false, false)
			})
		}
	}
	if len(r.Differences) > 0 {
		fmt.Fprintln(p.Out)
	}
	for _, text := range r.Differences {
		write(p, text, lipgloss.NewStyle())
	}
}

// block draws a bar for each side, below a title.
func block(p *cli.Program, r *lab.Report, title string, tone game.Tone, value func(*lab.Side) (part float64, shown string)) {
	fmt.Fprintln(p.Out)
	if title != "" {
		fmt.Fprintln(p.Out, cli.Tones[tone].Render(title))
	}
	shown, parts, names, widest := make([]string, len(r.Sides)), make([]float64, len(r.Sides)), 0, 0
	for i := range r.Sides {
		parts[i], shown[i] = value(&r.Sides[i])
		names, widest = max(names, lipgloss.Width(r.Sides[i].Name)), max(widest, lipgloss.Width(shown[i]))
	}
	names = min(names, p.Out.Width/2)
	length := min(max(p.Out.Width-names-widest-6, 10), 44)
	for i, s := range r.Sides {
		drawn := blocks(parts[i], length)
		fmt.Fprintln(p.Out, "  "+cli.Pad(shorten(s.Name, names), names)+"  "+cli.Tones[tone].Render(drawn)+
			cli.Pad("", length-lipgloss.Width(drawn))+"  "+cli.PadLeft(shown[i], widest))
	}
}

// common returns the details that all sides share.
func common(p *cli.Program, sides []lab.Side) []string {
	if sides[0].Game == bare.Dice {
		return nil
	}
	return slices.DeleteFunc(sides[0].Details(p.Speaker), func(detail string) bool {
		return slices.ContainsFunc(sides, func(s lab.Side) bool { return !slices.Contains(s.Details(p.Speaker), detail) })
	})
}

// showNumbers compares settings of a move that only counts: the averages, then the chance of each
// number or more.
func showNumbers(p *cli.Program, r *lab.Report) {
	greatest := 1e-9
	for _, s := range r.Sides {
		greatest = max(greatest, odds.Float(s.Odds.Mean()))
	}
	block(p, r, "", game.Neutral, func(s *lab.Side) (float64, string) {
		return max(odds.Float(s.Odds.Mean())/greatest, 0), s.Mean
	})
	table := [][]string{{p.Say("norn.odds.at-least")}}
	for _, s := range r.Sides {
		table[0] = append(table[0], shorten(s.Name, 16))
	}
	for _, rows := range lines(r.Compared.Rows) {
		line := []string{p.Number(rows[0].N)}
		for i := range r.Sides {
			line = append(line, atLeast(p, &r.Sides[i], odds.Row{Outcome: rows[0].Outcome, N: rows[0].N}))
		}
		table = append(table, line)
	}
	widths := make([]int, len(table[0]))
	for _, line := range table {
		for i, cell := range line {
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	fmt.Fprintln(p.Out)
	for i, line := range table {
		text := " "
		for j, cell := range line {
			text += " " + cli.PadLeft(cell, widths[j]+1)
		}
		if i == 0 {
			text = cli.Quiet.Render(text)
		}
		fmt.Fprintln(p.Out, text)
	}
}

// shorten cuts a name to a width.
func shorten(text string, width int) string {
	if lipgloss.Width(text) <= width {
		return text
	}
	return string([]rune(text)[:max(width-1, 0)]) + "…"
}
