package projection

import (
	"cmp"
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

// moveStory is a move with everything that followed from it.
type moveStory struct {
	move    *state.Move
	first   *view.Entry
	throws  []view.Throw
	outcome *view.Outcome
	lines   []view.Line
	dice    []view.Line // lines about the dice
	open    bool
}

// moveStoryOf returns the move that began with a record.
func moveStoryOf(e *visibility.Eye, first *state.Record) *moveStory {
	one := &moveStory{move: first.Of, open: e.Table.OpenMoves.Of(first.Of.ID) != nil}
	for i, r := range e.Table.RecordsOf(first.Of) {
		entry := cmp.Or(Entry(e, r), &view.Entry{})
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

// diceEvents returns the types of a record's events that say who rolled, or how dice count.
func diceEvents(r *state.Record) map[string]bool {
	of := map[string]bool{}
	for _, event := range r.Decoded {
		_, threw := event.(game.DiceEvent)
		_, told := event.(game.StoryEvent)
		_, marked := event.(game.Marked)
		of[game.TypeOf(event)] = threw && !told || marked
	}
	return of
}

// markup formats text: words of people and games, and emphasis.
type markup struct{ text, strong func(string) string }

var (
	markdown = markup{inline, func(text string) string { return "**" + inline(text) + "**" }}
	plain    = markup{func(text string) string { return text }, func(text string) string { return text }}
)

// prose returns the move as a paragraph: who does what, how it ends, what follows. Dice are left
// out: they're in the log.
func (one *moveStory) prose(e *visibility.Eye) string {
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

// who returns the name of the actor, or of the seat that made the move.
func (one *moveStory) who(e *visibility.Eye) string {
	if one.first.Character != "" {
		return e.Name(one.first.Character)
	}
	return one.first.Seat.Name
}

// deed returns a sentence about what was done and how it ended, in the game's own words if it has
// some.
func (one *moveStory) deed(e *visibility.Eye, l markup) string {
	who, what, word := l.strong(one.who(e)), e.Word("move", one.first.Name), e.Table.Game.Word("story", one.first.Name)
	text := who + " — " + l.text(what)
	switch {
	case e.Voice.Has(word):
		text = e.Voice.Say(word, "Name", who)
	case one.first.Character == "" && one.move.Def != &game.Plain: // a move without an actor is about the world
		text = l.strong(what)
	}
	chosen := e.Table.Game.Chosen(e.Voice, one.move.Def.Form.For(form.AtTable), one.people(e))
	if len(chosen) == 0 && len(one.dice) > 0 {
		_, about := subject(e, one.move, one.dice[0].Text)
		about, _, _ = strings.Cut(about, ": ") // the rest is about dice
		chosen = []string{about}
	}
	if len(chosen) > 0 {
		text += " (" + l.text(strings.Join(chosen, ", ")) + ")"
	}
	// otherwise the following lines say it
	if came := one.outcome; came != nil && (len(one.throws) > 0 || came.Tone != game.Neutral || len(one.lines) == 0) {
		text += ": " + l.strong(lang.LowerFirst(came.Text))
	}
	return endSentence(text)
}

// people returns the move's arguments without fights and tasks, which the chapter's headings name.
func (one *moveStory) people(e *visibility.Eye) map[string]any {
	given := map[string]any{}
	for name, value := range one.first.Args {
		if id, ok := value.(string); !ok || !kindOf(e, id).Scene {
			given[name] = value
		}
	}
	return given
}

// narrate returns a player's words about a move without rolls, and the move's other lines; "" for
// other moves.
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

// follows returns what followed from a move. A name is written once for all lines in a row about
// the same character; the actor isn't named again.
func follows(e *visibility.Eye, m *state.Move, who string, lines []view.Line) string {
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

// subject splits the name of one of the move's characters off a line.
func subject(e *visibility.Eye, m *state.Move, text string) (of, rest string) {
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

// spoken returns a message: a character's words as dialogue, a game master's as narration, a
// player's own as an aside.
func spoken(e *visibility.Eye, r *state.Record) string {
	shown := cmp.Or(Entry(e, r), &view.Entry{})
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

// endSentence returns a text with a full stop, if it has no end of a sentence; "" stays "".
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

// inline returns a person's text as one line of Markdown, escaped so that it has no markup.
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

// opening is inline for the beginning of a paragraph, which could also begin a list.
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
