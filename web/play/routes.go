package play

import (
	"norn/web/door"
)

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
		"POST /t/{table}/session":     s.seated(endSession),
		"POST /t/{table}/edition":     s.seated(takeEdition),
		"GET /t/{table}/check/{move}": s.seated(getCheck),
		"GET /t/{table}/session/{n}":  s.seated(getSession),
		"GET /t/{table}/gm":           s.seated(getScreen),
		"POST /t/{table}/stock":       s.seated(postStock),
		"POST /t/{table}/notes":       s.seated(postNote),
		"POST /t/{table}/withdraw":    s.seated(withdraw),
		"POST /t/{table}/star":        s.seated(postStar),
		"POST /t/{table}/seats":       s.seated(postSeats),
		"POST /t/{table}/seat":        s.seated(postSeat),
		"POST /t/{table}/steps":       s.seated(putStepsAway),
		"POST /t/{table}/settings":    s.seated(postSettings),
		"GET /t/{table}/story.md":     s.filed(getStory),
		"GET /t/{table}/export.jsonl": s.filed(getExport),
		"GET /t/{table}/seen.jsonl":   s.filed(getSeen),
	}
}
