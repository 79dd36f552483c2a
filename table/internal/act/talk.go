package act

import (
	"norn/game"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

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

// Talk builds what somebody says.
func Talk(e visibility.Eye, t request.Talk) (ledger.Draft, error) {
	d, err := draft(e, view.KindTalk, talkSaid{Text: checkTalk.kept(t.Text), Character: t.Character})
	d.Content.Secret = t.ToGM
	return d, err
}

func (ev talkSaid) judge(p *Proposal) error {
	if p.Seat.Role == game.Spectator {
		return &refusal.ForbiddenError{}
	}
	if err := checkTalk.hold(ev.Text); err != nil || ev.Character == "" {
		return err
	}
	_, err := own(p.Eye, "character", ev.Character)
	return err
}

func (talkSaid) Fold(*state.State, *state.Record) {}

func (ev talkSaid) Lines(visibility.Eye) []view.Line {
	return []view.Line{{Type: ev.Type(), Text: ev.Text}}
}

// Speech is what a record says; false for one that isn't talk.
func Speech(r *state.Record) (talkSaid, bool) {
	if r.Kind != view.KindTalk {
		return talkSaid{}, false
	}
	said, ok := r.Decoded[0].(talkSaid)
	return said, ok
}
