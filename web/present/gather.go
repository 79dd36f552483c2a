package present

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/form"
	"norn/table/view"
	"norn/web/html"
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
	Gone      bool        // an edit that a later one tells too
	Shows     string      // id of the move, secret until then, that it opens to all: its card may stand far above
}

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
				ID: "e" + html.SeqText(e.Seq), Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Lines: e.Lines, Undone: e.Undone, MayUndo: e.MayUndo, TooOld: e.TooOld,
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

// seqOf is the seq of the entry that opened a move.
func seqOf(move string) uint64 {
	seq, _ := strconv.ParseUint(strings.TrimPrefix(move, "m"), 10, 64) // ids are made of it
	return seq
}

// did tells whether the seat, or a character of its own, did something.
func did(l *Look, e view.Entry) bool { return e.Seat.ID == l.View.Seat || l.Owns(e.Character) }

// talkCard is the card of something that was said.
func talkCard(l *Look, e view.Entry) Card {
	c := Card{ID: "e" + strconv.FormatUint(e.Seq, 10), Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Lines: e.Lines, Secret: e.Secret, Talk: true, Mine: did(l, e)}
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
	c := Card{ID: e.Move, Move: e.Move, Seq: e.Seq, When: e.Time, Who: e.Seat.Name, Name: l.Voice.Word("move", e.Name), Mine: did(l, e)}
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
