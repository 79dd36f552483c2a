package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// script describes how a game is played here: moves that its rules always allow, in turn, so that
// each of them is an entry. It is in the game's own folder, as testdata/load.json; a game without
// one isn't played.
type script struct {
	game  string
	Kind  string            `json:"kind"`
	Sheet json.RawMessage   `json:"sheet"`
	Moves []json.RawMessage `json:"moves"` // the members "move" and "args"
}

// move returns the n-th move of a character, without the braces around it.
func (s script) move(n int) string {
	one := string(s.Moves[n%len(s.Moves)])
	return strings.TrimSuffix(strings.TrimPrefix(one, "{"), "}")
}

// scriptsOf returns the scripts that tables use in turn: of one game, or of all for "mix".
func scriptsOf(game string) ([]script, error) {
	home, err := exec.Command("go", "list", "-f", "{{.Dir}}", "norn/games").Output()
	if err != nil {
		return nil, fmt.Errorf("where the games are: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(home)), "*", "testdata", "load.json"))
	if err != nil {
		return nil, err
	}
	var scripts []script
	var names []string
	for _, file := range files {
		s := script{game: filepath.Base(filepath.Dir(filepath.Dir(file)))}
		names = append(names, s.game)
		if game != "mix" && game != s.game {
			continue
		}
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &s)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		scripts = append(scripts, s)
	}
	if len(scripts) == 0 {
		return nil, fmt.Errorf("no game %q; %s and mix are there", game, strings.Join(names, ", "))
	}
	return scripts, nil
}
