package present

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"norn/game"
	"norn/table/view"
	"norn/widget"
)

// said are the lines that say something.
func said(lines []view.Line) []view.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l view.Line) bool { return l.Text == "" && l.Outcome == nil })
}

// diceOf are a throw's dice as they are drawn, with what was made of them later.
func (c Card) diceOf(t view.Throw) []widget.Die {
	return game.EachAt(t.Faces, func(i, face int) widget.Die {
		die := widget.Die{Sides: t.Sides, Face: face}
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
	Gone      bool        // an edit that a later one tells too
	Shows     string      // id of the move, secret until then, that it opens to all: its card may stand far above
}

// seqOf is the seq of the entry that opened a move.
func seqOf(move string) uint64 {
	seq, _ := strconv.ParseUint(strings.TrimPrefix(move, "m"), 10, 64) // ids are made of it
	return seq
}
