package form

// Schema returns the JSON Schema (draft 2020-12) of what Decode accepts, as far as a schema can
// express it: schemas accept 1.0 as a whole number and don't know control characters, so Decode is
// stricter.
func (f *Form) Schema() map[string]any {
	return f.LabelSchema(func(field Field) (title, about string) { return "", field.Doc }, nil)
}

// LabelSchema returns the schema with each field's label and hint, and with the labels of its
// choices. An empty label is left out; choice may be nil.
func (f *Form) LabelSchema(label Label, choice ChoiceLabel) map[string]any {
	schema := schemaOf(f.Fields, labels{label, choice})
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	return schema
}

// Label returns the title of a field and a hint.
type Label func(field Field) (title, about string)

// ChoiceLabel returns the title of one of a field's options.
type ChoiceLabel func(field Field, option Option) string

// labels names what a schema has; choice may be nil.
type labels struct {
	field  Label
	choice ChoiceLabel
}

// among adds the values that a field may have to its schema, and which of its options each is.
func (l labels) among(schema map[string]any, f *Field, values []any) {
	schema["enum"] = values
	if l.choice == nil {
		return
	}
	var all []any
	for _, value := range values {
		one := map[string]any{"const": value}
		for _, o := range f.Options {
			if o.Value == value {
				one["title"] = l.choice(*f, o)
				break
			}
		}
		all = append(all, one)
	}
	schema["oneOf"] = all
}

func schemaOf(fields []Field, label labels) map[string]any {
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

func (f *Field) schema(label labels) map[string]any {
	var schema map[string]any
	switch f.Kind {
	case KindInt:
		schema = map[string]any{"type": "integer", "minimum": f.Min, "maximum": f.Max}
	case KindBool:
		schema = map[string]any{"type": "boolean"}
	case KindChoice:
		schema = map[string]any{"type": "string"}
		if len(f.Options) > 0 { // a table adds the other options
			label.among(schema, f, anyOf(f.values()))
		}
	case KindText, KindProse:
		schema = map[string]any{"type": "string", "maxLength": f.Max}
		if f.Required {
			schema["minLength"] = max(1, f.Min)
		}
	case KindTrait:
		schema = map[string]any{"type": []string{"boolean", "string"}, "maxLength": MaxText}
		if f.Options != nil && !f.Open {
			label.among(schema, f, append([]any{true, false, "", "*"}, anyOf(f.values())...))
		}
	case KindRef:
		schema = f.idSchema(!f.Required, label)
	case KindRefs:
		schema = f.arraySchema(f.idSchema(false, label))
		schema["uniqueItems"] = true
	case KindFaces:
		schema = f.arraySchema(map[string]any{
			"type": []string{"integer", "string"}, "minimum": -1, "maximum": MaxFace, "pattern": typedPattern,
		})
	case KindList:
		schema = f.arraySchema(schemaOf(f.Fields, label))
	case KindGroup:
		schema = schemaOf(f.Fields, label)
	}
	if f.Default != nil {
		schema["default"] = f.Default
	}
	title, about := label.field(*f)
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

func anyOf(values []string) []any {
	all := make([]any, len(values))
	for i, value := range values {
		all[i] = value
	}
	return all
}

func (f *Field) arraySchema(items map[string]any) map[string]any {
	schema := map[string]any{"type": "array", "items": items, "maxItems": f.Max}
	if f.Required {
		schema["minItems"] = max(1, f.Min)
	}
	return schema
}

func (f *Field) idSchema(none bool, label labels) map[string]any {
	schema := map[string]any{"type": "string", "maxLength": MaxText}
	if f.Options != nil {
		allowed := anyOf(f.values())
		if none && !f.allows("") {
			allowed = append(allowed, "")
		}
		label.among(schema, f, allowed)
	}
	return schema
}
