package table

import (
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

// talkSaid is what somebody said, for themselves or for a character.
type talkSaid struct {
	Text      string `json:"text"`
	Character string `json:"character,omitempty"`
}

func (talkSaid) Type() string { return "table.talk-said" }

var checkTalk = checking("text", func(said struct {
	Text string `json:"text" form:"prose,required,max=2000"`
},
) string {
	return said.Text
})

func talk(e eye, t Talk) (draft, error) {
	d, err := draftActs(e, KindTalk, talkSaid{Text: checkTalk.kept(t.Text), Character: t.Character})
	d.body.Secret = t.ToGM
	return d, err
}

func (ev talkSaid) judge(p *proposal) error {
	if p.seat.role == game.Spectator {
		return &ForbiddenError{}
	}
	if err := checkTalk.hold(ev.Text); err != nil || ev.Character == "" {
		return err
	}
	_, err := own(p.eye, "character", ev.Character)
	return err
}

func (talkSaid) fold(*state, *record) {}

func (ev talkSaid) lines(eye) []Line { return []Line{{Type: ev.Type(), Text: ev.Text}} }

// speech is what a record says; false for one that isn't talk.
func speechOf(r *record) (talkSaid, bool) {
	if r.Kind != KindTalk {
		return talkSaid{}, false
	}
	said, ok := r.events[0].(talkSaid)
	return said, ok
}
