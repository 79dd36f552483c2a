package game

import (
	"cmp"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"norn/form"
	"norn/rule"
)

// An event, and what a question is about, is a struct, and says of itself what norn has to know:
//
//	type Struck struct {
//		Who      string `json:"who"`                     // whose sheet it changes; {{.Name}} in its words
//		By       string `json:"by" say:"name"`           // a character: {{.By}} is their name
//		Severity string `json:"severity" say:"severity"` // the word <game>.severity.<value>
//		Amount   int    `json:"amount" say:"N"`          // {{.N}}, by which the plural goes
//		Modifier int    `json:"modifier" say:"signed"`   // "+2"
//		Marks    Marks  `json:"marks"`                   // in its own words, by its Said
//		Out      bool   `json:"out" word:"out-cold"`     // where it isn't empty: the word spire.event.out-cold; where it is: word:"|awake"
//	}
//
//	func (e Struck) Apply(c *Character) { c.Stress += e.Amount }
//
// Of the package spire it's called spire.struck and says the word spire.event.struck, with the fields as data. Type, Whose and
// Spoken say otherwise where they're there; Word only chooses another word, Data gives it more.

// Worded is an event, or what a question is about, that has several words: the id of the one, "" for its usual one.
type Worded interface{ Word() string }

// Supplied is one whose words are told more than its fields.
type Supplied interface {
	Data(v Voice) map[string]any
}

// Said is a value that says itself where it's part of an event.
type Said interface{ Said(v Voice) string }

// telling is what is known of an event's type.
type telling struct {
	game, name, word string // "spire", "spire.struck", "spire.event.struck"
	about            bool   // what a question is about
	words            []chooser
	who              []int // the field Who
	places           []place
	apply            reflect.Value // its Apply
	sheet            reflect.Type  // what that changes: S of *S, or any
}

// chooser is a field that chooses an event's word: one where it isn't empty, one where it is, each maybe "".
type chooser struct {
	at         []int
	full, none string
}

// place is a field in an event's words.
type place struct {
	name, how string
	at        []int
}

var tellings sync.Map // of reflect.Type, *telling

func tellingOf(t reflect.Type) *telling {
	if known, ok := tellings.Load(t); ok {
		return known.(*telling)
	}
	of := &telling{game: path.Base(t.PkgPath())}
	kind, name := "event", Dashed(t.Name())
	of.name = of.game + "." + name
	if about, ok := strings.CutPrefix(name, "about-"); ok {
		kind, name, of.about = "about", about, true
	}
	of.word = of.game + "." + kind + "." + name
	if t.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(t) {
			if p := placeOf(f); f.IsExported() && !f.Anonymous && p.how != "-" {
				of.places = append(of.places, p)
			}
			if f.Name == "Who" {
				of.who = f.Index
			}
			if tag, ok := f.Tag.Lookup("word"); ok {
				full, none, _ := strings.Cut(tag, "|")
				of.words = append(of.words, chooser{f.Index, full, none})
			}
		}
	}
	if apply, ok := t.MethodByName("Apply"); ok && apply.Type.NumIn() == 2 { // the receiver, and the sheet
		of.sheet, of.apply = apply.Type.In(1), apply.Func
		if of.sheet.Kind() == reflect.Pointer {
			of.sheet = of.sheet.Elem()
		}
	}
	tellings.Store(t, of)
	return of
}

// placeOf reads a field's say tag: a name of its own, and how it's said.
func placeOf(f reflect.StructField) place {
	p := place{name: f.Name, at: f.Index}
	if f.Name == "Who" {
		p.name, p.how = "Name", "name"
	}
	for part := range strings.SplitSeq(f.Tag.Get("say"), ",") {
		switch {
		case part == "":
		case unicode.IsUpper(rune(part[0])):
			p.name = part
		default:
			p.how = part
		}
	}
	return p
}

// Dashed writes a Go name as ids are written: StressMarked is stress-marked, NPCHarmed npc-harmed.
func Dashed(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// TypeOf is what an event is called, in the journal too: by its package and its type, unless it has a Type of its own. A type that
// gets another name in the source keeps the old one by a Type.
func TypeOf(e rule.Event) string {
	if named, ok := e.(interface{ Type() string }); ok {
		return named.Type()
	}
	return tellingOf(reflect.TypeOf(e)).name
}

// Speak says what an event tells, or what a question is about; false for what says nothing. What a question is about says at least
// whom.
func (v Voice) Speak(x any) (string, bool) {
	if spoken, ok := x.(Spoken); ok {
		return spoken.Spoken(v), true
	}
	if x == nil {
		return "", false
	}
	t := tellingOf(reflect.TypeOf(x))
	word, more := t.chosen(reflect.ValueOf(x)), map[string]any(nil)
	if worded, ok := x.(Worded); ok {
		word = cmp.Or(worded.Word(), word)
	}
	if supplied, ok := x.(Supplied); ok {
		more = supplied.Data(v)
	}
	if !v.Has(word) {
		if t.about && t.who != nil {
			return v.Name(reflect.ValueOf(x).FieldByIndex(t.who).String()), true
		}
		return "", false
	}
	return v.Tell(word, t.data(v, reflect.ValueOf(x), more)), true
}

// chosen is the word of an event, or of what a question is about: the first that a field chooses, or else its usual one.
func (t *telling) chosen(x reflect.Value) string {
	for _, w := range t.words {
		value, word := x.FieldByIndex(w.at), w.full
		if value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0 {
			word = w.none
		}
		if word != "" {
			return t.word[:strings.LastIndexByte(t.word, '.')+1] + word
		}
	}
	return t.word
}

// data are an event's fields for its words.
func (t *telling) data(v Voice, x reflect.Value, more map[string]any) map[string]any {
	all := make(map[string]any, len(t.places)+len(more))
	for _, p := range t.places {
		if said, ok := p.said(v, t.game, x.FieldByIndex(p.at)); ok {
			all[p.name] = said
		}
	}
	maps.Copy(all, more)
	return all
}

func (p place) said(v Voice, game string, value reflect.Value) (any, bool) {
	if said, ok := value.Interface().(Said); ok {
		return said.Said(v), true
	}
	switch value.Kind() {
	case reflect.String:
		text := value.String()
		switch _, person := value.Interface().(form.Ref); {
		case p.how == "name" || person:
			return v.Name(text), true
		case p.how != "":
			return Word(game + "." + p.how + "." + text), true
		}
		return text, true
	case reflect.Int:
		if p.how == "signed" {
			return Signed(int(value.Int())), true
		}
		return int(value.Int()), true
	case reflect.Slice:
		texts := make([]string, 0, value.Len())
		for i := range value.Len() {
			each, ok := p.said(v, game, value.Index(i))
			if !ok {
				return nil, false
			}
			text, ok := each.(string)
			if word, isWord := each.(Word); isWord {
				text, ok = v.Say(string(word)), true
			}
			if !ok {
				return nil, false
			}
			texts = append(texts, text)
		}
		return v.List(texts), true
	}
	return nil, false
}

// When is a word where something is so, "" elsewhere.
func When(so bool, word string) string {
	if so {
		return word
	}
	return ""
}

// Signed writes a modifier as people read it: "+2", "−1", "+0".
func Signed(n int) string {
	if n < 0 {
		return "−" + strconv.Itoa(-n)
	}
	return "+" + strconv.Itoa(n)
}

// AsChange is what an event does to a sheet; false for one that changes none. An event that has Whose and Apply is one itself; for
// others Who is whose sheet it is, and Apply gets a copy to change.
func AsChange(e rule.Event) (Change, bool) {
	if c, ok := e.(Change); ok || e == nil {
		return c, ok
	}
	if t := tellingOf(reflect.TypeOf(e)); t.sheet != nil && t.who != nil {
		return applied{reflect.ValueOf(e), t}, true
	}
	return nil, false
}

// applied changes a sheet as an event's Apply does.
type applied struct {
	event reflect.Value
	*telling
}

func (a applied) Whose() string { return a.event.FieldByIndex(a.who).String() }

// Apply changes a copy of a sheet of the type that the event is about, or of one that embeds it.
func (a applied) Apply(sheet any) any {
	if sheet == nil {
		return nil
	}
	if a.sheet.Kind() == reflect.Interface {
		return a.apply.Call([]reflect.Value{a.event, reflect.ValueOf(sheet)})[0].Interface()
	}
	whole := reflect.New(reflect.TypeOf(sheet))
	whole.Elem().Set(reflect.ValueOf(sheet))
	part := whole.Elem()
	if part.Type() != a.sheet {
		if part.Kind() != reflect.Struct {
			return sheet
		}
		if embedded, ok := part.Type().FieldByName(a.sheet.Name()); !ok || !embedded.Anonymous || embedded.Type != a.sheet {
			return sheet
		}
		part = part.FieldByName(a.sheet.Name())
	}
	a.apply.Call([]reflect.Value{a.event, part.Addr()})
	return whole.Elem().Interface()
}

// After is a sheet as it is after an event.
func After[S any](sheet S, e rule.Event) S {
	if own, ok := e.(interface{ Apply(sheet *S) }); ok {
		own.Apply(&sheet)
		return sheet
	}
	if c, ok := AsChange(e); ok {
		sheet, _ = c.Apply(sheet).(S)
	}
	return sheet
}

// Tell tells an event, and gives the sheet as it is then to a rule that goes on with it.
func Tell[S any](r *rule.Run, sheet S, e rule.Event) S {
	r.Tell(e)
	return After(sheet, e)
}

// Add puts an item into a copy of a list: as all that Apply does to lists, since other sheets share them.
func Add[T any](list *[]T, items ...T) { *list = append(slices.Clone(*list), items...) }

// Drop takes the item at a place out of a copy of a list; none where nothing stands there.
func Drop[T any](list *[]T, at int) {
	if at >= 0 && at < len(*list) {
		*list = slices.Delete(slices.Clone(*list), at, at+1)
	}
}

// Edit changes the item at a place in a copy of a list; none where nothing stands there.
func Edit[T any](list *[]T, at int, change func(*T)) {
	if at >= 0 && at < len(*list) {
		*list = slices.Clone(*list)
		change(&(*list)[at])
	}
}

// Tell tells events, and gives the scene as it is then to a rule that goes on with it.
func (s Scene) Tell(r *rule.Run, events ...rule.Event) Scene {
	r.Tell(events...)
	return s.After(events...)
}

// After is the scene as it is after events.
func (s Scene) After(events ...rule.Event) Scene {
	s.Cast = maps.Clone(s.Cast)
	for _, e := range events {
		if c, ok := AsChange(e); ok {
			if m, there := s.Cast[c.Whose()]; there {
				m.Sheet = c.Apply(m.Sheet)
				s.Cast[c.Whose()] = m
			}
		}
	}
	return s
}

// List says values one after the other.
func List[T Said](v Voice, values []T) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = value.Said(v)
	}
	return v.List(texts)
}

// Resolved is told by a rule as soon as it's settled how somebody's throw
// came out, so that people see it while questions about the consequences are
// still open. Every game has it.
type Resolved struct {
	Who     string       `json:"who,omitempty"` // id of the character; "" for nobody in particular
	Outcome rule.Outcome `json:"outcome"`
}

// common are the event types that every game has.
var common = []EventType{EventOf[Resolved](), EventOf[Changed](), EventOf[Sentence]()}

// AboutWho is what a question about one character says: their name.
type AboutWho struct {
	Who string `json:"who"`
}

// Came tells how a move came out for who acts, and gives that.
func Came(r *rule.Run, s Scene, outcome rule.Outcome) rule.Outcome {
	r.Tell(Resolved{Who: s.Actor, Outcome: outcome})
	return outcome
}
