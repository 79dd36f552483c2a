package game

import (
	"cmp"
	"net/url"
	"reflect"
	"slices"
	"sync"

	"norn/form"
	"norn/rule"
)

// Move is an action that people take by the rules, with its argument type erased. Define makes one.
type Move struct {
	ID        string
	Also      []string // other names by which it's found, as its label
	GMOnly    bool
	Bare      bool     // can be thrown and priced without a table
	AtTable   bool     // can be made at a table
	Throws    bool     // throws dice; set by Define for a move with odds
	ByOffer   bool     // at a table only by taking an offer, see OfferMade
	Ends      []string // moves of which offers end with it: those to its cast, or all where nobody in particular acts
	Kinds     []string // kinds of character that may make it; none: nobody in particular acts
	Form      *form.Form
	Outcomes  []OutcomeKind
	Headlines []Headline
	Aims      []Aim          // what best choices may be made for: each headline, then the move's own
	Joins     map[string]any // questions whose answers name who joins, each with an answer's zero value; see Name
	Order     Ordering       // none: it has nothing to do with it

	Decode func(f *form.Form, data []byte) (any, error)         // arguments from JSON
	Values func(f *form.Form, v url.Values) (any, error)        // from a plain HTML form
	Texts  func(f *form.Form, t map[string]string) (any, error) // from words on a command line
	// as they stand in the journal, written by json.Marshal
	Restore func(data []byte) (any, error)
	// characters it reads or changes besides the actor; s holds the whole table
	Cast func(s Scene, args any) []string
	// its form with this table's choices; s holds the whole table
	Fit      func(s Scene, f *form.Form) *form.Form
	Allow    func(s Scene, args any) error                        // a *Refusal, before any dice
	Price    func(s Scene, args any) func(*rule.Run) rule.Outcome // what odds show; nil for a move without chance
	Play     func(s Scene, args any) func(*rule.Run) rule.Outcome // the whole of it at the table
	Mark     func(args any, t rule.Throw) []Mark                  // how its dice are drawn
	Variants func(s Scene, args any) []Variant                    // other ways to make it, to compare odds with
	Sources  func(s Scene, args any) []Source                     // where its pool comes from, before the throw
	// the same made bare: what stands on sheets said by its own fields
	Strip func(s Scene, args any) any
}

// MoveSpec describes a move whose arguments are an A, or, for any, what Args is. Rules see a Scene
// with an empty cast when they're thrown bare. Of its functions one of Price, Ready and Play is
// needed; without the others the move has no odds, refuses nothing, fits its form to nobody,
// touches whom its arguments name, marks no die, and is bare as it stands.
type MoveSpec[A any] struct {
	ID        string
	GMOnly    bool
	Bare      bool
	AtTable   bool
	Throws    bool     // throws dice without having odds; a move with Price or Ready always does
	ByOffer   bool     // at a table only by taking an offer, see OfferMade
	Ends      []string // moves of which offers end with it: those to its cast, or all where nobody in particular acts
	Kinds     []string
	Outcomes  []OutcomeKind
	Headlines []Headline
	Aims      []Aim          // besides the chance of each headline
	Joins     map[string]any // questions whose answers name who joins, each with an answer's zero value; see Name
	Order     Ordering
	Cast      func(s Scene, a A) []string
	Fit       func(s Scene, f *form.Form) *form.Form
	Allow     func(s Scene, a A) error
	Price     func(r *rule.Run, s Scene, a A) rule.Outcome
	// in place of Price: reckons once what is known before the throw
	Ready    func(s Scene, a A) func(*rule.Run) rule.Outcome
	Play     func(r *rule.Run, s Scene, a A) rule.Outcome // nil: Price is all there is
	Mark     func(a A, t rule.Throw) []Mark
	Variants func(s Scene, a A) []VariantOf[A]
	Sources  func(s Scene, a A) []Source
	// as near as its fields can say it; whoever shows it sees whether its odds are the same
	Strip func(s Scene, a A) A
	Args  A // where A is any
}

// Reserved are names that arguments of a bare move can't have: on the command line they're norn's
// own.
var Reserved = []string{"best", "choose", "compare", "csv", "dice", "games", "help", "json", "lang", "simulate"}

// OutcomeKind is one way a move can come out.
type OutcomeKind struct {
	ID     string
	Counts bool // its n means something
	Less   bool // the less it counts the better for who made the move; else the more
	Tone   Tone
}

// Tone says whether an outcome is good for the player who made the move. It chooses colour and
// shape.
type Tone string

// Tones, best first.
const (
	Triumph  Tone = "triumph"
	Good     Tone = "good"
	Mixed    Tone = "mixed"
	Bad      Tone = "bad"
	Disaster Tone = "disaster"
	Neutral  Tone = "neutral"
)

// byTone are the tones by how good they are, best first.
var byTone = []Tone{Triumph, Good, Mixed, Neutral, Bad, Disaster}

// Headline is a chance that people ask for: of any of these outcomes.
type Headline struct {
	ID       string
	Outcomes []string
	Among    []string // asked for only where one of these can come out; none for always
}

// Mark says how one die of a roll is drawn.
type Mark string

// Marks. The zero Mark is a plain die.
const (
	Deciding  Mark = "deciding"
	Cancelled Mark = "cancelled"
	Natural   Mark = "natural" // it decides whatever stands against it, as a natural 20
)

// Decides reports whether a die decides the roll.
func (m Mark) Decides() bool { return m == Deciding || m == Natural }

// VariantOf is another way to make a move: with a special effort, with a
// point spent. Word is the id of its short name.
type VariantOf[A any] struct {
	Word string
	Data map[string]any // the name's data; may be nil
	Args A
	Step bool // the same move broken off sooner: a step of its course
}

// Variant is a VariantOf with its arguments' type taken away.
type Variant = VariantOf[any]

// Source is one thing that adds to a pool or a target, or takes from it.
type Source struct {
	Word string         // id of its name
	Data map[string]any // its data; a Word among the values is worded too
	Text string         // the name that people gave, where there's no word
	N    int            // 0 for what only has to be known
}

// Adds returns a source for n dice or points that are added or removed, or none if n is 0.
func Adds(word string, n int) []Source {
	if n == 0 {
		return nil
	}
	return []Source{{Word: word, N: n}}
}

// Define takes the arguments' type away from a move. Of a Move only Price may be
// nil. It panics, when the game is built, over a move that has no rule.
func Define[A any](m MoveSpec[A]) Move {
	r := readerOf(m.Args)
	move := Move{
		ID: m.ID, GMOnly: m.GMOnly, Bare: m.Bare, AtTable: m.AtTable, ByOffer: m.ByOffer, Ends: m.Ends, Kinds: m.Kinds,
		Throws: m.Throws || m.Price != nil || m.Ready != nil,
		Form:   r.form, Outcomes: m.Outcomes, Headlines: m.Headlines,
		Aims: append(aimsOf(m.Headlines, m.Outcomes), m.Aims...), Joins: m.Joins, Order: m.Order,
		Decode: func(f *form.Form, data []byte) (any, error) {
			return r.read(func(into any) error { return f.Decode(data, into) })
		},
		Values: func(f *form.Form, v url.Values) (any, error) {
			return r.read(func(into any) error { return f.Values(v, into) })
		},
		Texts: func(f *form.Form, t map[string]string) (any, error) {
			return r.read(func(into any) error { return f.Texts(t, into) })
		},
		Restore: r.restore,
		Cast:    func(_ Scene, args any) []string { return namedCharacters(reflect.ValueOf(args)) },
		Allow:   func(Scene, any) error { return nil },
		Mark:    func(_ any, t rule.Throw) []Mark { return make([]Mark, len(t.Faces)) },

		Variants: func(Scene, any) []Variant { return nil },
		Sources:  func(Scene, any) []Source { return nil },
		Strip:    func(_ Scene, args any) any { return args },
	}
	fit := m.Fit
	move.Fit = func(s Scene, f *form.Form) *form.Form {
		for path, field := range f.All() {
			if field.Of != nil {
				f = f.With(path, s.Others(field.Of...)...)
			}
		}
		if fit != nil {
			f = fit(s, f)
		}
		return f
	}
	if m.Cast != nil {
		move.Cast = func(s Scene, args any) []string { return m.Cast(s, args.(A)) }
	}
	if m.Allow != nil {
		move.Allow = func(s Scene, args any) error { return m.Allow(s, args.(A)) }
	}
	if m.Mark != nil {
		move.Mark = func(args any, t rule.Throw) []Mark { return m.Mark(args.(A), t) }
	}
	if m.Variants != nil {
		move.Variants = func(s Scene, args any) []Variant {
			var variants []Variant
			for _, v := range m.Variants(s, args.(A)) {
				variants = append(variants, Variant{Word: v.Word, Data: v.Data, Args: v.Args, Step: v.Step})
			}
			return variants
		}
	}
	if m.Sources != nil {
		move.Sources = func(s Scene, args any) []Source { return m.Sources(s, args.(A)) }
	}
	if m.Strip != nil {
		move.Strip = func(s Scene, args any) any { return m.Strip(s, args.(A)) }
	}
	if m.Ready != nil {
		move.Price = func(s Scene, args any) func(*rule.Run) rule.Outcome { return m.Ready(s, args.(A)) }
		move.Play = move.Price
	}
	if m.Price != nil {
		move.Price = func(s Scene, args any) func(*rule.Run) rule.Outcome {
			a := args.(A)
			return func(r *rule.Run) rule.Outcome { return m.Price(r, s, a) }
		}
		move.Play = move.Price
	}
	if m.Play != nil {
		move.Play = func(s Scene, args any) func(*rule.Run) rule.Outcome {
			a := args.(A)
			return func(r *rule.Run) rule.Outcome { return m.Play(r, s, a) }
		}
	}
	if move.Play == nil {
		panic("game: move " + m.ID + " has neither Price nor Ready nor Play")
	}
	return move
}

// namedCharacters returns the characters that arguments name, in order.
func namedCharacters(args reflect.Value) []string {
	var ids []string
	if args.Kind() != reflect.Struct {
		return nil
	}
	for _, at := range refsIn(args.Type()) {
		switch value := args.FieldByIndex(at).Interface().(type) {
		case form.Ref:
			ids = append(ids, form.IDs(value)...)
		case []form.Ref:
			ids = append(ids, form.IDs(value...)...)
		default: // a list whose items name somebody
			for i := range args.FieldByIndex(at).Len() {
				ids = append(ids, namedCharacters(args.FieldByIndex(at).Index(i))...)
			}
		}
	}
	return ids
}

var refsOf sync.Map // of reflect.Type, [][]int

// refsIn are the fields of a struct that name somebody, or whose items do.
func refsIn(t reflect.Type) [][]int {
	if known, ok := refsOf.Load(t); ok {
		return known.([][]int)
	}
	var refs [][]int
	for _, f := range reflect.VisibleFields(t) {
		list := f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct &&
			len(refsIn(f.Type.Elem())) > 0
		if f.IsExported() &&
			(f.Type == reflect.TypeFor[form.Ref]() || f.Type == reflect.TypeFor[[]form.Ref]() || list) {
			refs = append(refs, f.Index)
		}
	}
	refsOf.Store(t, refs)
	return refs
}

// Outcome finds how a move's outcome is described.
func (m *Move) Outcome(id string) OutcomeKind {
	for _, o := range m.Outcomes {
		if o.ID == id {
			return o
		}
	}
	return OutcomeKind{ID: id, Tone: Neutral}
}

// Better compares two outcomes for the player who made the move: below 0 if a is better, above 0 if
// b is, 0 if neither. Tones decide, then the order of Outcomes, then the number.
func (m *Move) Better(a, b rule.Outcome) int {
	if a.ID != b.ID {
		of := func(o rule.Outcome) (tone, place int) {
			place = slices.IndexFunc(m.Outcomes, func(k OutcomeKind) bool { return k.ID == o.ID })
			return slices.Index(byTone, m.Outcome(o.ID).Tone), place
		}
		toneA, placeA := of(a)
		toneB, placeB := of(b)
		return cmp.Or(cmp.Compare(toneA, toneB), cmp.Compare(placeA, placeB))
	}
	kind := m.Outcome(a.ID)
	switch {
	case !kind.Counts:
		return 0
	case kind.Less:
		return cmp.Compare(a.N, b.N)
	}
	return cmp.Compare(b.N, a.N)
}
