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

// sharing is the body that shares a note, beside the seats.
type sharing struct {
	Note string `json:"note" form:"text,required"`
	Key  string `json:"key" form:"text"`
}

var (
	uploadForm   = form.Of[uploading]()
	showingForm  = form.Of[showing]()
	portraitForm = form.Of[portraying]()
	handoutForm  = form.Of[sharing]()
)

// atPicture is the address of a picture.
type atPicture struct {
	Table   string `path:"id" doc:"the table's id" maxLength:"200"`
	Picture string `path:"hash" doc:"SHA-256 of the picture, 64 hexadecimal digits" maxLength:"200"`
}

type pictureAnswer struct{ Body view.PictureShown }

// Pictures are those that a seat may have.
type Pictures struct {
	Pictures []view.PictureShown `json:"pictures" doc:"oldest first"`
}

type picturesAnswer struct{ Body Pictures }

// Handouts are the notes that were shared with a seat.
type Handouts struct {
	Handouts []view.Handout `json:"handouts" doc:"the one that was shared last at the end"`
}

type handoutsAnswer struct{ Body Handouts }

// XCard is what lies on a table.
type XCard struct {
	X uint64 `json:"x" doc:"seq of the entry that laid it there, 0 for none"`
}

type xAnswer struct{ Body XCard }

// bytesAnswer are a picture's bytes.
type bytesAnswer struct {
	Type   string `header:"Content-Type"`
	Cache  string `header:"Cache-Control"`
	Vary   string `header:"Vary"`
	Policy string `header:"Content-Security-Policy"`
	Body   []byte
}

func (s *server) registerPictures(api huma.API) {
	failures := []int{http.StatusForbidden, http.StatusConflict}

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/pictures", "add-picture", doc{
		summary: "Bring a picture to the table",
		text: "A JPEG, PNG or WebP file that doesn't move, in Base64, with the body under 1 MiB. It's made smaller and keeps nothing but its pixels. Nobody is told of it, " +
			"and only game masters and the seat itself may have it, until it's shown or is the portrait of somebody. Spectators bring none.",
		tag: "pictures", status: http.StatusCreated, errors: failures,
		body: "PictureRequest", example: map[string]any{"data": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "key": "91c0"},
	}), s.addPicture)

	huma.Register(api, operation(http.MethodGet, "/api/v1/tables/{id}/pictures", "list-pictures", doc{
		summary: "The pictures that the seat may have", text: "Portraits of whom it sees, what was shown to it, and its own; a game master's are all.", tag: "pictures",
	}), func(ctx context.Context, in *atTable) (*picturesAnswer, error) {
		seat, err := s.enter(ctx, in.Table)
		if err != nil {
			return nil, err
		}
		all, err := seat.Pictures(ctx)
		if err != nil {
			return nil, s.failed(ctx, seat, err)
		}
		return &picturesAnswer{Pictures{all}}, nil
	})

	get := operation(http.MethodGet, "/api/v1/tables/{id}/pictures/{hash}", "get-picture", doc{
		summary: "A picture", text: "Its bytes never change; one that was shown may be taken back. A picture that the seat may not have isn't there.", tag: "pictures",
	})
	get.Responses["200"] = &huma.Response{Description: "The picture", Content: map[string]*huma.MediaType{
		picture.JPEG: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}, picture.PNG: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}},
	}}
	huma.Register(api, get, func(ctx context.Context, in *atPicture) (*bytesAnswer, error) {
		seat, err := s.enter(ctx, in.Table)
		if err != nil {
			return nil, err
		}
		a, data, err := seat.Attachment(ctx, view.UsePicture, in.Picture)
		if err != nil {
			return nil, s.notThere(ctx, seat, err, "attachment", "hash")
		}
		kept := "private, no-cache" // what was taken back isn't kept
		if a.Lasting {
			kept = "private, max-age=31536000, immutable"
		}
		return &bytesAnswer{Type: a.Media, Cache: kept, Vary: "Authorization", Policy: "default-src 'none'; sandbox", Body: data}, nil
	})

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/pictures/{hash}/show", "show-picture", doc{
		summary: "Show a picture to everybody, or to some seats",
		text:    "Only a game master may. Who is shown it may have it from then on; shown to all, who comes later, too. Its words say what is to be seen, for who can't see it.",
		tag:     "pictures", errors: failures,
		body: "ShowRequest", example: map[string]any{"alt": "A bridge over a dry river", "key": "52aa"},
	}), func(ctx context.Context, in *atPicture) (*entryAnswer, error) {
		seat, err := s.enter(ctx, in.Table)
		if err != nil {
			return nil, err
		}
		body, kept, err := read[showing](callOf(ctx).body, showingForm, "to")
		var to []string
		if err == nil {
			to, err = kept.texts("to")
		}
		var entry view.Entry
		if err == nil {
			entry, err = seat.ShowPicture(ctx, request.Showing{Hash: in.Picture, Alt: body.Alt, To: to, Key: body.Key})
		}
		if err != nil {
			return nil, s.failed(ctx, seat, err)
		}
		return &entryAnswer{entry}, nil
	})

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/pictures/{hash}/hide", "hide-picture", doc{
		summary: "Take a shown picture back from all",
		text:    "Only a game master may. Nobody else may have it from then on, but where it's a portrait; the entries that showed it say no more than that one was shown. Who has seen it has seen it.",
		tag:     "pictures", errors: failures,
		body: "KeyOnly", example: map[string]any{"key": "52ba"},
	}), func(ctx context.Context, in *atPicture) (*entryAnswer, error) {
		return entryOf(ctx, s, in.Table, keyForm, func(seat *table.Seat, body keyed) (view.Entry, error) {
			return seat.TakePicture(ctx, in.Picture, body.Key)
		})
	})

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/characters/{cid}/portrait", "set-portrait", doc{
		summary: "Give a character a portrait",
		text:    "Who plays the character may, with a picture that the seat may have; without one the portrait is taken away. Whoever sees the character sees it.",
		tag:     "pictures", errors: failures,
		body: "PortraitRequest", example: map[string]any{"picture": "", "key": "52ab"},
	}), func(ctx context.Context, in *atCharacter) (*entryAnswer, error) {
		return entryOf(ctx, s, in.Table, portraitForm, func(seat *table.Seat, body portraying) (view.Entry, error) {
			return seat.SetPortrait(ctx, in.Character, body.Picture, body.Key)
		})
	})

	huma.Register(api, operation(http.MethodGet, "/api/v1/tables/{id}/handouts", "list-handouts", doc{
		summary: "Notes that were shared with the seat", text: "A game master's are all that were shared.", tag: "pictures",
	}), func(ctx context.Context, in *atTable) (*handoutsAnswer, error) {
		seat, err := s.enter(ctx, in.Table)
		if err != nil {
			return nil, err
		}
		all, err := seat.Handouts(ctx)
		if err != nil {
			return nil, s.failed(ctx, seat, err)
		}
		return &handoutsAnswer{Handouts{all}}, nil
	})

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/handouts", "share-note", doc{
		summary: "Share a note with everybody, or with some seats",
		text:    "Only a game master may. It's read as it is now, also by those who could read it before; a change of the note is seen once it's shared again.",
		tag:     "pictures", errors: failures,
		body: "HandoutRequest", example: map[string]any{"note": "n12", "key": "52ac"},
	}), func(ctx context.Context, in *atTable) (*entryAnswer, error) {
		seat, err := s.enter(ctx, in.Table)
		if err != nil {
			return nil, err
		}
		body, kept, err := read[sharing](callOf(ctx).body, handoutForm, "to")
		var to []string
		if err == nil {
			to, err = kept.texts("to")
		}
		var entry view.Entry
		if err == nil {
			entry, err = seat.ShareNote(ctx, body.Note, to, body.Key)
		}
		if err != nil {
			return nil, s.failed(ctx, seat, err)
		}
		return &entryAnswer{entry}, nil
	})

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/handouts/hide", "hide-note", doc{
		summary: "Take a shared note back from all", text: "Only a game master may. Who has read it has read it.", tag: "pictures", errors: failures,
		body: "HideRequest", example: map[string]any{"note": "n12", "key": "52ad"},
	}), func(ctx context.Context, in *atTable) (*entryAnswer, error) {
		return entryOf(ctx, s, in.Table, handoutForm, func(seat *table.Seat, body sharing) (view.Entry, error) {
			return seat.HideNote(ctx, body.Note, body.Key)
		})
	})

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/x-card", "raise-x-card", doc{
		summary: "Lay an X-card on the table",
		text: "Somebody wants something to stop, or to be told otherwise. All see it at once; it stops nothing by itself. Anybody but spectators may. The entry is of no seat, and nothing is kept " +
			"of who it was. Where one lies there, or was put away within half a minute, nothing is added; a key isn't kept.",
		tag: "pictures", errors: failures,
		body: "KeyOnly", example: map[string]any{},
	}), func(ctx context.Context, in *atTable) (*xAnswer, error) {
		seat, err := s.enter(ctx, in.Table)
		if err != nil {
			return nil, err
		}
		_, _, err = read[keyed](callOf(ctx).body, keyForm)
		if err == nil {
			err = seat.RaiseX(ctx)
		}
		var shown *view.View
		if err == nil {
			shown, err = seat.View(ctx)
		}
		if err != nil {
			return nil, s.failed(ctx, seat, err)
		}
		return &xAnswer{XCard{shown.X}}, nil
	})

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/x-card/away", "put-x-card-away", doc{
		summary: "Put the X-card away", text: "Once it was talked about. Anybody but spectators may.", tag: "pictures", errors: failures,
		body: "KeyOnly", example: map[string]any{"key": "52ae"},
	}), func(ctx context.Context, in *atTable) (*entryAnswer, error) {
		return entryOf(ctx, s, in.Table, keyForm, func(seat *table.Seat, body keyed) (view.Entry, error) {
			return seat.PutXAway(ctx, body.Key)
		})
	})
}

func (s *server) addPicture(ctx context.Context, in *atTable) (*pictureAnswer, error) {
	seat, err := s.enter(ctx, in.Table)
	if err != nil {
		return nil, err
	}
	body, kept, err := read[uploading](callOf(ctx).body, uploadForm, "data")
	var data json.RawMessage
	if err == nil {
		data, err = kept.need("data")
	}
	var file []byte
	if err == nil && json.Unmarshal(data, &file) != nil {
		err = form.Problems{{Path: "data", Code: form.Type, Given: printable(string(data))}}
	}
	if err == nil {
		err = s.Door.Upload(odds.Asker(callOf(ctx).from))
	}
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	side := picture.MaxSide
	if body.Portrait {
		side = picture.Portrait
	}
	made, err := seat.AddPicture(table.Billed(ctx, func(int) {}), file, side, body.Key) // uploads have a limit of their own
	if err != nil {
		return nil, s.failed(ctx, seat, err)
	}
	return &pictureAnswer{made}, nil
}
