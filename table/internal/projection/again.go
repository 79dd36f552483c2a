package projection

import (
	"errors"
	"maps"
	"strings"

	"norn/form"
	"norn/game"
	"norn/table/act"
	"norn/table/internal/state"
	"norn/table/internal/visibility"
	"norn/table/request"
)

// Again returns a move of the log as a draft, to be made again. After a failure it's the game's
// retry, by the outcome that the seat has seen. It leaves out prose and fields for one use
// only. It returns false if the seat hasn't seen all of the move, or may not make it now.
func Again(e *visibility.Eye, seq uint64) (request.Move, bool) {
	entries := EntriesAfter(e, max(seq, 1)-1, 1)
	if len(entries) == 0 || entries[0].Seq != seq || entries[0].Args == nil {
		return request.Move{}, false
	}
	was := entries[0]
	def, err := act.MayMake(e, was.Name, was.Character)
	if err != nil {
		return request.Move{}, false
	}
	f, filled := def.Form.For(form.AtTable).WithoutAssumed(), was.Args
	if hasFailed(e, def, was.Move) {
		if args, ok := argsNow(def, act.MoveForm(e, def, was.Character).WithoutAssumed(), filled); ok {
			scene := e.KnownScene(e.Table.Scene(was.Character, e.Characters()))
			failed := game.Failure{Seq: seq, Taken: e.Table.OffersTaken(was.Move)}
			filled = f.Fill(def.Retry(scene, args, failed))
		}
	}
	values, touched := f.InputsOf(filled), []string{}
	for path, field := range f.All() {
		if field.Kind == form.KindProse || field.Once {
			values.Del(path)
		} else if !strings.Contains(path, ".") {
			touched = append(touched, path)
		}
	}
	return request.Move{
		Move: def.ID, Character: was.Character, Values: values, Touched: touched, Secret: was.Secret,
	}, true
}

// argsNow returns earlier arguments without those that can't be chosen any more.
func argsNow(def *game.Move, f *form.Form, filled map[string]any) (args any, ok bool) {
	args, err := def.Decode(f, state.JSON(filled))
	problems, some := errors.AsType[form.Problems](err)
	if some {
		filled = maps.Clone(filled)
		for _, p := range problems {
			name, _, _ := strings.Cut(p.Path, ".")
			delete(filled, name)
		}
		args, err = def.Decode(f, state.JSON(filled))
	}
	return args, err == nil
}

// hasFailed reports whether the seat has seen that a move ended badly.
func hasFailed(e *visibility.Eye, def *game.Move, move string) bool {
	failed := false
	for _, entry := range EntriesOfMove(e, move) {
		if entry.Outcome != nil {
			failed = entry.Outcome.Tone == game.Bad || entry.Outcome.Tone == game.Disaster
		}
	}
	return failed
}
