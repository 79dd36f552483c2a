package throw

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"
	"github.com/spf13/pflag"

	"norn/cmd/norn/internal/cli"
	"norn/dice"
	"norn/game"
	"norn/rule"
)

// eitherFlag is --dice of a move that has a field of this name: notation such as 3d8 sets the
// field, faces such as 1,4,8 are those of real dice. It may be given once for each.
type eitherFlag struct {
	field pflag.Value
	faces *cli.TextFlag
}

func (f *eitherFlag) String() string { return f.field.String() }
func (f *eitherFlag) Type() string   { return f.field.Type() }
func (f *eitherFlag) Set(text string) error {
	if strings.ContainsFunc(text, unicode.IsLetter) || strings.Contains(text, "%") {
		return f.field.Set(text)
	}
	return f.faces.Set(text)
}

// rolled is a completed throw.
type rolled struct {
	*throw
	Dice    []die  `json:"dice"`
	Outcome string `json:"outcome"`
	N       *int   `json:"n,omitempty"` // only where the outcome counts something
	Text    string `json:"text"`
	// the computation of a notation's value, where the dice alone don't show it
	How string `json:"how,omitempty"`

	value   rule.Outcome
	trail   rule.Trail
	unasked []string // answered questions that weren't asked
	minuses bool     // ones were read as a minus, where somebody may have meant +1
}

// die is one rolled die.
type die struct {
	Sides int    `json:"sides"`
	Face  int    `json:"face"`
	For   string `json:"for"`
}

// roll rolls the dice, or uses the given faces.
func roll(p *cli.Program, t *throw, faces *cli.TextFlag, chosen []string) (*rolled, error) {
	policy, unmet, err := policy(p, t, chosen)
	if err != nil {
		return nil, err
	}
	var seed [32]byte
	rand.Read(seed[:]) // never fails
	source, done := rule.RollerSource(dice.NewStream(seed)), func() error { return nil }
	var typed []int
	var hand *dice.Hand
	if faces.Given {
		if typed, err = dice.ParseFaces(faces.Value); err != nil {
			return nil, diceProblem(p, nil, nil, err)
		}
		hand = dice.NewHand(typed)
		source, done = rule.HandSource(hand, false), hand.CheckEmpty
	}
	how := ""
	result, err := rule.Play(t.bare.Live(func(text string) { how = text }), rule.Options{Source: source, Policy: policy})
	if err == nil {
		err = done()
	}
	if given := (*rule.GivenError)(nil); errors.As(err, &given) {
		return nil, unchosen(p, t, err)
	}
	if err != nil {
		return nil, diceProblem(p, typed, result.Trail, err)
	}
	r := &rolled{
		throw: t, Dice: []die{}, Outcome: result.Value.ID, Text: t.words.Result(result.Value), How: how,
		value: result.Value, trail: result.Trail, unasked: unmet(), minuses: hand != nil && hand.ReadOnesAsMinus(),
	}
	if t.bare.Move.Outcome(result.Value.ID).Counts {
		r.N = &r.value.N
	}
	for _, step := range result.Trail {
		if step.Dice == nil {
			continue
		}
		for _, face := range step.Dice.Faces {
			r.Dice = append(r.Dice, die{Sides: step.Dice.Sides, Face: face, For: step.Dice.For})
		}
	}
	return r, nil
}

// showRoll prints the dice, the outcome and its meaning.
func showRoll(p *cli.Program, r *rolled) {
	heading(p, r.throw)
	tone := cli.Tones[r.bare.Move.Outcome(r.value.ID).Tone]
	column := 0
	for _, step := range r.trail {
		if step.Dice != nil {
			column = max(column, len(poolOf(step.Dice)))
		}
	}
	for _, step := range r.trail {
		if step.Dice == nil {
			continue
		}
		showDice(p, *step.Dice, r.bare.Game.Showing(*step.Dice), r.bare.Move.Mark(r.bare.Args, *step.Dice), column, tone)
	}
	if column > 0 {
		fmt.Fprintln(p.Out)
	}
	if r.How != "" {
		write(p, p.Notation(r.How), cli.Quiet)
	}
	fmt.Fprintln(p.Out, tone.Bold(true).Render(r.Text))
	if r.minuses {
		fmt.Fprintln(p.Out, cli.Quiet.Render(p.Say("norn.roll.minuses")))
	}
	if len(r.unasked) > 0 {
		fmt.Fprintln(p.Out, cli.Quiet.Render(p.Say("norn.roll.unasked", "Names", strings.Join(r.unasked, ", "))))
	}
	if id := r.bare.Game.Word("meaning", r.Outcome); r.words.Has(id) {
		write(p, r.words.Say(id, "N", r.value.N), lipgloss.NewStyle())
	}
}

func poolOf(t *rule.Throw) string { return dice.Pool{N: len(t.Faces), Sides: t.Sides}.String() }

// showDice prints one throw, on as many lines as it needs. It highlights dice that decide and
// strikes out those that don't count.
func showDice(p *cli.Program, t rule.Throw, shown []string, marks []game.Mark, column int, tone lipgloss.Style) {
	var faces []string
	for i, face := range t.Faces {
		text := strconv.Itoa(face)
		if i < len(shown) {
			text = cli.Plain(shown[i])
		}
		faces = append(faces, drawFace(text, marks[i], len(strconv.Itoa(t.Sides)), p.Out.HasStyles(), tone))
	}
	if total := t.TotalText(); total != "" {
		faces = []string{total}
	}
	margin := cli.Pad(poolOf(&t), column)
	line := "  " + cli.Quiet.Render(margin) + " "
	used := column + 3
	for _, face := range faces {
		if width := lipgloss.Width(face); used+width+1 > p.Out.Width {
			fmt.Fprintln(p.Out, strings.TrimRight(line, " "))
			line, used = cli.Pad("", column+3), column+3
		}
		line += " " + face
		used += lipgloss.Width(face) + 1
	}
	fmt.Fprintln(p.Out, strings.TrimRight(line, " "))
}

// drawFace draws one die: reversed, plain or struck out with styles, otherwise [10], 10 or (10).
func drawFace(face string, mark game.Mark, digits int, styled bool, tone lipgloss.Style) string {
	text := cli.PadLeft(face, digits)
	switch {
	case mark.Decides() && styled:
		return tone.Bold(true).Reverse(true).Render(" " + text + " ")
	case mark.Decides():
		return cli.PadLeft("["+face+"]", digits+2)
	case mark == game.Cancelled && styled:
		return cli.Pad("", digits+1-lipgloss.Width(face)) + cli.Struck.Render(face) + " "
	case mark == game.Cancelled:
		return cli.PadLeft("("+face+")", digits+2)
	}
	return " " + text + " "
}
