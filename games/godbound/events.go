package godbound

import (
	"norn/game"
)

// FightBegun says that a fight is on, with whom, and who acts first. GB-01
type FightBegun struct {
	Who      string    `json:"who"` // the fight
	First    string    `json:"first" say:"opens"`
	Fighters []Fighter `json:"fighters"`
}

// FightersJoined says who came into a fight that was on.
type FightersJoined struct {
	Who      string    `json:"who"`
	Fighters []Fighter `json:"fighters"`
}

// TurnPassed says whose turn it is now, in which round. GB-01
type TurnPassed struct {
	Who   string `json:"who"`
	Round int    `json:"round"`
	Turn  string `json:"turn" say:"first"`
}

// FightEnded says that a fight is over.
type FightEnded struct {
	Who string `json:"who"`
}

// Acted says what a fighter used of the round. GB-02, GB-13
type Acted struct {
	Who     string `json:"who"`
	Fighter string `json:"fighter"`
	Action  bool   `json:"action,omitempty"`
	Move    bool   `json:"move,omitempty" word:"moved"`
	Fray    bool   `json:"fray,omitempty" word:"frayed"`
}

// DamageDealt says what a damage roll came to, and on which die the modifier
// went. GB-10, GB-11
type DamageDealt struct {
	Who      string `json:"who,omitempty"` // who dealt it
	Points   int    `json:"points" say:"N"`
	Modifier int    `json:"modifier,omitempty"`
	Die      int    `json:"die,omitempty"` // its face
	Straight bool   `json:"straight,omitempty"`
}

// FoeHurt says that a foe or a group lost HD. GB-14
type FoeHurt struct {
	Who    string `json:"who"`
	Points int    `json:"points" say:"N"`
	Fell   int    `json:"fell,omitempty"` // how many of a group
	Count  int    `json:"count"`          // who still stand
	Lost   int    `json:"lost,omitempty"` // by the one in front; the GM's to know
	Worn   int    `json:"worn,omitempty"` // by each of those behind; the GM's to know
	HD     int    `json:"hd,omitempty"`   // of each; the GM's to know
}

// FoeFell says what became of a foe. GB-05, GB-15
type FoeFell struct {
	Who  string `json:"who"`
	Fate string `json:"fate" say:"fate"`
}

// HPLost says that a hero lost HP. GB-14
type HPLost struct {
	Who    string `json:"who"`
	Points int    `json:"points"`
	Now    int    `json:"now"`
}

// Fallen says that a hero is mortally wounded and helpless, or, of a mortal,
// out cold. GB-15, GB-16
type Fallen struct {
	Who string `json:"who"`
	Out bool   `json:"out,omitempty" word:"out-cold"`
}

// Slain says that a hero died; beyond says that no power brings them back.
// GB-16, GB-17
type Slain struct {
	Who    string `json:"who"`
	Beyond bool   `json:"beyond,omitempty" word:"slain-beyond"`
}

// FuryBegan says that a hero rose in Divine Fury, free of what bound them.
// GB-17
type FuryBegan struct {
	Who    string  `json:"who"`
	HP     int     `json:"hp"`
	Rounds int     `json:"rounds"`         // to come after this one
	Most   int     `json:"most,omitempty"` // in all, this one too if it counts
	Level  int     `json:"level"`
	Freed  []Named `json:"freed,omitempty" word:"fury-freed"`
}

// RoundPassed says how many rounds of Fury or of helplessness are left. GB-17
type RoundPassed struct {
	Who    string `json:"who"`
	State  string `json:"state"`
	Rounds int    `json:"rounds" say:"N"`
}

// FuryEnded says that Fury is over and its price is due. GB-17
type FuryEnded struct {
	Who    string `json:"who"`
	Rounds int    `json:"rounds" say:"N"`
}

// Mended says that HP or HD came back, by "rest" GB-16, GB-19 or "magic"
// GB-20. Once marks who takes such healing but once a day.
type Mended struct {
	Who    string `json:"who"`
	Points int    `json:"points"`
	Why    string `json:"why"`
	Foe    bool   `json:"foe,omitempty" word:"foe-mended"`
	Once   bool   `json:"once,omitempty"`
}

// EffortCommitted says that a point of Effort was bound. GB-18
type EffortCommitted struct {
	Who        string     `json:"who"`
	Commitment Commitment `json:"commitment"`
	Foe        bool       `json:"foe,omitempty"`
}

// EffortReturned says which Effort came back, and why: "released", "dawn",
// "scene". GB-18
type EffortReturned struct {
	Who  string       `json:"who"`
	Why  string       `json:"why"`
	Back []Commitment `json:"back"`
	Foe  bool         `json:"foe,omitempty"`
}

// TimePassed says that what lasted until now has ended: with the scene what
// miracles gave and any Fury, at dawn the day's healing. GB-17, GB-20, GB-23
type TimePassed struct {
	Who string `json:"who"`
	Why string `json:"why"`
	Foe bool   `json:"foe,omitempty"`
}

// Invoked says that somebody used a gift, a miracle or a power. GB-02, GB-23
type Invoked struct {
	Who     string   `json:"who"`
	Kind    string   `json:"kind"`
	Name    string   `json:"name"`
	Use     string   `json:"use,omitempty"`
	Text    string   `json:"text,omitempty"`
	Targets []string `json:"targets,omitempty"`
}

// Dispelled says that somebody turned a power aside, by a Word, by a gift of
// their own, or by what else they have. GB-21, GB-22
type Dispelled struct {
	Who  string `json:"who"`
	Word string `json:"word,omitempty"`
	Gift string `json:"gift,omitempty"`
	How  string `json:"how"`
}

// Guarded says that a miracle protects a hero to the scene's end. GB-23
type Guarded struct {
	Who        string `json:"who"`
	Protection string `json:"protection"`
	To         string `json:"to,omitempty"`
	Point      int    `json:"point,omitempty"` // of Effort, that pays for it
}

// Hindered says that a power binds or weakens somebody. GB-23
type Hindered struct {
	Who    string `json:"who"`
	By     string `json:"by"`
	Text   string `json:"text,omitempty"`
	Worker string `json:"worker,omitempty"` // who binds them
	Point  int    `json:"point,omitempty"`  // of the worker's Effort, that pays for it
	Ends   string `json:"ends,omitempty"`   // "scene" where no Effort does
}

// EffectsEnded says what ended with the Effort that paid for it. GB-18
type EffectsEnded struct {
	Who      string   `json:"who"`
	By       string   `json:"by"` // whose Effort it was
	Points   []int    `json:"points"`
	Bindings []string `json:"bindings,omitempty"`
	Armour   bool     `json:"armour,omitempty"`
	Immune   []string `json:"immune,omitempty"`
	Works    []string `json:"works,omitempty"`
}

// Raised says what a miracle made, altered or raised, which lasts as long as its
// Effort. GB-18, GB-23
type Raised struct {
	Who  string `json:"who"`
	Made Made   `json:"made"`
}

// Unharmed says that an immunity met a harm or an effect. GB-23
type Unharmed struct {
	Who string `json:"who"`
	To  string `json:"to"`
}

// TimeAsked says that a player asks for time to pass: it's the GM's. GB-28
type TimeAsked struct {
	Who  string `json:"who"`
	Time string `json:"time"`
	Text string `json:"text,omitempty"`
}

// LevelGained says that a hero reached a level, and what of the sheet changed
// with it.
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

// ProjectEnded says that a change is over: "done" or "dropped"; whose Influence
// it held has it back. GB-26
type ProjectEnded struct {
	Who string `json:"who"`
	How string `json:"how"`
}

// ExperienceGained says that a hero gained experience. GB-24
type ExperienceGained struct {
	Who    string `json:"who"`
	Points int    `json:"points"`
}

// DominionGained says that a hero gained Dominion, and why: "adventure",
// "role" for one lived up to besides, "cult", "free". GB-25
type DominionGained struct {
	Who        string `json:"who"`
	Points     int    `json:"points"`
	Why        string `json:"why"`
	Strictures string `json:"strictures,omitempty"`
}

// Paid says what a hero put into a change or took back. GB-26
type Paid struct {
	Who       string `json:"who"`
	Influence int    `json:"influence,omitempty"`
	Dominion  int    `json:"dominion,omitempty"`
}

// ProjectPaid says what came into a project, and what is missing. GB-26
type ProjectPaid struct {
	Who       string `json:"who"` // the project
	By        string `json:"by"`
	Influence int    `json:"influence,omitempty"`
	Dominion  int    `json:"dominion,omitempty"`
	Price     int    `json:"price"`
	Missing   int    `json:"missing" word:"|project-done"`
}

// Happened records what was done, beside the dice. GB-02
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
