package act

import (
	"slices"

	"norn/form"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// moveStarred adds a move to a character's favourites, or removes it.
type moveStarred struct {
	Character string `json:"character"`
	Move      string `json:"move"`
	On        bool   `json:"on"`
}

func (moveStarred) Type() string { return "table.move-starred" }

// StarRequest asks to add a move to a character's favourites, or with On false to remove it.
type StarRequest struct {
	Character form.Ref `json:"character" form:"required"`
	Move      string   `json:"move" form:"text,required"`
	On        bool     `json:"on" form:"default=true"`
}

// StarMove changes a character's favourite moves. The character's player and game masters may, and
// only they see it.
var StarMove = Define(Spec[StarRequest, view.Entry]{
	Name: "star-move", Op: "star",
	Route: Route{
		Method: "POST", Path: "/favourites", Tag: "characters", Body: "StarRequest",
		Summary: "Make a move one of a character's favourites",
		Text:    "`on: false` removes it. Only the character's player and game masters may, and only they see it.",
		Example: map[string]any{"character": "c1", "move": "check", "on": true, "key": "5d60"},
	},
	Key: func(r StarRequest) any { return []any{r.Character, r.Move, r.On} },
	Build: func(c Call, r StarRequest) (ledger.Draft, error) {
		if def, ok := c.Eye.Table.Game.FindMove(r.Move); ok {
			r.Move = def.ID
		}
		return draft(c.Eye, view.KindStar, moveStarred{Character: string(r.Character), Move: r.Move, On: r.On})
	},
})

func (ev moveStarred) judge(p *Proposal) error {
	if err := p.Rules(func() error { return p.mayStar(ev) }); err != nil {
		return err
	}
	_, err := ownCharacter(p.Eye, "character", ev.Character)
	return err
}

func (p *Proposal) mayStar(ev moveStarred) error {
	def, err := MayMake(p.Eye, ev.Move, ev.Character)
	if err == nil && ev.Character == "" {
		err = refusal.NoChoice("character", ev.Character, ActorsOf(p.Eye, def))
	}
	return err
}

func (ev moveStarred) Fold(st *state.State, _ *state.Record) {
	c := st.Alter(ev.Character)
	if c == nil {
		return
	}
	c.Starred = slices.DeleteFunc(slices.Clone(c.Starred), func(id string) bool { return id == ev.Move })
	if ev.On {
		c.Starred = append(c.Starred, ev.Move)
	}
}

// Lines shows a favourite to the seats that play the character.
func (ev moveStarred) Lines(e *visibility.Eye) []view.Line {
	if !e.Sees(ev.Character) || !e.Plays(ev.Character) {
		return nil
	}
	word := "move-unstarred"
	if ev.On {
		word = "move-starred"
	}
	return e.Line(ev, word, view.Data{"Name": e.Name(ev.Character), "Move": e.Word("move", ev.Move)},
		view.Data{"character": ev.Character, "move": ev.Move, "on": ev.On})
}
