package game

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Changed records that a field of a sheet changed, for changes without an event type of their own.
// Set makes it.
//
// Its text is the word <game>.changed.<field>: the field's path with dashes, without list indexes.
// If it exists, <field>-more or <field>-less is used for a number or a list that grew or shrank.
// Without any of these it is a general sentence; a list's says which items were added and removed. {{.Name}} is the character, {{.From}} and {{.To}}
// are the values, {{.N}} is the change of a number or a list's length, {{.What}} lists the items
// added or removed.
type Changed struct {
	Who    string `json:"who"`
	Field  string `json:"field"` // path in the sheet: "stress", "willpower.temporary", "gifts.0.used"
	From   Value  `json:"from"`
	To     Value  `json:"to"`
	Secret bool   `json:"secret,omitempty" secret:"whole"` // only game masters see the field or the sheet
	Own    bool   `json:"own,omitempty"`                   // only the player and game masters see the field
}

// Value is the content of a field, as JSON.
type Value string

// MarshalJSON implements json.Marshaler.
func (v Value) MarshalJSON() ([]byte, error) {
	if v == "" {
		return []byte("null"), nil
	}
	return []byte(v), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *Value) UnmarshalJSON(data []byte) error {
	var compact bytes.Buffer
	err := json.Compact(&compact, data)
	*v = Value(compact.String())
	return err
}

func valueOf(value any) Value {
	data, err := json.Marshal(value)
	if err != nil {
		panic("game: a sheet's field can't be " + err.Error())
	}
	return Value(data)
}

// Set makes an event that changes a field of a character's sheet. It panics if the sheet has no
// such field, so check places in lists before.
func Set(who string, sheet any, field string, to any) Changed {
	whole := reflect.New(reflect.TypeOf(sheet)).Elem()
	whole.Set(reflect.ValueOf(sheet))
	value, secrecy, ok := member(whole, field)
	if !ok {
		panic("game: a " + whole.Type().String() + " has no " + field)
	}
	hidden := secrecy == "gm" || isSecret(sheet)
	return Changed{
		Who:    who,
		Field:  field,
		From:   valueOf(value.Interface()),
		To:     valueOf(to),
		Secret: hidden,
		Own:    secrecy == "own" && !hidden,
	}
}

// member finds a field by its path, with the strictest of the secret tags on the way: gm, own or
// none. It copies lists on the way, so that the result may be changed.
func member(of reflect.Value, path string) (found reflect.Value, secrecy string, ok bool) {
	for name := range strings.SplitSeq(path, ".") {
		switch of.Kind() {
		case reflect.Struct:
			fields := reflect.VisibleFields(of.Type())
			i := slices.IndexFunc(fields, func(f reflect.StructField) bool {
				called, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				return f.IsExported() && called == name
			})
			if i < 0 {
				return of, "", false
			}
			if tag := fields[i].Tag.Get("secret"); tag == "gm" || tag == "own" && secrecy == "" {
				secrecy = tag
			}
			of = of.FieldByIndex(fields[i].Index)
		case reflect.Slice:
			at, err := strconv.Atoi(name)
			if err != nil || at < 0 || at >= of.Len() {
				return of, "", false
			}
			list := reflect.MakeSlice(of.Type(), of.Len(), of.Len())
			reflect.Copy(list, of)
			of.Set(list)
			of = list.Index(at)
		default:
			return of, "", false
		}
	}
	return of, secrecy, true
}

// Whose implements Change.
func (e Changed) Whose() string { return e.Who }

// Apply implements Change.
func (e Changed) Apply(sheet any) any {
	if sheet == nil {
		return nil
	}
	whole := reflect.New(reflect.TypeOf(sheet)).Elem()
	whole.Set(reflect.ValueOf(sheet))
	value, _, ok := member(whole, e.Field)
	if !ok {
		return sheet
	}
	to := reflect.New(value.Type())
	if json.Unmarshal([]byte(e.To), to.Interface()) != nil {
		return sheet
	}
	value.Set(to.Elem())
	return whole.Interface()
}

// Stale reports whether the field of the sheet is no longer the one that the change was computed
// from, or doesn't exist.
func (e Changed) Stale(sheet any) bool {
	whole := reflect.New(reflect.TypeOf(sheet)).Elem()
	whole.Set(reflect.ValueOf(sheet))
	value, _, ok := member(whole, e.Field)
	return !ok || valueOf(value.Interface()) != e.From
}

// Spoken implements Spoken.
func (e Changed) Spoken(v Voice) string {
	path := slices.DeleteFunc(
		strings.Split(e.Field, "."),
		func(part string) bool { _, err := strconv.Atoi(part); return err == nil },
	)
	last := path[len(path)-1]
	data := map[string]any{"Name": v.Name(e.Who), "From": e.From.say(v, last), "To": e.To.say(v, last)}
	word, by := v.Game+".changed."+strings.Join(path, "-"), 0
	var came, went []string // items of a list
	if was, is, ok := e.numbers(); ok {
		by = is - was
	} else if was, is, ok := e.lists(); ok {
		by = len(is) - len(was)
		came, went = texts(v, last, beside(is, was)), texts(v, last, beside(was, is))
		data["What"] = v.List(came)
		if by < 0 {
			data["What"] = v.List(went)
		}
	}
	data["N"] = max(by, -by)
	direction := word + "-more"
	if by < 0 {
		direction = word + "-less"
	}
	switch {
	case by != 0 && v.Has(direction):
		return v.Say(direction, data)
	case v.Has(word):
		return v.Say(word, data)
	case len(came) > 0 || len(went) > 0:
		return v.SayItems(v.Name(e.Who), v.Label(last), came, went)
	}
	return v.SayChange(v.Name(e.Who), v.Label(last), e.From.say(v, last), e.To.say(v, last))
}

func (e Changed) numbers() (was, is int, ok bool) {
	was, first := strconv.Atoi(string(e.From))
	is, then := strconv.Atoi(string(e.To))
	return was, is, first == nil && then == nil
}

func (e Changed) lists() (was, is []any, ok bool) {
	wasn := json.Unmarshal([]byte(e.From), &was)
	isn := json.Unmarshal([]byte(e.To), &is)
	return was, is, wasn == nil && isn == nil
}

// beside returns the items of a list that another list lacks.
func beside(list, other []any) []any {
	left := slices.Clone(other)
	var more []any
	for _, item := range list {
		if i := slices.IndexFunc(left, func(o any) bool { return reflect.DeepEqual(o, item) }); i >= 0 {
			left = slices.Delete(left, i, i+1)
		} else {
			more = append(more, item)
		}
	}
	return more
}

// say returns the value in words.
func (v Value) say(voice Voice, field string) string {
	var value any
	if json.Unmarshal([]byte(v), &value) != nil {
		return "—"
	}
	if all := texts(voice, field, []any{value}); len(all) > 0 {
		return voice.List(all)
	}
	return "—"
}

// texts returns values of a field in words; for items, the texts that people wrote.
func texts(v Voice, field string, values []any) []string {
	var all []string
	for _, value := range values {
		switch value := value.(type) {
		case float64:
			all = append(all, v.Number(int(value)))
		case bool:
			all = append(all, v.Whether(value))
		case string:
			if value != "" {
				all = append(all, v.ChoiceName(field, value))
			}
		case []any:
			all = append(all, texts(v, field, value)...)
		case map[string]any:
			for name, only := range value { // an item that is a single choice, such as a card
				if text, ok := only.(string); ok && len(value) == 1 && text != "" && name != "name" && name != "text" {
					all = append(all, v.ChoiceName(name, text))
				}
			}
			for _, name := range []string{"name", "text"} {
				if text, ok := value[name].(string); ok && text != "" {
					all = append(all, v.ChoiceName(name, text))
					break
				}
			}
		}
	}
	return all
}

// Label returns the name of a field: the game's word, or else the field's own name.
func (v Voice) Label(field string) string {
	if id := v.Game + ".field." + field; v.Has(id) {
		return v.Say(id)
	}
	return plainly(field)
}

// ChoiceName returns the word of a choice in a set, or a name that people gave.
func (v Voice) ChoiceName(set, value string) string {
	for _, id := range []string{v.Game + "." + set + "." + value, v.Game + ".field." + value} {
		if v.Has(id) {
			return v.Say(id)
		}
	}
	return value
}

// plainly returns an id as readable text: "position-lost" becomes "Position lost".
func plainly(id string) string {
	text := strings.ReplaceAll(id, "-", " ")
	if text == "" {
		return text
	}
	first := []rune(text)
	return strings.ToUpper(string(first[:1])) + string(first[1:])
}
