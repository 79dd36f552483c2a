package act

import (
	"encoding/json"
	"slices"
	"strings"

	"norn/rule"
	"norn/table/internal/ledger"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/refusal"
	"norn/table/view"
)

// settingsChanged has all settings after the change.
type settingsChanged struct {
	byMasters
	Settings json.RawMessage `json:"settings"`
	Changed  []string        `json:"changed"`
	settings any
}

func (settingsChanged) Type() string { return "table.settings-changed" }

func (ev settingsChanged) Restore(st *state.State) (rule.Event, error) {
	var err error
	ev.settings, err = st.Game.Settings.Restore(ev.Settings)
	return ev, err
}

// ConfigureRequest is a JSON merge patch of the settings.
type ConfigureRequest struct {
	Settings json.RawMessage `json:"-" part:"settings"`
}

// Configure changes house rules and settings. Open moves continue with the old ones.
var Configure = Define(Spec[ConfigureRequest, view.Entry]{
	Name: "change-settings", Op: "settings",
	Route: Route{
		Method: "PATCH", Path: "/settings", Tag: "tables", Body: "SettingsChange", PerGame: "settings",
		Parts:   map[string]Part{"settings": {Schema: map[string]any{"type": "object"}, Required: true}},
		Summary: "Change house rules and settings",
		Text:    "A JSON merge patch (RFC 7396) of the settings. Only a game master may.",
		Example: map[string]any{"settings": map[string]any{}, "key": "b7d0"},
	},
	Key: func(r ConfigureRequest) any { return r.Settings },
	Build: func(c Call, r ConfigureRequest) (ledger.Draft, error) {
		if err := requireGM(c.Eye); err != nil { // first, so that other seats don't learn the allowed values
			return ledger.Draft{}, err
		}
		after, err := c.Table.Game.Settings.Patch(c.Table.Settings, r.Settings)
		if err != nil {
			return ledger.Draft{}, refusal.Within("settings", err)
		}
		data, err := json.Marshal(after)
		if err != nil {
			return ledger.Draft{}, err
		}
		return draft(c.Eye, view.KindSettings,
			settingsChanged{Settings: data, Changed: state.Differing(c.Table.Settings, after), settings: after})
	},
})

func (ev settingsChanged) judge(p *Proposal) error {
	if _, err := p.Table.Game.Settings.Decode(ev.Settings); err != nil {
		return refusal.Within("settings", err)
	}
	return p.Rules(func() error {
		return refusal.SameNames(ev.Changed, state.Differing(p.Table.Settings, ev.settings))
	})
}

func (ev settingsChanged) Fold(st *state.State, r *state.Record) {
	st.NoteSettings(r)
	st.Settings = ev.settings
}

func (ev settingsChanged) Lines(e *visibility.Eye) []view.Line {
	if len(ev.Changed) == 0 {
		return e.Line(ev, "settings-same", nil, view.Data{"changed": []string{}})
	}
	f := e.Table.Game.Settings.Form
	now := f.Fill(ev.settings)
	// names from older rules are only shown if there are no others
	changed := slices.DeleteFunc(slices.Clone(ev.Changed), func(name string) bool {
		_, known := f.Field(name)
		return !known
	})
	if len(changed) == 0 {
		changed = ev.Changed
	}
	texts := e.Labels("setting", changed)
	for i, name := range changed { // adds each new value
		field, ok := f.Field(name)
		if !ok {
			continue
		}
		word, words := "setting", view.Data{"Field": texts[i]}
		switch value := now[name].(type) {
		case bool:
			word = "edit-off"
			if value {
				word = "edit-on"
			}
		default:
			words["Is"] = valueName(e, field, value)
		}
		texts[i] = e.Voice.Tell("table.event."+word, words)
	}
	return e.Line(ev, "settings-changed", view.Data{"Settings": strings.Join(texts, "; ")},
		view.Data{"changed": ev.Changed})
}
