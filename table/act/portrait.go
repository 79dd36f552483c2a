package act

import (
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// portraitSet gives a character a portrait, or without a hash removes it.
type portraitSet struct {
	ID   string `json:"id"`
	Hash string `json:"hash,omitempty"`
}

func (portraitSet) Type() string { return "table.portrait-set" }

// Subject makes the entry secret if the character is hidden.
func (ev portraitSet) Subject(b ledger.Ledger) (move string, secret bool) {
	return "", isHidden(b.State, ev.ID)
}

// PortraitRequest asks to give a character a picture by its hash, "" for none.
type PortraitRequest struct {
	Character string `json:"-" address:"cid"`
	Picture   string `json:"picture" form:"text"`
}

// SetPortrait gives a character a portrait. The character's player may, with a picture that the
// seat can see.
var SetPortrait = Define(Spec[PortraitRequest, view.Entry]{
	Name: "set-portrait", Op: "portrait",
	Route: Route{
		Method: "POST", Path: "/characters/{cid}/portrait", Tag: "pictures", Body: "PortraitRequest",
		Summary: "Give a character a portrait",
		Text:    "The seat that plays the character may, with a picture that it may have; without one the portrait is removed. Everybody who sees the character sees it.",
		Example: map[string]any{"picture": "", "key": "52ab"},
	},
	Key: func(r PortraitRequest) any { return []string{r.Character, r.Picture} },
	Build: func(c Call, r PortraitRequest) (ledger.Draft, error) {
		return draft(c.Eye, view.KindPortrait, portraitSet{ID: r.Character, Hash: r.Picture})
	},
})

func (ev portraitSet) judge(p *Proposal) error {
	if _, err := ownCharacter(p.Eye, "id", ev.ID); err != nil || ev.Hash == "" {
		return err
	}
	return seesPicture(p.Eye, ev.Hash)
}

func (ev portraitSet) Fold(st *state.State, _ *state.Record) {
	if c := st.Alter(ev.ID); c != nil {
		c.Portrait = ev.Hash
	}
}

// Lines shows a new portrait to the seats that see the character.
func (ev portraitSet) Lines(e *visibility.Eye) []view.Line {
	if !e.Sees(ev.ID) {
		return nil
	}
	word := "portrait-set"
	if ev.Hash == "" {
		word = "portrait-taken"
	}
	return e.Line(ev, word, view.Data{"Name": e.Name(ev.ID)}, view.Data{"id": ev.ID, "hash": ev.Hash})
}
