package judge

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"norn/dice"
	"norn/form"
	"norn/game"
	"norn/lang"
	"norn/rule"
)

// A small game of night walkers: a pool of d6 whose sixes light the way. A friend can pay oil for
// one more die, and after a dark throw the walker may burn oil to see after all.

type walker struct {
	Eyes  int    `json:"eyes" form:"min=1,max=4,default=2"`
	Oil   int    `json:"oil" form:"max=6"`
	Marks []bump `json:"marks" form:"max=3"`
}

type bump struct {
	Where string `json:"where" form:"text"`
}

type walk struct {
	Eyes   int      `json:"eyes" form:"min=1,max=4,default=2,bare"`
	Friend form.Ref `json:"friend" form:"table"`
}

type burn struct {
	Burn bool `json:"burn"`
}

// lend is the game master's answer to the question who comes along with a lantern.
type lend struct {
	Lender form.Ref `json:"lender" form:"of=walker"`
}

type oilSpent struct {
	Who string `json:"who"`
	Now int    `json:"now"`
}

type stumbled struct {
	Who  string `json:"who"`
	Mark string `json:"mark"`
}

func (oilSpent) Type() string    { return "night.oil-spent" }
func (e oilSpent) Whose() string { return e.Who }
func (e oilSpent) Apply(sheet any) any {
	s, ok := sheet.(walker)
	if !ok {
		return sheet
	}
	s.Oil = e.Now
	return s
}

func (e oilSpent) Spoken(v game.Voice) string {
	return v.Say("night.event.oil-spent", "Name", v.Name(e.Who), "N", e.Now)
}

func (stumbled) Type() string    { return "night.stumbled" }
func (e stumbled) Whose() string { return e.Who }
func (e stumbled) Spoken(v game.Voice) string {
	return v.Say("night.event.stumbled", "Name", v.Name(e.Who))
}

func (e stumbled) Apply(sheet any) any {
	s, ok := sheet.(walker)
	if !ok {
		return sheet
	}
	s.Marks = append(slices.Clip(s.Marks), bump{e.Mark})
	return s
}

// careless is a faulty event that changes the marks in place.
type careless struct{ stumbled }

func (e careless) Apply(sheet any) any {
	s, ok := sheet.(walker)
	if ok && len(s.Marks) > 0 {
		s.Marks[0] = bump{e.Mark}
	}
	if ok {
		return s
	}
	return sheet
}

// grasping is a faulty event that treats any sheet as a walker's.
type grasping struct{ oilSpent }

func (e grasping) Apply(any) any { return walker{Oil: e.Now} }

// night is the game with the faults of a mutant.
type night struct {
	cast      bool // leaves out the characters that the move touches
	marks     int  // more marks than dice
	badMark   game.Mark
	outcome   string // outcome of a headline
	comes     string // the outcome of a dark throw
	unnamed   bool   // has an event that players aren't shown
	careless  bool
	grasping  bool
	worded    string // id of a text that a language lacks
	free      bool   // releases the walker before the oil is spent
	otherwise bool   // asks with another default than it assumes
	noFriend  bool   // has odds of one die more than it throws
	untold    bool   // lists an event that is never recorded
	argument  string
	sees      bool // Sees contradicts Sheet
	forgets   bool // doesn't list an event
	keeps     bool // has state between runs
	stock     string
	unsaid    bool   // lets a friend roll and doesn't say so
	stale     bool   // records two changes of the same version of a sheet
	meets     string // how it asks who comes along in the dark, "" if it doesn't
}

var burns, lends = form.Of[burn](), form.Of[lend]()

// met makes the game master say who came along in the dark, which costs that character oil.
func (n night) met(play func(*rule.Run, game.Scene, walk) rule.Outcome) func(*rule.Run, game.Scene, walk) rule.Outcome {
	return func(r *rule.Run, s game.Scene, a walk) rule.Outcome {
		came := play(r, s, a)
		if me, here := game.Sheet[walker](s, s.Actor); came.ID != n.comes || !here || me.Oil > 0 {
			return came
		}
		q := rule.Question[lend]{ID: "night.lend", To: game.GM, Form: lends}
		if n.meets == "asked" {
			rule.Ask(r, q)
			return came
		}
		named, s := game.Name(r, s, q)
		if lender, ok := game.Sheet[walker](s, string(named.Lender)); ok {
			r.Record(game.Set(string(named.Lender), lender, "oil", lender.Oil-1))
		}
		if n.meets == "guessed" {
			r.Record(oilSpent{"cy", 0})
		}
		return came
	}
}

// play returns the rule, which keeps its state between runs for one game.
func (n night) play() func(*rule.Run, game.Scene, walk) rule.Outcome {
	kept := 0
	return func(r *rule.Run, s game.Scene, a walk) rule.Outcome {
		me, _ := game.Sheet[walker](s, s.Actor)
		pool := dice.Pool{For: "way", N: a.Eyes, Sides: 6}
		if s.Actor != "" {
			pool.N = me.Eyes
		}
		if friend, ok := game.Sheet[walker](s, string(a.Friend)); ok {
			pool.N++
			var paid rule.Event = oilSpent{string(a.Friend), max(0, friend.Oil-1)}
			if n.grasping {
				paid = grasping{paid.(oilSpent)}
			}
			r.Record(paid)
			if n.unsaid {
				r.SetRoller(string(a.Friend))
			}
		}
		if n.keeps {
			kept++
			pool.N += kept % 2
		}
		if r.Count(pool, dice.AtLeast(6)) > 0 {
			return rule.Outcome{ID: "light"}
		}
		if n.free {
			r.Release(s.Actor)
		}
		if me.Oil > 0 && n.burns(r, s, me) {
			return rule.Outcome{ID: "light"}
		}
		if s.Actor != "" {
			var fell rule.Event = stumbled{s.Actor, "shin"}
			if n.careless {
				fell = careless{fell.(stumbled)}
			}
			r.Record(fell)
		}
		return rule.Outcome{ID: n.comes}
	}
}

// burns asks whether the walker burns oil, and takes it.
func (n night) burns(r *rule.Run, s game.Scene, me walker) bool {
	q := rule.Question[burn]{ID: "night.burn", To: s.Actor, Form: burns}
	if n.otherwise {
		q.Standard = burn{true}
	}
	if rule.Ask(r, q).Burn {
		if n.stale {
			r.Record(game.Set(s.Actor, me, "oil", me.Oil-1), game.Set(s.Actor, me, "oil", me.Oil-1))
		}
		r.Record(oilSpent{s.Actor, me.Oil - 1})
		return true
	}
	return false
}

func (n night) move() game.Move {
	play := n.play()
	of := game.MoveSpec[walk]{
		ID: "walk", Bare: true, AtTable: true, Kinds: []string{"walker"}, Price: play, Play: play,
		Outcomes:  []game.OutcomeKind{{ID: "light", Tone: game.Good}, {ID: "dark", Tone: game.Bad}},
		Headlines: []game.Headline{{ID: "light", Outcomes: []string{n.outcome}}},
		Mark: func(_ walk, t rule.Throw) []game.Mark {
			return append(slices.Repeat([]game.Mark{n.badMark}, len(t.Faces)), make([]game.Mark, n.marks)...)
		},
	}
	of.Strip = func(s game.Scene, a walk) walk {
		me, _ := game.Sheet[walker](s, s.Actor)
		a.Eyes = me.Eyes
		return a
	}
	if n.meets != "" {
		of.Play = n.met(play)
	}
	if n.meets == "priced" {
		of.Price = of.Play
	}
	if n.meets != "" && n.meets != "unlisted" {
		of.Joins = map[string]any{"night.lend": lend{}}
	}
	if n.cast { // otherwise the characters that the arguments name
		of.Cast = func(game.Scene, walk) []string { return nil }
	}
	if n.noFriend {
		of.Price = func(r *rule.Run, s game.Scene, a walk) rule.Outcome {
			me, there := game.Sheet[walker](s, s.Actor)
			a.Eyes++
			if there {
				me.Eyes++
				s.Cast = map[string]game.Member{s.Actor: {Sheet: me}}
			}
			return play(r, s, a)
		}
	}
	move := game.Define(of)
	if n.argument != "" {
		type asks struct {
			Help int `json:"help" form:"max=3"`
		}
		move.Form = form.Of[asks]()
	}
	return move
}

func (n night) view() game.View {
	return game.View{
		Sheet: func(_ game.Viewer, _ any, _ string, sheet any) any {
			if w, ok := sheet.(walker); ok {
				return w
			}
			return nil
		},
		Sees: func(_ game.Viewer, _ any, _ string, sheet any) bool {
			_, ok := sheet.(walker)
			return ok && !n.sees
		},
		Event: func(v game.Viewer, _ any, e rule.Event) (rule.Event, bool) {
			switch e.(type) {
			case oilSpent, grasping:
				return e, v.IsGM() || !n.unnamed
			case stumbled, careless, game.Resolved, game.Changed:
				return e, true
			}
			return nil, false
		},
	}
}

func (n night) game() *game.Game {
	events := []game.EventType{game.EventOf[oilSpent](), game.EventOf[stumbled]()}
	if n.forgets {
		events = events[:len(events)-1]
	}
	if n.untold {
		events = append(events, game.EventType{Type: "night.lost", Version: 1})
	}
	return &game.Game{
		ID: "night", Rules: []string{"NI-01"}, Moves: []game.Move{n.move()}, Settings: game.SettingsOf(struct{}{}),
		Words:  n.words(),
		Kinds:  []game.Kind{game.KindOf("walker", true, walker{Eyes: 2}, nil)},
		Events: events,
		View:   n.view(),
		Stock: func(lang.Speaker) []game.Sample {
			return []game.Sample{{ID: "ann", Kind: n.stock, Name: "Ann", Sheet: walker{Eyes: 3, Oil: 2}}}
		},
	}
}

func (n night) words() fstest.MapFS {
	text := "[night]\ngame = { name = \"Night\", tagline = \"A walk\" }\nkind = { walker = \"Walker\" }\nmove = { walk = \"Walk\" }\nmove-about = { walk = \"On\" }\n" +
		"outcome = { light = \"light\", dark = \"dark\" }\noutcome-short = { light = \"L\", dark = \"D\" }\nheadline = { light = \"{{.P}}\" }\naim = { light = \"light\" }\n" +
		"field = { eyes = \"Eyes\", friend = \"Friend\", marks = \"Marks\", oil = \"Oil\", where = \"Where\", burn = \"Burn\", lender = \"Lender\" }\nquestion = { burn = \"?\", lend = \"?\", dice = \"?\" }\n" +
		"throw = { way = \"Way\" }\nrule = { NI-01 = \"A six\" }\n[night.event]\noil-spent = \"{{.Name}}: {{.N}}\"\nstumbled = \"{{.Name}}\"\n"
	folder := fstest.MapFS{}
	for _, l := range lang.All {
		said := text
		if l == lang.Uk && n.worded != "" {
			said = strings.Replace(text, n.worded+" =", n.worded+"-not =", 1)
		}
		folder["words/"+string(l)+".toml"] = &fstest.MapFile{Data: []byte(said)}
	}
	return folder
}

const nightCases = `# NI-01: a six lights the way
move walk {"eyes": 2}
dice 6 1
> throw way 2d6: 6 1
> outcome light

# NI-01: a friend's oil is a die more
character ann walker {"eyes": 1}
character bo walker {"eyes": 2, "oil": 2}
move walk by ann {"friend": "bo"}
dice 1 6
> throw way 2d6: 1 6
> tell night.oil-spent {"who":"bo","now":1}
> outcome light
> bo oil: 2 → 1

# NI-01: oil burnt in the dark
character ann walker {"eyes": 2, "oil": 1}
move walk by ann {}
dice 1 2
answer night.burn {"burn": true}
> throw way 2d6: 1 2
> ask night.burn to ann
> answer night.burn
> tell night.oil-spent {"who":"ann","now":0}
> outcome light
> ann oil: 1 → 0

# NI-01: who stumbles is marked
character ann walker {"eyes": 2, "oil": 1, "marks": [{"where": "knee"}]}
move walk by ann {}
dice 1 2
answer night.burn {}
> throw way 2d6: 1 2
> ask night.burn to ann
> answer night.burn
> tell night.stumbled {"who":"ann","mark":"shin"}
> outcome dark
> ann marks.1.where: nothing → shin
`

const metCase = `
# NI-01: who comes along is named when the dice lie
character ann walker {"eyes": 1}
character bo walker {"oil": 2}
character cy walker {}
move walk by ann {}
dice 2
answer night.lend {"lender": "bo"}
> throw way 1d6: 2
> tell night.stumbled {"who":"ann","mark":"shin"}
> ask night.lend to gm
> answer night.lend
> tell game.changed {"who":"bo","field":"oil","from":2,"to":1}
> outcome dark
> ann marks.0.where: nothing → shin
> bo oil: 2 → 1
`

func (n night) faults(t *testing.T) (faults []string) {
	t.Helper()
	text := nightCases
	if n.meets != "" {
		text += metCase
	}
	cases, err := Read(fstest.MapFS{"walk.txt": {Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Points(n.game(), cases, Throws) {
		for _, fault := range p.Judge() {
			faults = append(faults, p.Name+": "+fault.Error())
		}
	}
	return faults
}

// The checks must accept the game and find each mutant's fault.
func TestGameChecksFindTheFaultOfEachBrokenGame(t *testing.T) {
	sound := night{outcome: "light", comes: "dark", stock: "walker"}
	met := sound
	met.meets = "named"
	for _, fault := range append(sound.faults(t), met.faults(t)...) {
		t.Error(fault)
	}
	for name, c := range map[string]struct {
		mutate func(*night)
		fault  string // a prefix of the report: the point, and enough to recognize the fault
	}{
		"a forgotten cast":             {func(n *night) { n.cast = true }, "too many faces"},
		"a mark too many":              {func(n *night) { n.marks = 1 }, "3 marks for the 2 dice"},
		"a mark that nobody can draw":  {func(n *night) { n.badMark = "bold" }, `marks a die of way as "bold"`},
		"a headline of no outcome":     {func(n *night) { n.outcome = "lit" }, `of the outcome "lit"`},
		"an outcome that isn't listed": {func(n *night) { n.comes = "gloom" }, `comes out as "gloom"`},
		"an event that players miss":   {func(n *night) { n.unnamed = true }, "players are shown night.oil-spent"},
		"Apply in place": {func(n *night) {
			n.careless = true
		}, "the sheet of ann was changed in place"},
		"Apply to anything":             {func(n *night) { n.grasping = true }, "changed a sheet that it isn't about"},
		"a text that a language lacks":  {func(n *night) { n.worded = "stumbled" }, "uk: night.stumbled says"},
		"dice without their roller":     {func(n *night) { n.unsaid = true }, "the dice \"way\" of part \"\" are bo's"},
		"a throw without a name":        {func(n *night) { n.worded = "way" }, "uk: night.throw.way is missing"},
		"changed after it was let go":   {func(n *night) { n.free = true }, "is changed after the rule has let go"},
		"another default than is shown": {func(n *night) { n.otherwise = true }, "what happened differs"},
		"odds of other dice":            {func(n *night) { n.noFriend = true }, "odds of the whole move"},
		"an event that nothing tells":   {func(n *night) { n.untold = true }, "no case tells night.lost"},
		"a name of the command line":    {func(n *night) { n.argument = "help" }, "can't be called help"},
		"seen, and not seen":            {func(n *night) { n.sees = true }, "Sees and Sheet don't agree"},
		"an event that isn't listed":    {func(n *night) { n.forgets = true }, "night.stumbled isn't read back"},
		"something kept between runs":   {func(n *night) { n.keeps = true }, ""},
		"two changes of one old sheet":  {func(n *night) { n.stale = true }, "isn't as the rule takes it to be"},
		"a name that nobody expects": {func(n *night) {
			n.meets = "unlisted"
		}, "that Joins of the move lists it is false"},
		"a name that only the rule asks": {func(n *night) {
			n.meets = "asked"
		}, "game.Name has whom an answer names join"},
		"odds of who isn't named yet":    {func(n *night) { n.meets = "priced" }, "the odds of walk ask night.lend"},
		"somebody whom nothing names":    {func(n *night) { n.meets = "guessed" }, "changes cy, whom neither"},
		"stock of a kind that isn't one": {func(n *night) { n.stock = "runner" }, `no kind "runner"`},
	} {
		mutant := sound
		c.mutate(&mutant)
		faults := mutant.faults(t)
		if !slices.ContainsFunc(faults, func(f string) bool { return strings.Contains(f, c.fault) }) {
			t.Errorf("%s isn't found: %q", name, faults)
		}
	}
}
