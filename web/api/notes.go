package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/table"
	"norn/table/view"
)

// noting is the body that keeps a note.
type noting struct {
	ID   string `json:"id" form:"text"`
	Text string `json:"text" form:"prose,max=10000"`
	Key  string `json:"key" form:"text"`
}

// handing is the body that shares a note, beside the seats.
type handing struct {
	Note string `json:"note" form:"text,required"`
	Key  string `json:"key" form:"text"`
}

// Handouts are the notes that were shared with a seat.
type Handouts struct {
	Handouts []view.Handout `json:"handouts" doc:"the one that was shared last at the end"`
}

func registerNotes(s *server, api huma.API) {
	act(s, api, http.MethodPost, "/api/v1/tables/{id}/notes", "keep-note", doc{
		summary: "Keep a note that only game masters see",
		text:    "A new one without an id, else another text for that one; an empty text throws it away. Notes stand in a game master's view.",
		tag:     "tables",
		example: map[string]any{"text": "The steward has the second key.", "key": "a3e5"},
	}, bodyOf[noting]("NoteRequest", nil), func(ctx context.Context, r sent[atTable, noting]) (*entryAnswer, error) {
		return answered(r.seat.Note(ctx, r.body.ID, r.body.Text, r.body.Key))
	})
}

func registerHandouts(s *server, api huma.API) {
	show(s, api, "/api/v1/tables/{id}/handouts", "list-handouts", doc{
		summary: "Notes that were shared with the seat", text: "A game master's are all that were shared.", tag: "pictures",
	}, func(ctx context.Context, seat *table.Seat, _ *atTable) (*answer[Handouts], error) {
		all, err := seat.Handouts(ctx)
		return answered(Handouts{all}, err)
	})

	act(s, api, http.MethodPost, "/api/v1/tables/{id}/handouts", "share-note", doc{
		summary: "Share a note with everybody, or with some seats",
		text:    "Only a game master may. It's read as it is now, also by those who could read it before; a change of the note is seen once it's shared again.",
		tag:     "pictures",
		example: map[string]any{"note": "n12", "key": "52ac"},
	}, bodyOf[handing]("HandoutRequest", toSeats()), func(ctx context.Context, r sent[atTable, handing]) (*entryAnswer, error) {
		to, err := r.parts.texts("to")
		if err != nil {
			return nil, err
		}
		return answered(r.seat.ShareNote(ctx, r.body.Note, to, r.body.Key))
	})

	act(s, api, http.MethodPost, "/api/v1/tables/{id}/handouts/hide", "hide-note", doc{
		summary: "Take a shared note back from all", text: "Only a game master may. Who has read it has read it.", tag: "pictures",
		example: map[string]any{"note": "n12", "key": "52ad"},
	}, bodyOf[handing]("HideRequest", nil), func(ctx context.Context, r sent[atTable, handing]) (*entryAnswer, error) {
		return answered(r.seat.HideNote(ctx, r.body.Note, r.body.Key))
	})
}
