package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/odds"
	"norn/picture"
	"norn/table"
	"norn/table/request"
	"norn/table/view"
)

// uploading is the body that brings a picture, beside its data.
type uploading struct {
	Portrait bool   `json:"portrait"`
	Key      string `json:"key" form:"text"`
}

// showing is the body that shows a picture, beside the seats.
type showing struct {
	Alt string `json:"alt" form:"text,required"`
	Key string `json:"key" form:"text"`
}

// portraying is the body that gives a character a portrait.
type portraying struct {
	Picture string `json:"picture" form:"text"`
	Key     string `json:"key" form:"text"`
}

// atPicture is the address of a picture.
type atPicture struct {
	Table   string `path:"id" doc:"the table's id" maxLength:"200"`
	Picture string `path:"hash" doc:"SHA-256 of the picture, 64 hexadecimal digits" maxLength:"200"`
}

// Pictures are those that a seat may have.
type Pictures struct {
	Pictures []view.PictureShown `json:"pictures" doc:"oldest first"`
}

// bytesAnswer are a picture's bytes.
type bytesAnswer struct {
	Type   string `header:"Content-Type"`
	Cache  string `header:"Cache-Control"`
	Vary   string `header:"Vary"`
	Policy string `header:"Content-Security-Policy"`
	Body   []byte
}

// toSeats is whom something is shown.
func toSeats() members {
	return members{"to": members{"type": "array", "items": members{"type": "string"}, "default": []any{}, "description": "ids of seats; none for all that there are and will be"}}
}

func registerPictures(s *server, api huma.API) {
	act(s, api, http.MethodPost, "/api/v1/tables/{id}/pictures", "add-picture", doc{
		summary: "Bring a picture to the table",
		text: "A JPEG, PNG or WebP file that doesn't move, in Base64, with the body under 1 MiB. It's made smaller and keeps nothing but its pixels. Nobody is told of it, " +
			"and only game masters and the seat itself may have it, until it's shown or is the portrait of somebody. Spectators bring none.",
		tag: "pictures", status: http.StatusCreated, file: true,
		example: map[string]any{"data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "key": "91c0"},
	}, bodyOf[uploading]("PictureRequest", members{
		"data": members{"type": "string", "contentEncoding": "base64", "description": "the file"},
	}, "data"), func(ctx context.Context, r sent[atTable, uploading]) (*answer[view.PictureShown], error) {
		return answered(s.upload(ctx, r))
	})

	show(s, api, "/api/v1/tables/{id}/pictures", "list-pictures", doc{
		summary: "The pictures that the seat may have", text: "Portraits of whom it sees, what was shown to it, and its own; a game master's are all.", tag: "pictures",
	}, func(ctx context.Context, seat *table.Seat, _ *atTable) (*answer[Pictures], error) {
		all, err := seat.Pictures(ctx)
		return answered(Pictures{all}, err)
	})

	get := operation(http.MethodGet, "/api/v1/tables/{id}/pictures/{hash}", "get-picture", doc{
		summary: "A picture", text: "Its bytes never change; one that was shown may be taken back. A picture that the seat may not have isn't there.", tag: "pictures",
	})
	get.Responses["200"] = &huma.Response{Description: "The picture", Content: map[string]*huma.MediaType{
		picture.JPEG: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}, picture.PNG: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
	}}
	huma.Register(api, get, seated(s, func(ctx context.Context, seat *table.Seat, at *atPicture) (*bytesAnswer, error) {
		a, data, err := seat.Attachment(ctx, view.UsePicture, at.Picture)
		if err != nil {
			return addressed[*bytesAnswer](nil, err)
		}
		kept := "private, no-cache" // what was taken back isn't kept
		if a.Lasting {
			kept = "private, max-age=31536000, immutable"
		}
		return &bytesAnswer{Type: a.Media, Cache: kept, Vary: "Authorization", Policy: "default-src 'none'; sandbox", Body: data}, nil
	}))

	act(s, api, http.MethodPost, "/api/v1/tables/{id}/pictures/{hash}/show", "show-picture", doc{
		summary: "Show a picture to everybody, or to some seats",
		text:    "Only a game master may. Who is shown it may have it from then on; shown to all, who comes later, too. Its words say what is to be seen, for who can't see it.",
		tag:     "pictures",
		example: map[string]any{"alt": "A bridge over a dry river", "key": "52aa"},
	}, bodyOf[showing]("ShowRequest", toSeats()), func(ctx context.Context, r sent[atPicture, showing]) (*entryAnswer, error) {
		to, err := r.parts.texts("to")
		if err != nil {
			return nil, err
		}
		return answered(r.seat.ShowPicture(ctx, request.Showing{Hash: r.at.Picture, Alt: r.body.Alt, To: to, Key: r.body.Key}))
	})

	act(s, api, http.MethodPost, "/api/v1/tables/{id}/pictures/{hash}/hide", "hide-picture", doc{
		summary: "Take a shown picture back from all",
		text:    "Only a game master may. Nobody else may have it from then on, but where it's a portrait; the entries that showed it say no more than that one was shown. Who has seen it has seen it.",
		tag:     "pictures",
		example: map[string]any{"key": "52ba"},
	}, keyBody, func(ctx context.Context, r sent[atPicture, keyed]) (*entryAnswer, error) {
		return answered(r.seat.HidePicture(ctx, r.at.Picture, r.body.Key))
	})

	act(s, api, http.MethodPost, "/api/v1/tables/{id}/characters/{cid}/portrait", "set-portrait", doc{
		summary: "Give a character a portrait",
		text:    "Who plays the character may, with a picture that the seat may have; without one the portrait is taken away. Whoever sees the character sees it.",
		tag:     "pictures",
		example: map[string]any{"picture": "", "key": "52ab"},
	}, bodyOf[portraying]("PortraitRequest", nil), func(ctx context.Context, r sent[atCharacter, portraying]) (*entryAnswer, error) {
		return answered(r.seat.SetPortrait(ctx, r.at.Character, r.body.Picture, r.body.Key))
	})
}

// upload takes a picture that was sent.
func (s *server) upload(ctx context.Context, r sent[atTable, uploading]) (none view.PictureShown, err error) {
	if err := s.Limiter.Upload(odds.Asker(callOf(ctx).from)); err != nil {
		return none, err
	}
	leave, err := s.Gate.Alone(ctx, odds.Asker(callOf(ctx).from))
	if err != nil {
		return none, tooMany(err)
	}
	defer leave()
	var file []byte
	if json.Unmarshal(r.parts["data"], &file) != nil {
		return none, form.Problems{{Path: "data", Code: form.Type, Given: printable(string(r.parts["data"]))}}
	}
	side := picture.MaxSide
	if r.body.Portrait {
		side = picture.Portrait
	}
	return r.seat.AddPicture(table.Billed(ctx, func(int) {}), file, side, r.body.Key) // uploads have a limit of their own
}
