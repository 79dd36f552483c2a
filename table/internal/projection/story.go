package projection

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
	"norn/table/internal/act"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// tale is one move of a story with all that came of it, or one of the table's
// own entries.
type tale struct {
	first   view.Entry
	throws  []view.Throw
	outcome *view.Outcome
	lines   []view.Line
}

// Story writes a session after the other, so that none is in memory whole.
func Story(st ledger.Ledger, to io.Writer, speaker lang.Speaker, t request.Telling) error {
	if t.Session < 0 || t.Session > len(st.Sessions) {
		return refusal.Invalid("session", form.Range, func(p *form.Problem) {
			p.Min, p.Max, p.Given = 1, len(st.Sessions), strconv.Itoa(t.Session)
		})
	}
	if t.Zone == nil {
		t.Zone = time.UTC
	}
	e := visibility.Of(st, &state.Seat{Role: game.Spectator}, speaker) // everybody sees at least as much
	w := bufio.NewWriter(&lastLine{w: to})
	heading(e, w, "# ", st.Name)
	w.WriteString("*" + marked(e.Word("game", "name")) + "*\n\n")
	for _, s := range st.Sessions {
		if t.Session != 0 && t.Session != s.N {
			continue
		}
		heading(e, w, "## ", e.Voice.Say("table.story.session", "N", s.N, "Time", e.Voice.Time(s.Began, t.Zone)))
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

func heading(e visibility.Eye, w *bufio.Writer, level, text string) {
	w.WriteString(level + marked(text) + "\n\n")
}

// chapter tells of a session, and how lucky its players were.
func chapter(e visibility.Eye, w *bufio.Writer, s *state.Session) {
	told := false
	for r := range e.Table.After(s.From-1, ledger.PageOf) {
		if s.To > 0 && r.Seq >= s.To {
			break
		}
		if (r.Kind == view.KindMove || act.Vocabulary.Kinds[r.Kind].Story) && e.SeesEntry(r) {
			told = tellTale(e, w, taleOf(e, r)) || told
		}
	}
	if !told {
		w.WriteString("*" + marked(e.Voice.Say("table.story.nothing")) + "*\n\n")
	}
	lucky := Fortunes(e, s.N)
	if len(lucky) == 0 {
		return
	}
	w.WriteString("**" + marked(e.Voice.Say("table.story.luck")) + "**\n\n")
	for _, t := range lucky {
		luck := t.luck()
		w.WriteString("- " + marked(e.Voice.Say("table.story.luckier", "Name", luck.Name, "N", luck.Throws, "P", e.Voice.Percent(luck.Probability))) + "\n")
	}
	w.WriteString("\n")
}

// taleOf is what began with a record.
func taleOf(e visibility.Eye, first *state.Record) *tale {
	records := []*state.Record{first}
	if first.Of != nil {
		records = e.Table.RecordsOf(first.Of)
	}
	one := &tale{}
	for i, r := range records {
		entry, _ := Entry(e, r)
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

// tellTale writes one move; false if there's nothing to tell.
func tellTale(e visibility.Eye, w *bufio.Writer, one *tale) bool {
	lines := slices.DeleteFunc(one.lines, func(l view.Line) bool { return l.Text == "" })
	if one.first.Kind == view.KindTalk {
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
		who = e.Name(one.first.Character)
	}
	what := e.Word("move", one.first.Name)
	if one.first.Undone != nil {
		w.WriteString("*" + marked(e.Voice.Say("table.story.undone", "Name", who, "Move", what)) + "*\n\n")
		return true
	}
	w.WriteString("**" + marked(who) + "** — " + marked(what))
	if def, ok := e.Table.Game.Move(one.first.Name); ok {
		if chosen := e.Table.Game.Choices(e.Voice, def.Form.For(form.AtTable), one.first.Args); len(chosen) > 0 {
			w.WriteString(": " + marked(strings.Join(chosen, " · ")))
		}
	}
	w.WriteString("\n\n")
	several := view.Several(one.throws)
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
func speak(e visibility.Eye, w *bufio.Writer, said view.Entry, lines []view.Line) {
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

// speakerOf is who speaks in an entry: a character, by the name it has now, or the seat.
func speakerOf(e visibility.Eye, said view.Entry) string {
	if said.Character != "" {
		return e.Name(said.Character)
	}
	return said.Seat.Name
}

// throwLabel says what a throw is for, and that people threw it.
func throwLabel(e visibility.Eye, t view.Throw) string {
	label := e.Voice.Say("table.story.dice")
	if id := e.Table.Game.Word("throw", t.For); e.Voice.Has(id) {
		label = e.Voice.Say(id)
	}
	if t.Whose != "" {
		label = t.Whose + ", " + label
	}
	if t.Hand {
		label = e.Voice.Say("table.story.by-hand", "Dice", label)
	}
	return label
}

// faced are a throw's faces, those that decided strong and those that were
// cancelled struck through.
func faced(t view.Throw) string {
	faces := make([]string, len(t.Faces))
	for i, face := range t.Faces {
		faces[i] = strconv.Itoa(face)
		if i >= len(t.Marks) {
			continue
		}
		switch t.Marks[i] {
		case game.Deciding, game.Natural:
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
