package game

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"

	"norn/dice"
	"norn/form"
	"norn/lang"
	"norn/rule"
)

// PlainDice is the id of Plain.
const PlainDice = "dice"

// Notation is the argument of plain dice. As is the reading of the notation, one of dice.Dialects; ""
// is that of the table, and without a table that of the editions before dice.Newest, by which old
// links and logs were made.
type Notation struct {
	Notation string `json:"notation" form:"text,dice,required"`
	As       string `json:"as,omitempty" form:"choice=|norn-2,set=reading,bare"`
}

// Plain is a roll of plain dice, "4d6kh3+2": a move that every table has in addition to its game's.
// It has no actor. Everybody sees the dice unless the move is secret. No outcome is better than
// another, since its purpose is unknown.
var Plain = offerReadings(Define(MoveSpec[Notation]{
	ID: PlainDice, Bare: true, AtTable: true,
	Outcomes: plainOutcomes(),
	Headlines: []Headline{
		{ID: "goal", Outcomes: []string{rule.Reached}, Among: []string{rule.Reached, rule.Missed}},
		{ID: "won", Outcomes: []string{rule.Won}, Among: []string{rule.Won, rule.Tied, rule.Lost}},
	},
	Allow: func(_ Scene, a Notation) error {
		_, err := ReadNotation(a.Notation, a.As)
		return err
	},
	Price: func(r *rule.Run, _ Scene, a Notation) rule.Outcome { return rule.Notation(a.Expr())(r) },
	Play: func(r *rule.Run, _ Scene, a Notation) rule.Outcome {
		return rule.ExplainNotation(a.Expr(), func(text string) { r.Record(Explained{text}) })(r)
	},
	Mark: markPlain,
}))

// offerReadings offers the readings of notation, which are a table of package dice, by their short
// names, too.
func offerReadings(m Move) Move {
	second := form.Option{Value: dice.Second, Text: dice.Title(dice.Second)}
	m.Form = m.Form.With("as", append([]form.Option{{Value: ""}, second}, Readings()...)...)
	return m
}

// TableReadings returns the readings that a table can have: those of Readings, and the one before
// dice.Newest, by which older tables read.
func TableReadings() []form.Option {
	second := form.Option{Value: dice.Second, Text: dice.Title(dice.Second), Alias: dice.Second}
	return append(Readings(), second)
}

// Readings returns the readings of notation as options of a form.
func Readings() []form.Option {
	var readings []form.Option
	for _, d := range dice.Dialects() {
		readings = append(readings, form.Option{Value: d.Name, Text: d.Title, Alias: d.Short})
	}
	return readings
}

func plainOutcomes() []OutcomeKind {
	kinds := []OutcomeKind{
		{ID: rule.Total, Counts: true, Tone: Neutral},
		{ID: rule.Successes, Counts: true, Tone: Good},
		{ID: rule.Glitched, Counts: true, Tone: Bad},
		{ID: rule.Critical, Tone: Bad},
		{ID: rule.Reached, Counts: true, Tone: Good},
		{ID: rule.Missed, Counts: true, Tone: Bad},
		{ID: rule.Won, Counts: true, Tone: Good},
		{ID: rule.Tied, Tone: Mixed},
		{ID: rule.Lost, Counts: true, Less: true, Tone: Bad},
	}
	for i := range dice.MaxBands {
		kinds = append(kinds, OutcomeKind{ID: rule.Band(i), Counts: true, Tone: Neutral})
	}
	return kinds
}

// Expr returns the parsed notation, which Allow, or that of an older version, has accepted.
func (n Notation) Expr() dice.Expr {
	if last := lastRead.Load(); last != nil && last.of == n {
		return last.expr
	}
	e, err := dice.ParseRecorded(n.Notation, n.As)
	if err != nil {
		panic(err)
	}
	lastRead.Store(&parsedNotation{n, e})
	return e
}

// Understood says in words what the notation means, "" if they are the notation itself: "two d20, the
// higher, plus 5; 15 or more".
func (n Notation) Understood(say lang.Speaker) string {
	e, err := dice.ParseRecorded(n.Notation, n.As)
	if err != nil || !e.HasDice() {
		return ""
	}
	text := e.Words(string(say.Lang()))
	if slices.Contains(e.Notes(), dice.NoteAll) {
		text += " (" + say.Say("bare.notation.note-all") + ")"
	}
	if text == say.Notation(strings.TrimSpace(n.Notation)) {
		return ""
	}
	return text
}

// lastRead caches the notation parsed last: a simulation runs the rule thousands of times.
var lastRead atomic.Pointer[parsedNotation]

type parsedNotation struct {
	of   Notation
	expr dice.Expr
}

// Explained records how the value of plain notation came about, in notation: "(2d6 [3 4] + 1) × 2 =
// 16".
type Explained struct {
	Text string `json:"text"`
}

// Spoken implements Spoken.
func (e Explained) Spoken(v Voice) string { return v.Notation(e.Text) }

// Later implements AddedLater.
func (Explained) Later() {}

// plainWords are the words of plain dice, whose ids begin with "dice" instead of a game's id.
var plainWords = func() map[string]bool {
	words := map[string]bool{
		".move." + PlainDice: true, ".field.notation": true, ".hint.notation": true, ".headline.goal": true,
		".headline.won":           true,
		".throw." + dice.FateDice: true, ".throw." + dice.AgainDice: true,
	}
	for _, kind := range plainOutcomes() {
		words[".outcome."+kind.ID], words[".outcome-short."+kind.ID] = true, true
	}
	return words
}()

// ReadNotation parses plain dice by a reading; the error is a *NotationError.
func ReadNotation(text, as string) (dice.Expr, error) {
	e, err := dice.ParseAs(text, as)
	if err != nil {
		return dice.Expr{}, &NotationError{Text: text, As: as, Err: err}
	}
	return e, nil
}

// NotationError reports notation that can't be parsed.
type NotationError struct {
	Text, As string
	Err      error // from dice.ParseAs
}

func (e *NotationError) Error() string { return e.Err.Error() }

// Unwrap returns the error of dice.ParseAs.
func (e *NotationError) Unwrap() error { return e.Err }

// Problem returns the error as a problem of the field.
func (e *NotationError) Problem() form.Problem {
	p := form.Problem{Path: "notation", Code: form.Syntax, Given: e.Text}
	if bounds, ok := errors.AsType[*dice.RangeError](e.Err); ok {
		p.Code, p.Min, p.Max = form.Range, bounds.Min, bounds.Max
	}
	return p
}

// BandNames returns the names that a notation's bands or symbols give to outcomes, by outcome id.
// It returns none for other arguments.
func BandNames(args any) map[string]string {
	n, ok := args.(Notation)
	if !ok {
		return nil
	}
	e, err := dice.ParseRecorded(n.Notation, n.As)
	if err != nil {
		return nil
	}
	names := map[string]string{}
	for i, band := range e.Bands() {
		names[rule.Band(i)] = band.Name
	}
	return names
}

// BandText returns the name that the notation's bands or symbols give to an outcome, "9: weak", or
// "".
func BandText(say lang.Speaker, args any, o rule.Outcome) string {
	name := BandNames(args)[o.ID]
	if name == "" || o.N == 0 {
		return name
	}
	return say.Say("bare.band", "N", o.N, "Name", name)
}

// IsOldNotation reports whether an error is about notation that older versions accepted although it
// is probably a mistake.
func IsOldNotation(err error) bool {
	notation, ok := errors.AsType[*NotationError](err)
	if !ok {
		return false
	}
	_, wrong := dice.ParseRecorded(notation.Text, notation.As)
	return wrong == nil
}

// markPlain marks the dice of a roll that were kept or succeeded. A roll doesn't say which handful
// of the notation it belongs to, so if handfuls of equal dice choose differently, none are marked.
func markPlain(n Notation, t rule.Throw) []Mark {
	marks := make([]Mark, len(t.Faces))
	e, err := dice.ParseRecorded(n.Notation, n.As)
	if err != nil {
		return marks
	}
	chosen, counts := e.Choice(dice.Pool{N: len(t.Faces), Sides: t.Sides, For: t.For}, t.Faces)
	for i, is := range chosen {
		switch {
		case is:
			marks[i] = Deciding
		case !counts:
			marks[i] = Cancelled
		}
	}
	return marks
}
