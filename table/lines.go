package table

import (
	"slices"
	"strings"

	"norn/game"
	"norn/rule"
)

// data is what a line of a table's own event shows. What isn't put into one
// here is never shown.
type data = map[string]any

// ownLines are the lines of a table's own event for the seat; none for what it
// may not know.
func (e eye) ownLines(event rule.Event) []Line {
	switch ev := event.(type) {
	case opened:
		return e.line(ev, "opened", data{"Name": ev.Name, "Game": e.word("game", "name")}, data{"name": ev.Name, "game": ev.Game})
	case diceSealed:
		const shown = 8 // digits are enough to compare by eye
		return e.line(ev, "dice-sealed", data{"Commitment": ev.Commitment[:shown]}, data{"commitment": ev.Commitment})
	case sessionEnded:
		return e.line(ev, "session-ended", data{"N": ev.N, "Secret": ev.Secret},
			data{"n": ev.N, "secret": ev.Secret, "commitment": ev.Commitment, "shares": ev.Shares})
	case shareAdded:
		name := ""
		if s := e.st.seat(ev.Seat); s != nil {
			name = s.name
		}
		return e.line(ev, "share-added", data{"Name": name}, data{"session": ev.Session, "seat": ev.Seat, "share": ev.Share})
	case talkSaid:
		return []Line{{Type: ev.Type(), Text: ev.Text}}
	case tableImported:
		return e.line(ev, "imported", data{"N": ev.Entries, "Norn": ev.Norn}, data{"exported": ev.Exported, "norn": ev.Norn, "entries": ev.Entries})
	case editionTaken:
		return e.line(ev, "edition-taken", data{"Game": e.word("game", "name"), "Is": ev.Is}, data{"was": ev.Was, "is": ev.Is})
	case moveUndone:
		return e.line(ev, "move-undone", nil, data{"move": ev.Move})
	case moveCancelled:
		return e.line(ev, "move-cancelled", nil, data{"move": ev.Move})
	case changeUndone:
		return e.undoneLines(ev)
	case seatAdded:
		return e.line(ev, "seat-added", data{"Name": ev.Name, "Role": game.Word("table.role." + string(ev.Role))},
			data{"id": ev.ID, "name": ev.Name, "role": ev.Role})
	case seatRenamed:
		return e.line(ev, "renamed", data{"Was": ev.Was, "Name": ev.Name}, data{"id": ev.ID, "was": ev.Was, "name": ev.Name})
	case seatRevoked:
		return e.line(ev, "seat-revoked", data{"Name": ev.Name}, data{"id": ev.ID, "name": ev.Name})
	case seatRenewed:
		return e.line(ev, "seat-renewed", data{"Name": ev.Name}, data{"id": ev.ID, "name": ev.Name})
	case seatRestored:
		return e.line(ev, "seat-restored", data{"Name": ev.Name}, data{"id": ev.ID, "name": ev.Name})
	case moveShown:
		if m := e.st.moves[ev.Move]; m != nil {
			return e.line(ev, "move-shown", data{"Move": e.laterText(m.first)}, data{"move": ev.Move})
		}
	case moveCalled:
		return e.callLines(ev)
	case callWithdrawn:
		return e.withdrawnLines(ev)
	case moveStarred:
		return e.starLines(ev)
	case noteKept:
		if !e.viewer.IsGM() {
			return nil
		}
		if ev.Text == "" {
			return e.line(ev, "note-dropped", nil, data{"id": ev.ID})
		}
		return e.line(ev, "note-kept", nil, data{"id": ev.ID, "text": ev.Text})
	case settingsChanged:
		if len(ev.Changed) == 0 {
			return e.line(ev, "settings-same", nil, data{"changed": []string{}})
		}
		return e.line(ev, "settings-changed", data{"Settings": e.settingsNow(ev)}, data{"changed": ev.Changed})
	case characterAdded:
		if e.sees(ev.ID) {
			return e.line(ev, "character-added", data{"Name": ev.Name, "Kind": e.word("kind", ev.Kind)},
				data{"id": ev.ID, "name": ev.Name, "kind": ev.Kind, "owner": ev.Owner})
		}
	case characterRemoved:
		if e.sees(ev.ID) {
			return append(e.line(ev, "character-removed", data{"Name": ev.Name}, data{"id": ev.ID, "name": ev.Name}), e.freedLines(ev)...)
		}
	case characterChanged:
		if e.sees(ev.ID) {
			return e.changedLines(ev)
		}
	}
	return nil
}

// freedLines name those who got something back as a character was taken away.
func (e eye) freedLines(ev characterRemoved) []Line {
	var names []string
	for _, id := range ev.Frees {
		if e.sees(id) {
			names = append(names, e.st.character(id).name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return e.line(ev, "character-frees", data{"Name": ev.Name, "Who": e.voice.List(names)}, data{"id": ev.ID, "name": ev.Name})
}

// settingsNow names the settings that were changed, each with what it is now.
func (e eye) settingsNow(ev settingsChanged) string {
	f := e.st.game.Settings.Form
	now := f.Fill(ev.settings)
	texts := e.labels("setting", ev.Changed)
	for i, name := range ev.Changed {
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
			words["Is"] = e.valueName(field, value)
		}
		texts[i] = e.voice.Tell("table.event."+word, words)
	}
	return strings.Join(texts, "; ")
}

// changedLines tell what was changed of a character, and of its sheet the
// values of those members that the seat sees whole.
func (e eye) changedLines(ev characterChanged) []Line {
	var lines []Line
	now := ev.Was
	if ev.Name != nil {
		now = *ev.Name
		lines = append(lines, e.line(ev, "renamed", data{"Was": ev.Was, "Name": now}, data{"id": ev.ID, "was": ev.Was, "name": now})...)
	}
	if ev.Owner != nil {
		id, words := "no-owner", data{"Name": now}
		if owner := e.st.seat(*ev.Owner); owner != nil {
			id, words["Seat"] = "owner", owner.name
		}
		lines = append(lines, e.line(ev, id, words, data{"id": ev.ID, "owner": *ev.Owner})...)
	}
	locked := e.locked(e.st.character(ev.ID))
	if ev.sheet != nil && !e.viewer.IsGM() { // what is seen of the sheet may depend on what stood there then
		locked = e.unseen(locked, ev.sheet, e.st.game.View.ShowSheet(e.viewer, e.st.settings, ev.ID, ev.sheet))
	}
	var changed []string
	for _, name := range ev.Changed {
		if e.viewer.IsGM() || !slices.Contains(locked, name) {
			changed = append(changed, name)
		}
	}
	kind, _ := e.st.game.Kind(ev.Kind)
	seen := locked
	if e.viewer.IsGM() {
		seen = nil
	}
	edits := e.editsShown(kind.Form, ev.Edits, seen)
	switch {
	case len(edits) > 0:
		lines = append(lines, e.line(ev, "sheet-edited", data{"Name": now, "Edits": oneLine(edits)},
			data{"id": ev.ID, "changed": changed, "edits": edits})...)
	case len(changed) > 0:
		lines = append(lines, e.line(ev, "sheet-changed", data{"Name": now, "Fields": e.labels("field", changed)},
			data{"id": ev.ID, "changed": changed})...)
	case len(lines) == 0 && e.viewer.IsGM():
		lines = e.line(ev, "sheet-same", data{"Name": now}, data{"id": ev.ID, "changed": []string{}})
	}
	return lines
}

// undoneLines tell what change was taken back.
func (e eye) undoneLines(ev changeUndone) []Line {
	first, shown := e.st.records[ev.Seq-1], data{"seq": ev.Seq}
	if first.Kind == KindSettings {
		return e.line(ev, "settings-undone", nil, shown)
	}
	var lines []Line
	for _, c := range first.touched {
		if !e.sees(c.id) {
			continue
		}
		word := "change-undone"
		if first.facets&ofBeing != 0 {
			word = "removal-undone"
		}
		lines = append(lines, e.line(ev, word, data{"Name": c.name}, data{"seq": ev.Seq, "id": c.id})...)
	}
	return lines
}

func (e eye) line(event rule.Event, word string, words, shown data) []Line {
	return []Line{{Type: event.Type(), Text: e.voice.Tell("table.event."+word, words), Data: encoded(shown)}}
}

func (e eye) word(parts ...string) string { return e.voice.Say(e.st.game.Word(parts...)) }

// labels name fields, "Stress, Bonds"; a setting may have a word of its own.
func (e eye) labels(set string, names []string) []string {
	labels := make([]string, len(names))
	for i, name := range names {
		id := e.st.game.Word(set, name)
		if !e.voice.Has(id) {
			id = e.st.game.Word("field", name)
		}
		labels[i] = e.voice.Say(id)
	}
	return labels
}
