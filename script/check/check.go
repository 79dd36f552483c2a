// Package check checks a game read from a text as norn's own games are checked, by package
// game/judge, but without tests and sources: for the command check-game.
package check

import (
	"fmt"
	"io/fs"
	"slices"
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
	Faults []string // each in one line or a few
	// texts shown in the game's own language, by languages that have some translations but lack
	// these
	Texts   map[lang.Lang][]string
	Updated map[string]string // the files of cases with their actual results
}

const (
	maxFault = 2000

	smaller = "; put dice of which only what they come to counts into part(lambda: …) and give back little, or throw them at once by sum, count, keep, tally or fold; odds = False leaves a move without odds"
)

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
			r.Faults = append(r.Faults, fmt.Sprintf("words.toml: [%s] %q: game.star says nothing of the kind; take it away, or write it as it stands there", l, text))
		}
	}
	in, err := fs.Sub(folder, "cases")
	if err != nil {
		return nil, err
	}
	cases, err := judge.Read(in)
	if err != nil {
		return nil, err
	}
	r.Cases = len(cases)
	if len(cases) == 0 {
		r.Faults = append(r.Faults, "there are no cases: a file such as cases/dare.txt says what is done, and check-game --update writes what happens")
	}
	for _, point := range judge.Points(g, cases, judge.Throws) {
		for _, fault := range point.Judge() {
			if fault = strings.TrimPrefix(fault, point.Name+": "); len(fault) > maxFault {
				fault = fault[:maxFault] + " …"
			}
			if strings.Contains(fault, tooMany) {
				fault += smaller
			}
			if strings.Contains(fault, "stripped of it") {
				fault += "; one that needs a hand of cards or somebody's sheet asks for them by bare = [\"hand\", \"foe.guard\"], or has bare = False"
			}
			if strings.Contains(fault, " is lost: ") {
				fault += "; tell it, refuse it by check, or ask for it only where it's used: only = {\"choice\": [\"one\"]}"
			}
			r.Faults = append(r.Faults, point.Name+": "+fault)
		}
	}
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

// rules compares the game's rules with those that the text and the cases name.
func rules(g *game.Game, text script.Text, cases []*judge.Case) (faults []string) {
	for _, id := range g.Rules {
		if strings.Count(text.Game, id) < 2 {
			faults = append(faults, fmt.Sprintf("%s is named nowhere beside its text: write it as a comment where the rule does it", id))
		}
		if !slices.ContainsFunc(cases, func(c *judge.Case) bool { return slices.Contains(c.Rules, id) }) {
			faults = append(faults, fmt.Sprintf("%s has no case: one whose heading begins with its id, as # %s: what is shown", id, id))
		}
	}
	for _, c := range cases {
		for _, id := range c.Rules {
			if !slices.Contains(g.Rules, id) {
				faults = append(faults, fmt.Sprintf("%s: %q names %s, which is no rule of %s", c.File, c.Title, id,
					g.ID))
			}
		}
	}
	return faults
}
