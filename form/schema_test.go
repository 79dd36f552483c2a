package form_test

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"norn/form"
)

func resolve(t *testing.T, f *form.Form) *jsonschema.Resolved {
	t.Helper()
	data, err := json.Marshal(f.Schema())
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func validate(t interface{ Fatal(...any) }, schema *jsonschema.Resolved, data []byte) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return schema.Validate(value)
}

func TestSchemaAcceptsEncodedForms(t *testing.T) {
	schema := resolve(t, whole)
	rapid.Check(t, func(t *rapid.T) {
		data := whole.JSON(someSheet().Draw(t, "sheet"))
		if err := validate(t, schema, data); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
	})
}

func TestSchemaAgreesWithDecode(t *testing.T) {
	f := whole.With(
		"skill",
		form.Option{Value: "Hunt"},
	).With(
		"ally",
		form.Option{Value: "c1"},
	).With(
		"team",
		form.Option{Value: "c1"},
	)
	schema := resolve(t, f)
	for _, data := range []string{
		`{}`,
		`{"name":""}`,
		`{"name":"Anna"}`,
		`{"name":"Anna","skill":"Hunt","ally":"c1","team":["c1"]}`,
		`{"name":"Anna","skill":true,"ally":""}`,
		`{"name":"Anna","skill":"Hide"}`,
		`{"name":"Anna","ally":"c2"}`,
		`{"name":"Anna","team":["c1","c1"]}`,
		`{"name":"Anna","difficulty":3}`,
		`{"name":"Anna","die":"d4"}`,
		`{"name":"Anna","tool":""}`,
		`{"name":"Anna","skills":[{"dots":1}]}`,
		`{"name":"Anna","skills":[{"name":"x"},{"name":"x"},{"name":"x"},{"name":"x"}]}`,
		`{"name":"Anna","resist":{"blood":{"stress":13}}}`,
		`{"name":"Anna","dice":[1,2,3,4,5]}`,
		`{"name":"Anna","more":1}`,
		`[]`,
	} {
		var s sheet
		decoded, valid := f.Decode([]byte(data), &s), validate(t, schema, []byte(data))
		if (decoded == nil) != (valid == nil) {
			t.Errorf("%s: Decode says %v, the schema %v", data, decoded, valid)
		}
	}
}
