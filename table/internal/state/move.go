package state

import (
	"fmt"
	"slices"
	"strconv"
	"sync"

	"norn/dice"
	"norn/game"
	"norn/rule"
)

// An open move holds its cast. Whom its rule says it won't change again it lets
// go of: the entry with which that comes names them, and others may act with them
// while its questions are open. What does so stands on the move, which then can
// be neither cancelled nor undone before it. A secret move lets go of nobody: it
// gives way instead, see package act.

// Holds tells whether nobody else may act with a character as long as the move is open.
func (m *OpenMove) Holds(id string) bool {
	return m.Has(id) && !slices.Contains(m.Released, id)
}

// Releases is whom a run of an open move has let go of, and hadn't before.
func (m *OpenMove) Releases(result rule.Result[rule.Outcome]) []string {
	if result.Done || m.Secret {
		return nil
	}
	var gone []string
	for _, id := range result.LetGo {
		if m.Holds(id) {
			gone = append(gone, id)
		}
	}
	return gone
}

// Move is a move made at this table, as it was opened: nothing of it changes.
type Move struct {
	ID      string
	Seq     uint64 // of the entry that opened it
	Def     *game.Move
	Seat    string // who made it
	Actor   string
	Cast    []string // with the actor
	Args    any
	Nonce   string
	ByHand  bool
	Secret  bool // when it was made
	View    *game.View
	Session *Session // of dice, as it stood then: with the shares that count
}

// OpenMoves are the open moves of a table, oldest first.
type OpenMoves []*OpenMove

// OpenMove is a move while it's open.
type OpenMove struct {
	*Move
	Scene       game.Scene // as it stood at the opening
	Joined      []string   // by answers that named them, beside the cast
	Trail       rule.Trail
	EventCounts map[string]int        // events of each part
	events      []rule.Told           // those events
	Asks        []Ask                 // what the entries say to be open
	Throws      map[string]int        // throws of each part
	Released    []string              // whom it has let go of
	throwers    map[string]rule.Event // that told last whose dice fall in a part, where it isn't who acts
	Resolved    *rule.Outcome         // of its actor, told before the end

	Pending   []rule.Open // made by settle
	Forecasts *sync.Map   // what the open questions come to, worked out once and only when somebody may see it
	Fault     error       // why these rules can't go on with it
}

// rerun runs the rule of an open move over what it has met. It's an error where rules that have changed since can't go on from
// there: they ask for something else, have told something else, or are over. They may also break off, since what they find
// isn't what they would have made.
func (m *OpenMove) rerun() (result rule.Result[rule.Outcome], err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = rule.Result[rule.Outcome]{}, fmt.Errorf("the rule breaks off: %v", p)
		}
	}()
	var source rule.Source
	if m.ByHand {
		source = rule.ByHand(dice.NewHand(nil), true)
	}
	result, err = m.Play(m.Trail, source)
	if err == nil && result.Done {
		err = &rule.TrailError{Want: "the end", Have: "open"}
	}
	if err != nil {
		return rule.Result[rule.Outcome]{}, err
	}
	for _, said := range m.events {
		i := slices.IndexFunc(result.Told, func(t rule.Told) bool { return t.Part == said.Part && t.N == said.N })
		if i < 0 || Describe(result.Told[i]) != Describe(said) {
			return rule.Result[rule.Outcome]{}, fmt.Errorf("the rule doesn't tell %s", Describe(said))
		}
	}
	for _, id := range m.Released {
		if !slices.Contains(result.LetGo, id) {
			return rule.Result[rule.Outcome]{}, fmt.Errorf("the rule doesn't let go of %s", id)
		}
	}
	return result, nil
}

// Describe is what a rule told, and where.
func Describe(t rule.Told) string {
	return t.Part + "#" + strconv.Itoa(t.N) + " " + game.TypeOf(t.Event) + " " + string(JSON(t.Event))
}

// Play runs the move's rule over a trail. New dice come from source.
func (m *OpenMove) Play(trail rule.Trail, source rule.Source) (rule.Result[rule.Outcome], error) {
	return rule.Play(m.Def.Play(m.Scene, m.Args), rule.Options{Trail: trail, Source: source, Roller: m.roller})
}

// Sealed tells whether plans are still being closed in the move: till then nobody
// sees another's, nor odds that would tell of it.
func (m *OpenMove) Sealed() bool {
	return slices.ContainsFunc(m.Pending, func(o rule.Open) bool { return o.Sealed })
}

// roller is who types in a throw made by hand: who throws it by the rule or else
// who acts, but the GM where players mustn't see it.
func (m *OpenMove) roller(p dice.Pool, by string) string {
	switch {
	case m.Hidden(p):
		return game.GM
	case by != "":
		return by
	case m.Actor == "":
		return game.GM
	}
	return m.Actor
}

// Hidden tells whether players mustn't see a throw.
func (m *OpenMove) Hidden(p dice.Pool) bool {
	return m.Def != &game.Plain && !m.View.SeesThrow(game.Viewer{Role: game.Player}, m.Scene.Settings, rule.Thrown{For: p.For, Sides: p.Sides})
}

// Dice is where the move's dice come from when nobody types them in.
func (m *Move) Dice(table string, trail rule.Trail) rule.Source {
	return rule.Apart(trail, func(part string, throw int) dice.Roller {
		return dice.NewStream(dice.Key(m.Session.Seal, m.Session.Shares, table, m.ID, m.Nonce, Place(part, throw)))
	})
}

// NewAsks are the questions that a run left open and that weren't open before.
func (m *OpenMove) NewAsks(open []rule.Open) []Ask {
	var asks []Ask
	for _, o := range open {
		if !slices.ContainsFunc(m.Pending, func(known rule.Open) bool { return known.Place() == o.Place() }) {
			asks = append(asks, Ask{Place: o.Place(), Question: o.ID, To: o.To})
		}
	}
	return asks
}

// NewEvents are the events that a run told and the journal doesn't hold yet.
func (m *OpenMove) NewEvents(told []rule.Told) []rule.Told {
	var news []rule.Told
	for _, t := range told {
		if t.N >= m.EventCounts[t.Part] {
			news = append(news, t)
		}
	}
	return news
}

// QuestionID names a question for people: its move and its place in it.
func QuestionID(m *Move, place string) string { return m.ID + ":" + place }

// Of is the open move with an id, nil for none.
func (all OpenMoves) Of(id string) *OpenMove {
	return first(all, func(u *OpenMove) bool { return u.ID == id })
}

// Holding is the open move that holds a character, nil for none.
func (all OpenMoves) Holding(id string) *OpenMove {
	return first(all, func(u *OpenMove) bool { return u.Holds(id) })
}

// Stranded are those that these rules can't go on with.
func (all OpenMoves) Stranded() OpenMoves {
	return slices.DeleteFunc(slices.Clone(all), func(m *OpenMove) bool { return m.Fault == nil })
}

// Has tells whether a move touches a character.
func (m *OpenMove) Has(id string) bool {
	return slices.Contains(m.Cast, id) || slices.Contains(m.Joined, id)
}
