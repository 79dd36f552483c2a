package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"norn/table"
	"norn/table/view"
)

// sharing is the body that adds a seat's share to the dice. The table says what a share may be.
type sharing struct {
	Share string `json:"share" form:"text,required"`
	Key   string `json:"key" form:"text"`
}

type luckQuestion struct {
	Table   string `path:"id" doc:"the table's id" maxLength:"200"`
	Session number `query:"session" doc:"a session of dice, from 1; the one that lasts unless given"`
}

// SessionLuck is how lucky the seats were in a session.
type SessionLuck struct {
	Session int             `json:"session"`
	Seats   []view.SeatLuck `json:"seats" doc:"those whose moves had chances, as far as this seat may know their odds"`
}

func registerDice(s *server, api huma.API) {
	act(s, api, http.MethodPost, "/api/v1/tables/{id}/shares", "add-share", doc{
		summary: "Add this seat's share to the dice",
		text: "1 to 64 printable characters, best at random; once a session and seat. Everybody sees it. The dice of moves made from " +
			"then on depend on it, so that whoever runs norn can't have chosen their secret to suit.",
		tag:     "dice",
		example: map[string]any{"share": "d1f09a6b37c24e58", "key": "02f7"},
	}, bodyOf[sharing]("ShareRequest", nil), func(ctx context.Context, r sent[atTable, sharing]) (*entryAnswer, error) {
		return answered(r.seat.AddShare(ctx, r.body.Share, r.body.Key))
	})

	act(s, api, http.MethodPost, "/api/v1/tables/{id}/session", "end-session", doc{
		summary: "End the session of the dice",
		text: "Its secret is opened to everybody, so that all its dice can be derived again, and a new one is sealed. Only a game " +
			"master may, and only while no move is open.",
		tag:     "dice",
		example: map[string]any{"key": "6b1d"},
	}, keyBody, func(ctx context.Context, r sent[atTable, keyed]) (*entryAnswer, error) {
		return answered(r.seat.EndSession(ctx, r.body.Key))
	})

	show(s, api, "/api/v1/tables/{id}/luck", "show-luck", doc{
		summary: "How lucky each seat was in a session of dice",
		text: "Each move with chances scores the percentage of its own exact odds that its outcome beats, what is as good counting half. " +
			"luckierThan is the share of all sessions with these same throws that score fewer points in all. Secret moves count for who sees them.",
		tag: "dice",
	}, func(ctx context.Context, seat *table.Seat, asked *luckQuestion) (*answer[SessionLuck], error) {
		shown, err := seat.View(ctx)
		if err != nil {
			return nil, err
		}
		now := uint64(shown.Session.N)
		session, bad := asked.Session.whole("session", now, 1, now)
		if err := badQuery(ctx, bad); err != nil {
			return nil, err
		}
		var seats []view.SeatLuck
		err = s.dear(ctx, seat, func() (err error) {
			seats, err = seat.Luck(ctx, int(session))
			return err
		})
		return answered(SessionLuck{int(session), seats}, err)
	})
}
