package bridge

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"

	"norn/chat"
	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/internal/bare"
	"norn/internal/lab"
	"norn/lang"
	"norn/odds"
	"norn/rule"
)

// What needs no table: plain dice, rolls and odds of all games' moves that need only numbers, and
// help.

// serveUnseated does what a person without a seat can do.
func (b *Bridge) serveUnseated(ctx context.Context, u Update) (Answer, error) {
	say := b.speaker(u)
	book, rest := bareBook(b.Words, game.CurrentGames(b.Games), b.ties.lang(u.By, u.Place),
		strings.TrimPrefix(u.Line, "/"))
	if book == nil {
		if b.ties.ofPlace(u.Place) != nil {
			return aloneAnswer(say.Say("bridge.no-seat", "Lead", b.lead(u.Place))), nil
		}
		return aloneAnswer(say.Say("bridge.unknown", "Lead", b.lead(u.Place))), nil
	}
	c, err := book.Read("/" + rest)
	if wrong, is := errors.AsType[*chat.Error](err); is {
		if better := mend(book, "/"+rest, wrong); better != "" {
			whole := strings.TrimSuffix(u.Line, rest) // "roll spire" of "roll spire chekc"
			better = whole + strings.TrimPrefix(better, "/")
			// "odds spire chekc"
			if after, priced := strings.CutPrefix(rest, firstWord(rest)+" "); whole == u.Line && priced {
				whole = strings.TrimSuffix(u.Line, after)
				better = whole + strings.TrimPrefix(mend(book, "/"+rest, wrong), "/"+firstWord(rest)+" ")
			}
			return b.offerLines(ctx, u, "", wrong.Say(say), better)
		}
		return aloneAnswer(wrong.Say(say)), nil
	}
	if err != nil {
		return Answer{}, err
	}
	g, move := book.Game, c.Move
	if g == bare.Dice || move == game.PlainDice {
		g, move = bare.Dice, bare.Dice.Moves[0].ID
	}
	if c.Verb != chat.Make && c.Verb != chat.Odds {
		return aloneAnswer(say.Say("bridge.no-seat", "Lead", b.lead(u.Place))), nil
	}
	m, ok := bare.Move(g, move)
	if !ok {
		return aloneAnswer(say.Say("bridge.unknown", "Lead", b.lead(u.Place))), nil
	}
	voice := game.Voice{Speaker: g.Speak(say), Game: g.ID, Name: func(string) string { return "" }}
	t, err := bare.Decode(g, m, bare.Newest(g, c.Args))
	if err != nil {
		said := func(p form.Problem) string { return problem(voice, g, m.Form.For(form.Bare), p) }
		if text := bare.Explain(voice, err, said); text != "" {
			return aloneAnswer(text), nil
		}
		return Answer{}, err
	}
	if c.Verb == chat.Make {
		return throwBare(u, t, voice.Speaker)
	}
	return b.oddsAnswer(ctx, u, say, t.Title(say), func(ctx context.Context) (lab.Description, error) {
		report, err := lab.Answer(ctx, say, lab.Question{Throws: []bare.Throw{t}})
		if err != nil {
			return lab.Description{}, err
		}
		return report.Sides[0].Description, nil
	})
}

// bareBook returns the book for a line without a table, and the line in its words: "roll 3d6",
// "odds 3d6", "odds spire check …", "roll spire check …"; without a game it's plain dice. It
// returns nil for any other line.
func bareBook(words *lang.Words, games []*game.Game, l lang.Lang, text string) (*chat.Book, string) {
	verb, rest, _ := strings.Cut(text, " ")
	rolls := means(words, verb, "chat.verb.roll")
	if !rolls && !means(words, verb, "chat.verb.odds") {
		return nil, ""
	}
	book := &chat.Book{
		Words: words, Lang: l, Game: bare.Dice, As: dice.Newest, Form: func(chat.Spot) *form.Form { return nil },
	}
	first, more, _ := strings.Cut(strings.TrimSpace(rest), " ")
	i := slices.IndexFunc(games, func(g *game.Game) bool {
		return lang.Key(g.ID) == lang.Key(first) || slices.ContainsFunc(lang.All[:], func(l lang.Lang) bool {
			return lang.Key(gameName(words.In(l), g)) == lang.Key(first)
		})
	})
	if first == "" || i < 0 {
		return book, text
	}
	book.Game = games[i]
	for _, m := range bare.Moves(book.Game) {
		book.Moves = append(book.Moves, m.ID)
	}
	book.Form = func(at chat.Spot) *form.Form {
		if m, ok := bare.Move(book.Game, at.Move); ok {
			return m.Form.For(form.Bare)
		}
		return nil
	}
	more = strings.TrimLeft(more, " ")
	if rolls {
		return book, more
	}
	return book, verb + " " + more
}

// understood says in a line what plain dice mean; other arguments need none.
func understood(say lang.Speaker, args any) []Line {
	if n, ok := args.(game.Notation); ok {
		if words := n.Understood(say); words != "" {
			return []Line{{Text: clip(words), Weight: Small}}
		}
	}
	return nil
}

// gameName returns the first word of a game's name.
func gameName(say lang.Speaker, g *game.Game) string {
	return strings.ToLower(strings.Trim(firstWord(say.Say(g.Word("game", "name"))), ":,"))
}

func firstWord(text string) string {
	first, _, _ := strings.Cut(text, " ")
	return first
}

// throwBare rolls a bare move, for everybody in the place.
func throwBare(u Update, t bare.Throw, say lang.Speaker) (Answer, error) {
	var seed [32]byte
	rand.Read(seed[:]) // never fails
	how := ""
	result, err := rule.Play(t.Live(func(text string) {
		how = text
	}), rule.Options{Source: rule.RollerSource(dice.NewStream(seed)), Policy: rule.Policy{}})
	if err != nil {
		return Answer{}, err
	}
	m := Message{Head: u.By.Name + " · " + say.Say(t.Game.Word("move", t.Move.ID))}
	if name := t.Name(say); t.Game != bare.Dice {
		m.Lines = append(m.Lines, Line{Text: name, Weight: Small})
	} else {
		m.Head = u.By.Name + " · " + say.Notation(t.Name(say))
		m.Lines = understood(say, t.Args)
	}
	for _, step := range result.Trail {
		if step.Dice != nil {
			m.Lines = append(m.Lines, Line{Text: "🎲 " +
				faces(step.Dice.Faces, t.Game.Showing(*step.Dice), t.Move.Mark(t.Args, *step.Dice))})
		}
	}
	if how != "" {
		m.Lines = append(m.Lines, Line{Text: say.Notation(how), Weight: Small})
	}
	w := lab.WordingOf(game.Voice{Speaker: say}, t.Game, t.Move, t.Args)
	m.Lines = append(m.Lines, Line{Text: w.Result(result.Value), Weight: Strong})
	return Answer{Message: m}, nil
}

// oddsAnswer shows odds, or says that they can't be computed now.
func (b *Bridge) oddsAnswer(ctx context.Context, u Update, say lang.Speaker, title string,
	describe func(context.Context) (lab.Description, error),
) (Answer, error) {
	var found lab.Description
	err := b.Gate.Work(ctx, platformOf(u.By.ID), u.By.ID, func(ctx context.Context) (err error) {
		found, err = describe(ctx)
		return err
	})
	if _, full := errors.AsType[*odds.CrowdedError](err); full || errors.Is(err, context.DeadlineExceeded) {
		return aloneAnswer(say.Say("bridge.crowded")), nil
	}
	if large, is := errors.AsType[*odds.LargeError](err); is {
		return aloneAnswer(bare.SayLarge(say, large)), nil
	}
	if err != nil {
		return Answer{}, err
	}
	b.Gate.CountFound(found.Odds)
	return Answer{Message: oddsMessage(say, found, title), Alone: true}, nil
}

// oddsMessage shows odds: what matters most in words, and everything as a picture.
func oddsMessage(say lang.Speaker, d lab.Description, title string) Message {
	msg := Message{Head: Cut(title, 200)}
	add := func(text string, weight Weight) {
		if text != "" {
			msg.Lines = append(msg.Lines, Line{Text: clip(text), Weight: weight})
		}
	}
	add(d.Meant, Small)
	for _, head := range d.Heads {
		add(head.Text, Strong)
	}
	add(d.Mean, Plain)
	add(d.Granted, Small)
	add(d.Simulated, Small)
	bars := d.Columns(say)
	if bars == nil {
		bars = d.Parts
	}
	alt := game.Each(bars[:min(len(bars), 12)], func(b odds.Bar) string { return b.Label + " " + b.Shown })
	msg.Picture, msg.Alt = chart(bars), strings.Join(alt, ", ")
	return msg
}
