package game

import (
	"cmp"
	"maps"
	"path"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"norn/form"
)

// An event, or a question's subject, is a struct whose tags describe it:
//
// 	type Struck struct {
// 		Who      string `json:"who"`                     // whose sheet it changes; {{.Name}} in its words
// 		By       string `json:"by" say:"name"`           // a character: {{.By}} is their name
// 		Severity string `json:"severity" say:"severity"` // the word <game>.severity.<value>
// 		Amount   int    `json:"amount" say:"N"`          // {{.N}}, which selects the plural form
// 		Modifier int    `json:"modifier" say:"signed"`   // "+2"
// 		Marks    Marks  `json:"marks"`                   // in its own words, by its SayIn
// Out bool `json:"out" word:"out-cold"` // if set, the word spire.event.out-cold; if not:
// word:"|awake" }
//
// 	func (e Struck) Apply(c *Character) { c.Stress += e.Amount }
//
// In package spire its type is spire.struck and its text is the word spire.event.struck, with the
// fields as data. The methods Type, Whose and Spoken override this; Word only selects another word,
// and Data adds data.

// Worded is an event, or a question's subject, that has several words. Word returns the id of one,
// or "" for the usual one.
type Worded interface{ Word() string }

// Supplied is an event whose word needs more data than its fields.
type Supplied interface {
	Data(v Voice) map[string]any
}

// Sayer is a value inside an event that has its own text.
type Sayer interface{ SayIn(v Voice) string }

// telling caches what reflection finds about an event's type.
type telling struct {
	game, name, word string // "spire", "spire.struck", "spire.event.struck"
	about            bool   // it is a question's subject
	words            []chooser
	who              []int // index of the field Who
	places           []place
	apply            reflect.Value // its method Apply
	sheet            reflect.Type  // the type of sheet that Apply changes: S for *S, or any
}

// chooser is a field that selects an event's word: one if the field isn't empty, another if it is.
// Each may be "".
type chooser struct {
	at         []int
	full, none string
}

// place is a field in an event's text.
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
	kind, name := "event", KebabCase(t.Name())
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
	if apply, ok := t.MethodByName("Apply"); ok && apply.Type.NumIn() == 2 { // the receiver and the sheet
		of.sheet, of.apply = apply.Type.In(1), apply.Func
		if of.sheet.Kind() == reflect.Pointer {
			of.sheet = of.sheet.Elem()
		}
	}
	tellings.Store(t, of)
	return of
}

// placeOf parses a field's say tag: its name in the text and its format.
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

// KebabCase converts a Go name to an id: StressMarked becomes stress-marked, NPCHarmed npc-harmed.
func KebabCase(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Speak returns the text of an event or of a question's subject, or false if it has none. A
// question's subject at least names the character.
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

// chosen returns the word of an event or a question's subject: the first that a field selects, or
// else the usual one.
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

// data returns an event's fields as data of its text.
func (t *telling) data(v Voice, x reflect.Value, more map[string]any) map[string]any {
	all := make(map[string]any, len(t.places)+len(more))
	for _, p := range t.places {
		if said, ok := p.say(v, t.game, x.FieldByIndex(p.at)); ok {
			all[p.name] = said
		}
	}
	maps.Copy(all, more)
	return all
}

func (p place) say(v Voice, game string, value reflect.Value) (any, bool) {
	if said, ok := value.Interface().(Sayer); ok {
		return said.SayIn(v), true
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
			return SignedNumber(int(value.Int())), true
		}
		return int(value.Int()), true
	case reflect.Slice:
		texts := make([]string, 0, value.Len())
		for i := range value.Len() {
			each, ok := p.say(v, game, value.Index(i))
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

// When returns word if so is true, and otherwise "".
func When(so bool, word string) string {
	if so {
		return word
	}
	return ""
}

// SignedNumber writes a modifier with its sign: "+2", "−1", "+0".
func SignedNumber(n int) string {
	if n < 0 {
		return "−" + strconv.Itoa(-n)
	}
	return "+" + strconv.Itoa(n)
}

// List joins the texts of values.
func List[T Sayer](v Voice, values []T) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = value.SayIn(v)
	}
	return v.List(texts)
}
