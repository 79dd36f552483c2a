package bridge

import (
	"context"
	"crypto/rand"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"norn/bare"
	"norn/chat"
	"norn/chat/line"
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/odds"
	"norn/rule"
	"norn/table/request"
)

// What needs no table: plain dice, the moves of all games as they can be thrown and priced by their numbers alone, and help.

// unseated does what somebody without a seat can do.
func (b *Bridge) unseated(ctx context.Context, u Update) (Answer, error) {
	l := b.langOf(u)
	say := b.speaker(l)
	text := strings.TrimPrefix(u.Line, "/")
	book, rest := b.bareBook(l, text)
	if book == nil {
		if b.at(u.Place) != nil {
			return alone(say.Say("bridge.no-seat")), nil
		}
		return alone(say.Say("bridge.unknown")), nil
	}
	c, err := book.Read("/" + rest)
	if err != nil {
		if wrong := (*chat.Error)(nil); errors.As(err, &wrong) {
			return alone(wrong.Say(say)), nil
		}
		return Answer{}, err
	}
	g, move := book.Game, c.Move
	if g == bare.Dice || move == game.PlainDice {
		g, move = bare.Dice, bare.Dice.Moves[0].ID
	}
	if c.Verb != chat.Make && c.Verb != chat.Odds {
		return alone(say.Say("bridge.no-seat")), nil
	}
	m, ok := bare.Move(g, move)
	if !ok {
		return alone(say.Say("bridge.unknown")), nil
	}
	t, err := bare.Decode(g, m, c.Args)
	if err != nil {
		voice := game.Voice{Speaker: g.Speak(say), Game: g.ID, Name: func(string) string { return "" }}
		s := &bareVoice{voice, g}
		if text := s.problem(m.Form.For(form.Bare), err); text != "" {
			return alone(text), nil
		}
		return Answer{}, err
	}
	if c.Verb == chat.Make {
		return b.thrown(u, t, g.Speak(say))
	}
	leave, err := b.Gate.Enter(ctx, platformOf(u.By.ID), u.By.ID)
	if err != nil {
		return b.crowded(say, err)
	}
	defer leave()
	priced, err := t.Quote(odds.Budgeted(ctx))
	if err != nil {
		return b.unpriced(say, err)
	}
	title := say.Say(g.Word("move", m.ID)) + " · " + t.Name(g.Speak(say))
	if g == bare.Dice {
		title = say.Notation(strings.TrimSpace(strings.TrimPrefix(t.String(), "notation=")))
	}
	return Answer{Message: b.drawn(g.Speak(say), g, m, priced, title), Alone: true}, nil
}

// bareBook is what can be said without a table in a line, and the line by its words: "roll 3d6", "odds 3d6", "odds spire check …",
// "roll spire check …", of no particular game the plain dice. nil where the line says nothing of the kind.
func (b *Bridge) bareBook(l lang.Lang, text string) (*chat.Book, string) {
	verb, rest, _ := strings.Cut(text, " ")
	book := &chat.Book{Words: b.Words, Lang: l, Game: bare.Dice, Form: func(chat.Spot) *form.Form { return nil }}
	which := chat.Verb("")
	for _, v := range []chat.Verb{chat.Roll, chat.Odds} {
		if verbs(b.Words, v, verb) {
			which = v
		}
	}
	if which == "" {
		return nil, ""
	}
	first, more, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if g := b.gameCalled(first); g != nil {
		book.Game = g
		for _, m := range bare.Moves(g) {
			book.Moves = append(book.Moves, m.ID)
		}
		book.Form = func(at chat.Spot) *form.Form {
			if m, ok := bare.Move(g, at.Move); ok {
				return m.Form.For(form.Bare)
			}
			return nil
		}
		if which == chat.Roll {
			return book, strings.TrimLeft(more, " ")
		}
		return book, verb + " " + strings.TrimLeft(more, " ")
	}
	return book, text
}

// verbs tells whether a word is one of a verb's, in any language.
func verbs(words *lang.Words, v chat.Verb, text string) bool {
	for _, l := range lang.All {
		for name := range strings.FieldsSeq(words.In(l).Say("chat.verb." + string(v))) {
			if strings.EqualFold(name, text) {
				return true
			}
		}
	}
	return false
}

// gameCalled is a game by its id, or the first word of its name in any language.
func (b *Bridge) gameCalled(text string) *game.Game {
	if text == "" {
		return nil
	}
	for _, g := range b.Games {
		if strings.EqualFold(g.ID, text) {
			return g
		}
		for _, l := range lang.All {
			if name, _, _ := strings.Cut(b.Words.In(l).Say(g.Word("game", "name")), " "); strings.EqualFold(strings.Trim(name, ":,"), text) {
				return g
			}
		}
	}
	return nil
}

// bareVoice words what is wrong with a bare move.
type bareVoice struct {
	voice game.Voice
	game  *game.Game
}

func (v *bareVoice) problem(f *form.Form, err error) string {
	if r, ok := game.AsRefusal(err); ok {
		return v.voice.Refusal(r)
	}
	var notation *game.NotationError
	if errors.As(err, &notation) {
		return bare.Say(v.voice.Speaker, notation)
	}
	problems := bare.Problems(err)
	if len(problems) == 0 {
		return ""
	}
	p := problems[0]
	id, data := p.Word()
	if field, ok := f.Field(p.Path); ok {
		data["Field"] = v.game.Label(v.voice.Speaker, field.Name)
		if p.Code == form.NoChoice {
			var labels []string
			for _, o := range field.Options[:min(len(field.Options), 12)] {
				labels = append(labels, v.game.Option(v.voice, field, o))
			}
			data["Allowed"] = strings.Join(labels, ", ")
		}
	}
	return v.voice.Say(id, data)
}

// thrown throws a bare move, for all who read there.
func (b *Bridge) thrown(u Update, t bare.Throw, say lang.Speaker) (Answer, error) {
	var seed [32]byte
	rand.Read(seed[:]) // never fails
	result, err := rule.Play(t.Rule(), rule.Options{Source: rule.Free(dice.NewStream(seed)), Policy: rule.Policy{}})
	if err != nil {
		return Answer{}, err
	}
	m := Message{Head: u.By.Name + " · " + say.Say(t.Game.Word("move", t.Move.ID))}
	if name := t.Name(say); t.Game != bare.Dice {
		m.Lines = append(m.Lines, Line{Text: name, Weight: Small})
	} else {
		m.Head = u.By.Name + " · " + say.Notation(strings.TrimPrefix(t.String(), "notation="))
	}
	for _, step := range result.Trail {
		if step.Dice == nil {
			continue
		}
		marks := t.Move.Mark(t.Args, *step.Dice)
		var faces []string
		for i, face := range step.Dice.Faces[:min(len(step.Dice.Faces), mostDice)] {
			text := strconv.Itoa(face)
			switch {
			case marks[i].Decides():
				text = "[" + text + "]"
			case marks[i] == game.Cancelled:
				text = "(" + text + ")"
			}
			faces = append(faces, text)
		}
		m.Lines = append(m.Lines, Line{Text: "🎲 " + strings.Join(faces, "  ")})
	}
	m.Lines = append(m.Lines, Line{Text: outcomeText(say, t.Game, result.Value.ID, result.Value.N), Weight: Strong})
	return Answer{Message: m}, nil
}

// chances are the odds of a move at the table, for who asked alone.
func (b *Bridge) chances(ctx context.Context, u Update, at *sight, c chat.Command) (Answer, error) {
	g := at.seat.Game()
	m, ok := g.Move(c.Move)
	if !ok && c.Move == game.PlainDice {
		m, ok = &game.Plain, true
	}
	if !ok {
		return alone(at.say.Say("bridge.unknown")), nil
	}
	leave, err := b.Gate.Enter(ctx, platformOf(u.By.ID), u.By.ID)
	if err != nil {
		return b.crowded(at.say, err)
	}
	defer leave()
	priced, err := at.seat.Odds(odds.Budgeted(ctx), request.Move{Move: c.Move, Character: c.Actor, Args: c.Args})
	if err != nil {
		a, err := b.notDone(at, u, chat.Command{Verb: chat.Odds, Spot: c.Spot, Form: c.Form}, line.How{}, err)
		if err != nil {
			return b.unpriced(at.say, err)
		}
		return a, nil
	}
	title := at.say.Say(g.Word("move", c.Move))
	if c.Actor != "" {
		title = at.voice.Name(c.Actor) + " · " + title
	}
	if len(c.Given) > 0 {
		title += " · " + strings.Join(c.Given, ", ")
	}
	return Answer{Message: b.drawn(at.say, g, m, priced, title), Alone: true}, nil
}

func (b *Bridge) crowded(say lang.Speaker, err error) (Answer, error) {
	if full := (*odds.CrowdedError)(nil); errors.As(err, &full) {
		return alone(say.Say("bridge.crowded")), nil
	}
	return Answer{}, err
}

func (b *Bridge) unpriced(say lang.Speaker, err error) (Answer, error) {
	if large := (*odds.LargeError)(nil); errors.As(err, &large) {
		return alone(bare.SayLarge(say, large)), nil
	}
	return Answer{}, err
}

// drawn says odds: what people ask for in words, and all of it as a picture.
func (b *Bridge) drawn(say lang.Speaker, g *game.Game, m *game.Move, o *odds.Odds, title string) Message {
	msg := Message{Head: cut(title, 200)}
	percent := func(p *big.Rat) string {
		return say.Chance(odds.Float(p), p.Sign() > 0, p.Cmp(big.NewRat(1, 1)) >= 0)
	}
	for _, h := range m.Headlines {
		if len(h.Among) > 0 && o.Any(h.Among...).Sign() == 0 {
			continue
		}
		msg.Lines = append(msg.Lines, Line{Text: say.Say(g.Word("headline", h.ID), "P", percent(o.Any(h.Outcomes...))), Weight: Strong})
	}
	counted := !slices.ContainsFunc(o.Rows, func(r odds.Row) bool { return !r.Counts || r.Outcome != o.Rows[0].Outcome })
	if counted {
		mean, _ := o.Expected().Float64()
		msg.Lines = append(msg.Lines, Line{Text: say.Say("bridge.mean", "Mean", say.Decimal(mean, 1))})
	}
	if o.Runs > 0 {
		msg.Lines = append(msg.Lines, Line{Text: say.Say("bridge.simulated", "N", o.Runs), Weight: Small})
	}
	var bars []bar
	if counted {
		for _, r := range o.Rows {
			bars = append(bars, bar{say.Number(r.N), odds.Float(r.P), percent(r.P), m.Outcome(r.Outcome).Tone})
		}
	} else {
		for _, kind := range m.Outcomes {
			if p := o.Any(kind.ID); p.Sign() > 0 {
				bars = append(bars, bar{outcomeShort(say, g, kind.ID), odds.Float(p), percent(p), kind.Tone})
			}
		}
	}
	var alt []string
	for _, one := range bars[:min(len(bars), 12)] {
		alt = append(alt, one.label+" "+one.shown)
	}
	msg.Picture, msg.Alt = chart(bars), strings.Join(alt, ", ")
	return msg
}

func outcomeText(say lang.Speaker, g *game.Game, id string, n int) string {
	if word := g.Word("outcome-counted", id); n != 0 && say.Has(word) {
		return say.Say(word, "N", n)
	}
	return say.Say(g.Word("outcome", id), "N", n)
}

func outcomeShort(say lang.Speaker, g *game.Game, id string) string {
	if word := g.Word("outcome-short", id); say.Has(word) {
		return say.Say(word)
	}
	return outcomeText(say, g, id, 0)
}

// help says what can be done here.
func (b *Bridge) help(ctx context.Context, u Update) (Answer, error) {
	at, err := b.seated(ctx, u.By, u.Place)
	if err != nil {
		return Answer{}, err
	}
	say := b.speaker(b.langOf(u))
	verb := func(v string) string { name, _, _ := strings.Cut(say.Say("bridge.verb."+v), " "); return name }
	command := func(v chat.Verb) string {
		name, _, _ := strings.Cut(say.Say("chat.verb."+string(v)), " ")
		return name
	}
	m := Message{Head: say.Say("bridge.help-head")}
	add := func(name, about string) { m.Lines = append(m.Lines, Line{Text: name + " – " + about}) }
	if at == nil {
		add(command(chat.Roll)+" 3d6+2", say.Say("bridge.help-roll"))
		if len(b.Games) > 0 {
			g := b.Games[0]
			name, _, _ := strings.Cut(say.Say(g.Word("game", "name")), " ")
			if moves := bare.Moves(g); len(moves) > 0 {
				add(command(chat.Odds)+" "+strings.ToLower(name)+" "+strings.ToLower(say.Say(g.Word("move", moves[0].ID))), say.Say("bridge.help-odds"))
			}
		}
		add(verb("table")+" …", say.Say("bridge.help-table"))
		add(verb("sit")+" …", say.Say("bridge.help-sit"))
		return Answer{Message: m, Alone: true}, nil
	}
	var names []string
	for _, one := range at.view.Moves {
		if one.ID != game.PlainDice {
			names = append(names, strings.ToLower(one.Name))
		}
	}
	if len(names) > 0 {
		if len(names) > 14 {
			names = append(names[:14:14], "…")
		}
		m.Lines = append(m.Lines, Line{Text: at.say.Say("bridge.help-moves", "Moves", strings.Join(names, ", "))})
	}
	book := b.book(ctx, at)
	for _, s := range book.Help() {
		if name := strings.TrimPrefix(s.Label, "/"); !b.means(name, "help") {
			add(name, strings.ReplaceAll(s.About, "/", "")) // nobody needs to write the slash
		}
	}
	add(verb("say")+" …", say.Say("bridge.help-say"))
	if at.seat.Role() == game.Master {
		add(verb("secret")+" …", at.say.Say("bridge.help-secret"))
	}
	add(verb("leave"), say.Say("bridge.help-leave"))
	m.Link, m.LinkText = at.tie.Link, at.say.Say("bridge.open")
	return Answer{Message: m, Alone: true}, nil
}

// mostSuggested is how many ways to go on are given.
const mostSuggested = 24

// Complete gives ways to go on with a line, at its byte at.
func (b *Bridge) Complete(ctx context.Context, by Person, place, line string, at int) []Suggestion {
	if at < 0 || at > len(line) {
		at = len(line)
	}
	u := Update{By: by, Place: place}
	l := b.langOf(u)
	say := b.speaker(l)
	var found []Suggestion
	begun := line[:at]
	own := func(verbs ...string) {
		if strings.Contains(begun, " ") {
			return
		}
		for _, v := range verbs {
			name, _, _ := strings.Cut(say.Say("bridge.verb."+v), " ")
			if strings.HasPrefix(name, strings.ToLower(strings.TrimPrefix(begun, "/"))) {
				found = append(found, Suggestion{Label: name, Line: name + " "})
			}
		}
	}
	s, err := b.seated(ctx, by, place)
	if err != nil {
		b.failed("a table can't be looked at", err)
		return nil
	}
	var book *chat.Book
	prefix := ""
	text := line
	if s != nil {
		book = b.book(ctx, s)
	} else {
		bareBook, rest := b.bareBook(l, strings.TrimPrefix(line, "/"))
		if bareBook == nil {
			for _, v := range []chat.Verb{chat.Roll, chat.Odds} {
				name, _, _ := strings.Cut(say.Say("chat.verb."+string(v)), " ")
				if !strings.Contains(line, " ") && strings.HasPrefix(name, strings.ToLower(line)) {
					found = append(found, Suggestion{Label: name, Line: name + " "})
				}
			}
			own("table", "sit", "help")
			return found
		}
		if bareBook.Game == bare.Dice {
			verb, begun, _ := strings.Cut(line, " ")
			for _, g := range b.Games {
				name, _, _ := strings.Cut(say.Say(g.Word("game", "name")), " ")
				name = strings.ToLower(strings.Trim(name, ":,"))
				if strings.HasPrefix(name, strings.ToLower(strings.TrimSpace(begun))) {
					found = append(found, Suggestion{Label: verb + " " + name, Line: verb + " " + name + " "})
				}
			}
			return found[:min(len(found), mostSuggested)]
		}
		book = bareBook
		prefix = strings.TrimSuffix(line, rest)
		if i := strings.LastIndex(line, rest); i >= 0 {
			prefix = line[:i]
		}
		if strings.HasPrefix(rest, strings.SplitN(line, " ", 2)[0]+" ") { // "odds check" of "odds spire check"
			verb, after, _ := strings.Cut(rest, " ")
			prefix, rest = strings.TrimSuffix(line, after), after
			text, at = "/"+verb+" "+rest, len("/"+verb+" "+rest)
			for _, one := range book.Complete(text, at) {
				whole := prefix + strings.TrimPrefix(text[:one.From]+one.Text, "/"+verb+" ")
				found = append(found, Suggestion{Label: cut(strings.TrimSpace(whole), 100), Line: whole})
			}
			return found[:min(len(found), mostSuggested)]
		}
		text, at = rest, len(rest)
	}
	if !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "@") {
		text, at = "/"+text, at+1
	}
	for _, one := range book.Complete(text, at) {
		whole := prefix + strings.TrimPrefix(text[:one.From]+one.Text+strings.TrimPrefix(text[one.To:], " "), "/")
		label := strings.TrimSpace(whole)
		if one.About != "" && len([]rune(label))+len([]rune(one.About)) < 90 {
			label += " – " + one.About
		}
		found = append(found, Suggestion{Label: cut(label, 100), Line: whole})
	}
	if s != nil {
		own("say", "help", "leave")
		if s.seat.Role() == game.Master {
			own("secret")
		}
	}
	return found[:min(len(found), mostSuggested)]
}
