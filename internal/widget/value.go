package widget

import (
	"context"
	"strconv"

	"github.com/a-h/templ"
)

// Field is a value of a sheet that its reader may edit in place.
type Field struct {
	ID       string // unique id of its element on the page
	Path     string // in the sheet's form: "skills.0.value"
	Kind     Control
	Label    string
	Value    string // as a form sends it
	Shown    string // as people read it
	Min, Max int    // range of a number; length of a text in characters
	Choices  string // id of the list of choices
	Among    string // the values around it in its list when it was drawn
	Required bool
}

// Control is the kind of control for editing a value.
type Control string

// Controls.
const (
	Number Control = "number"
	Text   Control = "text"
	Prose  Control = "prose"
	Choice Control = "choice"
	Check  Control = "check"
)

// Editor knows which values of a sheet its reader may edit. A sheet names them by their paths in
// its form and looks the same with and without an editor.
type Editor interface {
	Field(path string) (Field, bool)
}

// Player knows what a reader uses in play: the tracks that they mark, and what moves are made with.
// A sheet looks the same with and without one.
type Player interface {
	Editor
	// Use returns the address for a move with what is at a place, "" for none.
	Use(place string) string
}

// Source is a list of the table's own, from which things can be added to a list of a sheet.
type Source struct {
	List     string // path of the sheet's list
	Name, To string // what it's called, and its address
}

// Shelf knows from where things can be added to a sheet.
type Shelf interface {
	// Take returns the sources for a list of the sheet, which is drawn now.
	Take(list string) []Source
}

type (
	editorKey struct{}
	playerKey struct{}
	shelfKey  struct{}
)

// WithShelf returns a context in which lists of a sheet say from where things can be added.
func WithShelf(ctx context.Context, s Shelf) context.Context {
	return context.WithValue(ctx, shelfKey{}, s)
}

// sources returns from where things can be added to a list.
func sources(ctx context.Context, list string) []Source {
	if s, ok := ctx.Value(shelfKey{}).(Shelf); ok {
		return s.Take(list)
	}
	return nil
}

// WithEditor returns a context in which components can be edited through an editor.
func WithEditor(ctx context.Context, e Editor) context.Context {
	return context.WithValue(ctx, editorKey{}, e)
}

// WithPlayer returns a context in which components can be used in play.
func WithPlayer(ctx context.Context, p Player) context.Context {
	return context.WithValue(ctx, playerKey{}, p)
}

// use returns the address for a move with a place of a sheet, "" for none.
func use(ctx context.Context, place string) string {
	if p, ok := ctx.Value(playerKey{}).(Player); ok {
		return p.Use(place)
	}
	return ""
}

// markedTrack returns the field of a track that is marked during play.
func markedTrack(ctx context.Context, path string) (Field, bool) {
	if p, ok := ctx.Value(playerKey{}).(Player); ok && path != "" {
		f, ok := p.Field(path)
		return f, ok && f.Kind == Number
	}
	return field(ctx, path, Number)
}

// ratedField returns the field of a number that changes only when the sheet is edited.
func ratedField(ctx context.Context, path string) (Field, bool) { return field(ctx, path, Number) }

// field returns the field at a path, if the reader may edit it with one of the controls.
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

// attributes returns what the page's script needs to edit the value.
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
