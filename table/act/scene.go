package act

import (
	"cmp"
	"strconv"

	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/request"
	"norn/table/view"
)

// scenePrepared adds a scene to those that are prepared, or changes one. Only game masters know of
// it.
type scenePrepared struct {
	byMasters
	state.Scene
	Was *state.Scene `json:"was,omitempty"` // nil for a new one
}

// sceneRemoved removes a prepared scene.
type sceneRemoved struct {
	byMasters
	state.Scene
}

// sceneSet shows a scene to everybody as it is prepared now, or ends the one that is shown.
type sceneSet struct {
	byMasters
	Scene *state.Scene `json:"scene,omitempty"` // nil for none
	Was   *state.Scene `json:"was,omitempty"`
}

func (scenePrepared) Type() string { return "table.scene-prepared" }

func (sceneRemoved) Type() string { return "table.scene-removed" }

func (sceneSet) Type() string { return "table.scene-set" }

func (scenePrepared) Subject(ledger.Ledger) (move string, secret bool) { return "", true }

func (sceneRemoved) Subject(ledger.Ledger) (move string, secret bool) { return "", true }

func (sceneSet) ThingID() string { return state.CurrentSceneID }

func (ev sceneSet) ThingName() string {
	if ev.Scene == nil {
		return ev.Was.Title
	}
	return ev.Scene.Title
}

func (ev sceneRemoved) checkRoom(p *Proposal) error {
	return roomFor("scenes", len(p.Table.Scenes), request.MaxScenes)
}

var (
	checkTitle = checking("title", func(sent struct {
		Title string `json:"title" form:"text,required,max=80"`
	},
	) string {
		return sent.Title
	})
	checkSceneNote = checking("note", func(sent struct {
		Note string `json:"note" form:"prose,max=2000"`
	},
	) string {
		return sent.Note
	})
)

// SceneRequest is a prepared scene as it is from then on. Without an id it is a new one.
type SceneRequest struct {
	ID      string `json:"id" form:"text"`
	Title   string `json:"title" form:"text,required,max=80"`
	Note    string `json:"note" form:"prose,max=2000" doc:"for players"`
	Picture string `json:"picture" form:"text" doc:"hash of a picture at the table; none for no picture"`
}

// PrepareScene adds a scene to those that are prepared, or changes one.
var PrepareScene = Define(Spec[SceneRequest, view.Entry]{
	Name: "prepare-scene", Op: "scene",
	Route: Route{
		Method: "POST", Path: "/scenes", Tag: "tables", Body: "SceneRequest",
		Summary: "Prepare a scene, or change one",
		Text: "Only a game master may, and only game masters know of it. A scene has a title, a note for players, and a " +
			"picture that was added before. With the id of a prepared scene it becomes that one. " +
			"Players see a change once the scene is set again. It can be undone.",
		Example: map[string]any{"title": "The night ferry", "key": "5ce0"},
	},
	Key: func(r SceneRequest) any { return r },
	Build: func(c Call, r SceneRequest) (ledger.Draft, error) {
		if err := requireGM(c.Eye); err != nil {
			return ledger.Draft{}, err
		}
		ev := scenePrepared{Scene: state.Scene{
			ID: r.ID, Title: checkTitle.keep(r.Title), Note: checkSceneNote.keep(r.Note), Picture: r.Picture,
		}}
		if was := c.Table.Scenes.Find(r.ID); was != nil {
			ev.Was = was
		} else if r.ID == "" {
			ev.ID = nextScene(c.Table.State)
		}
		return draft(c.Eye, view.KindScene, ev)
	},
})

// SceneNamed names a prepared scene by its id.
type SceneNamed struct {
	Scene string `json:"-" address:"scene"`
}

// RemoveScene removes a scene from those that are prepared.
var RemoveScene = Define(Spec[SceneNamed, view.Entry]{
	Name: "remove-scene", Op: "unscene",
	Route: Route{
		Method: "POST", Path: "/scenes/{scene}/remove", Tag: "tables", Body: keyOnly, Missing: "scene",
		Summary: "Remove a prepared scene",
		Text:    "Only a game master may. Players go on seeing it until another is set, or none. It can be undone.",
		Example: map[string]any{"key": "5ce1"},
	},
	Key: func(r SceneNamed) any { return r.Scene },
	Build: func(c Call, r SceneNamed) (ledger.Draft, error) {
		if err := requireGM(c.Eye); err != nil {
			return ledger.Draft{}, err
		}
		ev := sceneRemoved{Scene: state.Scene{ID: r.Scene}}
		if was := c.Table.Scenes.Find(r.Scene); was != nil {
			ev.Scene = *was
		}
		return draft(c.Eye, view.KindScene, ev)
	},
})

// SetSceneRequest names a prepared scene, "" for none.
type SetSceneRequest struct {
	Scene string `json:"scene" form:"text" doc:"id of a prepared scene; none ends the one that is set"`
}

// SetScene shows a prepared scene to everybody, or none.
var SetScene = Define(Spec[SetSceneRequest, view.Entry]{
	Name: "set-scene", Op: "set-scene",
	Route: Route{
		Method: "POST", Path: "/scene", Tag: "tables", Body: "SetSceneRequest",
		Summary: "Set the scene that everybody sees, or end it",
		Text: "Only a game master may. Everybody sees the scene as it is prepared now: its title, note and picture, " +
			"which stay in the log and in the story. It can be undone.",
		Example: map[string]any{"key": "5ce2"},
	},
	Key: func(r SetSceneRequest) any { return r.Scene },
	Build: func(c Call, r SetSceneRequest) (ledger.Draft, error) {
		if err := requireGM(c.Eye); err != nil {
			return ledger.Draft{}, err
		}
		ev := sceneSet{Was: c.Table.CurrentScene}
		if r.Scene != "" {
			if ev.Scene = c.Table.Scenes.Find(r.Scene); ev.Scene == nil {
				return ledger.Draft{}, refusal.NoChoice("scene", r.Scene, nil)
			}
		}
		if sameScene(ev.Scene, ev.Was) {
			return ledger.Draft{}, refusal.Refuse("scene-stays", nil)
		}
		return draft(c.Eye, view.KindScene, ev)
	},
})

// nextScene is the id of the scene that the next entry prepares.
func nextScene(st *state.State) string { return "sc" + strconv.FormatUint(st.Seq+1, 10) }

func sameScene(a, b *state.Scene) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

func (ev scenePrepared) judge(p *Proposal) error {
	full := roomFor("scenes", len(p.Table.Scenes), request.MaxScenes)
	err := checkSet(ev.ID, nextScene(p.Table.State), ev.Was, p.Table.Scenes.Find(ev.ID), full)
	if err := cmp.Or(err, checkTitle.hold(ev.Title), checkSceneNote.hold(ev.Note)); err != nil || ev.Picture == "" {
		return err
	}
	return seesPicture(p.Eye, ev.Picture)
}

func (ev sceneRemoved) judge(p *Proposal) error {
	return checkNow("scene", ev.ID, ev.Scene, p.Table.Scenes.Find(ev.ID))
}

func (ev sceneSet) judge(p *Proposal) error {
	if ev.Scene != nil && !sameScene(ev.Scene, p.Table.Scenes.Find(ev.Scene.ID)) ||
		!sameScene(ev.Was, p.Table.CurrentScene) || sameScene(ev.Scene, ev.Was) {
		return refusal.Misfit(refusal.MisfitRefused, view.Data{"Problem": "scene"})
	}
	return nil
}

func (ev scenePrepared) Fold(st *state.State, r *state.Record) { st.PrepareScene(r, ev.ID, &ev.Scene) }

func (ev sceneRemoved) Fold(st *state.State, r *state.Record) { st.PrepareScene(r, ev.ID, nil) }

func (ev sceneSet) Fold(st *state.State, r *state.Record) { st.SetScene(r, ev.Scene) }

func (ev scenePrepared) Lines(e *visibility.Eye) []view.Line {
	return sceneKept(e, ev, "scene-prepared", ev.Scene)
}

func (ev sceneRemoved) Lines(e *visibility.Eye) []view.Line {
	return sceneKept(e, ev, "scene-removed", ev.Scene)
}

// sceneKept notifies game masters of a prepared scene.
func sceneKept(e *visibility.Eye, ev act, word string, s state.Scene) []view.Line {
	if !e.Viewer.IsGM() {
		return nil
	}
	return e.Line(ev, word, view.Data{"Title": s.Title},
		view.Data{"id": s.ID, "title": s.Title, "note": s.Note, "picture": s.Picture})
}

func (ev sceneSet) Lines(e *visibility.Eye) []view.Line {
	if ev.Scene == nil {
		return e.Line(ev, "scene-ended", view.Data{"Title": ev.Was.Title}, view.Data{"title": ""})
	}
	word := "scene-set"
	if ev.Scene.Note != "" {
		word = "scene-set-note"
	}
	data := view.Data{"title": ev.Scene.Title, "note": ev.Scene.Note}
	if a, ok := e.Attachment(view.UsePicture, ev.Scene.Picture); ok {
		data["hash"], data["width"], data["height"] = ev.Scene.Picture, a.Width, a.Height
	}
	return e.Line(ev, word, view.Data{"Title": ev.Scene.Title, "Note": ev.Scene.Note}, data)
}

// SceneSet returns the scene that a record sets, nil for another record.
func SceneSet(r *state.Record) *state.Scene {
	ev, _ := r.Decoded[0].(sceneSet)
	return ev.Scene
}
