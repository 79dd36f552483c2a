package html

import (
	"norn/game"
	"norn/table/view"
)

// Scene is the scene that everybody sees. Where there is none, its title is the game's name.
type Scene struct {
	Title  string
	Note   string
	Source string // of its picture, "" for none
	Set    bool   // there is a scene
}

// Scene returns the scene that everybody sees.
func (l *Look) Scene() Scene {
	if s := l.View.Scene; s != nil {
		return Scene{Title: s.Title, Note: s.Note, Source: l.PictureAt(s.Picture), Set: true}
	}
	return Scene{Title: l.Voice.Word("game", "name")}
}

// Scenes holds the scenes that game masters have prepared.
type Scenes struct {
	Set bool // everybody sees one
	All []PreparedScene
}

// PreparedScene is one prepared scene.
type PreparedScene struct {
	view.SceneShown
	Source string // of its picture, "" for none
	Now    bool   // everybody sees it, as it is
}

// Scenes returns the scenes that are prepared.
func (l *Look) Scenes() Scenes {
	now := l.View.Scene
	return Scenes{Set: now != nil, All: game.Each(l.View.Scenes, func(s view.SceneShown) PreparedScene {
		return PreparedScene{SceneShown: s, Source: l.PictureAt(s.Picture), Now: now != nil && *now == s}
	})}
}
