package table

import (
	"encoding/json"
	"slices"
	"strings"

	"norn/rule"
)

// settingsChanged holds all settings as they are from then on.
type settingsChanged struct {
	Settings json.RawMessage `json:"settings"`
	Changed  []string        `json:"changed"`
	settings any
}

func (settingsChanged) Type() string { return "table.settings-changed" }

func (ev settingsChanged) restore(st *state) (rule.Event, error) {
	var err error
	ev.settings, err = st.game.Settings.Restore(ev.Settings)
	return ev, err
}

func configure(e eye, settings json.RawMessage) (draft, error) {
	if err := byGM(e); err != nil { // who may not change them isn't told what could stand there
		return draft{}, err
	}
	after, err := e.st.game.Settings.Patch(e.st.settings, settings)
	if err != nil {
		return draft{}, within("settings", err)
	}
	data, err := json.Marshal(after)
	if err != nil {
		return draft{}, err
	}
	return draftActs(e, KindSettings, settingsChanged{Settings: data, Changed: changed(e.st.settings, after), settings: after})
}

func (ev settingsChanged) judge(p *proposal) error {
	if err := byGM(p.eye); err != nil {
		return err
	}
	if _, err := p.st.game.Settings.Decode(ev.Settings); err != nil {
		return within("settings", err)
	}
	return p.rules(func() error { return sameNames(ev.Changed, changed(p.st.settings, ev.settings)) })
}

func (ev settingsChanged) fold(st *state, r *record) {
	st.configured = append(st.configured, configured{by: r.Seq, was: st.settings})
	if n := len(st.configured); n > MostTouches && st.seq >= st.deep {
		st.configured = slices.Clone(st.configured[n-MostTouches:])
	}
	st.settings = ev.settings
}

func (ev settingsChanged) lines(e eye) []Line {
	if len(ev.Changed) == 0 {
		return e.line(ev, "settings-same", nil, data{"changed": []string{}})
	}
	f := e.st.game.Settings.Form
	now := f.Fill(ev.settings)
	texts := e.labels("setting", ev.Changed)
	for i, name := range ev.Changed { // each with what it is now
		field, ok := f.Field(name)
		if !ok {
			continue
		}
		word, words := "setting", data{"Field": texts[i]}
		switch value := now[name].(type) {
		case bool:
			word = "edit-off"
			if value {
				word = "edit-on"
			}
		default:
			words["Is"] = valueName(e, field, value)
		}
		texts[i] = e.voice.Tell("table.event."+word, words)
	}
	return e.line(ev, "settings-changed", data{"Settings": strings.Join(texts, "; ")}, data{"changed": ev.Changed})
}
