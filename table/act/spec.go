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

// Spec defines an act: the request, the entry that it writes, and its operation in the API. Pages,
// chats, agents and API clients send a Request and get an Answer.
//
// Fields of Request are read by their form tags. A field from the operation's address has a tag
// such as address:"sid", a field that no form can hold a tag such as part:"sheet"; both have
// json:"-".
type Spec[Request, Answer any] struct {
	Name string // of the operation, and in the address of a page's form
	Op   string // in the fingerprints of keys, which the journal stores: it never changes
	Route
	Build func(c Call, r Request) (ledger.Draft, error)
	// value that identifies the request, likewise: its JSON never changes
	Key     func(r Request) any
	Respond func(secret string, made *Written) Answer // nil if the answer is the entry

	// Now is for an act that sets a value of the table: it returns the request that would set the
	// current value. The act then gets a form on the game master's page, and a chat command that
	// takes the request's first field. Its words begin with "table.act." and its name.
	Now  func(v view.Values) Request
	Link func(v view.Values) string // where the link on each page's bar leads, "" to hide it; nil for no link
	// whether the page shows the form among the table's settings, not among those of the session
	Setting bool
}

// Route describes an act's operation for the API's document.
type Route struct {
	Method, Path       string // Path is below the table's address
	Tag, Summary, Text string
	Status             int    // of a successful response; 200 unless set
	Body               string // name of the body's schema; "" for an operation without a body
	Example            map[string]any
	Parts              map[string]Part // members of the body in addition to the form's
	PerGame            string          // the part whose schema depends on the game, "" for none
	Tool               string          // name of the agents' tool, "" for none
	File               bool            // its body brings a file or rows, which count as an upload
	// the field that a refusal names if the last parameter of the address doesn't exist
	Missing string
}

// Part is a member of a body that isn't a form's field.
type Part struct {
	Schema   map[string]any
	Required bool
	Unsent   json.RawMessage // value of a member that wasn't sent, nil for none
}

// Call is the seat that does an act, and what norn adds.
type Call struct {
	*visibility.Eye
	Secret  func() string // returns the seat's own secret
	Entropy io.Reader
}

// Written is the entry that an act has written.
type Written struct {
	Record *state.Record
	Shown  *view.Entry
}

// Act is a defined act, with the types of its request and its answer.
type Act[Request, Answer any] struct{ *Definition }

// Definition is a defined act without its types.
type Definition struct {
	Name, Op string
	Route
	Form    *form.Form   // reads into what New returns
	Answer  reflect.Type // type that Respond returns
	New     func() Input
	Build   func(c Call, request any) (ledger.Draft, error)
	Key     func(request any) any
	Respond func(secret string, made *Written) any
	Now     func(v view.Values) url.Values // values of its form; nil if it sets no value
	Link    func(v view.Values) string
	Setting bool
}

// All lists the defined acts. It has no moves, answers and attachments, no entries without a seat,
// and nothing that is done from outside of a table.
var All []*Definition

// Define adds an act to All.
func Define[Request, Answer any](s Spec[Request, Answer]) Act[Request, Answer] {
	respond := func(secret string, made *Written) any { return any(*made.Shown) }
	if s.Respond != nil {
		respond = func(secret string, made *Written) any { return s.Respond(secret, made) }
	}
	d := &Definition{
		Name: s.Name, Op: s.Op, Route: s.Route, Form: form.Of[sent[Request]](), Answer: reflect.TypeFor[Answer](),
		New:     func() Input { return new(sent[Request]) },
		Build:   func(c Call, request any) (ledger.Draft, error) { return s.Build(c, request.(Request)) },
		Key:     func(request any) any { return s.Key(request.(Request)) },
		Respond: respond, Link: s.Link, Setting: s.Setting,
	}
	if s.Now != nil {
		d.Now = func(v view.Values) url.Values { return d.FormWithoutKey().Inputs(sent[Request]{Asked: s.Now(v)}) }
	}
	All = append(All, d)
	return Act[Request, Answer]{d}
}

// FormWithoutKey returns the form of the request without its key.
func (d *Definition) FormWithoutKey() *form.Form { return d.Form.Without("key") }

// Find returns an act by its name, or nil.
func Find(name string) *Definition {
	if i := slices.IndexFunc(All, func(d *Definition) bool { return d.Name == name }); i >= 0 {
		return All[i]
	}
	return nil
}

// Input is a request that is being read. The form of its act also reads into it.
type Input interface {
	// Request returns what was read, and the key.
	Request() (request any, key string)
	// Typed reads the texts of a page's form unchecked; get returns those of a field.
	Typed(get func(name string) []string)
	// Address reads a parameter of an address.
	Address(name, value string)
	// Part reads a part of a body. The error is form.Problems.
	Part(name string, data json.RawMessage) error
	// Given notes that a field was sent, for a request that treats a missing field differently.
	Given(name string)
}

// sent is a request with its key.
type sent[Request any] struct {
	Asked Request `form:"inline"`
	Key   string  `json:"key" form:"text" doc:"the same key acts once"`
}

func (s *sent[Request]) Request() (any, string) { return s.Asked, s.Key }

// field returns the field with a tag.
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
			// a text that isn't a number becomes 0, which the table refuses
			n, _ := strconv.ParseInt(texts[0], 10, 64)
			f.SetInt(n)
		case f.Type() == reflect.TypeFor[[]string]():
			f.Set(reflect.ValueOf(texts))
		}
	}
}

// Nothing is the request of an act without arguments.
type Nothing struct{}

func nothing(Nothing) any { return nil }

// keyOnly is the body of an act whose arguments are all in its address.
const keyOnly = "KeyOnly"
