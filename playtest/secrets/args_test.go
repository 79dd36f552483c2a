package secrets

import (
	"math/rand/v2"

	"norn/form"
)

// maker generates values, most of which a form allows.
type maker struct {
	*rand.Rand
	text func() string // generates texts
	bold bool          // numbers from all of their ranges, not only near their defaults
}

func (m maker) one(in int) bool { return m.IntN(in) == 0 }

// fill returns a form's values as JSON has them.
func (m maker) fill(fields []form.Field) map[string]any {
	values := map[string]any{}
	for _, f := range fields {
		if v := m.value(f); v != nil {
			values[f.Name] = v
		}
	}
	return values
}

func (m maker) value(f form.Field) any {
	switch f.Kind {
	case form.KindInt:
		switch {
		case m.bold || m.one(6):
			return f.Min + m.IntN(f.Max-f.Min+1)
		case m.one(8):
			return f.Max
		case m.one(2):
			return min(f.Max, max(f.Min, 0)+m.IntN(4))
		}
		return nil // the default
	case form.KindBool:
		return m.one(3)
	case form.KindChoice:
		if len(f.Options) == 0 || !f.Required && m.one(3) {
			return nil
		}
		return f.Options[m.IntN(len(f.Options))].Value
	case form.KindText, form.KindProse:
		if !f.Required && m.one(4) || f.Max < textSize {
			return nil
		}
		if f.Name == "dice" || f.Name == "notation" || f.Name == "fray" { // texts that must be dice
			return nil
		}
		return m.text()
	case form.KindTrait:
		switch {
		case len(f.Options) > 0 && (f.Required || !m.one(3)):
			return f.Options[m.IntN(len(f.Options))].Value
		case f.Required:
			return m.text()
		}
		return false
	case form.KindRef:
		if len(f.Options) == 0 || !f.Required && m.one(3) {
			return nil
		}
		return f.Options[m.IntN(len(f.Options))].Value
	case form.KindRefs:
		refs := []string{}
		for _, at := range m.Perm(len(f.Options)) {
			if len(refs) < min(f.Max, 2) && (f.Min > len(refs) || m.one(2) || f.Required && len(refs) == 0) {
				refs = append(refs, f.Options[at].Value)
			}
		}
		return refs
	case form.KindFaces:
		faces := []int{}
		for range max(f.Min, 1) + m.IntN(3) {
			faces = append(faces, 1+m.IntN(6))
		}
		return faces
	case form.KindGroup:
		return m.fill(f.Fields)
	case form.KindList:
		items := []any{}
		least := 0
		if f.Required {
			least = 1
		}
		for range min(f.Max, max(f.Min, least)+m.IntN(2)) {
			items = append(items, m.fill(f.Fields))
		}
		return items
	}
	return nil
}
