package projection

import (
	"strings"
	"unicode/utf8"

	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// moveStory is one move with all that came of it.
type moveStory struct {
	move    *state.Move
	first   view.Entry
	throws  []view.Throw
	outcome *view.Outcome
	lines   []view.Line
	dice    []view.Line // those that are about the dice
	open    bool
}

// moveStoryOf is the move that began with a record.
func moveStoryOf(e visibility.Eye, first *state.Record) *moveStory {
	one := &moveStory{move: first.Of, open: e.Table.OpenMoves.Of(first.Of.ID) != nil}
	for i, r := range e.Table.RecordsOf(first.Of) {
		entry, _ := Entry(e, r)
		if i == 0 {
			one.first = entry
		}
		one.throws = append(one.throws, entry.Throws...)
		ofDice := diceEvents(r)
		for _, l := range entry.Lines {
			switch {
			case l.Text == "":
			case ofDice[l.Type]:
				one.dice = append(one.dice, l)
			default:
				one.lines = append(one.lines, l)
			}
		}
		if entry.Outcome != nil {
			one.outcome = entry.Outcome
		}
	}
	return one
}

// diceEvents are the types of a record's events that say whose dice fell, or how they count.
func diceEvents(r *state.Record) map[string]bool {
	of := map[string]bool{}
	for _, event := range r.Decoded {
		_, threw := event.(game.DiceEvent)
		_, marked := event.(game.Marked)
		of[game.TypeOf(event)] = threw || marked
	}
	return of
}

// markup is how a text is set: what people and games have said, and what stands out.
type markup struct{ text, strong func(string) string }

var (
	markdown = markup{inline, func(text string) string { return "**" + inline(text) + "**" }}
	plain    = markup{func(text string) string { return text }, func(text string) string { return text }}
)

// prose is the move in a paragraph: who does what, how it comes out, what follows. No dice: they stand in the log.
func (one *moveStory) prose(e visibility.Eye) string {
	if told, rest := one.narrate(); told != "" {
		return opening(strings.TrimSpace(follows(e, one.move, "", rest)+" ") + told)
	}
	if one.move.Actor != "" && isThing(e, one.move.Actor) && len(one.throws) == 0 && len(one.lines) > 0 {
		return "*" + inline(follows(e, one.move, "", one.lines)) + "*"
	}
	text := one.deed(e, markdown)
	if said := follows(e, one.move, one.who(e), one.lines); said != "" {
		text += " " + inline(said)
	}
	if one.open {
		text += " *" + inline(e.Voice.Say("table.story.open")) + "*"
	}
	return text
}

// who acts, or else who has made the move.
func (one *moveStory) who(e visibility.Eye) string {
	if one.first.Character != "" {
		return e.Name(one.first.Character)
	}
	return one.first.Seat.Name
}

// deed says in one sentence what was done and how it came out, in the game's own words where it has some.
func (one *moveStory) deed(e visibility.Eye, l markup) string {
	who, what, word := l.strong(one.who(e)), e.Word("move", one.first.Name), e.Table.Game.Word("story", one.first.Name)
	text := who + " — " + l.text(what)
	switch {
	case e.Voice.Has(word):
		text = e.Voice.Say(word, "Name", who)
	case one.first.Character == "" && one.move.Def != &game.Plain: // the world's
		text = l.strong(what)
	}
	chosen := e.Table.Game.Chosen(e.Voice, one.move.Def.Form.For(form.AtTable), one.people(e))
	if len(chosen) == 0 && len(one.dice) > 0 {
		_, about := subject(e, one.move, one.dice[0].Text)
		chosen = []string{about}
	}
	if len(chosen) > 0 {
		text += " (" + l.text(strings.Join(chosen, ", ")) + ")"
	}
	// else what follows says it
	if came := one.outcome; came != nil && (len(one.throws) > 0 || came.Tone != game.Neutral || len(one.lines) == 0) {
		text += ": " + l.strong(lang.LowerFirst(came.Text))
	}
	return endSentence(text)
}

// people is what a move was given, without the fights and tasks in which it's made: the chapter has them in its heads.
func (one *moveStory) people(e visibility.Eye) map[string]any {
	given := map[string]any{}
	for name, value := range one.first.Args {
		if id, ok := value.(string); !ok || !kindOf(e, id).Scene {
			given[name] = value
		}
	}
	return given
}

// narrate is what people said of a move in which nothing was thrown, and what else is told of it;
// "" for a move that isn't only told.
func (one *moveStory) narrate() (told string, rest []view.Line) {
	if len(one.throws) > 0 || one.outcome != nil && one.outcome.Tone != game.Neutral {
		return "", nil
	}
	for _, l := range one.lines {
		said := false
		for _, given := range one.first.Args {
			said = said || given == any(l.Text)
		}
		if said {
			told = l.Text
		} else {
			rest = append(rest, l)
		}
	}
	return told, rest
}

// follows is what came of a move, whom it's said of named once for all that is said of them in a
// row; who acts is named already.
func follows(e visibility.Eye, m *state.Move, who string, lines []view.Line) string {
	var b strings.Builder
	before := who
	for _, l := range lines {
		of, text := subject(e, m, l.Text)
		ends := b.Len() == 0 || endsSentence(b.String())
		switch {
		case b.Len() == 0:
		case ends:
			b.WriteString(" ")
		case of != "" && of == before:
			b.WriteString("; ")
		default:
			b.WriteString(". ")
			ends = true
		}
		if of != "" && of != before {
			text = of + ": " + text
		} else if ends {
			text = lang.Capital(text)
		}
		if before = of; before == "" {
			before = who
		}
		b.WriteString(text)
	}
	return endSentence(b.String())
}

// subject takes the name of one of a move's cast off a line that begins with it.
func subject(e visibility.Eye, m *state.Move, text string) (of, rest string) {
	for _, id := range append([]string{m.Actor}, m.Cast...) {
		if id == "" {
			continue
		}
		name := e.Name(id)
		if rest, ok := strings.CutPrefix(text, name+": "); ok {
			return name, rest
		}
	}
	return "", text
}

// spoken is what was said: a character's words as dialogue, a game master's as the story goes on, a
// player's own as an aside.
func spoken(e visibility.Eye, r *state.Record) string {
	shown, _ := Entry(e, r)
	said, _ := act.Speech(r)
	var lines []string
	for line := range strings.SplitSeq(said.Text, "\n") {
		if line = opening(line); line != "" {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, "  \n")
	author := e.Table.Seats.Of(r.Seat)
	switch {
	case shown.Character != "":
		first, _ := utf8.DecodeRuneInString(said.Text)
		if !strings.ContainsRune("“«\"„—–-", first) {
			text = e.Voice.Say("table.story.quoted", "Text", text)
		}
		return "**" + inline(e.Name(shown.Character)) + ":** " + text
	case author != nil && author.Role == game.Master:
		return text
	}
	return "**" + inline(shown.Seat.Name) + ":** " + text
}

// endSentence is a text that ends as a sentence does; nothing where there's none.
func endSentence(text string) string {
	if text == "" || endsSentence(text) {
		return text
	}
	return text + "."
}

func endsSentence(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, "”»\"* "))
	return strings.ContainsRune(".!?…", last)
}

// inline is a text of people's in Markdown, in one line, where it means only itself.
func inline(text string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(text), " ") {
		if strings.ContainsRune("\\`*_[]<>#|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// opening is inline where a paragraph begins, and so could a list.
func opening(text string) string {
	text = inline(text)
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	switch {
	case text == "":
	case strings.ContainsRune("-+=", rune(text[0])):
		return "\\" + text
	case digits > 0 && digits < len(text) && (text[digits] == '.' || text[digits] == ')'):
		return text[:digits] + "\\" + text[digits:]
	}
	return text
}
