package table

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/form"
	"norn/game"
)

// Telling is how a story is told.
type Telling struct {
	Session int            // 0 for all of them
	Zone    *time.Location // of the times in it; nil is UTC
}

// Story writes what happened as Markdown to be read, in the seat's language:
// sessions, who did what, what the dice said and what came of it. It holds only
// what everybody at the table may see, whoever asks, and neither ids nor the
// table's own business with links and secrets. A move that was taken back is
// named and no more. Each session ends with how lucky its players were, by the
// throws whose odds everybody may know. The error is an *InvalidError for a session that isn't there.
func (s *Seat) Story(ctx context.Context, w io.Writer, t Telling) error {
	var (
		chapters []chapter
		voice    game.Voice
	)
	err := s.look(ctx, func(e eye) (err error) {
		voice = e.voice
		chapters, err = e.st.story(voice, t)
		return err
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, bound(chapters, voice))
	return err
}

// Story writes the table's story as Seat.Story does.
func (p *Past) Story(w io.Writer, t Telling) error {
	voice := game.Voice{Speaker: p.speaker}
	chapters, err := p.st.story(voice, t)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, bound(chapters, voice))
	return err
}

// chapter is a stretch of a story, and the throws whose luck is told at its end.
type chapter struct {
	text string
	luck []*fortune
}

// bound is the whole story.
func bound(chapters []chapter, v game.Voice) string {
	var b strings.Builder
	for _, c := range chapters {
		b.WriteString(c.text)
		if len(c.luck) == 0 {
			continue
		}
		b.WriteString("**" + marked(v.Say("table.story.luck")) + "**\n\n")
		for _, t := range c.luck {
			luck := t.luck()
			b.WriteString("- " + marked(v.Say("table.story.luckier", "Name", luck.Name, "N", luck.Throws, "P", v.Percent(luck.Probability))) + "\n")
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// tale is one move of a story with all that came of it, or one of the table's
// own entries.
type tale struct {
	first   Entry
	throws  []Throw
	outcome *Outcome
	lines   []Line
}

func (st ledger) story(v game.Voice, t Telling) ([]chapter, error) {
	if t.Session < 0 || t.Session > len(st.sessions) {
		return nil, invalid("session", form.Range, func(p *form.Problem) {
			p.Min, p.Max, p.Given = 1, len(st.sessions), strconv.Itoa(t.Session)
		})
	}
	if t.Zone == nil {
		t.Zone = time.UTC
	}
	e := st.eye(&seat{role: game.Spectator}, v.Speaker) // everybody sees at least as much
	tales := e.tales()
	var (
		chapters []chapter
		text     strings.Builder
	)
	w := bufio.NewWriter(&text)
	e.heading(w, "# ", st.name)
	w.WriteString("*" + marked(e.word("game", "name")) + "*\n\n")
	w.Flush()
	chapters = append(chapters, chapter{text: text.String()})
	for _, s := range st.sessions {
		if t.Session != 0 && t.Session != s.n {
			continue
		}
		text.Reset()
		e.heading(w, "## ", e.voice.Say("table.story.session", "N", s.n, "Time", e.voice.Time(s.began, t.Zone)))
		told := false
		for _, one := range tales {
			if one.first.Seq >= s.from && (s.to == 0 || one.first.Seq < s.to) {
				told = e.tell(w, one) || told
			}
		}
		if !told {
			w.WriteString("*" + marked(e.voice.Say("table.story.nothing")) + "*\n\n")
		}
		w.Flush()
		chapters = append(chapters, chapter{text.String(), e.fortunes(s.n)})
	}
	return chapters, nil
}

func (e eye) heading(w *bufio.Writer, level, text string) {
	w.WriteString(level + marked(text) + "\n\n")
}

// tales gathers entries into moves, in the order in which those began.
func (e eye) tales() []*tale {
	var tales []*tale
	moves := map[string]*tale{}
	for _, r := range e.st.records {
		entry, ok := e.entry(r)
		if !ok {
			continue
		}
		if r.move == nil && !kinds[r.Kind].story { // the table's own business
			continue
		}
		one := moves[entry.Move]
		if one == nil {
			one = &tale{first: entry}
			tales = append(tales, one)
			if entry.Move != "" {
				moves[entry.Move] = one
			}
		}
		one.throws = append(one.throws, entry.Throws...)
		one.lines = append(one.lines, entry.Lines...)
		if entry.Outcome != nil {
			one.outcome = entry.Outcome
		}
	}
	return tales
}

// tell writes one move; false if there's nothing to tell.
func (e eye) tell(w *bufio.Writer, one *tale) bool {
	lines := slices.DeleteFunc(one.lines, func(l Line) bool { return l.Text == "" })
	if one.first.Kind == KindTalk {
		e.speak(w, one.first, lines)
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
		w.WriteString("- " + marked(e.throwLabel(t)) + ": " + faced(t) + "\n")
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
func (e eye) speak(w *bufio.Writer, said Entry, lines []Line) {
	w.WriteString("**" + marked(e.speaker(said)) + "**: ")
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
func (e eye) speaker(said Entry) string {
	if said.Character != "" {
		return e.name(said.Character)
	}
	return said.Seat.Name
}

// throwLabel says what a throw is for, and that people threw it.
func (e eye) throwLabel(t Throw) string {
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
