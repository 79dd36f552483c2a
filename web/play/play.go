// Package play serves the pages of tables: from the start page and a seat's link to the table's own page, its forms, the game
// master's screen and the live stream that keeps all of it as it is.
//
// What a page, a piece of one and a frame of its stream hold is what its seat may see, since all of it comes from table.Seat.
// The goroutines that it starts are those of live streams, which end with them.
package play

import (
	"context"

	"norn/chat/bridge"
	"norn/game"
	"norn/lang"
	"norn/notify"
	"norn/table"
	"norn/web/door"
	oddspages "norn/web/odds"
)

// Notifier calls people who don't look.
type Notifier interface {
	Key() string
	Subscribe(ctx context.Context, table string, s notify.Subscription) error
	Unsubscribe(ctx context.Context, table, seat, endpoint string) error
	Of(table, seat string) (browsers int, q notify.Quiet, err error)
	SetQuiet(ctx context.Context, table, seat string, q notify.Quiet) error
	Hooks(table string) ([]notify.Named, error)
	AddHook(ctx context.Context, table, address, format string) (notify.Named, error)
	DropHook(ctx context.Context, table, id string) error
}

// Chats bring tables to where people talk.
type Chats interface {
	Platforms() []string
	Code(ctx context.Context, table, secret string, whole bool, l lang.Lang, link string) (string, error)
	Join(platform, code string) string
	Of(table string) []bridge.TieShown
	End(ctx context.Context, seat *table.Seat, id string) error
}

// Server serves them.
type Server struct {
	*door.Keeper
	Host *table.Host
	Odds *oddspages.Pages
	// Demo gives the paths of the links that open a game's demo table in the
	// speaker's language; nil for no demos.
	Demo     func(ctx context.Context, g *game.Game, s lang.Speaker) (gm, player string, err error)
	Notifier Notifier // calls people who don't look; nil for nobody
	Chats    Chats    // brings tables to chats; nil for none

	crowds crowds
	stands stands
	drawn  drawnOnce
}

// Routes are where links and forms of tables lead.
func (s *Server) Routes() door.Routes {
	return door.Routes{
		"GET /{$}":                    s.start,
		"POST /tables":                s.open,
		"POST /join":                  s.join,
		"GET /demo/{game}":            s.demo,
		"POST /demo/{game}":           s.demo,
		playerRoute:                   s.demo,
		"GET /t/{table}/{secret}":     s.arrive,
		"POST /t/{table}/{secret}":    s.take,
		"GET /t/{table}":              s.seated(getTable),
		door.LiveRoute:                s.entered(getLive),
		"GET /t/{table}/character":    s.seated(getCharacter),
		"GET /t/{table}/move":         s.seated(getComposer),
		"POST /t/{table}/move":        s.seated(postMove),
		"GET /t/{table}/odds":         s.seated(getOdds),
		"GET /t/{table}/public":       s.seated(getPublic),
		"POST /t/{table}/say":         s.seated(postSay),
		"GET /t/{table}/complete":     s.seated(getComplete),
		"POST /t/{table}/answer":      s.seated(postAnswer),
		"GET /t/{table}/about":        s.seated(getAbout),
		"POST /t/{table}/sheet":       s.seated(postSheet),
		"POST /t/{table}/value":       s.seated(postValue),
		"POST /t/{table}/characters":  s.seated(addCharacter),
		"GET /t/{table}/hero":         s.seated(getHero),
		"POST /t/{table}/hero":        s.seated(postHero),
		"POST /t/{table}/remove":      s.seated(removeCharacter),
		"POST /t/{table}/show":        s.seated(showMove),
		"POST /t/{table}/pass":        s.seated(passTurn),
		"POST /t/{table}/undo":        s.seated(postUndo),
		"POST /t/{table}/cancel":      s.seated(postCancel),
		"POST /t/{table}/share":       s.seated(postShare),
		"POST /t/{table}/next":        s.seated(postNext),
		"GET /t/{table}/next.ics":     s.seated(getCalendar),
		"POST /t/{table}/session":     s.seated(endSession),
		"POST /t/{table}/edition":     s.seated(takeEdition),
		"GET /t/{table}/check/{move}": s.seated(getCheck),
		"GET /t/{table}/session/{n}":  s.seated(getSession),
		"GET /t/{table}/gm":           s.seated(getScreen),
		"POST /t/{table}/stock":       s.seated(postStock),
		"POST /t/{table}/notes":       s.seated(postNote),
		"GET /t/{table}/picture/{id}": s.entered(getPicture),
		"GET /t/{table}/pictures":     s.seated(getPictures),
		door.UploadRoute:              s.seated(postPictures),
		"POST /t/{table}/x-card":      s.seated(postX),
		"POST /t/{table}/x-card/away": s.seated(putXAway),
		"POST /t/{table}/withdraw":    s.seated(withdraw),
		"POST /t/{table}/star":        s.seated(postStar),
		"POST /t/{table}/seats":       s.seated(postSeats),
		"POST /t/{table}/seat":        s.seated(postSeat),
		"POST /t/{table}/steps":       s.seated(putStepsAway),
		"GET /t/{table}/called":       s.seated(getCalled),
		"GET /t/{table}/called/key":   s.seated(where(callsPeople, getCallKey)),
		"POST /t/{table}/called":      s.seated(where(callsPeople, postCalled)),
		"POST /t/{table}/uncalled":    s.seated(where(callsPeople, postUncalled)),
		"POST /t/{table}/quiet":       s.seated(where(callsPeople, postQuiet)),
		"POST /t/{table}/hook":        s.seated(where(callsForMasters, postHook)),
		"POST /t/{table}/unhook":      s.seated(where(callsForMasters, postUnhook)),
		"GET /t/{table}/chats":        s.seated(where(knowsChats, getChats)),
		"POST /t/{table}/chats/code":  s.seated(where(knowsChats, postChatCode)),
		"POST /t/{table}/chats/end":   s.seated(where(knowsChats, postUnchat)),
		"POST /t/{table}/settings":    s.seated(postSettings),
		"GET /t/{table}/story.md":     s.filed(getStory),
		"GET /t/{table}/export.jsonl": s.filed(getExport),
		"GET /t/{table}/seen.jsonl":   s.filed(getSeen),
	}
}
