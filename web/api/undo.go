package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/form"
	"norn/table"
	"norn/table/view"
)

// undoing is the body that takes an entry back.
type undoing struct {
	Seq int    `json:"seq" form:"min=1,max=2147483647,required"`
	Key string `json:"key" form:"text"`
}

// cancelling is the body that ends an open move.
type cancelling struct {
	Move string `json:"move" form:"text,required"`
	Key  string `json:"key" form:"text"`
}

// share is the body that adds a seat's share to the dice. The table says what a share may be.
type share struct {
	Share string `json:"share" form:"text,required"`
	Key   string `json:"key" form:"text"`
}

var (
	undoForm   = form.Of[undoing]()
	cancelForm = form.Of[cancelling]()
	shareForm  = form.Of[share]()
)

func (s *server) registerUndo(api huma.API) {
	failures := []int{http.StatusForbidden, http.StatusConflict}

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/undo", "undo", doc{
		summary: "Take back a move, or a change of a character or of the settings",
		text: "By the seq of any of its entries. Everything becomes what it was before; the entries stay in the log, as undone. " +
			"What came later and stands on it must be undone first: then the problem has the code later and names it. " +
			"A game master may undo anything; a player their own changes of their own characters.",
		tag: "moves", errors: failures,
		body: "UndoRequest", example: map[string]any{"seq": 12, "key": "c40d"},
	}), func(ctx context.Context, in *atTable) (*entryAnswer, error) {
		return entryOf(ctx, s, in.Table, undoForm, func(seat *table.Seat, body undoing) (view.Entry, error) {
			return seat.Undo(ctx, uint64(body.Seq), body.Key)
		})
	})

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/cancel", "cancel-move", doc{
		summary: "Cancel an open move",
		text: "Its questions are gone and what it changed is taken back; dice that fell stay on record. A game master may, and who " +
			"made the move as long as no die fell in it and nobody answered.",
		tag: "moves", errors: failures,
		body: "CancelRequest", example: map[string]any{"move": "m12", "key": "90ae"},
	}), func(ctx context.Context, in *atTable) (*entryAnswer, error) {
		return entryOf(ctx, s, in.Table, cancelForm, func(seat *table.Seat, body cancelling) (view.Entry, error) {
			return seat.Cancel(ctx, body.Move, body.Key)
		})
	})
}

func (s *server) registerEdition(api huma.API) {
	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/edition", "take-edition", doc{
		summary: "Take up the newer edition of norn's rules",
		text: "Where norn was updated and its rules have changed, a table says so in newer. Until a game master takes them up nobody makes " +
			"a move or answers. Open moves go on by the newer rules; those that can't, the table's stranded, are cancelled with it: what they " +
			"changed is as it was before. It's refused where the table plays by the newest rules already.",
		tag: "moves", errors: []int{http.StatusForbidden, http.StatusConflict},
		body: "KeyOnly", example: map[string]any{"key": "5c0e"},
	}), func(ctx context.Context, in *atTable) (*entryAnswer, error) {
		return entryOf(ctx, s, in.Table, keyForm, func(seat *table.Seat, body keyed) (view.Entry, error) {
			return seat.TakeEdition(ctx, body.Key)
		})
	})
}

func (s *server) registerDice(api huma.API) {
	failures := []int{http.StatusForbidden, http.StatusConflict}

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/shares", "add-share", doc{
		summary: "Add this seat's share to the dice",
		text: "1 to 64 printable characters, best at random; once a session and seat. Everybody sees it. The dice of moves made from " +
			"then on depend on it, so that whoever runs norn can't have chosen their secret to suit.",
		tag: "dice", errors: failures,
		body: "ShareRequest", example: map[string]any{"share": "d1f09a6b37c24e58", "key": "02f7"},
	}), func(ctx context.Context, in *atTable) (*entryAnswer, error) {
		return entryOf(ctx, s, in.Table, shareForm, func(seat *table.Seat, body share) (view.Entry, error) {
			return seat.AddShare(ctx, body.Share, body.Key)
		})
	})

	huma.Register(api, operation(http.MethodPost, "/api/v1/tables/{id}/session", "end-session", doc{
		summary: "End the session of the dice",
		text: "Its secret is opened to everybody, so that all its dice can be derived again, and a new one is sealed. Only a game " +
			"master may, and only while no move is open.",
		tag: "dice", errors: failures,
		body: "KeyOnly", example: map[string]any{"key": "6b1d"},
	}), func(ctx context.Context, in *atTable) (*entryAnswer, error) {
		return entryOf(ctx, s, in.Table, keyForm, func(seat *table.Seat, body keyed) (view.Entry, error) {
			return seat.EndSession(ctx, body.Key)
		})
	})
}
