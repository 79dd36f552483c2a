// Package check checks a game read from a text as norn's own games are checked, by package
// game/judge, but without tests and sources: for the command check-game.
package check

import (
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"norn/game"
	"norn/game/judge"
	"norn/lang"
	"norn/rule"
	"norn/script"
)

// Report is the result of checking a game.
type Report struct {
	Game   *game.Game
	Cases  int
	Faults []error // each a *script.Mistake, or a text of package judge in English
	// texts shown in the game's own language, by languages that have some translations but lack
	// these
	Texts   map[lang.Lang][]string
	Updated map[string]string // the files of cases with their actual results
}

const maxFault = 2000

var tooMany = (&rule.LimitError{Branches: rule.DefaultBranches}).Error()

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
			r.add(point.Name, strings.TrimPrefix(err.Error(), point.Name+": "))
		}
	}
}

// known are the faults of package judge that are told in each language.
var known = []struct {
	says  *regexp.Regexp
	fault func(point, fault string, found []string) error
}{
	{regexp.MustCompile(`(?s)^\S+: what happened differs \(.*?\):\n(.*)`), func(point, _ string, found []string) error {
		return mistake("case-differs", "Case", point, "Fault", found[1])
	}},
	{regexp.MustCompile(`: no move "(.*)"$`), func(point, _ string, found []string) error {
		return mistake("case-no-move", "Case", point, "Name", found[1])
	}},
	{regexp.MustCompile(`: no kind "(.*)"$`), func(point, _ string, found []string) error {
		return mistake("case-no-kind", "Case", point, "Name", found[1])
	}},
	{regexp.MustCompile(`: nobody asks ([^:]*): `), func(point, _ string, found []string) error {
		return mistake("case-not-asked", "Case", point, "Name", found[1])
	}},
	{regexp.MustCompile(`: the case makes no move$`), func(point, _ string, _ []string) error {
		return mistake("case-moveless", "Case", point)
	}},
	{regexp.MustCompile(`^\S+: (".*"): (.*)$`), func(point, _ string, found []string) error {
		return mistake("case-line", "Case", point, "Line", found[1], "Fault", found[2])
	}},
	{regexp.MustCompile(regexp.QuoteMeta(tooMany)), func(point, fault string, _ []string) error {
		return mistake("case-smaller", "Fault", point+": "+fault)
	}},
	{regexp.MustCompile(`same odds without a table`), func(point, fault string, _ []string) error {
		return mistake("case-bare", "Fault", point+": "+fault)
	}},
	{regexp.MustCompile(` is lost: `), func(point, fault string, _ []string) error {
		return mistake("case-lost", "Fault", point+": "+fault)
	}},
}

// uncased are the words for what moves have no case of.
var uncased = map[string]string{
	" has no case at a table": "case-none-table", " has no case without a table": "case-none-bare",
	" has no case whose throws": "case-none-thrown",
}

// add adds a fault that package judge found. Moves that lack the same case are one fault.
func (r *Report) add(point, fault string) {
	if found := lacking.FindStringSubmatch(fault); found != nil {
		r.lack(uncased[found[2]], found[1])
		return
	}
	if len(fault) > maxFault {
		fault = fault[:maxFault] + " …"
	}
	for _, k := range known {
		if found := k.says.FindStringSubmatch(fault); found != nil {
			r.Faults = append(r.Faults, k.fault(point, fault, found))
			return
		}
	}
	r.Faults = append(r.Faults, errors.New(point+": "+fault))
}

var lacking = regexp.MustCompile(`^move (\S+)( has no case (?:at a table$|without a table$|whose throws))`)

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
