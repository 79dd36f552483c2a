package act

import (
	"cmp"
	"slices"

	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// pictureShown shows a picture to all or some seats, which may load it from then on.
type pictureShown struct {
	byMasters
	Hash string   `json:"hash"`
	Alt  string   `json:"alt"`          // description for people who can't see it
	To   []string `json:"to,omitempty"` // seats; empty for all present and future ones
}

func (pictureShown) Type() string { return "table.picture-shown" }

var checkAlt = checking("alt", func(sent struct {
	Alt string `json:"alt" form:"text,required"`
},
) string {
	return sent.Alt
})

// ShowPictureRequest asks to show a picture to seats, none for all. Alt describes it.
type ShowPictureRequest struct {
	Picture string   `json:"-" address:"hash"`
	Alt     string   `json:"alt" form:"text,required"`
	To      []string `json:"-" part:"to"`
}

// toSeats is the part of a body that lists seats.
var toSeats = map[string]Part{"to": {Schema: map[string]any{
	"type": "array", "items": map[string]any{"type": "string"}, "default": []any{},
	"description": "ids of seats; none for all that there are and will be",
}}}

// ShowPicture shows a picture to seats, which may load it from then on.
var ShowPicture = Define(Spec[ShowPictureRequest, view.Entry]{
	Name: "show-picture", Op: "picture",
	Route: Route{
		Method: "POST", Path: "/pictures/{hash}/show", Tag: "pictures", Body: "ShowRequest", Parts: toSeats,
		Summary: "Show a picture to everybody, or to some seats",
		Text:    "Only a game master may. Who is shown it may have it from then on; shown to all, who comes later, too. Its words say what is to be seen, for who can't see it.",
		Example: map[string]any{"alt": "A bridge over a dry river", "key": "52aa"},
	},
	Key: func(r ShowPictureRequest) any {
		return struct {
			Hash, Alt string
			To        []string
			Key       string
		}{Hash: r.Picture, Alt: r.Alt, To: r.To}
	},
	Build: func(c Call, r ShowPictureRequest) (ledger.Draft, error) {
		return draft(c.Eye, view.KindPicture,
			pictureShown{Hash: r.Picture, Alt: checkAlt.keep(r.Alt), To: seatsInOrder(c.Table.State, r.To)})
	},
})

// seatsInOrder returns seats in the order in which they were added, each once; unknown ids come
// last.
func seatsInOrder(st *state.State, seats []string) []string {
	at := func(id string) int {
		i := slices.IndexFunc(st.Seats, func(s *state.Seat) bool { return s.ID == id })
		if i < 0 {
			return len(st.Seats)
		}
		return i
	}
	seats = slices.Clone(seats)
	slices.SortStableFunc(seats, func(a, b string) int { return at(a) - at(b) })
	return slices.Compact(seats)
}

func (ev pictureShown) judge(p *Proposal) error {
	return cmp.Or(checkAlt.hold(ev.Alt), seesPicture(p.Eye, ev.Hash), mayHear(p, ev.To))
}

// mayHear refuses seats to which nothing can be shown.
func mayHear(p *Proposal, seats []string) error {
	for i, id := range seats {
		if !slices.Contains(otherSeats(p), id) {
			return refusal.NoChoice("to", id, otherSeats(p))
		}
		if slices.Contains(seats[:i], id) {
			return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": id})
		}
	}
	return nil
}

func (ev pictureShown) Fold(st *state.State, r *state.Record) {
	i := shownPicture(st, ev.Hash)
	now := state.Picture{Hash: ev.Hash}
	if i >= 0 {
		now = st.Pictures[i]
	}
	now.Alt, now.At, now.All, now.To = ev.Alt, append(slices.Clip(now.At), r.Seq), now.All || len(ev.To) == 0,
		seatsInOrder(st, slices.Concat(now.To, ev.To))
	st.Pictures = slices.Clone(st.Pictures)
	if i < 0 {
		st.Pictures = append(st.Pictures, now)
		return
	}
	st.Pictures[i] = now
}

// Lines shows a picture to the seats that it was shown to.
func (ev pictureShown) Lines(e *visibility.Eye) []view.Line {
	if !shownTo(e, ev.To) {
		return nil
	}
	if !stillShown(e, ev.Hash) {
		return e.Line(ev, "picture-was-shown", nil, nil)
	}
	data := view.Data{"hash": ev.Hash, "alt": ev.Alt}
	if a, ok := e.Attachment(view.UsePicture, ev.Hash); ok {
		data["width"], data["height"] = a.Width, a.Height
	}
	if len(ev.To) > 0 {
		data["to"] = seatNames(e, ev.To)
	}
	return e.Line(ev, "picture-shown", view.Data{"Text": ev.Alt}, data)
}

// stillShown reports whether a picture is shown to the seat.
func stillShown(e *visibility.Eye, hash string) bool {
	return slices.ContainsFunc(e.Table.Pictures, func(p state.Picture) bool {
		return p.Hash == hash && shownTo(e, p.For())
	})
}

// pictureHidden withdraws a shown picture from all seats: they can't load it any more, and the
// entries that showed it only say so. Game masters still have it.
type pictureHidden struct {
	byMasters
	Hash string   `json:"hash"`
	At   []uint64 `json:"at"`           // seqs of the entries that showed it
	To   []string `json:"to,omitempty"` // seats that could see it; empty for all
}

func (pictureHidden) Type() string { return "table.picture-taken" }

// PictureNamed names a picture by its hash.
type PictureNamed struct {
	Picture string `json:"-" address:"hash"`
}

// HidePicture withdraws a shown picture from all seats. They may have seen and saved it.
var HidePicture = Define(Spec[PictureNamed, view.Entry]{
	Name: "hide-picture", Op: "take",
	Route: Route{
		Method: "POST", Path: "/pictures/{hash}/hide", Tag: "pictures", Body: keyOnly,
		Summary: "Take a shown picture back from all",
		Text:    "Only a game master may. Nobody else may have it from then on, but where it's a portrait; the entries that showed it say no more than that one was shown. Who has seen it has seen it.",
		Example: map[string]any{"key": "52ba"},
	},
	Key: func(r PictureNamed) any { return r.Picture },
	Build: func(c Call, r PictureNamed) (ledger.Draft, error) {
		ev := pictureHidden{Hash: r.Picture}
		if i := shownPicture(c.Table.State, r.Picture); i >= 0 {
			ev.At, ev.To = c.Table.Pictures[i].At, c.Table.Pictures[i].For()
		}
		return draft(c.Eye, view.KindPicture, ev)
	},
})

func shownPicture(st *state.State, hash string) int {
	return slices.IndexFunc(st.Pictures, func(p state.Picture) bool { return p.Hash == hash })
}

func (ev pictureHidden) judge(p *Proposal) error {
	i := shownPicture(p.Table.State, ev.Hash)
	if i < 0 {
		return refusal.NoChoice("picture", ev.Hash, nil)
	}
	if shown := p.Table.Pictures[i]; !slices.Equal(ev.At, shown.At) || !slices.Equal(ev.To, shown.For()) {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": ev.Hash})
	}
	return nil
}

func (ev pictureHidden) Fold(st *state.State, _ *state.Record) {
	st.Pictures = slices.DeleteFunc(slices.Clone(st.Pictures), func(p state.Picture) bool { return p.Hash == ev.Hash })
}

// Lines informs the seats that could see the picture.
func (ev pictureHidden) Lines(e *visibility.Eye) []view.Line {
	if !shownTo(e, ev.To) {
		return nil
	}
	return e.Line(ev, "picture-taken", nil, nil)
}

// RewordedEntries returns the seqs of earlier entries whose text a record changes.
func RewordedEntries(r *state.Record) []uint64 {
	for _, event := range r.Decoded {
		if taken, ok := event.(pictureHidden); ok {
			return taken.At
		}
	}
	return nil
}

// PictureShown returns the hash and the description of the picture that a record shows, "" for
// another record.
func PictureShown(r *state.Record) (hash, alt string) {
	ev, _ := r.Decoded[0].(pictureShown)
	return ev.Hash, ev.Alt
}

// ShowsPicture reports whether a record shows a picture that is still shown.
func ShowsPicture(e *visibility.Eye, r *state.Record) bool {
	return slices.ContainsFunc(r.Decoded, func(event rule.Event) bool {
		shown, ok := event.(pictureShown)
		return ok && stillShown(e, shown.Hash)
	})
}

// shownTo reports whether the seat is among seats; none means all.
func shownTo(e *visibility.Eye, seats []string) bool {
	return e.Viewer.IsGM() || len(seats) == 0 || e.Seat.ID != "" && slices.Contains(seats, e.Seat.ID)
}

// seatNames returns the names of seats.
func seatNames(e *visibility.Eye, seats []string) []string {
	names := []string{}
	for _, id := range seats {
		if s := e.Table.Seats.Of(id); s != nil {
			names = append(names, s.Name)
		}
	}
	return names
}

// seesPicture refuses a picture that the seat can't see.
func seesPicture(e *visibility.Eye, hash string) error {
	if _, ok := e.Attachment(view.UsePicture, hash); !ok {
		return refusal.NoChoice("picture", hash, nil)
	}
	return nil
}
