package models

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"norn/table/view"
)

// mage is the model of the Storyteller rules. Its people are c1 to c3; c4 and c5 are extended actions.
type mage struct {
	house  mageHouse
	people map[string]*mageSheet
	works  map[string]*mageWork
}

// mageHouse are the house rules. MG-40
type mageHouse struct {
	RuleOfOne     bool `json:"rule-of-one"`
	Thresholds    bool `json:"thresholds"`
	ThresholdRule bool `json:"threshold-rule"`
	Automatic     bool `json:"automatic-success"`
	Retries       bool `json:"retry-penalty"`
	SingleTrait   bool `json:"single-trait"`
}

type mageDots struct {
	Name string `json:"name"`
	Dots int    `json:"dots"`
}

type mageMark struct {
	Attempt string   `json:"attempt"`
	Penalty int      `json:"penalty"`
	Final   bool     `json:"final"`
	With    []string `json:"with"`
}

type mageAction struct {
	Text string `json:"text"`
	Kind string `json:"kind"` // action, defence or extra
	Less int    `json:"less"`
	Done bool   `json:"done"`
}

type mageClock struct {
	Chronicle int  `json:"chronicle"`
	Story     int  `json:"story"`
	Chapter   int  `json:"chapter"`
	Scene     int  `json:"scene"`
	Turn      int  `json:"turn"`
	Downtime  bool `json:"downtime"`
	Counted   bool `json:"counted"`
	Bought    bool `json:"bought"`
	Declared  int  `json:"declared"`
	Acted     bool `json:"acted"`
}

type mageSheet struct {
	Attributes map[string]int `json:"attributes"`
	Talents    []mageDots     `json:"talents"`
	Skills     []mageDots     `json:"skills"`
	Knowledges []mageDots     `json:"knowledges"`
	Arete      int            `json:"arete"`
	Willpower  struct {
		Permanent int `json:"permanent"`
		Temporary int `json:"temporary"`
	} `json:"willpower"`
	Quintessence int          `json:"quintessence"`
	Paradox      int          `json:"paradox"`
	Retries      []mageMark   `json:"retries"`
	Clock        mageClock    `json:"clock"`
	Actions      []mageAction `json:"actions"`
}

type mageWork struct {
	Target      int    `json:"target"`
	Gathered    int    `json:"gathered"`
	Difficulty  int    `json:"difficulty"`
	Threshold   int    `json:"threshold"`
	Interval    string `json:"interval"`
	Limit       int    `json:"limit"`
	Used        int    `json:"used"`
	State       string `json:"state"`
	First       string `json:"first"`
	Second      string `json:"second"`
	Opposed     int    `json:"opposed"`
	RivalGoal   string `json:"rival-goal"`
	RivalTarget int    `json:"rival-target"`
	Raised      int    `json:"raised"`
	RivalRaised int    `json:"rival-raised"`
}

// mageTraits make a pool. MG-02
type mageTraits struct{ attribute, ability, alone string }

func (m *mage) fields() map[string][]string {
	return map[string][]string{
		"mage.rolled":           {"who", "dice", "difficulty", "threshold", "hits", "ones", "bought", "reflexive", "outcome"},
		"mage.unrolled":         {"who", "dice", "difficulty"},
		"mage.stayed-out":       {"who", "against"},
		"mage.willpower-bought": {"who", "left"},
		"mage.points-changed":   {"who", "points", "by", "now"},
		"mage.retry-marked":     {"who", "attempt", "penalty", "with"},
		"mage.retry-cleared":    {"who", "attempt"},
		"mage.retry-closed":     {"who", "attempt", "final"},
		"mage.retry-free":       {"who", "attempt"},
		"mage.retry-forgiven":   {"who"},
		"mage.added":            {"who", "allow"},
		"mage.fast-allowed":     {"who", "allow"},
		"mage.declared":         {"who", "split", "due"},
		"mage.acted":            {"who", "at", "less"},
		"mage.answered":         {"who", "leave"},
		"mage.gathered":         {"who", "n", "now", "target", "used", "limit", "dice", "botch", "interval", "by"},
		"mage.scored":           {"who", "first", "second", "gathered", "opposed", "target", "used", "rivalTarget", "firstLost", "secondLost"},
		"mage.harder":           {"who", "by", "now", "raised", "rival", "side", "threshold"},
		"mage.closed":           {"who", "state", "by"},
		"mage.time-passed":      {"to", "clock"},
		"mage.happened":         {"who", "text"},
		"offer waive":           {"attempt", "penalty", "with"},
		"offer recover":         {"who"},
		"offer forgive":         {},
	}
}

func (m *mage) begins(r *rand.Rand) (settings map[string]any, cast []entrant) {
	m.people = map[string]*mageSheet{"c1": {}, "c2": {}, "c3": {}}
	m.works = map[string]*mageWork{"c4": {}, "c5": {}}
	mostly := func() bool { return r.IntN(6) > 0 }
	m.house = mageHouse{mostly(), mostly(), mostly(), mostly(), mostly(), mostly()}
	data, _ := json.Marshal(m.house)
	_ = json.Unmarshal(data, &settings)
	threshold := "0"
	if m.house.Thresholds {
		threshold = pick(r, "0", "1")
	}
	return settings, []entrant{
		{"Marta", "character", 1, `{"attributes": {"strength": 2, "dexterity": 3, "wits": 3, "perception": 4, "intelligence": 4},
			"talents": [{"name": "alertness", "dots": 3}, {"name": "athletics", "dots": 2}], "skills": [{"name": "stealth", "dots": 2}],
			"knowledges": [{"name": "computer", "dots": 4}], "arete": 3, "willpower": {"permanent": 5, "temporary": 5},
			"quintessence": 4, "paradox": 1}`},
		{"Ilya", "character", 2, `{"attributes": {"strength": 4, "dexterity": 4, "wits": 2, "perception": 2, "intelligence": 2},
			"talents": [{"name": "brawl", "dots": 3}, {"name": "athletics", "dots": 3}], "skills": [{"name": "stealth", "dots": 1}],
			"arete": 2, "willpower": {"permanent": 6, "temporary": 4}, "quintessence": 2, "paradox": 3}`},
		{"The guard", "npc", 0, `{"attributes": {"strength": 3, "dexterity": 3, "wits": 2, "perception": 3, "intelligence": 2},
			"talents": [{"name": "alertness", "dots": 2}, {"name": "brawl", "dots": 2}],
			"willpower": {"permanent": 3, "temporary": 3}}`},
		{"The rite", "extended", 0, `{"target": ` + pick(r, "6", "12") + `, "difficulty": ` + pick(r, "5", "7", "9", "10") +
			`, "threshold": ` + threshold + `, "interval": "hour", "limit": ` + pick(r, "0", "6") + `}`},
		{"The chase", "extended", 0, `{"target": ` + pick(r, "8", "20") + `, "difficulty": ` + pick(r, "5", "6", "8") + `, "interval": "turn",
			"rival-goal": ` + pick(r, `"same"`, `"own", "rival-target": 4`, `"none"`) + `}`},
	}
}

// pick returns one of some texts.
func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

func (m *mage) sheet(id string) any {
	if m.works[id] != nil {
		return &mageWork{}
	}
	return &mageSheet{}
}

func (m *mage) now(id string) any {
	if w := m.works[id]; w != nil {
		return w
	}
	return m.people[id]
}

func (m *mage) saves() func() {
	people, _ := json.Marshal(m.people)
	works, _ := json.Marshal(m.works)
	return func() {
		m.people, m.works = nil, nil
		_ = json.Unmarshal(people, &m.people)
		_ = json.Unmarshal(works, &m.works)
	}
}

var (
	mageAttributes = []string{"strength", "dexterity", "wits", "perception", "intelligence"}
	mageAbilities  = []string{"alertness", "athletics", "brawl", "stealth", "computer"}
)

// drawTraits draws a pool, sometimes one that is forbidden.
func drawTraits(r *rand.Rand, p *play) {
	switch r.IntN(10) {
	case 0:
		p.with("alone", pick(r, "willpower", "arete", "paradox"))
	case 1:
		p.with("attribute", pick(r, mageAttributes...))
	case 2:
		p.with("ability", pick(r, mageAbilities...))
		if r.IntN(2) == 0 {
			p.with("alone", "arete")
		}
	default:
		p.with("attribute", pick(r, mageAttributes...))
		p.with("ability", pick(r, mageAbilities...))
	}
}

// drawTry draws a named attempt, and sometimes that it's made again or fast.
func (m *mage) drawTry(r *rand.Rand, p *play) {
	var marks []string
	for _, mark := range m.people[p.by].Retries {
		if !mark.Final {
			marks = append(marks, mark.Attempt)
		}
	}
	switch n := r.IntN(4); {
	case n == 0 && len(marks) > 0:
		p.with("again", pick(r, marks...))
	case n < 3:
		p.with("attempt", pick(r, "the wall", "The Wall", "thewall", "a lock"))
	}
	p.with("fast", r.IntN(7) == 0)
}

// drawAction draws one of the actions that may be made now.
func (m *mage) drawAction(r *rand.Rand, p *play) {
	if open := m.people[p.by].open(); len(open) > 0 && r.IntN(2) == 0 {
		p.with("action", string(rune('0'+open[r.IntN(len(open))])))
	}
}

func (m *mage) plays(r *rand.Rand) play {
	p := play{by: pick(r, "c1", "c2", "c3"), args: map[string]any{}}
	p.gm = p.by == "c3" || r.IntN(4) == 0
	sums := func() {
		if r.IntN(2) == 0 {
			p.with("difficulty", []int{4, 5, 6, 7, 8, 9, 10, 11, 1}[r.IntN(9)])
		}
		if r.IntN(4) == 0 {
			p.with("threshold", r.IntN(3))
		}
		p.with("modifier", []int{0, 0, 0, -2, 1, 2, 3}[r.IntN(7)])
	}
	others := slices.DeleteFunc([]string{"c1", "c2", "c3"}, func(id string) bool { return id == p.by })
	ends := func() { // what most rolls have
		drawTraits(r, &p)
		m.drawTry(r, &p)
		m.drawAction(r, &p)
		p.with("willpower", r.IntN(5) == 0)
	}
	var running []string
	for _, id := range []string{"c4", "c5"} {
		if m.works[id].State == "running" {
			running = append(running, id)
		}
	}
	switch n := r.IntN(24); {
	case n < 6:
		p.move = "roll"
		ends()
		sums()
		p.with("reflexive", r.IntN(6) == 0)
		if p.gm {
			p.with("tease", r.IntN(8) == 0)
		}
	case n < 9:
		p.move = "team"
		ends()
		sums()
		p.with("with", others[:1+r.IntN(2)])
		p.with("needs", 1+r.IntN(3))
		p.with("ruins", pick(r, "itself", "everything"))
	case n < 12 && len(running) > 0:
		p.move = "extended"
		ends()
		p.with("modifier", r.IntN(3))
		p.with("on", pick(r, running...))
		p.with("with", others[:r.IntN(3)])
		p.with("ruins", pick(r, "itself", "everything"))
	case n < 17:
		p.move = "resisted"
		ends()
		sums()
		p.with("against", others[0])
		if r.IntN(4) == 0 {
			p.with("with", others[1:])
		} else if r.IntN(4) == 0 {
			p.with("against-with", others[1:])
		}
		p.with("ruins", pick(r, "itself", "everything"))
		if r.IntN(4) == 0 {
			p.with("opposing", pick(r, "wits", "perception", "willpower"))
		}
		if r.IntN(3) == 0 {
			p.with("against-difficulty", 4+r.IntN(6))
		}
		p.with("against-modifier", r.IntN(3))
		p.with("against-attempt", pick(r, "", "", "the door", "THE DOOR"))
		if len(running) > 0 && r.IntN(2) == 0 {
			p.with("on", running[len(running)-1])
			if r.IntN(2) == 0 {
				delete(p.args, "difficulty")
			}
			if r.IntN(3) == 0 { // botches, while something is gathered
				p.with("against-difficulty", 10)
			}
		}
	case n < 19:
		p.move = "declare"
		var intents []map[string]any
		for range 1 + r.IntN(3) {
			intents = append(intents, map[string]any{"text": "", "kind": pick(r, "action", "action", "defence", "extra", "extra")})
		}
		p.with("intents", intents)
	case n == 19:
		p.move = "automatic"
		drawTraits(r, &p)
		m.drawTry(r, &p)
		m.drawAction(r, &p)
		p.with("difficulty", 3+r.IntN(5))
		p.with("modifier", r.IntN(2))
		p.with("circumstances", pick(r, "calm", "calm", "calm", "stress", "combat"))
	case n == 20:
		p.move = pick(r, "spend", "gain")
		p.with("points", pick(r, "quintessence", "willpower", "paradox", "arete"))
		p.with("amount", 1+r.IntN(4))
	case n == 21 && len(m.people[p.by].Retries) > 0:
		p.move, p.gm = "retry", true
		marks := m.people[p.by].Retries
		p.with("attempt", marks[r.IntN(len(marks))].Attempt)
		p.with("do", pick(r, "reset", "final", "reopen"))
	case n == 22:
		p.move, p.gm = "record", true
		p.with("how", pick(r, "automatic", "impossible"))
		p.with("text", "It rains.")
	default:
		p = play{move: "clock", gm: true, args: map[string]any{"to": pick(r, "turn", "turn", "turn", "scene", "chapter", "downtime")}}
	}
	if !p.gm && slices.Contains([]string{"roll", "team", "automatic"}, p.move) && r.IntN(3) == 0 {
		m.drawCall(r, &p)
	}
	return p
}

// drawCall draws that the Storyteller has called for the move. MG-32
func (m *mage) drawCall(r *rand.Rand, p *play) {
	p.call = map[string]any{"difficulty": []int{4, 6, 7, 9, 10}[r.IntN(5)]}
	if r.IntN(3) == 0 {
		p.call["modifier"] = 1 + r.IntN(2)
	}
	if r.IntN(4) == 0 {
		p.call["fast"] = true
	}
	if p.move == "roll" && r.IntN(4) == 0 {
		p.call["tease"] = true
	}
	if p.move == "automatic" && r.IntN(2) == 0 {
		p.call["circumstances"] = "calm"
	}
	maps.Copy(p.args, p.call)
}

func traitsOf(args map[string]any) mageTraits {
	text := func(name string) string { s, _ := args[name].(string); return s }
	return mageTraits{text("attribute"), text("ability"), text("alone")}
}

// pool counts a die a dot. MG-02
func (s *mageSheet) pool(t mageTraits) int {
	switch t.alone {
	case "willpower":
		return s.Willpower.Permanent
	case "arete":
		return s.Arete
	case "paradox":
		return s.Paradox
	}
	n := s.Attributes[t.attribute]
	for _, of := range [][]mageDots{s.Talents, s.Skills, s.Knowledges} {
		for _, a := range of {
			if a.Name == t.ability {
				n += a.Dots
			}
		}
	}
	return n
}

// isPool reports whether traits make a pool with dice. MG-02
func (m *mage) isPool(s *mageSheet, t mageTraits) bool {
	switch {
	case t.alone != "":
		return t.attribute == "" && t.ability == "" && s.pool(t) > 0
	case t.attribute == "", t.ability == "" && !m.house.SingleTrait:
		return false
	}
	return s.pool(t) > 0
}

// open lists the places of the declared actions that may be made now: of those in order the first,
// and all defences and extra actions. MG-10, MG-11
func (s *mageSheet) open() []int {
	var all []int
	ordered := false
	for i, a := range s.Actions {
		if a.Done {
			continue
		}
		if a.Kind == "action" {
			if ordered {
				continue
			}
			ordered = true
		}
		all = append(all, i+1)
	}
	return all
}

// shares reports whether the turn's own action was declared as one or more actions. MG-11
func (s *mageSheet) shares() bool {
	return slices.ContainsFunc(s.Actions, func(a mageAction) bool { return a.Kind != "extra" })
}

// own reports whether the one action of a counted turn is left, without a declaration.
func (s *mageSheet) own() bool { return s.Clock.Counted && !s.Clock.Acted && !s.shares() }

// place returns which declared action a move is, 0 for none, and what it costs.
func (s *mageSheet) place(action string, answers bool) (at, less int) {
	open := s.open()
	if action != "" {
		at = int(action[0] - '0')
	} else {
		for _, place := range open {
			kind := s.Actions[place-1].Kind
			if answers && kind == "defence" || !answers && kind == "action" {
				at = place
				break
			}
		}
		if at == 0 && len(open) > 0 && !s.own() {
			at = open[0]
		}
	}
	if at == 0 {
		return 0, 0
	}
	return at, s.Actions[at-1].Less
}

// spent reports whether a counted turn has no action left. MG-10
func (s *mageSheet) spent() bool { return s.Clock.Counted && !s.own() && len(s.open()) == 0 }

// acts marks the action as made.
func (s *mageSheet) acts(h *hearing, who string, at int) {
	if at == 0 {
		if s.Clock.Counted { // the log of a turn's only action is left out
			s.Clock.Acted = true
		}
		return
	}
	s.Actions[at-1].Done = true
	h.tells("mage.acted", "who", who, "at", at, "less", s.Actions[at-1].Less)
}

// buysTwice reports whether Willpower has bought a success in this turn. MG-08
func (s *mageSheet) buysTwice() bool {
	return s.Clock.Bought && (s.Clock.Counted || len(s.open()) > 0)
}

func sameTry(a, b string) bool {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, " ", "")) }
	return plain(a) == plain(b)
}

// mark returns what earlier failures of somebody have left. MG-12
func (s *mageSheet) mark(attempt string) *mageMark {
	for i := range s.Retries {
		if attempt != "" && sameTry(s.Retries[i].Attempt, attempt) {
			return &s.Retries[i]
		}
	}
	return nil
}

func attempted(args map[string]any) string {
	if again, _ := args["again"].(string); again != "" {
		return again
	}
	attempt, _ := args["attempt"].(string)
	return attempt
}

// harder returns how much harder a try is by the failures of those who try. MG-12
func (m *mage) harder(attempt string, fast bool, who ...string) int {
	most := 0
	for _, id := range who {
		if mark := m.people[id].mark(attempt); mark != nil {
			most = max(most, mark.Penalty)
		}
	}
	if fast || !m.house.Retries {
		return 0
	}
	return most
}

func (m *mage) isClosed(attempt string, who ...string) bool {
	return slices.ContainsFunc(who, func(id string) bool {
		mark := m.people[id].mark(attempt)
		return mark != nil && mark.Final
	})
}

// aims returns the difficulty and the threshold. MG-20
func (m *mage) aims(base, modifier, threshold int) (int, int) {
	met, most := base+modifier, 9
	if base == 10 {
		most = 10
	}
	if met > most && m.house.Thresholds && m.house.ThresholdRule {
		return most, threshold + met - most
	}
	return min(max(2, met), 10), threshold
}

// mageResult counts one pool's successes.
type mageResult struct {
	id  string
	n   int
	one int
	hit int
}

// reads reads a pool. MG-03, MG-05, MG-06, MG-08, MG-21
func (m *mage) reads(faces []int, difficulty, threshold int, bought bool) mageResult {
	x := mageResult{id: "failure"}
	for _, face := range faces {
		if face >= difficulty {
			x.hit++
		}
		if face == 1 && m.house.RuleOfOne {
			x.one++
		}
	}
	rolled := x.hit
	for range threshold { // the rolled ones first, then the bought one
		switch {
		case rolled > 0:
			rolled--
		case bought:
			bought = false
		}
	}
	anything := rolled > 0 || bought
	net := max(0, rolled-x.one)
	if bought {
		net++
	}
	switch {
	case net > 0:
		x.id, x.n = "success", net
	case !anything && x.one > 0:
		x.id = "botch"
	}
	return x
}

// mageHand is one person's part in a throw.
type mageHand struct {
	who        string
	traits     mageTraits
	at, less   int
	free       bool // no action
	reflex     bool
	willpower  bool
	untimed    bool // not in a turn
	difficulty int
	threshold  int
	tease      bool
}

// throws reads somebody's dice and does what that costs.
func (m *mage) throws(h *hearing, hand mageHand) mageResult {
	s := m.people[hand.who]
	dice := max(0, s.pool(hand.traits)-hand.less)
	faces := h.throw(hand.who, "difficulty")
	x := m.reads(faces, hand.difficulty, hand.threshold, hand.willpower)
	if len(faces) != dice {
		x.id = "another number of dice"
	}
	if hand.tease {
		x.id, x.n = "failure", 0
	}
	if !hand.free && !hand.untimed {
		s.acts(h, hand.who, hand.at)
	}
	if hand.willpower {
		s.Willpower.Temporary--
		s.Clock.Bought = s.Clock.Bought || !hand.untimed
		h.tells("mage.willpower-bought", "who", hand.who, "left", s.Willpower.Temporary)
	}
	h.tells("mage.rolled", "who", hand.who, "dice", dice, "difficulty", hand.difficulty, "threshold", hand.threshold,
		"hits", x.hit, "ones", x.one, "bought", hand.willpower, "reflexive", hand.reflex, "outcome", outcome(x.id, x.n))
	return x
}

func outcome(id string, n int) map[string]any { return map[string]any{"outcome": id, "n": n} }

// settles marks a failed attempt, or ends it. MG-12
func (m *mage) settles(h *hearing, attempt string, fast, succeeded bool, who []string) {
	if attempt == "" || !m.house.Retries || len(who) == 0 {
		return
	}
	name, penalty, tried := attempt, 0, false
	for _, id := range who {
		if mark := m.people[id].mark(attempt); mark != nil && (!tried || mark.Penalty > penalty) {
			name, penalty, tried = mark.Attempt, mark.Penalty, true
		}
	}
	if fast && (tried || !succeeded) {
		h.tells("mage.retry-free", "who", who[0], "attempt", name)
	}
	switch {
	case succeeded:
		m.clears(h, name, who)
	case !fast:
		m.marks(h, name, penalty+1, who)
		h.offers("waive", "gm", who[0], "attempt", name, "penalty", penalty+1, "with", who[1:])
	}
}

// marks writes a failed attempt on the sheets of all who made it.
func (m *mage) marks(h *hearing, name string, penalty int, who []string) {
	for i, id := range who {
		s := m.people[id]
		others := slices.DeleteFunc(slices.Clone(who), func(other string) bool { return other == id })
		s.drops(name)
		s.Retries = append(s.Retries, mageMark{Attempt: name, Penalty: penalty, With: others})
		if i == 0 {
			h.tells("mage.retry-marked", "who", id, "attempt", name, "penalty", penalty, "with", others)
		}
	}
}

func (s *mageSheet) drops(name string) {
	s.Retries = slices.DeleteFunc(s.Retries, func(mark mageMark) bool { return sameTry(mark.Attempt, name) })
}

// clears ends an attempt on the sheets of all who made it.
func (m *mage) clears(h *hearing, name string, who []string) {
	told := false
	for _, id := range who {
		mark := m.people[id].mark(name)
		if mark == nil {
			continue
		}
		if !told {
			h.tells("mage.retry-cleared", "who", id, "attempt", mark.Attempt)
		}
		told = true
		m.people[id].drops(name)
	}
}

// team returns those who made a failed attempt together.
func (m *mage) team(who, attempt string) []string {
	all := []string{who}
	for _, other := range m.people[who].mark(attempt).With {
		if m.people[other].mark(attempt) != nil {
			all = append(all, other)
		}
	}
	return all
}

// isUntimed reports whether turns don't bind anybody: for a roll of an hour or a week. MG-13
func (m *mage) isUntimed(on string) bool { return on != "" && m.works[on].Interval != "turn" }

func (m *mage) forbids(p play) []string {
	var by []string
	rule := func(id string, forbidden bool) {
		if forbidden && !slices.Contains(by, id) {
			by = append(by, id)
		}
	}
	s, t := m.people[p.by], traitsOf(p.args)
	untimed := m.isUntimed(p.text("on"))
	reflex := p.move == "roll" && (p.is("reflexive") || t.alone == "willpower")
	rolls := func(with ...string) {
		rule("MG-02", !m.isPool(s, t))
		rule("MG-03", p.has("difficulty") && (p.number("difficulty") < 2 || p.number("difficulty") > 10))
		rule("MG-40", p.number("threshold") > 0 && !m.house.Thresholds)
		rule("MG-08", p.is("willpower") && (s.Willpower.Temporary == 0 || s.buysTwice() && !untimed))
		rule("MG-12", m.isClosed(attempted(p.args), append([]string{p.by}, with...)...))
		if !reflex && !untimed {
			_, less := s.place(p.text("action"), false)
			rule("MG-10", s.spent() || s.pool(t) <= less)
		}
	}
	switch p.move {
	case "roll":
		rolls()
	case "team":
		rolls(p.list("with")...)
	case "extended":
		rolls(p.list("with")...)
		rule("MG-15", m.works[p.text("on")].First != "")
	case "resisted":
		rolls(p.list("with")...)
		rule("MG-14", p.text("opposing") != "" && p.has("difficulty"))
		rule("MG-12", m.isClosed(p.text("against-attempt"), append([]string{p.text("against")}, p.list("against-with")...)...))
		if w := m.works[p.text("on")]; w != nil && w.First != "" {
			sides := []string{w.First, w.Second}
			rule("MG-15", !slices.Contains(sides, p.by) || !slices.Contains(sides, p.text("against")))
		}
	case "automatic":
		rolls()
		rule("MG-40", !m.house.Automatic)
		fast, more := m.adds(p)
		rule(map[bool]string{true: "MG-32", false: "MG-12"}[p.call != nil], fast || more != 0)
		_, said := p.call["circumstances"]
		rule("MG-07", s.Clock.Counted && !p.gm && !said || p.text("circumstances") != "calm")
		_, less := s.place(p.text("action"), false)
		difficulty, threshold := m.aims(p.number("difficulty"),
			p.number("modifier")+m.harder(attempted(p.args), p.is("fast"), p.by), 0)
		rule("MG-20", threshold > 0)
		rule("MG-07", s.pool(t)-less < difficulty)
	case "declare":
		shared := slices.ContainsFunc(p.args["intents"].([]map[string]any), func(i map[string]any) bool { return i["kind"] != "extra" })
		rule("MG-10", shared && s.Clock.Counted && (s.shares() || s.Clock.Acted))
	case "spend":
		rule("MG-01", p.text("points") == "arete" || p.number("amount") > *s.points(p.text("points")))
	case "gain":
		most := 99
		if p.text("points") == "willpower" {
			most = s.Willpower.Permanent
		}
		rule("MG-01", p.text("points") == "arete" || *s.points(p.text("points"))+p.number("amount") > most)
	case "waive":
		mark := s.mark(p.text("attempt"))
		rule("MG-12", mark == nil || mark.Final || mark.Penalty != p.number("penalty") || !sameOnes(mark.With, p.list("with")))
	}
	return by
}

// sameOnes reports whether two lists name the same people.
func sameOnes(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func (s *mageSheet) points(name string) *int {
	switch name {
	case "willpower":
		return &s.Willpower.Temporary
	case "paradox":
		return &s.Paradox
	case "arete":
		return &s.Arete
	}
	return &s.Quintessence
}

func (m *mage) runs(p play, h *hearing) {
	s := m.people[p.by]
	switch p.move {
	case "roll":
		m.rolls(p, h)
	case "team":
		m.teams(p, h)
	case "extended":
		m.extends(p, h)
	case "resisted":
		m.resists(p, h)
	case "automatic":
		at, less := s.place(p.text("action"), false)
		difficulty, _ := m.aims(p.number("difficulty"), p.number("modifier")+m.harder(attempted(p.args), p.is("fast"), p.by), 0)
		s.acts(h, p.by, at)
		h.tells("mage.unrolled", "who", p.by, "dice", s.pool(traitsOf(p.args))-less, "difficulty", difficulty)
		h.ends("success", 1)
		m.settles(h, attempted(p.args), p.is("fast"), true, []string{p.by})
	case "declare":
		m.declares(p, h)
	case "spend", "gain":
		by, id := p.number("amount"), "gained"
		if p.move == "spend" {
			by, id = -by, "spent"
		}
		*s.points(p.text("points")) += by
		h.tells("mage.points-changed", "who", p.by, "points", p.text("points"), "by", by, "now", *s.points(p.text("points")))
		h.ends(id, p.number("amount"))
	case "retry":
		m.retries(p, h)
	case "record":
		h.tells("mage.happened", "who", p.by, "text", p.text("text"))
		h.ends(map[string]string{"automatic": "happens", "impossible": "impossible"}[p.text("how")], 0)
	case "forgive":
		h.tells("mage.retry-forgiven", "who", p.by)
		h.ends("waived", 0)
	case "waive":
		name, team := s.mark(p.text("attempt")).Attempt, m.team(p.by, p.text("attempt"))
		if left := p.number("penalty") - 1; left > 0 {
			m.marks(h, name, left, team)
		} else {
			m.clears(h, name, team)
		}
		h.ends("waived", 0)
	case "clock":
		m.passes(p, h)
	case "recover":
		m.recovers(p, h)
	}
}

// adds returns what a player adds: that a retry isn't harder in a fast scene, and to what was called
// for a modifier. MG-12, MG-32
func (m *mage) adds(p play) (fast bool, modifier int) {
	if p.gm {
		return false, 0
	}
	_, asked := p.call["fast"]
	fast = p.is("fast") && m.house.Retries && attempted(p.args) != "" && !asked
	if _, asked := p.call["modifier"]; p.call != nil && !asked {
		modifier = p.number("modifier")
	}
	return fast, modifier
}

// isAllowed asks the Storyteller about what a player adds. It returns whether the move is fast, and
// its modifier.
func (m *mage) isAllowed(p play, h *hearing) (fast bool, modifier int, known bool) {
	moreFast, more := m.adds(p)
	if !moreFast && more == 0 {
		return p.is("fast"), p.number("modifier"), true
	}
	says, ok := h.ask("mage.added", "gm")
	if !ok {
		return false, 0, false
	}
	event, allow := "mage.fast-allowed", says["allow"] != false
	if p.call != nil {
		event = "mage.added"
	}
	h.tells(event, "who", p.by, "allow", allow)
	if allow {
		return p.is("fast"), p.number("modifier"), true
	}
	return p.is("fast") && !moreFast, p.number("modifier") - more, true
}

// forgives expects the offer that making a failed roll without a name again isn't harder. MG-12
func (m *mage) forgives(p play, h *hearing, failed bool) {
	if failed && attempted(p.args) == "" && !p.is("fast") && m.house.Retries {
		h.offers("forgive", "gm", p.by)
	}
}

// lead returns the actor's part.
func (m *mage) lead(p play, untimed bool) mageHand {
	hand := mageHand{who: p.by, traits: traitsOf(p.args), willpower: p.is("willpower"), untimed: untimed}
	if !untimed {
		hand.at, hand.less = m.people[p.by].place(p.text("action"), false)
	}
	return hand
}

func (m *mage) rolls(p play, h *hearing) {
	fast, modifier, known := m.isAllowed(p, h)
	if !known {
		return
	}
	hand := m.lead(p, false)
	if hand.reflex = p.is("reflexive") || hand.traits.alone == "willpower"; hand.reflex { // MG-09
		hand.at, hand.less, hand.free = 0, 0, true
	}
	hand.tease = p.is("tease")
	hand.difficulty, hand.threshold = m.aims(p.numberOr("difficulty", 6),
		modifier+m.harder(attempted(p.args), fast, p.by), p.number("threshold"))
	x := m.throws(h, hand)
	h.ends(x.id, x.n)
	m.settles(h, attempted(p.args), fast, x.id == "success", []string{p.by})
	m.forgives(p, h, x.id != "success")
}

// usual returns what somebody throws who is asked and says nothing: the same traits, else the
// Attribute with the best Ability; ok is false for nothing.
func (m *mage) usual(who string, t mageTraits, answers, untimed bool) (of mageTraits, ok bool) {
	s := m.people[who]
	if m.canThrow(who, t, answers, untimed) {
		return t, true
	}
	best := mageDots{}
	for _, all := range [][]mageDots{s.Talents, s.Skills, s.Knowledges} {
		for _, a := range all {
			if a.Dots > best.Dots {
				best = a
			}
		}
	}
	if t.ability = best.Name; t.attribute != "" && m.canThrow(who, t, answers, untimed) {
		return t, true
	}
	return t, false
}

// canThrow reports whether somebody may throw a pool now.
func (m *mage) canThrow(who string, t mageTraits, answers, untimed bool) bool {
	s := m.people[who]
	if !m.isPool(s, t) {
		return false
	}
	if untimed || answers && t.alone == "willpower" {
		return true
	}
	_, less := s.place("", answers)
	return !s.spent() && s.pool(t) > less
}

// joins reads an answer of somebody who is asked to take part.
func (m *mage) joins(h *hearing, question, who string, t mageTraits, answers, untimed bool) (mageHand, map[string]any, bool) {
	says, ok := h.ask(question, who)
	if !ok {
		return mageHand{}, nil, false
	}
	usual, able := m.usual(who, t, answers, untimed)
	hand := mageHand{who: who, traits: traitsOf(says), untimed: untimed, willpower: says["willpower"] == true}
	pass := says["pass"] == true
	if _, said := says["pass"]; !said {
		pass = !able
	}
	if hand.traits == (mageTraits{}) {
		if pass && says["leave"] != true {
			return mageHand{}, says, true
		}
		hand.traits = usual
	}
	switch {
	case answers && hand.traits.alone == "willpower":
		hand.free, hand.reflex = true, true
	case answers && says["leave"] == true:
		hand.free = true
	case !untimed:
		hand.at, hand.less = m.people[who].place("", answers)
	}
	return hand, says, true
}

// helps asks all helpers of a side, and returns those who throw.
func (m *mage) helps(h *hearing, with []string, t mageTraits, untimed bool) (hands []mageHand, known bool) {
	known = true
	for _, who := range with {
		hand, _, ok := m.joins(h, "mage.join", who, t, false, untimed)
		switch {
		case !ok:
			known = false
		case hand.who == "":
			h.tells("mage.stayed-out", "who", who)
		default:
			hands = append(hands, hand)
		}
	}
	return hands, known
}

// mageSide is the result of people who work together. MG-16
type mageSide struct {
	won            int
	threw, botched []string
	ruined         bool
}

func (m *mage) together(h *hearing, hands []mageHand, difficulty, threshold int, ruins string) mageSide {
	var side mageSide
	for _, hand := range hands {
		hand.difficulty, hand.threshold = difficulty, threshold
		x := m.throws(h, hand)
		side.won += x.n
		side.threw = append(side.threw, hand.who)
		if x.id == "botch" {
			side.botched = append(side.botched, hand.who)
		}
	}
	side.ruined = len(side.botched) > 0 && (ruins == "everything" || len(side.botched) == len(side.threw))
	if side.ruined {
		side.won = 0
	}
	return side
}

func (m *mage) teams(p play, h *hearing) {
	fast, modifier, known := m.isAllowed(p, h)
	if !known {
		return
	}
	lead := m.lead(p, false)
	all := append([]string{p.by}, p.list("with")...)
	harder := m.harder(attempted(p.args), fast, all...)
	hands, known := m.helps(h, p.list("with"), lead.traits, false)
	if !known {
		return
	}
	difficulty, threshold := m.aims(p.numberOr("difficulty", 6), modifier+harder, p.number("threshold"))
	side := m.together(h, append([]mageHand{lead}, hands...), difficulty, threshold, p.text("ruins"))
	id, n := "failure", side.won
	switch {
	case side.ruined:
		id = "botch"
	case side.won >= p.number("needs"):
		id = "success"
	case side.won > 0:
		id = "short"
	}
	h.ends(id, n)
	m.settles(h, attempted(p.args), fast, id == "success", side.threw)
	m.forgives(p, h, id != "success")
}

// extends makes a roll for an extended action. MG-13
func (m *mage) extends(p play, h *hearing) {
	fast, modifier, known := m.isAllowed(p, h)
	if !known {
		return
	}
	on := p.text("on")
	w, untimed := m.works[on], m.isUntimed(on)
	lead := m.lead(p, untimed)
	harder := m.harder(attempted(p.args), fast, append([]string{p.by}, p.list("with")...)...)
	hands, known := m.helps(h, p.list("with"), lead.traits, untimed)
	if !known {
		return
	}
	difficulty, threshold := m.aims(w.Difficulty, w.Raised+modifier+harder, w.Threshold)
	dice := m.people[p.by].pool(lead.traits) - lead.less
	side := m.together(h, append([]mageHand{lead}, hands...), difficulty, threshold, p.text("ruins"))
	had := w.Gathered
	w.Used++
	id, gained := "unfinished", side.won
	if side.ruined {
		id, gained = "botch", -had
	} else if had+side.won >= w.Target {
		id = "done"
	} else if side.won == 0 {
		id = "failure"
	}
	w.Gathered += gained
	gathered := []any{
		"who", on, "n", gained, "now", w.Gathered, "target", w.Target, "used", w.Used, "limit", w.Limit, "dice", dice,
		"botch", side.ruined, "interval", w.Interval,
	}
	if side.ruined {
		gathered = append(gathered, "by", side.botched)
	}
	h.tells("mage.gathered", gathered...)
	n := w.Used
	if id == "unfinished" || id == "failure" {
		n = 0
	}
	h.ends(id, n)
	m.settles(h, attempted(p.args), fast, !side.ruined && side.won > 0, side.threw)
	m.forgives(p, h, side.ruined || side.won == 0)
	if id == "done" {
		m.closes(h, on, "done", "")
	}
	if side.ruined && !m.ruins(h, on, false, p.by) {
		return
	}
	m.outOfRolls(h, on)
}

// outOfRolls ends an action without rolls left.
func (m *mage) outOfRolls(h *hearing, on string) {
	if w := m.works[on]; w.State == "running" && w.Limit > 0 && w.Used >= w.Limit {
		m.closes(h, on, "out", "")
	}
}

func (m *mage) closes(h *hearing, on, state, by string) {
	m.works[on].State = state
	h.tells("mage.closed", "who", on, "state", state, "by", by)
}

// ruins asks the Storyteller what else a botch does. MG-13, MG-15
func (m *mage) ruins(h *hearing, on string, second bool, leader string) bool {
	says, ok := h.ask("mage.ruin", "gm")
	if !ok {
		return false
	}
	w := m.works[on]
	do, _ := says["do"].(string)
	switch do {
	case "", "end": // what is preset
		m.closes(h, on, "ended", "")
	case "destroy":
		m.closes(h, on, "destroyed", "")
	case "raise":
		by := says["by"].(int)
		raised := &w.Raised
		if second {
			raised = &w.RivalRaised
		}
		*raised += by
		difficulty, threshold := m.aims(w.Difficulty, *raised, w.Threshold)
		side := ""
		if w.First != "" {
			side = leader
		}
		h.tells("mage.harder", "who", on, "by", by, "now", difficulty, "raised", *raised, "rival", second, "side", side,
			"threshold", threshold)
	}
	return true
}

// resists makes a resisted roll. MG-14, MG-15
func (m *mage) resists(p play, h *hearing) {
	fast, modifier, known := m.isAllowed(p, h)
	if !known {
		return
	}
	on, rival := p.text("on"), p.text("against")
	w, untimed := m.works[on], m.isUntimed(on)
	lead := m.lead(p, untimed)
	answer, says, known := m.joins(h, "mage.resist", rival, lead.traits, true, untimed)
	if known && says["leave"] == true { // MG-09
		if rival == "c3" {
			h.tells("mage.answered", "who", rival, "leave", true)
		} else {
			leave, ok := h.ask("mage.leave", "gm")
			if !ok {
				return
			}
			h.tells("mage.answered", "who", rival, "leave", leave["allow"] != false)
			if leave["allow"] == false {
				answer, says, known = m.joins(h, "mage.resist", rival, lead.traits, true, untimed)
			}
		}
	}
	if !known {
		return
	}
	their := p.text("against-attempt")
	if again, _ := says["again"].(string); again != "" {
		their = again
	}
	passes := answer.who == ""
	own, ownKnown := m.helps(h, p.list("with"), lead.traits, untimed)
	var others []mageHand
	othersKnown := true
	if !passes {
		others, othersKnown = m.helps(h, p.list("against-with"), answer.traits, untimed)
	} else {
		h.tells("mage.stayed-out", "who", rival, "against", true)
	}
	if !ownKnown || !othersKnown {
		return
	}
	base, theirBase, threshold, theirThreshold, raised, theirRaised := 6, 6, 0, 0, 0, 0
	if w != nil {
		base, theirBase, threshold, theirThreshold = w.Difficulty, w.Difficulty, w.Threshold, w.Threshold
		raised, theirRaised = w.Raised, w.RivalRaised
		if w.First != "" && w.First != p.by {
			raised, theirRaised = theirRaised, raised
		}
	}
	if trait := p.text("opposing"); trait != "" {
		value := func(s *mageSheet) int {
			if trait == "willpower" {
				return s.Willpower.Permanent
			}
			return s.Attributes[trait]
		}
		base, theirBase = value(m.people[rival]), value(m.people[p.by])
	}
	base, theirBase = p.numberOr("difficulty", base), p.numberOr("against-difficulty", theirBase)
	threshold = p.numberOr("threshold", threshold)
	d1, t1 := m.aims(base, raised+modifier+
		m.harder(attempted(p.args), fast, append([]string{p.by}, p.list("with")...)...), threshold)
	d2, t2 := m.aims(theirBase, theirRaised+p.number("against-modifier")+
		m.harder(their, false, append([]string{rival}, p.list("against-with")...)...), theirThreshold)
	mine := m.together(h, append([]mageHand{lead}, own...), d1, t1, p.text("ruins"))
	var theirs mageSide
	if !passes {
		theirs = m.together(h, append([]mageHand{answer}, others...), d2, t2, p.text("ruins"))
	}
	id, n := "draw", max(mine.won-theirs.won, theirs.won-mine.won)
	switch {
	case mine.won > theirs.won:
		id = "win"
	case mine.won < theirs.won:
		id = "lose"
	case mine.ruined && !theirs.ruined:
		id = "botch"
	case theirs.ruined && !mine.ruined:
		id = "their-botch"
	}
	h.ends(id, n)
	m.settles(h, attempted(p.args), fast, id == "win", mine.threw)
	m.forgives(p, h, id == "lose" || id == "botch")
	if !passes {
		m.settles(h, their, false, id == "lose", theirs.threw)
	}
	if w != nil {
		m.scores(h, p, mine, theirs)
	}
}

// scores adds a roll to an extended contest. MG-15
func (m *mage) scores(h *hearing, p play, mine, theirs mageSide) {
	on, rival := p.text("on"), p.text("against")
	w := m.works[on]
	first, second := mine, theirs
	if w.First == "" {
		w.First, w.Second = p.by, rival
	} else if w.First != p.by {
		first, second = theirs, mine
	}
	w.Used++
	lost, rivalLost := 0, 0
	if first.ruined {
		lost, w.Gathered = w.Gathered, 0
	}
	if second.ruined {
		rivalLost, w.Opposed = w.Opposed, 0
	}
	w.Gathered += max(0, first.won-second.won)
	w.Opposed += max(0, second.won-first.won)
	goal := w.Target
	switch w.RivalGoal {
	case "own":
		goal = w.RivalTarget
	case "none":
		goal = 0
	}
	scored := []any{
		"who", on, "first", w.First, "second", w.Second, "gathered", w.Gathered, "opposed", w.Opposed, "target", w.Target,
		"used", w.Used, "firstLost", lost, "secondLost", rivalLost,
	}
	if goal != w.Target {
		scored = append(scored, "rivalTarget", goal)
	}
	h.tells("mage.scored", scored...)
	switch {
	case w.Gathered >= w.Target:
		m.closes(h, on, "done", w.First)
		return
	case goal > 0 && w.Opposed >= goal:
		m.closes(h, on, "lost", w.Second)
		return
	}
	if first.ruined && !m.ruins(h, on, false, w.First) {
		return
	}
	if second.ruined && w.State == "running" && !m.ruins(h, on, true, w.Second) {
		return
	}
	m.outOfRolls(h, on)
}

// declares says what somebody does in a turn. MG-10, MG-11
func (m *mage) declares(p play, h *hearing) {
	s := m.people[p.by]
	intents := p.args["intents"].([]map[string]any)
	k := 0
	for _, i := range intents {
		if i["kind"] != "extra" {
			k++
		}
	}
	var kept []mageAction
	for _, a := range s.Actions { // extra actions come on top, whatever the order
		if k == 0 || a.Kind == "extra" && (s.Clock.Counted || !a.Done) {
			kept = append(kept, a)
		}
	}
	at := 0
	for _, i := range intents {
		a := mageAction{Kind: i["kind"].(string)}
		if a.Kind != "extra" {
			if k > 1 {
				a.Less = k + at
			}
			at++
		}
		kept = append(kept, a)
	}
	split := 0
	for _, a := range kept {
		if a.Kind != "extra" {
			split++
		}
	}
	s.Actions, s.Clock.Declared = kept, split
	s.Clock.Bought = s.Clock.Bought && s.Clock.Counted
	h.tells("mage.declared", "who", p.by, "split", split, "due", kept)
	h.ends("declared", len(intents))
}

// retries settles a failed attempt. MG-12
func (m *mage) retries(p play, h *hearing) {
	team := m.team(p.by, p.text("attempt"))
	id := map[string]string{"reset": "reset", "final": "final", "reopen": "reopened"}[p.text("do")]
	if id == "reset" {
		m.clears(h, p.text("attempt"), team)
	} else {
		for i, who := range team {
			mark := m.people[who].mark(p.text("attempt"))
			mark.Final = id == "final"
			if i == 0 {
				h.tells("mage.retry-closed", "who", who, "attempt", mark.Attempt, "final", mark.Final)
			}
		}
	}
	h.ends(id, 0)
}

// passes advances the clock. MG-30
func (m *mage) passes(p play, h *hearing) {
	c := m.people["c1"].Clock
	to := p.text("to")
	switch to {
	case "turn":
		if c.Counted || c.Turn > 1 {
			c.Turn++
		}
	case "scene":
		c.Scene, c.Turn = c.Scene+1, 1
	case "chapter":
		c.Chapter, c.Scene, c.Turn = c.Chapter+1, 1, 1
	default:
		c.Turn = 1
	}
	c.Counted, c.Downtime, c.Bought, c.Declared, c.Acted = to == "turn", to == "downtime", false, 0, false
	var lacking []string
	for _, who := range []string{"c1", "c2", "c3"} {
		s := m.people[who]
		s.Clock, s.Actions = c, nil
		if s.Willpower.Temporary < s.Willpower.Permanent || s.Paradox > 0 {
			lacking = append(lacking, who)
		}
	}
	h.tells("mage.time-passed", "to", to, "clock", c)
	h.ends("passed", 0)
	if to == "downtime" && len(lacking) > 0 {
		h.offers("recover", "gm", "", "who", lacking)
	}
}

// recovers gives points back after a downtime. MG-30
func (m *mage) recovers(p play, h *hearing) {
	says, ok := h.ask("mage.recovery", "gm")
	if !ok {
		return
	}
	back, _ := says["back"].([]map[string]any)
	for _, part := range back {
		who := part["who"].(string)
		s := m.people[who]
		changes := func(points string, by int) {
			if by != 0 {
				*s.points(points) += by
				h.tells("mage.points-changed", "who", who, "points", points, "by", by, "now", *s.points(points))
			}
		}
		changes("willpower", min(part["willpower-back"].(int), max(0, s.Willpower.Permanent-s.Willpower.Temporary)))
		changes("paradox", -min(part["paradox-off"].(int), s.Paradox))
	}
	h.ends("recovered", 0)
}

func (m *mage) answers(r *rand.Rand, p play, q view.Question) map[string]any {
	to := q.To
	switch q.Question {
	case "mage.added", "mage.leave":
		return map[string]any{"allow": r.IntN(3) > 0}
	case "mage.ruin":
		return map[string]any{"do": pick(r, "lose", "raise", "raise", "end", "destroy"), "by": 1 + r.IntN(2)}
	case "mage.recovery":
		who := p.list("who")
		return map[string]any{"back": []map[string]any{
			{"who": pick(r, who...), "willpower-back": r.IntN(4), "paradox-off": r.IntN(3)},
		}}
	}
	answers, untimed := q.Question == "mage.resist", m.isUntimed(p.text("on"))
	s := m.people[to]
	_, able := m.usual(to, traitsOf(p.args), answers, untimed)
	switch n := r.IntN(8); {
	case n == 0:
		return map[string]any{"pass": true}
	case n == 1 && able && s.Willpower.Temporary > 0 && (untimed || !s.buysTwice()):
		return map[string]any{"willpower": true}
	case n == 2 && answers:
		return map[string]any{"alone": "willpower"}
	case n == 3 && answers && able && !untimed && (s.Clock.Counted || len(s.open()) > 0):
		return map[string]any{"leave": true}
	case n == 4 && answers && able:
		for _, mark := range s.Retries {
			if !mark.Final {
				return map[string]any{"again": mark.Attempt}
			}
		}
	case n < 7:
		t := mageTraits{attribute: pick(r, mageAttributes...), ability: pick(r, mageAbilities...)}
		if m.canThrow(to, t, answers, untimed) {
			return map[string]any{"attribute": t.attribute, "ability": t.ability}
		}
	}
	return map[string]any{}
}
