package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"norn/table"
	"norn/table/view"
)

type luckQuestion struct {
	Table   string `path:"id" doc:"the table's id" maxLength:"200"`
	Session number `query:"session" doc:"a session of dice, from 1; the one that lasts unless given"`
}

// SessionLuck says how lucky the seats were in a session.
type SessionLuck struct {
	Session int             `json:"session"`
	Seats   []view.SeatLuck `json:"seats" doc:"those whose moves had chances, as far as this seat may know their odds"`
}

func registerDice(s *server, api huma.API) {
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
		session, bad := asked.Session.parse("session", now, 1, now)
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
