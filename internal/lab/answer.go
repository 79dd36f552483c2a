package lab

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"norn/game"
	"norn/internal/bare"
	"norn/lang"
	"norn/odds"
	"norn/rule"
)

// Question asks for the odds of throws, which are compared if there are several: of plain dice, moves of
// games, and rules of one's own.
type Question struct {
	Throws []bare.Throw
	Aim    string      // of the move of a throw: questions in its middle get the best answers for it
	Given  rule.Policy // answers to such questions
	Rows   int         // the most rows that are described for each throw; 0 for MaxRows, less for none
}

// Report is the answer: everything that a page, a drawing, a terminal, a chat and a file show of it.
type Report struct {
	Compared    *odds.Comparison
	Sides       []Side
	Lines       []Line   // outcomes with their counts, each with its chance on each side
	Kinds       []Kind   // outcomes that any side has, each once
	OneMove     bool     // all throws are of one move, and have the same headlines
	Only        bool     // there are only counts of one outcome
	Differences []string // how each side differs from the first one
	Simulated   string   // how sides were estimated
	Rounded     bool     // chances of a side are rounded, because their fractions are very long
}

// Side is the answer for one throw.
type Side struct {
	bare.Throw `json:"-"`
	Description
	Title string `json:"title"` // the question: "Check · Skill: yes", "3d6"
	Name  string `json:"name"`  // what tells it from the other sides
}

// Kind is an outcome of the throws with its name.
type Kind struct {
	game.OutcomeKind
	Label string
	words Wording
}

// Line is an outcome with its count and their name.
type Line struct {
	odds.Aligned
	Label, Tone string
}

// Answer computes the odds of a question and puts them into words. Errors are those of bare.Compare.
func Answer(ctx context.Context, say lang.Speaker, q Question) (*Report, error) {
	compared, err := bare.Compare(ctx, q.Throws, q.Aim, q.Given)
	if err != nil {
		return nil, err
	}
	if q.Rows == 0 {
		q.Rows = MaxRows
	}
	last := q.Throws[len(q.Throws)-1].Game.Speak(say)
	names := bare.Names(last, q.Throws)
	r := &Report{Compared: compared, OneMove: bare.OneMove(q.Throws), Only: true}
	for i, t := range q.Throws {
		w, o := wordingOf(say, t), compared.Sides[i]
		heads := w.headlines(o)
		if r.OneMove {
			heads = w.headlines(compared.Sides...)
		}
		side := Side{Throw: t, Description: w.describe(o, heads, q.Rows), Title: t.Title(say), Name: names[i]}
		if a := side.Advice; a != nil {
			word := "bare.best"
			if len(a.Answers) == 0 {
				word = "bare.best-none"
			}
			a.Head = w.Say(word, "Aim", w.Say(t.Game.Word("aim", q.Aim)))
		}
		r.Sides = append(r.Sides, side)
		r.Only = r.Only && side.Only && o.Only() == compared.Sides[0].Only()
		r.Rounded = r.Rounded || o.Rounded
		r.Simulated = cmp.Or(r.Simulated, side.Simulated)
		for _, kind := range t.Move.Outcomes {
			if !slices.ContainsFunc(r.Kinds, func(k Kind) bool { return k.ID == kind.ID }) &&
				slices.ContainsFunc(compared.Sides, func(o *odds.Odds) bool { return o.Any(kind.ID).Sign() > 0 }) {
				r.Kinds = append(r.Kinds, Kind{kind, w.Short(kind.ID), w})
			}
		}
	}
	r.Differences = differences(last, r.Sides)
	if len(r.Sides) > 1 {
		r.Lines = r.lines(q.Rows)
	}
	return r, nil
}

// lines names the likeliest outcomes of all sides.
func (r *Report) lines(most int) []Line {
	return game.Each(odds.Likeliest(r.Compared.Rows, most, odds.Aligned.Sum), func(row odds.Aligned) Line {
		kind := r.Kinds[slices.IndexFunc(r.Kinds, func(k Kind) bool { return k.ID == row.Outcome })]
		return Line{row, kind.words.Outcome(odds.Row{Outcome: row.Outcome, N: row.N, Counts: row.Counts}), string(kind.Tone)}
	})
}

// CSV writes the rows of all sides in a format that doesn't depend on the language.
func (r *Report) CSV(w io.Writer) error {
	if len(r.Sides) == 1 {
		return r.Sides[0].Odds.CSV(w)
	}
	return r.Compared.CSV(w, game.Each(r.Sides, func(s Side) string {
		if r.OneMove {
			return s.String()
		}
		return strings.TrimPrefix(s.Text(nil), bare.Dice.ID+",")
	}))
}
