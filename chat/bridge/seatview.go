package bridge

import (
	"context"

	"norn/chat"
	"norn/chat/dispatch"
	"norn/game"
	"norn/lang"
	"norn/table"
	"norn/table/view"
)

// seatView is a table at one revision, as a tie's seat sees it.
type seatView struct {
	tie   *Tie
	seat  *table.Seat
	view  *view.View
	voice game.Voice
	say   lang.Speaker // with the game's terms
	lead  string       // what precedes a command where this is shown

	ties *ties
}

// me returns the seat's name.
func (s *seatView) me() string {
	for _, seat := range s.view.Seats {
		if seat.You {
			return seat.Name
		}
	}
	return ""
}

// myQuestion returns the first question that waits for the seat, of a move unless it's ""; nil for
// none.
func (s *seatView) myQuestion(move string) *view.Question {
	for i, q := range s.view.Questions {
		if q.Mine && (move == "" || q.Move == move) {
			return &s.view.Questions[i]
		}
	}
	return nil
}

// word returns a word of the game.
func (s *seatView) word(kind, name string) string { return s.say.Say(s.seat.Game().Word(kind, name)) }

// whom names the person who must answer a question.
func (s *seatView) whom(to string) string {
	if to == game.GM {
		return s.say.Say("bridge.gm")
	}
	return s.voice.Name(to)
}

// calls returns the persons of the tie's platform who may answer a question, without those of the
// seat but.
func (s *seatView) calls(to, but string) []Person {
	var seats []string
	for _, seat := range s.view.Seats {
		if to == game.GM && seat.Role == game.Master && seat.ID != but {
			seats = append(seats, seat.ID)
		}
	}
	for _, c := range s.view.Characters {
		if c.ID == to && c.Owner != "" && c.Owner != but {
			seats = append(seats, c.Owner)
		}
	}
	return s.ties.playing(s.tie, seats)
}

const maxText = 900 // maxText limits the characters of a line, since messages can be long.

func clip(text string) string { return Cut(text, maxText) }

// book returns what the seat can write.
func book(ctx context.Context, words *lang.Words, at *seatView) *chat.Book {
	b := dispatch.Book(ctx, words, at.tie.Lang, &at.seat.Reader, at.view, "")
	b.Lead = at.lead
	return b
}
