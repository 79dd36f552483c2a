package throw

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/cmd/norn/internal/cli"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/odds"
	"norn/rule"
)

// side is one setting of a comparison.
type side struct {
	*priced
	name string
}

// compare prices settings of a move and prints them next to each other.
func compare(p *cli.Program, c *cobra.Command, t *throw, given []string, price func(*throw) (*priced, error), asJSON,
	asCSV bool,
) error {
	throws, err := settings(p, c, t, given)
	if err != nil {
		return err
	}
	names := bare.Names(p.Speaker, throws)
	sides := make([]side, len(throws))
	laws := make([]*odds.Odds, len(throws))
	plain := make([]string, len(throws))
	for i, b := range throws {
		priced, err := price(throwOf(p, b))
		if err != nil {
			return err
		}
		sides[i], laws[i], plain[i] = side{priced, names[i]}, priced.odds, b.String()
	}
	lined := odds.Compare(t.kinds(), laws...)
	switch {
	case asJSON:
		return p.JSON(comparedJSON{sides, lined})
	case asCSV:
		return lined.CSV(p.Out, plain)
	}
	showCompared(p, t, sides, lined)
	for i, text := range bare.Differences(p.Speaker, throws, names, laws) {
		if i == 0 {
			fmt.Fprintln(p.Out)
		}
		for _, line := range cli.Wrap(text, p.Out.Width) {
			fmt.Fprintln(p.Out, line)
		}
	}
	return nil
}

// settings returns the throws that the line asks for. "difficulty=0,1,2" or "mastery" sets each of
// a field's values, and several of these for all combinations; then the line's own setting isn't
// one of them. "--difficulty 1 --mastery" is one setting in addition to the line's own, and so is a
// notation.
func settings(p *cli.Program, c *cobra.Command, t *throw, given []string) ([]bare.Throw, error) {
	throws, others := []bare.Throw{t.bare}, []bare.Throw(nil)
	for _, text := range given {
		switch {
		case t.bare.Game == bare.Dice:
			other, err := t.bare.Set(map[string]string{"notation": text})
			if err != nil {
				return nil, unset(p, err)
			}
			others = append(others, other)
		case strings.HasPrefix(strings.TrimSpace(text), "-"):
			texts, err := flagsIn(p, c, t, text)
			if err != nil {
				return nil, err
			}
			other, err := t.bare.Set(texts)
			if err != nil {
				return nil, unset(p, err)
			}
			others = append(others, other)
		default:
			var next []bare.Throw
			for _, throw := range throws {
				through, err := through(p, c, throw, text)
				if err != nil {
					return nil, err
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
	case !given && field.Kind != form.KindBool && field.Kind != form.KindTrait:
		return nil, p.Wrong("norn.error.compare-values", "Field", name)
	case !given:
		list = "no,yes"
	}
	var throws []bare.Throw
	for value := range strings.SplitSeq(list, ",") {
		other, err := throw.Set(map[string]string{name: strings.TrimSpace(value)})
		if err != nil {
			return nil, unset(p, err)
		}
		throws = append(throws, other)
	}
	return throws, nil
}

// flagsIn parses a setting written as flags.
func flagsIn(p *cli.Program, c *cobra.Command, t *throw, text string) (map[string]string, error) {
	texts := map[string]string{}
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	fieldFlags(p, set, t.bare.Game, t.bare.Form, texts)
	if err := set.Parse(strings.Fields(text)); err != nil {
		return nil, p.FlagProblem(c, err)
	}
	if set.NArg() > 0 {
		return nil, p.Wrong("norn.error.extra", "Arg", set.Arg(0)).Hinting(p.Say("norn.hint.compare"))
	}
	return texts, nil
}

// unset explains what is wrong with a setting.
func unset(p *cli.Program, err error) error {
	if notation, ok := err.(*game.NotationError); ok {
		return notationProblem(p, notation.Text, notation.Err)
	}
	return err
}

// comparedJSON encodes a comparison for programs.
type comparedJSON struct {
	sides []side
	lined *odds.Comparison
}

// MarshalJSON writes {"game","move","settings":[{"name","args","rows","expected"}],"rows":[…]}.
func (c comparedJSON) MarshalJSON() ([]byte, error) {
	type setting struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	}
	out := struct {
		Game     string            `json:"game"`
		Move     string            `json:"move"`
		Settings []json.RawMessage `json:"settings"`
	}{Game: c.sides[0].Game, Move: c.sides[0].Move}
	for _, s := range c.sides {
		told, err := members(setting{s.name, s.Args}, s.odds)
		if err != nil {
			return nil, err
		}
		out.Settings = append(out.Settings, told)
	}
	return members(out, c.lined)
}

// showCompared draws settings next to each other: for each question a bar for each setting.
func showCompared(p *cli.Program, t *throw, sides []side, lined *odds.Comparison) {
	fmt.Fprintln(p.Out, cli.Strong.Render(compareTitle(p, t)))
	if common := common(sides); len(common) > 0 {
		fmt.Fprintln(p.Out, cli.Quiet.Render(strings.Join(common, " · ")))
	}
	if policy := sides[0].odds.Policy; policy != nil {
		fmt.Fprintln(p.Out, cli.Quiet.Render(p.Say("norn.choice.head", "Aim",
			p.Say(t.bare.Game.Word("aim", sides[0].aim)))))
	}
	names := 0
	for _, s := range sides {
		names = max(names, lipgloss.Width(s.name))
	}
	names = min(names, p.Out.Width/2)
	if i := slices.IndexFunc(sides, func(s side) bool { return s.odds.Runs > 0 }); i >= 0 {
		fmt.Fprintln(p.Out, cli.Quiet.Render(simulated(p, sides[i].odds)))
	}
	block := func(title string, tone game.Tone, value func(side) (part float64, shown string)) {
		fmt.Fprintln(p.Out)
		if title != "" {
			fmt.Fprintln(p.Out, cli.Tones[tone].Render(title))
		}
		shown, parts, widest := make([]string, len(sides)), make([]float64, len(sides)), 0
		for i, s := range sides {
			parts[i], shown[i] = value(s)
			widest = max(widest, lipgloss.Width(shown[i]))
		}
		length := min(max(p.Out.Width-names-widest-6, 10), 44)
		for i, s := range sides {
			drawn := blocks(parts[i], length)
			fmt.Fprintln(p.Out, "  "+cli.Pad(shorten(s.name, names), names)+"  "+cli.Tones[tone].Render(drawn)+
				cli.Pad("", length-lipgloss.Width(drawn))+"  "+cli.PadLeft(shown[i], widest))
		}
	}
	only := true
	for _, s := range sides {
		only = only && s.only() != "" && s.only() == sides[0].only()
	}
	if only {
		showNumbers(p, sides, lined, block)
		return
	}
	for _, h := range t.headlines {
		block("", game.Good, func(s side) (float64, string) {
			chance := s.odds.Any(h.outcomes...)
			return odds.Float(chance), h.text(ratio(p, chance))
		})
	}
	for _, o := range t.outcomes {
		if !possible(sides, o.ID) {
			continue
		}
		block(plainOutcome(p, t, o), o.Tone, func(s side) (float64, string) {
			chance := s.odds.Any(o.ID)
			return odds.Float(chance), ratio(p, chance)
		})
	}
}

// common returns the details that all settings share.
func common(sides []side) []string {
	return slices.DeleteFunc(slices.Clone(sides[0].details), func(detail string) bool {
		return slices.ContainsFunc(sides, func(s side) bool { return !slices.Contains(s.details, detail) })
	})
}

func possible(sides []side, outcome string) bool {
	for _, s := range sides {
		if s.odds.Any(outcome).Sign() > 0 {
			return true
		}
	}
	return false
}

// plainOutcome returns an outcome's name without its number.
func plainOutcome(p *cli.Program, t *throw, o game.OutcomeKind) string {
	if id := t.bare.Game.Word("outcome-short", o.ID); p.Has(id) {
		return p.Say(id)
	}
	return t.text(rule.Outcome{ID: o.ID, N: 1})
}

// showNumbers compares settings of a move that only counts: the averages, then the chance of each
// number or more.
func showNumbers(p *cli.Program, sides []side, lined *odds.Comparison,
	block func(string, game.Tone, func(side) (float64, string)),
) {
	greatest := 0.0
	for _, s := range sides {
		greatest = max(greatest, odds.Float(s.odds.Mean()))
	}
	block("", game.Neutral, func(s side) (float64, string) {
		expected := s.odds.Mean()
		return max(odds.Float(expected)/max(greatest, 1e-9), 0), p.Say("norn.odds.expected", "Mean", mean(p, expected))
	})
	table := [][]string{{p.Say("norn.odds.at-least")}}
	for i := range sides {
		table[0] = append(table[0], shorten(sides[i].name, 16))
	}
	for _, rows := range lines(lined.Rows) {
		row := rows[0]
		line := []string{p.Number(row.N)}
		for _, s := range sides {
			line = append(line, ratio(p, s.odds.AtLeast(row.Outcome, row.N)))
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

// compareTitle returns the move's name. Notation has none of its own.
func compareTitle(p *cli.Program, t *throw) string {
	if t.bare.Game == bare.Dice {
		return p.Say("dice.game.name")
	}
	return t.title
}
