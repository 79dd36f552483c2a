package present

import (
	"cmp"
	"slices"

	"norn/form"
	"norn/game"
	"norn/table/view"
	"norn/web/html"
)

// Cards gathers entries into cards, oldest first.
func Cards(l *Look, entries []view.Entry) []Card {
	var cards []Card
	at := map[string]int{}
	for _, e := range entries {
		if slices.Contains([]string{view.KindShare, view.KindNote, view.KindStar}, e.Kind) { // these are told elsewhere
			continue
		}
		if e.Kind == view.KindTalk {
			cards = append(cards, talkCard(l, e))
			continue
		}
		if e.Move == "" || e.Kind == view.KindShown {
			c := begun(l, e, "e"+html.SeqText(e.Seq))
			c.Lines, c.Undone, c.MayUndo, c.TooOld, c.Session, c.Shows = e.Lines, e.Undone, e.MayUndo, e.TooOld, sessionBegun(l, e.Seq), e.Move
			cards = append(cards, c)
			continue
		}
		i, known := at[e.Move]
		if !known {
			i = len(cards)
			at[e.Move] = i
			cards = append(cards, moveCard(l, e))
		}
		c := &cards[i]
		if e.Undoes > 0 { // the card says that it was taken back
			continue
		}
		c.Undone, c.MayUndo, c.TooOld, c.MayCancel = e.Undone, e.MayUndo, e.TooOld, e.MayCancel
		c.Throws = append(c.Throws, e.Throws...)
		c.Lines = append(c.Lines, e.Lines...)
		c.Secret = c.Secret || e.Secret
		c.Check, c.Outcome, c.Luck = cmp.Or(e.Check, c.Check), cmp.Or(e.Outcome, c.Outcome), cmp.Or(e.Luck, c.Luck)
	}
	for i := range cards {
		putQuestions(l, &cards[i])
	}
	return cards
}

// did tells whether the seat, or a character of its own, did something.
func did(l *Look, e view.Entry) bool { return e.Seat.ID == l.View.Seat || l.Owns(e.Character) }

// begun is what every card has of its first entry.
func begun(l *Look, e view.Entry, id string) Card {
	return Card{ID: id, Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Agent: e.Seat.Agent, Mine: did(l, e)}
}

// acted is begun, by who acts in it.
func acted(l *Look, e view.Entry, id string) Card {
	c := begun(l, e, id)
	if e.Character != "" {
		c.Who, c.By = l.Voice.Name(e.Character), e.Seat.Name
	}
	return c
}

// talkCard is the card of something that was said.
func talkCard(l *Look, e view.Entry) Card {
	c := acted(l, e, "e"+html.SeqText(e.Seq))
	c.Talk, c.Lines, c.Secret = true, e.Lines, e.Secret
	if e.To != nil {
		c.To = e.To.Name
	}
	return c
}

// moveCard is the card of a move by its first entry.
func moveCard(l *Look, e view.Entry) Card {
	c := acted(l, e, e.Move)
	c.Move, c.Name = e.Move, l.Voice.Word("move", e.Name)
	if e.Args != nil {
		c.Repeat, c.Actor = e.Name, e.Character
	}
	if m, ok := l.Voice.Game.Move(e.Name); ok {
		c.Options = l.Voice.ChoicesOf(m.Form.For(form.AtTable), e.Args)
	}
	return c
}

// putQuestions puts a move's open questions on its card.
func putQuestions(l *Look, c *Card) {
	if c.Move == "" {
		return
	}
	for _, q := range l.View.Questions {
		if q.Move == c.Move {
			c.Questions = append(c.Questions, q)
		}
	}
	for _, w := range l.View.Waiting {
		if name := l.Whom(w.To); w.Move == c.Move && !slices.Contains(c.Waiting, name) {
			c.Waiting = append(c.Waiting, name)
		}
	}
}

// OpenMoves are the moves in which a question is open.
func OpenMoves(l *Look) []string {
	moves := slices.Concat(game.Each(l.View.Questions, func(q view.Question) string { return q.Move }), game.Each(l.View.Waiting, func(w view.Waiting) string { return w.Move }))
	slices.Sort(moves)
	return slices.DeleteFunc(slices.Compact(moves), func(move string) bool { return move == "" })
}

// sessionBegun is the session that began with an entry, 0 for none.
func sessionBegun(l *Look, seq uint64) int {
	for _, s := range l.Sessions() {
		if s.From == seq {
			return s.N
		}
	}
	return 0
}
