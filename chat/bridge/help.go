package bridge

import (
	"context"
	"strings"

	"norn/chat"
	"norn/game"
	"norn/internal/bare"
	"norn/internal/rescue"
)

// help lists what can be done here.
func (b *Bridge) help(ctx context.Context, u Update) (Answer, error) {
	at, err := b.viewOfPerson(ctx, u.By, u.Place)
	if err != nil {
		return Answer{}, err
	}
	say, lead := b.speaker(u), b.lead(u.Place)
	verb := func(v string) string { return lead + firstWord(say.Say("bridge.verb."+v)) }
	command := func(v chat.Verb) string { return lead + firstWord(say.Say("chat.verb."+string(v))) }
	m := Message{Head: say.Say("bridge.help-head")}
	add := func(name, about string) { m.Lines = append(m.Lines, Line{Text: name + " – " + about}) }
	if at == nil {
		add(command(chat.Roll)+" 3d6+2", say.Say("bridge.help-roll"))
		if games := game.CurrentGames(b.Games); len(games) > 0 {
			g := games[0]
			if moves := bare.Moves(g); len(moves) > 0 {
				add(command(chat.Odds)+" "+gameName(say, g)+" "+strings.ToLower(say.Say(g.Word("move", moves[0].ID))),
					say.Say("bridge.help-odds"))
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
	book := book(ctx, b.Words, at)
	for _, s := range book.Help() {
		name := strings.TrimPrefix(s.Label, lead)
		if !means(b.Words, name, "bridge.verb.help") && !means(b.Words, name, "bridge.verb.secret") {
			add(s.Label, s.About)
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

// Complete returns ways to continue a line.
func (b *Bridge) Complete(ctx context.Context, by Person, place, line string) (found []Suggestion) {
	_ = rescue.Run(b.Log, "chat completion", func() error { // it is noted; the person writes on
		found = b.complete(ctx, by, place, line)
		return nil
	})
	return found
}

func (b *Bridge) complete(ctx context.Context, by Person, place, line string) []Suggestion {
	if b.visit(by.ID) != nil {
		return nil
	}
	say := b.speaker(Update{By: by, Place: place})
	var found []Suggestion
	offer := func(before, name string) {
		found = append(found, Suggestion{Label: before + name, Line: before + name + " "})
	}
	names := func(ids ...string) {
		for _, id := range ids {
			if name := firstWord(say.Say(id)); strings.HasPrefix(name, strings.ToLower(strings.TrimPrefix(line, "/"))) {
				offer("", name)
			}
		}
	}
	s, err := b.viewOfPerson(ctx, by, place)
	if err != nil {
		b.logFailure("a table can't be looked at", err)
		return nil
	}
	if s != nil {
		before, rest := "", line
		first, after, more := strings.Cut(strings.TrimPrefix(line, "/"), " ")
		if more && s.seat.Role() == game.Master && means(b.Words, first, "bridge.verb.secret") {
			before, rest = strings.TrimSuffix(line, after), strings.TrimLeft(after, " /")
		}
		found = suggestions(book(ctx, b.Words, s), before, "", rest)
		names("bridge.verb.say", "bridge.verb.help", "bridge.verb.leave")
		if s.seat.Role() == game.Master {
			names("bridge.verb.secret")
		}
		return found[:min(len(found), maxSuggested)]
	}
	book, rest := bareBook(b.Words, game.CurrentGames(b.Games), b.ties.lang(by, place), strings.TrimPrefix(line, "/"))
	verb, begun, _ := strings.Cut(line, " ")
	switch {
	case book == nil:
		names("chat.verb.roll", "chat.verb.odds", "bridge.verb.table", "bridge.verb.sit", "bridge.verb.help")
	case book.Game == bare.Dice:
		for _, g := range game.CurrentGames(b.Games) {
			if name := gameName(say, g); strings.HasPrefix(name, strings.ToLower(strings.TrimSpace(begun))) {
				offer(verb+" ", name)
			}
		}
	default: // "odds check" of "odds spire check"
		of := strings.TrimPrefix(verb, "/") + " "
		after, priced := strings.CutPrefix(rest, of)
		if !priced {
			of = ""
		}
		found = suggestions(book, strings.TrimSuffix(line, after), of, after)
	}
	return found[:min(len(found), maxSuggested)]
}

// suggestions returns a book's ways to continue a text, read as a command after a word; before is
// the beginning of the line.
func suggestions(book *chat.Book, before, word, text string) (found []Suggestion) {
	command := word + text
	if word != "" || !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "@") {
		command = "/" + command
	}
	for _, one := range book.Complete(command, len(command)) {
		whole := before + strings.TrimPrefix(strings.TrimPrefix(command[:one.From]+one.Text, "/"), word)
		label := strings.TrimSpace(whole)
		if one.About != "" && Units(label+one.About) < 90 {
			label += " – " + one.About
		}
		found = append(found, Suggestion{Label: Cut(label, 100), Line: whole})
	}
	return found
}

// maxSuggested limits the suggestions.
const maxSuggested = 24
