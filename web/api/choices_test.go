package api_test

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"
)

// Who asks for no language reads the table's: refusals, questions, and which choice is which. Each
// choice has its value and its label.
func TestChoicesHaveLabelsInTheTablesLanguage(t *testing.T) {
	c := serve(t)
	made := c.send("POST", "/api/v1/tables", "", body{"game": "spire", "name": "Вечер", "lang": "ru"}).want(201)
	at, secret := "/api/v1/tables/"+made.text(t, "id"), made.text(t, "seat", "secret")
	for language, title := range map[string]string{"": "кровь", "*": "кровь", "de": "кровь", "en": "blood", "uk": "кров"} {
		c.lang = language
		refused := c.send("POST", at+"/moves", secret, body{"move": "nothing", "args": body{}})
		if got, want := refused.header.Get("Content-Language"), map[string]string{"en": "en", "uk": "uk"}[language]; got != cmp.Or(want, "ru") {
			t.Errorf("asked for %q it answers in %q", language, got)
		}
		character := c.send("POST", at+"/characters", secret, body{"name": "Vex " + strings.ReplaceAll(language, "*", "any"), "kind": "character"}).want(201).text(t, "id")
		open := c.send("POST", at+"/moves", secret,
			body{"move": "check", "character": character, "dice": []int{1}, "args": body{}}).want(202)
		schema, err := json.Marshal(open.at(t, "open", 0, "schema"))
		if err != nil {
			t.Fatal(err)
		}
		var q struct {
			Properties struct {
				Resistance struct {
					Title string
					Enum  []string
					OneOf []struct{ Const, Title string }
				}
			}
		}
		if err := json.Unmarshal(schema, &q); err != nil {
			t.Fatal(err)
		}
		f := q.Properties.Resistance
		if len(f.Enum) == 0 || len(f.OneOf) != len(f.Enum) || f.Title == "" {
			t.Fatalf("%q: the question's schema is %s", language, schema)
		}
		for i, one := range f.OneOf {
			if one.Const != f.Enum[i] || one.Title == "" {
				t.Errorf("%q: choice %d is %+v, its value %q", language, i, one, f.Enum[i])
			}
			if one.Const == "blood" && !strings.EqualFold(one.Title, title) {
				t.Errorf("%q: blood is called %q", language, one.Title)
			}
		}
	}
}

// Generators of clients that know OpenAPI 3.0 alone get the document in it: every type is one word.
func TestDocumentComesAsOpenAPI30Too(t *testing.T) {
	c := serve(t)
	document := c.send("GET", "/api/openapi.json?version=3.0", "", nil).want(200)
	if v := document["openapi"]; v != "3.0.3" {
		t.Errorf("version %v", v)
	}
	var look func(at string, value any)
	look = func(at string, value any) {
		switch value := value.(type) {
		case []any:
			for _, one := range value {
				look(at, one)
			}
		case map[string]any:
			if types, several := value["type"].([]any); several {
				t.Errorf("%s: type %v", at, types)
			}
			if _, schema := value["const"].(string); schema {
				t.Errorf("%s: a constant", at)
			}
			for name, one := range value {
				if name != "example" && name != "default" && name != "enum" {
					look(at+"/"+name, one)
				}
			}
		}
	}
	look("", map[string]any(document))
	var opening struct {
		Required   []string
		Properties map[string]map[string]any
	}
	asked, _ := json.Marshal(document.at(t, "components", "schemas", "NewTable"))
	if err := json.Unmarshal(asked, &opening); err != nil || opening.Properties["lang"]["x-default"] != "en" ||
		opening.Properties["lang"]["default"] != nil {
		t.Errorf("a table is opened by %s, %v", asked, err)
	}
	if newer := c.send("GET", "/api/openapi.json", "", nil).want(200)["openapi"]; newer != "3.1.0" {
		t.Errorf("without a version it's %v", newer)
	}
	faces, _ := json.Marshal(document.at(t, "components", "schemas", "MoveRequest", "properties", "dice", "items"))
	if !strings.Contains(string(faces), `{"maximum":1000000,"minimum":-1,"type":"integer"}`) || !strings.Contains(string(faces), `"type":"string"`) {
		t.Errorf("faces are %s", faces)
	}
}
