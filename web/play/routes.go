package play

import "norn/web/door"

// playerRoute leads to a demo table's player, and not to its game master.
const playerRoute = "GET /demo/{game}/player"

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
		"GET /t/{table}":              s.seated(s.table),
		door.LiveRoute:                s.entered(s.live),
		"GET /t/{table}/character":    s.seated(s.character),
		"GET /t/{table}/move":         s.seated(s.composer),
		"POST /t/{table}/move":        s.seated(s.move),
		"GET /t/{table}/odds":         s.seated(s.odds),
		"GET /t/{table}/public":       s.seated(s.public),
		"POST /t/{table}/say":         s.seated(s.say),
		"GET /t/{table}/complete":     s.seated(s.complete),
		"POST /t/{table}/answer":      s.seated(s.answer),
		"GET /t/{table}/about":        s.seated(s.about),
		"POST /t/{table}/sheet":       s.seated(s.sheet),
		"POST /t/{table}/value":       s.seated(s.value),
		"POST /t/{table}/characters":  s.seated(s.addCharacter),
		"POST /t/{table}/remove":      s.seated(s.removeCharacter),
		"POST /t/{table}/show":        s.seated(s.showMove),
		"POST /t/{table}/undo":        s.seated(s.undo),
		"POST /t/{table}/cancel":      s.seated(s.cancel),
		"POST /t/{table}/share":       s.seated(s.share),
		"POST /t/{table}/session":     s.seated(s.endSession),
		"POST /t/{table}/edition":     s.seated(s.takeEdition),
		"GET /t/{table}/check/{move}": s.seated(s.check),
		"GET /t/{table}/session/{n}":  s.seated(s.session),
		"GET /t/{table}/gm":           s.seated(s.masterScreen),
		"POST /t/{table}/stock":       s.seated(s.stock),
		"POST /t/{table}/notes":       s.seated(s.note),
		"POST /t/{table}/withdraw":    s.seated(s.withdraw),
		"POST /t/{table}/star":        s.seated(s.star),
		"POST /t/{table}/seats":       s.seated(s.seats),
		"POST /t/{table}/seat":        s.seated(s.ownSeat),
		"POST /t/{table}/steps":       s.seated(s.putStepsAway),
		"POST /t/{table}/settings":    s.seated(s.settings),
		"GET /t/{table}/story.md":     s.filed(s.story),
		"GET /t/{table}/export.jsonl": s.filed(s.export),
		"GET /t/{table}/seen.jsonl":   s.filed(s.seen),
	}
}
