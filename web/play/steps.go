package play

import (
	"net/http"
	"slices"

	"norn/table"
	"norn/web/door"
)

// firstStep is one thing that a first-time game master does at a new table.
type firstStep struct {
	Word string // id of its words, after web.steps.
	To   string // where on the page it's done
	Done bool
}

// steps are an evening's way from an empty table to its end, as far as the
// table has come.
func (v *visit) steps() []firstStep {
	return []firstStep{
		{Word: "invite", To: "#drawer-seats", Done: len(v.view.Seats) > 1},
		{Word: "cast", To: v.link(v.at.tab("cast")) + "#add-name", Done: len(v.view.Characters) > 0},
		{Word: "move", To: "#composer", Done: v.view.Begun},
		{Word: "session", To: "#drawer-session", Done: len(v.view.Sessions) > 0},
	}
}

// stepsDone is how many of them.
func (v *visit) stepsDone() int {
	done := 0
	for _, s := range v.steps() {
		if s.Done {
			done++
		}
	}
	return done
}

// stepsCookie tells, for one table, that a game master needs no steps.
const stepsCookie = "steps"

// guided tells whether the steps stand on the page: for game masters, until all
// is done or they were put away.
func (v *visit) guided(r *http.Request) bool {
	left := func(s firstStep) bool { return !s.Done }
	return v.master() && door.Cookie(r, stepsCookie) != "away" && slices.ContainsFunc(v.steps(), left)
}

// putStepsAway takes the steps off this game master's page of the table.
func (s *Server) putStepsAway(w http.ResponseWriter, r *http.Request, v *visit) error {
	if !v.master() {
		return &table.ForbiddenError{}
	}
	s.Keep(w, r, stepsCookie, "away", v.to(""), false)
	if door.HX(r) {
		s.Show(w, r, http.StatusOK, noSteps())
		return nil
	}
	http.Redirect(w, r, v.link(v.at), http.StatusSeeOther)
	return nil
}
