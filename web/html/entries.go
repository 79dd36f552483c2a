package html

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"norn/game"
	"norn/internal/widget"
	"norn/table/view"
	"norn/web/fields"
)

// GatherMoves returns the entries that the log shows, oldest first. All entries of a move become
// one: the first, with the results from the others.
func GatherMoves(entries []view.Entry) []view.Entry {
	var gathered []view.Entry
	at := map[string]int{}
	for _, e := range entries {
		// shown elsewhere on the page
		if slices.Contains([]string{view.KindShare, view.KindNote, view.KindStar}, e.Kind) {
			continue
		}
		move := MoveOf(e)
		if move == "" {
			e.Throws, e.Check = nil, nil // the throws of a revealed secret move are on the move's own card
			gathered = append(gathered, e)
			continue
		}
		i, known := at[move]
		if !known {
			i = len(gathered)
			at[move] = i
			gathered = append(gathered, view.Entry{
				Seq: e.Seq, Time: e.Time, Kind: e.Kind, Seat: e.Seat, Move: move, Name: e.Name, Character: e.Character,
				Args: e.Args,
			})
		}
		if e.Undoes > 0 { // the undone card says so itself
			continue
		}
		all := &gathered[i]
		all.Undone, all.MayUndo, all.TooOld, all.MayCancel = e.Undone, e.MayUndo, e.TooOld, e.MayCancel
		all.Throws = append(all.Throws, e.Throws...)
		all.Lines = append(all.Lines, e.Lines...)
		all.Secret = all.Secret || e.Secret
		all.Check, all.Outcome, all.Luck = cmp.Or(e.Check, all.Check), cmp.Or(e.Outcome, all.Outcome),
			cmp.Or(e.Luck, all.Luck)
	}
	return gathered
}

// MoveOf returns the id of the move whose card an entry is on, "" for an entry with a card of its
// own.
func MoveOf(e view.Entry) string {
	if e.Kind == view.KindTalk || e.Kind == view.KindShown {
		return ""
	}
	return e.Move
}

// CardID returns the id of an entry's card.
func CardID(e view.Entry) string { return cmp.Or(MoveOf(e), "e"+SeqText(e.Seq)) }

// actorOf returns who acts in an entry: a character and the seat, or the seat alone.
func actorOf(v fields.Voice, e view.Entry) (who, by string) {
	if e.Character == "" || e.Kind != view.KindTalk && MoveOf(e) == "" {
		return e.Seat.Name, ""
	}
	return v.Name(e.Character), e.Seat.Name
}

// OpenMoves returns the moves with an open question.
func OpenMoves(v *view.View) []string {
	moves := slices.Concat(game.Each(v.Questions, func(q view.Question) string {
		return q.Move
	}), game.Each(v.Waiting, func(w view.Waiting) string {
		return w.Move
	}))
	slices.Sort(moves)
	return slices.DeleteFunc(slices.Compact(moves), func(move string) bool { return move == "" })
}

// sessionBegun returns the session that began with an entry, 0 for none.
func sessionBegun(v *view.View, seq uint64) int {
	for _, s := range v.AllSessions() {
		if s.From == seq {
			return s.N
		}
	}
	return 0
}

// linesWithText returns the lines that aren't empty.
func linesWithText(lines []view.Line) []view.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l view.Line) bool { return l.Text == "" && l.Outcome == nil })
}

// diceOf returns a throw's dice for display; lines may turn some of them.
func diceOf(t view.Throw, lines []view.Line) []widget.Die {
	if total := t.Rule().TotalText(); total != "" {
		return []widget.Die{{Sides: t.Sides, Text: total}}
	}
	return game.EachAt(t.Faces, func(i, face int) widget.Die {
		die := widget.Die{Sides: t.Sides, Face: face}
		if i < len(t.Shown) {
			die.Text = t.Shown[i]
		}
		if i < len(t.Marks) {
			die.Deciding, die.Natural, die.Cancelled = t.Marks[i].Decides(), t.Marks[i] == game.Natural,
				t.Marks[i] == game.Cancelled
		}
		for _, line := range lines {
			if line.Turned != nil && line.Turned.Part == t.Part && line.Turned.Was == face {
				die.Turned = line.Turned.Is
			}
		}
		return die
	})
}

// sealedThrows returns the throws that norn rolled.
func sealedThrows(throws []view.Throw) []view.Throw {
	return slices.DeleteFunc(slices.Clone(throws), func(t view.Throw) bool { return t.Hand })
}

// DiceOf returns how many dice of an entry norn rolled.
func DiceOf(e view.Entry) int {
	n := 0
	for _, t := range sealedThrows(e.Throws) {
		n += len(t.Faces)
	}
	return n
}

// seqOf returns the seq of the entry that opened a move.
func seqOf(move string) uint64 {
	seq, _ := strconv.ParseUint(strings.TrimPrefix(move, "m"), 10, 64) // the id contains it
	return seq
}
