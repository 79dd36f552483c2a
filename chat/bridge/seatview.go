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

// seatView is one look at a table by a tie's seat.
type seatView struct {
	tie   *Tie
	seat  *table.Seat
	view  *view.View
	voice game.Voice
	say   lang.Speaker // in the game's own terms

	ties *ties
}

// me is the seat's name.
func (s *seatView) me() string {
	for _, seat := range s.view.Seats {
		if seat.You {
			return seat.Name
		}
	}
	return ""
}

// myQuestion is the first question that waits for the seat, of a move where one is said; nil for none.
func (s *seatView) myQuestion(move string) *view.Question {
	for i, q := range s.view.Questions {
		if q.Mine && (move == "" || q.Move == move) {
			return &s.view.Questions[i]
		}
	}
	return nil
}

// word says a word of the game.
func (s *seatView) word(kind, name string) string { return s.say.Say(s.seat.Game().Word(kind, name)) }

// whom names who must answer a question.
func (s *seatView) whom(to string) string {
	if to == game.GM {
		return s.say.Say("bridge.gm")
	}
	return s.voice.Name(to)
}

// calls are the persons of the tie's platform who play whom a question is for, without those of a seat.
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

const maxText = 900 // characters of a line: what somebody says may be long

func clip(text string) string { return Cut(text, maxText) }

// book is what the seat can say.
func book(ctx context.Context, words *lang.Words, at *seatView) *chat.Book {
	return dispatch.Book(ctx, words, at.tie.Lang, &at.seat.Reader, at.view, "")
}
