package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

func (p *program) rollCommand() *cobra.Command {
	c := p.group("roll "+p.Say("norn.metavar.game")+" "+p.Say("norn.metavar.move")+" "+p.Say("norn.metavar.flags"),
		"norn.about.roll", "norn.error.missing-game", "norn.error.unknown-game")
	c.Example = p.examples("roll", "norn roll dice 2d10+3")
	p.throwCommands(c, func(c *cobra.Command) func(*cobra.Command, *throw) error {
		faces := &textFlag{metavar: p.Say("norn.metavar.faces")}
		if own := c.Flags().Lookup("dice"); own != nil { // the move has dice to name: 3d8
			own.Value = &eitherFlag{field: own.Value, faces: faces}
			own.Usage += "; " + p.Say("norn.flag.dice")
		} else {
			c.Flags().Var(faces, "dice", p.Say("norn.flag.dice"))
			complete(c, "dice", func() []cobra.Completion { return nil })
		}
		answers := &listFlag{metavar: p.Say("norn.metavar.answer")}
		c.Flags().Var(answers, "choose", p.Say("norn.flag.choose"))
		complete(c, "choose", func() []cobra.Completion { return nil })
		asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
		return func(_ *cobra.Command, t *throw) error {
			rolled, err := p.roll(t, faces, answers.values)
			if err != nil {
				return err
			}
			if *asJSON {
				return p.json(rolled)
			}
			p.showRoll(rolled)
			return nil
		}
	})
	return c
}

// eitherFlag is --dice of a move that has a field of this name: notation such
// as 3d8 is the field's, faces such as 1,4,8 are those thrown by hand. It may
// be given once for each.
type eitherFlag struct {
	field pflag.Value
	faces *textFlag
}

func (f *eitherFlag) String() string { return f.field.String() }

func (f *eitherFlag) Type() string { return f.field.Type() }

func (f *eitherFlag) Set(text string) error {
	if strings.ContainsFunc(text, unicode.IsLetter) || strings.Contains(text, "%") {
		return f.field.Set(text)
	}
	return f.faces.Set(text)
}

// rolled is a throw that was made.
type rolled struct {
	*throw
	Dice    []die  `json:"dice"`
	Outcome string `json:"outcome"`
	N       *int   `json:"n,omitempty"` // only where the outcome counts something
	Text    string `json:"text"`

	value   rule.Outcome
	trail   rule.Trail
	unasked []string // questions that were answered, and that didn't come up
}

// die is one die as it fell.
type die struct {
	Sides int    `json:"sides"`
	Face  int    `json:"face"`
	For   string `json:"for"`
}

// roll throws, or judges the faces given.
func (p *program) roll(t *throw, faces *textFlag, chosen []string) (*rolled, error) {
	policy, met, err := p.policy(t, chosen)
	if err != nil {
		return nil, err
	}
	source, done := rule.Free(dice.NewStream(seed())), func() error { return nil }
	if faces.given {
		typed, err := dice.ParseFaces(faces.value)
		if err != nil {
			return nil, p.diceProblem(err)
		}
		hand := dice.NewHand(typed)
		source, done = rule.ByHand(hand, false), hand.Done
	}
	result, err := rule.Play(t.rule, rule.Options{Source: source, Policy: policy})
	if err == nil {
		err = done()
	}
	if given := (*rule.GivenError)(nil); errors.As(err, &given) {
		return nil, p.unchosen(t, err)
	}
	if err != nil {
		return nil, p.diceProblem(err)
	}
	r := &rolled{
		throw: t, Dice: []die{}, Outcome: result.Value.ID, Text: t.text(result.Value),
		value: result.Value, trail: result.Trail,
	}
	for _, question := range slices.Sorted(maps.Keys(met)) {
		if !*met[question] {
			r.unasked = append(r.unasked, strings.TrimPrefix(question, t.Game+"."))
		}
	}
	if t.outcome(result.Value.ID).Counts {
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

// seed is drawn from the system, so that nobody can foretell the dice.
func seed() (s [32]byte) {
	rand.Read(s[:]) // never fails
	return s
}

// showRoll prints the dice, the outcome and what it means.
func (p *program) showRoll(r *rolled) {
	p.heading(r.throw)
	tone := tones[r.outcome(r.value.ID).Tone]
	nth, column := 0, 0
	for _, step := range r.trail {
		if step.Dice != nil {
			column = max(column, len(poolOf(step.Dice)))
		}
	}
	for _, step := range r.trail {
		if step.Dice == nil {
			continue
		}
		p.showDice(*step.Dice, r.mark(nth, *step.Dice), column, tone)
		nth++
	}
	if nth > 0 {
		fmt.Fprintln(p.out)
	}
	fmt.Fprintln(p.out, tone.Bold(true).Render(r.Text))
	if len(r.unasked) > 0 {
		fmt.Fprintln(p.out, quiet.Render(p.Say("norn.roll.unasked", "Names", strings.Join(r.unasked, ", "))))
	}
	if meaning := r.meaning(r.value); meaning != "" {
		for _, line := range wrap(meaning, p.out.width) {
			fmt.Fprintln(p.out, line)
		}
	}
}

func poolOf(t *rule.Thrown) string { return dice.Pool{N: len(t.Faces), Sides: t.Sides}.String() }

// showDice prints one throw, on as many lines as it needs. Dice that decide
// stand out, those that don't count are struck.
func (p *program) showDice(t rule.Thrown, marks []game.Mark, column int, tone lipgloss.Style) {
	var faces []string
	for i, face := range t.Faces {
		faces = append(faces, p.face(face, marks[i], len(strconv.Itoa(t.Sides)), tone))
	}
	margin := pad(poolOf(&t), column)
	line := "  " + quiet.Render(margin) + " "
	used := column + 3
	for _, face := range faces {
		if width := lipgloss.Width(face); used+width+1 > p.out.width {
			fmt.Fprintln(p.out, strings.TrimRight(line, " "))
			line, used = pad("", column+3), column+3
		}
		line += " " + face
		used += lipgloss.Width(face) + 1
	}
	fmt.Fprintln(p.out, strings.TrimRight(line, " "))
}

// face draws one die: reversed, plain or struck where there's style, else
// [10], 10 or (10).
func (p *program) face(face int, mark game.Mark, digits int, tone lipgloss.Style) string {
	text := padLeft(strconv.Itoa(face), digits)
	switch {
	case mark.Decides() && p.out.styled():
		return tone.Bold(true).Reverse(true).Render(" " + text + " ")
	case mark.Decides():
		return padLeft("["+strconv.Itoa(face)+"]", digits+2)
	case mark == game.Cancelled && p.out.styled():
		return pad("", digits+1-len(strconv.Itoa(face))) + struck.Render(strconv.Itoa(face)) + " "
	case mark == game.Cancelled:
		return padLeft("("+strconv.Itoa(face)+")", digits+2)
	}
	return " " + text + " "
}

// json prints a value: on lines of its own for people, on one line for
// programs.
func (p *program) json(value any) error {
	encoder := json.NewEncoder(p.out)
	encoder.SetEscapeHTML(false)
	if p.out.terminal {
		encoder.SetIndent("", "  ")
	}
	return encoder.Encode(value)
}
