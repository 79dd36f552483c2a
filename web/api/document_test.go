package api_test

import (
	"encoding/json"
	"flag"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"norn/games"
	"norn/web/api"
)

var recordDocument = flag.Bool("record-document", false, "write down the API's document as it is")

const documentFile = "testdata/document.json"

// The recorded part of the document is still there, member by member, except texts; new members are
// allowed.
func TestDocumentKeepsEverythingReleased(t *testing.T) {
	answer := httptest.NewRecorder()
	api.New(api.Config{Games: games.All()[:1], Words: spoken()}).ServeHTTP(answer,
		httptest.NewRequest("GET", "/api/openapi.json", nil))
	if *recordDocument {
		if err := os.WriteFile(documentFile, answer.Body.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(documentFile)
	if err != nil {
		t.Fatal(err)
	}
	var recorded, now any
	if err := json.Unmarshal(data, &recorded); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &now); err != nil {
		t.Fatal(err)
	}
	compareKept(t, "", recorded, now)
}

// contained reports whether a list has all of another: what may be one of some values may be one of more.
func contained(some, all []any) bool {
	return !slices.ContainsFunc(some, func(one any) bool {
		return !slices.ContainsFunc(all, func(other any) bool { return reflect.DeepEqual(one, other) })
	})
}

// compareKept reports what was recorded at a place and has changed or is missing.
func compareKept(t *testing.T, at string, recorded, now any) {
	t.Helper()
	was, object := recorded.(map[string]any)
	is, still := now.(map[string]any)
	if !object || !still {
		if !reflect.DeepEqual(recorded, now) {
			t.Errorf("%s: %v, recorded as %v", at, now, recorded)
		}
		return
	}
	for name, value := range was {
		if _, text := value.(string); text && (name == "description" || name == "summary") {
			continue // texts may change
		}
		if all, values := is[name].([]any); values && (name == "enum" || name == "anyOf" && strings.HasSuffix(at, "Request")) &&
			contained(value.([]any), all) {
			continue
		}
		if types, several := is[name].([]any); several && name == "type" && strings.Contains(at, "Request/") &&
			slices.Contains(types, value) {
			continue // a request may accept more
		}
		if less, number := is[name].(float64); number && name == "minimum" && strings.Contains(at, "Request/") &&
			less <= value.(float64) {
			continue // a request may accept more
		}
		if more, text := is[name].(string); text && name == "pattern" && strings.Contains(at, "Request/") &&
			strings.HasPrefix(more, "^("+strings.Trim(value.(string), "^$")+"|") {
			continue // another alternative
		}
		compareKept(t, at+"/"+name, value, is[name])
	}
}
