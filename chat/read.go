package chat

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"norn/game"
	"norn/lang"
)

// Read understands a line. The error is an *Error. A line without a slash at its beginning is a
// message, and so is one with two, of which it keeps one. "@Name" at the beginning makes a
// character say the message; anywhere in a command it names the actor.
func (b *Book) Read(line string) (Command, error) {
	if len(line) > MaxLine {
		return Command{}, &Error{Code: TooLong, End: MaxLine, Given: line[:30]}
	}
	text := strings.TrimLeftFunc(line, unicode.IsSpace)
	start := len(line) - len(text)
	switch {
	case strings.HasPrefix(text, "//"):
		return Command{Verb: Say, Text: strings.TrimSpace(text[1:])}, nil
	case !strings.HasPrefix(text, "/"):
		if err := b.slip(line, start); err != nil {
			return Command{}, err
		}
		return b.talk(line, start)
	}
	ts := tokens(line, start+1)
	for _, t := range ts {
		if t.kind == unclosed {
			return Command{}, &Error{Code: Unclosed, At: t.at, End: t.end, Given: line[t.at:t.end]}
		}
	}
	if len(ts) == 0 || ts[0].at > start+1 {
		return Command{}, b.unknownVerb("/")
	}
	if found, n := b.moves().longestRun(ts, 0); len(found) > 0 && (len(found) == 1 || n > 1) {
		c, err := b.move(line, Make, found[0], ts[n:])
		if err != nil { // a game may have a move called "roll"
			if verbs, n := b.verbs().longestRun(ts, 0); len(verbs) > 0 && verbs[0] == Roll {
				if plain, ok := b.plainDice(Make, line[ts[n-1].end:]); ok && !b.namesField(c, plain) {
					return plain, nil
				}
			}
		}
		return c, err
	}
	if found, n := b.verbs().longestRun(ts, 0); len(found) > 0 {
		return b.command(line, found[0], ts[:n], ts[n:])
	}
	if found := b.moves().withPrefix(ts[0].text); len(found) == 1 && utf8.RuneCountInString(ts[0].text) > 2 {
		return b.move(line, Make, found[0], ts[1:])
	}
	if toBaseForm(ts, 0, b.moves()) {
		found, n := b.moves().longestRun(ts, 0)
		return b.move(line, Make, found[0], ts[n:])
	}
	if found, n := b.barred().longestRun(ts, 0); len(found) > 0 {
		given := line[ts[0].at:ts[n-1].end]
		return Command{}, &Error{Code: Barred, At: ts[0].at, End: ts[n-1].end, Given: given, Why: b.Barred[found[0]]}
	}
	err := b.unknownVerb(ts[0].text)
	err.At, err.End = ts[0].at, ts[0].end
	return Command{}, err
}

// namesField reports whether the label of plain dice is a field of a move, which then has priority.
func (b *Book) namesField(move, plain Command) bool {
	_, label, labelled := strings.Cut(plain.Given[0], " # ")
	if !labelled || move.Form == nil {
		return false
	}
	found, _ := b.fields(move.Form.Fields).longestRun(tokens(label, 0), 0)
	return len(found) > 0
}

// Commands reports whether a text begins with the full name of a command or a move, for places
// where the slash isn't needed.
func (b *Book) Commands(text string) bool {
	ts := tokens(text, 0)
	if len(ts) == 0 || ts[0].kind != word {
		return false
	}
	moves, _ := b.moves().longestRun(ts, 0)
	verbs, _ := b.verbs().longestRun(ts, 0)
	barred, n := b.barred().longestRun(ts, 0)
	return len(moves) > 0 || len(verbs) > 0 && verbs[0] != Emote || // "me too" is a message
		len(barred) > 0 && n == len(ts)
}

// slip returns an error for a line that begins like a command, but after a character that is easily
// typed instead of the slash, or after invisible characters: a private text must not become a
// message to all. Such a character twice is on purpose.
func (b *Book) slip(line string, start int) error {
	unseen := func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) }
	text := strings.TrimLeftFunc(line[start:], unseen)
	hidden := len(text) < len(line)-start
	sign, size := utf8.DecodeRuneInString(text)
	slashed := strings.ContainsRune(`.\／⁄∕|,ю`, sign) || sign == '/'
	switch {
	case !slashed || sign == '/' && !hidden:
		return nil
	case strings.HasPrefix(text[size:], string(sign)):
		return nil
	}
	rest := strings.TrimLeftFunc(text[size:], unseen)
	if !b.Commands(rest) || len(rest) < len(text)-size && sign != '/' { // "... gm": the sentence continues
		return nil
	}
	first := strings.Fields(rest)[0]
	end := start + (len(line) - start - len(rest)) + len(first)
	said := strings.TrimSuffix(b.Lead, "/") + string(sign) + string(sign) + first + " …"
	return &Error{
		Code: Slip, At: start, End: end, Given: string(sign) + first,
		Among: []string{b.Lead + first + " …", said},
	}
}

// talk reads a message, by a character if it begins with "@" and a name.
func (b *Book) talk(line string, start int) (Command, error) {
	c := Command{Verb: Say, Text: strings.TrimSpace(line)}
	if !strings.HasPrefix(c.Text, "@") {
		return c, nil
	}
	ts := tokens(line, start+1)
	found, n := persons(b.Actors).longestRun(ts, 0)
	if len(found) != 1 || ts[0].at > start+1 || n == len(ts) { // it addresses somebody, maybe not at this table
		return c, nil
	}
	c.Actor = found[0]
	if rest := ts[n:]; rest[0].kind != word && rest[0].kind != quoted && len(rest) > 1 {
		n++
	}
	c.Text = strings.TrimSpace(line[ts[n].at:])
	return c, nil
}

func (b *Book) unknownVerb(given string) *Error {
	var names []string
	for _, v := range b.listedVerbs() {
		names = append(names, v.Names(b.own().Speaker)...)
	}
	return &Error{Code: UnknownVerb, Given: given, Near: near(given, append(names, b.moveNames()...))}
}

func (b *Book) moveName(id string) string {
	return strings.ToLower(b.own().Say(b.Game.Word("move", id)))
}

func (b *Book) moveNames() (names []string) {
	for _, id := range b.Moves {
		names = append(names, b.moveName(id))
	}
	return names
}

// moveText returns a move's name if that means just this move, otherwise its id.
func (b *Book) moveText(move string) string {
	name := b.moveName(move)
	if found, n := b.moves().longestRun(tokens(name, 0), 0); len(found) != 1 || found[0] != move ||
		n != len(tokens(name, 0)) {
		return move
	}
	return name
}

// command reads a command that has a name of its own.
func (b *Book) command(line string, v Verb, name, rest []token) (Command, error) {
	last := name[len(name)-1]
	nothing := &Error{Code: Nothing, At: last.at, End: last.end, Given: line[:last.end]}
	switch v {
	case Emote:
		text := strings.TrimSpace(line[last.end:])
		if text == "" {
			return Command{}, nothing
		}
		return Command{Verb: Say, Text: "*" + text + "*"}, nil
	case Secret:
		return b.secret(line, last, rest, nothing)
	case Tell:
		return b.tell(line, last, rest, nothing)
	case Whisper:
		return b.whisper(line, rest, nothing)
	case Roll:
		if len(rest) == 0 {
			return Command{}, nothing
		}
		c, _ := b.plainDice(Make, line[last.end:])
		return c, nil
	case Odds:
		found, n := b.moves().longestRun(rest, 0)
		if len(rest) == 0 {
			return Command{}, nothing
		}
		if verbs, n := b.verbs().longestRun(rest, 0); len(verbs) > 0 && verbs[0] == Roll && n < len(rest) &&
			len(found) == 0 {
			c, _ := b.plainDice(Odds, line[rest[n].at:])
			return c, nil
		}
		plain, dice := b.plainDice(Odds, line[rest[0].at:])
		// "damage 1d8" may be a move
		worded := strings.IndexFunc(rest[0].text, unicode.IsLetter) == 0 &&
			!strings.ContainsFunc(rest[0].text, unicode.IsDigit)
		if dice && !worded {
			return plain, nil
		}
		if len(found) == 0 && toBaseForm(rest, 0, b.moves()) {
			found, n = b.moves().longestRun(rest, 0)
		}
		if len(found) == 0 && dice {
			return plain, nil
		}
		if len(found) == 0 {
			return Command{}, &Error{
				Code: UnknownMove, At: rest[0].at, End: rest[0].end, Given: rest[0].text,
				Near: near(rest[0].text, b.moveNames()),
			}
		}
		return b.move(line, Odds, found[0], rest[n:])
	case Answer:
		if len(b.Asked) == 0 {
			return Command{}, &Error{Code: NoQuestion, At: last.at, End: last.end, Given: line[:last.end]}
		}
		q, n, err := b.answeredQuestion(rest)
		if err != nil {
			return Command{}, err
		}
		c := Command{Verb: Answer, Form: q.Form, Asked: q.ID}
		return c, b.args(&c, line, rest[n:])
	}
	switch v {
	case Take:
		return b.take(line, last, rest)
	case Tick:
		return b.tick(line, rest, nothing)
	case Scene:
		return b.scene(line, rest, nothing)
	}
	if !slices.Contains(b.Acts, v) {
		return Command{Verb: v}, nil
	}
	if len(rest) == 0 {
		return Command{}, nothing
	}
	return Command{Verb: v, Text: strings.TrimSpace(line[last.end:])}, nil
}

// secret reads a move or plain dice that only game masters see: "/gmroll 2d6", "/gr roll 2d6",
// "/secret fight".
func (b *Book) secret(line string, last token, ts []token, nothing error) (Command, error) {
	if !b.Master {
		return Command{}, &Error{Code: NotSecret, At: last.at, End: last.end, Given: line[last.at:last.end], Lead: b.Lead}
	}
	if len(ts) == 0 {
		return Command{}, nothing
	}
	var c Command
	var err error
	if found, n := b.moves().longestRun(ts, 0); len(found) > 0 {
		c, err = b.move(line, Make, found[0], ts[n:])
	} else {
		if verbs, n := b.verbs().longestRun(ts, 0); len(verbs) > 0 && verbs[0] == Roll && n < len(ts) {
			ts = ts[n:]
		}
		c, _ = b.plainDice(Make, line[ts[0].at:])
	}
	c.Secret = true
	return c, err
}

// DiceIn returns the command that rolls the dice of a message: of one that is nothing but dice, as
// "1d100" and "!roll 2d6", or of the first in double brackets, as "I strike [[2d6]]". It returns ""
// for other messages.
func (b *Book) DiceIn(text string) string {
	dice, marked := strings.TrimSpace(text), true
	if _, after, open := strings.Cut(dice, "[["); open {
		inner, _, closed := strings.Cut(after, "]]")
		if !closed {
			return ""
		}
		dice = strings.TrimSpace(inner)
	} else if rest, called := strings.CutPrefix(dice, "!"); called {
		first, after, _ := strings.Cut(rest, " ")
		verbs, n := b.verbs().longestRun(tokens(first, 0), 0)
		if n == 0 || verbs[0] != Roll {
			return ""
		}
		dice = strings.TrimSpace(after)
	} else {
		marked = false
	}
	c, ok := b.plainDice(Make, dice)
	if !ok || !strings.ContainsFunc(dice, unicode.IsDigit) || !marked && strings.Contains(c.Given[0], " # ") {
		// "I have 2d6 here" has a label: it is a sentence
		return ""
	}
	return "/" + b.verbName(Roll) + " " + dice
}

// take reads an offer by its number, by default the newest.
func (b *Book) take(line string, last token, ts []token) (Command, error) {
	n := len(b.Offers)
	if len(ts) > 0 {
		last = ts[0]
		var err error
		if n, err = strconv.Atoi(strings.TrimPrefix(last.text, "#")); err != nil {
			return Command{}, &Error{Code: UnknownWord, At: last.at, End: last.end, Given: last.text}
		}
	}
	if n < 1 || n > len(b.Offers) {
		return Command{}, &Error{
			Code: NoOffer, At: last.at, End: last.end, Given: line[last.at:last.end],
			Most: len(b.Offers),
		}
	}
	return Command{Verb: Take, Offer: b.Offers[n-1].ID, Given: []string{b.Offers[n-1].Text}}, nil
}

// tick reads the name of a clock and how far it goes, by default 1.
func (b *Book) tick(line string, ts []token, nothing error) (Command, error) {
	if len(ts) == 0 {
		return Command{}, nothing
	}
	id, n, err := oneOf(line, ts, b.Clocks, UnknownClock)
	if err != nil {
		return Command{}, err
	}
	c := Command{Verb: Tick, Clock: id, By: 1}
	if n < len(ts) && (ts[n].kind == comma || ts[n].kind == colon) {
		n++
	}
	if n == len(ts) {
		return c, nil
	}
	by, ok := number(line[ts[n].at:ts[len(ts)-1].end])
	if !ok || by == 0 {
		return Command{}, &Error{
			Code: NoNumber, At: ts[n].at, End: ts[len(ts)-1].end, Field: strings.TrimSpace(line[ts[0].at:ts[n].at]),
			Given: line[ts[n].at:ts[len(ts)-1].end],
		}
	}
	c.By = by
	return c, nil
}

// scene reads the title of a prepared scene.
func (b *Book) scene(line string, ts []token, nothing error) (Command, error) {
	if len(ts) == 0 {
		return Command{}, nothing
	}
	id, n, err := oneOf(line, ts, b.Scenes, UnknownScene)
	if err == nil && n < len(ts) {
		err = &Error{
			Code: UnknownWord, At: ts[n].at, End: ts[len(ts)-1].end, Given: line[ts[n].at:ts[len(ts)-1].end],
		}
	}
	return Command{Verb: Scene, Scene: id}, err
}

// oneOf reads a name at the beginning of some tokens, or as much of it as no other has. It returns
// the id and the number of tokens, or an error with a code if there is no such name.
func oneOf(line string, ts []token, all []Person, unknown string) (id string, n int, err error) {
	found, n := persons(all).longestRun(ts, 0)
	if len(found) == 0 {
		found, n = beginsWith(line, ts, all)
	}
	at := &Error{At: ts[0].at, End: ts[max(n, 1)-1].end}
	at.Given = line[at.At:at.End]
	switch len(found) {
	case 1:
		return found[0], n, nil
	case 0:
		at.Code = unknown
		for _, each := range all {
			at.Among = append(at.Among, each.Name)
		}
		at.Near = near(at.Given, at.Among)
	default:
		at.Code, at.Among = Several, several(found, all)
	}
	return "", n, at
}

// beginsWith returns whose names begin as some tokens do, as many as possible, and their number.
func beginsWith(line string, ts []token, all []Person) (found []string, n int) {
	for n := len(ts); n > 0; n-- {
		begun := lang.Key(line[ts[0].at:ts[n-1].end])
		for _, each := range all {
			if strings.HasPrefix(lang.Key(each.Name), begun) {
				found = append(found, each.ID)
			}
		}
		if found != nil {
			return found, n
		}
	}
	return nil, 0
}

// tell reads a message to the game masters. If the text begins with another's name, it returns an
// error that asks for the recipient, unless a comma or a colon comes first.
func (b *Book) tell(line string, last token, ts []token, nothing error) (Command, error) {
	if len(ts) > 0 && (ts[0].kind == comma || ts[0].kind == colon) {
		last = ts[0]
	} else if found, n := b.seats().longestRun(ts, 0); len(found) > 0 && n < len(ts) {
		given := line[ts[0].at:ts[n-1].end]
		return Command{}, &Error{
			Code: ToWhom, At: ts[0].at, End: ts[n-1].end, Given: given,
			Among: []string{
				b.Lead + b.verbName(Whisper) + " " + given + " …",
				b.Lead + b.verbName(Tell) + ": " + given + " …",
			},
		}
	}
	text := strings.TrimSpace(line[last.end:])
	if text == "" {
		return Command{}, nothing
	}
	return Command{Verb: Tell, Text: text}, nil
}

// whisper reads a message to one seat: its name, and the rest unchanged.
func (b *Book) whisper(line string, ts []token, nothing error) (Command, error) {
	if len(ts) == 0 {
		return Command{}, nothing
	}
	found, n := b.seats().longestRun(ts, 0)
	if len(found) == 0 {
		found, n = b.seatsFromWords(line, ts)
	}
	if len(found) > 1 {
		return Command{}, &Error{
			Code: Several, At: ts[0].at, End: ts[n-1].end, Given: line[ts[0].at:ts[n-1].end],
			Among: several(found, b.Seats),
		}
	}
	if len(found) == 0 {
		if verbs, n := b.verbs().longestRun(ts, 0); len(verbs) > 0 && verbs[0] == Tell { // "/w gm …"
			return b.tell(line, ts[n-1], ts[n:], nothing)
		}
		if gm, n := b.gameMaster().longestRun(ts, 0); len(gm) > 0 {
			return b.tell(line, ts[n-1], ts[n:], nothing)
		}
		var names, all []string
		for _, s := range b.Seats {
			names = append(names, s.Name)
		}
		for _, p := range b.Played {
			all = append(all, p.Name)
		}
		return Command{}, &Error{
			Code: UnknownSeat, At: ts[0].at, End: ts[0].end, Given: ts[0].text,
			Near: near(ts[0].text, append(all, names...)), Among: names,
		}
	}
	text := strings.TrimSpace(line[ts[n-1].end:])
	if len(ts) > n && ts[n].kind != word && ts[n].kind != quoted { // "Anna: …", "Anna, …"
		text = strings.TrimSpace(line[ts[n].end:])
	}
	if text == "" {
		return Command{}, nothing
	}
	return Command{Verb: Whisper, To: found[0], Text: text}, nil
}

// seatsFromWords returns the seats whose names begin with whole words of a line, and the number of
// their tokens: "Lady" is enough for Lady Vess.
func (b *Book) seatsFromWords(line string, ts []token) (found []string, n int) {
	for n := len(ts); n > 0; n-- {
		begun := lang.Key(line[ts[0].at:ts[n-1].end]) + " "
		for _, s := range b.Seats {
			if strings.HasPrefix(lang.Key(s.Name), begun) {
				found = append(found, s.ID)
			}
		}
		if found != nil {
			return found, n
		}
	}
	return nil, 0
}

// gameMaster returns what the reader calls the game master, also by its first word.
func (b *Book) gameMaster() *dictionary[bool] {
	d, name := &dictionary[bool]{}, b.own().Say("chat.who")
	d.add(name, true, ownWord)
	d.add(strings.Fields(name)[0], true, ownWord)
	return d
}

// plainDice reads a roll of plain dice, or a request for its odds. It reports whether the text has
// a die and is all valid notation; otherwise the form reports the error. The arguments name no
// reading: at a table, that's the table's.
func (b *Book) plainDice(v Verb, text string) (Command, bool) {
	text = strings.TrimSpace(text)
	args, err := json.Marshal(game.Notation{Notation: text})
	e, wrong := game.ReadNotation(text, b.As)
	c := Command{Verb: v, Spot: Spot{Move: game.PlainDice}, Args: args, Form: game.Plain.Form}
	if wrong == nil {
		c.Given = []string{e.String()}
	}
	return c, err == nil && wrong == nil
}

// answeredQuestion returns the question of an answer and how many tokens name it, by its number or
// its move; by default the first.
func (b *Book) answeredQuestion(ts []token) (Question, int, *Error) {
	if len(ts) == 0 || ts[0].kind != word {
		return b.Asked[0], 0, nil
	}
	digits, marked := strings.CutPrefix(ts[0].text, "#")
	n, err := strconv.Atoi(digits)
	switch {
	case err == nil && n >= 1 && n <= len(b.Asked) && (marked || len(b.Asked) > 1):
		return b.Asked[n-1], 1, nil
	case marked:
		return Question{}, 0, &Error{
			Code: NoNumbered, At: ts[0].at, End: ts[0].end, Given: ts[0].text,
			Most: len(b.Asked),
		}
	}
	if len(b.Asked) > 1 {
		if moves, n := b.moves().longestRun(ts, 0); n > 0 {
			for _, q := range b.Asked {
				if slices.Contains(moves, q.Move) {
					return q, n, nil
				}
			}
		}
	}
	return b.Asked[0], 0, nil
}

// move reads a move, or a request for its odds.
func (b *Book) move(line string, v Verb, move string, rest []token) (Command, error) {
	c := Command{Verb: v, Spot: Spot{Move: move}}
	if b.Actor != nil {
		c.Actor = b.Actor(move)
	}
	rest, err := b.takeActor(&c, rest)
	if err != nil {
		return c, err
	}
	if c.Form = b.Form(c.Spot); c.Form == nil {
		return c, &Error{Code: UnknownMove, Given: b.moveName(move), End: len(line)}
	}
	return c, b.args(&c, line, rest)
}

// takeActor removes "@Name" from a command.
func (b *Book) takeActor(c *Command, ts []token) ([]token, error) {
	for i, t := range ts {
		name, at := strings.CutPrefix(t.text, "@")
		if t.kind != word || !at {
			continue
		}
		rest := append([]token{}, ts[i:]...)
		if rest[0].text, rest[0].at = name, t.at+1; name == "" {
			rest = rest[1:]
		}
		found, n := persons(b.Actors).longestRun(rest, 0)
		if len(found) > 1 {
			return nil, &Error{Code: Several, At: t.at, End: t.end, Given: t.text, Among: several(found, b.Actors)}
		}
		if len(found) == 0 {
			var names []string
			for _, p := range b.Actors {
				names = append(names, p.Name)
			}
			return nil, &Error{Code: UnknownName, At: t.at, End: t.end, Given: t.text, Near: near(name, names)}
		}
		c.Actor = found[0]
		return append(append([]token{}, ts[:i]...), rest[n:]...), nil
	}
	return ts, nil
}
