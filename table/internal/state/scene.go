package state

// Scene is the current place of a story: a title, a picture behind the table's head and a note for
// players.
type Scene struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Note    string `json:"note,omitempty"`
	Picture string `json:"picture,omitempty"` // hash of an attachment
}

func (s Scene) ThingID() string { return s.ID }

func (s Scene) ThingName() string { return s.Title }

// Scenes lists the scenes that game masters have prepared, oldest first.
type Scenes []Scene

// Find returns the scene with an id, nil for none.
func (all Scenes) Find(id string) *Scene { return find(all, id) }

// CurrentSceneID is the id under which undo keeps which scene everybody sees.
const CurrentSceneID = "scene"

// PrepareScene changes a prepared scene by a record, or adds it. A nil value removes it.
func (st *State) PrepareScene(r *Record, id string, value *Scene) {
	st.setThing(r, id, Thing{Scene: value})
}

// SetScene sets the scene that everybody sees by a record, nil for none.
func (st *State) SetScene(r *Record, value *Scene) {
	st.setThing(r, CurrentSceneID, Thing{Scene: value})
}
