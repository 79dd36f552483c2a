package projection

import (
	"encoding/json"
	"strings"

	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/view"
)

// turnsSeen returns encounters and scenes as the game describes them, from what the seat sees.
func turnsSeen(e *visibility.Eye) []view.Turns {
	g := e.Table.Game
	if g.Going == nil {
		return nil
	}
	scene := e.Table.Scene("", e.Characters())
	for id, m := range scene.Cast {
		m.Sheet = e.Sheet(e.Table.Characters.Of(id))
		scene.Cast[id] = m
	}
	drawn := e.Table.Drawn.Now(func(d state.OrderThrow) bool {
		return e.Viewer.IsGM() || !d.Secret || e.Table.ShownMoves[state.MoveID(d.By)]
	}, func(who string) bool { return e.Table.IsOut(who, e.Viewer) })
	var all []view.Turns
	for _, on := range g.Going(scene, drawn) {
		shown := view.Turns{Scene: on.Scene(e.Voice), Turn: on.Turn(e.Voice)}
		for _, p := range on.Order(e.Voice) {
			m, here := scene.Cast[p.Who]
			if !here {
				continue
			}
			note := p.Note
			if kind, ok := g.Kind(m.Kind); ok && kind.State != nil && p.Out && m.Sheet != nil {
				note = strings.TrimPrefix(note+" · "+e.Voice.Say(kind.State(m.Sheet).Word), " · ")
			}
			shown.Order = append(shown.Order,
				view.TurnOf{Character: p.Who, Side: p.Side, Note: note, Acted: p.Acted, Now: p.Now})
		}
		if move, actor, args := on.Pass(); move != "" {
			if def, err := act.MayMake(e, move, actor); err == nil {
				shown.Pass = &view.Pass{Move: def.ID, Character: actor, Args: json.RawMessage(def.Form.JSON(args))}
			}
		}
		all = append(all, shown)
	}
	return all
}
