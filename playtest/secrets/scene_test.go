package secrets

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"norn/game"
	"norn/game/gametest"
	"norn/table/act"
)

// scene is a case of a game's rules as it is played at the table: its characters and their actions.
// Random values seldom give the sheets that a rare move needs; each move has a case, so each can be
// made.
type scene struct {
	cast     []member
	settings string
	move, by string
	args     string
}

type member struct{ id, kind, sheet string }

// scenes returns a game's cases that no rule refuses, by their move.
func scenes(t *testing.T, g *game.Game) map[string][]scene {
	t.Helper()
	files, err := filepath.Glob("../../games/" + g.ID + "/testdata/cases/*.txt")
	must(t, err)
	all := map[string][]scene{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		for block := range strings.SplitSeq(string(text), "\n\n") {
			if s, ok := readScene(block); ok {
				all[s.move] = append(all[s.move], s)
			}
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no cases", g.ID)
	}
	return all
}

// readScene reads a case. It returns false for one without a move at a table.
func readScene(block string) (scene, bool) {
	s := scene{settings: "{}"}
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
		case verb == ">" && (words[0] == "refused" || words[0] == "invalid"):
			return scene{}, false
		}
	}
	return s, s.move != ""
}

// stages plays a scene with a move, with new characters at the table. It returns false if there is
// none.
func (p *party) stages(m *game.Move) bool {
	all := p.scenes[m.ID]
	for _, at := range p.Perm(len(all)) {
		if p.plays(m, all[at]) {
			return true
		}
	}
	return false
}

func (p *party) plays(m *game.Move, s scene) bool {
	settings, err := p.game.Settings.Decode([]byte(s.settings))
	must(p.t, err)
	if got := p.gm.api("PATCH", "/settings", map[string]any{"settings": settings}); got.status != http.StatusOK {
		p.t.Fatalf("settings: %s", got.body)
	}
	ids := map[string]string{}
	for i, c := range s.cast {
		ids[c.id] = "c" + strconv.Itoa(p.cast+i+1)
	}
	by := p.gm
	for i, c := range s.cast {
		kind, _ := p.game.Kind(c.kind)
		n := act.CharacterRequest{Name: c.id, Kind: c.kind, Sheet: gametest.RenameIDs(p.t, c.sheet, ids)}
		if owner := p.seated[1+i%2]; kind.Player {
			n.Owner = owner.id
			if c.id == s.by && !m.GMOnly && p.one(2) {
				by = owner
			}
		}
		must(p.t, p.adds(n))
	}
	p.notes(nil)
	return p.asks(m, by, ids[s.by], func(func() string) any { return gametest.RenameIDs(p.t, s.args, ids) })
}
