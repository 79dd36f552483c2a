package api

import (
	"encoding/json"
	"slices"
)

// olderVersion names the version that function older writes.
const olderVersion = "3.0"

// older returns the OpenAPI document in version 3.0, for generators of clients that don't read 3.1:
// a type is one word, null is a flag, a constant is a choice of one, and what may be left out has no
// default.
func older(document []byte) ([]byte, error) {
	var whole map[string]any
	if err := json.Unmarshal(document, &whole); err != nil {
		return nil, err
	}
	whole["openapi"] = "3.0.3"
	if info, ok := whole["info"].(map[string]any); ok {
		if license, ok := info["license"].(map[string]any); ok {
			delete(license, "identifier")
		}
	}
	olderIn(whole)
	return json.Marshal(whole)
}

func olderIn(value any) {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			olderIn(one)
		}
	case map[string]any:
		olderSchema(value)
		for name, one := range value {
			if name != "example" && name != "default" && name != "enum" { // these are values
				olderIn(one)
			}
		}
	}
}

// olderSchema rewrites what a schema says otherwise in version 3.0. Of an object that is no schema
// it changes nothing.
func olderSchema(schema map[string]any) {
	if types, several := schema["type"].([]any); several {
		olderTypes(schema, types)
	}
	switch constant := schema["const"].(type) {
	case nil, map[string]any: // a property may be called so
	default:
		delete(schema, "const")
		schema["enum"] = []any{constant}
	}
	if properties, has := schema["properties"].(map[string]any); has {
		optionalDefaults(schema, properties)
	}
	if examples, several := schema["examples"].([]any); several {
		delete(schema, "examples")
		if len(examples) > 0 {
			schema["example"] = examples[0]
		}
	}
	if schema["contentEncoding"] == "base64" {
		delete(schema, "contentEncoding")
		schema["format"] = "byte"
	}
}

// optionalDefaults puts the defaults of optional properties aside: to some generators a property with
// a default is always there, so a client would have to send it.
func optionalDefaults(schema, properties map[string]any) {
	required, _ := schema["required"].([]any)
	for name, property := range properties {
		of, object := property.(map[string]any)
		standard, has := of["default"]
		if object && has && !slices.Contains(required, any(name)) {
			delete(of, "default")
			of["x-default"] = standard
		}
	}
}

// limitsOf lists what limits values of a type alone.
var limitsOf = map[string][]string{
	"integer": {"minimum", "maximum"}, "number": {"minimum", "maximum"},
	"string": {"minLength", "maxLength", "pattern", "format"}, "array": {"items", "minItems", "maxItems", "uniqueItems"},
}

func olderTypes(schema map[string]any, types []any) {
	delete(schema, "type")
	if i := slices.Index(types, any("null")); i >= 0 {
		types = slices.Delete(slices.Clone(types), i, i+1)
		schema["nullable"] = true
	}
	if len(types) == 1 {
		schema["type"] = types[0]
		return
	}
	choices, _ := schema["enum"].([]any)
	delete(schema, "enum")
	var ways []any
	for _, t := range types {
		name, _ := t.(string)
		way := map[string]any{"type": name}
		for _, limit := range limitsOf[name] {
			if value, limits := schema[limit]; limits {
				way[limit] = value
			}
		}
		for _, choice := range choices {
			if typeName(choice) == name {
				all, _ := way["enum"].([]any)
				way["enum"] = append(all, choice)
			}
		}
		ways = append(ways, way)
	}
	for _, t := range types {
		name, _ := t.(string)
		for _, limit := range limitsOf[name] {
			delete(schema, limit)
		}
	}
	schema["anyOf"] = ways
}

// typeName returns the type of a JSON value.
func typeName(value any) string {
	switch value.(type) {
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		return "integer"
	}
	return ""
}
