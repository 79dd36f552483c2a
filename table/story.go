package table

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/form"
	"norn/game"
	"norn/lang"
)

// Telling is how a story is told.
type Telling struct {
	Session int            // 0 for all of them
	Zone    *time.Location // of the times in it; nil is UTC
}

// tale is one move of a story with all that came of it, or one of the table's
// own entries.
type tale struct {
	first   Entry
	throws  []Throw
	outcome *Outcome
	lines   []Line
}

// story writes a session after the other, so that none is in memory whole.
func tellStory(st ledger, to io.Writer, speaker lang.Speaker, t Telling) error {
	if t.Session < 0 || t.Session > len(st.sessions) {
		return invalid("session", form.Range, func(p *form.Problem) {
			p.Min, p.Max, p.Given = 1, len(st.sessions), strconv.Itoa(t.Session)
		})
	}
	if t.Zone == nil {
		t.Zone = time.UTC
	}
	e := eyeOf(st, &seat{role: game.Spectator}, speaker) // everybody sees at least as much
	w := bufio.NewWriter(&lastLine{w: to})
	heading(e, w, "# ", st.name)
	w.WriteString("*" + marked(e.word("game", "name")) + "*\n\n")
	for _, s := range st.sessions {
		if t.Session != 0 && t.Session != s.n {
			continue
		}
		heading(e, w, "## ", e.voice.Say("table.story.session", "N", s.n, "Time", e.voice.Time(s.began, t.Zone)))
		chapter(e, w, s)
	}
	return w.Flush()
}

// lastLine writes all but the empty line at the end.
type lastLine struct {
	w    io.Writer
	held bool
}

func (l *lastLine) Write(text []byte) (int, error) {
	if len(text) == 0 {
		return 0, nil
	}
	if l.held {
		if _, err := l.w.Write([]byte("\n")); err != nil {
			return 0, err
		}
	}
	l.held = text[len(text)-1] == '\n'
	_, err := l.w.Write(bytes.TrimSuffix(text, []byte("\n")))
	return len(text), err
}

func heading(e eye, w *bufio.Writer, level, text string) {
	w.WriteString(level + marked(text) + "\n\n")
}

// chapter tells of a session, and how lucky its players were.
func chapter(e eye, w *bufio.Writer, s *session) {
	told := false
	for r := range e.st.after(s.from-1, pageOf) {
		if s.to > 0 && r.Seq >= s.to {
			break
		}
		if (r.Kind == KindMove || kinds.kinds[r.Kind].story) && e.seesEntry(r) {
			told = tellTale(e, w, taleOf(e, r)) || told
		}
	}
	if !told {
		w.WriteString("*" + marked(e.voice.Say("table.story.nothing")) + "*\n\n")
	}
	lucky := fortunesIn(e, s.n)
	if len(lucky) == 0 {
		return
	}
	w.WriteString("**" + marked(e.voice.Say("table.story.luck")) + "**\n\n")
	for _, t := range lucky {
		luck := t.luck()
		w.WriteString("- " + marked(e.voice.Say("table.story.luckier", "Name", luck.Name, "N", luck.Throws, "P", e.voice.Percent(luck.Probability))) + "\n")
	}
	w.WriteString("\n")
}

// tale is what began with a record.
func taleOf(e eye, first *record) *tale {
	records := []*record{first}
	if first.move != nil {
		records = e.st.of(first.move)
	}
	one := &tale{}
	for i, r := range records {
		entry, _ := entryOf(e, r)
		if i == 0 {
			one.first = entry
		}
		one.throws = append(one.throws, entry.Throws...)
		one.lines = append(one.lines, entry.Lines...)
		if entry.Outcome != nil {
			one.outcome = entry.Outcome
		}
	}
	return one
}

// tell writes one move; false if there's nothing to tell.
func tellTale(e eye, w *bufio.Writer, one *tale) bool {
	lines := slices.DeleteFunc(one.lines, func(l Line) bool { return l.Text == "" })
	if one.first.Kind == KindTalk {
		speak(e, w, one.first, lines)
		return true
	}
	if one.first.Move == "" {
		if one.first.Undone != nil || len(lines) == 0 {
			return false
		}
		for _, l := range lines {
			w.WriteString("*" + marked(l.Text) + "*\n\n")
		}
		return true
	}
	who := one.first.Seat.Name
	if one.first.Character != "" {
		who = e.name(one.first.Character)
	}
	what := e.word("move", one.first.Name)
	if one.first.Undone != nil {
		w.WriteString("*" + marked(e.voice.Say("table.story.undone", "Name", who, "Move", what)) + "*\n\n")
		return true
	}
	w.WriteString("**" + marked(who) + "** — " + marked(what))
	if def, ok := e.st.game.Move(one.first.Name); ok {
		if chosen := e.st.game.Choices(e.voice, def.Form.For(form.AtTable), one.first.Args); len(chosen) > 0 {
			w.WriteString(": " + marked(strings.Join(chosen, " · ")))
		}
	}
	w.WriteString("\n\n")
	several := Several(one.throws)
	for _, t := range one.throws {
		if several {
			t.Whose = cmp.Or(t.Whose, who)
		}
		w.WriteString("- " + marked(throwLabel(e, t)) + ": " + faced(t) + "\n")
	}
	if one.outcome != nil {
		w.WriteString("- **" + marked(one.outcome.Text) + "**\n")
	}
	for _, l := range lines {
		w.WriteString("- " + marked(l.Text) + "\n")
	}
	if len(one.throws) > 0 || one.outcome != nil || len(lines) > 0 {
		w.WriteString("\n")
	}
	return true
}

// speak writes what was said, each line of it on a line.
func speak(e eye, w *bufio.Writer, said Entry, lines []Line) {
	w.WriteString("**" + marked(speakerOf(e, said)) + "**: ")
	for _, l := range lines {
		for i, text := range strings.Split(l.Text, "\n") {
			if i > 0 {
				w.WriteString("  \n")
			}
			w.WriteString(marked(text))
		}
	}
	w.WriteString("\n\n")
}

// speaker is who speaks in an entry: a character, by the name it has now, or the seat.
func speakerOf(e eye, said Entry) string {
	if said.Character != "" {
		return e.name(said.Character)
	}
	return said.Seat.Name
}

// throwLabel says what a throw is for, and that people threw it.
func throwLabel(e eye, t Throw) string {
	label := e.voice.Say("table.story.dice")
	if id := e.st.game.Word("throw", t.For); e.voice.Has(id) {
		label = e.voice.Say(id)
	}
	if t.Whose != "" {
		label = t.Whose + ", " + label
	}
	if t.Hand {
		label = e.voice.Say("table.story.by-hand", "Dice", label)
	}
	return label
}

// faced are a throw's faces, those that decided strong and those that were
// cancelled struck through.
func faced(t Throw) string {
	faces := make([]string, len(t.Faces))
	for i, face := range t.Faces {
		faces[i] = strconv.Itoa(face)
		if i >= len(t.Marks) {
			continue
		}
		switch t.Marks[i] {
		case game.Deciding:
			faces[i] = "**" + faces[i] + "**"
		case game.Cancelled:
			faces[i] = "~~" + faces[i] + "~~"
		}
	}
	return strings.Join(faces, ", ")
}

// marked is a text of people's in Markdown, in one line, where it means only
// itself.
func marked(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	var b strings.Builder
	for i, r := range text {
		first := strings.Trim(text[:i], "0123456789") == "" // where a list could begin
		if strings.ContainsRune("\\`*_[]<>#|~&", r) || i == 0 && (r == '-' || r == '+' || r == '=') || i > 0 && first && (r == '.' || r == ')') {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
