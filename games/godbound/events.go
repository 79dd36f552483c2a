package godbound

import (
	"slices"

	"norn/form"
	"norn/game"
)

// FightBegun records the start of a fight, its fighters, and which side acts first. GB-01
type FightBegun struct {
	Who      string    `json:"who"` // the fight
	First    string    `json:"first" say:"opens"`
	Fighters []Fighter `json:"fighters"`
}

func (e FightBegun) Apply(f *Fight) {
	*f = Fight{Round: 1, First: e.First, Turn: e.First, Fighters: slices.Clone(e.Fighters)}
}

// FightersJoined records who joined a running fight.
type FightersJoined struct {
	Who      string    `json:"who"`
	Fighters []Fighter `json:"fighters"`
}

func (e FightersJoined) Apply(f *Fight) { game.Add(&f.Fighters, e.Fighters...) }

// TurnPassed records whose turn it is now, in which round. GB-01
type TurnPassed struct {
	Who   string `json:"who"`
	Round int    `json:"round"`
	Turn  string `json:"turn" say:"first"`
}

// Apply passes the turn; in a new round everybody may act again.
func (e TurnPassed) Apply(f *Fight) {
	if e.Round != f.Round {
		f.Fighters = slices.Clone(f.Fighters)
		for i := range f.Fighters {
			f.Fighters[i].Acted, f.Fighters[i].Moved, f.Fighters[i].Fray = 0, 0, false
		}
	}
	f.Round, f.Turn = e.Round, e.Turn
}

// FightEnded records the end of a fight.
type FightEnded struct {
	Who string `json:"who"`
}

func (e FightEnded) Apply(f *Fight) { f.Round, f.Fighters = 0, nil }

// Acted records what a fighter used of the round. GB-02, GB-13
type Acted struct {
	Who     string `json:"who"`
	Fighter string `json:"fighter"`
	Action  bool   `json:"action,omitempty"`
	Move    bool   `json:"move,omitempty" word:"moved"`
	Fray    bool   `json:"fray,omitempty" word:"frayed"`
}

func (e Acted) Apply(f *Fight) {
	game.Edit(&f.Fighters, f.find(e.Fighter), func(own *Fighter) {
		if e.Action {
			own.Acted++
		}
		if e.Move {
			own.Moved++
		}
		own.Fray = own.Fray || e.Fray
	})
}

// DamageDealt records the result of a damage roll, and which die got the modifier. GB-10, GB-11
type DamageDealt struct {
	Who      string `json:"who,omitempty"` // the attacker
	Points   int    `json:"points" say:"N"`
	Modifier int    `json:"modifier,omitempty"`
	Die      int    `json:"die,omitempty"` // its face
	Straight bool   `json:"straight,omitempty"`
}

// FoeHurt records that a foe or a group lost HD. GB-14
type FoeHurt struct {
	Who    string `json:"who"`
	Points int    `json:"points" say:"N"`
	Fell   int    `json:"fell,omitempty"` // how many of a group fell
	Count  int    `json:"count"`          // how many still fight
	Lost   int    `json:"lost,omitempty"` // lost by the one in front; only the GM sees it
	Worn   int    `json:"worn,omitempty"` // lost by each of those behind; only the GM sees it
	HD     int    `json:"hd,omitempty"`   // of each; only the GM sees it
}

func (e FoeHurt) Apply(f *Foe) { f.Count, f.Lost, f.Worn = e.Count, e.Lost, e.Worn }

// FoeFell records what became of a foe. GB-05, GB-15
type FoeFell struct {
	Who  string `json:"who"`
	Fate string `json:"fate" say:"fate"`
}

func (e FoeFell) Apply(f *Foe) { f.Fate = e.Fate }

// HPLost records that a hero lost HP. GB-14
type HPLost struct {
	Who    string `json:"who"`
	Points int    `json:"points"`
	Now    int    `json:"now"`
}

func (e HPLost) Apply(h *Hero) { h.Lost = min(h.HP, h.Lost+e.Points) }

// Fallen records that a hero is mortally wounded and helpless or, for a mortal, out cold. GB-15,
// GB-16
type Fallen struct {
	Who string `json:"who"`
	Out bool   `json:"out,omitempty" word:"out-cold"`
}

// Apply marks the hero as fallen.
func (e Fallen) Apply(h *Hero) {
	h.State, h.Rounds = "dying", 0
	if e.Out {
		h.State = "out"
	}
}

// Slain records that a hero died; Beyond means that no power can bring them back. GB-16, GB-17
type Slain struct {
	Who    string `json:"who"`
	Beyond bool   `json:"beyond,omitempty" word:"slain-beyond"`
}

// Apply marks the hero as dead.
func (e Slain) Apply(h *Hero) {
	h.State, h.Rounds, h.Lost = "dead", 0, h.HP
	if e.Beyond {
		h.State = "gone"
	}
}

// FuryBegan records that a hero rose in Divine Fury, free of all bindings. GB-17
type FuryBegan struct {
	Who    string  `json:"who"`
	HP     int     `json:"hp"`
	Rounds int     `json:"rounds"`         // after this one
	Most   int     `json:"most,omitempty"` // in total, including this one if it counts
	Level  int     `json:"level"`
	Freed  []Named `json:"freed,omitempty" word:"fury-freed"`
}

func (e FuryBegan) Apply(h *Hero) {
	h.State, h.Rounds, h.Lost, h.FuryLevel = "fury", e.Rounds, max(0, h.HP-e.HP), e.Level
}

// RoundPassed records how many rounds of Fury or of helplessness are left. GB-17
type RoundPassed struct {
	Who    string `json:"who"`
	State  string `json:"state"`
	Rounds int    `json:"rounds" say:"N"`
	Was    string `json:"was,omitempty"` // what a rest ended, "fury" or "spent"
}

// Apply counts the round; helplessness ends with the last one.
func (e RoundPassed) Apply(h *Hero) {
	h.Rounds = e.Rounds
	if e.State == "spent" && e.Rounds == 0 {
		h.State = ""
	}
}

// FuryEnded records that Fury has ended and its price is due. GB-17
type FuryEnded struct {
	Who    string `json:"who"`
	Rounds int    `json:"rounds" say:"N"`
}

func (e FuryEnded) Apply(h *Hero) { h.State, h.Rounds = "spent", e.Rounds }

// Mended records that HP or HD were restored, by "rest" GB-16, GB-19 or "magic" GB-20. Once marks
// healing that is possible only once a day.
type Mended struct {
	Who    string `json:"who"`
	Points int    `json:"points"`
	Why    string `json:"why"`
	Foe    bool   `json:"foe,omitempty" word:"foe-mended"`
	Once   bool   `json:"once,omitempty"`
}

// Apply restores the HP or HD.
func (e Mended) Apply(sheet any) any {
	switch s := sheet.(type) {
	case Hero:
		s.Lost = max(0, s.Lost-e.Points)
		s.Healed = s.Healed || e.Once
		if (s.State == "dying" || s.State == "out") && s.Lost < s.HP {
			s.State = ""
		}
		return s
	case Foe:
		s.Lost = max(0, s.Lost-e.Points)
		if e.Why == "rest" { // GB-19: everybody rests, magic heals one character
			s.Worn = max(0, s.Worn-e.Points)
		}
		s.Healed = s.Healed || e.Once
		return s
	}
	return sheet
}

// EffortCommitted records that a point of Effort was bound. GB-18
type EffortCommitted struct {
	Who        string     `json:"who"`
	Commitment Commitment `json:"commitment"`
	Foe        bool       `json:"foe,omitempty"`
}

func (e EffortCommitted) Apply(sheet any) any {
	return game.WithField(sheet, "effort", func(effort *Effort) { game.Add(&effort.Committed, e.Commitment) })
}

// EffortReturned records which Effort was freed, and why: "released", "dawn", "scene". GB-18
type EffortReturned struct {
	Who  string       `json:"who"`
	Why  string       `json:"why"`
	Back []Commitment `json:"back"`
	Foe  bool         `json:"foe,omitempty"`
}

func (e EffortReturned) Apply(sheet any) any {
	return game.WithField(sheet, "effort", func(effort *Effort) { *effort = effort.without(e.Back) })
}

// TimePassed records the end of temporary effects: with the scene those of miracles and any Fury,
// at dawn the day's limit of healing. GB-17, GB-20, GB-23
type TimePassed struct {
	Who string `json:"who"`
	Why string `json:"why"`
	Foe bool   `json:"foe,omitempty"`
}

// Apply ends the temporary effects.
func (e TimePassed) Apply(sheet any) any {
	switch s := sheet.(type) {
	case Hero:
		if e.Why == "dawn" {
			s.Healed = false
			return s
		}
		s.Guard, s.GuardPoint, s.Immunities = false, 0, nil
		s.Bindings = without(s.Bindings, Binding.endsWithScene)
		if s.State == "fury" || s.State == "spent" {
			s.State, s.Rounds = "", 0
		}
		return s
	case Foe:
		s.Healed = false
		if e.Why == "scene" {
			s.Bindings = without(s.Bindings, Binding.endsWithScene)
		}
		return s
	}
	return sheet
}

// Invoked records the use of a gift, a miracle or a power. GB-02, GB-23
type Invoked struct {
	Who     string   `json:"who"`
	Kind    string   `json:"kind"`
	Name    string   `json:"name"`
	Use     string   `json:"use,omitempty"`
	Text    string   `json:"text,omitempty"`
	Targets []string `json:"targets,omitempty"`
}

// Dispelled records that a character countered a power, by a Word, a gift, or another ability.
// GB-21, GB-22
type Dispelled struct {
	Who  string `json:"who"`
	Word string `json:"word,omitempty"`
	Gift string `json:"gift,omitempty"`
	How  string `json:"how"`
}

// Guarded records that a miracle protects a hero until the end of the scene. GB-23
type Guarded struct {
	Who        string `json:"who"`
	Protection string `json:"protection"`
	To         string `json:"to,omitempty"`
	Point      int    `json:"point,omitempty"` // the point of Effort that pays for it
}

func (e Guarded) Apply(h *Hero) {
	if e.Protection == "armour" {
		h.Guard, h.GuardPoint = true, e.Point
	} else {
		game.Add(&h.Immunities, Ward{e.To, e.Point})
	}
}

// Hindered records that a power binds or weakens a character. GB-23
type Hindered struct {
	Who    string `json:"who"`
	By     string `json:"by"`
	Text   string `json:"text,omitempty"`
	Worker string `json:"worker,omitempty"`               // the character who binds them
	Point  int    `json:"point,omitempty"`                // the point of the worker's Effort that pays for it
	Ends   string `json:"ends,omitempty"`                 // "scene" if it doesn't depend on Effort
	Fury   bool   `json:"fury,omitempty" word:"held-off"` // GB-17: Fury suspends it
}

// Apply adds the binding.
func (e Hindered) Apply(sheet any) any {
	binding := Binding{Name: e.By, By: form.Ref(e.Worker), Point: e.Point, Ends: e.Ends}
	if e.Text != "" {
		binding.Name = shorten(e.By + ": " + e.Text)
	}
	return game.WithField(sheet, "bindings", func(all *[]Binding) { game.Add(all, binding) })
}

// EffectsEnded records the effects that ended with the Effort that paid for them. GB-18
type EffectsEnded struct {
	Who      string   `json:"who"`
	By       string   `json:"by"` // the owner of the Effort
	Points   []int    `json:"points"`
	Bindings []string `json:"bindings,omitempty"`
	Armour   bool     `json:"armour,omitempty"`
	Immune   []string `json:"immune,omitempty"`
	Works    []string `json:"works,omitempty"`
}

// Apply removes the effects that the Effort paid for.
func (e EffectsEnded) Apply(sheet any) any {
	bound := func(b Binding) bool { return string(b.By) == e.By && slices.Contains(e.Points, b.Point) }
	switch s := sheet.(type) {
	case Hero:
		s.Bindings = without(s.Bindings, bound)
		if e.By != e.Who {
			return s
		}
		if s.Guard && slices.Contains(e.Points, s.GuardPoint) {
			s.Guard, s.GuardPoint = false, 0
		}
		s.Immunities = without(s.Immunities, func(w Ward) bool { return slices.Contains(e.Points, w.Point) })
		s.Works = without(s.Works, func(m Made) bool { return slices.Contains(e.Points, m.Point) })
		return s
	case Foe:
		s.Bindings = without(s.Bindings, bound)
		return s
	}
	return sheet
}

// Raised records what a miracle made, altered or raised, which lasts as long as its Effort. GB-18,
// GB-23
type Raised struct {
	Who  string `json:"who"`
	Made Made   `json:"made"`
}

func (e Raised) Apply(h *Hero) { game.Add(&h.Works, e.Made) }

// Unharmed records that an immunity stopped a harm or an effect. GB-23
type Unharmed struct {
	Who string `json:"who"`
	To  string `json:"to"`
}

// TimeAsked records that a player asks for time to pass, which only the GM decides. GB-28
type TimeAsked struct {
	Who  string `json:"who"`
	Time string `json:"time"`
	Text string `json:"text,omitempty"`
}

// LevelGained records that a hero reached a level, with the changes to the sheet.
type LevelGained struct {
	Who       string `json:"who"`
	Level     int    `json:"level"`
	HP        int    `json:"hp"`
	Bonus     int    `json:"bonus"`
	Saves     Saves  `json:"saves"`
	Fray      string `json:"fray,omitempty"`
	Effort    int    `json:"effort,omitempty"`
	Influence int    `json:"influence,omitempty"`
	Gifts     []Gift `json:"gifts,omitempty"` // new ones
}

// Apply applies the changes to the hero.
func (e LevelGained) Apply(h *Hero) {
	h.Level, h.HP, h.Bonus, h.Saves, h.Fray = e.Level, e.HP, e.Bonus, e.Saves, e.Fray
	h.Lost = min(h.Lost, h.HP)
	h.Effort.Total, h.Influence.Total = e.Effort, e.Influence
	game.Add(&h.Gifts, e.Gifts...)
}

// ProjectEnded records the end of a change, "done" or "dropped". The Influence that it held is
// freed. GB-26
type ProjectEnded struct {
	Who string `json:"who"`
	How string `json:"how"`
}

// Apply closes the project and frees the Influence in it.
func (e ProjectEnded) Apply(p *Project) {
	p.Over = e.How
	p.Paid = slices.Clone(p.Paid)
	for i := range p.Paid {
		p.Paid[i].Influence = 0
	}
}

// ExperienceGained records that a hero gained experience. GB-24
type ExperienceGained struct {
	Who    string `json:"who"`
	Points int    `json:"points"`
}

func (e ExperienceGained) Apply(h *Hero) { h.Experience += e.Points }

// DominionGained records that a hero gained Dominion, and why: "adventure", "role" for living up to
// the divine role, "cult", "free". GB-25
type DominionGained struct {
	Who        string `json:"who"`
	Points     int    `json:"points"`
	Why        string `json:"why"`
	Strictures string `json:"strictures,omitempty"`
}

func (e DominionGained) Apply(h *Hero) { h.Dominion += e.Points }

// Paid records what a hero paid for a change or took back. GB-26
type Paid struct {
	Who       string `json:"who"`
	Influence int    `json:"influence,omitempty"`
	Dominion  int    `json:"dominion,omitempty"`
}

// Apply binds Influence and subtracts Dominion.
func (e Paid) Apply(h *Hero) {
	h.Influence.Committed = max(0, h.Influence.Committed+e.Influence)
	h.Dominion = max(0, h.Dominion-e.Dominion)
}

// ProjectPaid records a payment to a project, and what is still missing. GB-26
type ProjectPaid struct {
	Who       string `json:"who"` // the project
	By        string `json:"by"`
	Influence int    `json:"influence,omitempty"`
	Dominion  int    `json:"dominion,omitempty"`
	Price     int    `json:"price"`
	Missing   int    `json:"missing" word:"|project-done"`
}

// Apply adds the payment to that of its hero.
func (e ProjectPaid) Apply(p *Project) {
	p.Paid = slices.Clone(p.Paid)
	at := slices.IndexFunc(p.Paid, func(each Payment) bool { return string(each.Who) == e.By })
	if at < 0 {
		at, p.Paid = len(p.Paid), append(p.Paid, Payment{Who: form.Ref(e.By)})
	}
	p.Paid[at].Influence = max(0, p.Paid[at].Influence+e.Influence)
	p.Paid[at].Dominion += e.Dominion
}

// Happened records an action in words, with or without dice. GB-02
type Happened struct {
	Who  string `json:"who"`
	Text string `json:"text"`
}

var eventTypes = game.Events(
	FightBegun{}, FightersJoined{}, TurnPassed{}, FightEnded{},
	Acted{}, DamageDealt{}, FoeHurt{}, FoeFell{},
	HPLost{}, Fallen{}, Slain{}, FuryBegan{},
	RoundPassed{}, FuryEnded{}, Mended{}, EffortCommitted{},
	EffortReturned{}, TimePassed{}, Invoked{}, Dispelled{},
	Guarded{}, Hindered{}, ExperienceGained{}, DominionGained{},
	Paid{}, ProjectPaid{}, Happened{},
	EffectsEnded{}, Unharmed{}, TimeAsked{}, LevelGained{},
	ProjectEnded{}, Raised{},
)

// without returns a list without some of its items, nil if none is left.
func without[T any](list []T, gone func(T) bool) []T {
	if !slices.ContainsFunc(list, gone) {
		return list
	}
	var kept []T
	for _, item := range list {
		if !gone(item) {
			kept = append(kept, item)
		}
	}
	return kept
}

func (b Binding) endsWithScene() bool { return b.Ends == "scene" }

// shorten cuts a text to the length of a name on a sheet.
func shorten(text string) string {
	if runes := []rune(text); len(runes) > form.MaxText {
		return string(runes[:form.MaxText-1]) + "…"
	}
	return text
}
