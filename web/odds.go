package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"norn/bare"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/odds"
	"norn/page"
	"norn/table"
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

// publicOdds is the page of a move's odds without a table.
type publicOdds struct {
	*visit
	move     *game.Move
	throw    bare.Throw // as the fields say; without a Form where they're wrong
	kept     []bare.Throw
	aim      string    // of the move's, "" for none
	tongue   lang.Lang // that the address names, "" for none
	settings []setting // what is shown, one or several
	sides    *odds.Comparison
	Fields   html.Fields
	Problem  string // with no field
	Shown    chances
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

// oddsIndex lists all moves that have odds without a table.
func (s *server) oddsIndex(w http.ResponseWriter, r *http.Request) {
	read, tongue := s.oddsReader(r)
	s.Show(w, r, http.StatusOK, s.oddsList(read, r, tongue))
}

// oddsOf answers with the page of a move's odds, with its result alone, or with
// a file of it.
func (s *server) oddsOf(w http.ResponseWriter, r *http.Request) {
	p, ok := s.askedOdds(r)
	file := r.PathValue("file")
	if !ok || file != "" && file != "odds.csv" && file != "odds.svg" {
		s.NotFound(w, r)
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
		s.Show(w, r, p.status, p.oddsResult())
	case file == "":
		s.Show(w, r, p.status, p.oddsPage(r))
	case p.sides == nil:
		s.Show(w, r, cmp.Or(max(p.status, http.StatusUnprocessableEntity)), p.oddsPage(r))
	case file == "odds.csv":
		p.send(w, "text/csv; charset=utf-8", "csv")
	default:
		// Its own style is the only thing in it; nothing else is loaded.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		p.send(w, "image/svg+xml; charset=utf-8", "svg")
	}
}

// askedOdds reads what is asked for; false means that there's no such move.
func (s *server) askedOdds(r *http.Request) (*publicOdds, bool) {
	g, id := bare.Dice, bare.Dice.Moves[0].ID
	if name := r.PathValue("game"); name != "" {
		g, id = s.games[name], r.PathValue("move")
	}
	if g == nil {
		return nil, false
	}
	m, ok := bare.Move(g, id)
	if !ok {
		return nil, false
	}
	read, tongue := s.oddsReader(r)
	read.Speaker = read.Of(g.ID)
	v := &visit{Reader: read, s: s, voice: html.Voice{Voice: table.VoiceOf(read.Speaker), Game: g, Labels: "field"}, at: choice{Move: m.ID}}
	p := &publicOdds{visit: v, move: m, tongue: tongue, status: http.StatusOK}
	query := r.URL.Query()
	if aim, ok := m.Aim(query.Get(atAim)); ok {
		p.aim = aim.ID
	}
	query.Del(atLang)
	for _, text := range query[atWith] {
		if t, err := setOf(g, m, text); err == nil && len(p.kept) < bare.MostCompared { // a broken part of a link is left out
			p.kept = append(p.kept, t)
		}
	}
	p.kept = bare.Unlike(p.kept)
	f := m.Form.For(form.Bare)
	p.Fields = html.Fields{Form: f, ID: "odds", Voice: v.voice}
	var err error
	if query.Has(atForm) {
		p.Fields.Values = html.Sent(query)
		p.throw, err = bare.Values(g, m, p.Fields.Values)
	} else {
		texts := map[string]string{}
		p.Fields.Values = html.Offered(f)
		for name, given := range html.Sent(query) {
			if _, known := f.Field(name); known {
				texts[name] = given[len(given)-1]
				p.Fields.Values.Set(name, texts[name])
			}
		}
		if _, err := bare.Texts(g, m, nil); err != nil && len(texts) == 0 {
			texts = beginning(f)
		}
		p.throw, err = bare.Texts(g, m, texts)
	}
	if err != nil {
		p.wrong(err)
		return p, true
	}
	if !query.Has(atForm) {
		p.Fields.Values = f.Inputs(p.throw.Args)
	}
	return p, true
}

// oddsReader is who reads a page of odds. An address may name the language, so
// that it's read as it was sent; tongue is that, "" where it names none.
func (s *server) oddsReader(r *http.Request) (read html.Reader, tongue lang.Lang) {
	read = s.ReaderOf(r)
	if l, ok := lang.Parse(r.URL.Query().Get(atLang)); ok {
		read.Speaker, tongue = s.Words.In(l), l
	}
	return read, tongue
}

// told is an address in a language, if one is to be named.
func told(path string, tongue lang.Lang) string {
	if tongue == "" {
		return path
	}
	mark := "?"
	if strings.Contains(path, "?") {
		mark = "&"
	}
	return path + mark + atLang + "=" + string(tongue)
}

// untold is an address that names no language, so that the reader's choice counts.
func untold(at *url.URL) string {
	query := at.Query()
	query.Del(atLang)
	rest := url.URL{Path: at.Path, RawQuery: query.Encode()}
	return rest.RequestURI()
}

// beginning fills in what a move needs and nothing is usual for, so that its
// page has something to begin with.
func beginning(f *form.Form) map[string]string {
	texts := map[string]string{}
	for _, field := range f.Fields {
		switch {
		case field.Kind == form.KindFaces: // pools
			texts[field.Name] = "6 5"
		case field.Kind == form.KindText && field.Required: // notation
			texts[field.Name] = "3d6"
		}
	}
	return texts
}

// wrong says what is wrong with the fields.
func (p *publicOdds) wrong(err error) {
	p.status = http.StatusUnprocessableEntity
	var notation *game.NotationError
	switch refusal, refused := game.AsRefusal(err); {
	case errors.As(err, &notation):
		p.Fields.Problems = map[string]string{"notation": bare.Say(p.Speaker, notation)}
	case refused:
		p.Problem = p.voice.Refusal(refusal)
	default:
		p.Fields.Problems = p.voice.ProblemsOf(p.Fields.Form, bare.Problems(err))
	}
}

// setOf reads a setting of a link.
func setOf(g *game.Game, m *game.Move, text string) (bare.Throw, error) {
	texts := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		value, err := url.QueryUnescape(value)
		if err != nil {
			return bare.Throw{}, err
		}
		if name != "" {
			texts[name] = value
		}
	}
	return bare.Texts(g, m, texts)
}

// link is the address of the page with a setting in its fields and others to
// compare with, as short and readable as can be.
func (p *publicOdds) link(t bare.Throw, kept []bare.Throw) string { return p.linkTo("", t, kept) }

func (p *publicOdds) linkTo(file string, t bare.Throw, kept []bare.Throw) string {
	path := oddsPath(p.voice.Game, p.move)
	if file != "" {
		path += "/" + file
	}
	var parts []string
	query := t.Query()
	for _, field := range p.move.Form.For(form.Bare).Fields {
		if query.Has(field.Name) {
			parts = append(parts, field.Name+"="+url.QueryEscape(query.Get(field.Name)))
		}
	}
	for _, other := range kept {
		plain := strings.NewReplacer("%3D", "=", "%2C", ",") // both may stand in a query as they are
		parts = append(parts, atWith+"="+plain.Replace(url.QueryEscape(withText(other))))
	}
	if p.aim != "" {
		parts = append(parts, atAim+"="+p.aim)
	}
	if len(parts) > 0 {
		path += "?" + strings.Join(parts, "&")
	}
	return told(path, p.tongue)
}

// linkIn is the address of the page as it's shown, in the language it's shown in.
func (p *publicOdds) linkIn() string {
	other := *p
	other.tongue = p.Lang()
	return other.link(p.throw, p.kept)
}

// aims are those of the move, where there's something to choose in its middle.
func (p *publicOdds) aims(ctx context.Context) []game.Aim {
	at := p.voice.Game.ID + "." + p.move.ID
	chooses, known := p.s.chooses.Load(at)
	if !known {
		usual, err := bare.Texts(p.voice.Game, p.move, nil)
		if err != nil {
			usual, err = bare.Texts(p.voice.Game, p.move, beginning(p.move.Form.For(form.Bare)))
		}
		chooses = err == nil && usual.Chooses(ctx)
		if ctx.Err() == nil {
			p.s.chooses.Store(at, chooses)
		}
	}
	if chooses != true {
		return nil
	}
	return p.move.Aims
}

// aimed is what an aim is for, in words.
func (p *publicOdds) aimed(id string) string { return p.voice.Word("aim", id) }

// advised are the best choices, each with how likely it comes up.
func (p *publicOdds) advised() []page.Bar {
	policy := p.sides.Sides[0].Policy
	if policy == nil {
		return nil
	}
	voice := p.voice.Voice
	voice.Name = func(string) string { return p.Say("web.odds.somebody") }
	g := p.voice.Game
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

// withText is a setting as a link holds it; setOf reads it.
func withText(t bare.Throw) string {
	query := t.Query()
	var texts []string
	for _, field := range t.Form.Fields {
		if query.Has(field.Name) {
			texts = append(texts, field.Name+"="+url.QueryEscape(query.Get(field.Name)))
		}
	}
	return strings.Join(texts, ",")
}

// oddsPath is where a move's odds stand.
func oddsPath(g *game.Game, m *game.Move) string {
	if g == bare.Dice {
		return "/odds/dice"
	}
	return "/odds/" + g.ID + "/" + m.ID
}

// work prices what is asked for and makes its drawings and the file, "" for none: all of it is what a question costs.
func (p *publicOdds) work(ctx context.Context, asker, file string) {
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
	err := p.s.priced(ctx, asker, asker, func(ctx context.Context) (err error) {
		if p.sides, err = bare.Compare(ctx, throws, p.aim); err == nil {
			err = p.draw(ctx, throws, file)
		}
		return err
	})
	if err == nil {
		for _, side := range p.sides.Sides {
			p.s.Counted(side)
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
		p.Problem = p.voice.Refusal(refusal)
	case err != nil:
		p.Problem = cmp.Or(hurried(p.Speaker, err), p.Say("web.error.unavailable"))
	}
	if err != nil {
		p.sides = nil
	}
}

// draw makes what is shown of the odds, and the file.
func (p *publicOdds) draw(ctx context.Context, throws []bare.Throw, file string) error {
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
	p.Shown = p.drawn(p.sides.Sides[len(p.sides.Sides)-1])
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

// mostShown is how many counts are drawn or listed; what is rarer than all
// that can be seen is left to the file.
const mostShown = 400

// bars are the bars of a move's outcomes, or of one outcome's counts.
func (p *publicOdds) bars(o *odds.Odds, outcome string) []page.Bar {
	var bars []page.Bar
	for _, row := range seen(o, outcome) {
		bars = append(bars, page.Bar{
			Label: p.Number(row.N), Tone: string(p.move.Outcome(outcome).Tone), P: odds.Float(row.P),
			Shown: p.fine(row), Exact: p.brief(row),
		})
	}
	return bars
}

// seen are an outcome's counts without the ends that are too rare to be seen.
func seen(o *odds.Odds, outcome string) []odds.Row {
	rows := slices.DeleteFunc(slices.Clone(o.Rows), func(r odds.Row) bool { return r.Outcome != outcome })
	if len(rows) <= 60 {
		return rows
	}
	rare := func(r odds.Row) bool { return odds.Float(r.P) < 1e-5 }
	for len(rows) > 60 && rare(rows[0]) {
		rows = rows[1:]
	}
	for len(rows) > 60 && rare(rows[len(rows)-1]) {
		rows = rows[:len(rows)-1]
	}
	return likeliest(rows, chanceOf)
}

// likeliest are as many rows as are shown, without the rarest, in their order.
func likeliest[Row any](rows []Row, chance func(Row) float64) []Row {
	if len(rows) <= mostShown {
		return rows
	}
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(chance(rows[b]), chance(rows[a])) })
	order = order[:mostShown]
	slices.Sort(order)
	shown := make([]Row, len(order))
	for i, at := range order {
		shown[i] = rows[at]
	}
	return shown
}

// fine is a chance with a decimal, as columns need it.
func (p *publicOdds) fine(row odds.Row) string { return p.percent(odds.Float(row.P), row.P.Sign() > 0) }

func (p *publicOdds) percent(chance float64, possible bool) string {
	digits := 1
	if chance >= 0.9995 || !possible {
		return p.Chance(chance, possible, chance >= 1)
	}
	text := p.Decimal(chance*100, digits)
	if chance < 0.0005 {
		text = "<" + p.Decimal(0.1, digits)
	}
	return p.Say("web.odds.percent", "P", text)
}

// brief is a fraction that's short enough to be read.
func (p *publicOdds) brief(row odds.Row) string {
	if text := p.exactly(row.P); len(text) <= 24 && text != "…" {
		return text
	}
	return ""
}

// plots are the drawings of one setting: outcomes as bars, counts as columns
// and as a line of "as many or more".
func (p *publicOdds) plots(o *odds.Odds) []page.Plot {
	var plots []page.Plot
	if len(p.Shown.Columns) == 0 {
		plots = append(plots, page.Horizontal(p.Say("web.odds.outcomes"), p.Shown.Bars))
	}
	for _, kind := range p.move.Outcomes {
		bars := p.bars(o, kind.ID)
		if !kind.Counts || len(bars) < 2 || len(bars) == 2 && len(p.Shown.Columns) == 0 { // the table says it all
			continue
		}
		counts, more := p.Say("web.odds.counts"), p.Say("web.odds.more")
		if len(p.Shown.Columns) == 0 {
			counts = p.Say("web.odds.counts-of", "Name", p.short(kind.ID), "Mean", p.Decimal(odds.Float(o.ExpectedOf(kind.ID)), 1))
			more = p.Say("web.odds.more-of", "Name", p.short(kind.ID))
		}
		if fewer(kind) {
			more = p.Say("web.odds.fewer-of", "Name", p.short(kind.ID))
		}
		steps := p.steps([]*odds.Odds{o}, []string{""}, kind)
		plots = append(plots, page.Vertical(counts, bars), page.Lines(more, []string{""}, steps, p.Speaker))
	}
	return plots
}

// fewer tells whether people ask how likely a good outcome comes with a count or
// fewer, as when its count is the roll at which something is done.
func fewer(kind game.OutcomeKind) bool {
	return kind.Counts && kind.Less && (kind.Tone == game.Good || kind.Tone == game.Triumph)
}

// steps are the chances of as many or more of an outcome on each side, or of as
// many or fewer.
func (p *publicOdds) steps(sides []*odds.Odds, names []string, kind game.OutcomeKind) []page.Step {
	outcome := kind.ID
	numbers := map[int]bool{}
	for _, o := range sides {
		for _, row := range seen(o, outcome) {
			numbers[row.N] = true
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	var all []int
	for n := range numbers {
		all = append(all, n)
	}
	slices.Sort(all)
	var steps []page.Step
	left := make([][]odds.Row, len(sides))
	sums := make([]float64, len(sides))
	for i, o := range sides {
		left[i] = slices.DeleteFunc(slices.Clone(o.Rows), func(r odds.Row) bool { return r.Outcome != outcome })
		sums[i] = odds.Float(o.Any(outcome))
	}
	for n := all[0]; n <= all[len(all)-1] && len(steps) < mostShown; n++ {
		step := page.Step{Label: p.Number(n)}
		for i := range sides {
			for len(left[i]) > 0 && left[i][0].N < n {
				sums[i] -= odds.Float(left[i][0].P)
				left[i] = left[i][1:]
			}
			chance, possible := max(sums[i], 0), len(left[i]) > 0
			if !possible {
				chance = 0
			}
			if fewer(kind) {
				upTo := sides[i].Any(outcome)
				upTo.Sub(upTo, sides[i].AtLeast(outcome, n+1))
				chance, possible = odds.Float(upTo), upTo.Sign() > 0
			}
			step.Values = append(step.Values, page.Bar{Label: names[i], P: min(chance, 1), Shown: p.percent(chance, possible)})
		}
		steps = append(steps, step)
	}
	return steps
}

// comparedPlots are the drawings of several settings.
func (p *publicOdds) comparedPlots() []page.Plot {
	var plots []page.Plot
	names := make([]string, len(p.settings))
	mixed := make([]page.Series, len(p.settings))
	only := true
	for i, s := range p.settings {
		names[i] = s.Name
		side := p.sides.Sides[i]
		mixed[i] = page.Series{Name: s.Name, Bars: p.parts(p.move, side)}
		only = only && len(mixed[i].Bars) == 1 && side.Counts()
	}
	if !only {
		var legend []page.Bar
		for _, kind := range p.move.Outcomes {
			if slices.ContainsFunc(p.sides.Sides, func(o *odds.Odds) bool { return o.Any(kind.ID).Sign() > 0 }) {
				legend = append(legend, page.Bar{ID: kind.ID, Label: p.short(kind.ID), Tone: string(kind.Tone)})
			}
		}
		plots = append(plots, page.Stacks(p.Say("web.odds.outcomes"), mixed, legend))
	}
	for _, kind := range p.move.Outcomes {
		if steps := p.steps(p.sides.Sides, names, kind); kind.Counts && (len(steps) > 2 || only && len(steps) > 1) {
			title := p.Say("web.odds.more")
			if !only {
				title = p.Say("web.odds.more-of", "Name", p.short(kind.ID))
			}
			if fewer(kind) {
				title = p.Say("web.odds.fewer-of", "Name", p.short(kind.ID))
			}
			plots = append(plots, page.Lines(title, names, steps, p.Speaker))
		}
	}
	return plots
}

// means are how much the outcomes that count come to, each where it comes out.
func (p *publicOdds) means() []line {
	var lines []line
	for _, kind := range p.move.Outcomes {
		numbers := map[int]bool{}
		l := line{Label: p.Say("web.odds.average-of", "Name", p.short(kind.ID))}
		for _, side := range p.sides.Sides {
			for _, row := range seen(side, kind.ID) {
				numbers[row.N] = true
			}
			mean := side.ExpectedOf(kind.ID)
			if mean == nil {
				l.Cells = append(l.Cells, "–")
				continue
			}
			l.Cells = append(l.Cells, p.Decimal(odds.Float(mean), 2))
		}
		if kind.Counts && len(numbers) > 1 {
			lines = append(lines, l)
		}
	}
	return lines
}

// line is a line of the table of several settings.
type line struct {
	Label, Tone string
	Cells       []string
	Strong      bool
}

// lines are the table: what people ask for, then each outcome.
func (p *publicOdds) lines() []line {
	var lines []line
	for _, h := range p.move.Headlines {
		l := line{Label: strings.TrimSpace(p.Say(p.voice.Game.Word("headline", h.ID), "P", "")), Strong: true}
		for _, side := range p.sides.Sides {
			chance := side.Any(h.Outcomes...)
			l.Cells = append(l.Cells, p.percent(odds.Float(chance), chance.Sign() > 0))
		}
		lines = append(lines, l)
	}
	if p.Shown.Mean != "" { // of a move that only counts
		l := line{Label: p.Say("web.odds.average"), Strong: true}
		for _, side := range p.sides.Sides {
			l.Cells = append(l.Cells, p.Decimal(odds.Float(side.Expected()), 2))
		}
		lines = append(lines, l)
	} else {
		lines = append(lines, p.means()...)
	}
	likely := func(r odds.Aligned) float64 {
		sum := 0.0
		for _, chance := range r.P {
			sum += odds.Float(chance)
		}
		return sum
	}
	for _, row := range likeliest(p.sides.Rows, likely) {
		l := line{Label: p.outcome(row.Outcome, row.N, row.Counts), Tone: string(p.move.Outcome(row.Outcome).Tone)}
		for _, chance := range row.P {
			l.Cells = append(l.Cells, p.percent(odds.Float(chance), chance.Sign() > 0))
		}
		lines = append(lines, l)
	}
	return lines
}

// list is the table of one setting.
func (p *publicOdds) list() []page.Bar {
	bars := slices.Clone(p.Shown.Rows)
	for i, row := range likeliest(p.sides.Sides[0].Rows, chanceOf) {
		bars[i].Shown = p.fine(row)
		if len(bars[i].Exact) > 40 {
			bars[i].Exact = "…"
		}
	}
	return bars
}

// chanceOf is a row's chance for display.
func chanceOf(r odds.Row) float64 { return odds.Float(r.P) }

// family is a field with the page that goes through its values.
type family struct {
	Name, Link string
}

// families are the fields whose values can be set side by side at once.
func (p *publicOdds) families() []family {
	var families []family
	for _, field := range p.throw.Form.Fields {
		if throws := p.throw.Each(field.Name); throws != nil {
			families = append(families, family{p.voice.Field(field.Name), p.link(p.throw, throws)})
		}
	}
	return families
}

// name is that of the game and the move.
func (p *publicOdds) name() string {
	if p.voice.Game == bare.Dice {
		return p.heading()
	}
	return p.voice.Word("game", "name") + " · " + p.heading()
}

// heading is the move's name.
func (p *publicOdds) heading() string {
	if p.voice.Game == bare.Dice {
		return p.voice.Word("game", "name")
	}
	return p.voice.Word("move", p.move.ID)
}

// public leads from the composer to the same setting on the page without a
// table: as the game says it without its sheets, where the odds are the very
// same then, else with what was filled in.
func (s *server) public(w http.ResponseWriter, r *http.Request, v *visit) {
	m, ok := bare.Move(v.voice.Game, v.at.Move)
	if i := indexMove(v.view.Moves, v.at.Move); !ok || i < 0 || !v.view.Moves[i].Odds {
		s.NotFound(w, r)
		return
	}
	p := &publicOdds{visit: v, move: m}
	var found bare.Throw
	err := v.priced(r.Context(), func(ctx context.Context) error {
		values := html.Sent(r.URL.Query())
		before, err := v.seat.Before(ctx, table.Request{Move: v.at.Move, Character: v.acting(v.at.Actor), Values: values})
		if err != nil {
			before = table.Before{} // only what can be carried over is
		}
		found, err = likest(ctx, v.voice.Game, m, values, before)
		return err
	})
	if err != nil {
		http.Redirect(w, r, oddsPath(v.voice.Game, m), http.StatusSeeOther)
		return
	}
	http.Redirect(w, r, p.link(found, nil), http.StatusSeeOther)
}

// likest is the bare throw that is most like what the composer holds.
func likest(ctx context.Context, g *game.Game, m *game.Move, values url.Values, before table.Before) (bare.Throw, error) {
	shared := map[string]string{}
	f := m.Form.For(form.Bare)
	for _, field := range f.Fields {
		if field.Where != form.Both || !values.Has(field.Name) {
			continue
		}
		if _, err := bare.Texts(g, m, map[string]string{field.Name: values.Get(field.Name)}); err == nil {
			shared[field.Name] = values.Get(field.Name)
		}
	}
	first, err := bare.Texts(g, m, shared)
	if err != nil || before.Odds == nil || before.Odds.Runs > 0 {
		return first, err
	}
	same, err := bare.Stripped(g, m, before.Stripped)
	if err != nil {
		return first, nil
	}
	priced, err := same.Quote(ctx)
	if large := (*odds.LargeError)(nil); errors.As(err, &large) || err == nil && !equal(priced, before.Odds) {
		return first, nil
	}
	return same, err
}

func equal(a, b *odds.Odds) bool {
	return slices.EqualFunc(a.Rows, b.Rows, func(a, b odds.Row) bool {
		return a.Outcome == b.Outcome && a.N == b.N && a.P.Cmp(b.P) == 0
	})
}

// publicLink is the address that leads there from what the composer holds, ""
// for a move that has no odds without a table. Free text stays at the table.
func (v *visit) publicLink(values url.Values) string {
	m, ok := bare.Move(v.voice.Game, v.at.Move)
	if !ok {
		return ""
	}
	query := url.Values{atMove: {v.at.Move}, atActor: {v.at.Actor}}
	for path, field := range m.Form.All() {
		if texts := values[path]; len(texts) > 0 && texts[0] != "" && field.Kind != form.KindProse && field.Kind != form.KindText {
			query[path] = texts
		}
	}
	return v.to("/public?" + query.Encode())
}

// csv makes the table as a file that reads alike in every language.
func (p *publicOdds) csv() error {
	var b bytes.Buffer
	var err error
	if len(p.settings) == 1 {
		err = p.sides.Sides[0].CSV(&b)
	} else {
		names := make([]string, len(p.settings))
		for i, s := range p.settings {
			names[i] = s.String()
		}
		err = p.sides.CSV(&b, names)
	}
	p.file = b.Bytes()
	return err
}

// svg makes the drawings as a file of their own.
func (p *publicOdds) svg(ctx context.Context) error {
	sheet := page.Sheet{Title: p.name(), Plots: p.Plots}
	if len(p.settings) == 1 {
		sheet.Lines = append(sheet.Lines, p.throw.Name(p.Speaker))
	}
	if p.aim != "" {
		sheet.Lines = append(sheet.Lines, p.Say("web.odds.best", "Aim", p.aimed(p.aim)))
	}
	if head := html.Joined(append(slices.Clone(p.Shown.Heads), p.Shown.Mean)); len(p.settings) == 1 && head != "" {
		sheet.Lines = append(sheet.Lines, strings.Trim(head, " ·"))
	}
	if p.Shown.Simulated != "" {
		sheet.Lines = append(sheet.Lines, p.Shown.Simulated)
	}
	var b bytes.Buffer
	err := page.File(sheet).Render(ctx, &b)
	p.file = b.Bytes()
	return err
}

// send answers with the file.
func (p *publicOdds) send(w http.ResponseWriter, media, ending string) {
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", `attachment; filename="`+p.fileName()+"."+ending+`"`)
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(p.file) // a reader that went away is no failure of ours
}

// fileName is what the files are called, without an ending.
func (p *publicOdds) fileName() string { return "norn-" + p.voice.Game.ID + "-" + p.move.ID }
