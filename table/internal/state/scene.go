package state

import "slices"

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

// SetScene sets the scene that everybody sees by a record, nil for none. Its picture stays in the log,
// and offers of the scene before end.
func (st *State) SetScene(r *Record, value *Scene) {
	for i, o := range st.Offers {
		if o.Def.InScene && st.isOpen(o) {
			st.Offers = altered(st.Offers, i, func(o *Offer) { o.Ended = r.Seq })
		}
	}
	st.setThing(r, CurrentSceneID, Thing{Scene: value})
	if value != nil && value.Picture != "" && st.TitleOfSeen(value.Picture) == "" {
		st.ScenesSeen = append(slices.Clip(st.ScenesSeen), SceneSeen{value.Title, value.Picture, r.Seq})
	}
}

// SceneSeen is a scene whose picture everybody has seen.
type SceneSeen struct {
	Title   string `json:"title"`
	Picture string `json:"picture"`
	Set     uint64 `json:"set"` // seq of the record that set it; unless that was undone
}

// TitleOfSeen returns the title of a scene with a picture that everybody has seen, "" for none.
func (st *State) TitleOfSeen(picture string) string {
	for _, s := range st.ScenesSeen {
		if s.Picture == picture && st.stands(s.Set) {
			return s.Title
		}
	}
	return ""
}
