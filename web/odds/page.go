package odds

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"

	"norn/bare"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/odds"
	"norn/page"
	"norn/web/door"
	"norn/web/html"
)

// The parameters of a public odds page that are no fields of the move.
const (
	atWith = html.Own + "with" // a setting to compare with, "difficulty=2,skill=on"; may be given again and again
	atForm = html.Own + "form" // the fields come from a form, where a box that wasn't sent is off
	atAim  = html.Own + "aim"  // for what questions in the middle get their best answers
	atLang = "lang"            // the language that the page is told in, whoever reads it
)

// Pages are those of odds without a table.
type Pages struct {
	*door.Keeper
	Gate *odds.Gate // to where odds are worked out

	chooses sync.Map // "edda.act" to whether there's something to choose in its middle
}

// Routes are where they stand.
func (all *Pages) Routes() door.Routes {
	return door.Routes{
		"GET /odds":                      all.index,
		"GET /odds/dice":                 all.of,
		"GET /odds/dice/{file}":          all.of,
		"GET /odds/{game}/{move}":        all.of,
		"GET /odds/{game}/{move}/{file}": all.of,
	}
}

// asked is the page of a move's odds without a table.
type asked struct {
	Words
	reader   html.Reader
	pages    *Pages
	move     *game.Move
	throw    bare.Throw // as the fields say; without a Form where they're wrong
	kept     []bare.Throw
	aim      string    // of the move's, "" for none
	tongue   lang.Lang // that the address names, "" for none
	settings []setting // what is shown, one or several
	sides    *odds.Comparison
	Fields   html.Fields
	Problem  string // with no field
	Shown    html.Chances
	Plots    []page.Plot
	file     []byte // that was asked for
	status   int
}

// setting is one that is shown.
type setting struct {
	bare.Throw
	Name   string
	Now    bool   // the fields hold it
	Edit   string // address of the page with this setting in its fields
	Remove string // address of the page without it; "" where it can't go
}

// index lists all moves that have odds without a table.
func (p *Pages) index(w http.ResponseWriter, r *http.Request) {
	read, tongue := p.reader(r)
	p.Show(w, r, http.StatusOK, p.oddsList(read, r, tongue))
}

// of answers with the page of a move's odds, with its result alone, or with
// a file of it.
func (all *Pages) of(w http.ResponseWriter, r *http.Request) {
	p, ok := all.asked(r)
	file := r.PathValue("file")
	if !ok || file != "" && file != "odds.csv" && file != "odds.svg" {
		all.NotFound(w, r)
		return
	}
	if !door.HX(r) && r.URL.Query().Has(atForm) && p.throw.Form != nil && file == "" {
		http.Redirect(w, r, p.link(p.throw, p.kept), http.StatusSeeOther) // a short address, to be sent on
		return
	}
	p.work(r.Context(), odds.Asker(r.RemoteAddr), file)
	if p.status == http.StatusTooManyRequests || p.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "2")
	}
	switch {
	case file == "" && door.HX(r):
		all.Show(w, r, p.status, p.oddsResult())
	case file == "":
		all.Show(w, r, p.status, p.oddsPage(r))
	case p.sides == nil:
		all.Show(w, r, cmp.Or(max(p.status, http.StatusUnprocessableEntity)), p.oddsPage(r))
	case file == "odds.csv":
		p.send(w, "text/csv; charset=utf-8", "csv")
	default:
		// Its own style is the only thing in it; nothing else is loaded.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		p.send(w, "image/svg+xml; charset=utf-8", "svg")
	}
}

// aims are those of the move, where there's something to choose in its middle.
func (p *asked) aims(ctx context.Context) []game.Aim {
	at := p.Game.ID + "." + p.move.ID
	chooses, known := p.pages.chooses.Load(at)
	if !known {
		usual, err := bare.Texts(p.Game, p.move, nil)
		if err != nil {
			usual, err = bare.Texts(p.Game, p.move, beginning(p.move.Form.For(form.Bare)))
		}
		chooses = err == nil && usual.Chooses(ctx)
		if ctx.Err() == nil {
			p.pages.chooses.Store(at, chooses)
		}
	}
	if chooses != true {
		return nil
	}
	return p.move.Aims
}

// aimed is what an aim is for, in words.
func (p *asked) aimed(id string) string { return p.Word("aim", id) }

// advised are the best choices, each with how likely it comes up.
func (p *asked) advised() []page.Bar {
	policy := p.sides.Sides[0].Policy
	if policy == nil {
		return nil
	}
	voice, g := p.Voice.Voice, p.Game
	var bars []page.Bar
	for _, t := range policy.Taken {
		situation := p.Say(g.Word("question", strings.TrimPrefix(t.Question, g.ID+".")))
		if about, ok := voice.Speak(t.About); ok {
			situation = about
		}
		bars = append(bars, page.Bar{
			Label: situation + " → " + voice.Answer(g, t.Question, t.Form, t.Weigh, t.Answer),
			P:     odds.Float(t.P), Shown: p.fine(odds.Row{P: t.P}), Exact: p.Fraction(t.P),
		})
	}
	return bars
}

// work prices what is asked for and makes its drawings and the file, "" for none: all of it is what a question costs.
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
	err := p.pages.Priced(ctx, asker, asker, func(ctx context.Context) (err error) {
		if p.sides, err = bare.Compare(ctx, throws, p.aim); err == nil {
			err = p.draw(ctx, throws, file)
		}
		return err
	})
	if err == nil {
		for _, side := range p.sides.Sides {
			p.pages.Counted(side)
		}
	}
	var (
		crowded *odds.CrowdedError
		large   *odds.LargeError
	)
	refusal, refused := game.AsRefusal(err)
	switch {
	case refused, errors.As(err, &large): // the best can't be found, or not so much
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
		p.Problem = cmp.Or(Hurried(p.Speaker, err), p.Say("web.error.unavailable"))
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
	p.Shown = p.Drawn(p.move, p.sides.Sides[len(p.sides.Sides)-1])
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

// name is that of the game and the move.
func (p *asked) name() string {
	if p.Game == bare.Dice {
		return p.heading()
	}
	return p.Word("game", "name") + " · " + p.heading()
}

// heading is the move's name.
func (p *asked) heading() string {
	if p.Game == bare.Dice {
		return p.Word("game", "name")
	}
	return p.Word("move", p.move.ID)
}
