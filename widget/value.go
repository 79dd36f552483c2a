package widget

import (
	"context"
	"strconv"

	"github.com/a-h/templ"
)

// Field is a value of a sheet that its reader may change where it stands.
type Field struct {
	ID       string // of its element, its own on the page
	Path     string // in the sheet's form: "skills.0.value"
	Kind     Control
	Label    string
	Value    string // as a form sends it
	Shown    string // the same for people
	Min, Max int    // of a number; of a text its characters
	Choices  string // id of the list of choices
	Among    string // what stood around it in its list when it was drawn
	Required bool
}

// Control is what a value is changed with.
type Control string

// Controls.
const (
	Number Control = "number"
	Text   Control = "text"
	Prose  Control = "prose"
	Choice Control = "choice"
	Check  Control = "check"
)

// Editor knows which values of a sheet its reader may change. A sheet names
// them by their paths in its form and is drawn alike with and without one.
type Editor interface {
	Field(path string) (Field, bool)
}

// Player knows what of a sheet its reader plays with: the tracks that they mark while they play,
// and what a move is made with. A sheet is drawn alike with and without one.
type Player interface {
	Editor
	// Use is where a move is made with what stands at a place, "" for nowhere.
	Use(place string) string
}

type (
	editorKey struct{}
	playerKey struct{}
)

// WithEditor lets what is drawn with the context be changed through an editor.
func WithEditor(ctx context.Context, e Editor) context.Context {
	return context.WithValue(ctx, editorKey{}, e)
}

// WithPlayer lets what is drawn with the context be played with.
func WithPlayer(ctx context.Context, p Player) context.Context {
	return context.WithValue(ctx, playerKey{}, p)
}

// use is where a move is made with a place of a sheet, "" for nowhere.
func use(ctx context.Context, place string) string {
	if p, ok := ctx.Value(playerKey{}).(Player); ok {
		return p.Use(place)
	}
	return ""
}

// markedTrack finds the number of a track that is marked while one plays.
func markedTrack(ctx context.Context, path string) (Field, bool) {
	if p, ok := ctx.Value(playerKey{}).(Player); ok && path != "" {
		f, ok := p.Field(path)
		return f, ok && f.Kind == Number
	}
	return field(ctx, path, Number)
}

// ratedField finds a number that changes only with its sheet.
func ratedField(ctx context.Context, path string) (Field, bool) { return field(ctx, path, Number) }

// field finds the value of a path, if the reader may change it with one of the
// controls.
func field(ctx context.Context, path string, controls ...Control) (Field, bool) {
	e, ok := ctx.Value(editorKey{}).(Editor)
	if !ok || path == "" {
		return Field{}, false
	}
	f, ok := e.Field(path)
	for _, c := range controls {
		if ok && f.Kind == c {
			return f, true
		}
	}
	return Field{}, false
}

// attributes are what script must know to change the value.
func (f Field) attributes() templ.Attributes {
	a := templ.Attributes{"id": f.ID, "data-value": f.Path, "data-kind": string(f.Kind), "data-held": f.Value}
	switch f.Kind {
	case Number:
		a["data-min"], a["data-max"] = strconv.Itoa(f.Min), strconv.Itoa(f.Max)
	case Text, Prose:
		a["data-max"] = strconv.Itoa(f.Max)
	case Choice:
		a["data-choices"] = f.Choices
	}
	if f.Among != "" {
		a["data-among"] = f.Among
	}
	if f.Required {
		a["data-required"] = true
	}
	return a
}
