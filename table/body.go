package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"norn/game"
	"norn/journal"
	"norn/odds"
	"norn/rule"
)

// bodyVersion is the newest that is written. An entry of a later one is not
// read, so each says the least that it takes: 2 where moves gave way to it, 3 where
// its move lets go of somebody, 4 where it was made by another edition of the rules than the first.
const bodyVersion = 4

// body is what an entry of the journal holds. Everything that a table is
// follows from these, in order.
type body struct {
	V       int           `json:"v"`
	Kind    string        `json:"kind"`
	Rules   string        `json:"rules"`             // version of norn that wrote it
	Edition string        `json:"edition,omitempty"` // of the game's rules, by which it was made; "" for the first
	Request string        `json:"request,omitempty"` // what stands under the entry's key, as a hash
	Secret  bool          `json:"secret,omitempty"`
	Opening *opening      `json:"opening,omitempty"`
	Answers string        `json:"answers,omitempty"` // place of the question that it answers
	Steps   rule.Trail    `json:"steps,omitempty"`   // what was added to the move's trail
	Events  []eventBody   `json:"events,omitempty"`
	Asks    []ask         `json:"asks,omitempty"` // what it left open, to be read in the log
	Outcome *rule.Outcome `json:"outcome,omitempty"`
	Done    bool          `json:"done,omitempty"`
	LetGo   []string      `json:"letGo,omitempty"`  // of its cast whom the move won't change again while it's open, see letgo.go
	Yields  []string      `json:"yields,omitempty"` // secret open moves that give way to it, see yield.go
	Luck    string        `json:"luck,omitempty"`   // where the move stands whose outcome came with it, see odds.Standing
}

// version is the least that who reads the body must know.
func (b *body) version() int {
	switch {
	case b.Edition != "":
		return 4
	case len(b.LetGo) > 0:
		return 3
	case len(b.Yields) > 0:
		return 2
	}
	return 1
}

type eventBody struct {
	Part string          `json:"part,omitempty"`
	N    int             `json:"n"` // from 0, within the part
	Type string          `json:"type"`
	V    int             `json:"v"`
	Data json.RawMessage `json:"data"`
}

type ask struct {
	Place    string `json:"place"`
	Question string `json:"question"`
	To       string `json:"to"`
}

// encode turns told events into what is stored. version tells which version of
// a type is written now; a type it doesn't know must not get into the journal,
// where nobody could read it.
func encode(told []rule.Told, version func(eventType string) int) ([]eventBody, error) {
	stored := make([]eventBody, len(told))
	for i, t := range told {
		kind := game.TypeOf(t.Event)
		v := version(kind)
		if v == 0 {
			return nil, fmt.Errorf("event %s is not among the game's events", kind)
		}
		data, err := json.Marshal(t.Event)
		if err != nil {
			return nil, fmt.Errorf("event %s: %w", kind, err)
		}
		stored[i] = eventBody{Part: t.Part, N: t.N, Type: kind, V: v, Data: data}
	}
	return stored, nil
}

// record is an entry, decoded. Once it has been folded in it doesn't change.
type record struct {
	journal.Entry // without its body
	*said

	Edition string                // by its id
	move    *move                 // that it belongs to
	first   map[string]int        // how many throws each part had before; none where it isn't there
	whose   map[string]rule.Event // that told before whose dice fall in its parts, where it isn't who acts
	outcome *rule.Outcome         // that came out with it; nearly always came
	came    rule.Outcome
	told    int // which of its events told that outcome, -1 for none

	yields  []*move   // that give way to it
	undoes  *record   // the first record of what it takes back
	counts  []*record // of the session that lasts: records that count no more since, or otherwise; till it's folded in
	took    []string  // characters out of whose past it took something
	touched []string  // of a character's change: in whose past it stands
	facets  facet     // by which
}

// said is what an entry says.
type said struct {
	body
	args   any // of an opening
	events []rule.Event
	parts  map[int]string // of the events that say something of a part's dice
	luck   Luck           // reckoned from the body's; none where that is ""
}

// since is the seq with which what a record is about began: its move, or itself.
func (r *record) since() uint64 {
	if r.move != nil {
		return r.move.seq
	}
	return r.Seq
}

// touching is an act that changes characters: which, and by which facets.
type touching interface{ touches() ([]string, facet) }

// newRecord is an entry with what it says, and nothing yet of what that is about.
func newRecord(e journal.Entry, s *said) *record {
	e.Body = nil
	r := &record{Entry: e, said: s, Edition: s.body.edition(), told: -1}
	switch r.Kind {
	case KindMove, KindAnswer:
		r.facets = ofSheet
	case KindCharacter:
		if len(s.events) > 0 {
			if ev, ok := s.events[0].(touching); ok {
				r.touched, r.facets = ev.touches()
			}
		}
	}
	return r
}

// decode reads an entry back. It depends on the game, which the table's first
// entry tells. Only decoding can fail; what is decoded can be applied. Who has
// just written the entry knows its draft; else it is nil.
func (b ledger) decode(e journal.Entry, known *draft) (*record, error) {
	s, err := b.read(e.Body, known)
	if err != nil {
		return nil, err
	}
	r := newRecord(e, s)
	played := b.game
	if len(r.events) > 0 {
		if first, ok := r.events[0].(playing); ok {
			played = first.plays()
		}
	}
	if played == nil {
		return nil, errNotOpened
	}
	if !played.Knows(r.Edition) || s.body.Edition == firstEdition {
		return nil, unknown("the edition %q of %s is not known", s.body.Edition, played.ID)
	}
	if (len(b.sessions) == 0) != (r.Kind == KindOpened) {
		return nil, errUnsealed
	}
	if err := b.decodeYields(r); err != nil {
		return nil, err
	}
	switch r.Kind {
	case KindMove:
		if err := b.decodeOpening(r); err != nil {
			return r, err
		}
	case KindAnswer:
		u := b.open.going(r.Move)
		if u == nil {
			return nil, fmt.Errorf("there is no open move %s", r.Move)
		}
		r.move = u.move
	default:
		if err := b.decodeOwn(r); err != nil {
			return r, err
		}
	}
	return r, b.decodeLetGo(r)
}

// read reads what a body says, or takes it from its draft.
func (b ledger) read(data []byte, known *draft) (*said, error) {
	s := &said{}
	if known != nil {
		s.body, s.args, s.events, s.luck = known.body, known.args, known.events, known.luck
	} else if err := json.Unmarshal(data, &s.body); err != nil {
		return nil, err
	}
	if s.V < 1 || s.V > bodyVersion {
		return nil, unknown("it is of version %d, this norn knows up to %d", s.V, bodyVersion)
	}
	if s.events == nil {
		s.events = make([]rule.Event, len(s.Events))
		for i, stored := range s.Events {
			event, err := b.decodeEvent(stored)
			if err != nil {
				return nil, err
			}
			s.events[i] = event
		}
	}
	s.findParts()
	if s.Luck != "" && s.luck == (Luck{}) {
		standing, err := odds.ParseStanding(s.Luck)
		if err != nil {
			return nil, err
		}
		s.luck = luckOf(standing)
	}
	return s, nil
}

// findParts finds the parts of the events that turn a die or tell whose dice
// they are and how they count, where an opening doesn't say it: who acts, in the
// main part.
func (s *said) findParts() {
	for i, event := range s.events {
		switch event := event.(type) {
		case game.Turned:
			if was, _ := event.Turned(); was == 0 {
				continue
			}
		case game.Threw:
			_, marks := event.(game.Marked)
			if s.Opening != nil && event.Thrower() == s.Opening.Actor && (!marks || s.Events[i].Part == "") {
				continue
			}
		default:
			continue
		}
		if s.parts == nil {
			s.parts = map[int]string{}
		}
		s.parts[i] = s.Events[i].Part
	}
}

func (b ledger) decodeEvent(stored eventBody) (rule.Event, error) {
	own := strings.HasPrefix(stored.Type, "table.")
	if first := b.words.kinds[KindOpened]; b.game == nil && !first.acts.has(stored.Type) && !first.with.has(stored.Type) {
		return nil, errNotOpened
	}
	if !own {
		return b.game.Decode(stored.Type, stored.V, stored.Data)
	}
	event, err := b.words.events.Decode(stored.Type, stored.V, stored.Data)
	if ev, ok := event.(restoring); ok && err == nil {
		return ev.restore(b.state)
	}
	return event, err
}

var errNotOpened = errors.New("it doesn't open a table")
