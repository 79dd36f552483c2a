package table

import (
	"bytes"
	"reflect"
	"slices"

	"norn/game"
	"norn/odds"
	"norn/rule"
)

// Luck is how a move's throw came out among all that it could have come to, by
// the law that was the move's when it was opened. What is better, the game says.
type Luck struct {
	OrBetter    string  `json:"orBetter"`    // the chance of this or better, an exact fraction
	Probability float64 `json:"probability"` // the same for display
	Points      int     `json:"points"`      // of 100: what it beats, what is as good counting half
}

// SeatLuck is how lucky the moves of one seat were in a session, together.
type SeatLuck struct {
	Seat        string     `json:"seat"`
	Name        string     `json:"name"`
	Throws      int        `json:"throws"`
	Points      int        `json:"points"`
	LuckierThan string     `json:"luckierThan"` // the share of all sessions with these throws that score fewer points; a fraction
	Within      string     `json:"within"`      // by which that share may be too small, far below what is shown
	Probability float64    `json:"probability"` // the share for display
	Moves       []MoveLuck `json:"moves"`       // oldest first
}

// MoveLuck is the luck of one move.
type MoveLuck struct {
	Move string `json:"move"`
	Luck
}

// MostThrows is how many throws of a seat count in a session: the newest.
const MostThrows = 1000

// standingBranches bounds the walk by which a live move learns where it stands.
// Whoever verifies a log has more time, so what was kept can be found again.
const (
	standingBranches = 2_000
	verifiedBranches = 100 * standingBranches
	surelyBranches   = standingBranches / 4 // by a law of so many it was told, even if it took more branches then than it takes now
)

// fortune is what a seat threw in a session, as far as a reader may know its
// odds. Reckoning their luck takes a while and no table.
type fortune struct {
	seat, name string
	moves      []string
	standings  []odds.Standing
}

func fortunesIn(e eye, session int) []*fortune {
	var all []*fortune
	by := map[string]*fortune{}
	open := map[string]bool{}
	if session < 1 || session > len(e.st.sessions) {
		return nil
	}
	of := e.st.sessions[session-1]
	for r := range e.st.after(of.from, pageOf) {
		if of.to > 0 && r.Seq >= of.to {
			break
		}
		if r.Luck == "" || e.st.isUndone(r) || !e.seesEntry(r) || !knowsLuck(e, r.move, open) {
			continue
		}
		standing, err := odds.ParseStanding(r.Luck)
		if err != nil { // decode has read it
			continue
		}
		t := by[r.move.seat]
		if t == nil {
			t = &fortune{seat: r.move.seat}
			if seat := e.st.seats.of(t.seat); seat != nil {
				t.name = seat.name
			}
			by[t.seat] = t
			all = append(all, t)
		}
		t.moves, t.standings = append(t.moves, r.move.id), append(t.standings, standing)
		if n := len(t.moves); n == 2*MostThrows {
			t.moves, t.standings = slices.Clone(t.moves[n-MostThrows:]), slices.Clone(t.standings[n-MostThrows:])
		}
	}
	return all
}

// luck is that of the newest throws, together.
func (t *fortune) luck() SeatLuck {
	first := max(0, len(t.moves)-MostThrows)
	luck := odds.Together(t.standings[first:])
	told := SeatLuck{
		Seat: t.seat, Name: t.name, Throws: luck.Throws, Points: luck.Points,
		LuckierThan: luck.P.RatString(), Within: luck.Within.RatString(), Probability: odds.Float(luck.P),
		Moves: make([]MoveLuck, luck.Throws),
	}
	for i := range told.Moves {
		told.Moves[i] = MoveLuck{t.moves[first+i], luckOf(t.standings[first+i])}
	}
	return told
}

func luckOf(s odds.Standing) Luck {
	p := s.OrBetter()
	return Luck{OrBetter: p.RatString(), Probability: odds.Float(p), Points: s.Points()}
}

// luck is that of a record's throw, for the game master and who plays the acting
// character; Seat.Luck tells others, as far as they may know.
func luckSeen(e eye, r *record) *Luck {
	if r.Luck == "" || !seesLuck(e, r.move) {
		return nil
	}
	luck := r.luck
	return &luck
}

// seesLuck tells whether the seat could have asked for the odds of a move before
// it was made, and they were the true ones.
func seesLuck(e eye, m *move) bool {
	if !e.seesOdds(m.def) {
		return false
	}
	return e.viewer.IsGM() || !m.def.GMOnly && m.actor != "" && e.plays(m.actor) &&
		!slices.ContainsFunc(m.cast, func(id string) bool { return !e.plays(id) && !isPlayers(e, id) && !lies(e, id) })
}

// knowsLuck is seesLuck, or all that the odds were made of lies open to the seat.
// open remembers which characters do.
func knowsLuck(e eye, m *move, open map[string]bool) bool {
	if seesLuck(e, m) {
		return true
	}
	if !e.seesOdds(m.def) || m.def.GMOnly {
		return false
	}
	return !slices.ContainsFunc(m.cast, func(id string) bool {
		whole, known := open[id]
		if !known {
			whole = lies(e, id)
			open[id] = whole
		}
		return !whole
	})
}

// players tells whether a character is of a kind that players have: what they
// hide of it from each other, View.Odds keeps out of odds.
func isPlayers(e eye, id string) bool {
	c := e.st.characters.of(id)
	if c == nil {
		return false
	}
	kind, ok := e.st.game.Kind(c.kind)
	return ok && kind.Player
}

// lies tells whether a character's sheet lies open to the seat: it sees each
// member as it is, perhaps with others that the game adds.
func lies(e eye, id string) bool {
	c := e.st.characters.of(id)
	if c == nil {
		return false
	}
	shown := members(e.sheet(c))
	for name, value := range members(c.sheet) {
		if seen, there := shown[name]; !there || !reflect.DeepEqual(bare(value), bare(seen)) {
			return false
		}
	}
	return true
}

// standing is where a move stands that a run brought to its outcome; false for one whose outcome isn't known or was known before, that has no
// chance in it, or whose law takes more than so many branches.
//
// The law is that of the move's odds, with the scene as it stood when the move
// was opened. A question in the middle has the answer that was given, everywhere
// it's asked; its standard answer where it was answered in two ways.
func standingIn(m *underway, result rule.Result[rule.Outcome], branches int) (odds.Standing, bool) {
	if m.def.Price == nil || m.def == &game.Plain || m.resolved != nil {
		return odds.Standing{}, false
	}
	came, known := cameOf(m.move, result)
	if !known {
		return odds.Standing{}, false
	}
	law, err := rule.Walk(m.def.Price(m.scene, m.args), answersOf(result.Trail), rule.Limits{Branches: branches})
	if err != nil { // too large, or it hangs on what only people can say
		return odds.Standing{}, false
	}
	return odds.Stand(law, came, m.def.Better)
}

// came is the outcome that a run told of its actor, or ended with.
func cameOf(m *move, result rule.Result[rule.Outcome]) (rule.Outcome, bool) {
	for _, t := range result.Told {
		if told, ok := t.Event.(game.Resolved); ok && t.Part == "" && told.Who == m.actor {
			return told.Outcome, true
		}
	}
	return result.Value, result.Done
}

// answersOf are the answers of a trail as a policy: those of questions that were
// answered in one way.
func answersOf(trail rule.Trail) rule.Policy {
	policy := rule.Policy{}
	for _, step := range trail {
		if step.Answer == nil {
			continue
		}
		id, value := step.Answer.Question, step.Answer.Value
		given, again := policy[id]
		switch {
		case !again:
			policy[id] = rule.Given{JSON: value}
		case given != nil && !bytes.Equal(given.(rule.Given).JSON, value):
			policy[id] = nil
		}
	}
	for id, given := range policy {
		if given == nil {
			delete(policy, id)
		}
	}
	return policy
}

// lucks reckons what each seat threw.
func lucks(all []*fortune) []SeatLuck {
	lucks := make([]SeatLuck, len(all))
	for i, t := range all {
		lucks[i] = t.luck()
	}
	return lucks
}
