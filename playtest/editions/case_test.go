package editions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"norn/game"
)

// scene is a case of a game's rules as it is played at a table.
type scene struct {
	cast     []member
	settings string
	move, by string
	args     string
	dice     []int
	answers  []answer
}

type member struct{ id, kind, sheet string }

type answer struct{ question, part, value string }

// scenes returns a game's cases that no rule refuses, by their file's name.
func scenes(t *testing.T, g *game.Game) (names []string, cases map[string][]scene) {
	t.Helper()
	files, err := filepath.Glob("../../games/" + g.ID + "/testdata/cases/*.txt")
	must(t, err)
	cases = map[string][]scene{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		for block := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
			if s, ok := readScene(block); ok {
				cases[name] = append(cases[name], s)
			}
		}
		if len(cases[name]) > 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		t.Fatalf("%s has no cases", g.ID)
	}
	return names, cases
}

// readScene reads a case. It returns false for one without a move at a table.
func readScene(block string) (scene, bool) {
	s, told := scene{settings: "{}"}, false
	for line := range strings.SplitSeq(block, "\n") {
		verb, rest, _ := strings.Cut(line, " ")
		head, _, _ := strings.Cut(rest, "{")
		words, value := strings.Fields(head), strings.TrimPrefix(rest, head)
		switch {
		case verb == "character":
			s.cast = append(s.cast, member{words[0], words[1], value})
		case verb == "settings":
			s.settings = value
		case verb == "move" && len(words) == 3:
			s.move, s.by, s.args = words[0], words[2], value
		case verb == "dice":
			for _, word := range words {
				face, err := strconv.Atoi(word)
				if err != nil {
					return scene{}, false
				}
				s.dice = append(s.dice, face)
			}
		case verb == "answer":
			a := answer{question: words[0], value: value}
			if len(words) > 1 {
				a.part = words[1]
			}
			s.answers = append(s.answers, a)
		case verb == ">" && !told && (words[0] == "refused" || words[0] == "invalid"):
			return scene{}, false
		case verb == ">":
			told = true
		}
	}
	return s, s.move != ""
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func blank(t testing.TB, g *game.Game) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(g.Settings.Default)
	must(t, err)
	return data
}
