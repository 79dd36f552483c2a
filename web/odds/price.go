package odds

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"norn/game"
	"norn/internal/bare"
	"norn/internal/widget"
	"norn/odds"
)

// work computes the odds and makes the plots, and the file unless it's "". Together this is the
// cost of a request.
func (p *asked) work(ctx context.Context, asker, file string) {
	throws := slices.Clone(p.kept)
	if p.throw.Form != nil {
		throws = append(throws, p.throw)
	}
	throws = bare.Unlike(throws)
	if len(throws) > bare.MostCompared {
		throws = throws[len(throws)-bare.MostCompared:]
	}
	if len(throws) == 0 || p.throw.Form == nil {
		return
	}
	err := p.pages.Gate.Work(odds.WithFractions(ctx, p.full), asker, asker, func(ctx context.Context) (err error) {
		if p.sides, err = bare.Compare(ctx, throws, p.aim); err == nil {
			err = p.draw(ctx, throws, file)
		}
		return err
	})
	if err == nil {
		p.pages.Gate.CountFound(p.sides.Sides...)
	}
	var (
		crowded *odds.CrowdedError
		large   *odds.LargeError
	)
	refusal, refused := game.AsRefusal(err)
	switch {
	case refused, errors.As(err, &large): // the best can't be found, or the odds are too large
		p.status = http.StatusUnprocessableEntity
	case errors.As(err, &crowded) && crowded.Own:
		p.status = http.StatusTooManyRequests
	case errors.As(err, &crowded):
		p.status = http.StatusServiceUnavailable
	case err != nil:
		p.status = http.StatusServiceUnavailable
	}
	switch {
	case refused:
		p.Problem = p.Refusal(refusal)
	case err != nil:
		p.Problem = cmp.Or(Excuse(p.Speaker, err), p.Say("web.error.unavailable"))
	}
	if err != nil {
		p.sides = nil
	}
}

// draw makes what is shown of the odds, and the file.
func (p *asked) draw(ctx context.Context, throws []bare.Throw, file string) error {
	for i, name := range bare.Names(p.Speaker, throws) {
		s := setting{Throw: throws[i], Name: name, Now: throws[i].Same(p.throw)}
		others := slices.DeleteFunc(slices.Clone(throws), s.Same)
		s.Edit = p.link(throws[i], throws)
		switch {
		case len(others) == 0:
		case s.Now:
			s.Remove = p.link(others[len(others)-1], others[:len(others)-1])
		default:
			s.Remove = p.link(p.throw, slices.DeleteFunc(slices.Clone(p.kept), s.Same))
		}
		p.settings = append(p.settings, s)
	}
	p.Shown = p.Chances(p.move, p.sides.Sides[len(p.sides.Sides)-1])
	if n, ok := p.throw.Args.(game.Notation); ok {
		p.Shown.Meant = n.Understood(p.Speaker)
	}
	if len(throws) == 1 {
		p.Plots = p.plots(p.sides.Sides[0])
	} else {
		p.Plots = p.comparedPlots()
	}
	switch file {
	case "odds.csv":
		return p.csv()
	case "odds.svg":
		return p.svg(ctx)
	}
	return nil
}

// adviceBars returns the best answers, each with the chance that its question comes up.
func (p *asked) adviceBars() []widget.Bar {
	policy := p.sides.Sides[0].Policy
	if policy == nil {
		return nil
	}
	voice, g := p.Voice.Voice, p.Game
	var bars []widget.Bar
	for _, t := range policy.Taken {
		situation := p.Say(g.Word("question", strings.TrimPrefix(t.Question, g.ID+".")))
		if about, ok := voice.Speak(t.About); ok {
			situation = about
		}
		bars = append(bars, widget.Bar{
			Label: situation + " → " + voice.Answer(g, t.Question, t.Form, t.Weigh, t.Answer),
			P:     odds.Float(t.P), Shown: p.fine(odds.Row{P: t.P}), Exact: p.Fraction(t.P),
		})
	}
	return bars
}
