package view

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"norn/form"
	"norn/game"
)

// filling fills every field, so that a test notices one that AppendJSON forgets.
type filling struct{ *rand.Rand }

var someTexts = []string{"", "", "c1", "Вексіс & <Ко>", "a \"b\"\\", "\u2028", "line\nbreak", "\xff", "\x7f", "🎲"}

func (f filling) fill(v reflect.Value) {
	if v.CanInterface() {
		switch v.Interface().(type) {
		case time.Time:
			v.Set(reflect.ValueOf(time.UnixMicro(f.Int64N(4e15)).UTC()))
			return
		case json.RawMessage:
			v.SetBytes([]byte([]string{"", `{"who":"c1","n":[1,2]}`, `"\u003c"`}[f.IntN(3)]))
			return
		}
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(someTexts[f.IntN(len(someTexts))])
	case reflect.Int:
		v.SetInt(f.Int64N(2000) - 1000)
	case reflect.Uint64:
		v.SetUint(f.Uint64N(3) * f.Uint64())
	case reflect.Float64:
		v.SetFloat([]float64{0, 1, 0.25, 1.0 / 3, 1e-9}[f.IntN(5)])
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Pointer:
		if f.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem())
		}
	case reflect.Slice:
		if n := f.IntN(4) - 1; n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				f.fill(v.Index(i))
			}
		}
	case reflect.Map:
		if n := f.IntN(5) - 1; n >= 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n {
				v.SetMapIndex(reflect.ValueOf(someTexts[f.IntN(len(someTexts)-3)]), reflect.ValueOf(f.value()))
			}
		}
	case reflect.Interface:
		if f.IntN(3) > 0 {
			v.Set(reflect.ValueOf(f.value()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	default:
		panic("a field is a " + v.Kind().String())
	}
}

// value returns the value of a form's field, or one of another type.
func (f filling) value() any {
	text := someTexts[f.IntN(len(someTexts))]
	return []any{
		text, form.Trait(text), form.Yes, f.IntN(2) == 0, f.IntN(100) - 50,
		[]string{text, "b"},
		[]string(nil),
		[]int{1, -2},
		[]int{},
		map[string]any{"b": text, "a": 1, "<": nil},
		[]map[string]any{{"n": 1}, nil},
		struct{ X string }{text},
		2.5, json.RawMessage(`{"dodge":true}`),
	}[f.IntN(14)]
}

func TestAppendJSONEqualsJSONMarshal(t *testing.T) {
	f := filling{rand.New(rand.NewPCG(1, 2))}
	for range 3000 {
		var e Entry
		f.fill(reflect.ValueOf(&e).Elem())
		want, err := json.Marshal(game.EmptyLists(e))
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		json.HTMLEscape(&got, e.AppendJSON(nil))
		if !bytes.Equal(got.Bytes(), want) {
			t.Fatalf("%s\nwant\n%s", got.Bytes(), want)
		}
	}
}

func sample() *Entry {
	n := 2
	return &Entry{
		Seq: 17, Time: time.Date(2026, 3, 1, 20, 0, 0, 123456000, time.UTC), Kind: KindMove,
		Seat: Author{"s2", "Anna", false}, Move: "m17", Name: "check", Character: "c1",
		Args: map[string]any{
			"skill": form.Trait("sneak"), "domain": form.Trait("crime"), "risk": "d3", "resistance": "blood",
			"difficulty": 0, "with": []string{}, "against": "",
			"mastery": false, "bonus": 0, "text": "",
		},
		Throws: []Throw{{
			Place: "#0", For: "pool", Sides: 10, Faces: []int{3, 9, 10},
			Marks: []game.Mark{"", "", "deciding"},
		}},
		Outcome: &Outcome{
			ID: "stress", N: &n, Tone: game.Mixed, Text: "success at a cost: 2 stress",
			Character: "c1",
		},
		Luck: &Luck{"7/10", 0.7, 41},
		Lines: []Line{{
			Type: "spire.stress-marked", Text: "Hero 1 marks 2 stress on Blood",
			Data: json.RawMessage(`{"who":"c1","n":2}`),
		}},
		Questions: []Asked{}, Done: true,
		Check: &Check{Table: "abcdefgh", Session: 1, Commitment: "00ff", Shares: []string{}, Move: "m17", Nonce: "n17"},
		Rules: "dev",
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	e, to := sample(), make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		to = e.AppendJSON(to[:0])
	}
}

// BenchmarkEncodeJSON measures the same by encoding/json.
func BenchmarkEncodeJSON(b *testing.B) {
	e, to := sample(), bytes.Buffer{}
	b.ReportAllocs()
	for b.Loop() {
		to.Reset()
		if err := json.NewEncoder(&to).Encode(e); err != nil {
			b.Fatal(err)
		}
	}
}
