package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/table"
	"norn/table/request"
	"norn/table/view"
)

// talk is the body that says something. The table says what may be said.
type talk struct {
	Text      string   `json:"text" form:"prose,required,max=2000"`
	Character form.Ref `json:"character"`
	Secret    bool     `json:"secret"`
	To        string   `json:"to" form:"text"`
	Key       string   `json:"key" form:"text"`
}

var talkForm = form.Of[talk]()

func (s *server) registerTalk(api huma.API) {
	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/talk", "talk", doc{
		summary: "Say something at the table",
		text: "Plain text of at most 2000 characters, with line breaks. With a character, as that character; what is secret only game " +
			"masters see, and who said it. With the id of a seat in to it's a whisper, which that seat hears, too. Spectators only listen.",
		tag: "log", errors: []int{http.StatusForbidden, http.StatusConflict},
		body: "TalkRequest", example: map[string]any{"text": "Anybody home?", "character": "c1", "key": "77f0"},
	}), func(ctx context.Context, in *atTable) (*entryAnswer, error) {
		return entryOf(ctx, s, in.Table, talkForm, func(seat *table.Seat, body talk) (view.Entry, error) {
			return seat.Talk(ctx, request.Talk{Text: body.Text, Character: string(body.Character), ToGM: body.Secret, To: body.To, Key: body.Key})
		})
	})
}
