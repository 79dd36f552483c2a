package act

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"reflect"
	"slices"
	"strconv"

	"norn/form"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// Spec defines an act: what a seat asks for, the entry that comes of it, and its operation in the API.
// Whoever does it, be it a page, a chat, an agent or the API, sends a Request and gets an Answer.
//
// A field of Request is read by its form tags. One that the operation's address holds has a tag
// address:"sid", one that no form can hold a tag part:"sheet"; both have json:"-".
type Spec[Request, Answer any] struct {
	Name string // of the operation, and in the address of a page's form
	Op   string // in the fingerprints of keys, which journals hold: it never changes
	Route
	Build   func(c Call, r Request) (ledger.Draft, error)
	Key     func(r Request) any                       // what a key is the key of, likewise: its JSON never changes
	Respond func(secret string, made *Written) Answer // nil where the answer is the entry

	// Now is of an act that sets one of the table's values: the request that would set it as it is. The game master's
	// page has a form of it, and so has the line a command, which says the request's first field. Its words are those
	// that begin with "table.act." and its name.
	Now  func(v view.Values) Request
	Link func(v view.Values) string // where the bar of each page leads by the value, "" for nowhere; nil for no link
}

// Route is what the API's document says of an act's operation.
type Route struct {
	Method, Path       string // Path is below the table's address
	Tag, Summary, Text string
	Status             int    // of a good answer; 200 unless set
	Body               string // the name of the body's schema; "" where the operation has no body
	Example            map[string]any
	Parts              map[string]Part // of the body, besides what the form asks for
	PerGame            string          // the part that each game has a schema of, "" for none
	Tool               string          // what agents call it, "" for what they don't do
	// what a refusal calls the last of the address's parameters where there's no such thing
	Missing string
}

// Part is a member of a body that no form asks for.
type Part struct {
	Schema   map[string]any
	Required bool
	Unsent   json.RawMessage // what it is where it isn't sent, nil for nothing
}

// Call is who does an act, and what norn adds.
type Call struct {
	visibility.Eye
	Secret  func() string // by which the seat was entered
	Entropy io.Reader
}

// Written is the entry that an act has made.
type Written struct {
	Record *state.Record
	Shown  view.Entry
}

// Act is an act that was defined, by the types of what it takes and of how it's answered.
type Act[Request, Answer any] struct{ *Definition }

// Definition is an act whatever its types are.
type Definition struct {
	Name, Op string
	Route
	Form    *form.Form   // of what New returns
	Answer  reflect.Type // of what Respond returns
	New     func() Input
	Build   func(c Call, request any) (ledger.Draft, error)
	Key     func(request any) any
	Respond func(secret string, made *Written) any
	Now     func(v view.Values) url.Values // what its form holds; nil where it sets no value
	Link    func(v view.Values) string
}

// All are the acts that were defined. Apart are moves, answers, attachments, what no seat signs, and what is
// done from outside of a table.
var All []*Definition

// Define adds an act to All.
func Define[Request, Answer any](s Spec[Request, Answer]) Act[Request, Answer] {
	respond := func(secret string, made *Written) any { return any(made.Shown) }
	if s.Respond != nil {
		respond = func(secret string, made *Written) any { return s.Respond(secret, made) }
	}
	d := &Definition{
		Name: s.Name, Op: s.Op, Route: s.Route, Form: form.Of[sent[Request]](), Answer: reflect.TypeFor[Answer](),
		New:     func() Input { return new(sent[Request]) },
		Build:   func(c Call, request any) (ledger.Draft, error) { return s.Build(c, request.(Request)) },
		Key:     func(request any) any { return s.Key(request.(Request)) },
		Respond: respond, Link: s.Link,
	}
	if s.Now != nil {
		d.Now = func(v view.Values) url.Values { return d.FormWithoutKey().Inputs(sent[Request]{Asked: s.Now(v)}) }
	}
	All = append(All, d)
	return Act[Request, Answer]{d}
}

// FormWithoutKey is the form of the request without its key.
func (d *Definition) FormWithoutKey() *form.Form { return d.Form.Without("key") }

// Find finds an act by its name, nil where there's none.
func Find(name string) *Definition {
	if i := slices.IndexFunc(All, func(d *Definition) bool { return d.Name == name }); i >= 0 {
		return All[i]
	}
	return nil
}

// Input is a request that is being read. The form of its act reads into it, too.
type Input interface {
	// Request returns what was read, and its key.
	Request() (request any, key string)
	// Typed takes the texts that a page's form sends, as they are; get finds those of a field.
	Typed(get func(name string) []string)
	// Address takes a parameter of an address.
	Address(name, value string)
	// Part takes a part of a body. The error is form.Problems.
	Part(name string, data json.RawMessage) error
	// Given says that a field was sent, to a request that tells that from one that wasn't.
	Given(name string)
}

// sent is a request with its key.
type sent[Request any] struct {
	Asked Request `form:"inline"`
	Key   string  `json:"key" form:"text" doc:"any text; sent again with it, it's done once"`
}

func (s *sent[Request]) Request() (any, string) { return s.Asked, s.Key }

// field finds a field by one of its tags.
func (s *sent[Request]) field(tag, name string) (reflect.Value, bool) {
	asked := reflect.ValueOf(&s.Asked).Elem()
	for i := range asked.NumField() {
		if asked.Type().Field(i).Tag.Get(tag) == name {
			return asked.Field(i), true
		}
	}
	return reflect.Value{}, false
}

func (s *sent[Request]) Address(name, value string) {
	if f, ok := s.field("address", name); ok {
		f.SetString(value)
	}
}

func (s *sent[Request]) Given(name string) {
	if r, ok := any(&s.Asked).(interface{ Given(name string) }); ok {
		r.Given(name)
	}
}

func (s *sent[Request]) Part(name string, data json.RawMessage) error {
	f, ok := s.field("part", name)
	if !ok {
		panic(fmt.Sprintf("act: %T has no part %q", s.Asked, name))
	}
	if raw, ok := f.Addr().Interface().(*json.RawMessage); ok {
		*raw = data
		return nil
	}
	if json.Unmarshal(data, f.Addr().Interface()) != nil {
		return form.Problems{{Path: name, Code: form.Type, Given: "…", Allowed: []string{string(form.KindList)}}}
	}
	return nil
}

func (s *sent[Request]) Typed(get func(name string) []string) {
	if key := get("key"); len(key) > 0 {
		s.Key = key[0]
	}
	asked := reflect.ValueOf(&s.Asked).Elem()
	for i := range asked.NumField() {
		tags := asked.Type().Field(i).Tag
		name := tags.Get("json")
		for _, tag := range []string{"address", "part"} {
			if tags.Get(tag) != "" {
				name = tags.Get(tag)
			}
		}
		texts := get(name)
		if len(texts) == 0 {
			continue
		}
		switch f := asked.Field(i); {
		case f.Kind() == reflect.String:
			f.SetString(texts[0])
		case f.Kind() == reflect.Bool:
			f.SetBool(texts[0] != "")
		case f.CanInt():
			n, _ := strconv.ParseInt(texts[0], 10, 64) // what is no number is 0, which the table refuses
			f.SetInt(n)
		case f.Type() == reflect.TypeFor[[]string]():
			f.Set(reflect.ValueOf(texts))
		}
	}
}

// Nothing is the request of an act that needs nothing but who does it.
type Nothing struct{}

func nothing(Nothing) any { return nil }

// keyOnly is the body of an act that needs nothing but its address.
const keyOnly = "KeyOnly"
