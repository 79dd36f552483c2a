package throw

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
	"norn/form"
	"norn/game"
	"norn/odds"
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

// priceChosen computes a throw's odds with choices.
func priceChosen(p *cli.Program, c *cobra.Command, t *throw, f *choosing) (*priced, error) {
	ahead := rule.Lookahead[rule.Outcome]{Limits: rule.Limits{Branches: rule.DefaultBranches}}
	if f.aim.Given {
		aim, err := aim(p, t, f.aim.Value)
		if err != nil {
			return nil, err
		}
		t.aim, ahead.Aim = aim.ID, aim.Value
	}
	policy, met, err := policy(p, t, f.answers.Values)
	if err != nil {
		return nil, err
	}
	ahead.Policy = policy
	o, err := odds.Best(c.Context(), t.rule, t.kinds(), ahead)
	if err != nil {
		return nil, unchosen(p, t, err)
	}
	for _, question := range slices.Sorted(maps.Keys(met)) {
		if !*met[question] {
			return nil, p.Wrong("norn.error.unknown-question", "Name", strings.TrimPrefix(question, t.Game+"."))
		}
	}
	return &priced{throw: t, odds: o}, nil
}

// aim finds one of the move's aims.
func aim(p *cli.Program, t *throw, id string) (game.Aim, error) {
	if t.bare.Move != nil {
		if aim, ok := t.bare.Move.Aim(id); ok {
			return aim, nil
		}
		if aims := t.bare.Move.Aims; len(aims) > 0 {
			names := make([]string, len(aims))
			for i, a := range aims {
				names[i] = a.ID + " (" + p.Say(t.bare.Game.Word("aim", a.ID)) + ")"
			}
			return game.Aim{}, p.Wrong("norn.error.unknown-aim", "Name",
				id).Hinting(p.Say("norn.hint.names", "Names", strings.Join(names, ", ")))
		}
	}
	return game.Aim{}, p.Wrong("norn.error.unknown-aim", "Name", id)
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

// unchosen explains why there are no odds for choices.
func unchosen(p *cli.Program, t *throw, err error) error {
	var (
		given    *rule.GivenError
		together *rule.TogetherError
		problems form.Problems
	)
	switch {
	case errors.As(err, &given) && errors.As(given.Err, &problems):
		for i := range problems {
			problems[i].Path = "choose " + strings.TrimPrefix(given.Question, t.Game+".") + "." + problems[i].Path
		}
		return problems
	case errors.As(err, &together):
		return p.Fails("norn.error.blind-choices")
	}
	return err
}

// showPolicy prints the best choices.
func showPolicy(p *cli.Program, o *priced) {
	policy := o.odds.Policy
	if policy == nil {
		return
	}
	g := o.bare.Game
	aim := p.Say(g.Word("aim", o.aim))
	fmt.Fprintln(p.Out)
	if len(policy.Taken) == 0 {
		fmt.Fprintln(p.Out, cli.Quiet.Render(p.Say("norn.choice.none", "Aim", aim)))
	} else {
		fmt.Fprintln(p.Out, cli.Strong.Render(p.Say("norn.choice.head", "Aim", aim)))
	}
	voice := game.Voice{Speaker: p.Speaker, Name: func(string) string { return p.Say("norn.choice.somebody") }}
	for _, t := range policy.Taken {
		situation := p.Say(g.Word("question", strings.TrimPrefix(t.Question, g.ID+".")))
		if about, ok := voice.Speak(t.About); ok {
			situation = about
		}
		answer := voice.Answer(g, t.Question, t.Form, t.Weigh, t.Answer)
		const indent = 10 // room for the chance
		for i, line := range cli.Wrap(situation+" → "+answer, p.Out.Width-indent) {
			chance := ""
			if i == 0 {
				chance = ratio(p, t.P)
			}
			fmt.Fprintln(p.Out, cli.Quiet.Render(cli.PadLeft(chance, indent-2))+"  "+line)
		}
	}
	for _, question := range policy.Assumed {
		fmt.Fprintln(p.Out, cli.Quiet.Render(p.Say("norn.choice.assumed", "Question",
			p.Say(g.Word("question", strings.TrimPrefix(question, g.ID+"."))))))
	}
}
