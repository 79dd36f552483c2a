package form

// Schema returns the JSON Schema (draft 2020-12) of what Decode accepts, as far as a schema can
// express it: schemas accept 1.0 as a whole number and don't know control characters, so Decode is
// stricter.
func (f *Form) Schema() map[string]any {
	return f.LabelSchema(func(field Field) (title, about string) { return "", field.Doc })
}

// LabelSchema returns the schema with each field's label and hint. An empty label is left out.
func (f *Form) LabelSchema(label Label) map[string]any {
	schema := schemaOf(f.Fields, label)
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	return schema
}

// Label returns the title of a field and a hint.
type Label func(field Field) (title, about string)

func schemaOf(fields []Field, label Label) map[string]any {
	properties, required := map[string]any{}, []string{}
	for i := range fields {
		field := &fields[i]
		properties[field.Name] = field.schema(label)
		if field.mustBeGiven() {
			required = append(required, field.Name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// mustBeGiven reports whether Decode refuses a value without the field.
func (f *Field) mustBeGiven() bool {
	if f.Kind != KindGroup {
		return f.Required && isEmpty(f.Default)
	}
	for i := range f.Fields {
		if f.Fields[i].mustBeGiven() {
			return true
		}
	}
	return false
}

func (f *Field) schema(label Label) map[string]any {
	var schema map[string]any
	switch f.Kind {
	case KindInt:
		schema = map[string]any{"type": "integer", "minimum": f.Min, "maximum": f.Max}
	case KindBool:
		schema = map[string]any{"type": "boolean"}
	case KindChoice:
		schema = map[string]any{"type": "string"}
		if len(f.Options) > 0 { // a table adds the other options
			schema["enum"] = f.values()
		}
	case KindText, KindProse:
		schema = map[string]any{"type": "string", "maxLength": f.Max}
		if f.Required {
			schema["minLength"] = max(1, f.Min)
		}
	case KindTrait:
		schema = map[string]any{"type": []string{"boolean", "string"}, "maxLength": MaxText}
		if f.Options != nil && !f.Open {
			allowed := []any{true, false, "", "*"}
			for _, value := range f.values() {
				allowed = append(allowed, value)
			}
			schema["enum"] = allowed
		}
	case KindRef:
		schema = f.idSchema(!f.Required)
	case KindRefs:
		schema = f.arraySchema(f.idSchema(false))
		schema["uniqueItems"] = true
	case KindFaces:
		schema = f.arraySchema(map[string]any{
			"type": []string{"integer", "string"}, "minimum": 0, "maximum": MaxFace, "pattern": typedPattern,
		})
	case KindList:
		schema = f.arraySchema(schemaOf(f.Fields, label))
	case KindGroup:
		schema = schemaOf(f.Fields, label)
	}
	if f.Default != nil {
		schema["default"] = f.Default
	}
	title, about := label(*f)
	if title != "" {
		schema["title"] = title
	}
	if about != "" {
		schema["description"] = about
	}
	return schema
}

// typedPattern matches the texts that dice.ParseFateFace and dice.ParseTotal read.
const typedPattern = "^([+−-]1?|=[−-]?[0-9]+)$"

func (f *Field) arraySchema(items map[string]any) map[string]any {
	schema := map[string]any{"type": "array", "items": items, "maxItems": f.Max}
	if f.Required {
		schema["minItems"] = max(1, f.Min)
	}
	return schema
}

func (f *Field) idSchema(none bool) map[string]any {
	schema := map[string]any{"type": "string", "maxLength": MaxText}
	if f.Options != nil {
		allowed := f.values()
		if none && !f.allows("") {
			allowed = append(allowed, "")
		}
		schema["enum"] = allowed
	}
	return schema
}
