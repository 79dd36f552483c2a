package throw

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/rule"
)

// choosing configures the answers to questions in the middle of a move: --best for one of its aims,
// --choose for given answers.
type choosing struct {
	aim     cli.TextFlag
	answers cli.ListFlag
}

func choosingFlags(p *cli.Program, c *cobra.Command) *choosing {
	f := &choosing{
		aim:     cli.TextFlag{Metavar: p.Say("norn.metavar.aim")},
		answers: cli.ListFlag{Metavar: p.Say("norn.metavar.answer")},
	}
	c.Flags().Var(&f.aim, "best", p.Say("norn.flag.best"))
	cli.Complete(c, "best", func() []cobra.Completion { return nil })
	c.Flags().Var(&f.answers, "choose", p.Say("norn.flag.choose"))
	cli.Complete(c, "choose", func() []cobra.Completion { return nil })
	return f
}

func (f *choosing) isGiven() bool { return f.aim.Given || len(f.answers.Values) > 0 }

// aim finds one of the move's aims.
func aim(p *cli.Program, t *throw, id string) (game.Aim, error) {
	m := t.bare.Move
	aim, ok := m.Aim(id)
	if ok {
		return aim, nil
	}
	wrong := p.Wrong("norn.error.unknown-aim", "Name", id)
	if len(m.Aims) == 0 || t.bare.Game == bare.Dice {
		return aim, wrong
	}
	names := game.Each(m.Aims, func(a game.Aim) string { return a.ID + " (" + p.Say(t.bare.Game.Word("aim", a.ID)) + ")" })
	return aim, wrong.Hinting(p.Say("norn.hint.names", "Names", strings.Join(names, ", ")))
}

// policy answers questions as --choose says: QUESTION=ANSWER and QUESTION.FIELD=ANSWER. unmet lists those
// that nobody asked.
func policy(p *cli.Program, t *throw, texts []string) (policy rule.Policy, unmet func() []string, err error) {
	policy = rule.Policy{}
	for _, text := range texts {
		place, answer, ok := strings.Cut(text, "=")
		question, field, _ := strings.Cut(strings.TrimPrefix(place, t.Game+"."), ".")
		if !ok || question == "" {
			return nil, nil, p.Wrong("norn.error.choose", "Given", text)
		}
		given, known := policy[t.Game+"."+question].(rule.Given)
		if !known {
			given = rule.Given{Words: map[string]string{}, Met: new(bool)}
			policy[t.Game+"."+question] = given
		}
		given.Words[field] = answer
	}
	return policy, func() (names []string) {
		for _, question := range slices.Sorted(maps.Keys(policy)) {
			if !*policy[question].(rule.Given).Met {
				names = append(names, strings.TrimPrefix(question, t.Game+"."))
			}
		}
		return names
	}, nil
}

// unchosen explains why an answer can't be taken.
func unchosen(p *cli.Program, t *throw, err error) error {
	var (
		given    *rule.GivenError
		problems form.Problems
	)
	if errors.As(err, &given) && errors.As(given.Err, &problems) {
		for i := range problems {
			problems[i].Path = "choose " + strings.TrimPrefix(given.Question, t.Game+".") + "." + problems[i].Path
		}
		return problems
	}
	return err
}
