package table

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"norn/table/request"

	"pgregory.net/rapid"
)

// byDecoding does the same as canonical by decoding and encoding.
func byDecoding(data []byte) (string, error) {
	var value any
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return "", err
	}
	again, err := json.Marshal(value)
	return string(again), err
}

func TestEqualJSONHasTheSameCanonicalForm(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a", "b", "", "<&>", "\u2028", "\\", `"`, "{", "]"}))
	quoted := rapid.Custom(func(rt *rapid.T) string {
		if rapid.Bool().Draw(rt, "by code") {
			return fmt.Sprintf(`"\u%04x\/"`, rapid.SampledFrom([]int{'a', 'b', 0xd800, 0xfffd, 0}).Draw(rt, "code"))
		}
		data, err := json.Marshal(text.Draw(rt, "text"))
		if err != nil {
			rt.Fatal(err)
		}
		return string(data)
	})
	leaf := rapid.OneOf(quoted, rapid.SampledFrom([]string{
		"1", "-0", "1.50", "1e5", "true", "false", "null", "{}",
		"[]",
	}))
	var value func(depth int) *rapid.Generator[string]
	value = func(depth int) *rapid.Generator[string] {
		if depth == 0 {
			return leaf
		}
		return rapid.OneOf(leaf,
			rapid.Custom(func(rt *rapid.T) string {
				return "[" + strings.Join(rapid.SliceOfN(value(depth-1), 0, 4).Draw(rt, "items"), " , ") + "]"
			}),
			rapid.Custom(func(rt *rapid.T) string {
				members := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) string {
					return quoted.Draw(rt, "name") + " : " + value(depth-1).Draw(rt, "value")
				}), 0, 5).Draw(rt, "members")
				return "{" + strings.Join(members, ",\n") + "}"
			}),
		)
	}
	rapid.Check(t, func(rt *rapid.T) {
		source := value(4).Draw(rt, "JSON")
		data, err := json.Marshal(json.RawMessage(source)) // as in a request
		if err != nil {
			rt.Fatal(err)
		}
		want, err := byDecoding(data)
		if err != nil {
			rt.Fatal(err)
		}
		if got := string(canonical(nil, data, 0)); got != want {
			rt.Errorf("%s: %s, want %s", source, got, want)
		}
	})
}

// Deeply nested JSON takes time in proportion to its length.
func TestFingerprintOfDeeplyNestedJSONIsComputed(t *testing.T) {
	if testing.Short() {
		t.Skip("slow: does the same thing many times")
	}
	deep := func(filling string) json.RawMessage {
		return json.RawMessage(strings.Repeat("[", 9000) + `"` + strings.Repeat(filling, 1<<20) + `"` +
			strings.Repeat("]", 9000))
	}
	a, b := fingerprint("move", request.Move{Args: deep("a")}), fingerprint("move", request.Move{Args: deep("b")})
	if a == b || a == "" || a != fingerprint("move", request.Move{Args: deep("a")}) {
		t.Errorf("%q and %q", a, b)
	}
	if got := fingerprint("move", request.Move{Args: json.RawMessage(`{`)}); got != "" {
		t.Errorf("what is no JSON has the fingerprint %q", got)
	}
}

// Fingerprints are stored in journals and must not change.
func TestFingerprintsOfEarlierReleasesDoNotChange(t *testing.T) {
	got := fingerprint("move", request.Move{
		Move: "check", Character: "c1",
		Args: json.RawMessage(`{"b":1, "a":["<",2.50]}`), Nonce: "n", Dice: []int{1, 2},
	})
	if want := "6Q76yr-EK4SQEjgS8KzdLWMNd_JQD7-WtMzvSQQrV5Q"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func BenchmarkFingerprint(b *testing.B) {
	r := request.Move{
		Move: "check", Character: "c1",
		Args: json.RawMessage(`{"skill":"sneak","domain":"crime","risk":"d3","resistance":"blood"}`), Nonce: "n17",
	}
	b.ReportAllocs()
	for b.Loop() {
		fingerprint("move", r)
	}
}
