package present

import (
	"slices"
	"strconv"

	"norn/form"
	"norn/table/view"
	"norn/web/html"
)

// cards gathers entries into cards, oldest first.
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
			cards = append(cards, Card{
				ID: "e" + html.SeqText(e.Seq), Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Agent: e.Seat.Agent, Lines: e.Lines, Undone: e.Undone, MayUndo: e.MayUndo, TooOld: e.TooOld,
				Mine: did(l, e), Session: sessionBegun(l, e.Seq), Shows: e.Move,
			})
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
		if e.Check != nil {
			c.Check = e.Check
		}
		if e.Outcome != nil {
			c.Outcome = e.Outcome
		}
		if e.Luck != nil {
			c.Luck = e.Luck
		}
	}
	for i := range cards {
		putQuestions(l, &cards[i])
	}
	return cards
}

// did tells whether the seat, or a character of its own, did something.
func did(l *Look, e view.Entry) bool { return e.Seat.ID == l.View.Seat || l.Owns(e.Character) }

// talkCard is the card of something that was said.
func talkCard(l *Look, e view.Entry) Card {
	c := Card{ID: "e" + strconv.FormatUint(e.Seq, 10), Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Agent: e.Seat.Agent, Lines: e.Lines, Secret: e.Secret, Talk: true, Mine: did(l, e)}
	if e.To != nil {
		c.To = e.To.Name
	}
	if e.Character != "" {
		c.Who, c.By = l.Voice.Name(e.Character), e.Seat.Name
	}
	return c
}

// moveCard is the card of a move by its first entry.
func moveCard(l *Look, e view.Entry) Card {
	c := Card{ID: e.Move, Move: e.Move, Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Agent: e.Seat.Agent, Name: l.Voice.Word("move", e.Name), Mine: did(l, e)}
	if e.Args != nil {
		c.Repeat, c.Actor = e.Name, e.Character
	}
	if e.Character != "" {
		c.Who, c.By = l.Voice.Name(e.Character), e.Seat.Name
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
	var moves []string
	add := func(move string) {
		if move != "" && !slices.Contains(moves, move) {
			moves = append(moves, move)
		}
	}
	for _, q := range l.View.Questions {
		add(q.Move)
	}
	for _, w := range l.View.Waiting {
		add(w.Move)
	}
	return moves
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
