package games_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/games"
	"norn/rule"
)

// A scripted evening is a file of testdata/presses. Its lines are
//
//	settings {…}                  the table's settings
//	character ID KIND {sheet}     a character; its id is its name, and of one player each
//	move ID [by CHARACTER] {args} a move; its sheets are those that the moves before have left
//	answer QUESTION {…}           how the next question of this id in the moves that follow is answered
//
// Every other question gets its standard answer. The dice depend only on the move and on what they
// are thrown for, so the evening stays the same when a rule asks less.

// TestScriptedEveningsTakeAsManyQuestionsAsTheTableSays counts the questions that people answer in
// an evening, other than for dice, and compares them with the table in docs/bench.md.
func TestScriptedEveningsTakeAsManyQuestionsAsTheTableSays(t *testing.T) {
	text, err := os.ReadFile("../docs/bench.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| [^|]+ \| `+"`([a-z]+)`"+` \| (\d+) \| (\d+) \| (\d+) \|$`).
		FindAllStringSubmatch(string(text), -1)
	if len(rows) == 0 {
		t.Fatal("docs/bench.md has no table of questions")
	}
	for _, row := range rows {
		t.Run(row[1], func(t *testing.T) {
			e := evening{t: t, cast: map[string]game.Member{}, answers: map[string][]json.RawMessage{}}
			e.play(row[1])
			before, now := number(t, row[3]), number(t, row[4])
			if e.moves != number(t, row[2]) || e.asked != now {
				t.Errorf("%d moves and %d questions %v, the table says %s and %d", e.moves, e.asked, e.by, row[2], now)
			}
			if now > before {
				t.Errorf("%d questions, before %d", now, before)
			}
		})
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// evening is a scripted evening while it's played.
type evening struct {
	t            *testing.T
	game         *game.Game
	settings     any
	cast         map[string]game.Member
	answers      map[string][]json.RawMessage // by question
	moves, asked int
	by           map[string]int // how often each question was asked
}

func (e *evening) play(id string) {
	e.t.Helper()
	played, ok := game.Find(games.All(), id)
	if !ok {
		e.t.Fatalf("there is no game %q", id)
	}
	e.game, e.settings, e.by = played, played.Settings.Default, map[string]int{}
	text, err := os.ReadFile(filepath.Join("testdata", "presses", id+".txt"))
	if err != nil {
		e.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, value, _ := strings.Cut(line, " {")
		words, data := strings.Fields(head), []byte("{"+value)
		switch words[0] {
		case "settings":
			e.settings, err = e.game.Settings.Decode(data)
		case "character":
			kind, _ := e.game.Kind(words[2])
			m := game.Member{ID: words[1], Name: words[1], Kind: words[2]}
			if kind.Player {
				m.Owner = words[1] + "'s player"
			}
			m.Sheet, err = kind.Decode(data)
			e.cast[m.ID] = m
		case "move":
			by := ""
			if len(words) > 3 {
				by = words[3]
			}
			err = e.make(words[1], by, data)
		case "answer":
			e.answers[words[1]] = append(e.answers[words[1]], data)
		default:
			err = fmt.Errorf("unknown word")
		}
		if err != nil {
			e.t.Fatalf("%s: %v", line, err)
		}
	}
	for id, left := range e.answers {
		if len(left) > 0 {
			e.t.Logf("%s: %d answers to %s aren't needed", e.game.ID, len(left), id)
		}
	}
}

// make makes a move and answers its questions until it's done.
func (e *evening) make(id, by string, data []byte) error {
	e.moves++
	move, ok := e.game.Move(id)
	if !ok {
		return fmt.Errorf("no such move")
	}
	whole := game.Scene{Actor: by, Cast: e.cast, Settings: e.settings}
	args, err := move.Decode(move.Fit(whole, move.Form.For(form.AtTable)), data)
	if err != nil {
		return err
	}
	scene := move.Meets(whole, args)
	if err := move.Allow(scene, args); err != nil {
		return err
	}
	source := &purposes{move: fmt.Sprint(e.game.ID, e.moves), streams: map[string]*dice.Stream{}}
	var trail rule.Trail
	for {
		result, err := rule.Play(move.Play(scene, args), rule.Options{Trail: trail, Source: source})
		if err != nil {
			return err
		}
		if result.Done {
			for _, told := range result.Events {
				if c, ok := game.AsChange(told.Event); ok {
					m := e.cast[c.Whose()]
					m.Sheet = c.Apply(m.Sheet)
					e.cast[c.Whose()] = m
				}
			}
			return nil
		}
		q := result.Open[0]
		e.asked++
		e.by[q.ID]++
		answer := json.RawMessage(q.Form.JSON(q.Standard))
		if given := e.answers[q.ID]; len(given) > 0 {
			answer, e.answers[q.ID] = given[0], given[1:]
		}
		step, err := q.Step(answer, "")
		if err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		trail = append(result.Trail, step)
	}
}

// purposes throws the dice of a move, with a stream for each thing that they are thrown for.
type purposes struct {
	move    string
	streams map[string]*dice.Stream
}

func (s *purposes) Throw(_ string, p dice.Pool, buf []int) ([]int, error) {
	stream := s.streams[p.For]
	if stream == nil {
		var seed [32]byte
		copy(seed[:], s.move+"/"+p.For)
		stream = dice.NewStream(seed)
		s.streams[p.For] = stream
	}
	return rule.RollerSource(stream).Throw("", p, buf)
}
