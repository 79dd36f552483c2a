package present

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/table/view"
	"norn/web/html"
	"norn/widget"
)

// Card is one thing that happened, as the log shows it: a move with all that
// came of it, or an entry of the table's own.
type Card struct {
	ID        string // of the element
	Move      string // id of the move, "" for the table's own
	Seq       uint64
	When      time.Time
	Who       string // the character that acts, or the seat
	By        string // the seat, where a character acts
	Agent     bool   // a program did it in the seat's place
	Name      string // the move's name in words
	Options   []string
	Throws    []view.Throw
	Outcome   *view.Outcome
	Lines     []view.Line
	Questions []view.Question
	Waiting   []string // whom other questions wait for
	Secret    bool
	Talk      bool   // something that was said
	To        string // the seat that it was whispered to
	Mine      bool   // the seat did it, or its character
	Undone    *view.Undone
	MayUndo   bool   // by an entry of it
	Repeat    string // the move's name in the rules, where all of it is there to be made again
	Actor     string // the id of who acted
	TooOld    bool   // to be undone
	MayCancel bool
	Check     *view.Check // where norn threw dice
	Luck      *view.Luck  // of the outcome, for who may know the odds
	Session   int         // that began with it; 0 for none
	Since     string      // of an edit that goes on others: what stood there before the first of them
	Gone      bool        // a later one tells it too: an edit of the same value, one of a group that joins
	Joined    int         // how many of a group have joined up to this card; 0 and 1 for one alone
	Shows     string      // id of the move, secret until then, that it opens to all: its card may stand far above
}

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

// said are the lines that say something.
func said(lines []view.Line) []view.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l view.Line) bool { return l.Text == "" && l.Outcome == nil })
}

// diceOf are a throw's dice as they are drawn, with what was made of them later.
func (c Card) diceOf(t view.Throw) []widget.Die {
	return game.EachAt(t.Faces, func(i, face int) widget.Die {
		die := widget.Die{Sides: t.Sides, Face: face}
		if text := dice.ShownFace(t.For, face); text != strconv.Itoa(face) {
			die.Text = text
		}
		if i < len(t.Marks) {
			die.Deciding, die.Natural, die.Cancelled = t.Marks[i].Decides(), t.Marks[i] == game.Natural, t.Marks[i] == game.Cancelled
		}
		for _, line := range c.Lines {
			if line.Turned != nil && line.Turned.Part == t.Part && line.Turned.Was == face {
				die.Turned = line.Turned.Is
			}
		}
		return die
	})
}

// besides are the lines of a session's beginning that its heading doesn't say.
func (c Card) besides() []view.Line {
	return slices.DeleteFunc(said(c.Lines), func(l view.Line) bool { return l.Type == "table.session-ended" })
}

// sealed are the throws of a card that norn threw and the reader sees.
func (c Card) sealed() []view.Throw {
	return slices.DeleteFunc(slices.Clone(c.Throws), func(t view.Throw) bool { return t.Hand })
}

// Dice is how many dice these are.
func (c Card) Dice() int {
	n := 0
	for _, t := range c.sealed() {
		n += len(t.Faces)
	}
	return n
}

// seqOf is the seq of the entry that opened a move.
func seqOf(move string) uint64 {
	seq, _ := strconv.ParseUint(strings.TrimPrefix(move, "m"), 10, 64) // ids are made of it
	return seq
}
