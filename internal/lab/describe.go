package lab

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/lang"
	"norn/odds"
	"norn/rule"
)

// Wording puts the odds of a move into words in a reader's language.
type Wording struct {
	game.Voice
	Of    *game.Game
	Move  *game.Move
	names map[string]string // names that plain dice give outcomes, by id
	meant string
}

// WordingOf returns the words for a move of a game with these arguments. The voice is that of the game.
func WordingOf(v game.Voice, g *game.Game, m *game.Move, args any) Wording {
	w := Wording{Voice: v, Of: g, Move: m}
	if m.ID == game.PlainDice {
		w.Of = bare.Dice
	}
	if n, ok := args.(game.Notation); ok {
		w.names, w.meant = game.BandNames(n), n.Understood(v.Speaker)
	}
	return w
}

// wordingOf returns the words for a throw.
func wordingOf(say lang.Speaker, t bare.Throw) Wording {
	nobody := func(string) string { return say.Say("bare.somebody") }
	return WordingOf(game.Voice{Speaker: t.Game.Speak(say), Game: t.Game.ID, Name: nobody}, t.Game, t.Move, t.Args)
}

// Description is odds in words. Its JSON is what the page's script draws.
type Description struct {
	Odds      *odds.Odds `json:"-"`
	Meant     string     `json:"-"`                   // what plain dice were understood as
	Heads     []Head     `json:"heads,omitempty"`     // the chances that people want to know first
	Only      bool       `json:"only,omitempty"`      // there are only counts of one outcome
	Average   float64    `json:"average,omitempty"`   // of these counts
	Mean      string     `json:"-"`                   // the same in words: "10.5 on average"
	Parts     []odds.Bar `json:"-"`                   // outcomes, each with all of its counts
	Rows      []odds.Bar `json:"rows"`                // outcomes with their counts
	Granted   string     `json:"granted,omitempty"`   // usual answers that are assumed
	Simulated string     `json:"simulated,omitempty"` // how the odds were estimated if they aren't exact
	Advice    *Advice    `json:"-"`                   // the best answers, if the odds take them

	names map[string]string // that plain dice give outcomes, by id
}

// Head is a chance that people want to know first: a bar with the headline's id and the label
// "to succeed".
type Head struct {
	odds.Bar
	Text     string `json:"-"` // "51% to succeed"
	FineText string `json:"-"` // "50.7% to succeed"
}

// Advice lists the best answers to the questions in the middle of a move.
type Advice struct {
	Head    string
	Answers []odds.Bar // each with the chance that its question comes up
	Assumed []string   // questions with too many answers to try
}

// Texts returns what matters most.
func (d *Description) Texts() []string {
	texts := game.Each(d.Heads, func(h Head) string { return h.Text })
	if d.Mean != "" {
		texts = append(texts, d.Mean)
	}
	return texts
}

// Columns returns the rows, each labelled by its count; none if several outcomes are possible.
func (d *Description) Columns(say lang.Speaker) []odds.Bar {
	if !d.Only || len(d.Odds.Rows) < 2 {
		return nil
	}
	return numbered(say, d.Rows)
}

// CountsOf returns the rows of an outcome, each labelled by its count.
func (d *Description) CountsOf(say lang.Speaker, outcome string) []odds.Bar {
	return numbered(say, slices.DeleteFunc(slices.Clone(d.Rows), func(b odds.Bar) bool { return b.ID != outcome }))
}

func numbered(say lang.Speaker, rows []odds.Bar) []odds.Bar {
	return game.Each(rows, func(b odds.Bar) odds.Bar {
		b.Label = say.Number(b.N)
		return b
	})
}

// MaxRows limits the rows of a description; of more it has the likeliest.
const MaxRows = 2000

// headlines returns the chances that people want to know first, if any of the odds has them.
func (w Wording) headlines(sides ...*odds.Odds) []game.Headline {
	return slices.DeleteFunc(slices.Clone(w.Move.Headlines), func(h game.Headline) bool {
		possible := func(o *odds.Odds) bool { return len(h.Among) == 0 || o.Any(h.Among...).Sign() > 0 }
		return !w.Has(w.Of.Word("headline", h.ID)) || !slices.ContainsFunc(sides, possible)
	})
}

// Describe puts odds into words, with at most so many rows; 0 for none.
func (w Wording) Describe(o *odds.Odds, most int) Description {
	return w.describe(o, w.headlines(o), most)
}

func (w Wording) describe(o *odds.Odds, heads []game.Headline, most int) Description {
	d := Description{Odds: o, Meant: w.meant, Only: o.Only() != "", Granted: w.granted(o), Advice: w.advice(o), names: w.names}
	for _, h := range heads {
		word := w.Of.Word("headline", h.ID)
		b := w.Bar(o, odds.Row{Outcome: h.ID, P: o.Any(h.Outcomes...)}, strings.TrimSpace(w.Say(word, "P", "")))
		d.Heads = append(d.Heads, Head{b, w.Say(word, "P", b.Shown), w.Say(word, "P", b.Fine)})
	}
	for _, kind := range w.Move.Outcomes {
		if p := o.Any(kind.ID); p.Sign() > 0 {
			d.Parts = append(d.Parts, w.Bar(o, odds.Row{Outcome: kind.ID, P: p}, w.Short(kind.ID)))
		}
	}
	for _, row := range odds.Likeliest(o.Rows, most, func(r odds.Row) float64 { return odds.Float(r.P) }) {
		d.Rows = append(d.Rows, w.Bar(o, row, w.Outcome(row)))
	}
	if d.Only {
		mean := o.Mean()
		d.Average, d.Mean = odds.Float(mean), w.Say("bare.mean", "Mean", w.average(mean))
	}
	if o.Runs > 0 {
		word, most := "bare.simulated", 0.0
		if o.Asked {
			word = "bare.rolled"
		}
		for _, row := range o.Rows {
			most = max(most, o.StandardError(row))
		}
		d.Simulated = w.Say(word, "N", o.Runs, "Error", w.Decimal(196*most, 1))
	}
	return d
}

// Bar returns a row of odds as it's drawn.
func (w Wording) Bar(o *odds.Odds, row odds.Row, label string) odds.Bar {
	p, some, all := display(row.P)
	b := odds.Bar{
		ID: row.Outcome, N: row.N, Counts: row.Counts, Label: label, Tone: string(w.Move.Outcome(row.Outcome).Tone), P: p,
		Shown: w.Chance(p, some, all), Fine: w.Tenths(p, some, all),
	}
	const maxBits = 400 // of both numbers together: more than anybody reads, but still fast to write
	if b.Exact = "…"; o.Runs > 0 {
		b.Exact = ""
	} else if o.Rounded {
		b.Exact = "≈ " + o.Text(row.P)
	} else if row.P.Num().BitLen()+row.P.Denom().BitLen() <= maxBits {
		b.Exact, b.Plain = w.Fraction(row.P), o.Text(row.P)
	}
	return b
}

// Outcome names an outcome, with its count if that means something.
func (w Wording) Outcome(row odds.Row) string {
	switch name := w.names[row.Outcome]; {
	case name != "" && row.N == 0:
		return name
	case name != "":
		return w.Say("bare.band", "N", row.N, "Name", name)
	case row.Counts && w.Has(w.Of.Word("outcome-counted", row.Outcome)): // it has no count in other moves
		return w.Say(w.Of.Word("outcome-counted", row.Outcome), "N", row.N)
	}
	word := w.Of.Word("outcome", row.Outcome)
	text := w.Say(word, "N", row.N)
	if row.Counts && text == w.Say(word, "N", row.N+1) {
		text += " · " + w.Number(row.N)
	}
	return text
}

// Result names an outcome that came out.
func (w Wording) Result(o rule.Outcome) string {
	return w.Outcome(odds.Row{Outcome: o.ID, N: o.N, Counts: w.Move.Outcome(o.ID).Counts})
}

// Short returns an outcome's shortest name.
func (w Wording) Short(id string) string {
	if word := w.Of.Word("outcome-short", id); w.names[id] == "" && w.Has(word) {
		return w.Say(word)
	}
	return w.Outcome(odds.Row{Outcome: id})
}

// average formats an average with two decimals, or fewer if the rest are zeros.
func (w Wording) average(mean *big.Rat) string {
	text := strings.TrimRight(mean.FloatString(2), "0")
	return w.Decimal(odds.Float(mean), len(text)-strings.Index(text, ".")-1)
}

// Percent formats a chance as a whole percentage.
func (w Wording) Percent(p *big.Rat) string { return w.Chance(display(p)) }

// display returns a chance as a number, and whether it is possible and certain.
func display(p *big.Rat) (number float64, possible, certain bool) {
	return odds.Float(p), p.Sign() > 0, p.Sign() > 0 && p.IsInt()
}

// question returns a question's short name.
func (w Wording) question(id string) string {
	return w.Say(w.Of.Word("question", strings.TrimPrefix(id, w.Of.ID+".")))
}

// granted lists the usual answers that odds assume, with their questions; "" if there are none.
func (w Wording) granted(o *odds.Odds) string {
	texts := game.Each(o.Granted, func(one odds.Granted) string {
		said := &form.Form{Fields: slices.Clone(one.Form.Fields)}
		for i := range said.Fields {
			said.Fields[i].Said = true
		}
		answer := strings.Join(w.Of.Choices(w.Voice, said, one.Form.Fill(one.Answer)), ", ")
		return w.Say("bare.granted-one", "Question", w.question(one.Question), "Answer", cmp.Or(answer, "—"))
	})
	if len(texts) == 0 {
		return ""
	}
	return w.Say("bare.granted", "What", strings.Join(texts, " · "))
}

// advice lists the best answers; nil if the odds take the usual ones.
func (w Wording) advice(o *odds.Odds) *Advice {
	if o.Policy == nil {
		return nil
	}
	return &Advice{
		Answers: game.Each(o.Policy.Taken, func(t rule.BestChoice) odds.Bar {
			situation, ok := w.Speak(t.About)
			if !ok {
				situation = w.question(t.Question)
			}
			answer := w.Answer(w.Of, t.Question, t.Form, t.Weigh, t.Answer)
			return w.Bar(o, odds.Row{P: t.P}, situation+" → "+answer)
		}),
		Assumed: game.Each(o.Policy.Assumed, func(question string) string {
			return w.Say("bare.assumed", "Question", w.question(question))
		}),
	}
}
