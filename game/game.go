package game

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/lang"
	"norn/rule"
)

// Game is one role-playing game.
type Game struct {
	ID      string
	Edition int // version of its rules, from 1: raised when their throws, questions or events change; 0 means 1
	// for a game read from a text: the first 16 digits of the text's hash, which are its edition;
	// "" for a compiled one
	Text     string
	Source   []byte    // for a game read from a text: the text, which the table stores; else nil
	Texts    *Texts    // for a game read from a text: all its texts; nil if there is only this one
	Rules    []string  // ids in the order of the rule text
	Chapters []Chapter // headings over Rules: each rule is in one chapter and has a title; nil for none
	Kinds    []Kind
	Moves    []Move
	Events   []EventType // without Resolved and Changed, which every game has
	Settings Settings
	View     View
	// by the purpose of dice, what their faces show, from face 1; for dice without numbers
	Shows map[string][]string
	// returns the scenes in progress, given the sheets that a viewer sees and the rolls for the
	// turn order since they began; may be nil
	Going func(s Scene, thrown []OrderThrow) []Encounter
	// words/{en,ru,uk}.toml; a *lang.Own for a game read from a text
	Words fs.FS
	// an SVG in currentColor, 48 units square, which pages embed unchanged; "" for the first letter
	// of the name
	Emblem string
	// the look of its pages without a stylesheet of its own; nil for norn's own look
	Paint *Paint
	Demo  func(s lang.Speaker) Demo // a table for trying the game
	// ready characters for a game master to put into play; may be nil
	Stock  func(s lang.Speaker) []Sample
	Heroes func(s lang.Speaker) []Sample // ready heroes for players; may be nil
	// the fields that the creator of a character of this kind fills in, in order; may be nil
	Creation func(kind string) []Asked
	// how much of what the rules bound a character of this kind has, for its creator; may be nil
	Count func(kind string, sheet any) []Count
	// what the rules suggest between sessions, see Suggest; may be nil
	Between func(s Scene, who string) []Suggestion
	// arguments of norn that its help shows, such as "odds spire check --skill"; may be nil
	Examples []string
}

// Showing returns what the faces of a throw's dice show if they aren't numbers, else nil. It also
// knows the dice of plain notation.
func (g *Game) Showing(t rule.Throw) []string {
	own := false
	shown := Each(t.Faces, func(face int) string {
		text := strconv.Itoa(face)
		if t.For != dice.FateDice || t.Sides == 3 { // a game may throw other dice for something called Fate
			text = dice.ShownFace(t.For, face)
		}
		if g != nil {
			switch shows := g.Shows[t.For]; len(shows) {
			case t.Sides:
				text = shows[face-1]
			case 1:
				text = shows[0]
			}
		}
		own = own || text != strconv.Itoa(face)
		return text
	})
	if !own {
		return nil
	}
	return shown
}

// RuleIDs returns the ids of n rules: SP-01, SP-02 …
func RuleIDs(of string, n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("%s-%02d", of, i+1)
	}
	return ids
}

// EditionID returns the id by which tables name the edition of the game's rules.
func (g *Game) EditionID() string {
	if g.Text != "" {
		return g.Text
	}
	return strconv.Itoa(max(1, g.Edition))
}

// editions lists the ids of the editions whose tables can be read, oldest first. The last is the
// current one.
func (g *Game) editions() []string {
	ids := make([]string, max(1, g.Edition))
	for i := range ids {
		ids[i] = strconv.Itoa(i + 1)
	}
	return ids
}

// textID matches the hash of a text, as an edition.
var textID = regexp.MustCompile(`^[0-9a-f]{16}$`)

// Knows reports whether tables of an edition can be read. A game read from a text can also read the
// tables of its other texts.
func (g *Game) Knows(edition string) bool {
	if g.Text != "" {
		return textID.MatchString(edition)
	}
	return edition == g.EditionID() || slices.Contains(g.editions(), edition)
}

// Follows reports whether a table may change from one edition to another: to a higher one, or from
// one text to any other.
func (g *Game) Follows(was, is string) bool {
	if g.Text != "" {
		return is != was && g.Knows(is)
	}
	known := g.editions()
	return slices.Index(known, is) > slices.Index(known, was)
}

// Kind finds a kind of sheet by its id.
func (g *Game) Kind(id string) (Kind, bool) {
	i := slices.IndexFunc(g.Kinds, func(k Kind) bool { return k.ID == id })
	if i < 0 {
		return Kind{}, false
	}
	return g.Kinds[i], true
}

// Move finds a move by its id: the game's own, or plain dice.
func (g *Game) Move(id string) (*Move, bool) {
	if id == PlainDice {
		return &Plain, true
	}
	i := slices.IndexFunc(g.Moves, func(m Move) bool { return m.ID == id })
	if i < 0 {
		return nil, false
	}
	return &g.Moves[i], true
}

// FindKind finds a kind of sheet by its id or an alias, as people type it.
func (g *Game) FindKind(name string) (Kind, bool) {
	if k, ok := g.Kind(name); ok {
		return k, true
	}
	i := slices.IndexFunc(g.Kinds, func(k Kind) bool { return matchesName(name, k.Also) })
	if i < 0 {
		return Kind{}, false
	}
	return g.Kinds[i], true
}

// FindMove finds a move by its id or an alias, as people type it.
func (g *Game) FindMove(name string) (*Move, bool) {
	if m, ok := g.Move(name); ok {
		return m, true
	}
	i := slices.IndexFunc(g.Moves, func(m Move) bool { return matchesName(name, m.Also) })
	if i < 0 {
		return nil, false
	}
	return &g.Moves[i], true
}

// matchesName reports whether a name equals one of the others, compared by lang.Key.
func matchesName(name string, also []string) bool {
	return slices.ContainsFunc(also, func(other string) bool { return lang.Key(other) == lang.Key(name) })
}

// InStock returns the game's stock, or nil.
func (g *Game) InStock(s lang.Speaker) []Sample {
	if g.Stock == nil {
		return nil
	}
	return g.Stock(s)
}

// ReadyHeroes lists the game's heroes for players.
func (g *Game) ReadyHeroes(s lang.Speaker) []Sample {
	if g.Heroes == nil {
		return nil
	}
	return g.Heroes(s)
}

// AskedOf returns the fields that the creator of a character of a kind fills in: those that the
// game lists, or else the whole form.
func (g *Game) AskedOf(kind Kind) []Asked {
	if g.Creation != nil {
		if asked := g.Creation(kind.ID); asked != nil {
			return asked
		}
	}
	var all []Asked
	for _, f := range kind.Form.Fields {
		all = append(all, Asked{Field: f.Name})
	}
	return all
}

// Find finds a game by its id.
func Find(games []*Game, id string) (*Game, bool) {
	i := slices.IndexFunc(games, func(g *Game) bool { return g.ID == id })
	if i < 0 {
		return nil, false
	}
	return games[i], true
}

// Word returns the id of one of the game's words: Word("move", "check") is "spire.move.check". The
// words of plain dice are "dice.…" in every game that doesn't have the word itself.
func (g *Game) Word(parts ...string) string {
	id := g.ID + "." + strings.Join(parts, ".")
	word := id[len(g.ID):]
	if !plainWords[word] {
		return id
	}
	if own, is := g.Words.(*lang.Own); is && own.Has(id) {
		return id
	}
	return "dice" + word
}

// MoveWord is Word for a word of a move, which of plain dice is theirs in every game.
func (g *Game) MoveWord(m *Move, parts ...string) string {
	if m.ID == PlainDice {
		return PlainDice + "." + strings.Join(parts, ".")
	}
	return g.Word(parts...)
}

// Settings are a game's house rules and table settings.
type Settings struct {
	Form    *form.Form
	Default any
	decode  func([]byte) (any, error)
	values  func(settings any, v url.Values) (any, error)
	restore func([]byte) (any, error)
	renamed []Renamed
}

// Renamed is a setting that had another name in older versions. Values stored or sent under that
// name are converted by Value.
type Renamed struct {
	Was, Is string
	Value   func(was json.RawMessage) json.RawMessage
}

// Renaming returns the settings with some that had other names before.
func (s Settings) Renaming(renamed ...Renamed) Settings {
	s.renamed = renamed
	return s
}

// current returns the JSON with the current names of settings.
func (s Settings) current(data []byte) []byte {
	for _, r := range s.renamed {
		var members map[string]json.RawMessage
		if json.Unmarshal(data, &members) != nil || members[r.Was] == nil {
			continue
		}
		if members[r.Is] == nil {
			members[r.Is] = r.Value(members[r.Was])
		}
		delete(members, r.Was)
		if now, err := json.Marshal(members); err == nil {
			data = now
		}
	}
	return data
}

// SettingsOf describes settings of type S or, if S is any, of the type of standard.
func SettingsOf[S any](standard S) Settings {
	r := readerOf(standard)
	return Settings{Form: r.form, Default: standard, decode: r.decode, values: r.values, restore: r.restore}
}

// Decode reads settings from JSON; missing ones get their default. The error is form.Problems.
func (s Settings) Decode(data []byte) (any, error) { return s.decode(s.current(data)) }

// Patch changes settings by a JSON merge patch, as Kind.Patch does a sheet.
func (s Settings) Patch(settings any, patch []byte) (any, error) {
	data, err := applyPatch(settings, s.current(patch), s.Form.Fields, nil)
	if err != nil {
		return nil, err
	}
	return s.Decode(data)
}

// Values reads settings from a plain HTML form. The error is form.Problems.
func (s Settings) Values(settings any, v url.Values) (any, error) { return s.values(settings, v) }

// Restore reads settings back from the journal, as Kind.Restore does a sheet.
func (s Settings) Restore(data []byte) (any, error) { return s.restore(s.current(data)) }

// EventType describes how events of one type are read from the journal.
type EventType struct {
	Type    string
	Version int  // the version written now; older ones are upcast
	Silent  bool // players aren't notified of it
	decode  func([]byte) (rule.Event, error)
	upcasts []func(map[string]any) map[string]any
}

// EventOf describes the event type E. upcasts[i] converts the JSON of version i+1 to that of
// version i+2; the current version is one more than the number of upcasts.
func EventOf[E rule.Event](upcasts ...func(map[string]any) map[string]any) EventType {
	var zero E
	return EventType{
		Type: TypeOf(zero), Version: len(upcasts) + 1, upcasts: upcasts,
		decode: func(data []byte) (rule.Event, error) {
			var e E
			if err := json.Unmarshal(data, &e); err != nil {
				return nil, err
			}
			return e, nil
		},
	}
}

// Events makes event types of these values, which have not changed since their first version. A
// value that is an EventType is used directly.
func Events(of ...any) []EventType {
	types := make([]EventType, len(of))
	for i, e := range of {
		if t, ok := e.(EventType); ok {
			types[i] = t
			continue
		}
		types[i] = EventType{Type: TypeOf(e), Version: 1, decode: func(data []byte) (rule.Event, error) {
			into := reflect.New(reflect.TypeOf(e))
			err := json.Unmarshal(data, into.Interface())
			return into.Elem().Interface(), err
		}}
	}
	return types
}

// Silent makes an event type that players don't see.
func Silent(e rule.Event) EventType {
	t := Events(e)[0]
	t.Silent = true
	return t
}

// UnknownEventError reports an event that this norn can't read: of a type it
// doesn't know, or written by a newer one.
type UnknownEventError struct {
	Type    string
	Version int
}

func (e *UnknownEventError) Error() string {
	return fmt.Sprintf("event %s version %d is not known to this version of norn", e.Type, e.Version)
}

// Decode reads an event from the journal. The error is an *UnknownEventError or describes what is
// wrong with the data.
func (g *Game) Decode(eventType string, version int, data []byte) (rule.Event, error) {
	t, known := g.event(eventType)
	if !known || version < 1 || version > t.Version {
		return nil, &UnknownEventError{eventType, version}
	}
	if version < t.Version {
		var old map[string]any
		if err := json.Unmarshal(data, &old); err != nil {
			return nil, fmt.Errorf("event %s: %w", eventType, err)
		}
		for _, upcast := range t.upcasts[version-1:] {
			old = upcast(old)
		}
		var err error
		if data, err = json.Marshal(old); err != nil {
			return nil, fmt.Errorf("event %s: %w", eventType, err)
		}
	}
	e, err := t.decode(data)
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", eventType, err)
	}
	return e, nil
}

// Version returns the current version of an event type, 0 for an unknown one.
func (g *Game) Version(eventType string) int {
	t, _ := g.event(eventType)
	return t.Version
}

// event finds an event type: the game's own, or one that every game has.
func (g *Game) event(eventType string) (EventType, bool) {
	for _, types := range [][]EventType{g.Events, common} {
		if i := slices.IndexFunc(types, func(t EventType) bool { return t.Type == eventType }); i >= 0 {
			return types[i], true
		}
	}
	return EventType{}, false
}
