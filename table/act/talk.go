package act

import (
	"slices"

	"norn/form"
	"norn/game"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// talkSaid is a message of a seat or of its character. A whisper to a seat is secret, so that an
// older norn, which doesn't know whispers, shows it only to game masters.
type talkSaid struct {
	byPlayers
	Text      string `json:"text"`
	Character string `json:"character,omitempty"`
	To        string `json:"to,omitempty"` // the seat that it's whispered to
}

func (talkSaid) Type() string { return "table.talk-said" }

// WhisperedTo returns the seat that sees it in addition to its author and game masters; "" for
// none.
func (ev talkSaid) WhisperedTo() string { return ev.To }

var checkTalk = checking("text", func(said struct {
	Text string `json:"text" form:"prose,required,max=2000"`
},
) string {
	return said.Text
})

// TalkRequest asks to say something.
type TalkRequest struct {
	Text      string   `json:"text" form:"prose,required,max=2000"`
	Character form.Ref `json:"character" doc:"id of who says it; none for the seat itself"`
	ToGM      bool     `json:"secret" doc:"only game masters hear it"`
	To        string   `json:"to" form:"text" doc:"id of the seat to which it's whispered"`
}

// Talk says something at the table, as plain text. Spectators can't.
var Talk = Define(Spec[TalkRequest, view.Entry]{
	Name: "talk", Op: "talk",
	Route: Route{
		Method: "POST", Path: "/talk", Tag: "log", Tool: "talk", Body: "TalkRequest",
		Summary: "Say something at the table",
		Text: "Plain text of at most 2000 characters, with line breaks. With a character, as that character; what is secret only game " +
			"masters see, and who said it. With the id of a seat in to it's a whisper, which that seat hears, too. Spectators only listen.",
		Example: map[string]any{"text": "Anybody home?", "character": "c1", "key": "77f0"},
	},
	Key: func(r TalkRequest) any {
		said := []any{r.Text, r.Character, r.ToGM}
		if r.To != "" {
			said = append(said, r.To)
		}
		return said
	},
	Build: func(c Call, r TalkRequest) (ledger.Draft, error) {
		if to := c.Table.Seats.Of(r.To); to != nil && to.Role == game.Spectator { // maybe a chat in which many read
			return ledger.Draft{}, refusal.NoChoice("to", r.To, listeners(c.Table.Seats, c.Seat.ID))
		}
		d, err := draft(c.Eye, view.KindTalk,
			talkSaid{Text: checkTalk.keep(r.Text), Character: string(r.Character), To: r.To})
		d.Content.Secret = r.ToGM || r.To != ""
		return d, err
	},
})

func (ev talkSaid) judge(p *Proposal) error {
	if err := checkTalk.hold(ev.Text); err != nil {
		return err
	}
	if ev.To != "" && !slices.Contains(otherSeats(p), ev.To) {
		return refusal.NoChoice("to", ev.To, otherSeats(p))
	}
	if ev.To != "" && !p.Record.Secret {
		return &refusal.ForbiddenError{} // whispers must be secret
	}
	if ev.Character == "" {
		return nil
	}
	c, err := ownCharacter(p.Eye, "character", ev.Character)
	if err == nil {
		err = refuseHidden(c)
	}
	return err
}

// listeners returns the seats that a seat may whisper to.
func listeners(seats state.Seats, from string) (ids []string) {
	for _, s := range seats.Here() {
		if s.ID != from && s.Role != game.Spectator {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// otherSeats returns the seats that something can be shown to. Older journals also have whispers to
// spectators.
func otherSeats(p *Proposal) []string {
	var ids []string
	for _, s := range p.Table.Seats {
		if s.ID != p.Seat.ID && !s.Revoked {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

func (talkSaid) Fold(*state.State, *state.Record) {}

func (ev talkSaid) Lines(*visibility.Eye) []view.Line {
	return []view.Line{{Type: ev.Type(), Text: ev.Text}}
}

// Speech returns the message of a record; false for a record without one.
func Speech(r *state.Record) (talkSaid, bool) {
	if r.Kind != view.KindTalk {
		return talkSaid{}, false
	}
	said, ok := r.Decoded[0].(talkSaid)
	return said, ok
}
