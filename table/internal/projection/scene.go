package projection

import (
	"norn/table/internal/visibility"
	"norn/table/view"
)

// scenesSeen puts the scenes into a view: the one that everybody sees, and for game masters those that
// are prepared.
func scenesSeen(e *visibility.Eye, v *view.View) {
	if s := e.Table.CurrentScene; s != nil {
		shown := view.SceneShown(*s)
		if !e.Viewer.IsGM() {
			shown.ID = "" // it says when the scene was prepared
		}
		v.Scene = &shown
	}
	if e.Viewer.IsGM() {
		for _, s := range e.Table.Scenes {
			v.Scenes = append(v.Scenes, view.SceneShown(s))
		}
	}
}

// sceneOfPicture returns the title of a scene with a picture that the seat knows of, "" for none.
func sceneOfPicture(e *visibility.Eye, hash string) string {
	if s := e.Table.CurrentScene; s != nil && s.Picture == hash {
		return s.Title
	}
	if title := e.Table.TitleOfSeen(hash); title != "" {
		return title
	}
	if e.Viewer.IsGM() {
		for _, s := range e.Table.Scenes {
			if s.Picture == hash {
				return s.Title
			}
		}
	}
	return ""
}
