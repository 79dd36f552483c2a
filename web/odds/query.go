package odds

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/internal/lab"
	"norn/internal/widget"
	"norn/lang"
	"norn/web/fields"
	"norn/web/html"
)

// Parameters of a public odds page that aren't fields of the move.
const (
	atWith = html.Own + "with"      // a setting to compare with, such as "difficulty=2,skill=on"; may be repeated
	atForm = html.Own + "form"      // the fields come from a form, where a missing box is off
	atAim  = html.Own + "aim"       // aim for the best answers to questions in the middle
	atFull = html.Own + "fractions" // exact fractions, however long
	atLang = "lang"                 // the page's language, for all readers
)

// asked is a request for the page of a move's odds without a table.
type asked struct {
	fields.Voice
	reader  html.Reader
	pages   *Pages
	move    *game.Move
	throw   bare.Throw // from the fields; without a Form if they have errors
	kept    []bare.Throw
	aim     string      // of the move, "" for none
	full    bool        // exact fractions are asked for
	tongue  lang.Lang   // in the address, "" for none
	report  *lab.Report // nil if there is none
	Fields  fields.Form
	Problem string // error of no single field
	Plots   []widget.Plot
	file    []byte // the requested file
	status  int
}

// readQuery reads the request; false means that there's no such move.
func (all *Pages) readQuery(r *http.Request) (*asked, bool) {
	g, id := bare.Dice, bare.Dice.Moves[0].ID
	if name := r.PathValue("game"); name != "" {
		g, id = all.Game(name), r.PathValue("move")
	}
	if g == nil {
		return nil, false
	}
	m, ok := bare.Move(g, id)
	if !ok {
		return nil, false
	}
	read, tongue := all.reader(r)
	read.Speaker = g.Speak(read.Speaker)
	nobody := func(string) string { return read.Say("bare.somebody") }
	voice := fields.Voice{Voice: game.Voice{Speaker: read.Speaker, Name: nobody}, Game: g, Labels: "field"}
	p := &asked{Voice: voice, reader: read, pages: all, move: m, tongue: tongue, status: http.StatusOK}
	query := r.URL.Query()
	if aim, ok := m.Aim(query.Get(atAim)); ok {
		p.aim = aim.ID
	}
	p.full = query.Has(atFull)
	query.Del(atLang)
	for _, text := range query[atWith] {
		// ignores a broken part of a link
		if t, err := bare.Parse(text, g, m, all.Game); err == nil && len(p.kept) < bare.MostCompared {
			p.kept = append(p.kept, t)
		}
	}
	p.kept = bare.Unlike(p.kept)
	f := m.Form.For(form.Bare)
	if g == bare.Dice {
		f = f.With("as", append(game.Readings(), form.Option{Value: "", Text: dice.Title("")})...)
	}
	p.Fields = fields.Form{Form: f, ID: "odds"}
	var err error
	if query.Has(atForm) {
		p.Fields.Values = fields.FormValues(query)
		p.throw, err = bare.Values(g, m, p.Fields.Values)
	} else {
		texts := map[string]string{}
		p.Fields.Values = f.DefaultInputs()
		for name, given := range fields.FormValues(query) {
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

// reader returns the reader of a page of odds. An address may name the language, so that a shared
// link reads the same for all; tongue is that, "" without it.
func (all *Pages) reader(r *http.Request) (read html.Reader, tongue lang.Lang) {
	read = all.ReaderOf(r)
	if l, ok := lang.Parse(r.URL.Query().Get(atLang)); ok {
		read.Speaker, tongue = all.Keeper.Words.In(l), l
	}
	return read, tongue
}

// addressIn adds a language to an address, unless it's "".
func addressIn(path string, tongue lang.Lang) string {
	if tongue == "" {
		return path
	}
	mark := "?"
	if strings.Contains(path, "?") {
		mark = "&"
	}
	return path + mark + atLang + "=" + string(tongue)
}

// withoutLanguage returns the address without a language, so that the reader's choice applies.
func withoutLanguage(at *url.URL) string {
	query := at.Query()
	query.Del(atLang)
	rest := url.URL{Path: at.Path, RawQuery: query.Encode()}
	return rest.RequestURI()
}

// wrong adds the error messages of the fields.
func (p *asked) wrong(err error) {
	p.status = http.StatusUnprocessableEntity
	var notation *game.NotationError
	switch refusal, refused := game.AsRefusal(err); {
	case errors.As(err, &notation):
		p.Fields.Problems = map[string]string{"notation": bare.Say(p.Speaker, notation)}
	case refused:
		p.Problem = p.Refusal(refusal)
	default:
		p.Fields.Problems = p.ProblemsOf(p.Fields.Form, bare.Problems(err))
	}
}

// link returns the address of the page with a setting in its fields and others to compare with, as
// short and readable as possible.
func (p *asked) link(t bare.Throw, kept []bare.Throw) string { return p.linkTo("", t, kept) }

func (p *asked) linkTo(file string, t bare.Throw, kept []bare.Throw) string {
	path := Path(t.Game, t.Move)
	if file != "" {
		path += "/" + file
	}
	parts := append(t.Pairs(), p.keptParts(t.Move, kept)...)
	if p.aim != "" && t.Move == p.move {
		parts = append(parts, atAim+"="+p.aim)
	}
	if p.full {
		parts = append(parts, atFull+"=1")
	}
	if len(parts) > 0 {
		path += "?" + strings.Join(parts, "&")
	}
	return addressIn(path, p.tongue)
}

// keptParts returns the settings to compare with, as parts of the address of a move's page.
func (p *asked) keptParts(m *game.Move, kept []bare.Throw) (parts []string) {
	plain := strings.NewReplacer("%3D", "=", "%2C", ",", "%2F", "/") // all may be in a query unescaped
	for _, other := range kept {
		parts = append(parts, atWith+"="+plain.Replace(url.QueryEscape(other.Text(m))))
	}
	return parts
}

// linkOther returns the address of another move's page that compares with what is shown.
func (p *asked) linkOther(g *game.Game, m *game.Move) string {
	path := Path(g, m) + "?" + strings.Join(p.keptParts(m, p.shown()), "&")
	return addressIn(path, p.tongue)
}

// linkRule returns the address of the page of own rules that compares with what the fields are set to.
func (p *asked) linkRule() string {
	other := *p
	other.tongue = ""
	return addressIn("/odds/rule", p.tongue) + "#with=" + url.PathEscape(other.link(p.throw, nil))
}

// shown returns the settings that the page shows, at most as many as another one can be compared with.
func (p *asked) shown() []bare.Throw {
	all := p.throws()
	return all[max(0, len(all)-bare.MostCompared+1):]
}

// linkIn returns the address of the page as it's shown, with its language.
func (p *asked) linkIn() string {
	other := *p
	other.tongue = p.Lang()
	return other.link(p.throw, p.kept)
}

// linkFull returns the address of the table as a file, with exact fractions.
func (p *asked) linkFull() string {
	other := *p
	other.full = true
	return other.linkTo("odds.csv", p.throw, p.kept)
}

// Path returns the address of a move's odds.
func Path(g *game.Game, m *game.Move) string {
	if g == bare.Dice {
		return "/odds/dice"
	}
	return "/odds/" + g.ID + "/" + m.ID
}

// Link returns the address of a throw's page.
func Link(t bare.Throw) string {
	return (&asked{}).link(t, nil)
}

// beginning returns example values for required fields without a default, so that the page isn't
// empty.
func beginning(f *form.Form) map[string]string {
	texts := map[string]string{}
	for _, field := range f.Fields {
		switch {
		case field.Kind == form.KindFaces: // pools
			texts[field.Name] = "6 5"
		case field.Kind == form.KindText && field.Required: // notation
			texts[field.Name] = "3d6"
		case field.Set == "reading":
			texts[field.Name] = dice.Newest
		}
	}
	return texts
}

// aims returns the aims of the move if it asks questions in its middle.
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

// aimWord returns the name of an aim.
func (p *asked) aimWord(id string) string { return p.Word("aim", id) }

// name returns the names of the game and the move.
func (p *asked) name() string {
	if p.Game == bare.Dice {
		return p.heading()
	}
	return p.Word("game", "name") + " · " + p.heading()
}

// heading returns the move's name.
func (p *asked) heading() string {
	if p.Game == bare.Dice {
		return p.Word("game", "name")
	}
	return p.Word("move", p.move.ID)
}

// question returns what is asked, in words: what a notation means, or the move and its fields.
func (p *asked) question() string {
	if p.throw.Form == nil {
		return p.name()
	}
	if p.report == nil {
		return p.throw.Title(p.Speaker)
	}
	return cmp.Or(p.now().Meant, p.now().Title)
}

// frameOf returns the page's frame, with a preview of its link that says the question and its answer.
func (p *asked) frameOf(r *http.Request) html.Frame {
	f := p.pages.FrameOf(p.reader, r, p.name()+" · norn", p.Game.ID)
	if p.report == nil {
		return f
	}
	f.Seen = &html.Preview{Title: p.question(), Line: brief(p.now())}
	if sides := p.report.Sides; len(sides) > 1 {
		f.Seen.Title = strings.Join(game.Each(sides, func(s lab.Side) string { return s.Name }), " / ")
		f.Seen.Line = strings.Join(p.report.Differences, ". ")
	}
	return f
}
