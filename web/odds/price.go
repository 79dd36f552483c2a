package odds

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"norn/game"
	"norn/internal/bare"
	"norn/internal/lab"
	"norn/odds"
)

// work computes the odds and makes the plots, and the file unless it's "". Together this is the
// cost of a request.
func (p *asked) work(ctx context.Context, asker, file string) {
	if p.throw.Form == nil {
		return
	}
	err := p.pages.Gate.Work(odds.WithFractions(ctx, p.full), asker, asker, func(ctx context.Context) (err error) {
		if p.report, err = lab.Answer(ctx, p.reader.Speaker, lab.Question{Throws: p.throws(), Aim: p.aim}); err == nil {
			err = p.draw(ctx, file)
		}
		return err
	})
	if err == nil {
		p.pages.Gate.CountFound(p.report.Compared.Sides...)
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
		p.report = nil
	}
}

// draw makes the plots and the file.
func (p *asked) draw(ctx context.Context, file string) error {
	p.Plots = p.plots()
	switch file {
	case "odds.csv":
		return p.csv()
	case "odds.svg":
		return p.svg(ctx)
	}
	return nil
}

// now returns the side of the fields' values.
func (p *asked) now() *lab.Side { return &p.report.Sides[len(p.report.Sides)-1] }

// list returns the table of one side.
func (p *asked) list() []odds.Bar { return fine(likeliest(p.now().Rows), 40) }

// edit returns the address of the page with a side's values in its fields.
func (p *asked) edit(s lab.Side) string { return p.link(s.Throw, p.throws()) }

// without returns the address of the page without a side, of which there are several.
func (p *asked) without(s lab.Side) string {
	if !s.Same(p.throw) {
		return p.link(p.throw, slices.DeleteFunc(slices.Clone(p.kept), s.Same))
	}
	others := slices.DeleteFunc(p.throws(), s.Same)
	return p.link(others[len(others)-1], others[:len(others)-1])
}

// throws returns what the page shows: the newest of the saved throws, and the fields' values.
func (p *asked) throws() []bare.Throw {
	throws := bare.Unlike(append(slices.Clone(p.kept), p.throw))
	return throws[max(0, len(throws)-bare.MostCompared):]
}
