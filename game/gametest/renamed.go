package gametest

import (
	"encoding/json"
	"strings"
	"testing"
)

// RenameIDs returns a case's JSON with the ids that its characters have at a table: "bram:0", a
// place on bram's sheet, becomes "c2:0".
func RenameIDs(t testing.TB, text string, ids map[string]string) json.RawMessage {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(renameIn(value, ids))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func renameIn(value any, ids map[string]string) any {
	switch value := value.(type) {
	case string:
		who, _, _ := strings.Cut(value, ":")
		if id, ok := ids[who]; ok {
			return id + strings.TrimPrefix(value, who)
		}
	case []any:
		for i := range value {
			value[i] = renameIn(value[i], ids)
		}
	case map[string]any:
		for name := range value {
			value[name] = renameIn(value[name], ids)
		}
	}
	return value
}
