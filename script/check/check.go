// Package check checks a game read from a text as norn's own games are checked, by package
// game/judge, but without tests and sources: for the command check-game.
package check

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"norn/form"
	"norn/game"
	"norn/game/judge"
	"norn/lang"
	"norn/script"
)

// Report is the result of checking a game.
type Report struct {
	Game   *game.Game
	Cases  int
	Faults []error // each a *script.Mistake
	// texts shown in the game's own language, by languages that have some translations but lack
	// these
	Texts   map[lang.Lang][]string
	Updated map[string]string // the files of cases with their actual results
}

const maxFault = 2000

// Folder checks the game in a folder. The error is a *script.Problem of its text.
func Folder(folder fs.FS) (*Report, error) {
	text, err := script.Read(folder)
	if err != nil {
		return nil, err
	}
	g, err := script.Compile(text)
	if err != nil {
		return nil, err
	}
	missing, err := script.Missing(text)
	if err != nil {
		return nil, err
	}
	dead, err := script.Dead(text)
	if err != nil {
		return nil, err
	}
	r := &Report{Game: g, Updated: map[string]string{}, Texts: missing}
	for _, l := range lang.All {
		for _, text := range dead[l] {
			r.Faults = append(r.Faults, mistake("words-dead", "Lang", l, "Text", strconv.Quote(text)))
		}
	}
	in, err := fs.Sub(script.Regular(folder), "cases")
	if err != nil {
		return nil, err
	}
	cases, err := judge.Read(in)
	if mistake, ok := errors.AsType[*script.Mistake](err); ok {
		return nil, &script.Problem{File: "cases", What: mistake}
	}
	if err != nil {
		return nil, err
	}
	r.Cases = len(cases)
	if len(cases) == 0 {
		r.Faults = append(r.Faults, mistake("no-cases"))
	}
	r.judge(g, cases)
	r.Faults = append(r.Faults, rules(g, text, cases)...)
	files := map[string][]string{}
	for _, c := range cases {
		files[c.File] = append(files[c.File], c.Transcript())
	}
	for name, blocks := range files {
		r.Updated[name] = strings.Join(blocks, "\n")
	}
	return r, nil
}

// judge adds the faults that package judge finds. A mistake in the text is reported once, at the
// first case that meets it.
func (r *Report) judge(g *game.Game, cases []*judge.Case) {
	broken := map[string]bool{}
	for _, point := range judge.Points(g, cases, judge.Throws) {
		if point.Sums && (len(broken) > 0 || len(cases) == 0) {
			continue // cases that ended by a mistake have shown nothing
		}
		for _, err := range point.Judge() {
			if defect, ok := game.AsDefect(err); ok {
				if text := defect.Error(); !broken[text] {
					broken[text] = true
					r.Faults = append(r.Faults, mistake("case-broken", "Case", point.Name, "Fault", defect))
				}
				continue
			}
			r.add(point.Name, err)
		}
	}
}

// add adds a fault that package judge found. Moves that lack the same case are one fault.
func (r *Report) add(point string, err error) {
	found, ok := errors.AsType[*judge.Fault](err)
	if !ok {
		text := strings.TrimPrefix(err.Error(), point+": ")
		if len(text) > maxFault {
			text = text[:maxFault] + " …"
		}
		r.Faults = append(r.Faults, mistake("case-norn", "Case", point, "Fault", text))
		return
	}
	data := append([]any{"Case", point}, found.Data...)
	if strings.HasPrefix(found.Word, "none-") { // of a move
		r.lack("case-"+found.Word, found.Data[1].(string))
		return
	}
	for i, value := range data {
		if err, ok := value.(error); ok {
			data[i] = r.told(err)
		}
	}
	r.Faults = append(r.Faults, mistake("case-"+found.Word, data...))
}

// told returns an error in a fault as it's said to a reader: problems of a form and refusals have
// words, others are of a library and in English.
func (r *Report) told(err error) any {
	if problems, ok := errors.AsType[form.Problems](err); ok {
		return said(func(s lang.Speaker) string {
			id, data := problems[0].Word()
			if !s.Has(id) {
				return problems[0].Error()
			}
			return s.Say(id, data)
		})
	}
	if refusal, ok := game.AsRefusal(err); ok {
		return said(func(s lang.Speaker) string {
			own, err := lang.Load(r.Game.Words)
			if err != nil {
				return refusal.Error()
			}
			return game.Voice{
				Speaker: r.Game.Speak(own.In(s.Lang())), Game: r.Game.ID, Name: func(id string) string { return id },
			}.Refusal(refusal)
		})
	}
	return err.Error()
}

// said is a value that says itself.
type said func(lang.Speaker) string

// Say returns it in a language.
func (say said) Say(s lang.Speaker) string { return say(s) }

// lack adds a move to those that lack a case.
func (r *Report) lack(word, move string) {
	for _, fault := range r.Faults {
		if m, ok := fault.(*script.Mistake); ok && m.Word == word {
			m.Data[1] = m.Data[1].(string) + ", " + move
			return
		}
	}
	r.Faults = append(r.Faults, mistake(word, "Moves", move, "Move", move))
}

func mistake(word string, data ...any) error { return &script.Mistake{Word: word, Data: data} }

// rules compares the game's rules with those that the text and the cases name.
func rules(g *game.Game, text script.Text, cases []*judge.Case) (faults []error) {
	for _, id := range g.Rules {
		if strings.Count(text.Game, id) < 2 {
			faults = append(faults, mistake("rule-unnamed", "ID", id))
		}
		if !slices.ContainsFunc(cases, func(c *judge.Case) bool { return slices.Contains(c.Rules, id) }) {
			faults = append(faults, mistake("rule-uncased", "ID", id))
		}
	}
	for _, c := range cases {
		for _, id := range c.Rules {
			if !slices.Contains(g.Rules, id) {
				faults = append(faults, mistake("rule-unknown", "File", c.File, "Title", c.Title, "ID", id))
			}
		}
	}
	return faults
}
