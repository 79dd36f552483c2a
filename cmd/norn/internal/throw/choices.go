package throw

import (
	"errors"
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

// policy answers questions as --choose says. met records which of them were asked.
func policy(p *cli.Program, t *throw, texts []string) (policy rule.Policy, met map[string]*bool, err error) {
	answers, err := answers(p, t, texts)
	if err != nil {
		return nil, nil, err
	}
	policy, met = rule.Policy{}, map[string]*bool{}
	for question, words := range answers {
		met[question] = new(bool)
		policy[question] = rule.Given{Words: words, Met: met[question]}
	}
	return policy, met, nil
}

// answers parses QUESTION=ANSWER and QUESTION.FIELD=ANSWER.
func answers(p *cli.Program, t *throw, texts []string) (map[string]map[string]string, error) {
	all := map[string]map[string]string{}
	for _, text := range texts {
		place, answer, ok := strings.Cut(text, "=")
		question, field, _ := strings.Cut(strings.TrimPrefix(place, t.Game+"."), ".")
		if !ok || question == "" {
			return nil, p.Wrong("norn.error.choose", "Given", text)
		}
		question = t.Game + "." + question
		if all[question] == nil {
			all[question] = map[string]string{}
		}
		all[question][field] = answer
	}
	return all, nil
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
