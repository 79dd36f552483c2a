package table

import (
	"context"

	"norn/form"
	"norn/game"
)

// MaxTalk is how many characters may be said at once.
const MaxTalk = 2000

// Talk is something to say at the table.
type Talk struct {
	Text      string
	Character string // who says it; "" for the seat itself
	ToGM      bool   // only game masters hear it, and who says it
	Key       string
}

// spoken is what is said, as a form checks it.
type spoken struct {
	Text string `json:"text" form:"prose,required,max=2000"`
}

var talkForm = form.Of[spoken]()

// Talk says something at the table, as plain text. A spectator only listens;
// a player speaks for themselves and for the characters that they play. Errors
// are *InvalidError.
func (s *Seat) Talk(ctx context.Context, t Talk) (Entry, error) {
	return s.entry(ctx, t.Key, "talk", []any{t.Text, t.Character, t.ToGM}, func(e eye) (draft, error) {
		if e.seat.role == game.Spectator {
			return draft{}, &ForbiddenError{}
		}
		var said spoken
		if err := talkForm.Texts(map[string]string{"text": t.Text}, &said); err != nil {
			return draft{}, &InvalidError{Problems: err.(form.Problems)}
		}
		if t.Character != "" {
			if _, err := e.own("character", t.Character); err != nil {
				return draft{}, err
			}
		}
		d, err := own(KindTalk, talkSaid{Text: said.Text, Character: t.Character})
		d.body.Secret = t.ToGM
		return d, err
	})
}

// speech is what a record says; false for one that isn't talk.
func (r *record) speech() (talkSaid, bool) {
	if r.Kind != KindTalk {
		return talkSaid{}, false
	}
	said, ok := r.events[0].(talkSaid)
	return said, ok
}
