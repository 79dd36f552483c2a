package view

import (
	"net/url"
	"time"

	"norn/form"
)

// Suggestion is a move that the rules provide between sessions, with its arguments filled in. The
// seat may make it like any other move.
type Suggestion struct {
	Move      string         `json:"move"`
	Character string         `json:"character,omitempty"` // who makes it; "" for a move for everybody
	Name      string         `json:"name"`                // of the move, in the reader's language
	Args      map[string]any `json:"args"`
	Ticked    bool           `json:"ticked"`         // the rules give it, and it wasn't made yet
	Made      *MadeAt        `json:"made,omitempty"` // when it was made lately

	Form   *form.Form `json:"-"` // of the arguments
	Values url.Values `json:"-"` // the arguments as a page shows them; nil for the form's defaults
	// what the rule will ask this seat before any throw
	Questions []Question `json:"-"`
}

// MadeAt says where in the log a move was made.
type MadeAt struct {
	Move string    `json:"move"` // its id, such as "m12"
	Time time.Time `json:"time"`
}
