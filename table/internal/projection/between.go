package projection

import (
	"encoding/json"
	"time"

	"norn/game"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/request"
	"norn/table/view"
)

const (
	maxSuggestions = 400 // of a table: each takes a form and a run of its rule
	pastEntries    = 400 // of the log in which moves are found that were made already
)

// Between returns what the game suggests between sessions, of which the seat may make the moves:
// for everybody, then for each player character. A move that was made after since isn't ticked.
func Between(e *visibility.Eye, since time.Time) []view.Suggestion {
	heroes := game.Without(e.Characters(), func(c *state.Character) bool {
		kind, _ := e.Table.Game.Kind(c.Kind)
		return !kind.Player || kind.Thing || !e.Plays(c.ID)
	})
	all := suggestFor(e, "")
	for _, c := range heroes {
		all = append(all, suggestFor(e, c.ID)...)
	}
	all = all[:min(len(all), maxSuggestions)]
	if len(all) == 0 {
		return all
	}
	for _, past := range EntriesBefore(e, 0, pastEntries) {
		if past.Kind != view.KindMove || past.Undone != nil || past.Time.Before(since) {
			continue
		}
		for i, s := range all {
			if s.Move == past.Name && s.Character == past.Character {
				all[i].Ticked, all[i].Made = false, &view.MadeAt{Move: past.Move, Time: past.Time}
			}
		}
	}
	return all
}

// suggestFor returns the suggestions for a character, or for everybody if who is "".
func suggestFor(e *visibility.Eye, who string) []view.Suggestion {
	all := []view.Suggestion{}
	scene := e.Table.Scene(who, game.Without(e.Characters(), func(c *state.Character) bool {
		return c.Hidden && c.ID != who // in a public move nobody hidden takes part
	})).MapMembers(func(m game.Member) game.Member {
		if !wholly(e, m.ID, m.Sheet) { // whether a line is there must not tell what the sheet hides
			m.Sheet = nil
		}
		return m
	})
	for _, of := range e.Table.Game.Suggest(scene, who) {
		def, err := act.MayMake(e, of.Move, who)
		if err != nil {
			continue
		}
		all = append(all, suggestion(e, def, who, of))
	}
	return all
}

// wholly reports whether the seat sees all of a sheet.
func wholly(e *visibility.Eye, id string, sheet any) bool {
	return e.Viewer.IsGM() || e.SeesWhole(id, sheet)
}

// suggestion returns a suggestion with the move's form, and with the questions that its rule will
// ask the seat.
func suggestion(e *visibility.Eye, def *game.Move, who string, of game.Suggestion) view.Suggestion {
	f := act.MoveForm(e, def, who)
	s := view.Suggestion{
		Move: def.ID, Character: who, Name: e.Word("move", def.ID), Ticked: of.Ticked, Form: f.Without(of.Asked...),
		Args: map[string]any{}, Questions: []view.Question{},
	}
	asked := request.Move{Move: def.ID, Character: who, Args: json.RawMessage("{}")}
	if of.Args != nil {
		s.Args, s.Values, asked.Args = f.Fill(of.Args), f.Inputs(of.Args), f.JSON(of.Args)
	} else if args, err := def.Decode(f, asked.Args); err == nil {
		s.Args = f.Fill(args)
	}
	a, err := act.KnownAttempt(e, asked)
	if err != nil { // it lacks a choice, which the form offers
		return s
	}
	if c := e.Table.Characters.Of(who); c != nil && !wholly(e, who, c.Sheet) {
		return s
	}
	open, _ := Questions(e, a.Ahead(e))
	for _, q := range open {
		if q.Mine && q.Dice == nil {
			s.Questions = append(s.Questions, q)
		}
	}
	return s
}
