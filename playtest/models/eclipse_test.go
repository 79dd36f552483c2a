package models

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"norn/table/view"
)

// eclipse is the model of Eclipse Phase. Its people are c1 to c3; c4 and c5 are tasks.
type eclipse struct {
	house  eclipseHouse
	people map[string]*eclipseSheet
	tasks  map[string]*eclipseTask
	secret bool // the move is: EP-09
}

type eclipseHouse struct {
	Deadlock string `json:"deadlock"`
	Effects  string `json:"effects"`
	Points   string `json:"points-after"`
}

type eclipsePool struct {
	Now int `json:"now"`
	Max int `json:"max"`
}

type eclipseSkill struct {
	Name           string `json:"name"`
	Aptitude       string `json:"aptitude"`
	Kind           string `json:"kind"`
	Field          string `json:"field"`
	Specialisation string `json:"specialisation"`
	Value          int    `json:"value"`
	Defaultable    bool   `json:"defaultable"`
}

type eclipseEffect struct {
	Kind  string `json:"kind"`
	N     int    `json:"n"`
	About string `json:"about,omitempty"`
}

type eclipseBoon struct {
	Aptitude string `json:"aptitude"`
	Points   int    `json:"points"`
}

type eclipseSheet struct {
	Aptitudes map[string]int          `json:"aptitudes"`
	Skills    []eclipseSkill          `json:"skills"`
	Rep       map[string]int          `json:"rep"`
	Pools     map[string]*eclipsePool `json:"pools"`
	Wounds    int                     `json:"wounds"`
	Traumas   int                     `json:"traumas"`
	Effects   []eclipseEffect         `json:"effects"`
	Boons     []eclipseBoon           `json:"boons"`
	Day       struct {
		Short int `json:"short"`
		Long  int `json:"long"`
	} `json:"day"`
	Unmodified bool `json:"unmodified"`
}

type eclipseTask struct {
	Timeframe int    `json:"timeframe"`
	Unit      string `json:"unit"`
	State     string `json:"state"`
	Needs     int    `json:"needs"`
	Spent     int    `json:"spent"`
	Lost      int    `json:"lost"`
	Tries     int    `json:"tries"`
	Waived    int    `json:"waived"`
}

func (m *eclipse) fields() map[string][]string {
	return map[string][]string{
		"eclipse.target-set": {
			"who", "whose", "on", "base", "sum", "counts", "ignored", "overall", "defaulted", "instead", "target",
		},
		"eclipse.came-out":         {"who", "roll", "result"},
		"eclipse.point-spent":      {"who", "pool", "n", "use", "left", "flipped", "roll"},
		"eclipse.roll-turned":      {"who", "use", "roll", "flipped", "result"},
		"eclipse.skill-decided":    {"who", "roll"},
		"eclipse.retry-waived":     {"who"},
		"eclipse.next-used":        {"who", "n"},
		"eclipse.superior-taken":   {"who", "effect", "times", "good"},
		"eclipse.critical-taken":   {"who", "effect", "good", "text"},
		"eclipse.allowed":          {"who", "allow"},
		"eclipse.damage-added":     {"who", "n"},
		"eclipse.effect-gained":    {"who", "effect"},
		"eclipse.effect-ended":     {"who", "effect"},
		"eclipse.boon-gained":      {"who", "boon"},
		"eclipse.recharged":        {"who", "kind", "back", "minutes"},
		"eclipse.day-begun":        {"who"},
		"eclipse.managed":          {"who", "on"},
		"eclipse.task-begun":       {"who", "by", "needs"},
		"eclipse.task-failed":      {"who", "by", "lost"},
		"eclipse.task-retimed":     {"who", "by", "needs"},
		"eclipse.task-regained":    {"who", "by", "regained"},
		"eclipse.task-interrupted": {"who", "spent"},
		"eclipse.task-resumed":     {"who", "remaining"},
		"eclipse.task-finished":    {"who", "took"},
		"offer effects":            {"result", "task"},
		"offer point":              {"was", "from", "use", "pool", "roll", "result", "task"},
		"eclipse.try-waived":       {"who", "by"},
		"offer waive":              {"task"},
	}
}

func (m *eclipse) begins(r *rand.Rand) (settings map[string]any, cast []entrant) {
	m.people = map[string]*eclipseSheet{"c1": {}, "c2": {}, "c3": {}}
	m.tasks = map[string]*eclipseTask{"c4": {}, "c5": {}}
	m.house = eclipseHouse{
		pick(r, "stands", "higher"), pick(r, "offer", "offer", "ask", "off"), pick(r, "offer", "offer", "ask"),
	}
	data, _ := json.Marshal(m.house)
	_ = json.Unmarshal(data, &settings)
	skill := func(name, aptitude, kind string, value int, more string) string {
		return fmt.Sprintf(`{"name": %q, "aptitude": %q, "kind": %q, "value": %d%s}`, name, aptitude, kind, value, more)
	}
	skills := func(all ...string) string { return `"skills": [` + strings.Join(all, ",") + `]` }
	pools := func(insight, moxie, vigor, flex int) string {
		return fmt.Sprintf(`"pools": {"insight": {"now": %d, "max": %[1]d}, "moxie": {"now": %d, "max": %[2]d},
			"vigor": {"now": %d, "max": %[3]d}, "flex": {"now": %d, "max": %[4]d}}`, insight, moxie, vigor, flex)
	}
	closed, spec := `, "defaultable": false`, `, "specialisation": "Pistols"`
	return settings, []entrant{
		{"Nova", "character", 1, `{"aptitudes": {"cog": 20, "int": 15, "ref": 15, "sav": 10, "som": 10, "wil": 15},` +
			skills(skill("guns", "ref", "combat", 55, spec), skill("hardware", "cog", "technical", 65, ""),
				skill("perceive", "int", "mental", 45, ""), skill("fray", "ref", "physical", 30, ""),
				skill("know", "cog", "know", 50, `, "field": "History"`), skill("medicine", "cog", "technical", 45, closed),
				skill("infiltrate", "ref", "physical", 0, "")) +
			`, "rep": {"c": 40}, "wounds": ` + pick(r, "0", "1") + `,` + pools(3, 2, 2, 1) + `}`},
		{"Rook", "character", 2, `{"aptitudes": {"cog": 15, "int": 20, "ref": 20, "sav": 15, "som": 15, "wil": 10},` +
			skills(skill("guns", "ref", "combat", 70, ""), skill("hardware", "cog", "technical", 40, ""),
				skill("perceive", "int", "mental", 60, ""), skill("medicine", "cog", "technical", 20, closed),
				skill("fray", "ref", "physical", 50, "")) +
			`, "rep": {"c": 20}, "traumas": ` + pick(r, "0", "2") + `,` + pools(2, 1, 3, 2) + `}`},
		{"The guard", "npc", 0, `{"aptitudes": {"cog": 10, "int": 15, "ref": 15, "sav": 10, "som": 15, "wil": 10},` +
			skills(skill("guns", "ref", "combat", 45, ""), skill("perceive", "int", "mental", 40, ""),
				skill("fray", "ref", "physical", 35, "")) +
			`, "wounds": ` + pick(r, "0", "1") + `,` + pools(0, 0, 1, 2) + `}`},
		{"The lock", "task", 0, `{"timeframe": 2, "unit": "hours"}`},
		{"The ship", "task", 0, `{"timeframe": 3, "unit": "days"}`},
	}
}

func (m *eclipse) sheet(id string) any {
	if m.tasks[id] != nil {
		return &eclipseTask{}
	}
	return &eclipseSheet{}
}

func (m *eclipse) now(id string) any {
	if t := m.tasks[id]; t != nil {
		return t
	}
	return m.people[id]
}

func (m *eclipse) saves() func() {
	people, _ := json.Marshal(m.people)
	tasks, _ := json.Marshal(m.tasks)
	return func() {
		m.people, m.tasks = nil, nil
		_ = json.Unmarshal(people, &m.people)
		_ = json.Unmarshal(tasks, &m.tasks)
	}
}

func (s eclipseSkill) key() string {
	if s.Field != "" {
		return "skill:" + s.Name + "/" + s.Field
	}
	return "skill:" + s.Name
}

// skill returns a skill by its key: "skill:guns".
func (s *eclipseSheet) skill(key string) (eclipseSkill, bool) {
	at := slices.IndexFunc(s.Skills, func(k eclipseSkill) bool { return k.key() == key })
	if at < 0 {
		return eclipseSkill{}, false
	}
	return s.Skills[at], true
}

// modifiers by name. EP-05, EP-16
var eclipseModifiers = map[string]int{
	"very-easy": 30, "easy": 20, "slightly-easy": 10, "slightly-hard": -10, "hard": -20, "very-hard": -30,
	"major-boon": 30, "moderate-boon": 20, "minor-boon": 10,
	"minor-hindrance": -10, "moderate-hindrance": -20, "major-hindrance": -30, "loose": -20, "far": -30,
}

// drawRoll draws what all tests have.
func (m *eclipse) drawRoll(r *rand.Rand, p *play) {
	s := m.people[p.by]
	n := r.IntN(8)
	if n == 1 && s.Rep["c"] == 0 { // a rep score of 0 isn't offered
		n = 0
	}
	switch n {
	case 0:
		p.with("on", "check:"+pick(r, "cog", "ref", "som", "wil"))
	case 1:
		p.with("on", "rep:c")
	case 2:
		p.with("on", "lacking:"+pick(r, "cog", "ref"))
		p.with("missing", pick(r, "", "hardware", "melee", "athletics"))
	default:
		p.with("on", s.Skills[r.IntN(len(s.Skills))].key())
	}
	p.with("difficulty", pick(r, "average", "average", "easy", "very-easy", "hard", "very-hard"))
	p.with("situation", pick(r, "even", "even", "major-boon", "minor-hindrance", "major-hindrance"))
	if r.IntN(6) == 0 {
		p.with("defaulting", pick(r, "aptitude", "related"))
		p.with("related", s.Skills[r.IntN(len(s.Skills))].key())
		p.with("distance", pick(r, "close", "loose", "far"))
	}
	switch r.IntN(8) {
	case 0, 1:
		p.with("boost", true)
	case 2:
		p.with("ignore", true)
	case 3:
		p.with("boost", true)
		p.with("pool", pick(r, "insight", "moxie", "vigor", "flex"))
	}
	if r.IntN(6) == 0 {
		p.with("also", []map[string]any{{"name": "the rain", "value": []int{-30, -20, 10, 15, 40}[r.IntN(5)]}})
	}
	p.with("specialised", r.IntN(6) == 0)
	p.with("trained", r.IntN(10) == 0)
	if s.Wounds+s.Traumas > 0 && r.IntN(5) == 0 {
		p.with("health", "overall")
	}
	p.with("retries", []int{0, 0, 0, 1, 2}[r.IntN(5)])
	others := slices.DeleteFunc([]string{"c1", "c2", "c3"}, func(id string) bool { return id == p.by })
	switch r.IntN(5) {
	case 0:
		p.with("with", others[:1])
	case 1:
		p.with("with", others)
	case 2:
		p.with("group", others[1:])
		p.with("hindered", r.IntN(2) == 0)
	}
	var places []string
	for _, id := range []string{"c1", "c2", "c3"} {
		if id == "c3" && !p.gm {
			continue
		}
		for i, e := range m.people[id].Effects {
			if e.Kind == "quality" || e.Kind == "covertness" {
				places = append(places, id+"/"+strconv.Itoa(i))
			}
		}
	}
	if len(places) > 0 && r.IntN(2) == 0 {
		p.with("carried", []string{places[r.IntN(len(places))]})
	}
}

func (m *eclipse) plays(r *rand.Rand) play {
	p := play{by: pick(r, "c1", "c2", "c3"), args: map[string]any{}}
	p.gm = p.by == "c3" || r.IntN(4) == 0
	s := m.people[p.by]
	others := slices.DeleteFunc([]string{"c1", "c2", "c3"}, func(id string) bool { return id == p.by })
	switch n := r.IntN(24); {
	case n < 8:
		p.move = "test"
		m.drawRoll(r, &p)
		p.with("time", []int{0, 0, 0, 1, 3}[r.IntN(5)])
		p.with("apart", p.has("group") && r.IntN(2) == 0)
		if !p.gm && r.IntN(3) == 0 {
			m.drawCall(r, &p)
		}
	case n < 13:
		p.move = "opposed"
		m.drawRoll(r, &p)
		p.with("against", others[r.IntN(2)])
		expected := []string{"skill:guns", "skill:perceive", "check:som"}
		if _, has := m.people[p.text("against")].skill("skill:hardware"); has {
			expected = append(expected, "skill:hardware")
		}
		p.with("against-on", pick(r, expected...))
		if r.IntN(3) == 0 { // EP-18: a number is nothing to who has a sheet
			p.with("against-target", 10+r.IntN(90))
		}
		delete(p.args, "with")
		delete(p.args, "group")
		third := slices.DeleteFunc(others, func(id string) bool { return id == p.text("against") })
		switch r.IntN(5) {
		case 0:
			p.with("with", third)
		case 1:
			p.with("against-with", third)
		case 2:
			p.with("against-group", third)
		}
	case n < 17:
		p.move = "task"
		m.drawRoll(r, &p)
		p.with("task", pick(r, "c4", "c5"))
		p.with([]string{"extra", "rush"}[r.IntN(2)], r.IntN(3))
		if r.IntN(10) == 0 {
			p.with("extra", 1)
			p.with("rush", 1)
		}
	case n == 17:
		p = play{by: pick(r, "c4", "c5"), player: r.IntN(3), args: map[string]any{}}
		p.gm = p.player == 0
		if p.move = pick(r, "interrupt", "resume", "finish"); p.move == "interrupt" {
			p.with("worked", 1+r.IntN(50))
			p.with("unit", pick(r, "minutes", "hours"))
		}
	case n == 18:
		p.move = "boon"
		p.with("aptitude", pick(r, "cog", "ref", "sav"))
		p.with("points", 1+r.IntN(2))
	case n == 19:
		p.move = "short-recharge"
	case n == 20:
		p.move = pick(r, "long-recharge", "damage")
		if p.move == "damage" {
			p.args = map[string]any{
				"d10": 1 + r.IntN(2), "d6": r.IntN(3), "bonus": r.IntN(20) - 12, "superiors": r.IntN(3), "double": r.IntN(2) == 0,
			}
		}
	case n == 21 && len(s.Effects) > 0:
		p.move = "settle"
		p.with("effect", strconv.Itoa(r.IntN(len(s.Effects))))
	case n == 22:
		p.move = pick(r, "routine", "initiative")
		if p.move == "routine" {
			p.with("on", s.Skills[r.IntN(len(s.Skills))].key())
		} else if first := pick(r, "", "vigor", "flex"); first != "" && s.Pools[first].Now > 0 {
			p.with("first", first)
		}
	default:
		p = play{move: "new-day", gm: true, args: map[string]any{}}
	}
	p.secret = p.gm && slices.Contains([]string{"test", "opposed", "task"}, p.move) && r.IntN(4) == 0
	return p
}

// drawCall draws that the GM has called for the test. EP-05
func (m *eclipse) drawCall(r *rand.Rand, p *play) {
	p.call = map[string]any{"difficulty": p.args["difficulty"]}
	if r.IntN(3) == 0 {
		p.call["situation"] = p.args["situation"]
	}
	if r.IntN(4) == 0 {
		p.call["time"] = p.args["time"]
	}
}

// quiet reports whether a throw is hidden from its character's player. EP-09
func (m *eclipse) quiet(who string) bool { return m.secret && who != "c3" }

// members returns the tests of all who test apart, the actor's first, and the rules that forbid them.
// EP-08
func (m *eclipse) members(p play) (all []play, by []string) {
	own := p
	own.args = maps.Clone(p.args)
	delete(own.args, "group")
	all = append(all, own)
	actor := m.people[p.by]
	if _, refused := actor.standsOn(p); refused != "" {
		return all, []string{refused}
	}
	for _, who := range p.list("group") {
		one := play{move: p.move, by: who, gm: p.gm, args: map[string]any{}}
		for _, name := range []string{
			"on", "difficulty", "situation", "retries", "missing", "defaulting", "related", "distance", "trained", "health", "also", "time",
		} {
			if p.has(name) {
				one.args[name] = p.args[name]
			}
		}
		if _, refused := m.people[who].standsOn(one); refused != "" {
			_, linked, _ := strings.Cut(p.text("on"), ":")
			k, ok := actor.skill(p.text("on"))
			if p.is("trained") || ok && !k.Defaultable {
				by = append(by, "EP-16")
				continue
			}
			if ok {
				linked = k.Aptitude
			}
			one.args["on"] = "lacking:" + linked
			delete(one.args, "defaulting")
		}
		all = append(all, one)
	}
	for _, one := range all {
		_, more := m.aims(one.by, one, 10*p.number("time"))
		by = append(by, more...)
	}
	return all, by
}

// eclipseAim is a test before the throw.
type eclipseAim struct {
	who, whose, on   string
	base, sum        int
	counts, target   int
	ignored, overall bool
	defaulted        bool
	instead          string
	aptitude         string // "" for a rep score
	specialisation   string
	next             bool
	paid, pool       string
}

func (t eclipseAim) lesser() bool { return t.defaulted || t.instead != "" }

// eclipsePoolOf returns the pool for an aptitude. EP-20
func eclipsePoolOf(aptitude string) string {
	switch aptitude {
	case "cog", "int":
		return "insight"
	case "ref", "som":
		return "vigor"
	}
	return "moxie"
}

// standsOn returns what somebody's test uses; refused is the rule that forbids it. EP-04, EP-15, EP-16
func (s *eclipseSheet) standsOn(a play) (t eclipseAim, refused string) {
	on := a.text("on")
	t = eclipseAim{on: on}
	what, name, _ := strings.Cut(on, ":")
	var k eclipseSkill
	var has bool
	switch what {
	case "check":
		t.aptitude, t.base = name, 3*s.Aptitudes[name]
	case "rep":
		t.base = s.Rep[name]
	case "lacking":
		t.aptitude, t.base, t.defaulted = name, s.Aptitudes[name], true
	default:
		if k, has = s.skill(on); !has {
			return t, "EP-04"
		}
		t = s.bySkill(k)
	}
	defaults := a.text("defaulting")
	if defaults == "" && what == "skill" && t.base <= 0 {
		defaults = "aptitude" // EP-15: the skill is missing
	}
	switch {
	case a.is("trained") && (t.defaulted || defaults != ""):
		if what == "check" || what == "rep" {
			return t, "EP-15"
		}
		return t, "EP-16"
	case defaults == "":
		return t, ""
	case what == "check", what == "rep":
		return t, "EP-15"
	case has && !k.Defaultable:
		return t, "EP-16"
	case defaults == "related":
		other, ok := s.skill(a.text("related"))
		if !ok || other.key() == on {
			return t, "EP-16"
		}
		t = s.bySkill(other)
		t.instead = on
		return t, ""
	}
	t.base, t.defaulted, t.specialisation = s.Aptitudes[t.aptitude], true, ""
	return t, ""
}

// bySkill returns a test of a skill, with what lasting points add. EP-20
func (s *eclipseSheet) bySkill(k eclipseSkill) eclipseAim {
	t := eclipseAim{on: k.key(), aptitude: k.Aptitude, base: k.Value, specialisation: k.Specialisation}
	for _, b := range s.Boons {
		if b.Aptitude == k.Aptitude && k.Value > 0 {
			t.base += 5 * b.Points
		}
	}
	return t
}

// aims returns a test's target, and the rules that forbid it.
func (m *eclipse) aims(who string, a play, more int) (eclipseAim, []string) {
	s := m.people[who]
	t, refused := s.standsOn(a)
	if refused != "" {
		return t, []string{refused}
	}
	t.who = who
	for _, id := range a.list("group") { // EP-08
		one, refused := m.people[id].standsOn(a)
		if refused != "" {
			if !a.is("hindered") {
				continue
			}
			_, linked, _ := strings.Cut(a.text("on"), ":")
			k, ok := s.skill(a.text("on"))
			if a.is("trained") || ok && !k.Defaultable {
				return t, []string{"EP-16"}
			}
			if ok {
				linked = k.Aptitude
			}
			one = eclipseAim{on: "lacking:" + linked, aptitude: linked, base: m.people[id].Aptitudes[linked], defaulted: true}
		}
		if a.is("hindered") && one.base < t.base || !a.is("hindered") && one.base > t.base {
			t = one
			t.who, t.whose = who, id
		}
	}
	var by []string
	rule := func(id string, forbidden bool) {
		if forbidden {
			by = append(by, id)
		}
	}
	sum := eclipseModifiers[a.text("difficulty")] + eclipseModifiers[a.text("situation")] + more
	hurt := s
	if t.whose != "" {
		hurt = m.people[t.whose]
	}
	if wounds := 10 * (hurt.Wounds + hurt.Traumas); a.text("health") == "" {
		sum -= wounds
	} else {
		t.overall = wounds > 0
	}
	also, _ := a.args["also"].([]map[string]any)
	for _, one := range also {
		n := one["value"].(int)
		rule("EP-05", n < -30 || n > 30 || n%10 != 0)
		sum += n
	}
	if a.is("specialised") {
		rule("EP-04", t.specialisation == "")
		sum += 10
	}
	sum += min(30, 10*len(a.list("with")))
	sum -= 10 * a.number("retries")
	if a.text("defaulting") == "related" {
		if a.text("distance") == "" || a.text("distance") == "close" {
			sum -= 10
		}
		sum += eclipseModifiers[a.text("distance")]
	}
	for _, place := range a.list("carried") { // EP-13
		id, at, _ := strings.Cut(place, "/")
		i, _ := strconv.Atoi(at)
		e := m.people[id].Effects[i]
		if e.Kind == "covertness" && id != who {
			sum -= e.N
			continue
		}
		sum += e.N
		about := a.text("on")
		if strings.HasPrefix(about, "lacking:") {
			about = "skill:" + a.text("missing")
		}
		_, field, _ := strings.Cut(about, "/")
		rule("EP-13", e.About != "" && about != "skill:"+e.About && field != e.About)
	}
	for _, e := range s.Effects { // EP-14
		if e.Kind == "next" && !m.quiet(who) {
			sum += e.N
			t.next = true
		}
	}
	cap := func(n int) int { return max(-60, min(60, n)) }
	rule("EP-20", a.is("boost") && cap(sum+20) == cap(sum))
	rule("EP-20", a.is("ignore") && sum >= 0)
	if a.is("boost") {
		sum += 20
		t.paid = "boost"
	}
	if t.sum, t.counts = sum, cap(sum); a.is("ignore") {
		t.ignored, t.paid, t.counts = true, "ignore", 0
	}
	t.target = t.base + t.counts
	rule("EP-09", t.paid != "" && m.quiet(who))
	rule("EP-17", !m.mayHelp(t, a))
	if t.paid != "" {
		own := eclipsePoolOf(t.aptitude)
		asked := a.text("pool")
		for _, name := range []string{"flex", own} {
			if s.Pools[name].Now > 0 && (asked == "" || asked == name) {
				t.pool = name
			}
		}
		rule("EP-20", t.pool == "")
	}
	return t, by
}

// mayHelp reports whether all who work together know the skill, where it needs that. EP-17
func (m *eclipse) mayHelp(t eclipseAim, a play) bool {
	if len(a.list("with")) == 0 {
		return true
	}
	roller := t.who
	if t.whose != "" {
		roller = t.whose
	}
	about := a.text("on")
	if strings.HasPrefix(about, "lacking:") {
		if a.text("missing") == "" {
			return false // nobody knows what it's about
		}
		about = "skill:" + a.text("missing")
	}
	kind := map[string]string{"skill:hardware": "technical", "skill:medicine": "technical", "skill:know/History": "know"}[about]
	if kind == "" {
		return true
	}
	for _, id := range append([]string{roller}, a.list("with")...) {
		if k, _ := m.people[id].skill(about); k.Value < 40 {
			return false
		}
	}
	return true
}

// eclipseResults lists all results, the best first.
var eclipseResults = []string{
	"critical-success", "superior-success-2", "superior-success", "success",
	"failure", "superior-failure", "superior-failure-2", "critical-failure",
}

func rank(result string) int       { return slices.Index(eclipseResults, result) }
func succeeded(result string) bool { return rank(result) < 4 }
func critical(result string) bool  { return strings.HasPrefix(result, "critical") }

func superiors(result string) int {
	switch {
	case strings.HasSuffix(result, "-2"):
		return 2
	case strings.HasPrefix(result, "superior"):
		return 1
	}
	return 0
}

// reads returns the result of a roll. EP-04, EP-10, EP-11, EP-15
func (t eclipseAim) reads(roll int) string {
	success := roll <= t.target
	switch roll {
	case 0:
		success = true
	case 99:
		success = false
	}
	double := roll/10 == roll%10
	if success {
		switch {
		case double && !t.lesser():
			return "critical-success"
		case roll >= 66:
			return "superior-success-2"
		case roll >= 33:
			return "superior-success"
		}
		return "success"
	}
	switch {
	case double:
		return "critical-failure"
	case roll <= 33:
		return "superior-failure-2"
	case roll <= 66:
		return "superior-failure"
	}
	return "failure"
}

// eclipseTurn is a roll with its result, and the use of a point that led to it.
type eclipseTurn struct {
	use    string
	roll   int
	result string
}

// turns lists what a point after the throw may do. EP-20
func (t eclipseAim) turns(done eclipseTurn) []eclipseTurn {
	var all []eclipseTurn
	flipped := done.roll%10*10 + done.roll/10
	all = append(all, eclipseTurn{"flip", flipped, t.reads(flipped)})
	switch done.result {
	case "success", "superior-success":
		all = append(all, eclipseTurn{"raise", done.roll, eclipseResults[rank(done.result)-1]})
	case "critical-failure":
		all = append(all, eclipseTurn{"soften", done.roll, "failure"})
	}
	return all
}

// better keeps those that improve the result.
func better(turns []eclipseTurn, than eclipseTurn) []eclipseTurn {
	return slices.DeleteFunc(turns, func(u eclipseTurn) bool { return rank(u.result) >= rank(than.result) })
}

// purses lists the pools that can pay for a point after the throw.
func (m *eclipse) purses(t eclipseAim) []string {
	var all []string
	if t.paid != "" || m.quiet(t.who) { // one point a test
		return nil
	}
	for _, name := range []string{eclipsePoolOf(t.aptitude), "flex"} {
		if m.people[t.who].Pools[name].Now > 0 {
			all = append(all, name)
		}
	}
	return all
}

// throws makes one character's throw.
func (m *eclipse) throws(h *hearing, t eclipseAim) eclipseTurn {
	s := m.people[t.who]
	h.tells("eclipse.target-set", "who", t.who, "whose", t.whose, "on", t.on, "base", t.base, "sum", t.sum, "counts", t.counts,
		"ignored", t.ignored, "overall", t.overall, "defaulted", t.defaulted, "instead", t.instead, "target", t.target)
	if t.next {
		n := 0
		for _, e := range s.Effects {
			if e.Kind == "next" {
				n += e.N
			}
		}
		h.tells("eclipse.next-used", "who", t.who, "n", n)
		s.Effects = slices.DeleteFunc(s.Effects, func(e eclipseEffect) bool { return e.Kind == "next" })
	}
	if t.paid != "" {
		m.pays(h, t.who, t.pool, 1, t.paid, nil)
	}
	roll := h.throw(t.who, "d100")[0] % 100
	return eclipseTurn{"", roll, t.reads(roll)}
}

// pays spends points, before a throw or (with the roll before and after) on one that fell.
func (m *eclipse) pays(h *hearing, who, pool string, n int, use string, turned []eclipseTurn) {
	s := m.people[who]
	s.Pools[pool].Now -= n
	members := []any{"who", who, "pool", pool, "n", n, "use", use, "left", s.Pools[pool].Now}
	if len(turned) > 0 && who == "c3" { // of the GM's own the change is told
		h.tells("eclipse.roll-turned", "who", who, "use", use, "roll", turned[0].roll, "flipped", use == "flip",
			"result", turned[1].result)
	} else if len(turned) > 0 && use == "flip" {
		members = append(members, "flipped", true, "roll", turned[0].roll)
	}
	h.tells("eclipse.point-spent", members...)
}

// asks reports whether a point is asked for before a test goes on. EP-20
func (m *eclipse) asks(result string) bool {
	return m.secret || m.house.Points == "ask" || m.house.Effects == "ask" && (critical(result) || superiors(result) > 0)
}

// turned asks for a point that changes a roll. EP-22
func (m *eclipse) turned(h *hearing, t eclipseAim, done eclipseTurn, turns []eclipseTurn) (eclipseTurn, bool) {
	purses := m.purses(t)
	if len(turns) == 0 || len(purses) == 0 {
		return done, true
	}
	says, ok := h.ask("eclipse.point", t.who)
	if !ok {
		return done, false
	}
	for _, u := range turns {
		if u.use == says["use"] {
			pool, _ := says["pool"].(string)
			if pool == "" {
				pool = purses[0]
			}
			m.pays(h, t.who, pool, 1, u.use, []eclipseTurn{done, u})
			return u, true
		}
	}
	return done, true
}

// offersTurns offers what a point may do.
func (m *eclipse) offersTurns(h *hearing, t eclipseAim, done eclipseTurn, turns []eclipseTurn, task string) {
	for _, u := range turns {
		for _, pool := range m.purses(t) {
			h.offers("point", t.who, t.who, "was", done.roll, "from", done.result, "use", u.use, "pool", pool, "roll", u.roll,
				"result", u.result, "task", task)
		}
	}
}

// adds returns what a player adds to a test that was called for: modifiers, or that wounds don't count.
// EP-05
func (a play) adds() (modifier int, overall bool) {
	if a.gm || a.call == nil {
		return 0, false
	}
	if _, asked := a.call["situation"]; !asked {
		modifier += eclipseModifiers[a.text("situation")]
	}
	also, _ := a.args["also"].([]map[string]any)
	for _, one := range also {
		modifier += one["value"].(int)
	}
	if _, asked := a.call["time"]; !asked {
		modifier += 10 * a.number("time")
	}
	return modifier, a.text("health") != ""
}

// leave asks the GM for a related skill, and for what a player adds to a call. EP-05, EP-16
func (m *eclipse) leave(h *hearing, who string, gm bool, a *play) bool {
	related := !gm && a.text("defaulting") == "related"
	modifier, overall := a.adds()
	if !related && modifier == 0 && !overall {
		return true
	}
	says, ok := h.ask("eclipse.leave", "gm")
	if !ok {
		return false
	}
	allowed := says["allow"] != false
	h.tells("eclipse.allowed", "who", who, "allow", allowed)
	if allowed {
		return true
	}
	a.args = maps.Clone(a.args)
	if related {
		a.args["defaulting"], a.args["related"] = "aptitude", ""
	}
	if a.call != nil {
		delete(a.args, "also")
		delete(a.args, "health")
		for _, name := range []string{"situation", "time"} {
			if _, asked := a.call[name]; !asked {
				delete(a.args, name)
			}
		}
	}
	own := *a
	if own.is("apart") {
		all, _ := m.members(own)
		own = all[0]
	}
	if _, by := m.aims(who, own, 10*a.number("time")+m.pace(*a)); slices.Contains(by, "EP-20") {
		delete(a.args, "boost") // what a point buys now is nothing, so it isn't paid
		delete(a.args, "ignore")
	}
	return true
}

func (m *eclipse) forbids(p play) []string {
	s, by := m.people[p.by], []string(nil)
	rule := func(id string, forbidden bool) {
		if forbidden {
			by = append(by, id)
		}
	}
	m.secret = p.secret
	switch p.move {
	case "test":
		if p.is("apart") {
			_, by = m.members(p)
			break
		}
		_, by = m.aims(p.by, p, 10*p.number("time"))
	case "opposed":
		_, by = m.aims(p.by, p, 0)
	case "task":
		_, by = m.aims(p.by, p, m.pace(p))
		rule("EP-24", p.number("extra") > 0 && p.number("rush") > 0)
		rule("EP-24", m.tasks[p.text("task")].State != "open")
	case "interrupt":
		t := m.tasks[p.by]
		rule("EP-24", t.State != "running" || p.number("worked")*minutes(p.text("unit")) >= t.Needs-t.Spent)
	case "resume":
		rule("EP-24", m.tasks[p.by].State != "interrupted")
	case "finish":
		rule("EP-24", m.tasks[p.by].State != "running")
	case "boon":
		rule("EP-20", s.Pools[eclipsePoolOf(p.text("aptitude"))].Now < p.number("points"))
		rule("EP-20", slices.ContainsFunc(s.Boons, func(b eclipseBoon) bool { return b.Aptitude == p.text("aptitude") }))
	case "short-recharge":
		rule("EP-21", s.Day.Short >= 2)
	case "long-recharge":
		rule("EP-21", s.Day.Long >= 1)
	case "waive":
		rule("EP-24", p.text("task") != "" && m.tasks[p.text("task")].State != "open")
	case "routine":
		k, _ := s.skill(p.text("on"))
		rule("EP-07", k.Value < 40)
	}
	return by
}

func minutes(unit string) int {
	return map[string]int{"minutes": 1, "hours": 60, "days": 24 * 60}[unit]
}

func (m *eclipse) runs(p play, h *hearing) {
	s := m.people[p.by]
	switch p.move {
	case "test":
		m.tests(p, h)
	case "opposed":
		m.opposes(p, h)
	case "task":
		m.labours(p, h)
	case "interrupt":
		t := m.tasks[p.by]
		t.State = "interrupted"
		spent := p.number("worked") * minutes(p.text("unit"))
		t.Spent += spent
		h.tells("eclipse.task-interrupted", "who", p.by, "spent", spent)
		h.ends("interrupted", 0)
	case "resume":
		t := m.tasks[p.by]
		t.State = "running"
		h.tells("eclipse.task-resumed", "who", p.by, "remaining", t.Needs-t.Spent)
		h.ends("resumed", 0)
	case "finish":
		t := m.tasks[p.by]
		t.State, t.Spent = "done", t.Needs
		h.tells("eclipse.task-finished", "who", p.by, "took", t.Lost+t.Needs)
		h.ends("finished", 0)
	case "boon":
		m.pays(h, p.by, eclipsePoolOf(p.text("aptitude")), p.number("points"), "boon", nil)
		b := eclipseBoon{p.text("aptitude"), p.number("points")}
		s.Boons = append(s.Boons, b)
		h.tells("eclipse.boon-gained", "who", p.by, "boon", b)
		h.ends("lifted", 5*b.Points)
	case "short-recharge":
		m.recharges(p, h)
	case "long-recharge":
		back, sum := map[string]int{}, 0
		for name, pool := range s.Pools {
			back[name] = pool.Max - pool.Now
			sum += back[name]
			pool.Now = pool.Max
		}
		s.Day.Long, s.Boons = s.Day.Long+1, nil
		h.tells("eclipse.recharged", "who", p.by, "kind", "long", "back", back, "minutes", 240)
		h.ends("recharged", sum)
	case "damage":
		n := p.number("bonus")
		dice := 0
		for len(h.dice[p.by+" damage"]) > 0 {
			for _, face := range h.throw(p.by, "damage") {
				n += face
				dice++
			}
		}
		if dice != p.number("d10")+p.number("d6")+p.number("superiors") {
			n = -1000
		}
		if n = max(0, n); p.is("double") {
			n *= 2
		}
		h.ends("damage", n)
	case "settle":
		at, _ := strconv.Atoi(p.text("effect"))
		h.tells("eclipse.effect-ended", "who", p.by, "effect", s.Effects[at])
		s.Effects = slices.Delete(s.Effects, at, at+1)
		h.ends("settled", 0)
	case "routine":
		h.tells("eclipse.managed", "who", p.by, "on", p.text("on"))
		h.ends("happens", 0)
	case "initiative":
		id := "initiative"
		if first := p.text("first"); first != "" {
			m.pays(h, p.by, first, 1, "first", nil)
			id = "first"
		}
		h.ends(id, h.throw(p.by, "initiative")[0]+(s.Aptitudes["int"]+s.Aptitudes["ref"]+4)/5)
	case "new-day":
		for _, id := range []string{"c1", "c2", "c3"} {
			h.tells("eclipse.day-begun", "who", id)
			m.people[id].Boons = nil
			m.people[id].Day.Short, m.people[id].Day.Long = 0, 0
		}
		h.ends("morning", 0)
	case "waive":
		if task := m.tasks[p.text("task")]; task != nil {
			task.Waived++
			h.tells("eclipse.try-waived", "who", p.text("task"), "by", p.by)
		} else {
			h.tells("eclipse.retry-waived", "who", p.by)
		}
		h.ends("waived", 0)
	case "effects":
		time, known := m.chooses(h, p.by, p.text("on"), p.text("result"), p.text("task") != "")
		if !known {
			return
		}
		if task := m.tasks[p.text("task")]; task != nil {
			result := p.text("result")
			more := task.takes(p, result, time) - task.takes(p, result, superiors(result))
			switch {
			case more == 0:
			case succeeded(result):
				task.Needs += more
				h.tells("eclipse.task-retimed", "who", p.text("task"), "by", p.by, "needs", task.Needs)
			default:
				task.Lost += more
				h.tells("eclipse.task-regained", "who", p.text("task"), "by", p.by, "regained", -more)
			}
		}
		h.ends("chosen", 0)
	case "point":
		m.points(p, h)
	}
}

// tests makes a plain test.
func (m *eclipse) tests(p play, h *hearing) {
	if !m.leave(h, p.by, p.gm, &p) {
		return
	}
	if p.is("apart") {
		m.testsApart(p, h)
		return
	}
	t, _ := m.aims(p.by, p, 10*p.number("time"))
	done := m.throws(h, t)
	fell, known := done, true
	if m.asks(done.result) {
		if done, known = m.turned(h, t, done, better(t.turns(done), done)); !known {
			return
		}
	}
	h.ends(done.result, 0)
	if !m.asks(fell.result) && !m.asks(done.result) {
		m.offersTurns(h, t, done, better(t.turns(done), done), "")
	}
	if _, known := m.follows(h, p.by, p.text("on"), done.result, ""); !known {
		return
	}
	if !succeeded(done.result) {
		h.offers("waive", "gm", p.by)
	}
}

// testsApart makes a test of a group in which each rolls. EP-08
func (m *eclipse) testsApart(p play, h *hearing) {
	all, _ := m.members(p)
	var own eclipseTurn
	known := true
	for i, one := range all {
		t, _ := m.aims(one.by, one, 10*p.number("time"))
		done := m.throws(h, t)
		if asked := m.asks(done.result); asked {
			var ok bool
			if done, ok = m.turned(h, t, done, better(t.turns(done), done)); !ok {
				known = false
				continue
			}
		} else {
			m.offersTurns(h, t, done, better(t.turns(done), done), "")
		}
		h.tells("eclipse.came-out", "who", one.by, "roll", done.roll, "result", done.result)
		if _, ok := m.follows(h, one.by, one.text("on"), done.result, ""); !ok {
			known = false
		}
		if i == 0 {
			own = done
		}
	}
	if !known {
		return
	}
	h.ends(own.result, 0)
	if !succeeded(own.result) {
		h.offers("waive", "gm", p.by)
	}
}

// follows asks for effects, or offers them. It returns how many superiors change a task's time. EP-13
func (m *eclipse) follows(h *hearing, who, on, result, task string) (time int, known bool) {
	switch {
	case m.quiet(who):
	case m.house.Effects == "ask":
		return m.chooses(h, who, on, result, task != "")
	case m.house.Effects == "offer" && (critical(result) || superiors(result) > 0):
		to := "gm"
		if succeeded(result) && !critical(result) {
			to = who
		}
		of := task
		if critical(result) || m.secret {
			of = ""
		}
		h.offers("effects", to, who, "result", result, "task", of)
	}
	if task != "" {
		time = superiors(result)
	}
	return time, true
}

// chooses asks for the effects of a result. EP-13, EP-14
func (m *eclipse) chooses(h *hearing, who, on, result string, task bool) (time int, known bool) {
	s := m.people[who]
	good := succeeded(result)
	sign := -1
	if good {
		sign = 1
	}
	gains := func(e eclipseEffect) {
		s.Effects = append(s.Effects, e)
		h.tells("eclipse.effect-gained", "who", who, "effect", e)
	}
	switch {
	case critical(result):
		says, ok := h.ask("eclipse.critical", "gm")
		if !ok {
			return 0, false
		}
		effect, _ := says["effect"].(string)
		text, _ := says["text"].(string)
		if effect == "" {
			effect = "next"
		}
		if effect != "nothing" {
			h.tells("eclipse.critical-taken", "who", who, "effect", effect, "good", good, "text", text)
		}
		switch effect {
		case "next":
			gains(eclipseEffect{Kind: "next", N: 20 * sign})
		case "action":
			gains(eclipseEffect{Kind: map[bool]string{true: "extra-action", false: "lost-action"}[good]})
		}
	case superiors(result) > 0:
		to := "gm"
		if good {
			to = who
		}
		says, ok := h.ask("eclipse.superior", to)
		if !ok {
			return 0, false
		}
		times, chosen := map[string]int{}, []string(nil)
		for i, name := range []string{"effect", "second"} {
			if i < superiors(result) {
				effect, _ := says[name].(string)
				if times[effect]++; times[effect] == 1 {
					chosen = append(chosen, effect)
				}
			}
		}
		_, about, _ := strings.Cut(on, ":")
		if !strings.HasPrefix(on, "skill:") {
			about = ""
		}
		if _, field, ok := strings.Cut(about, "/"); ok {
			about = field
		}
		for _, effect := range chosen {
			n := times[effect]
			if effect == "nothing" {
				continue
			}
			h.tells("eclipse.superior-taken", "who", who, "effect", effect, "times", n, "good", good)
			switch effect {
			case "time":
				time = n
			case "quality", "covertness":
				gains(eclipseEffect{effect, 10 * sign * n, about})
			case "damage":
				sum := 0
				for _, face := range h.throw(who, "damage") {
					sum += face
				}
				h.tells("eclipse.damage-added", "who", who, "n", sum)
			}
		}
	}
	return time, true
}

// takes returns the minutes of a task that a result takes. EP-24, EP-03
func (t *eclipseTask) takes(p play, result string, time int) int {
	planned := 100 + 25*p.number("extra") - 25*p.number("rush")
	share := 100 - 25*time
	if !succeeded(result) {
		share = 25 + 25*time
	}
	whole := t.Timeframe * minutes(t.Unit) * planned * share
	return (whole + 9999) / 10000
}

// pace returns the modifiers of work at a task: of its time, and of the tries that failed. EP-19, EP-24
func (m *eclipse) pace(p play) int {
	n := 10*p.number("extra") - 20*p.number("rush")
	if task := m.tasks[p.text("task")]; task != nil {
		n -= 10 * (task.Tries - task.Waived)
	}
	return n
}

// labours makes a test at a task. EP-24
func (m *eclipse) labours(p play, h *hearing) {
	if !m.leave(h, p.by, p.gm, &p) {
		return
	}
	id := p.text("task")
	task := m.tasks[id]
	t, _ := m.aims(p.by, p, m.pace(p))
	done := m.throws(h, t)
	fell, known := done, true
	if m.asks(done.result) {
		if done, known = m.turned(h, t, done, better(t.turns(done), done)); !known {
			return
		}
	}
	h.tells("eclipse.came-out", "who", p.by, "roll", done.roll, "result", done.result)
	time, known := m.follows(h, p.by, p.text("on"), done.result, id)
	if !known {
		return
	}
	took := task.takes(p, done.result, time)
	percent := (100 + 25*p.number("extra") - 25*p.number("rush")) * (100 - 25*time)
	if succeeded(done.result) {
		h.ends("done", (percent+99)/100)
		if p.secret {
			return
		}
		task.State, task.Needs, task.Spent = "running", took, 0
		h.tells("eclipse.task-begun", "who", id, "by", p.by, "needs", took)
	} else {
		percent = (100 + 25*p.number("extra") - 25*p.number("rush")) * (25 + 25*time)
		h.ends("failed", (percent+99)/100)
		if p.secret { // everybody sees the task
			return
		}
		task.Lost, task.Tries = task.Lost+took, task.Tries+1
		h.tells("eclipse.task-failed", "who", id, "by", p.by, "lost", took)
		h.offers("waive", "gm", p.by, "task", id)
	}
	if !m.asks(fell.result) && !m.asks(done.result) {
		m.offersTurns(h, t, done, better(t.turns(done), done), id)
	}
}

// points changes a roll that has fallen by a point. EP-20
func (m *eclipse) points(p play, h *hearing) {
	from, result := p.text("from"), p.text("result")
	m.pays(h, p.by, p.text("pool"), 1, p.text("use"), []eclipseTurn{
		{"", p.number("was"), from}, {p.text("use"), p.number("roll"), result},
	})
	h.ends(result, 0)
	id := p.text("task")
	time, known := m.follows(h, p.by, p.text("on"), result, id)
	if !known {
		return
	}
	task := m.tasks[id]
	if task == nil {
		if !succeeded(result) { // EP-19: the card offered it before
			h.offers("waive", "gm", p.by)
		}
		return
	}
	took := task.takes(p, result, time)
	if succeeded(from) {
		task.Needs = took
		h.tells("eclipse.task-retimed", "who", id, "by", p.by, "needs", took)
		return
	}
	lost := task.takes(p, from, superiors(from))
	if succeeded(result) {
		if lost > 0 {
			h.tells("eclipse.task-regained", "who", id, "by", p.by, "regained", lost)
		}
		task.Lost -= lost
		task.State, task.Needs, task.Spent = "running", took, 0
		h.tells("eclipse.task-begun", "who", id, "by", p.by, "needs", took)
		return
	}
	if back := lost - took; back != 0 {
		task.Lost -= back
		h.tells("eclipse.task-regained", "who", id, "by", p.by, "regained", back)
	}
	if task.Waived == p.number("waived") {
		h.offers("waive", "gm", p.by, "task", id)
	}
}

// recharges makes a short recharge. EP-21
func (m *eclipse) recharges(p play, h *hearing) {
	s := m.people[p.by]
	missing := 0
	back := map[string]int{}
	for name, pool := range s.Pools {
		back[name] = pool.Max - pool.Now
		missing += back[name]
	}
	n := min(missing, h.throw(p.by, "recharge")[0])
	if n < missing && n > 0 {
		says, ok := h.ask("eclipse.split", p.by)
		if !ok {
			return
		}
		back = says["back"].(map[string]int)
	}
	for name, pool := range s.Pools {
		pool.Now += back[name]
	}
	s.Day.Short, s.Boons = s.Day.Short+1, nil
	h.tells("eclipse.recharged", "who", p.by, "kind", "short", "back", back, "minutes", 10)
	h.ends("recharged", n)
}

// wins compares two rolls: 1 if the first wins, −1 if the second does. EP-18
func (m *eclipse) wins(a, b eclipseTurn, skill, other int) int {
	compare := func(a, b int) int {
		switch {
		case a > b:
			return 1
		case a < b:
			return -1
		}
		return 0
	}
	better := 0
	switch {
	case succeeded(a.result) && succeeded(b.result):
		crits := map[bool]int{true: 1}
		if better = compare(crits[critical(a.result)], crits[critical(b.result)]); better == 0 {
			better = compare(a.roll, b.roll)
		}
	case succeeded(a.result):
		return 1
	case succeeded(b.result):
		return -1
	case m.house.Deadlock == "stands", critical(a.result) && critical(b.result):
		return 0
	case critical(a.result):
		return -1
	case critical(b.result):
		return 1
	default:
		better = compare(a.roll, b.roll)
	}
	if better == 0 && m.house.Deadlock == "higher" {
		better = compare(skill, other)
	}
	return better
}

// eclipseSide is one side of an opposed test.
type eclipseSide struct {
	eclipseAim
	fell, done eclipseTurn
}

// change lists what a point may do for a side: what turns the contest, or what doesn't. EP-18, EP-20
func (m *eclipse) change(own, other eclipseSide, decides bool) []eclipseTurn {
	now := m.wins(own.done, other.done, own.base, other.base)
	return slices.DeleteFunc(own.turns(own.done), func(u eclipseTurn) bool {
		then := m.wins(u, other.done, own.base, other.base)
		if decides {
			return then <= now
		}
		return then != now || rank(u.result) >= rank(own.done.result)
	})
}

// opposes makes an opposed test. EP-18
func (m *eclipse) opposes(p play, h *hearing) {
	if !m.leave(h, p.by, p.gm, &p) {
		return
	}
	own, _ := m.aims(p.by, p, 0)
	rival := p.text("against")
	says, ok := h.ask("eclipse.defence", rival)
	if !ok {
		return
	}
	d := m.defence(p, says)
	if !m.leave(h, rival, rival == "c3", &d) {
		return
	}
	theirs, _ := m.aims(rival, d, 0)
	a, b := eclipseSide{eclipseAim: own}, eclipseSide{eclipseAim: theirs}
	a.fell, b.fell = m.throws(h, own), m.throws(h, theirs)
	a.done, b.done = a.fell, b.fell
	var known bool
	for _, sides := range [][2]*eclipseSide{{&a, &b}, {&b, &a}} {
		one, other := sides[0], sides[1]
		turns := m.change(*one, *other, true)
		won := m.wins(one.done, other.done, one.base, other.base) > 0
		if m.asks(one.done.result) && (won || !succeeded(one.done.result)) {
			turns = append(turns, m.change(*one, *other, false)...)
		}
		if one.done, known = m.turned(h, one.eclipseAim, one.done, turns); !known {
			return
		}
	}
	end := m.wins(a.done, b.done, a.base, b.base)
	h.tells("eclipse.came-out", "who", a.who, "roll", a.done.roll, "result", a.done.result)
	h.tells("eclipse.came-out", "who", b.who, "roll", b.done.roll, "result", b.done.result)
	if a.done.roll == b.done.roll && a.done.result == b.done.result && end != 0 {
		h.tells("eclipse.skill-decided", "who", map[bool]string{true: a.who, false: b.who}[end > 0], "roll", a.done.roll)
	}
	h.ends(map[int]string{1: "win", 0: "deadlock", -1: "lose"}[end], 0)
	after := func(one, other eclipseSide, won bool, on string) {
		if succeeded(one.done.result) && !won {
			return
		}
		if !m.asks(one.done.result) && one.done == one.fell {
			turns := slices.DeleteFunc(m.change(one, other, false), func(u eclipseTurn) bool { return !won && succeeded(u.result) })
			m.offersTurns(h, one.eclipseAim, one.done, turns, "")
		}
		m.follows(h, one.who, on, one.done.result, "")
	}
	after(a, b, end > 0, a.on)
	after(b, a, end < 0, b.on)
	if end < 0 && len(h.asked) == 0 { // EP-19
		h.offers("waive", "gm", p.by)
	}
}

// defence returns the other side's choices as a play of its own.
func (m *eclipse) defence(p play, says map[string]any) play {
	d := play{by: p.text("against"), args: maps.Clone(says)}
	if !d.has("on") {
		d.args["on"] = p.text("against-on")
	}
	if !d.has("with") { // EP-17: ticked beforehand are those who may help with what was expected
		may := []string{}
		for _, id := range p.list("against-with") {
			expected := play{args: map[string]any{"on": p.text("against-on"), "with": []string{id}}}
			if m.mayHelp(eclipseAim{who: d.by}, expected) {
				may = append(may, id)
			}
		}
		d.args["with"] = may
	}
	if !d.has("group") { // EP-08
		d.args["group"] = p.list("against-group")
	}
	return d
}

func (m *eclipse) answers(r *rand.Rand, p play, q view.Question) map[string]any {
	some := func(field string) string {
		f, _ := q.Form.Field(field)
		if len(f.Options) == 0 {
			return ""
		}
		return f.Options[r.IntN(len(f.Options))].Value
	}
	answer := map[string]any{}
	switch q.Question {
	case "eclipse.leave":
		return map[string]any{"allow": r.IntN(3) > 0}
	case "eclipse.point":
		answer["use"] = some("use")
		if pool := some("pool"); pool != "" {
			answer["pool"] = pool
		}
		return answer
	case "eclipse.critical":
		answer["effect"] = some("effect")
		if answer["effect"] == "own" {
			answer["text"] = "It sings."
		}
		return answer
	case "eclipse.superior":
		answer["effect"] = some("effect")
		if second := some("second"); second != "" {
			answer["second"] = second
		}
		return answer
	case "eclipse.split":
		return map[string]any{"back": m.split(r, q)}
	}
	for range 20 { // the defence
		d := play{by: q.To, args: map[string]any{}}
		m.drawRoll(r, &d)
		for _, name := range []string{"difficulty", "trained", "retries", "with", "group", "hindered", "carried"} {
			delete(d.args, name)
		}
		if len(p.list("against-with")) > 0 && r.IntN(2) == 0 {
			d.args["with"] = []string{}
		}
		if len(p.list("against-group")) > 0 && r.IntN(2) == 0 {
			d.args["hindered"] = true
		}
		if _, by := m.aims(q.To, m.defence(p, d.args), 0); len(by) == 0 {
			return d.args
		}
	}
	return map[string]any{"on": "check:ref"}
}

// split shares out the points of a short recharge.
func (m *eclipse) split(r *rand.Rand, q view.Question) map[string]int {
	var about struct {
		N int `json:"n"`
	}
	data, _ := json.Marshal(q.About)
	_ = json.Unmarshal(data, &about)
	back := map[string]int{"insight": 0, "moxie": 0, "vigor": 0, "flex": 0} // what is left out is as preset
	for about.N > 0 {
		name := pick(r, "insight", "moxie", "vigor", "flex")
		if pool := m.people[q.To].Pools[name]; pool.Now+back[name] < pool.Max {
			back[name]++
			about.N--
		}
	}
	return back
}
