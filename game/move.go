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

// Move is an action that people take by the rules, without the type of its arguments. Define makes
// one.
type Move struct {
	ID        string
	Also      []string // other names, such as its label
	GMOnly    bool
	Bare      bool     // can be thrown and priced without a table
	AtTable   bool     // can be made at a table
	Throws    bool     // throws dice; set by Define for a move with odds
	ByOffer   bool     // at a table only by accepting an offer, see OfferMade
	InScene   bool     // its offers end when the table's scene changes
	Ends      []string // moves whose offers it ends: those to its cast, or all if it has no actor
	Kinds     []string // kinds of character that may make it; none: it has no actor
	Form      *form.Form
	Outcomes  []OutcomeKind
	Headlines []Headline
	Aims      []Aim          // goals for best choices: each headline, then the move's own
	Joins     map[string]any // questions whose answers add characters, each with an answer's zero value; see Name
	Order     Ordering       // zero if it doesn't affect the order

	Decode func(f *form.Form, data []byte) (any, error)         // arguments from JSON
	Values func(f *form.Form, v url.Values) (any, error)        // from a plain HTML form
	Texts  func(f *form.Form, t map[string]string) (any, error) // from words on a command line
	// arguments from the journal, written by json.Marshal
	Restore func(data []byte) (any, error)
	// characters it reads or changes in addition to the actor; s holds the whole table
	Cast func(s Scene, args any) []string
	// whether it's made at any time, also while others are asked something about its characters
	Instant func(s Scene, args any) bool
	// its form with this table's choices; s holds the whole table
	Fit      func(s Scene, f *form.Form) *form.Form
	Allow    func(s Scene, args any) error                        // a *Refusal, before any dice
	Price    func(s Scene, args any) func(*rule.Run) rule.Outcome // what odds show; nil for a move without chance
	Play     func(s Scene, args any) func(*rule.Run) rule.Outcome // the complete move at the table
	Mark     func(args any, t rule.Throw) []Mark                  // how its dice are drawn
	Variants func(s Scene, args any) []Variant                    // other ways to make it, for comparing odds
	Sources  func(s Scene, args any) []Source                     // the parts of its pool, before the throw
	// the arguments of the same move made bare, with fields for what is on sheets
	Strip func(s Scene, args any) any
	// the arguments with which people try again what has failed
	Retry func(s Scene, args any, f Failure) any
}

// MarshalText encodes a move as its id.
func (m *Move) MarshalText() ([]byte, error) { return []byte(m.ID), nil }

// UnmarshalText sets the id alone. The game knows the rest.
func (m *Move) UnmarshalText(id []byte) error {
	m.ID = string(id)
	return nil
}

// Failure is a failed move that is made again.
type Failure struct {
	Seq   uint64   // number of its card
	Taken []string // moves offered by the card that were made
}

// MoveSpec describes a move whose arguments are of type A or, if A is any, of the type of Args.
// Rules see a Scene with an empty cast when the move is bare. One of the functions Price, Ready and
// Play is required. Without the others the move has no odds, refuses nothing, has the same form for
// everybody, touches the characters that its arguments name, marks no dice, and needs no conversion
// to a bare move.
type MoveSpec[A any] struct {
	ID        string
	GMOnly    bool
	Bare      bool
	AtTable   bool
	Throws    bool     // throws dice although it has no odds; implied by Price or Ready
	ByOffer   bool     // at a table only by accepting an offer, see OfferMade
	InScene   bool     // its offers end when the table's scene changes
	Ends      []string // moves whose offers it ends: those to its cast, or all if it has no actor
	Kinds     []string
	Outcomes  []OutcomeKind
	Headlines []Headline
	Aims      []Aim          // in addition to the chance of each headline
	Joins     map[string]any // questions whose answers add characters, each with an answer's zero value; see Name
	Order     Ordering
	Cast      func(s Scene, a A) []string
	// whether it's made at any time: while a question of another move is open, too, whose rule lends
	// its characters (rule.Run.Lend). Nil: it waits
	Instant func(s Scene, a A) bool
	Fit     func(s Scene, f *form.Form) *form.Form
	Allow   func(s Scene, a A) error
	Price   func(r *rule.Run, s Scene, a A) rule.Outcome
	// an alternative to Price that computes once what is known before the throw
	Ready    func(s Scene, a A) func(*rule.Run) rule.Outcome
	Play     func(r *rule.Run, s Scene, a A) rule.Outcome // nil: Price is the complete move
	Mark     func(a A, t rule.Throw) []Mark
	Variants func(s Scene, a A) []VariantOf[A]
	Sources  func(s Scene, a A) []Source
	// as close as its fields allow; callers check whether the odds are the same
	Strip func(s Scene, a A) A
	// the arguments with which people try again what has failed, which may be harder: of is the
	// number of its entry, and s has the sheets as the reader sees them now
	Retry func(s Scene, a A, f Failure) A
	Args  A // if A is any
}

// Reserved lists names that arguments of a bare move can't have, because the command line uses
// them.
var Reserved = []string{"best", "choose", "compare", "csv", "dice", "games", "help", "json", "lang", "simulate"}

// OutcomeKind describes one outcome of a move.
type OutcomeKind struct {
	ID     string
	Counts bool // its n counts something
	Less   bool // lower counts are better for the player; otherwise higher ones
	Tone   Tone
}

// Tone rates an outcome for the player who made the move. It determines colour and shape.
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

// byTone lists the tones, best first.
var byTone = []Tone{Triumph, Good, Mixed, Neutral, Bad, Disaster}

// Headline is a chance that people want to know: that of any of these outcomes.
type Headline struct {
	ID       string
	Outcomes []string
	Among    []string // shown only if one of these is possible; none: always
}

// Mark is the way in which one die of a roll is drawn.
type Mark string

// Marks. The zero Mark is a plain die.
const (
	Deciding  Mark = "deciding"
	Cancelled Mark = "cancelled"
	Natural   Mark = "natural" // it decides regardless of modifiers, like a natural 20
)

// Decides reports whether a die decides the roll.
func (m Mark) Decides() bool { return m == Deciding || m == Natural }

// VariantOf is another way to make a move, such as with a special effort or a point spent. Word is
// the id of its short name.
type VariantOf[A any] struct {
	Word string
	Data map[string]any // data of the name; may be nil
	Args A
	Step bool // the same move ended earlier: a step of its course
}

// Variant is a VariantOf without the type of its arguments.
type Variant = VariantOf[any]

// Source is one thing that adds to a pool or a target, or subtracts from it.
type Source struct {
	Word string         // id of its name
	Data map[string]any // its data; values of type Word are replaced by their words
	Text string         // a name that people gave, used instead of a word
	N    int            // 0 for something that is only mentioned
}

// Adds returns a source for n dice or points that are added or removed, or none if n is 0.
func Adds(word string, n int) []Source {
	if n == 0 {
		return nil
	}
	return []Source{{Word: word, N: n}}
}

// Define makes a Move of a spec. Of the Move's functions only Price may be nil. It panics, when the
// game is built, if the move has no rule.
func Define[A any](m MoveSpec[A]) Move {
	r := readerOf(m.Args)
	move := Move{
		ID: m.ID, GMOnly: m.GMOnly, Bare: m.Bare, AtTable: m.AtTable, ByOffer: m.ByOffer, InScene: m.InScene,
		Ends: m.Ends, Kinds: m.Kinds,
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
		Retry:    func(_ Scene, args any, _ Failure) any { return args },
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
	move.Instant = func(s Scene, args any) bool { return m.Instant != nil && m.Instant(s, args.(A)) }
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
	if m.Retry != nil {
		move.Retry = func(s Scene, args any, f Failure) any { return m.Retry(s, args.(A), f) }
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
		default: // a list whose items name characters
			for i := range args.FieldByIndex(at).Len() {
				ids = append(ids, namedCharacters(args.FieldByIndex(at).Index(i))...)
			}
		}
	}
	return ids
}

var refsOf sync.Map // of reflect.Type, [][]int

// refsIn returns the fields of a struct that name characters, or whose items do.
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

// Outcome returns the description of one of the move's outcomes.
func (m *Move) Outcome(id string) OutcomeKind {
	for _, o := range m.Outcomes {
		if o.ID == id {
			return o
		}
	}
	return OutcomeKind{ID: id, Tone: Neutral}
}

// Better compares two outcomes for the player who made the move: negative if a is better, positive
// if b is, 0 if neither. Tones decide, then the order of Outcomes, then the number.
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
