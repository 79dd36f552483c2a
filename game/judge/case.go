package judge

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/rule"
)

// Case is a move in a transcript, with the results that it must have.
type Case struct {
	File  string
	Title string
	Rules []string // ids of the rules it covers

	lines    []string // actions
	want     []string // expected results: the lines with >
	comment  []string // lines before the heading
	happened []string
}

// RuleID matches the id of a rule.
var RuleID = regexp.MustCompile(`\b[A-Z]{2}-\d{2}\b`)

// Read reads all cases from the files *.txt of a folder.
func Read(folder fs.FS) ([]*Case, error) {
	files, err := fs.Glob(folder, "*.txt")
	if err != nil {
		return nil, err
	}
	var cases []*Case
	for _, file := range files {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, err
		}
		for block := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
			cases = append(cases, parse(file, block))
		}
	}
	return cases, nil
}

func parse(file, block string) *Case {
	s := &Case{File: file}
	for line := range strings.SplitSeq(strings.TrimSpace(block), "\n") {
		switch {
		case strings.HasPrefix(line, "# "):
			if s.Title != "" {
				s.comment = append(s.comment, s.Title)
			}
			s.Title = strings.TrimPrefix(line, "# ")
		case strings.HasPrefix(line, "> "):
			s.want = append(s.want, strings.TrimPrefix(line, "> "))
		default:
			s.lines = append(s.lines, line)
		}
	}
	head, _, _ := strings.Cut(s.Title, ":")
	s.Rules = RuleID.FindAllString(head, -1)
	return s
}

// Transcript returns the text of the case with the actual results.
func (s *Case) Transcript() string {
	lines := s.happened
	if lines == nil {
		lines = s.want
	}
	var b strings.Builder
	for _, c := range s.comment {
		b.WriteString("# " + c + "\n")
	}
	b.WriteString("# " + s.Title + "\n")
	for _, line := range s.lines {
		b.WriteString(line + "\n")
	}
	for _, line := range lines {
		b.WriteString("> " + line + "\n")
	}
	return b.String()
}

// staged is a case ready to be played.
type staged struct {
	title   string
	move    *game.Move
	scene   game.Scene
	args    any
	play    func(*rule.Run) rule.Outcome
	faces   []int
	answers []answer
	refused error                        // the error of the form or the rules, before any dice
	given   map[string]map[string]string // the sheets as given, as dotted paths
}

type answer struct {
	question, part string
	value          []byte
}

// stage reads the lines of a case.
func stage(g *game.Game, s *Case) (staged, error) {
	st := staged{
		title: s.Title,
		given: map[string]map[string]string{},
		scene: game.Scene{Cast: map[string]game.Member{}, Settings: g.Settings.Default},
	}
	moves := 0
	for _, line := range s.lines {
		verb, rest, _ := strings.Cut(line, " ")
		var err error
		switch verb {
		case "character":
			err = st.character(g, rest)
		case "settings":
			st.scene.Settings, err = g.Settings.Decode([]byte(rest))
		case "ruled": // "all" for the game master's own move, or names of arguments that they fixed
			st.scene.Ruled = game.Ruled{All: rest == "all", Asked: rest != "all", Fixed: strings.Fields(rest)}
		case "plays": // "plays lira tam" gives both to one player; "plays gm tam"
			err = st.plays(strings.Fields(rest))
		case "move":
			if err = st.make(g, rest); moves > 0 {
				err = fault("two-moves", "a case makes one move: write this one into a case of its own, after an empty line")
			}
			moves++
		case "dice":
			for _, face := range strings.Fields(rest) {
				n, err := strconv.Atoi(face)
				if err != nil {
					return st, inLine(line, fault("no-face", err.Error(), "Face", face))
				}
				st.faces = append(st.faces, n)
			}
		case "answer":
			words, value := split(rest)
			if len(words) == 0 {
				return st, inLine(line, usage("answer QUESTION {…}"))
			}
			a := answer{question: words[0], value: value}
			if a.question = strings.ReplaceAll(a.question, "_", "-"); !strings.Contains(a.question, ".") {
				a.question = g.ID + "." + a.question
			}
			if len(words) > 1 {
				a.part = words[1]
			}
			st.answers = append(st.answers, a)
		default:
			err = fault("verb", fmt.Sprintf("unknown verb %q", verb), "Name", verb)
		}
		if err != nil {
			return st, inLine(line, err)
		}
	}
	if st.move == nil {
		return st, fault("moveless", "the case makes no move")
	}
	return st, nil
}

// usage says how a line is written.
func usage(code string) error { return fault("usage", "want "+code, "Code", code) }

// split splits a line into words and the JSON at its end.
func split(line string) (words []string, value []byte) {
	head, _, _ := strings.Cut(line, "{")
	return strings.Fields(head), []byte(strings.TrimPrefix(line, head))
}

func (st *staged) character(g *game.Game, rest string) error {
	words, value := split(rest)
	if len(words) < 2 {
		return usage("character ann hero {…}")
	}
	called := strings.Join(words[1:], " ")
	kind, ok := g.FindKind(called)
	if !ok {
		return fault("no-kind", fmt.Sprintf("no kind %q", called), "Name", called)
	}
	sheet, err := kind.Decode(value)
	if err != nil {
		return err
	}
	if st.given[words[0]], err = flat(sheet); err != nil {
		return err
	}
	member := game.Member{ID: words[0], Kind: kind.ID, Name: words[0], Sheet: sheet}
	if kind.Player {
		member.Owner = "who plays " + words[0]
	}
	st.scene.Cast[words[0]] = member
	return nil
}

// plays assigns a character to the player of another one, or to the game master.
func (st *staged) plays(words []string) error {
	if len(words) != 2 || st.scene.Cast[words[1]].ID == "" {
		return usage("plays ann bo")
	}
	member := st.scene.Cast[words[1]]
	member.Owner = st.scene.Cast[words[0]].Owner
	st.scene.Cast[words[1]] = member
	return nil
}

func (st *staged) make(g *game.Game, rest string) error {
	words, value := split(rest)
	if n := len(words); n > 2 && words[n-2] == "by" {
		st.scene.Actor, words = words[n-1], words[:n-2]
	}
	called := strings.Join(words, " ")
	m, ok := g.FindMove(called)
	if !ok {
		return fault("no-move", fmt.Sprintf("no move %q", called), "Name", called)
	}
	st.move = m
	bare := st.scene.Actor == "" &&
		m.Price != nil // a move that can't be made without a table is made at one, by nobody
	f := m.Form.For(form.Bare)
	if !bare {
		f = m.Fit(st.scene, m.Form.For(form.AtTable))
	}
	if st.args, st.refused = m.Decode(f, value); st.refused != nil {
		return nil
	}
	if !bare { // as at a table, a rule sees only the characters that the move touches
		st.scene = m.Meets(st.scene, st.args)
	}
	if st.refused = m.Allow(st.scene, st.args); st.refused != nil {
		return nil
	}
	if !bare {
		st.play = m.Play(st.scene, st.args)
	} else {
		st.play = m.Price(st.scene, st.args)
	}
	return nil
}

// record is the result of a case.
type record struct {
	lines   []string
	result  rule.Result[rule.Outcome]
	asked   []rule.Open
	refused bool
}

// act plays a case to its end and records what happens.
func act(st staged) (record, error) {
	var rec record
	if defect, ok := game.AsDefect(st.refused); ok {
		return rec, defect
	}
	if st.refused != nil {
		rec.lines, rec.refused = refusal(st.refused), true
		return rec, nil
	}
	hand := dice.NewHand(st.faces)
	source := rule.HandSource(hand, false)
	told := map[string]int{}
	asked := map[string]bool{}
	var trail rule.Trail
	answers := st.answers
	for {
		result, err := rule.Play(st.play, rule.Options{Trail: trail, Source: source})
		if err != nil {
			return rec, err
		}
		rec.result = result
		for _, step := range result.New {
			rec.lines = append(rec.lines, throwLine(step)...)
		}
		for _, e := range result.Events {
			if e.N < told[e.Part] { // it's in the record already, or an aside: rollers checks those
				continue
			}
			told[e.Part] = e.N + 1
			line, err := eventLine(e)
			if err != nil {
				return rec, err
			}
			rec.lines = append(rec.lines, line)
		}
		for _, q := range result.Open {
			if !asked[q.Place()] {
				asked[q.Place()] = true
				rec.asked = append(rec.asked, q)
				rec.lines = append(rec.lines, "ask "+partName(q.ID, q.Part)+" to "+q.To)
			}
		}
		trail = result.Trail
		if result.Done || len(answers) == 0 {
			break
		}
		open, ok := find(result.Open, answers[0])
		if !ok {
			name := partName(answers[0].question, answers[0].part)
			return rec, fault("not-asked", fmt.Sprintf("nobody asks %s: open are %v", name, places(result.Open)), "Name", name)
		}
		step, err := open.Step(answers[0].value, "")
		answers = answers[1:]
		if defect, ok := game.AsDefect(err); ok {
			return rec, defect
		}
		if err != nil {
			rec.lines = append(rec.lines, refusal(err)...)
			continue
		}
		rec.lines = append(rec.lines, "answer "+partName(open.ID, open.Part))
		trail = append(slices.Clone(trail), step)
	}
	if err := hand.CheckEmpty(); err != nil {
		after := "–"
		if n := len(rec.lines); n > 0 { // an answer that was refused leaves faces, too
			after = rec.lines[n-1]
		}
		return rec, fault("faces-left", fmt.Sprintf("%v, after: %s", err, after), "N", hand.Remaining(), "After", after)
	}
	if len(answers) > 0 {
		name := answers[0].question
		return rec, fault("not-asked", "nobody asks "+name+": the move is done", "Name", name)
	}
	if rec.result.Done {
		rec.lines = append(rec.lines, outcomeLine(st.move, rec.result.Value))
	}
	changes, err := changedFields(st.scene, st.given, rec.result.Events)
	rec.lines = append(rec.lines, changes...)
	return rec, err
}

func find(open []rule.Open, a answer) (rule.Open, bool) {
	i := slices.IndexFunc(open, func(q rule.Open) bool {
		return q.ID == a.question && (a.part == "" || a.part == q.Part)
	})
	if i < 0 {
		return rule.Open{}, false
	}
	return open[i], true
}

func places(open []rule.Open) []string {
	var names []string
	for _, q := range open {
		names = append(names, partName(q.ID, q.Part))
	}
	return names
}

func partName(id, part string) string {
	if part == "" {
		return id
	}
	return id + " " + part
}

func throwLine(step rule.Step) []string {
	if step.Dice == nil {
		return nil
	}
	d := step.Dice
	line := fmt.Sprintf("throw %s %dd%d:", d.For, len(d.Faces), d.Sides)
	for _, face := range d.Faces {
		line += " " + strconv.Itoa(face)
	}
	return []string{line}
}

func eventLine(e rule.PlacedEvent) (string, error) {
	data, err := json.Marshal(e.Event)
	if err != nil {
		return "", err
	}
	return "tell " + game.TypeOf(e.Event) + " " + string(data), nil
}

func outcomeLine(m *game.Move, o rule.Outcome) string {
	if m.Outcome(o.ID).Counts {
		return fmt.Sprintf("outcome %s %d", o.ID, o.N)
	}
	return "outcome " + o.ID
}

func refusal(err error) []string {
	if r, ok := game.AsRefusal(err); ok {
		return []string{strings.TrimSpace("refused " + r.Rule + " " + r.Word)}
	}
	if problems, ok := err.(form.Problems); ok {
		var lines []string
		for _, p := range problems {
			lines = append(lines, "invalid "+p.Path+" "+string(p.Code))
		}
		return lines
	}
	return []string{"error " + err.Error()}
}

// met yields the characters in a scene and those who may join it.
func met(scene game.Scene) iter.Seq2[string, game.Member] {
	return func(yield func(string, game.Member) bool) {
		for _, some := range []map[string]game.Member{scene.Cast, scene.Apart()} {
			for id, m := range some {
				if !yield(id, m) {
					return
				}
			}
		}
	}
}

// fold applies events to the sheets of the cast.
func fold(scene game.Scene, told []rule.PlacedEvent) map[string]any {
	sheets := map[string]any{}
	for id, m := range met(scene) {
		sheets[id] = m.Sheet
	}
	for _, e := range told {
		if c, ok := game.AsChange(e.Event); ok {
			sheets[c.Whose()] = c.Apply(sheets[c.Whose()])
		}
	}
	return sheets
}

// changedFields returns the members of sheets that have changed.
func changedFields(scene game.Scene, given map[string]map[string]string, told []rule.PlacedEvent) ([]string, error) {
	var lines []string
	sheets := fold(scene, told)
	ids := make([]string, 0, len(sheets))
	for id := range sheets {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		before := given[id]
		after, err := flat(sheets[id])
		if err != nil {
			return nil, err
		}
		for _, path := range paths(before, after) {
			if before[path] != after[path] {
				lines = append(
					lines,
					fmt.Sprintf(
						"%s %s: %s → %s",
						id,
						path,
						cmp.Or(before[path], "nothing"),
						cmp.Or(after[path], "nothing"),
					),
				)
			}
		}
	}
	return lines, nil
}

// flat returns a value's members by dotted path.
func flat(v any) (map[string]string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	members := map[string]string{}
	spread(members, "", tree)
	return members, nil
}

func spread(members map[string]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			spread(members, strings.TrimPrefix(path+"."+name, "."), value)
		}
	case []any:
		for i, value := range v {
			spread(members, path+"."+strconv.Itoa(i), value)
		}
	case nil:
	default:
		members[path] = fmt.Sprint(v)
	}
}

func paths(maps ...map[string]string) []string {
	var all []string
	for _, m := range maps {
		for path := range m {
			if !slices.Contains(all, path) {
				all = append(all, path)
			}
		}
	}
	slices.Sort(all)
	return all
}
