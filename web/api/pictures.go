package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/internal/picture"
	"norn/table"
	"norn/table/view"
)

// uploading is the body that uploads a picture, without its data.
type uploading struct {
	Portrait bool   `json:"portrait"`
	Key      string `json:"key" form:"text"`
}

// atPicture is the address of a picture.
type atPicture struct {
	Table   string `path:"id" doc:"the table's id" maxLength:"200"`
	Picture string `path:"hash" doc:"SHA-256 of the picture, 64 hexadecimal digits" maxLength:"200"`
}

// Pictures lists the pictures that a seat may see.
type Pictures struct {
	Pictures []view.PictureShown `json:"pictures" doc:"oldest first"`
}

// bytesAnswer is a response with a picture.
type bytesAnswer struct {
	Type   string `header:"Content-Type"`
	Cache  string `header:"Cache-Control"`
	Vary   string `header:"Vary"`
	Policy string `header:"Content-Security-Policy"`
	Body   []byte
}

func registerPictures(s *server, api huma.API) {
	operate(s, api, http.MethodPost, "/api/v1/tables/{id}/pictures", "add-picture", doc{
		summary: "Bring a picture to the table",
		text: "A JPEG, PNG or WebP file that doesn't move, in Base64, with the body under 1 MiB. It's made smaller and keeps nothing but its pixels. Nobody is notified, " +
			"and only game masters and the seat itself may have it, until it's shown or is the portrait of somebody. Spectators bring none.",
		tag: "pictures", status: http.StatusCreated, file: true,
		example: map[string]any{"data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "key": "91c0"},
	}, bodyOf[uploading]("PictureRequest", members{
		"data": members{"type": "string", "contentEncoding": "base64", "description": "the file"},
	}, "data"), func(ctx context.Context, r sent[atTable, uploading]) (*answer[view.PictureShown], error) {
		return answered(s.upload(ctx, r))
	})

	show(s, api, "/api/v1/tables/{id}/pictures", "list-pictures", doc{
		summary: "The pictures that the seat may have",
		text:    "Portraits of characters that it sees, pictures shown to it, and its own; for a game master all.",
		tag:     "pictures",
	}, func(ctx context.Context, seat *table.Seat, _ *atTable) (*answer[Pictures], error) {
		all, err := seat.Pictures(ctx)
		return answered(Pictures{all}, err)
	})

	get := operation(http.MethodGet, "/api/v1/tables/{id}/pictures/{hash}", "get-picture", doc{
		summary: "A picture", text: "Its bytes never change; one that was shown may be taken back. A picture that the seat may not have isn't there.", tag: "pictures",
	})
	get.Responses["200"] = &huma.Response{Description: "The picture", Content: map[string]*huma.MediaType{
		picture.JPEG: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
		picture.PNG:  {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
	}}
	huma.Register(api, get, seated(s, func(ctx context.Context, seat *table.Seat, at *atPicture) (*bytesAnswer, error) {
		a, data, err := seat.Attachment(ctx, view.UsePicture, at.Picture)
		if err != nil {
			return nil, absent(err, "attachment", "hash")
		}
		kept := "private, no-cache" // a withdrawn picture must not stay in a cache
		if a.Lasting {
			kept = "private, max-age=31536000, immutable"
		}
		return &bytesAnswer{
			Type: a.Media, Cache: kept, Vary: "Authorization", Policy: "default-src 'none'; sandbox",
			Body: data,
		}, nil
	}))
}

// upload stores an uploaded picture.
func (s *server) upload(ctx context.Context, r sent[atTable, uploading]) (none view.PictureShown, err error) {
	var file []byte
	if json.Unmarshal(r.parts["data"], &file) != nil {
		return none, form.Problems{{Path: "data", Code: form.Type, Given: printable(string(r.parts["data"]))}}
	}
	side := picture.MaxSide
	if r.body.Portrait {
		side = picture.Portrait
	}
	// uploads have a limit of their own
	return r.seat.AddPicture(table.WithBill(ctx, func(int) {}), file, side, r.body.Key)
}
